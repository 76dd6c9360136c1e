/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the rows of a query: as a table, CSV, or JSON.
 */
#ifndef _MARKERS_QUERY_RESULT_H
#define _MARKERS_QUERY_RESULT_H

#include <stdbool.h>
#include <stdio.h>

#include <sqlite3.h>

enum result_format { RESULT_TABLE, RESULT_CSV, RESULT_JSON, NR_RESULTS };

struct result;

/**
 * result_begin() - begin to write the rows of a statement
 * @out: the output file
 * @format: how
 * @statement: the statement, which has columns
 *
 * Return: for the other functions.
 */
struct result *result_begin(FILE *out, enum result_format format, sqlite3_stmt *statement);

/**
 * result_row() - write a row
 * @result: from result_begin()
 */
void result_row(struct result *result);

/**
 * result_end() - write what is left, and free all
 * @result: from result_begin()
 */
void result_end(struct result *result);

#endif /* _MARKERS_QUERY_RESULT_H */
