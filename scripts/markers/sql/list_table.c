// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>

#include "connect.h"
#include "list_table.h"

SQLITE_EXTENSION_INIT3

/**
 * struct list_cursor - a place in a list
 * @base: its table and row
 * @number: number of the recording
 * @part: number of the marker in it; of several hosts, of the trace
 */
struct list_cursor {
	struct cursor base;
	size_t number;
	unsigned int part;
};

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
	struct list_cursor *new = cursor_create(vtab, sizeof(*new));

	if (!new)
		return SQLITE_NOMEM;
	*cursor = &new->base.base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	free(base);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	(void)vtab;
	info->estimatedCost = 100;
	info->estimatedRows = 100;
	return SQLITE_OK;
}

static struct recording *current(const struct list_cursor *cursor)
{
	return cursor->base.table->database->recording[cursor->number];
}

static int is_eof(sqlite3_vtab_cursor *base)
{
	const struct list_cursor *cursor = (struct list_cursor *)base;

	return cursor->number == cursor->base.table->database->nr;
}

/* How many rows has the recording? */
static size_t count_parts(const struct list_cursor *cursor)
{
	const struct trace_info *info = &current(cursor)->opened.info;

	if (cursor->base.table->rows == ROWS_MARKERS)
		return info->nr_kinds;
	return info->is_joint ? info->nr_descriptions : 1;
}

/* Leave recordings behind whose rows are all told. */
static void pass_empty(struct list_cursor *cursor)
{
	while (!is_eof(&cursor->base.base) && cursor->part >= count_parts(cursor)) {
		cursor->part = 0;
		cursor->number++;
	}
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *plan, int nr,
		  sqlite3_value **values)
{
	struct list_cursor *cursor = (struct list_cursor *)base;

	(void)number;
	(void)plan;
	(void)nr;
	(void)values;
	cursor->number = 0;
	cursor->part = 0;
	cursor->base.row = 0;
	pass_empty(cursor);
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
	struct list_cursor *cursor = (struct list_cursor *)base;

	cursor->base.row++;
	cursor->part++;
	pass_empty(cursor);
	return SQLITE_OK;
}

static void put_text(sqlite3_context *ctx, const char *text, int size)
{
	if (text)
		sqlite3_result_text(ctx, text, size, SQLITE_TRANSIENT);
}

/* Return: the format of a marker, with its words; NULL if the metadata do not have it. */
static const char *format_of(const struct opened *opened, const struct kind *kind)
{
	size_t i, n;

	for (i = 0; i < opened->nr_descriptions; i++)
		for (n = 0; n < opened->descriptions[i]->nr_classes; n++) {
			const struct event_class *class = &opened->descriptions[i]->class[n];

			if (class->kind == kind)
				return class->has_words ? class->text : NULL;
		}
	return NULL;
}

static void put_marker(struct recording *recording, unsigned int number, enum column_what what,
		       sqlite3_context *ctx)
{
	const struct kind *kind = recording->opened.info.kind[number];
	const char *colon = strchr(kind->name, ':');

	switch (what) {
	case COLUMN_NAME:
		put_text(ctx, kind->name, -1);
		break;
	case COLUMN_MODULE:
		put_text(ctx, colon ? kind->name : NULL, colon - kind->name);
		break;
	case COLUMN_SHORT:
		put_text(ctx, kind->marker, -1);
		break;
	case COLUMN_EVENTS:
		sqlite3_result_int64(ctx, recording_count(recording, number));
		break;
	default:
		put_text(ctx, format_of(&recording->opened, kind), -1);
	}
}

static void put_time(const struct recording *recording, uint64_t ns, sqlite3_context *ctx)
{
	if (recording->index.begin <= recording->index.end)
		sqlite3_result_int64(ctx, ns);
}

static void put_clock(const struct recording *recording, unsigned int number, enum column_what what,
		      sqlite3_context *ctx)
{
	const struct trace_info *info = &recording->opened.info;
	const struct description *of = info->description[number];
	const struct packet_index *index = &recording->index;
	const uint64_t first = index->begin;

	switch (what) {
	case COLUMN_HOST:
		put_text(ctx, of->host, -1);
		break;
	case COLUMN_RELEASE:
		put_text(ctx, of->release, -1);
		break;
	case COLUMN_CLOCK:
		put_text(ctx, of->clock, -1);
		break;
	case COLUMN_FREQUENCY:
		sqlite3_result_int64(ctx, of->frequency);
		break;
	case COLUMN_OFFSET:
		if (wall_is_known(info->clock))
			sqlite3_result_int64(ctx, wall_of(info->wall, first) - first);
		break;
	case COLUMN_LOST:
		sqlite3_result_int64(ctx, info->is_joint ? index->lost_of[number] : index->lost);
		break;
	case COLUMN_DAMAGED:
		sqlite3_result_int64(ctx, recording_is_damaged(recording));
		break;
	case COLUMN_FIRST:
		put_time(recording, recording->index.begin, ctx);
		break;
	default:
		put_time(recording, recording->index.end, ctx);
	}
}

static int put_column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int number)
{
	const struct list_cursor *cursor = (struct list_cursor *)base;
	const enum column_what what = cursor->base.table->column[number].what;

	if (what == COLUMN_RECORDING)
		put_text(ctx, current(cursor)->name, -1);
	else if (cursor->base.table->rows == ROWS_MARKERS)
		put_marker(current(cursor), cursor->part, what, ctx);
	else
		put_clock(current(cursor), cursor->part, what, ctx);
	return SQLITE_OK;
}

const sqlite3_module list_table_module = TABLE_MODULE;
