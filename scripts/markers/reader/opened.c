// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "classes.h"
#include "opened.h"

static bool is_same_field(const struct field *a, const struct field *b)
{
	return !strcmp(a->name, b->name) && a->type == b->type && a->base == b->base &&
	       a->bits == b->bits && a->labels == b->labels;
}

/* Find the same marker in an earlier part of the recording: same name, same fields. */
static struct kind *find_kind(const struct opened *opened, const struct kind *kind)
{
	unsigned int i, n;

	for (i = 0; i < opened->info.nr_kinds; i++) {
		struct kind *other = opened->kinds[i];

		if (strcmp(other->name, kind->name) || other->nr_fields != kind->nr_fields)
			continue;
		for (n = 0; n < kind->nr_fields; n++)
			if (!is_same_field(&kind->field[n], &other->field[n]))
				break;
		if (n == kind->nr_fields)
			return other;
	}
	return NULL;
}

static void add_kinds(struct opened *opened, struct description *description)
{
	const bool is_first = !opened->info.nr_kinds;
	struct kind *kind, *same;
	unsigned int i;

	for (i = 0; i < description->nr_classes; i++) {
		kind = description->class[i].kind;
		if (!kind)
			continue;
		description->class[i].number = opened->nr_classes++;
		same = is_first ? NULL : find_kind(opened, kind);
		kind->number = same ? same->number : opened->info.nr_kinds;
		if (same)
			continue;
		opened->kinds = need_memory(realloc(opened->kinds, (kind->number + 1) *
						    sizeof(*opened->kinds)));
		opened->kinds[opened->info.nr_kinds++] = kind;
	}
	opened->info.kind = opened->kinds;
}

static void add_contexts(struct kind *contexts, const struct kind *of_part)
{
	unsigned int i;

	for (i = 0; i < of_part->nr_fields; i++)
		if (!kind_has_field(contexts, of_part->field[i].name))
			kind_add(contexts, of_part->field[i].name, NULL, of_part->field[i]);
}

/* Return: the metadata of a part; NULL, and says why, if they are not understood. */
static const struct description *describe(struct opened *opened, const struct trace_files *files,
					  const struct trace_part *part)
{
	const struct trace_part *before = part > files->part ? part - 1 : NULL;
	struct description *new;
	char *wrong;

	if (before && !strcmp(before->metadata, part->metadata))
		return opened->descriptions[opened->nr_descriptions - 1];
	new = description_parse(part->metadata, &wrong);
	if (!new) {
		say("%s/metadata: %s", part->path, wrong);
		free(wrong);
		return NULL;
	}
	opened->descriptions = need_memory(realloc(opened->descriptions,
						   (opened->nr_descriptions + 1) *
						   sizeof(*opened->descriptions)));
	opened->descriptions[opened->nr_descriptions++] = new;
	opened->info.description = opened->descriptions;
	opened->info.nr_descriptions = opened->nr_descriptions;
	add_kinds(opened, new);
	add_contexts(&opened->info.contexts, &new->contexts);
	return new;
}

static void add_streams(struct opened *opened, const struct trace_part *part,
			const struct description *description)
{
	unsigned int i;

	opened->stream = need_memory(realloc(opened->stream, (opened->nr_streams + part->nr_streams) *
					     sizeof(*opened->stream)));
	for (i = 0; i < part->nr_streams; i++, opened->nr_streams++)
		opened->stream[opened->nr_streams] = (struct opened_stream){
			&part->stream[i], description, opened->nr_streams
		};
}

static int compare_order(const void *a, const void *b)
{
	const struct opened_stream *x = a, *y = b;

	if (x->stream->cpu != y->stream->cpu)
		return x->stream->cpu < y->stream->cpu ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

int opened_begin(struct opened *opened, const struct trace_files *files)
{
	const struct description *description, *first;
	size_t i;

	for (i = 0; i < files->nr; i++) {
		description = describe(opened, files, &files->part[i]);
		if (!description)
			return STATUS_FAILED;
		if (files->part[i].nr_streams)
			add_streams(opened, &files->part[i], description);
	}
	first = opened->descriptions[0];
	opened->info.frequency = first->frequency;
	opened->info.offset = first->offset;
	opened->info.host = first->host;
	opened->info.release = first->release;
	opened->info.clock = first->clock;
	if (opened->nr_streams)
		qsort(opened->stream, opened->nr_streams, sizeof(*opened->stream), compare_order);
	return STATUS_OK;
}

void opened_end(struct opened *opened)
{
	size_t i;

	for (i = 0; i < opened->nr_descriptions; i++)
		description_free(opened->descriptions[i]);
	for (i = 0; i < opened->info.contexts.nr_fields; i++)
		free(opened->info.contexts.field[i].name);
	free(opened->info.contexts.field);
	free(opened->descriptions);
	free(opened->kinds);
	free(opened->stream);
}
