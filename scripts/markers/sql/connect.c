// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include <sqlite3ext.h>

#include "connect.h"

SQLITE_EXTENSION_INIT3

/**
 * struct connection - a table as a statement sees it
 * @base: what SQLite knows of it
 * @table: the table
 */
struct connection {
	sqlite3_vtab base;
	struct table *table;
};

int connect_table(struct sqlite3 *db, void *table, int argc, const char *const *argv,
		  struct sqlite3_vtab **vtab, char **error)
{
	struct connection *connection;
	char *declaration;
	int err;

	(void)argc;
	(void)argv;
	(void)error;
	declaration = table_declaration(table);
	err = sqlite3_declare_vtab(db, declaration);
	free(declaration);
	if (err)
		return err;
	/* it reads files that are open, and nothing else */
	sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	connection = calloc(1, sizeof(*connection));
	if (!connection)
		return SQLITE_NOMEM;
	connection->table = table;
	connection->table->connected = true;
	*vtab = &connection->base;
	return SQLITE_OK;
}

int disconnect_table(sqlite3_vtab *vtab)
{
	free(vtab);
	return SQLITE_OK;
}

struct table *connected_table(sqlite3_vtab *vtab)
{
	return ((struct connection *)vtab)->table;
}

void *cursor_create(sqlite3_vtab *vtab, size_t size)
{
	struct cursor *cursor = calloc(1, size);

	if (cursor)
		cursor->table = connected_table(vtab);
	return cursor;
}

int cursor_row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
	*row = ((struct cursor *)cursor)->row;
	return SQLITE_OK;
}
