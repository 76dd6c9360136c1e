/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pairs: how long from one marker to another.  The first marker stores the time under a
 * key, such as the number of a request; the second one takes it.
 *
 * Begin and end may be on two CPUs, so all CPUs share one table.  There is no lock.  A key
 * belongs to a group of MARKER_PAIRS_GROUP buckets, and may be in any of them:
 *
 *	FREE	No key has it.
 *	BUSY	A begin has claimed it, and writes.  Other hits pass it by: they may have
 *		interrupted that begin, so they cannot wait.
 *	READY	It has a key and a time.
 *
 * A state is a word with a number that each change but the one to READY increases.  A hit
 * that has read a key and a time takes the bucket by a compare-and-exchange of that word, so
 * it knows that neither has changed.
 *
 * A key that begins again gets the new time.  If a group is full, the oldest begin in it
 * makes room.  Two begins of a key at the same moment may leave two buckets: the end takes
 * both, and the later time counts.  All of that is counted.
 *
 * Pure.
 */
#ifndef _MARKERS_PAIRS_H
#define _MARKERS_PAIRS_H

#include <markers/base.h>

#define MARKER_PAIRS_GROUP	8
#define MARKER_PAIRS_WORDS	8	/* of a key at most */

/**
 * struct marker_pairs_counts - what happened, on one CPU
 * @begun:	begins
 * @again:	of these, keys that had begun and not ended
 * @lost:	begins that had to make room, or found none
 * @matched:	ends that had a begin
 * @unmatched:	ends that had none
 */
struct marker_pairs_counts {
	local_t begun;
	local_t again;
	local_t lost;
	local_t matched;
	local_t unmatched;
};

/**
 * struct marker_pairs - a table
 * @counts:	of each CPU
 * @buckets:	the buckets
 * @mask:	groups, less one
 * @bucket_size:	bytes of a bucket
 * @key_words:	words of a key
 */
struct marker_pairs {
	struct marker_pairs_counts __percpu *counts;
	void *buckets;
	u32 mask;
	u16 bucket_size;
	u8 key_words;
};

/**
 * marker_pairs_bytes() - the memory that a table takes
 * @size:	as for marker_pairs_create()
 * @key_words:	the same
 *
 * Context: Any.
 * Return: bytes, without the counts.
 */
size_t marker_pairs_bytes(u32 size, u32 key_words);

/**
 * marker_pairs_create() - make an empty table
 * @size:	begins without an end that it has room for, a power of two,
 *		MARKER_PAIRS_GROUP at least
 * @key_words:	words of a key, at least one
 *
 * Context: Process context; sleeps.
 * Return: the table, or NULL: there is no memory.
 */
struct marker_pairs *marker_pairs_create(u32 size, u32 key_words);

/**
 * marker_pairs_destroy() - free a table
 * @pairs:	the table, no longer in use; may be NULL
 *
 * Context: Process context; sleeps.
 */
void marker_pairs_destroy(struct marker_pairs *pairs);

/**
 * marker_pairs_begin() - a pair begins
 * @pairs:	the table
 * @key:	pairs->key_words of them
 * @now:	the time in nanoseconds
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_pairs_begin(const struct marker_pairs *pairs, const u64 *key, u64 now);

/**
 * marker_pairs_end() - a pair ends
 * @pairs:	the table
 * @key:	pairs->key_words of them
 * @now:	the time in nanoseconds
 *
 * Context: Any, NMI too; preemption off.
 * Return: nanoseconds since it began; -1: it has no begin.
 */
s64 marker_pairs_end(const struct marker_pairs *pairs, const u64 *key, u64 now);

/**
 * struct marker_pairs_stats - the sum of all CPUs
 * @begun:	see struct marker_pairs_counts
 * @again:	the same
 * @lost:	the same
 * @matched:	the same
 * @unmatched:	the same
 * @open:	begins that wait for their end
 */
struct marker_pairs_stats {
	u64 begun;
	u64 again;
	u64 lost;
	u64 matched;
	u64 unmatched;
	u64 open;
};

/**
 * marker_pairs_stats() - what happened so far
 * @pairs:	the table
 * @stats:	the result
 *
 * Context: Any.
 */
void marker_pairs_stats(const struct marker_pairs *pairs, struct marker_pairs_stats *stats);

#endif /* _MARKERS_PAIRS_H */
