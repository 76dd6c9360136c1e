// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>

#include "../base/message.h"
#include "../events/functions.h"
#include "../events/symbols.h"
#include "../events/text.h"
#include "connect.h"
#include "event_table.h"
#include "lookup.h"
#include "plan.h"
#include "scan.h"

SQLITE_EXTENSION_INIT3

/**
 * struct event_cursor - a place in a table
 * @base: its table and row
 * @scan: the place, if events are read one after the other
 * @found: the events, if they are looked for
 * @nr_found: number of events from @found on
 * @hash: theirs; events of another one are behind them
 * @range: the part to take of them
 * @again: for each recording, what reads these events; NULL: nothing yet
 * @recording: the recording of the event
 * @record: the event
 * @layout: its layout
 * @stream: its stream
 * @time: its time
 * @is_read: @event has its values
 * @event: the event
 * @depth: number of the frame
 * @nr_frames: number of frames
 * @eof: there is no event
 * @text: a text for a column
 * @text_size: bytes of it
 * @out: writes it
 */
struct event_cursor {
	struct cursor base;
	struct scan scan;
	const struct found *found;
	size_t nr_found;
	uint64_t hash;
	struct range range;
	struct merge **again;
	struct recording *recording;
	const struct record *record;
	const struct layout *layout;
	const struct opened_stream *stream;
	uint64_t time;
	bool is_read;
	struct event event;
	unsigned int depth;
	unsigned int nr_frames;
	bool eof;
	char *text;
	size_t text_size;
	FILE *out;
};

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
	struct event_cursor *new = cursor_create(vtab, sizeof(*new));

	if (!new)
		return SQLITE_NOMEM;
	new->again = need_memory(calloc(new->base.table->database->nr, sizeof(*new->again)));
	*cursor = &new->base.base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct event_cursor *cursor = (struct event_cursor *)base;
	const struct database *database = cursor->base.table->database;
	size_t i;

	scan_end(&cursor->scan);
	for (i = 0; i < database->nr; i++) {
		if (!cursor->again[i])
			continue;
		if (merge_end(cursor->again[i]))
			database->recording[i]->damaged = true;
		free(cursor->again[i]);
	}
	if (cursor->out)
		fclose(cursor->out);
	free(cursor->text);
	free(cursor->again);
	free(cursor);
	return SQLITE_OK;
}

/*
 * Rows
 */
static void read_values(struct event_cursor *cursor)
{
	if (cursor->is_read)
		return;
	cursor->is_read = true;
	cursor->event.kind = cursor->record->class->kind;
	record_values(&cursor->event, cursor->record, cursor->stream->description);
}

/* Return: the value of the kernel's stack, or NULL. */
static const struct value *find_stack(struct event_cursor *cursor)
{
	read_values(cursor);
	return event_context(&cursor->event, "callstack_kernel");
}

/* Is an event that was found one of the part? */
static bool is_in_range(const struct event_cursor *cursor)
{
	const struct range *range = &cursor->range;

	return cursor->time >= range->begin && cursor->time <= range->end &&
	       (range->cpu < 0 || cursor->stream->stream->cpu == range->cpu);
}

/* Does it come after all others of the part? */
static bool is_behind(const struct event_cursor *cursor)
{
	const struct range *range = &cursor->range;

	return cursor->found->hash != cursor->hash ||
	       (range->recording >= 0 &&
		(cursor->found->recording != range->recording || cursor->time > range->end));
}

static struct merge *again(struct event_cursor *cursor, size_t number)
{
	struct recording *recording = cursor->base.table->database->recording[number];
	struct merge *merge = cursor->again[number];

	if (!merge) {
		merge = need_memory(calloc(1, sizeof(*merge)));
		merge_begin(merge, &recording->opened, true);
		merge->told = &recording->told;
		cursor->again[number] = merge;
	}
	return merge;
}

/* Go on to the next event that was found. Return: whether there is one. */
static bool next_found(struct event_cursor *cursor)
{
	const struct database *database = cursor->base.table->database;

	for (; cursor->nr_found; cursor->found++, cursor->nr_found--) {
		const struct found *found = cursor->found;

		cursor->recording = database->recording[found->recording];
		cursor->stream = &cursor->recording->opened.stream[found->place.stream];
		cursor->time = recording_ns(cursor->recording, found->place.stream, found->place.time);
		if (is_behind(cursor))
			break;
		if (!is_in_range(cursor))
			continue;
		cursor->record = merge_again(again(cursor, found->recording), &found->place);
		if (!cursor->record) {
			cursor->recording->damaged = true;
			continue;
		}
		cursor->layout = table_layout(cursor->base.table, cursor->record->class);
		cursor->found++;
		cursor->nr_found--;
		return true;
	}
	return false;
}

static bool next_scanned(struct event_cursor *cursor)
{
	const struct scan *scan = &cursor->scan;

	if (!scan_next(&cursor->scan))
		return false;
	cursor->recording = scan->recording;
	cursor->stream = scan->stream;
	cursor->time = scan->time;
	cursor->record = scan->record;
	cursor->layout = scan->layout;
	return true;
}

static bool next_event(struct event_cursor *cursor)
{
	cursor->is_read = false;
	return cursor->found ? next_found(cursor) : next_scanned(cursor);
}

/* Go on to the next event that has a stack. */
static bool next_stack(struct event_cursor *cursor)
{
	const struct value *stack;

	while (next_event(cursor)) {
		stack = find_stack(cursor);
		cursor->depth = 0;
		cursor->nr_frames = stack ? stack->size / sizeof(uint64_t) : 0;
		if (cursor->nr_frames)
			return true;
	}
	return false;
}

static int next_row(sqlite3_vtab_cursor *base)
{
	struct event_cursor *cursor = (struct event_cursor *)base;

	cursor->base.row++;
	if (cursor->base.table->rows != ROWS_FRAMES)
		cursor->eof = !next_event(cursor);
	else if (++cursor->depth >= cursor->nr_frames)
		cursor->eof = !next_stack(cursor);
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *plan, int nr,
		  sqlite3_value **values)
{
	struct event_cursor *cursor = (struct event_cursor *)base;
	struct key key;

	(void)number;
	(void)nr;
	plan_read(cursor->base.table, plan, values, &cursor->range, &key);
	if (cursor->base.table->database->nr == 1)
		cursor->range.recording = 0;
	cursor->found = NULL;
	cursor->hash = key.hash;
	cursor->nr_frames = 0;
	cursor->base.row = 0;
	if (key.nr && !cursor->range.empty)
		cursor->found = lookup_find(cursor->base.table, &key, &cursor->range, &cursor->nr_found);
	if (!cursor->found)
		scan_begin(&cursor->scan, cursor->base.table, &cursor->range);
	return next_row(base);
}

static int is_eof(sqlite3_vtab_cursor *base)
{
	return ((struct event_cursor *)base)->eof;
}

/*
 * Columns
 */

/* Begin a text. */
static FILE *begin_text(struct event_cursor *cursor)
{
	if (!cursor->out)
		cursor->out = need_memory(open_memstream(&cursor->text, &cursor->text_size));
	rewind(cursor->out);
	return cursor->out;
}

/* The text becomes the value of the column. */
static void end_text(struct event_cursor *cursor, sqlite3_context *ctx)
{
	const long size = ftell(cursor->out);
	const char *text;

	fflush(cursor->out);
	text = cursor->text + (size && *cursor->text == ' ');	/* text_fields() begins so */
	sqlite3_result_text(ctx, text, size - (text - cursor->text), SQLITE_TRANSIENT);
}

static uint64_t address_at(const struct value *stack, unsigned int i)
{
	uint64_t address;

	memcpy(&address, stack->text + i * sizeof(address), sizeof(address));
	return address;
}

static void put_stack(struct event_cursor *cursor, const struct value *stack, sqlite3_context *ctx)
{
	const char *text;
	size_t size;

	if (!stack->size)
		return;
	recording_use_symbols(cursor->recording);
	text = functions_chain(stack, cursor->time, &size);
	sqlite3_result_text(ctx, text, size, SQLITE_TRANSIENT);
}

static void put_value(struct event_cursor *cursor, const struct value *value, sqlite3_context *ctx)
{
	switch (value->field->type) {
	case VALUE_TEXT:
		sqlite3_result_text(ctx, value->text, value->size, SQLITE_TRANSIENT);
		break;
	case VALUE_BYTES:
		if (value->field->bits == 64)
			put_stack(cursor, value, ctx);
		else
			sqlite3_result_blob(ctx, value->text ?: "", value->size, SQLITE_TRANSIENT);
		break;
	default:
		sqlite3_result_int64(ctx, value->number);
	}
}

static void put_name(sqlite3_context *ctx, const char *name)
{
	sqlite3_result_text(ctx, name, -1, SQLITE_TRANSIENT);
}

static void put_symbol(struct event_cursor *cursor, sqlite3_context *ctx)
{
	recording_use_symbols(cursor->recording);
	if (symbols_put(begin_text(cursor), address_at(find_stack(cursor), cursor->depth), cursor->time))
		end_text(cursor, ctx);
}

/* Columns of events, and of their stacks. */
static void put_event_column(struct event_cursor *cursor, unsigned int number, sqlite3_context *ctx)
{
	const struct column *column = &cursor->base.table->column[number];
	const int place = cursor->layout->place[number];

	switch (column->what) {
	case COLUMN_CPU:
		sqlite3_result_int64(ctx, cursor->stream->stream->cpu);
		break;
	case COLUMN_CONTEXT:
	case COLUMN_FIELD:
		if (place < 0)
			break;
		read_values(cursor);
		put_value(cursor, column->what == COLUMN_FIELD ? &cursor->event.value[place] :
			  &cursor->event.context[place], ctx);
		break;
	case COLUMN_MARKER:
		put_name(ctx, cursor->record->class->kind->name);
		break;
	case COLUMN_FIELDS:
		read_values(cursor);
		text_fields(begin_text(cursor), &cursor->event, NULL);
		end_text(cursor, ctx);
		break;
	case COLUMN_DEPTH:
		sqlite3_result_int64(ctx, cursor->depth);
		break;
	case COLUMN_ADDRESS:
		sqlite3_result_int64(ctx, address_at(find_stack(cursor), cursor->depth));
		break;
	case COLUMN_SYMBOL:
		put_symbol(cursor, ctx);
		break;
	default:
		break;
	}
}

static void put_loss_column(const struct loss *loss, enum column_what what, sqlite3_context *ctx)
{
	switch (what) {
	case COLUMN_CPU:
		sqlite3_result_int64(ctx, loss->cpu);
		break;
	case COLUMN_LOST:
		sqlite3_result_int64(ctx, loss->count);
		break;
	case COLUMN_SINCE:
		sqlite3_result_int64(ctx, loss->begin);
		break;
	case COLUMN_OVERWRITTEN:
		sqlite3_result_int64(ctx, loss->overwritten);
		break;
	default:
		break;
	}
}

/* NULL, if the clock has no time. */
static void put_wall(sqlite3_context *ctx, const struct trace_info *info, uint64_t time)
{
	if (wall_is_known(info->clock))
		sqlite3_result_int64(ctx, wall_of(info->wall, time));
}

static void put_host(const struct event_cursor *cursor, sqlite3_context *ctx)
{
	put_name(ctx, cursor->base.table->rows == ROWS_LOSSES ? cursor->scan.merge.loss.host :
		 cursor->stream->description->host);
}

static int put_column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int number)
{
	struct event_cursor *cursor = (struct event_cursor *)base;
	const enum column_what what = cursor->base.table->column[number].what;

	if (what == COLUMN_TS)
		sqlite3_result_int64(ctx, cursor->time);
	else if (what == COLUMN_WALL)
		put_wall(ctx, &cursor->recording->opened.info, cursor->time);
	else if (what == COLUMN_RECORDING)
		put_name(ctx, cursor->recording->name);
	else if (what == COLUMN_HOST)
		put_host(cursor, ctx);
	else if (cursor->base.table->rows == ROWS_LOSSES)
		put_loss_column(&cursor->scan.merge.loss, what, ctx);
	else
		put_event_column(cursor, number, ctx);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	return plan_make(connected_table(vtab), info);
}

const sqlite3_module event_table_module = TABLE_MODULE;
