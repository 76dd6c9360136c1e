// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/message.h"
#include "tables.h"

#define SIGNED		"INT"
#define UNSIGNED	"UNSIGNED INT"
#define HEX		"HEX INT"

/**
 * struct builtin - a table that each database has, or some of its columns
 * @rows: what its rows are
 * @name: its name
 * @columns: its columns; a NULL name ends them
 */
struct builtin {
	enum rows rows;
	const char *name;
	struct column columns[11];
};

#define RECORDING	{ COLUMN_RECORDING, "recording", NULL, "TEXT", true }
#define HOST		{ COLUMN_HOST, "host", NULL, "TEXT", true }
#define TS		{ COLUMN_TS, "ts", NULL, SIGNED }
#define CPU		{ COLUMN_CPU, "cpu", NULL, SIGNED }
#define MARKER		{ COLUMN_MARKER, "marker", NULL, "TEXT", true }

/* The contexts follow the first ones of an event. */
static const struct column event_first[] = { RECORDING, HOST, TS, CPU, { } };

static const struct column event_last[] = {
	{ COLUMN_WALL, "wall", NULL, SIGNED, false, true }, { }
};

static const struct column all_last[] = {
	MARKER, { COLUMN_FIELDS, "fields", NULL, "TEXT", true },
	{ COLUMN_WALL, "wall", NULL, SIGNED, false, true }, { }
};

static const struct builtin builtins[] = {
	{ ROWS_EVENTS, "event" },
	{ ROWS_FRAMES, "stack", {
		RECORDING, HOST, TS, CPU, MARKER, { COLUMN_DEPTH, "depth", NULL, SIGNED },
		{ COLUMN_ADDRESS, "address", NULL, HEX }, { COLUMN_SYMBOL, "symbol", NULL, "TEXT", true },
	} },
	{ ROWS_LOSSES, "loss", {
		RECORDING, HOST, TS, CPU, { COLUMN_LOST, "lost", NULL, SIGNED },
		{ COLUMN_SINCE, "since", NULL, SIGNED }, { COLUMN_OVERWRITTEN, "overwritten", NULL, SIGNED },
	} },
	{ ROWS_MARKERS, "marker", {
		RECORDING, { COLUMN_NAME, "name", NULL, "TEXT", true },
		{ COLUMN_MODULE, "module", NULL, "TEXT", true }, { COLUMN_SHORT, "marker", NULL, "TEXT", true },
		{ COLUMN_EVENTS, "events", NULL, SIGNED }, { COLUMN_FORMAT, "format", NULL, "TEXT", true },
	} },
	{ ROWS_CLOCKS, "clock", {
		RECORDING, HOST,
		{ COLUMN_RELEASE, "release", NULL, "TEXT", true },
		{ COLUMN_CLOCK, "clock", NULL, "TEXT", true },
		{ COLUMN_FREQUENCY, "frequency", NULL, SIGNED },
		{ COLUMN_OFFSET, "wall_offset", NULL, SIGNED },
		{ COLUMN_FIRST, "first", NULL, SIGNED }, { COLUMN_LAST, "last", NULL, SIGNED },
		{ COLUMN_LOST, "lost", NULL, SIGNED }, { COLUMN_DAMAGED, "damaged", NULL, SIGNED },
	} },
};

#define NR_BUILTINS	(sizeof(builtins) / sizeof(*builtins))

/*
 * Columns
 */

/* Names of columns are the same in either case. */
static bool has_column(const struct table *table, const char *name)
{
	unsigned int i;

	for (i = 0; i < table->nr; i++)
		if (!strcasecmp(table->column[i].name, name))
			return true;
	return false;
}

/* Return: a name that no other column has, to be freed. */
static char *free_name(const struct table *table, const char *name)
{
	char *free_one = format_text("%s%s", has_column(table, name) ? "fields." : "", name);
	unsigned int i;

	for (i = 2; has_column(table, free_one); i++) {
		free(free_one);
		free_one = format_text("fields.%s_%u", name, i);
	}
	return free_one;
}

static void add_column(struct table *table, struct column column)
{
	column.name = free_name(table, column.name);
	table->column = need_memory(realloc(table->column, (table->nr + 1) * sizeof(*table->column)));
	table->column[table->nr++] = column;
}

/* Has a recording several hosts, which the table of clocks shows in any case? */
static bool has_hosts(const struct table *table)
{
	size_t i;

	for (i = 0; i < table->database->nr; i++)
		if (table->database->recording[i]->opened.info.is_joint)
			return true;
	return table->rows == ROWS_CLOCKS;
}

static void add_columns(struct table *table, const struct column *column)
{
	for (; column->name; column++) {
		if (column->what == COLUMN_HOST && !has_hosts(table))
			continue;
		add_column(table, *column);
		/* it says nothing of one recording */
		if (column->what == COLUMN_RECORDING)
			table->column[table->nr - 1].hidden = table->database->nr < 2;
	}
}

/* Find the column of a context or field. Return: its number, or -1. */
static int find_column(const struct table *table, enum column_what what, const char *field)
{
	unsigned int i;

	for (i = 0; i < table->nr; i++)
		if (table->column[i].what == what && !strcmp(table->column[i].field, field))
			return i;
	return -1;
}

/* Stacks are texts: a function in a line. */
static bool is_stack(const struct field *field)
{
	return field->type == VALUE_BYTES && field->bits == 64;
}

static const char *type_of(const struct field *field)
{
	if (field->type == VALUE_TEXT || is_stack(field))
		return "TEXT";
	if (field->type == VALUE_BYTES)
		return "BLOB";
	if (field->type == VALUE_SIGNED)
		return SIGNED;
	return field->base == 16 ? HEX : UNSIGNED;
}

static void add_fields(struct table *table, enum column_what what, const struct kind *kind)
{
	const struct field *field;
	unsigned int i;

	for (i = 0; i < kind->nr_fields; i++) {
		field = &kind->field[i];
		if (find_column(table, what, field->name) < 0)
			add_column(table, (struct column){
				what, field->name, field->name, type_of(field),
				field->type == VALUE_TEXT });
	}
}

static void add_contexts(struct table *table)
{
	const struct database *database = table->database;
	size_t i;

	for (i = 0; i < database->nr; i++)
		add_fields(table, COLUMN_CONTEXT, &database->recording[i]->opened.info.contexts);
}

char *table_declaration(const struct table *table)
{
	char *text = NULL;
	unsigned int i;
	size_t size;
	FILE *out = need_memory(open_memstream(&text, &size));

	for (i = 0; i < table->nr; i++)
		fprintf(out, "%s\"%s\" %s%s", i ? ", " : "CREATE TABLE x(", table->column[i].name,
			table->column[i].type, table->column[i].hidden ? " HIDDEN" : "");
	fputc(')', out);
	fclose(out);
	return need_memory(text);
}

/*
 * Layouts
 */
static void add_layout(struct table *table, const struct description *description,
		       const struct event_class *class)
{
	struct layout *layout;
	unsigned int i;

	table->layout = need_memory(realloc(table->layout, (table->nr_layouts + 1) *
					    sizeof(*table->layout)));
	layout = &table->layout[table->nr_layouts++];
	layout->class = class;
	layout->place = need_memory(calloc(table->nr, sizeof(*layout->place)));
	for (i = 0; i < table->nr; i++) {
		layout->place[i] = -1;
		if (table->column[i].what == COLUMN_CONTEXT)
			layout->place[i] = kind_find_field(&description->contexts, table->column[i].field);
		else if (table->column[i].what == COLUMN_FIELD)
			layout->place[i] = kind_find_field(class->kind, table->column[i].field);
	}
}

const struct layout *table_layout(const struct table *table, const struct event_class *class)
{
	size_t i;

	for (i = 0; i < table->nr_layouts; i++)
		if (table->layout[i].class == class)
			return &table->layout[i];
	return NULL;
}

/* Does a table show the events of a class? */
static bool shows(const struct table *table, size_t number, const struct event_class *class)
{
	if (table->rows != ROWS_EVENTS && table->rows != ROWS_FRAMES)
		return false;
	return number < NR_BUILTINS || !strcmp(table->name, class->kind->name);
}

static void add_layouts(struct table *table, size_t number)
{
	const struct database *database = table->database;
	const struct description *description;
	size_t i, n, id;

	for (i = 0; i < database->nr; i++)
		for (n = 0; n < database->recording[i]->opened.nr_descriptions; n++) {
			description = database->recording[i]->opened.descriptions[n];
			for (id = 0; id < description->nr_classes; id++)
				if (description->class[id].kind &&
				    shows(table, number, &description->class[id]))
					add_layout(table, description, &description->class[id]);
		}
}

/*
 * Tables
 */
static struct table *add_table(struct database *database, enum rows rows, const char *name)
{
	struct table *table = need_memory(calloc(1, sizeof(*table)));

	table->database = database;
	table->rows = rows;
	table->name = need_memory(strdup(name));
	database->table = need_memory(realloc(database->table, (database->nr_tables + 1) *
					      sizeof(*database->table)));
	database->table[database->nr_tables++] = table;
	return table;
}

static void add_builtins(struct database *database)
{
	struct table *table;
	size_t i;

	for (i = 0; i < NR_BUILTINS; i++) {
		table = add_table(database, builtins[i].rows, builtins[i].name);
		if (table->rows != ROWS_EVENTS) {
			add_columns(table, builtins[i].columns);
			continue;
		}
		add_columns(table, event_first);
		add_contexts(table);
		add_columns(table, all_last);
	}
}

/* Find the table of a marker, or make it. */
static struct table *marker_table(struct database *database, const struct kind *kind)
{
	struct table *table;
	size_t i;

	for (i = NR_BUILTINS; i < database->nr_tables; i++)
		if (!strcmp(database->table[i]->name, kind->name))
			return database->table[i];
	table = add_table(database, ROWS_EVENTS, kind->name);
	add_columns(table, event_first);
	add_contexts(table);
	return table;
}

static void add_markers(struct database *database)
{
	const struct trace_info *info;
	size_t i, n;

	for (i = 0; i < database->nr; i++) {
		info = &database->recording[i]->opened.info;
		for (n = 0; n < info->nr_kinds; n++)
			add_fields(marker_table(database, info->kind[n]), COLUMN_FIELD, info->kind[n]);
	}
	for (i = NR_BUILTINS; i < database->nr_tables; i++)
		add_columns(database->table[i], event_last);
}

static const char *short_name(const struct table *table)
{
	const char *colon = strchr(table->name, ':');

	return colon ? colon + 1 : NULL;
}

/* Is it also the short name of another table, or one of ours? */
static bool is_taken(const struct database *database, const struct table *table, const char *name)
{
	const char *other;
	size_t i;

	for (i = 0; i < database->nr_tables; i++) {
		if (database->table[i] == table)
			continue;
		other = short_name(database->table[i]);
		if (!strcasecmp(database->table[i]->name, name) || (other && !strcasecmp(other, name)))
			return true;
	}
	return false;
}

static void name_tables(struct database *database)
{
	struct table *table;
	const char *name;
	size_t i;

	for (i = NR_BUILTINS; i < database->nr_tables; i++) {
		table = database->table[i];
		name = short_name(table);
		if (name && !is_taken(database, table, name))
			table->short_name = name;
	}
}

void tables_add(struct database *database)
{
	size_t i;

	add_builtins(database);
	add_markers(database);
	name_tables(database);
	for (i = 0; i < database->nr_tables; i++)
		add_layouts(database->table[i], i);
}
