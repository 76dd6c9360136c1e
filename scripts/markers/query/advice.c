// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/message.h"
#include "../base/nearest.h"
#include "advice.h"

/* What follows @words at the beginning of a message; or NULL. */
static const char *after(const char *message, const char *words)
{
	const size_t n = strlen(words);

	return strncmp(message, words, n) ? NULL : message + n;
}

static const char *marker_name(const struct table *table)
{
	const char *colon = strchr(table->name, ':');

	return colon ? colon + 1 : table->name;
}

/* More than one module has this marker: which one? */
static char *advise_modules(const struct database *database, const char *name)
{
	char *text = NULL;
	const char *before = "; say which one: ";
	size_t i, size;
	FILE *out = need_memory(open_memstream(&text, &size));

	for (i = 0; i < database->nr_tables; i++)
		if (!strcasecmp(marker_name(database->table[i]), name)) {
			fprintf(out, "%s[%s]", before, database->table[i]->name);
			before = ", ";
		}
	fclose(out);
	return need_memory(text);
}

static char *advise_table(const struct database *database, const char *name)
{
	struct nearest nearest = { .missing = name };
	char *modules = advise_modules(database, name);
	size_t i;

	if (*modules)
		return modules;
	free(modules);
	for (i = 0; i < database->nr_tables; i++) {
		const struct table *table = database->table[i];

		nearest_add(&nearest, strchr(name, ':') || !table->short_name ? table->name :
			    table->short_name);
	}
	return nearest_advice(&nearest);
}

/* The columns of the tables that the query names. */
static char *advise_column(const struct database *database, const char *name)
{
	const char *dot = strchr(name, '.');
	struct nearest nearest = { .missing = dot && strncmp(name, "fields.", 7) ? dot + 1 : name };
	unsigned int n;
	size_t i;

	for (i = 0; i < database->nr_tables; i++)
		for (n = 0; database->table[i]->connected && n < database->table[i]->nr; n++)
			nearest_add(&nearest, database->table[i]->column[n].name);
	return nearest_advice(&nearest);
}

/* Return: the name that is not there; or NULL. */
static const char *missing_name(const char *message)
{
	return after(message, "no such table: ") ?: after(message, "no such column: ");
}

/* SQLite has no offset for a table. Return: offset in the statement, or -1. */
static long find_offset(struct sqlite3 *db, const char *statement)
{
	const long offset = sqlite3_error_offset(db);
	const char *name = missing_name(sqlite3_errmsg(db));
	const char *at = name && offset < 0 ? strcasestr(statement, name) : NULL;

	return at ? at - statement : offset;
}

int advice_say(struct sqlite3 *db, const struct database *database, const char *query,
	       const char *statement)
{
	const char *message = sqlite3_errmsg(db), *name = missing_name(message);
	const long offset = find_offset(db, statement);
	char *advice;

	if (!name)
		advice = need_memory(strdup(""));
	else if (after(message, "no such table: "))
		advice = advise_table(database, name);
	else
		advice = advise_column(database, name);
	if (offset >= 0)
		say("the query: column %ld: %s%s", statement - query + offset, message, advice);
	else
		say("the query: %s%s", message, advice);
	free(advice);
	return STATUS_FAILED;
}
