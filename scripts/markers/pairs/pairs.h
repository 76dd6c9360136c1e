/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds pairs: an event that begins something and the event with the same key that ends it.
 * Keeps up to MAX_OPEN open pairs with their keys, and up to MAX_KEPT bytes of their fields.
 */
#ifndef _MARKERS_PAIRS_H
#define _MARKERS_PAIRS_H

#include "../events/event.h"
#include "event_copy.h"
#include "keys.h"

#define MAX_OPEN	(1u << 20)
#define MAX_KEPT	(16u << 20)

/**
 * struct pair - a pair, which may be open
 * @begin: time of its begin in nanoseconds
 * @end: time of its end; 0 while it is open
 * @begin_cpu: CPU of its begin
 * @end_cpu: CPU of its end
 * @values: the fields of its begin, valid until the next pairs_event(); NULL: not kept
 * @is_chosen: pairs_choose() chose its begin
 */
struct pair {
	uint64_t begin;
	uint64_t end;
	unsigned int begin_cpu;
	unsigned int end_cpu;
	const struct event_copy *values;
	bool is_chosen;
};

struct pairs;

/**
 * struct pairs_count - counts of events that did not become a pair
 * @unended: begins without an end: the same key began again, or the recording ended
 * @again: of these, begins whose key began again
 * @unbegun: ends without a begin
 * @lost: begins whose end may be lost: events were lost while they were open
 */
struct pairs_count {
	uint64_t unended;
	uint64_t again;
	uint64_t unbegun;
	uint64_t lost;
};

/**
 * pairs_create() - begin to look for pairs
 * @begin: pattern of the markers that begin a pair
 * @end: pattern of the markers that end it; if both are equal, each event ends the pair that
 *	the previous one began
 * @key: as for keys_parse(); NULL: the thread, or the CPU in a recording without threads
 *
 * Return: the pairs, for pairs_destroy(); NULL if @key is not valid.
 */
struct pairs *pairs_create(const char *begin, const char *end, const char *key);

void pairs_destroy(struct pairs *pairs);

/**
 * pairs_choose() - measure only from some events
 * @pairs: from pairs_create(); no event was processed yet
 * @chooses: whether an event that begins a pair is chosen; the others still begin a pair, but
 *	pairs_event() does not return it, and no count has it
 * @ctx: its first argument
 */
void pairs_choose(struct pairs *pairs, bool (*chooses)(void *ctx, const struct event *event),
		  void *ctx);

/**
 * pairs_keep() - keep the fields of each event that begins a pair, up to MAX_KEPT bytes in all
 * @pairs: from pairs_create(); no event was processed yet
 * @contexts: and its contexts; without this only if it has a stack
 */
void pairs_keep(struct pairs *pairs, bool contexts);

/**
 * pairs_event() - process the next event
 * @pairs: from pairs_create()
 * @event: the event
 * @pair: set if the event ends a pair
 *
 * Return: whether it ends a pair.
 */
bool pairs_event(struct pairs *pairs, const struct event *event, struct pair *pair);

/**
 * pairs_key() - the fields of the key that the ends of pairs have
 * @pairs: from pairs_create()
 *
 * Return: the fields, valid until pairs_destroy().
 */
const struct keys *pairs_key(const struct pairs *pairs);

/**
 * pairs_find_key() - find a field of the key by the name that it has at a begin or an end
 * @pairs: from pairs_create()
 * @name: the field; "tid" is the thread
 *
 * Return: which field of pairs_key(), or 0 if the key is the thread; -1: it is not in the key.
 */
int pairs_find_key(const struct pairs *pairs, const char *name);

/**
 * pairs_loss() - forget the open pairs, because their ends may be lost
 * @pairs: from pairs_create()
 */
void pairs_loss(struct pairs *pairs);

/**
 * pairs_end() - finish at the end of the recording
 * @pairs: from pairs_create()
 *
 * Return: the counts of events that did not become a pair.
 */
struct pairs_count pairs_end(struct pairs *pairs);

#endif /* _MARKERS_PAIRS_H */
