/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Connects our tables with SQLite: each is there under its name, without a CREATE.
 */
#ifndef _MARKERS_SQL_CONNECT_H
#define _MARKERS_SQL_CONNECT_H

#include <sqlite3.h>

#include "tables.h"

/* The client data of a sqlite3_module is a struct table. */
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

/**
 * struct cursor - a place in a table
 * @base: what SQLite knows of it
 * @table: the table
 * @row: number of the row
 */
struct cursor {
	sqlite3_vtab_cursor base;
	struct table *table;
	sqlite3_int64 row;
};

/**
 * cursor_create() - make a cursor
 * @vtab: from connect_table()
 * @size: of the struct that begins with a struct cursor
 *
 * Return: it, otherwise zeroed, for free(); NULL: no memory.
 */
void *cursor_create(sqlite3_vtab *vtab, size_t size);

int cursor_row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row);

/* What SQLite calls of a file that has the other functions under these names. */
#define TABLE_MODULE {				\
	.xConnect = connect_table,		\
	.xBestIndex = best_index,		\
	.xDisconnect = disconnect_table,	\
	.xOpen = open_cursor,			\
	.xClose = close_cursor,			\
	.xFilter = filter,			\
	.xNext = next_row,			\
	.xEof = is_eof,				\
	.xColumn = put_column,			\
	.xRowid = cursor_row_id,		\
}

#endif /* _MARKERS_SQL_CONNECT_H */
