/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for queries that SQLite lacks.
 */
#ifndef _MARKERS_SQL_FUNCTIONS_H
#define _MARKERS_SQL_FUNCTIONS_H

#include <sqlite3.h>

/**
 * functions_add() - add the functions that need no recording
 * @db: the database
 *
 * percentile(X, P), median(X), errname(NUMBER).
 *
 * Return: SQLITE_OK, or an error of SQLite.
 */
int functions_add(struct sqlite3 *db);

#endif /* _MARKERS_SQL_FUNCTIONS_H */
