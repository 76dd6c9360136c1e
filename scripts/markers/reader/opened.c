// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "classes.h"
#include "opened.h"

#define OTHER_BOOT	60000000000ll	/* nanoseconds: nobody sets a clock that far */

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

/*
 * The parts of a trace. Metadata only grow, so those of one begin in the same way.
 */
struct group {
	const struct trace_part *longest;
	size_t nr_parts;
	size_t trace;	/* number of its description, or NO_TRACE */
	bool has_streams;
};

#define NO_TRACE	SIZE_MAX

struct groups {
	size_t nr;
	struct group *group;
	size_t *of_part;
};

static bool begins_same(const struct trace_part *a, const struct trace_part *b)
{
	const size_t size = a->metadata_size < b->metadata_size ? a->metadata_size : b->metadata_size;

	return !memcmp(a->metadata, b->metadata, size);
}

/* The newest one first: the next part is most likely of the trace of the one before. */
static size_t find_group(struct groups *groups, const struct trace_part *part)
{
	size_t i;

	for (i = groups->nr; i--;)
		if (begins_same(groups->group[i].longest, part)) {
			if (part->metadata_size > groups->group[i].longest->metadata_size)
				groups->group[i].longest = part;
			return i;
		}
	groups->group = need_memory(realloc(groups->group, (groups->nr + 1) * sizeof(*groups->group)));
	groups->group[groups->nr] = (struct group){ .longest = part };
	return groups->nr++;
}

static void find_groups(struct groups *groups, const struct trace_files *files)
{
	size_t i;

	*groups = (struct groups){ .of_part = need_memory(calloc(files->nr + 1, sizeof(size_t))) };
	for (i = 0; i < files->nr; i++) {
		struct group *group;

		groups->of_part[i] = find_group(groups, &files->part[i]);
		group = &groups->group[groups->of_part[i]];
		group->nr_parts++;
		group->has_streams |= files->part[i].nr_streams;
	}
}

static size_t trace_of(const struct groups *groups, size_t part)
{
	return groups->group[groups->of_part[part]].trace;
}

static void say_wrong(const struct group *group, const char *wrong)
{
	if (group->nr_parts > 1)
		say("%s/metadata: %s; %zu parts have the same", group->longest->path, wrong, group->nr_parts);
	else
		say("%s/metadata: %s", group->longest->path, wrong);
}

/* Understand the metadata of a trace, or say why not; but those of a trace without streams do not matter. */
static void describe(struct opened *opened, struct group *group, bool is_only)
{
	struct description *new;
	char *wrong;

	new = description_parse(group->longest->metadata, &wrong);
	if (!new) {
		group->trace = NO_TRACE;
		if (group->has_streams || is_only) {
			say_wrong(group, wrong);
			opened->damaged = true;
		}
		free(wrong);
		return;
	}
	group->trace = new->number = opened->nr_descriptions;
	opened->descriptions[opened->nr_descriptions++] = new;
	opened->info.description = opened->descriptions;
	opened->info.nr_descriptions = opened->nr_descriptions;
	add_kinds(opened, new);
	add_contexts(&opened->info.contexts, &new->contexts);
}

static int describe_all(struct opened *opened, const struct groups *groups)
{
	size_t i;

	opened->descriptions = need_memory(calloc(groups->nr + 1, sizeof(*opened->descriptions)));
	opened->wall = need_memory(calloc(groups->nr + 1, sizeof(*opened->wall)));
	for (i = 0; i < groups->nr; i++)
		describe(opened, &groups->group[i], groups->nr == 1);
	return opened->nr_descriptions ? STATUS_OK : STATUS_FAILED;
}

static void add_streams(struct opened *opened, const struct trace_part *part, size_t trace)
{
	unsigned int i;

	opened->stream = need_memory(realloc(opened->stream, (opened->nr_streams + part->nr_streams) *
					     sizeof(*opened->stream)));
	for (i = 0; i < part->nr_streams; i++, opened->nr_streams++)
		opened->stream[opened->nr_streams] = (struct opened_stream){
			&part->stream[i], opened->descriptions[trace], opened->nr_streams, trace,
			&opened->wall[trace],
		};
}

static int compare_order(const void *a, const void *b)
{
	const struct opened_stream *x = a, *y = b;

	if (x->stream->cpu != y->stream->cpu)
		return x->stream->cpu < y->stream->cpu ? -1 : 1;
	if (x->trace != y->trace)
		return x->trace < y->trace ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Have these two a clock of their own each? After a boot it starts again, far away. */
static bool has_other_clock(const struct description *a, const struct description *b)
{
	const int64_t offset = a->offset - b->offset;

	return strcmp(a->host, b->host) || strcmp(a->clock, b->clock) || a->frequency != b->frequency ||
	       offset > OTHER_BOOT || offset < -OTHER_BOOT;
}

/* The time since 1970, which several machines have in common. */
static void find_clocks(struct opened *opened, const struct trace_files *files, const struct groups *groups)
{
	size_t i;

	for (i = 1; i < opened->nr_descriptions; i++)
		opened->info.is_joint |= has_other_clock(opened->descriptions[0], opened->descriptions[i]);
	for (i = 0; i < opened->nr_descriptions; i++)
		wall_begin(&opened->wall[i], opened->descriptions[i]);
	for (i = 0; i < files->nr; i++)
		if (trace_of(groups, i) != NO_TRACE)
			wall_read(&opened->wall[trace_of(groups, i)], files->part[i].path);
}

/* One clock for all traces: of a recording from before info/clock another one may have it. */
static const struct wall *find_read(const struct opened *opened)
{
	size_t i;

	for (i = 0; i < opened->nr_descriptions; i++)
		if (opened->wall[i].is_read)
			return &opened->wall[i];
	return &opened->wall[0];
}

/* That of events which have such times. */
static const struct wall since_1970 = { .frequency = 1000000000 };

static void add_part(struct opened *opened, const struct trace_part *part, size_t trace)
{
	add_streams(opened, part, trace);
	opened->info.part[opened->info.nr_parts++] = (struct trace_place){ part->path, trace };
}

static int open_all(struct opened *opened, const struct trace_files *files, const struct groups *groups)
{
	const struct description *first;
	size_t i;

	if (describe_all(opened, groups))
		return STATUS_FAILED;
	opened->info.part = need_memory(calloc(files->nr + 1, sizeof(*opened->info.part)));
	for (i = 0; i < files->nr; i++)
		if (files->part[i].nr_streams && trace_of(groups, i) != NO_TRACE)
			add_part(opened, &files->part[i], trace_of(groups, i));
	find_clocks(opened, files, groups);
	first = opened->descriptions[0];
	opened->info.frequency = first->frequency;
	opened->info.host = first->host;
	opened->info.release = first->release;
	opened->info.clock = first->clock;
	opened->info.wall = opened->info.is_joint ? &since_1970 : find_read(opened);
	if (opened->nr_streams)
		qsort(opened->stream, opened->nr_streams, sizeof(*opened->stream), compare_order);
	return STATUS_OK;
}

int opened_begin(struct opened *opened, const struct trace_files *files)
{
	struct groups groups;
	int status;

	find_groups(&groups, files);
	status = open_all(opened, files, &groups);
	free(groups.group);
	free(groups.of_part);
	return status;
}

void opened_end(struct opened *opened)
{
	size_t i;

	for (i = 0; i < opened->nr_descriptions; i++)
		description_free(opened->descriptions[i]);
	kind_free_fields(&opened->info.contexts);
	free(opened->info.part);
	free(opened->descriptions);
	free(opened->wall);
	free(opened->kinds);
	free(opened->stream);
}
