// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/append.h"
#include "../base/message.h"
#include "../base/put.h"
#include "../base/utf8.h"
#include "../events/functions.h"
#include "../events/text.h"
#include "../reader/description.h"
#include "csv.h"

/* The columns before those of fields. All tables have these; other contexts follow. */
static const char *const first[] = {
	"time", "cpu", "marker", "lost", "tid", "pid", "procname", "flags", "vtid", "vpid",
	"prio", "cgroup_id",
};

#define NR_OTHERS	4	/* that are no contexts */
#define NR_FIRST	(sizeof(first) / sizeof(*first))

/**
 * struct cell - a cell of a row that is not empty
 * @commas: number of commas before it
 * @value: number of the value that it has
 */
struct cell {
	unsigned int commas;
	unsigned int value;
};

/**
 * struct cells - the cells of some columns, in the rows of a kind or of a part of the recording
 * @nr: number of @cell
 * @cell: those that have values
 * @commas: number of commas after them
 */
struct cells {
	unsigned int nr;
	struct cell *cell;
	unsigned int commas;
};

/**
 * struct csv - a table
 * @nr: number of columns
 * @nr_contexts: number of those before the columns of fields
 * @column: names of the columns
 * @is_joint: there is a column of the host in front
 * @contexts: by the number of a description, the cells from the column "lost" on
 * @fields: by the number of a kind, the cells that follow
 */
struct csv {
	size_t nr;
	size_t nr_contexts;
	const char **column;
	bool is_joint;
	struct cells *contexts;
	struct cells *fields;
};

#define HEAD_ROOM	256	/* the time, the CPU, and a block after the last comma */

static bool has_column(const struct csv *csv, const char *name, size_t from, size_t to)
{
	for (; from < to; from++)
		if (!strcmp(csv->column[from], name))
			return true;
	return false;
}

/* Add a column, unless there is one of this name since column @from. */
static void add_column(struct csv *csv, const char *name, size_t from)
{
	if (has_column(csv, name, from, csv->nr))
		return;
	csv->column = need_memory(realloc(csv->column, (csv->nr + 1) * sizeof(*csv->column)));
	csv->column[csv->nr++] = name;
}

/* Append a character of @n bytes; 0: it is not valid, and becomes U+FFFD, as in JSON. */
static char *append_character(char *to, const char *text, size_t n)
{
	if (!n)
		return append_string(to, "\xef\xbf\xbd");
	if (*text == '"')
		*to++ = '"';
	return append_bytes(to, text, n);
}

static char *append_text(char *to, const char *text, size_t size)
{
	bool is_quoted;

	if (plain_copy(to, text, size) == size && !memchr(text, ',', size))
		return to + size;
	is_quoted = strcspn(text, ",\"\n\r") < size;
	if (is_quoted)
		*to++ = '"';
	to = utf8_append(to, text, size, append_character);
	if (is_quoted)
		*to++ = '"';
	return to;
}

void csv_text(FILE *out, const char *text, size_t size)
{
	char *room = put_begin(out, JSON_ROOM(size));

	put_end(out, room, append_text(room, text, size));
}

/* Write the names of the columns. No two are the same, since readers find columns by name. */
static void put_head(const struct csv *csv, FILE *out)
{
	size_t i;

	if (csv->is_joint)
		fputs("host,", out);
	for (i = 0; i < csv->nr; i++) {
		if (i)
			putc(',', out);
		if (i >= csv->nr_contexts && (has_column(csv, csv->column[i], 0, csv->nr_contexts) ||
					      (csv->is_joint && !strcmp(csv->column[i], "host"))))
			fputs("fields.", out);
		csv_text(out, csv->column[i], strlen(csv->column[i]));
	}
	putc('\n', out);
}

static void add_contexts(struct csv *csv, const struct kind *contexts)
{
	unsigned int i;

	for (i = 0; i < NR_FIRST; i++)
		add_column(csv, first[i], 0);
	for (i = 0; i < contexts->nr_fields; i++)
		add_column(csv, contexts->field[i].name, 0);
	csv->nr_contexts = csv->nr;
}

/* Find the cells of columns, from @from up to @to, that values of a kind are in. */
static struct cells find_cells(const struct csv *csv, const struct kind *kind, size_t from, size_t to)
{
	struct cells cells = { .cell = need_memory(calloc(to - from + 1, sizeof(*cells.cell))) };
	int value;

	for (; from < to; from++) {
		cells.commas++;
		value = kind_find_field(kind, csv->column[from]);
		if (value < 0)
			continue;
		cells.cell[cells.nr++] = (struct cell){ cells.commas, value };
		cells.commas = 0;
	}
	return cells;
}

static void find_all_cells(struct csv *csv, const struct trace_info *info)
{
	size_t i;

	csv->contexts = need_memory(calloc(info->nr_descriptions + 1, sizeof(*csv->contexts)));
	for (i = 0; i < info->nr_descriptions; i++)
		csv->contexts[i] = find_cells(csv, &info->description[i]->contexts, NR_OTHERS - 1,
					      csv->nr_contexts);
	csv->fields = need_memory(calloc(info->nr_kinds + 1, sizeof(*csv->fields)));
	for (i = 0; i < info->nr_kinds; i++)
		csv->fields[i] = find_cells(csv, info->kind[i], csv->nr_contexts, csv->nr);
}

struct csv *csv_begin(FILE *out, const struct trace_info *info,
		      struct selection *selection)
{
	struct csv *csv = need_memory(calloc(1, sizeof(*csv)));
	unsigned int i, n;

	add_contexts(csv, &info->contexts);
	for (i = 0; i < info->nr_kinds; i++) {
		const struct kind *kind = info->kind[i];

		if (!kind_set_has(&selection->match, kind))
			continue;
		for (n = 0; n < kind->nr_fields; n++)
			add_column(csv, kind->field[n].name, csv->nr_contexts);
	}
	csv->is_joint = info->is_joint;
	find_all_cells(csv, info);
	put_head(csv, out);
	return csv;
}

/* Append commas, in whole blocks: there is more room. */
static char *append_commas(char *to, size_t nr)
{
	size_t at = 0;

	do {
		memset(to + at, ',', APPEND_BLOCK);
		at += APPEND_BLOCK;
	} while (at < nr);
	return to + nr;
}

static char *append_value(char *to, const struct value *value)
{
	if (value->field->type == VALUE_TEXT)
		return append_text(to, value->text, value->size);
	return text_append_value(to, value);
}

static char *append_cells(char *to, const struct cells *cells, const struct value *value)
{
	const struct cell *cell = cells->cell, *end = cell + cells->nr;

	for (; cell < end; cell++) {
		to = append_commas(to, cell->commas);
		to = append_value(to, &value[cell->value]);
	}
	return append_commas(to, cells->commas);
}

static size_t room_of_values(const struct value *value, unsigned int nr)
{
	const struct value *end = value + nr;
	size_t room = 0;

	for (; value < end; value++)
		room += text_room(value);
	return room;
}

static void put_host(const struct csv *csv, FILE *out, const char *host)
{
	if (!csv->is_joint)
		return;
	csv_text(out, host, strlen(host));
	putc_unlocked(',', out);
}

/* Copy the contexts of an event, with its stack as text. */
static void name_stack(struct value *to, const struct event *event, const struct value *stack)
{
	static const struct field chain = { .type = VALUE_TEXT };
	struct value *named = to + (stack - event->context);

	memcpy(to, event->context, event->nr_contexts * sizeof(*to));
	named->field = &chain;
	named->text = functions_chain(stack, event->time, &named->size);
}

void csv_event(const struct csv *csv, FILE *out, const struct event *event)
{
	const struct value *stack = functions_stack(event), *contexts = event->context;
	struct value named[MAX_CONTEXTS];
	char *room, *to;

	if (stack) {
		name_stack(named, event, stack);
		contexts = named;
	}
	put_host(csv, out, event->description->host);
	room = put_begin(out, HEAD_ROOM + event->kind->name_size + csv->nr +
			      room_of_values(contexts, event->nr_contexts) +
			      room_of_values(event->value, event->nr_values));
	to = text_append_seconds(room, event->time, 9);
	*to++ = ',';
	to = append_decimal(to, event->cpu);
	*to++ = ',';
	to = append_blocks(to, event->kind->name, event->kind->name_size);
	to = append_cells(to, &csv->contexts[event->description->number], contexts);
	to = append_cells(to, &csv->fields[event->kind->number], event->value);
	*to++ = '\n';
	put_end(out, room, to);
}

void csv_loss(const struct csv *csv, FILE *out, const struct loss *loss)
{
	size_t i;

	put_host(csv, out, loss->host);
	text_seconds(out, loss->end, 9);
	fprintf(out, ",%u,,%" PRIu64, loss->cpu, loss->count);
	for (i = 0; i < csv->nr - NR_OTHERS; i++)
		putc_unlocked(',', out);
	putc_unlocked('\n', out);
}
