/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says what is wrong with a query: SQLite's message, the column, and the name that was meant.
 */
#ifndef _MARKERS_QUERY_ADVICE_H
#define _MARKERS_QUERY_ADVICE_H

#include <sqlite3.h>

#include "../sql/tables.h"

/**
 * advice_say() - say what SQLite's last error is
 * @db: the database of SQLite
 * @database: its tables
 * @query: the query
 * @statement: the statement in it
 *
 * Return: STATUS_FAILED.
 */
int advice_say(struct sqlite3 *db, const struct database *database, const char *query,
	       const char *statement);

#endif /* _MARKERS_QUERY_ADVICE_H */
