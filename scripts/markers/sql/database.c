// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "database.h"
#include "lookup.h"

static bool open_recordings(struct database *database, int nr, const char *const *words)
{
	struct recording *recording;
	size_t i;
	int n;

	for (n = 0; n < nr; n++) {
		recording = recording_open(words[n]);
		if (!recording)
			return false;
		database->recording[database->nr++] = recording;
		for (i = 0; i < database->nr - 1; i++)
			if (!strcmp(database->recording[i]->name, recording->name)) {
				say("%s: another recording has the name %s, too: give them names, as NAME=%s",
				    words[n], recording->name, recording->path);
				return false;
			}
	}
	return true;
}

struct database *database_open(int nr, const char *const *words)
{
	struct database *database = need_memory(calloc(1, sizeof(*database)));

	database->recording = need_memory(calloc(nr + 1, sizeof(*database->recording)));
	if (!open_recordings(database, nr, words)) {
		database_close(database);
		return NULL;
	}
	tables_add(database);
	return database;
}

static void free_table(struct table *table)
{
	size_t i;

	lookups_free(table->lookups);
	for (i = 0; i < table->nr; i++)
		free(table->column[i].name);
	for (i = 0; i < table->nr_layouts; i++)
		free(table->layout[i].place);
	free(table->column);
	free(table->layout);
	free(table->name);
	free(table);
}

void database_close(struct database *database)
{
	size_t i;

	if (!database)
		return;
	for (i = 0; i < database->nr_tables; i++)
		free_table(database->table[i]);
	for (i = 0; i < database->nr; i++)
		recording_close(database->recording[i]);
	free(database->table);
	free(database->recording);
	free(database);
}
