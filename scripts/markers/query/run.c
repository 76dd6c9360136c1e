// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "../base/message.h"
#include "../commands/query.h"
#include "../sql/attach.h"
#include "advice.h"
#include "result.h"
#include "run.h"

/**
 * struct query - the command
 * @format: how to write rows
 * @tables: show the tables instead
 * @strict: a loss makes the command fail
 * @db: the database of SQLite
 * @database: the recordings
 */
struct query {
	enum result_format format;
	bool tables;
	bool strict;
	struct sqlite3 *db;
	struct database *database;
};

/* An error in the first row comes before the names of the columns. */
static int run_statement(const struct query *query, sqlite3_stmt *statement)
{
	int err = sqlite3_step(statement);
	struct result *result;

	if (err != SQLITE_ROW && err != SQLITE_DONE)
		return err;
	if (!sqlite3_column_count(statement)) {
		while (err == SQLITE_ROW)
			err = sqlite3_step(statement);
		return err;
	}
	result = result_begin(stdout, query->format, statement);
	for (; err == SQLITE_ROW && !ferror(stdout); err = sqlite3_step(statement))
		result_row(result);
	result_end(result);
	return err == SQLITE_ROW ? SQLITE_DONE : err;
}

/* Run the statements of a text, one after the other. */
static int run_text(const struct query *query, const char *text)
{
	const char *at = text, *rest;
	sqlite3_stmt *statement;
	bool any = false, is_empty = true;
	int err = SQLITE_DONE;

	for (; *at && err == SQLITE_DONE; at = rest) {
		if (sqlite3_prepare_v2(query->db, at, -1, &statement, &rest))
			return advice_say(query->db, query->database, text, at);
		if (!statement)
			continue;	/* a comment */
		is_empty = false;
		if (sqlite3_bind_parameter_count(statement)) {
			sqlite3_finalize(statement);
			return say("the query: ?, :NAME, @NAME and $NAME have no value here: write the value in their place");
		}
		if (any && query->format == RESULT_TABLE && sqlite3_column_count(statement))
			putchar('\n');
		any |= sqlite3_column_count(statement) > 0;
		err = run_statement(query, statement);
		if (err != SQLITE_DONE)
			advice_say(query->db, query->database, text, at);
		sqlite3_finalize(statement);
	}
	if (is_empty)
		return usage_error("query", "the query is empty");
	return err == SQLITE_DONE ? STATUS_OK : STATUS_FAILED;
}

static const char tables_text[] =
	"SELECT t.value AS [table], group_concat(c.name || ' ' || lower(c.type), ', ') AS columns "
	"FROM json_each(?1) t, pragma_table_xinfo(t.value) c WHERE c.hidden = 0 GROUP BY t.key ORDER BY t.key";

/* Show the tables and their columns. */
static int show_tables(const struct query *query)
{
	const struct database *database = query->database;
	sqlite3_str *names = sqlite3_str_new(query->db);
	sqlite3_stmt *statement;
	int err;
	size_t i;

	for (i = 0; i < database->nr_tables; i++)
		sqlite3_str_appendf(names, "%s\"%w\"", i ? "," : "[", database->table[i]->short_name ?:
				    database->table[i]->name);
	sqlite3_str_appendall(names, "]");
	err = sqlite3_prepare_v2(query->db, tables_text, -1, &statement, NULL);
	if (!err)
		err = sqlite3_bind_text(statement, 1, sqlite3_str_value(names), -1, SQLITE_TRANSIENT);
	if (!err)
		err = run_statement(query, statement);
	if (err != SQLITE_DONE)
		say("SQLite: %s", sqlite3_errmsg(query->db));
	sqlite3_finalize(statement);
	sqlite3_free(sqlite3_str_finish(names));
	return err == SQLITE_DONE ? STATUS_OK : STATUS_FAILED;
}

/* Return: what stdin says, to be freed. */
static char *read_stdin(void)
{
	char *text = NULL;
	size_t size = 0;

	if (getdelim(&text, &size, '\0', stdin) >= 0)
		return text;
	/* at the end of the file nothing was written to the text */
	free(text);
	return ferror(stdin) ? NULL : need_memory(strdup(""));
}

static int run_query(const struct query *query, const char *word)
{
	char *text = strcmp(word, "-") ? need_memory(strdup(word)) : read_stdin();
	int status;

	if (!text)
		return say_errno("stdin");
	status = run_text(query, text);
	free(text);
	return status;
}

static int open_database(struct query *query, int nr, const char *const *words)
{
	sqlite3_auto_extension((void (*)(void))sqlite3_extension_init);
	if (sqlite3_open(":memory:", &query->db))
		return say("SQLite: %s", sqlite3_errmsg(query->db));
	/* a misspelled "field" is an error, no text */
	sqlite3_db_config(query->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(query->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	query->database = attach_recordings(query->db, nr, words);
	return query->database ? STATUS_OK : STATUS_FAILED;
}

/* Return: STATUS_FAILED if some of what was read is left out. */
static int damage(const struct database *database)
{
	size_t i;

	for (i = 0; i < database->nr; i++)
		if (recording_is_damaged(database->recording[i]))
			return STATUS_FAILED;
	return STATUS_OK;
}

/* Does a statement ask for losses? */
static bool asks_for_losses(const struct database *database)
{
	size_t i;

	for (i = 0; i < database->nr_tables; i++)
		if (database->table[i]->rows == ROWS_LOSSES)
			return database->table[i]->connected;
	return false;
}

/* Return: STATUS_LOST if events were lost and that matters. */
static int losses(const struct query *query)
{
	const struct database *database = query->database;
	const bool is_asked = asks_for_losses(database);
	bool has = false;
	size_t i;

	for (i = 0; i < database->nr; i++)
		has |= is_asked ? database->recording[i]->index.lost : recording_say_lost(database->recording[i]);
	return has && query->strict ? STATUS_LOST : STATUS_OK;
}

static int run_all(struct query *query, int nr, char **words)
{
	int lost, status = open_database(query, query->tables ? nr : nr - 1, (const char *const *)words);

	if (!status) {
		status = query->tables ? show_tables(query) : run_query(query, words[nr - 1]);
		lost = status ? STATUS_OK : losses(query);
		status = status ?: damage(query->database) ?: lost;
	}
	sqlite3_close(query->db);
	return status;
}

static int parse_format(const char *name, enum result_format *format)
{
	static const char *const names[NR_RESULTS] = { "table", "csv", "json" };

	for (*format = 0; *format < NR_RESULTS; ++*format)
		if (!strcmp(names[*format], name))
			return STATUS_OK;
	return usage_error("query", "unknown format \"%s\"", name);
}

int query_run(struct arguments *args)
{
	struct query query = { };
	struct stat file;
	const char *value;
	int option;

	while ((option = option_next(args, &value))) {
		if (option == QUERY_TABLES)
			query.tables = true;
		else if (option == QUERY_STRICT)
			query.strict = true;
		else if (parse_format(value, &query.format))
			return STATUS_USAGE;
	}
	if (!args->argc)
		return usage_error("query", "which recording?");
	if (!query.tables && (args->argc == 1 || (!stat(args->argv[args->argc - 1], &file) &&
						  S_ISDIR(file.st_mode))))
		return usage_error("query", "which query?");
	return run_all(&query, args->argc, args->argv);
}
