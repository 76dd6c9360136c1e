// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../events/text.h"
#include "csv.h"

static const char *const others[] = { "time", "cpu", "marker", "lost" };
static const char *const contexts[] = { "tid", "pid", "procname", "flags", "vtid", "vpid",
					"prio", "cgroup_id" };

#define NR_OTHERS	(sizeof(others) / sizeof(*others))
#define NR_CONTEXTS	(sizeof(contexts) / sizeof(*contexts))

/**
 * struct csv - a table
 * @out: the output file
 * @nr: number of columns
 * @column: names of the fields, one for each column
 */
struct csv {
	FILE *out;
	size_t nr;
	const char **column;
};

static void add_column(struct csv *csv, const char *name)
{
	size_t i;

	for (i = 0; i < csv->nr; i++)
		if (!strcmp(csv->column[i], name))
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

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Write the names of the columns. No two are the same, since readers find columns by name. */
static void put_head(const struct csv *csv)
{
	size_t i;

	for (i = 0; i < NR_OTHERS; i++)
		fprintf(csv->out, "%s%s", i ? "," : "", others[i]);
	for (i = 0; i < NR_CONTEXTS; i++)
		fprintf(csv->out, ",%s", contexts[i]);
	for (i = 0; i < csv->nr; i++) {
		putc(',', csv->out);
		if (is_one_of(csv->column[i], others, NR_OTHERS) ||
		    is_one_of(csv->column[i], contexts, NR_CONTEXTS))
			fputs("fields.", csv->out);
		csv_text(csv->out, csv->column[i], strlen(csv->column[i]));
	}
	putc('\n', csv->out);
}

struct csv *csv_begin(FILE *out, const struct trace_info *info,
		      struct selection *selection)
{
	struct csv *csv = need_memory(calloc(1, sizeof(*csv)));
	unsigned int i, n;

	csv->out = out;
	for (i = 0; i < info->nr_kinds; i++) {
		const struct kind *kind = info->kind[i];

		if (!kind_set_has(&selection->match, kind))
			continue;
		for (n = 0; n < kind->nr_fields; n++)
			if (!kind->field[n].hidden)
				add_column(csv, kind->field[n].name);
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
	for (i = 0; i < NR_CONTEXTS; i++)
		put_value(csv->out, event_context(event, contexts[i]));
	for (i = 0; i < csv->nr; i++)
		put_value(csv->out, event_field(event, csv->column[i]));
	putc_unlocked('\n', csv->out);
}

void csv_loss(struct csv *csv, const struct loss *loss)
{
	size_t i;

	text_seconds(csv->out, loss->end, 9);
	fprintf(csv->out, ",%u,,%" PRIu64, loss->cpu, loss->count);
	for (i = 0; i < NR_CONTEXTS + csv->nr; i++)
		putc_unlocked(',', csv->out);
	putc_unlocked('\n', csv->out);
}
