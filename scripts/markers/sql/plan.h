/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which conditions of a query a table takes over from SQLite, and what they are while it runs.
 * SQLite compares again: a plan may read too much, but it must not leave out.
 */
#ifndef _MARKERS_SQL_PLAN_H
#define _MARKERS_SQL_PLAN_H

#include <sqlite3.h>

#include "lookup.h"
#include "scan.h"
#include "tables.h"

/**
 * plan_make() - choose conditions
 * @table: a table of events, stacks or losses
 * @info: SQLite's question, which gets the answer
 *
 * Return: SQLITE_OK or SQLITE_NOMEM.
 */
int plan_make(const struct table *table, struct sqlite3_index_info *info);

/**
 * plan_read() - read the values of the conditions
 * @table: the table
 * @plan: what plan_make() answered
 * @values: the values
 * @range: gets the part to read
 * @key: gets the key to look for, if it has columns
 */
void plan_read(const struct table *table, const char *plan, sqlite3_value **values,
	       struct range *range, struct key *key);

#endif /* _MARKERS_SQL_PLAN_H */
