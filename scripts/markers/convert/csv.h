/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as rows of a table: a column for each field that any of the selected markers has.
 */
#ifndef _MARKERS_CSV_H
#define _MARKERS_CSV_H

#include <stdio.h>

#include "select.h"

struct csv;

/**
 * csv_begin() - write the names of the columns
 * @out: where to
 * @info: of the trace
 * @selection: which of its markers are shown
 *
 * Return: what the other functions want; it stays until the program ends.
 */
struct csv *csv_begin(FILE *out, const struct trace_info *info,
		      const struct selection *selection);

/**
 * csv_event() - write an event as a row
 * @csv: of csv_begin()
 * @event: the event
 */
void csv_event(struct csv *csv, const struct event *event);

/**
 * csv_loss() - write a loss as a row
 * @csv: of csv_begin()
 * @loss: the loss; its marker is empty, and there is a number in the column "lost"
 */
void csv_loss(struct csv *csv, const struct loss *loss);

/**
 * csv_text() - write a cell
 * @out: where to
 * @text: the text
 * @size: of @text
 */
void csv_text(FILE *out, const char *text, size_t size);

#endif /* _MARKERS_CSV_H */
