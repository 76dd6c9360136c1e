/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of a database: which there are, and their columns.
 *
 * A marker has a table, whose columns are those of the marker in all recordings; one that has
 * them differently in another recording, or part of one, has NULL in the columns that it lacks.
 */
#ifndef _MARKERS_SQL_TABLES_H
#define _MARKERS_SQL_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "recording.h"

/* What the rows of a table are. */
enum rows { ROWS_EVENTS, ROWS_FRAMES, ROWS_LOSSES, ROWS_MARKERS, ROWS_CLOCKS };

enum column_what {
	COLUMN_RECORDING, COLUMN_HOST, COLUMN_TS, COLUMN_WALL, COLUMN_CPU, COLUMN_CONTEXT, COLUMN_FIELD,
	COLUMN_MARKER, COLUMN_FIELDS,			/* of all events */
	COLUMN_DEPTH, COLUMN_ADDRESS, COLUMN_SYMBOL,	/* of stacks */
	COLUMN_LOST, COLUMN_SINCE, COLUMN_OVERWRITTEN,	/* of losses */
	COLUMN_NAME, COLUMN_MODULE, COLUMN_SHORT, COLUMN_FORMAT, COLUMN_EVENTS,	/* of markers */
	COLUMN_RELEASE, COLUMN_CLOCK, COLUMN_FREQUENCY, COLUMN_OFFSET,
	COLUMN_FIRST, COLUMN_LAST, COLUMN_DAMAGED,	/* of recordings */
};

/**
 * struct column - a column
 * @what: what it shows
 * @name: its name in SQL
 * @field: name of the context or field, or NULL
 * @type: type in SQL
 * @is_text: its values are texts
 * @hidden: it is not in "*"
 */
struct column {
	enum column_what what;
	char *name;
	const char *field;
	const char *type;
	bool is_text;
	bool hidden;
};

/**
 * struct layout - where the values of the columns are in an event
 * @class: the event's class
 * @place: for each column, the number of its context or field; -1: the event lacks it
 */
struct layout {
	const struct event_class *class;
	int *place;
};

struct database;

/**
 * struct table - a table
 * @database: what it is in
 * @rows: what its rows are
 * @name: its name: "module:marker", or that of one of our tables
 * @short_name: the marker's name, if it is clear; or NULL
 * @nr: number of columns
 * @column: its columns
 * @nr_layouts: number of @layout
 * @layout: a layout for each class of its marker
 * @lookups: from lookup.h
 * @connected: a statement has named it
 */
struct table {
	struct database *database;
	enum rows rows;
	char *name;
	const char *short_name;
	unsigned int nr;
	struct column *column;
	size_t nr_layouts;
	struct layout *layout;
	struct lookup *lookups;
	bool connected;
};

/**
 * struct database - recordings and their tables
 * @nr: number of recordings
 * @recording: the recordings
 * @nr_tables: number of tables
 * @table: the tables
 */
struct database {
	size_t nr;
	struct recording **recording;
	size_t nr_tables;
	struct table **table;
};

/**
 * tables_add() - make the tables
 * @database: its recordings; gets the tables
 */
void tables_add(struct database *database);

/**
 * table_layout() - find the layout of a class
 * @table: a table of events
 * @class: the class of an event
 *
 * Return: the layout; NULL if the table does not have such events.
 */
const struct layout *table_layout(const struct table *table, const struct event_class *class);

/**
 * table_declaration() - the SQL that declares the columns
 * @table: the table
 *
 * Return: "CREATE TABLE x(...)", to be freed.
 */
char *table_declaration(const struct table *table);

#endif /* _MARKERS_SQL_TABLES_H */
