// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../events/text.h"
#include "csv.h"

/* The columns before those of fields. All tables have these; other contexts follow. */
static const char *const first[] = {
	"time", "cpu", "marker", "lost", "tid", "pid", "procname", "flags", "vtid", "vpid",
	"prio", "cgroup_id",
};

#define NR_OTHERS	4	/* that are no contexts */
#define NR_FIRST	(sizeof(first) / sizeof(*first))

/**
 * struct csv - a table
 * @out: the output file
 * @nr: number of columns
 * @nr_contexts: number of those before the columns of fields
 * @column: names of the columns
 */
struct csv {
	FILE *out;
	size_t nr;
	size_t nr_contexts;
	const char **column;
};

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

void csv_text(FILE *out, const char *text, size_t size)
{
	const char *quote;
	size_t n;

	if (strcspn(text, ",\"\n\r") >= size) {
		fwrite_unlocked(text, 1, size, out);
		return;
	}
	putc_unlocked('"', out);
	while ((quote = memchr(text, '"', size))) {
		n = quote + 1 - text;
		fwrite_unlocked(text, 1, n, out);
		putc_unlocked('"', out);
		text += n;
		size -= n;
	}
	fwrite_unlocked(text, 1, size, out);
	putc_unlocked('"', out);
}

/* Write the names of the columns. No two are the same, since readers find columns by name. */
static void put_head(const struct csv *csv)
{
	size_t i;

	for (i = 0; i < csv->nr; i++) {
		if (i)
			putc(',', csv->out);
		if (i >= csv->nr_contexts && has_column(csv, csv->column[i], 0, csv->nr_contexts))
			fputs("fields.", csv->out);
		csv_text(csv->out, csv->column[i], strlen(csv->column[i]));
	}
	putc('\n', csv->out);
}

/* Stacks have no column. */
static void add_contexts(struct csv *csv, const struct kind *contexts)
{
	unsigned int i;

	for (i = 0; i < NR_FIRST; i++)
		add_column(csv, first[i], 0);
	for (i = 0; i < contexts->nr_fields; i++)
		if (contexts->field[i].type != VALUE_BYTES)
			add_column(csv, contexts->field[i].name, 0);
	csv->nr_contexts = csv->nr;
}

struct csv *csv_begin(FILE *out, const struct trace_info *info,
		      struct selection *selection)
{
	struct csv *csv = need_memory(calloc(1, sizeof(*csv)));
	unsigned int i, n;

	csv->out = out;
	add_contexts(csv, &info->contexts);
	for (i = 0; i < info->nr_kinds; i++) {
		const struct kind *kind = info->kind[i];

		if (!kind_set_has(&selection->match, kind))
			continue;
		for (n = 0; n < kind->nr_fields; n++)
			add_column(csv, kind->field[n].name, csv->nr_contexts);
	}
	put_head(csv);
	return csv;
}

static void put_value(FILE *out, const struct value *value)
{
	putc_unlocked(',', out);
	if (value && value->field->type == VALUE_TEXT)
		csv_text(out, value->text, value->size);
	else if (value)
		text_value(out, value);
}

void csv_event(struct csv *csv, const struct event *event)
{
	size_t i;

	text_seconds(csv->out, event->time, 9);
	putc_unlocked(',', csv->out);
	text_decimal(csv->out, event->cpu, 1);
	putc_unlocked(',', csv->out);
	fputs_unlocked(event->kind->name, csv->out);
	putc_unlocked(',', csv->out);
	for (i = NR_OTHERS; i < csv->nr; i++)
		put_value(csv->out, i < csv->nr_contexts ? event_context(event, csv->column[i]) :
			  event_field(event, csv->column[i]));
	putc_unlocked('\n', csv->out);
}

void csv_loss(struct csv *csv, const struct loss *loss)
{
	size_t i;

	text_seconds(csv->out, loss->end, 9);
	fprintf(csv->out, ",%u,,%" PRIu64, loss->cpu, loss->count);
	for (i = 0; i < csv->nr - NR_OTHERS; i++)
		putc_unlocked(',', csv->out);
	putc_unlocked('\n', csv->out);
}
