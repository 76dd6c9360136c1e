// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../base/put.h"
#include "../events/functions.h"
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
 * @nr: number of columns
 * @nr_contexts: number of those before the columns of fields
 * @column: names of the columns
 * @is_joint: there is a column of the host in front
 * @field: by the number of a kind, for each column of a field which field it is; or NO_FIELD
 */
struct csv {
	size_t nr;
	size_t nr_contexts;
	const char **column;
	bool is_joint;
	unsigned char **field;
};

#define NO_FIELD	((unsigned char)-1)	/* of kind_find_field() */

_Static_assert(MAX_VALUES < NO_FIELD, "fields");

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
		put_bytes(out, text, size);
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

static void find_fields(struct csv *csv, const struct trace_info *info)
{
	const size_t nr = csv->nr - csv->nr_contexts;
	unsigned int i;
	size_t n;

	csv->field = need_memory(calloc(info->nr_kinds + 1, sizeof(*csv->field)));
	for (i = 0; i < info->nr_kinds; i++) {
		csv->field[i] = need_memory(malloc(nr + 1));
		for (n = 0; n < nr; n++)
			csv->field[i][n] = kind_find_field(info->kind[i],
							   csv->column[csv->nr_contexts + n]);
	}
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
	find_fields(csv, info);
	put_head(csv, out);
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

static void put_context(FILE *out, const struct value *value, uint64_t time)
{
	const char *text;
	size_t size;

	if (!value || value->field->type != VALUE_BYTES) {
		put_value(out, value);
		return;
	}
	putc_unlocked(',', out);
	text = functions_chain(value, time, &size);
	csv_text(out, text, size);
}

static void put_host(const struct csv *csv, FILE *out, const char *host)
{
	if (!csv->is_joint)
		return;
	csv_text(out, host, strlen(host));
	putc_unlocked(',', out);
}

void csv_event(const struct csv *csv, FILE *out, const struct event *event)
{
	const unsigned char *field = csv->field[event->kind->number];
	size_t i;

	put_host(csv, out, event->description->host);
	text_seconds(out, event->time, 9);
	putc_unlocked(',', out);
	text_decimal(out, event->cpu, 1);
	putc_unlocked(',', out);
	put_string(out, event->kind->name);
	putc_unlocked(',', out);
	for (i = NR_OTHERS; i < csv->nr_contexts; i++)
		put_context(out, event_context(event, csv->column[i]), event->time);
	for (; i < csv->nr; i++, field++)
		put_value(out, *field == NO_FIELD ? NULL : &event->value[*field]);
	putc_unlocked('\n', out);
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
