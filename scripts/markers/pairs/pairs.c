// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../events/functions.h"
#include "../events/kind_set.h"
#include "pairs.h"

#define LEAST_CHAINS	64
#define NONE		UINT32_MAX

/**
 * struct open - an open pair, in a chain of the hash table; or a free entry, in the chain of these
 * @pair: the pair
 * @hash: of its key
 * @key_nr: words of its key
 * @key_room: words at @key
 * @key: its key: others may have that hash, too
 * @values: the fields of its begin
 * @next: the next one in the chain
 */
struct open {
	struct pair pair;
	uint64_t hash;
	size_t key_nr, key_room;
	uint64_t *key;
	struct event_copy *values;
	uint32_t next;
};

/**
 * struct side - the markers that begin pairs, or those that end them
 * @match: matches them
 * @pattern: the pattern
 * @name: of the first two that occurred
 * @last: the last one that occurred
 */
struct side {
	struct kind_set match;
	const char *pattern;
	char *name[2];
	const struct kind *last;
};

struct pairs {
	struct side begin;
	struct side end;
	struct keys begin_key;
	struct keys end_key;
	int (*choose)(void *ctx, const struct event *event);
	void *ctx;
	bool keeps, keeps_contexts;
	size_t kept, max_kept;	/* bytes, of all values */
	struct event_copy *ended;	/* of the pair that ended last */
	struct pairs_count count;
	uint32_t nr_chains;	/* a power of two: the number of pairs that @open has room for */
	uint32_t *chain;
	struct open *open;
	uint32_t nr_chosen, room, unused;
	uint64_t nr_dropped;	/* begins that found no room, and whose ends did not come yet */
};

static void free_open(struct pairs *pairs)
{
	uint32_t i;

	for (i = 0; i < pairs->room; i++) {
		free(pairs->open[i].values);
		free(pairs->open[i].key);
	}
	free(pairs->open);
	free(pairs->chain);
	free(pairs->ended);
}

static uint32_t *find_chain(struct pairs *pairs, uint64_t hash)
{
	return &pairs->chain[(hash * 0x9e3779b97f4a7c15u) >> 32 & (pairs->nr_chains - 1)];
}

/* Make room for @nr open pairs, once all entries are in use. There are as many chains, so they stay short. */
static void set_room(struct pairs *pairs, uint32_t nr)
{
	uint32_t *at, i;

	pairs->open = need_memory(realloc(pairs->open, nr * sizeof(*pairs->open)));
	pairs->chain = need_memory(realloc(pairs->chain, nr * sizeof(*pairs->chain)));
	pairs->nr_chains = nr;
	memset(pairs->chain, 0xff, nr * sizeof(*pairs->chain));
	for (i = 0; i < pairs->room; i++) {
		at = find_chain(pairs, pairs->open[i].hash);
		pairs->open[i].next = *at;
		*at = i;
	}
}

static void begin_empty(struct pairs *pairs)
{
	pairs->open = NULL;
	pairs->chain = NULL;
	pairs->ended = NULL;
	pairs->kept = 0;
	pairs->nr_chosen = 0;
	pairs->room = 0;
	pairs->unused = NONE;
	pairs->nr_dropped = 0;
	set_room(pairs, LEAST_CHAINS);
}

struct pairs *pairs_create(const char *begin, const char *end, const char *key)
{
	struct pairs *pairs = need_memory(calloc(1, sizeof(*pairs)));

	if (!keys_parse(key, &pairs->begin_key, &pairs->end_key)) {
		free(pairs);
		return NULL;
	}
	pairs->begin.pattern = begin;
	pairs->end.pattern = end;
	kind_set_add(&pairs->begin.match, begin);
	kind_set_add(&pairs->end.match, end);
	begin_empty(pairs);
	return pairs;
}

static void free_side(struct side *side)
{
	kind_set_free(&side->match);
	free(side->name[0]);
	free(side->name[1]);
}

void pairs_destroy(struct pairs *pairs)
{
	free_side(&pairs->begin);
	free_side(&pairs->end);
	keys_free(&pairs->begin_key);
	keys_free(&pairs->end_key);
	free_open(pairs);
	free(pairs);
}

void pairs_choose(struct pairs *pairs, int (*choose)(void *ctx, const struct event *event),
		  void *ctx)
{
	pairs->choose = choose;
	pairs->ctx = ctx;
}

void pairs_keep(struct pairs *pairs, bool contexts, size_t max)
{
	pairs->keeps = true;
	pairs->max_kept = max;
	pairs->keeps_contexts = contexts;
}

static bool is_of(const struct open *open, const struct key *key)
{
	return open->hash == key->hash && open->key_nr == key->nr &&
	       key_is_same(open->key, key->word, key->nr);
}

static uint32_t *find(struct pairs *pairs, const struct key *key)
{
	uint32_t *at = find_chain(pairs, key->hash);

	while (*at != NONE && !is_of(&pairs->open[*at], key))
		at = &pairs->open[*at].next;
	return at;
}

static void keep_key(struct open *open, const struct key *key)
{
	size_t i;

	if (open->key_room < key->nr) {
		open->key = need_memory(realloc(open->key, key->nr * sizeof(*open->key)));
		open->key_room = key->nr;
	}
	for (i = 0; i < key->nr; i++)
		open->key[i] = key->word[i];
	open->key_nr = key->nr;
	open->hash = key->hash;
}

static uint32_t take_room(struct pairs *pairs)
{
	uint32_t i = pairs->unused;

	if (i != NONE) {
		pairs->unused = pairs->open[i].next;
		return i;
	}
	if (pairs->room == MAX_OPEN)
		return NONE;
	if (pairs->room == pairs->nr_chains)
		set_room(pairs, 2 * pairs->room);
	pairs->open[pairs->room].values = NULL;
	pairs->open[pairs->room].key = NULL;
	pairs->open[pairs->room].key_room = 0;
	return pairs->room++;
}

static const struct event_copy *keep(struct pairs *pairs, struct open *open,
				 const struct event *event)
{
	unsigned int nr = pairs->keeps_contexts || functions_stack(event) ? event->nr_contexts : 0;
	size_t has = open->values ? open->values->room : 0, size = event_copy_size(event, nr);

	if (size > has) {
		size = (size + 63) & ~(size_t)63;
		if (pairs->kept + size - has > pairs->max_kept)
			return NULL;
		open->values = need_memory(realloc(open->values, size));
		open->values->room = size;
		pairs->kept += size - has;
	}
	event_copy_fill(open->values, event, nr);
	return open->values;
}

static bool is_chosen(const struct pair *pair)
{
	return pair->group >= 0;
}

static void begin(struct pairs *pairs, const struct event *event, const struct key *key, int group)
{
	uint32_t *at = find(pairs, key), i = *at;
	struct open *open;

	if (i == NONE) {
		i = take_room(pairs);
		if (i == NONE) {
			pairs->count.dropped += group >= 0;
			pairs->nr_dropped++;
			return;
		}
		at = find_chain(pairs, key->hash);
		keep_key(&pairs->open[i], key);
		pairs->open[i].next = *at;
		*at = i;
	} else {
		pairs->count.unended += is_chosen(&pairs->open[i].pair);
		pairs->count.again += is_chosen(&pairs->open[i].pair);
		pairs->nr_chosen -= is_chosen(&pairs->open[i].pair);
	}
	pairs->nr_chosen += group >= 0;
	open = &pairs->open[i];
	open->pair.group = group;
	open->pair.begin = event->time;
	open->pair.begin_cpu = event->cpu;
	open->pair.values = pairs->keeps ? keep(pairs, open, event) : NULL;
}

static bool end(struct pairs *pairs, const struct event *event, const struct key *key,
		struct pair *pair)
{
	uint32_t *at = find(pairs, key), i = *at;
	struct event_copy *unused = pairs->ended;
	struct open *open;

	if (i == NONE)
		return false;
	open = &pairs->open[i];
	*pair = open->pair;
	pairs->ended = open->values;	/* the same event may begin the next pair */
	open->values = unused;
	pair->end = event->time;
	pair->end_cpu = event->cpu;
	*at = open->next;
	open->next = pairs->unused;
	pairs->unused = i;
	pairs->nr_chosen -= is_chosen(pair);
	return true;
}

static void keep_name(struct side *side, const struct kind *kind)
{
	side->last = kind;
	if (!side->name[0])
		side->name[0] = need_memory(strdup(kind->name));
	else if (strcmp(side->name[0], kind->name))
		side->name[1] = need_memory(strdup(kind->name));
}

/* Has the event this part in a pair? */
static bool takes_part(struct side *side, struct keys *keys, const struct event *event,
		       struct key *key)
{
	if (side->last != event->kind && !side->name[1])
		keep_name(side, event->kind);
	return keys_read(keys, event, key);
}

/* The key of a begin without room is not known: any end without a begin may be its. */
static void count_unbegun(struct pairs *pairs)
{
	if (pairs->nr_dropped)
		pairs->nr_dropped--;
	else
		pairs->count.unbegun++;
}

bool pairs_take(struct pairs *pairs, const struct kind *kind)
{
	return kind_set_has(&pairs->begin.match, kind) || kind_set_has(&pairs->end.match, kind);
}

bool pairs_event(struct pairs *pairs, const struct event *event, struct pair *pair)
{
	bool begins = kind_set_has(&pairs->begin.match, event->kind), ended = false, has_key = true;
	struct key key;
	int group;

	if (kind_set_has(&pairs->end.match, event->kind)) {
		has_key = takes_part(&pairs->end, &pairs->end_key, event, &key);
		ended = has_key && end(pairs, event, &key, pair);
		if (has_key && !ended && !begins)
			count_unbegun(pairs);
	}
	if (begins) {
		group = pairs->choose ? pairs->choose(pairs->ctx, event) : 0;
		if (takes_part(&pairs->begin, &pairs->begin_key, event, &key))
			begin(pairs, event, &key, group);
		else
			has_key = false;
	}
	if (!has_key)
		pairs->count.keyless++;	/* once, though it may be both ends */
	return ended && is_chosen(pair);
}

const struct keys *pairs_key(const struct pairs *pairs)
{
	return &pairs->end_key;
}

int pairs_find_key(const struct pairs *pairs, const char *name)
{
	int at = keys_find(&pairs->begin_key, name);

	return at < 0 ? keys_find(&pairs->end_key, name) : at;
}

void pairs_loss(struct pairs *pairs)
{
	pairs->count.lost += pairs->nr_chosen;
	if (!pairs->room)
		return;
	free_open(pairs);
	begin_empty(pairs);
}

struct pairs_count pairs_end(struct pairs *pairs)
{
	pairs->count.unended += pairs->nr_chosen;
	pairs->nr_chosen = 0;
	return pairs->count;
}

static void say_several(const struct side *side, const char *where)
{
	if (side->name[1] && !strpbrk(side->pattern, ":*?["))
		say("%s%s: %s and %s have that name: add the module", where, side->pattern,
		    side->name[0], side->name[1]);
}

void pairs_say_doubts(const struct pairs *pairs, const char *where, const char *key)
{
	say_several(&pairs->begin, where);
	if (strcmp(pairs->begin.pattern, pairs->end.pattern))
		say_several(&pairs->end, where);
	if (pairs->count.keyless)
		say("%s%" PRIu64 " events do not have all fields of %s", where,
		    pairs->count.keyless, key);
	if (pairs->count.again)
		say("%s%" PRIu64 " begins came again before their end: %s %s", where,
		    pairs->count.again, pairs->begin_key.nr ? "add a field to" : "give", key);
	if (pairs->count.dropped)
		say("%s%" PRIu64 " begins were left out: %u were open already", where,
		    pairs->count.dropped, MAX_OPEN);
}

void pairs_say_rest(const struct pairs *pairs, const char *where)
{
	const struct pairs_count *count = &pairs->count;

	if (count->unended || count->unbegun || count->lost)
		say("%snot ended %" PRIu64 ", not begun %" PRIu64 ", left out for losses %" PRIu64,
		    where, count->unended, count->unbegun, count->lost);
}
