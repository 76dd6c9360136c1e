/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the searches for notes, for events in them and for packets have in common.  For
 * recover*.c only.
 */
#ifndef _MARKERS_RECOVER_INTERNAL_H
#define _MARKERS_RECOVER_INTERNAL_H

#include <markers/uapi/ctf.h>
#include "crash_notes.h"
#include "recover.h"

#define MAX_CPUS	8192
#define GFP_QUIET	(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN)

/**
 * struct words - what a CPU's ring said of itself
 * @cpu:	the CPU
 * @seq:	the packet that was open, if @used is not 0
 * @used:	its bytes
 * @last:	the time of the last event
 * @commit:	the physical address of its first slot's, or 0
 * @stride:	from there to the next one's
 * @lost:	events that were not recorded
 * @overwritten: events that were overwritten
 */
struct words {
	u32 cpu;
	u64 seq;
	u32 used;
	u64 last;
	u64 commit;
	u32 stride;
	u64 lost;
	u64 overwritten;
};

/**
 * struct recovery - the work
 * @memory:	the pieces of memory
 * @nr:		how many
 * @size:	their bytes
 * @page:	room for a page
 * @uuid:	of the trace
 * @subbuf_size: of the ring
 * @nr_subbufs:	of the ring
 * @nr_words:	CPUs that the notes know
 * @words:	of these
 * @parsed:	room for a format
 * @strings:	what is left of the room for strings in @trace
 * @trace:	the result
 * @room:	bytes of its data
 */
struct recovery {
	const struct marker_memory *memory;
	u32 nr;
	size_t size;
	u8 *page;
	u8 uuid[CTF_UUID_SIZE];
	u32 subbuf_size;
	u32 nr_subbufs;
	u32 nr_words;
	struct words *words;
	struct marker_format *parsed;
	char *strings;
	struct marker_recovered *trace;
	size_t room;
};

/* All pages of which there is at least the beginning: @at is the physical address. */
#define for_each_page(r, i, at)							\
	for ((i) = 0; (i) < (r)->nr; (i)++)					\
		for ((at) = ALIGN((r)->memory[i].phys, PAGE_SIZE);		\
		     (at) < (r)->memory[i].phys + (r)->memory[i].size; (at) += PAGE_SIZE)

/**
 * recover_copy() - copy some memory of the dead kernel
 * @r:		with its memory
 * @at:		the physical address
 * @to:		where to
 * @size:	bytes
 *
 * Context: Any.
 * Return: bytes that are there.
 */
static inline size_t recover_copy(const struct recovery *r, u64 at, void *to, size_t size)
{
	return marker_memory_copy(r->memory, r->nr, at, to, size);
}

/**
 * read_word() - read a word of it
 * @r:		with its memory
 * @phys:	its physical address
 * @word:	is set
 *
 * Context: Any.
 * Return: false: it is not there.
 */
static inline bool read_word(const struct recovery *r, u64 phys, u64 *word)
{
	return phys % sizeof(*word) == 0 &&
	       recover_copy(r, phys, word, sizeof(*word)) == sizeof(*word);
}

/**
 * marker_recover_notes() - find the notes, and read them
 * @r:		with its memory; gets what they say
 * @why:	is set if they are wrong
 *
 * Context: Process context; sleeps.
 * Return: 0; -ENOENT if there are none; -EINVAL, -ENOMEM.
 */
int marker_recover_notes(struct recovery *r, const char **why);

/**
 * recover_count_events() - how many events does a text describe?
 * @text:	metadata, or what has some in it
 *
 * Context: Any.
 * Return: events.
 */
size_t recover_count_events(const char *text);

/**
 * marker_recover_events() - read what the metadata says of events
 * @r:		with a trace that has metadata; gets its events
 *
 * Context: Process context; sleeps.
 * Return: 0; -ENOMEM.
 */
int marker_recover_events(struct recovery *r);

#endif /* _MARKERS_RECOVER_INTERNAL_H */
