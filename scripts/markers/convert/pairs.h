/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that belong together: one that begins something, and one that ends it, with the same
 * key. What is open is kept, up to MAX_OPEN.
 */
#ifndef _MARKERS_PAIRS_H
#define _MARKERS_PAIRS_H

#include "trace.h"

#define MAX_OPEN	(1u << 20)

/**
 * struct pair - what began, and perhaps ended
 * @key: a number, or a hash of a text
 * @begin: time in nanoseconds
 * @end: time; 0 as long as it is open
 * @begin_cpu: where it began
 * @end_cpu: where it ended
 * @lane: no other open pair has this number; the lowest that is free
 */
struct pair {
	uint64_t key;
	uint64_t begin;
	uint64_t end;
	unsigned int begin_cpu;
	unsigned int end_cpu;
	unsigned int lane;
};

struct pairs;

/**
 * struct pairs_count - what did not become a pair
 * @unended: it began again, or the recording ended
 * @unbegun: the end of something that did not begin
 * @lost: events were lost while it was open, perhaps its end
 */
struct pairs_count {
	uint64_t unended;
	uint64_t unbegun;
	uint64_t lost;
};

/**
 * pairs_create() - look for pairs
 * @begin: pattern of the markers that begin
 * @end: pattern of those that end; if it is the same, each event ends what the last began
 * @key: a field that both have, "A:B" if they call it differently, a context, or "cpu"; NULL:
 *	the thread, or the CPU in a recording without threads
 *
 * Return: to be freed by pairs_destroy().
 */
struct pairs *pairs_create(const char *begin, const char *end, const char *key);

void pairs_destroy(struct pairs *pairs);

/**
 * pairs_event() - take the next event
 * @pairs: of pairs_create()
 * @event: the event
 * @pair: is set, if it ends something
 *
 * Return: whether it ends something.
 */
bool pairs_event(struct pairs *pairs, const struct event *event, struct pair *pair);

/**
 * pairs_loss() - forget what is open: its end may be lost
 * @pairs: of pairs_create()
 */
void pairs_loss(struct pairs *pairs);

/**
 * pairs_end() - the recording is over
 * @pairs: of pairs_create()
 *
 * Return: what did not become a pair.
 */
struct pairs_count pairs_end(struct pairs *pairs);

#endif /* _MARKERS_PAIRS_H */
