// SPDX-License-Identifier: GPL-2.0
/*
 * Looking at the sub-buffers of a CPU where they lie, from any context: for the last words of
 * a dying kernel.  Takes no lock, and writes nothing.
 *
 * Other readers ask the CPU itself how far it has come, by an interrupt.  Here that CPU may
 * be stopped, or be this one in an NMI, with a writer in the middle of a record that never
 * goes on.  So what is found is checked: the word of the slot says whose bytes these were,
 * and the commit if all of them are complete.
 */
#include "ring_internal.h"

/* A writer on another CPU that runs completes its record in less than that. */
#define VIEW_TRIES	100

u64 ring_view_end(struct ring *ring, int cpu)
{
	struct ring_cpu *rc = ring_cpu_get(ring, cpu);

	if (!rc)
		return 0;
	return (((unsigned long)local_read(&rc->offset) + rc->subbuf_size - 1) >>
		rc->subbuf_shift) - ring_nr(rc);
}

/* No record of this CPU is later, if the offset was loaded before: see record_time(). */
static u64 latest_time(const struct ring_cpu *rc)
{
	u64 last = local_read(&rc->last_ts), floor = local_read(&rc->floor_ts);

	return (s64)(floor - last) > 0 ? floor : last;
}

/*
 * The sub-buffer @at, which is not delivered.  Either it is the one that is open.  Or a writer
 * in it was interrupted by one that has gone on to a later sub-buffer, or is in the middle of
 * closing it: so its size is not known.
 */
static bool view_incomplete(struct ring_cpu *rc, u64 at, struct ring_view *view)
{
	struct ring_slot *slot = ring_slot(rc, at);
	unsigned long pos, seq;
	u32 done, reserved;
	int tries;
	long commit;

	for (tries = 0; tries < VIEW_TRIES; tries++) {
		pos = local_read(&rc->offset);
		seq = pos >> rc->subbuf_shift;
		smp_rmb();	/* the commit and the time belong to the offset, or are later */
		commit = local_read(&slot->commit);
		view->ts = latest_time(rc);
		done = rc->subbuf_size + (u64)(commit >> RING_BYTES_SHIFT);
		reserved = seq == at ? pos & (rc->subbuf_size - 1) : rc->subbuf_size;
		if (done == reserved)
			break;
		cpu_relax();
	}
	/* It was claimed, but not opened. */
	if (seq < at || !reserved)
		return false;
	view->is_open = seq == at;
	view->size = reserved;
	/* ring_deliver() has just cleared the commit: @nr_events is right. */
	if (!view->is_open && !done)
		return true;
	view->nr_events = commit;
	view->incomplete = done < reserved ? reserved - done : 0;
	return true;
}

static bool view_slot(struct ring_cpu *rc, u64 at, struct ring_view *view)
{
	u32 buf;

	/* RB(peek:A): as for ring_peek() */
	view->word = atomic_long_read_acquire(&ring_slot(rc, at)->word);
	if (ring_word_seq(view->word) != at || ring_word_state(view->word) == RING_CONSUMED)
		return false;
	buf = ring_word_buf(view->word);
	view->data = rc->data[buf];
	view->is_open = false;
	view->size = min(READ_ONCE(rc->bufs[buf].size), rc->subbuf_size);
	view->nr_events = READ_ONCE(rc->bufs[buf].nr_events);
	view->incomplete = 0;
	return ring_word_state(view->word) != RING_OPEN || view_incomplete(rc, at, view);
}

bool ring_view(struct ring *ring, int cpu, u64 seq, struct ring_view *view)
{
	struct ring_cpu *rc = ring_cpu_get(ring, cpu);
	u64 at;

	if (!rc)
		return false;
	at = seq + ring_nr(rc);
	/* Again, if it was delivered meanwhile; no word comes back. */
	do {
		if (!view_slot(rc, at, view))
			return false;
		/* RB(peek:B): as for ring_peek() */
		smp_rmb();
	} while (atomic_long_read(&ring_slot(rc, at)->word) != view->word);
	return true;
}

bool ring_view_holds(struct ring *ring, int cpu, const struct ring_view *view)
{
	struct ring_cpu *rc = ring_cpu_get(ring, cpu);
	const u64 seq = ring_word_seq(view->word);
	long word;

	/* RB(peek:B): the word is loaded again after the bytes; pairs with RB(claim:B). */
	smp_rmb();
	word = atomic_long_read(&ring_slot(rc, seq)->word);
	/* A sub-buffer that was open may have been delivered, but not got. */
	return ring_word_seq(word) == seq && ring_word_buf(word) == ring_word_buf(view->word) &&
	       ring_word_state(word) != RING_CONSUMED;
}

bool ring_view_words(struct ring *ring, int cpu, struct ring_words *words)
{
	struct ring_slot *slots;
	struct ring_cpu *rc;

	if (cpu < 0 || (unsigned int)cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return false;
	rc = ring_cpu_of(ring, cpu);
	/* RB(buffer:B): pairs with RB(buffer:A). */
	slots = smp_load_acquire(&rc->slots);
	words->offset = &rc->offset;
	words->last = &rc->last_ts;
	words->commit = slots ? &slots[0].commit : NULL;
	words->stride = sizeof(*slots);
	words->lost = &rc->lost[0];
	words->overwritten = &rc->overwritten;
	return true;
}
