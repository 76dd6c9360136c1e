/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes events as rows of a table. Each field of a selected marker has a column.
 */
#ifndef _MARKERS_CSV_H
#define _MARKERS_CSV_H

#include <stdio.h>

#include "../choose/select.h"

struct csv;

/**
 * csv_begin() - write the names of the columns
 * @out: the output file
 * @info: facts of the trace
 * @selection: the markers to show
 *
 * Return: the table, for the other functions; it lives until the program ends.
 */
struct csv *csv_begin(FILE *out, const struct trace_info *info,
		      struct selection *selection);

/**
 * csv_event() - write an event as a row
 * @csv: from csv_begin()
 * @out: the output file
 * @event: the event
 */
void csv_event(const struct csv *csv, FILE *out, const struct event *event);

/**
 * csv_loss() - write a loss as a row
 * @csv: from csv_begin()
 * @out: the output file
 * @loss: the loss; the row has no marker, and a number in the column "lost"
 */
void csv_loss(const struct csv *csv, FILE *out, const struct loss *loss);

/**
 * csv_text() - write a cell
 * @out: the output file
 * @text: the text
 * @size: bytes of @text
 */
void csv_text(FILE *out, const char *text, size_t size);

#endif /* _MARKERS_CSV_H */
