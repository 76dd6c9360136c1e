/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds pairs: an event that begins something and the event with the same key that ends it.
 * Keeps up to MAX_OPEN open pairs with their keys, and as much of their fields as it is told.
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
 * @group: what pairs_choose() says of its begin
 */
struct pair {
	uint64_t begin;
	uint64_t end;
	unsigned int begin_cpu;
	unsigned int end_cpu;
	const struct event_copy *values;
	int group;
};

struct pairs;

/**
 * struct pairs_count - counts of events that did not become a pair
 * @unended: begins without an end: the same key began again, or the recording ended
 * @again: of these, begins whose key began again
 * @unbegun: ends without a begin
 * @lost: begins whose end may be lost: events were lost while they were open
 * @keyless: events that do not have all fields of the key
 * @dropped: begins that came when MAX_OPEN pairs were open
 */
struct pairs_count {
	uint64_t unended;
	uint64_t again;
	uint64_t unbegun;
	uint64_t lost;
	uint64_t keyless;
	uint64_t dropped;
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
 * @choose: the group of an event that begins a pair; below 0: it is not chosen. It still begins
 *	a pair, but pairs_event() does not return it, and no count has it
 * @ctx: its first argument
 */
void pairs_choose(struct pairs *pairs, int (*choose)(void *ctx, const struct event *event),
		  void *ctx);

/**
 * pairs_keep() - keep the fields of each event that begins a pair
 * @pairs: from pairs_create(); no event was processed yet
 * @contexts: and its contexts; without this only if it has a stack
 * @max: bytes of all that are kept at a time, such as MAX_KEPT
 */
void pairs_keep(struct pairs *pairs, bool contexts, size_t max);

/**
 * pairs_take() - may events of a kind begin or end a pair?
 * @pairs: from pairs_create()
 * @kind: the kind
 *
 * Return: whether pairs_event() needs them.
 */
bool pairs_take(struct pairs *pairs, const struct kind *kind);

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

/**
 * pairs_say_doubts() - say why the pairs may not be what was meant
 * @pairs: from pairs_create(); after pairs_end()
 * @where: in front of each line
 * @key: the option that gives the key
 *
 * A begin came again before its end or when too many were open, an event lacks a field of the key,
 * or markers of several modules have the name.
 */
void pairs_say_doubts(const struct pairs *pairs, const char *where, const char *key);

/**
 * pairs_say_rest() - say how many events did not become a pair, if there are some
 * @pairs: from pairs_create(); after pairs_end()
 * @where: in front of the line
 */
void pairs_say_rest(const struct pairs *pairs, const char *where);

#endif /* _MARKERS_PAIRS_H */
