/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Connects our tables with SQLite: each is there under its name, without a CREATE.
 */
#ifndef _MARKERS_SQL_CONNECT_H
#define _MARKERS_SQL_CONNECT_H

#include <sqlite3.h>

#include "tables.h"

/* For sqlite3_module. The client data of the module is a struct table. */
int connect_table(struct sqlite3 *db, void *table, int argc, const char *const *argv,
		  struct sqlite3_vtab **vtab, char **error);
int disconnect_table(sqlite3_vtab *vtab);

/**
 * connected_table() - the table of a connection
 * @vtab: from connect_table()
 *
 * Return: the table.
 */
struct table *connected_table(sqlite3_vtab *vtab);

#endif /* _MARKERS_SQL_CONNECT_H */
