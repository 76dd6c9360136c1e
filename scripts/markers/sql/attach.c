// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>

#include "../base/message.h"
#include "../events/symbols.h"
#include "attach.h"
#include "database.h"
#include "event_table.h"
#include "list_table.h"
#include "sql_functions.h"

SQLITE_EXTENSION_INIT1

#define OLDEST	3038000		/* sqlite3_vtab_rhs_value() */

static int add_table(struct sqlite3 *db, struct table *table)
{
	const bool is_list = table->rows == ROWS_MARKERS || table->rows == ROWS_CLOCKS;
	const sqlite3_module *module = is_list ? &list_table_module : &event_table_module;
	int err = sqlite3_create_module_v2(db, table->name, module, table, NULL);

	if (!err && table->short_name)
		err = sqlite3_create_module_v2(db, table->short_name, module, table, NULL);
	return err;
}

static struct recording *find_recording(const struct database *database, const char *name)
{
	size_t i;

	for (i = 0; i < database->nr; i++)
		if (name && !strcmp(database->recording[i]->name, name))
			return database->recording[i];
	return NULL;
}

/* symbol(ADDRESS, TS [, RECORDING]): the name of a function, or NULL. */
static void name_address(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	const struct database *database = sqlite3_user_data(ctx);
	struct recording *recording = database->recording[0];
	char *text = NULL;
	size_t size;
	FILE *out;
	bool has;

	if (argc > 2)
		recording = find_recording(database, (const char *)sqlite3_value_text(argv[2]));
	else if (database->nr > 1)
		sqlite3_result_error(ctx, "symbol(ADDRESS, TS, RECORDING): of which recording?", -1);
	if (!recording || (argc < 3 && database->nr > 1) ||
	    sqlite3_value_type(argv[0]) != SQLITE_INTEGER)
		return;
	recording_use_symbols(recording);
	out = need_memory(open_memstream(&text, &size));
	has = symbols_put(out, sqlite3_value_int64(argv[0]), sqlite3_value_int64(argv[1]));
	fclose(out);
	if (has)
		sqlite3_result_text(ctx, text, size, SQLITE_TRANSIENT);
	free(text);
}

static void close_all(void *database)
{
	database_close(database);
}

struct database *attach_recordings(struct sqlite3 *db, int nr, const char *const *words)
{
	struct database *database = database_open(nr, words);
	int err = SQLITE_OK;
	size_t i;

	if (!database)
		return NULL;
	for (i = 0; i < database->nr_tables && !err; i++)
		err = add_table(db, database->table[i]);
	err = err ?: sqlite3_create_function_v2(db, "symbol", 3, SQLITE_UTF8 | SQLITE_INNOCUOUS,
						database, name_address, NULL, NULL, NULL);
	/* this one is the last: it frees the tables */
	err = err ?: sqlite3_create_function_v2(db, "symbol", 2, SQLITE_UTF8 | SQLITE_INNOCUOUS,
						database, name_address, NULL, NULL, close_all);
	if (!err)
		return database;
	say("SQLite: %s", sqlite3_errmsg(db));
	return NULL;
}

/* markers_open('[NAME=]DIR', ...): once for a database. */
static void open_words(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	bool *is_open = sqlite3_user_data(ctx);
	const struct database *database;
	const char **words;
	size_t n;
	int i;

	if (*is_open) {
		sqlite3_result_error(ctx, "markers_open(): recordings are open already: open all in one call", -1);
		return;
	}
	words = need_memory(calloc(argc + 1, sizeof(*words)));
	for (i = 0; i < argc; i++)
		words[i] = (const char *)sqlite3_value_text(argv[i]) ?: "";
	database = argc ? attach_recordings(sqlite3_context_db_handle(ctx), argc, words) : NULL;
	*is_open = database;
	free(words);
	for (n = 0; database && n < database->nr; n++)
		recording_say_lost(database->recording[n]);
	if (*is_open)
		sqlite3_result_int(ctx, argc);
	else
		sqlite3_result_error(ctx, argc ? "markers_open(): cannot open them; stderr says why" :
				     "markers_open('[NAME=]DIR', ...): which recording?", -1);
}

int sqlite3_extension_init(struct sqlite3 *db, char **error, const struct sqlite3_api_routines *api)
{
	int err;

	SQLITE_EXTENSION_INIT2(api);
	if (sqlite3_libversion_number() < OLDEST) {
		*error = sqlite3_mprintf("markers need SQLite 3.38 or later, not %s", sqlite3_libversion());
		return SQLITE_ERROR;
	}
	err = functions_add(db);
	return err ?: sqlite3_create_function_v2(db, "markers_open", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
						 need_memory(calloc(1, sizeof(bool))), open_words,
						 NULL, NULL, free);
}
