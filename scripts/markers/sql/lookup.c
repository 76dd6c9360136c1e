// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "lookup.h"
#include "scan.h"

/**
 * struct lookup - the events of a table by some columns
 * @next: by other columns
 * @key: the columns
 * @nr: number of events
 * @found: the events in the order of their hashes
 */
struct lookup {
	struct lookup *next;
	struct key key;
	size_t nr;
	struct found *found;
};

void key_add_number(struct key *key, uint64_t number)
{
	key->hash = (key->hash ^ number) * 0x9e3779b97f4a7c15;
	key->hash ^= key->hash >> 29;
}

void key_add_text(struct key *key, const char *text, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; size; size--)
		hash = (hash ^ (unsigned char)*text++) * 0x100000001b3;
	key_add_number(key, hash);
}

static uint64_t ns_of(const struct table *table, const struct found *found)
{
	return recording_ns(table->database->recording[found->recording], found->place.stream,
			    found->place.time);
}

/* Of one clock, ticks have the order of the times, which are slower to get. */
static uint64_t order_of(const struct table *table, const struct found *found)
{
	return table->database->recording[found->recording]->opened.info.is_joint ? ns_of(table, found) :
	       found->place.time;
}

static int compare(const void *a, const void *b, void *table)
{
	const struct found *x = a, *y = b;
	uint64_t x_time, y_time;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->recording != y->recording)
		return x->recording < y->recording ? -1 : 1;
	x_time = order_of(table, x);
	y_time = order_of(table, y);
	if (x_time != y_time)
		return x_time < y_time ? -1 : 1;
	if (x->place.stream != y->place.stream)
		return x->place.stream < y->place.stream ? -1 : 1;
	if (x->place.packet != y->place.packet)
		return x->place.packet < y->place.packet ? -1 : 1;
	return x->place.offset < y->place.offset ? -1 : x->place.offset > y->place.offset;
}

/* Hash the values of an event. Return: false if it lacks a column. */
static bool hash_event(const struct table *table, const struct layout *layout,
		       const struct event *event, struct key *key)
{
	const struct value *value;
	unsigned int i;
	int place;

	key->hash = 0;
	for (i = 0; i < key->nr; i++) {
		place = layout->place[key->column[i]];
		if (place < 0)
			return false;
		value = table->column[key->column[i]].what == COLUMN_CONTEXT ? &event->context[place] :
			&event->value[place];
		if (value->field->type == VALUE_TEXT)
			key_add_text(key, value->text, value->size);
		else
			key_add_number(key, value->number);
	}
	return true;
}

static void add(struct lookup *lookup, struct found found)
{
	/* a power of two: double the memory */
	if (!(lookup->nr & (lookup->nr - 1)))
		lookup->found = need_memory(realloc(lookup->found, (lookup->nr ? 2 * lookup->nr : 1) *
						    sizeof(*lookup->found)));
	lookup->found[lookup->nr++] = found;
}

static void fill(struct lookup *lookup, const struct table *table)
{
	const struct range all = { .end = UINT64_MAX, .cpu = -1, .recording = -1 };
	struct event *event = need_memory(malloc(sizeof(*event)));
	struct scan *scan = need_memory(calloc(1, sizeof(*scan)));

	scan_begin(scan, table, &all);
	while (scan_next(scan)) {
		event->kind = scan->record->class->kind;
		record_values(event, scan->record, scan->stream->description);
		if (hash_event(table, scan->layout, event, &lookup->key))
			add(lookup, (struct found){ lookup->key.hash, scan->number,
						    merge_place(&scan->merge) });
	}
	scan_end(scan);
	free(scan);
	free(event);
	if (lookup->nr)
		qsort_r(lookup->found, lookup->nr, sizeof(*lookup->found), compare, (void *)table);
}

static struct lookup *make(struct table *table, const struct key *key)
{
	struct lookup *lookup = need_memory(calloc(1, sizeof(*lookup)));

	lookup->key = *key;
	lookup->next = table->lookups;
	table->lookups = lookup;
	fill(lookup, table);
	return lookup;
}

static bool has_columns(const struct lookup *lookup, const struct key *key)
{
	return lookup->key.nr == key->nr &&
	       !memcmp(lookup->key.column, key->column, key->nr * sizeof(*key->column));
}

static bool is_before(const struct table *table, const struct found *found, uint64_t hash,
		      uint32_t recording, uint64_t time)
{
	if (found->hash != hash)
		return found->hash < hash;
	if (found->recording != recording)
		return found->recording < recording;
	return ns_of(table, found) < time;
}

/*
 * The first event that is not before a hash, of a recording and time. Hashes are spread evenly, so it
 * is near the place where it would be if they were so exactly; to halve all of the index again
 * and again would miss the cache each time.
 */
static size_t find_first(const struct table *table, const struct lookup *lookup, uint64_t hash,
			 uint32_t recording, uint64_t time)
{
	size_t low = (hash >> 32) * lookup->nr >> 32, high = low, step = 4;

	while (low && !is_before(table, &lookup->found[low - 1], hash, recording, time)) {
		high = low - 1;
		low = high > step ? high - step : 0;
		step *= 2;
	}
	while (high < lookup->nr && is_before(table, &lookup->found[high], hash, recording, time)) {
		low = high + 1;
		high = high + step < lookup->nr ? high + step : lookup->nr;
		step *= 2;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(table, &lookup->found[middle], hash, recording, time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct found *lookup_find(struct table *table, const struct key *key,
				const struct range *range, size_t *nr)
{
	const struct lookup *lookup = table->lookups;
	size_t first;

	while (lookup && !has_columns(lookup, key))
		lookup = lookup->next;
	if (!lookup)
		lookup = make(table, key);
	first = range->recording < 0 ? find_first(table, lookup, key->hash, 0, 0) :
		find_first(table, lookup, key->hash, range->recording, range->begin);
	*nr = lookup->nr - first;
	return lookup->found + first;
}

void lookups_free(struct lookup *lookups)
{
	struct lookup *next;

	for (; lookups; lookups = next) {
		next = lookups->next;
		free(lookups->found);
		free(lookups);
	}
}
