// SPDX-License-Identifier: GPL-2.0
/*
 * The slow half of writing: from one sub-buffer to the next, and the delivery of
 * a complete one.  The fast half is inline, in ring_reserve.h.
 *
 * Called by writers, in any context including NMI, with preemption off, and by
 * ring_flush() in an interrupt.  Takes no lock.  Besides the ops
 * it calls only irq_work_queue(), when a reader sleeps, after all else is done.
 *
 * The states and the barriers are in ring_internal.h.
 */
#include "ring_internal.h"

enum claim {
	CLAIMED,
	CLAIM_BUSY,
};

/* Count the event and drop it. */
static __always_inline struct ring_place
lose_event(struct ring_cpu *rc, enum ring_lost why)
{
	local_inc(&rc->lost[why]);
	return (struct ring_place) { 0 };
}

/*
 * Events lost so far, for the sub-buffer that the caller is about to close or to open.
 * Called between the load of the offset and its cmpxchg, as the clock is, so that
 * the count of one sub-buffer is not above that of the next: an interrupt after the
 * cmpxchg may close the next one before we have closed ours.
 */
static __always_inline u64 lost_events(const struct ring_cpu *rc)
{
	u64 lost = 0;
	int i;

	for (i = 0; i < RING_NR_LOST; i++)
		lost += local_read(&rc->lost[i]);
	return lost;
}

/*
 * A reader may be waiting, see ring_wait(), perhaps for several sub-buffers, see
 * ring_wait_filled().
 *
 * RB(wake:A): load @awaited after the offset has opened a sub-buffer, or the word has
 * delivered one; pairs with RB(wait:A).  A full barrier, since it is a store before a
 * load; it costs one locked instruction per sub-buffer.
 */
static void wake_reader(struct ring_cpu *rc)
{
	smp_mb();	/* RB(wake:A) */
	if (likely(!READ_ONCE(rc->awaited)))
		return;
	if ((unsigned long)local_read(&rc->offset) >> rc->subbuf_shift <
	    READ_ONCE(rc->awaited_seq))
		return;
	WRITE_ONCE(rc->awaited, false);
	irq_work_queue(&rc->ring->wake_work);
}

noinline void ring_deliver(struct ring_cpu *rc, struct ring_slot *slot)
{
	long word = atomic_long_read(&slot->word);
	u32 buf = ring_word_buf(word);
	u32 nr_events = local_read(&slot->commit);

	rc->ring->config.ops->deliver(rc->data[buf], nr_events);
	WRITE_ONCE(rc->bufs[buf].nr_events, nr_events);
	local_add(nr_events, &rc->delivered);
	local_set(&slot->commit, ring_commit_nothing(rc));
	/*
	 * RB(deliver:A): publishes the packet, with all that was written to it
	 * on this CPU; pairs with RB(get:A) and RB(peek:A).
	 */
	atomic_long_set_release(&slot->word, ring_word(ring_word_seq(word),
						       RING_DELIVERED, buf));
	wake_reader(rc);
}

/* Commit bytes that are no records: the header, and the unused rest. */
static void commit_bytes(struct ring_cpu *rc, struct ring_slot *slot, u32 bytes)
{
	if (unlikely(!local_add_negative((long)bytes << RING_BYTES_SHIFT, &slot->commit)))
		ring_deliver(rc, slot);
}

/*
 * Is the slot still busy from the previous lap?  Either a writer that was interrupted
 * has not completed the sub-buffer, or it has not been read.
 */
static __always_inline bool is_busy(struct ring_cpu *rc, long word)
{
	enum ring_state state = ring_word_state(word);

	return state == RING_OPEN || (state == RING_DELIVERED && !rc->overwrite);
}

/*
 * Make the slot of @seq OPEN.
 *
 * Any number of writers that interrupt each other may do it for the same @seq;
 * one cmpxchg succeeds, and the others find it done.
 */
static __always_inline enum claim claim_slot(struct ring_cpu *rc, u64 seq)
{
	struct ring_slot *slot = ring_slot(rc, seq);
	long old, word, seen;
	u32 nr_events;

	/*
	 * RB(claim:A): load and store the buffer after the reader has left it;
	 * pairs with RB(get:B).
	 */
	word = atomic_long_read_acquire(&slot->word);
	for (;;) {
		/* An interrupt has done it; perhaps long ago: @seq is stale. */
		if (ring_word_seq(word) >= seq)
			return CLAIMED;

		if (is_busy(rc, word))
			return CLAIM_BUSY;

		/* If the cmpxchg succeeds, this was the number: constant until then. */
		nr_events = 0;
		if (ring_word_state(word) == RING_DELIVERED)
			nr_events = READ_ONCE(rc->bufs[ring_word_buf(word)].nr_events);

		/*
		 * RB(claim:B): a full barrier, so that the word changes before
		 * the bytes do; pairs with RB(peek:B).
		 */
		old = word;
		seen = atomic_long_cmpxchg(&slot->word, old,
					   ring_word(seq, RING_OPEN, ring_word_buf(old)));
		if (seen == old) {
			if (nr_events)
				local_add(nr_events, &rc->overwritten);
			return CLAIMED;
		}
		/* A failed cmpxchg orders nothing: RB(claim:A) once more. */
		word = atomic_long_read_acquire(&slot->word);
	}
}

/*
 * Close the sub-buffer of @pos.  By the cmpxchg of the offset, its bytes from @pos on
 * belong to the caller.
 */
static void
close_subbuf(struct ring_cpu *rc, unsigned long pos, u64 ts, u64 lost)
{
	struct ring_slot *slot = ring_slot(rc, pos >> rc->subbuf_shift);
	u32 off = pos & (rc->subbuf_size - 1);
	u32 buf = ring_word_buf(atomic_long_read(&slot->word));
	u32 size;

	size = rc->ring->config.ops->close(rc->data[buf], off, ts);
	WRITE_ONCE(rc->bufs[buf].size, size);
	WRITE_ONCE(rc->bufs[buf].lost, lost);
	commit_bytes(rc, slot, rc->subbuf_size - off);
}

/*
 * Let @recent be the slot of the newest sub-buffer, which is not that of the caller if
 * an interrupt has opened another one.
 */
static __always_inline void set_recent(struct ring_cpu *rc)
{
	u64 seq;

	do {
		seq = (local_read(&rc->offset) - 1ul) >> rc->subbuf_shift;
		WRITE_ONCE(rc->recent, ring_slot(rc, seq));
	} while ((local_read(&rc->offset) - 1ul) >> rc->subbuf_shift != seq);
}

/* Open the sub-buffer of @seq, whose first header_size bytes belong to the caller. */
static void open_subbuf(struct ring_cpu *rc, u64 seq, u64 ts, u64 lost)
{
	struct ring_slot *slot = ring_slot(rc, seq);
	u32 buf = ring_word_buf(atomic_long_read(&slot->word));
	const struct ring_config *config = &rc->ring->config;
	unsigned long start = seq << rc->subbuf_shift;

	/* For ring_look(), in this order. */
	WRITE_ONCE(slot->base, (unsigned long)rc->data[buf] - start);
	WRITE_ONCE(slot->start, start);

	config->ops->open(rc->data[buf], ts, seq - ring_nr(rc), rc->cpu, config->private);
	WRITE_ONCE(rc->bufs[buf].lost_before, lost);
	commit_bytes(rc, slot, rc->header_size);
}

/*
 * How often a writer that is interrupted between the load of the offset and its cmpxchg tries
 * again.  The first times it reads the clock, which calls the kernel.  If a kprobe is there whose
 * handler hits a marker, each read moves the offset: the hit is like one in an NMI, so it is no
 * recursion.  After these tries the writer takes the newest time that is known, and calls nothing
 * any more.  The last bound is for what interrupts it all the same, such as a watchpoint.
 */
#define CLOCK_TRIES	8
#define TRIES		100

/*
 * The time of a record to be reserved at an offset that was loaded before; @last is
 * @last_ts, loaded after the offset; @tries: of the same writer before that.
 *
 * Not before its predecessor: that could only be seen if the clock was set back, or
 * if the CPU executed two reads of its counter out of order, which it does not
 * across an interrupt.  The predecessor is not later than @last, or, if we have
 * interrupted its writer in move_offset(), than @floor_ts.
 */
static __always_inline u64
record_time(const struct ring_cpu *rc, u64 last, unsigned int tries)
{
	u64 ts = likely(tries < CLOCK_TRIES) ? clock_read(rc->clock) : last;
	u64 floor = local_read(&rc->floor_ts);

	if ((s64)(floor - last) < 0)
		floor = last;
	return likely((s64)(ts - floor) >= 0) ? ts : floor;
}

/*
 * Move the offset from @pos to @to, for a record or an end at @ts; @last is @last_ts,
 * loaded after @pos.
 *
 * @last_ts follows the offset: the time of what may be lost, or comes after a gap, is not
 * announced, since what interrupts us would take a short header on the strength of it.
 * Until it has followed, a clock that was set back must not give an interrupt a time
 * between @last and @ts.  In the slow path @floor_ts prevents that; the fast path, which
 * does not know it, fails as @recent is hidden.  If an interrupt changes either of the
 * two before our cmpxchg of the offset, it moves the offset too, and that fails.
 */
static __always_inline bool
move_offset(struct ring_cpu *rc, long pos, long to, u64 last, u64 ts)
{
	long floor = local_read(&rc->floor_ts);
	bool moved;

	if ((s64)(ts - floor) > 0)
		local_cmpxchg(&rc->floor_ts, floor, ts);
	WRITE_ONCE(rc->recent, &ring_nothing_open);
	moved = local_try_cmpxchg(&rc->offset, &pos, to);
	if (likely(moved))
		local_cmpxchg(&rc->last_ts, last, ts);
	set_recent(rc);
	return moved;
}

/*
 * Close the sub-buffer that is open, if one is: the part of ring_flush() that runs on the
 * CPU, or for it when it is offline.
 */
static void close_current(void *arg)
{
	struct ring_cpu *rc = arg;
	unsigned int tries = 0;
	unsigned long off;
	u64 ts, last, lost;
	long pos;

	do {
		pos = local_read(&rc->offset);
		off = pos & (rc->subbuf_size - 1);
		if (!off || tries == TRIES)
			return;
		last = local_read(&rc->last_ts);
		ts = record_time(rc, last, tries++);
		lost = lost_events(rc);
		/*
		 * The next sub-buffer must not begin before this one ends.  What
		 * ring_take() says of @last_ts still holds: the next record is the
		 * first of its sub-buffer, and not before this.
		 */
	} while (!move_offset(rc, pos, pos - off + rc->subbuf_size, last, ts));
	close_subbuf(rc, pos, ts, lost);
}
NOKPROBE_SYMBOL(close_current);

/*
 * Reserve, in all cases.  The caller has tested for a full ring; that may have changed
 * by now.
 */
static noinline struct ring_place
reserve_record(struct ring_cpu *rc, u64 short_need, u32 extra, bool need_long)
{
	u32 size = rc->subbuf_size;
	unsigned int tries = 0;
	unsigned long off, next;
	long pos, start;
	u64 ts, last, need, lost = 0;
	bool is_long;

	do {
		if (unlikely(tries == TRIES))
			return lose_event(rc, RING_LOST_FULL);
		pos = local_read(&rc->offset);
		last = local_read(&rc->last_ts);
		ts = record_time(rc, last, tries++);
		off = pos & (size - 1);

		is_long = need_long;
		need = short_need;
		if (ts - last >= RING_TIME_STEP) {
			is_long = true;
			need += extra;
		}
		start = pos;
		if (off && off + need < size)
			continue;

		/*
		 * A new sub-buffer.  Its header has the whole time, so that the
		 * first record needs but the low bits.
		 */
		is_long = need_long;
		need = short_need;
		next = (pos + size - 1) & ~(size - 1ul);
		if (claim_slot(rc, next >> rc->subbuf_shift) != CLAIMED) {
			lose_event(rc, RING_LOST_FULL);
			/*
			 * There is room, but not for the long header that all
			 * records need from now on: full for ring_is_full(), too.
			 */
			if (off && off + short_need < size)
				close_current(rc);
			return (struct ring_place) { 0 };
		}
		start = next + rc->header_size;
		lost = lost_events(rc);
	} while (!move_offset(rc, pos, start + need, last, ts));

	if (start != pos) {
		if (off)
			close_subbuf(rc, pos, ts, lost);
		open_subbuf(rc, start >> rc->subbuf_shift, ts, lost);
		wake_reader(rc);
	}
	return (struct ring_place) { start | (is_long ? RING_PLACE_LONG : 0), ts };
}
NOKPROBE_SYMBOL(reserve_record);

noinline struct ring_place
ring_reserve_slow(struct ring_cpu *rc, u64 need, u32 extra, bool need_long)
{
	/*
	 * RB(buffer:B): what the pointer leads to is initialised; pairs with
	 * RB(buffer:A).  Until it is there the offset is 0, so all come here.
	 */
	struct ring_slot *slots = smp_load_acquire(&rc->slots);
	u32 size = rc->subbuf_size;
	unsigned long pos, off;

	if (unlikely(!slots))
		return lose_event(rc, RING_LOST_NO_BUFFER);
	if (unlikely(rc->header_size + need >= size))
		return lose_event(rc, RING_LOST_BIG);

	pos = local_read(&rc->offset);
	off = pos & (size - 1);
	if (!off || off + need >= size) {
		u64 seq = (pos + size - 1) >> rc->subbuf_shift;
		long word = atomic_long_read(&slots[seq & rc->slot_mask].word);

		/* As claim_slot() will find it. */
		if (ring_word_seq(word) < seq && is_busy(rc, word)) {
			WRITE_ONCE(ring_slot(rc, seq - 1)->refused, word);
			return lose_event(rc, RING_LOST_FULL);
		}
	}
	return reserve_record(rc, need, extra, need_long);
}

/* Calls @fn on a CPU as an interrupt, or for it when it is offline. */
static void call_writer(struct ring *ring, int cpu, void (*fn)(void *arg), void *arg)
{
	cpus_read_lock();
	if (cpu_online(cpu)) {
		smp_call_function_single(cpu, fn, arg, 1);
	} else {
		/*
		 * No writer is left on a CPU that is offline, and none can come
		 * while we hold the hotplug lock.  What is local to that CPU is
		 * ours, one of us at a time.
		 */
		mutex_lock(&ring->offline_lock);
		preempt_disable();
		fn(arg);
		preempt_enable();
		mutex_unlock(&ring->offline_lock);
	}
	cpus_read_unlock();
}

static void flush_cpu(struct ring *ring, int cpu)
{
	struct ring_cpu *rc = ring_cpu_get(ring, cpu);

	/* Nothing open: leave that CPU alone. */
	if (!rc || !(local_read(&rc->offset) & (rc->subbuf_size - 1)))
		return;
	call_writer(ring, cpu, close_current, rc);
}

void ring_flush(struct ring *ring, int cpu)
{
	if (cpu != RING_ALL_CPUS) {
		flush_cpu(ring, cpu);
		return;
	}
	for_each_possible_cpu(cpu)
		flush_cpu(ring, cpu);
}

/*
 * The first sub-buffer from @seq on that is not delivered, or @end.  Such a one before the
 * position has a writer that was interrupted in the middle of a record, by one that has gone on
 * to a later sub-buffer.  One that is delivered stays so.
 */
static __always_inline u64 find_incomplete(struct ring_cpu *rc, u64 seq, u64 end)
{
	u64 word;

	/* A slot that was claimed again had been delivered. */
	for (seq = max(seq, end - ring_nr(rc)); seq < end; seq++) {
		/* RB(peek:A): what was delivered is counted; pairs with RB(deliver:A). */
		word = atomic_long_read_acquire(&ring_slot(rc, seq)->word);
		/* OPEN; or this CPU does not see yet that it was. */
		if (word < (u64)ring_word(seq, RING_DELIVERED, 0))
			break;
	}
	return seq;
}

/* The argument of ring_position()'s interrupt. */
struct position_request {
	struct ring_cpu *rc;
	struct ring_position *position;
	u64 complete;		/* the sub-buffers before this one are delivered */
	bool busy;		/* a record before the position is not complete */
};

/*
 * The part of ring_position() that runs on the CPU, or for it when it is offline.  A
 * writer that interrupts us moves the offset and is complete when we go on.  So if the
 * offset is the same before and after, all the other values belong to it.
 */
static void look_at_open(void *arg)
{
	struct position_request *request = arg;
	struct ring_position *position = request->position;
	struct ring_cpu *rc = request->rc;
	unsigned int tries = 0;
	unsigned long pos, off;
	bool moved, busy;
	u64 delivered, seq;
	long commit;

	do {
		pos = local_read(&rc->offset);
		seq = pos >> rc->subbuf_shift;
		commit = local_read(&ring_slot(rc, seq)->commit);
		position->ts = record_time(rc, local_read(&rc->last_ts), tries++);
		position->lost = lost_events(rc);
		busy = find_incomplete(rc, request->complete, seq) < seq;
		delivered = local_read(&rc->delivered);
		moved = local_read(&rc->offset) != (long)pos;
	} while (moved && tries < TRIES);

	off = pos & (rc->subbuf_size - 1);
	position->pos = pos;
	position->nr_events = off ? (u32)commit : 0;
	position->recorded = delivered + position->nr_events;
	request->busy = moved || busy || (off && rc->subbuf_size +
					  (u64)(commit >> RING_BYTES_SHIFT) != off);
}
NOKPROBE_SYMBOL(look_at_open);

/*
 * The same from another CPU, if nothing is open there.  With preemption off, a ring that
 * is not stopped has the clock of now: see ring_stop().
 */
static bool look_at_boundary(struct position_request *request)
{
	struct ring_position *position = request->position;
	struct ring_cpu *rc = request->rc;
	u64 last, seq;

	position->pos = local_read(&rc->offset);
	seq = position->pos >> rc->subbuf_shift;
	request->complete = find_incomplete(rc, request->complete, seq);
	request->busy = request->complete < seq;
	if (position->pos & (rc->subbuf_size - 1))
		return false;
	position->nr_events = 0;
	preempt_disable();
	last = local_read(&rc->last_ts);
	position->ts = ring_is_on(rc) ? record_time(rc, last, 0) : last;
	position->lost = lost_events(rc);
	preempt_enable();
	position->recorded = local_read(&rc->delivered);
	/* Who counts a later sub-buffer has moved the offset before that, by a full barrier. */
	smp_rmb();
	if (local_read(&rc->offset) != (long)position->pos)
		position->recorded = U64_MAX;
	return true;
}

/* Each time, the writer that was interrupted in the middle of a record goes on. */
#define POSITION_TRIES	100

void ring_position(struct ring *ring, int cpu, struct ring_position *position)
{
	struct position_request request = {
		.rc = ring_cpu_get(ring, cpu),
		.position = position,
	};
	struct ring_cpu *rc = request.rc;
	int tries;

	memset(position, 0, sizeof(*position));
	if (!rc)
		return;
	for (tries = 0; tries < POSITION_TRIES; tries++) {
		/* Nothing open: leave that CPU alone. */
		if (look_at_boundary(&request) && !request.busy &&
		    position->recorded != U64_MAX)
			return;
		call_writer(ring, cpu, look_at_open, &request);
		if (!request.busy)
			return;
		cond_resched();
	}
	ring_flush(ring, cpu);
	/* If another sub-buffer was opened meanwhile: up to that one. */
	if (!look_at_boundary(&request)) {
		call_writer(ring, cpu, look_at_open, &request);
		position->pos &= ~(rc->subbuf_size - 1ul);
		position->nr_events = 0;
	}
	position->recorded = U64_MAX;
}
