// SPDX-License-Identifier: GPL-2.0
/*
 * Reading: packets, one after another, and waiting for them.
 *
 * Called from tasks that may sleep.  One reader at a time per CPU, by
 * ring_reader_lock(), which the caller holds from ring_get() to ring_put().  No
 * writer ever waits for a reader.
 *
 * The states and the barriers are in ring_internal.h.
 */
#include "ring_internal.h"

void ring_reader_lock(struct ring *ring, int cpu)
{
	mutex_lock(&ring_cpu_of(ring, cpu)->reader_lock);
}

void ring_reader_unlock(struct ring *ring, int cpu)
{
	mutex_unlock(&ring_cpu_of(ring, cpu)->reader_lock);
}

/* The oldest sub-buffer at or after *seq that was not read: delivered, or open. */
static bool find_oldest(struct ring_cpu *rc, u64 *seq, long *word)
{
	for (;;) {
		/*
		 * RB(get:A), RB(peek:A): what is in the packet is loaded after
		 * its word; pairs with RB(deliver:A).
		 */
		long w = atomic_long_read_acquire(&ring_slot(rc, *seq)->word);
		u64 found = ring_word_seq(w);

		if (found < *seq)
			return false;
		if (found > *seq) {
			/* Overwritten.  The oldest one is next to the newest. */
			*seq = found - rc->slot_mask;
			continue;
		}
		if (ring_word_state(w) != RING_CONSUMED) {
			*word = w;
			return true;
		}
		(*seq)++;
	}
}

/*
 * The oldest one, if it was delivered.  Packets are read in order: one that is not
 * complete, because its writer was interrupted, holds up the later ones.
 */
static bool find_delivered(struct ring_cpu *rc, u64 *seq, long *word)
{
	return find_oldest(rc, seq, word) && ring_word_state(*word) == RING_DELIVERED;
}

int ring_get(struct ring *ring, int cpu, struct ring_packet *packet)
{
	struct ring_cpu *rc = ring_cpu_get(ring, cpu);
	u64 seq, overwritten;
	u32 buf;
	long word;

	if (!rc)
		return -EAGAIN;
	lockdep_assert_held(&rc->reader_lock);
	if (WARN_ON_ONCE(rc->busy))
		return -EAGAIN;

	seq = rc->read_seq;
	do {
		if (!find_delivered(rc, &seq, &word)) {
			WRITE_ONCE(rc->read_seq, seq);
			return -EAGAIN;
		}
		/* Before the cmpxchg, so that no later packet is counted. */
		overwritten = local_read(&rc->overwritten);
		/*
		 * RB(get:B): gives the spare to the writers, after all that was
		 * done with it; pairs with RB(claim:A).  It fails if a writer
		 * has overwritten the packet.
		 */
	} while (atomic_long_cmpxchg(&ring_slot(rc, seq)->word, word,
				     ring_word(seq, RING_CONSUMED, rc->spare)) != word);

	buf = ring_word_buf(word);
	rc->spare = buf;
	rc->busy = true;
	WRITE_ONCE(rc->read_seq, seq + 1);
	WRITE_ONCE(rc->read, rc->read + rc->bufs[buf].nr_events);

	*packet = (struct ring_packet) {
		.data = rc->data[buf],
		.size = rc->bufs[buf].size,
		.nr_events = rc->bufs[buf].nr_events,
		.seq = seq - ring_nr(rc),
		.lost_before = rc->bufs[buf].lost_before,
		.lost = rc->bufs[buf].lost,
		.overwritten = overwritten,
		.gone = overwritten + rc->read - rc->bufs[buf].nr_events,
	};
	return 0;
}

void ring_put(struct ring *ring, int cpu, struct ring_packet *packet)
{
	struct ring_cpu *rc = ring_cpu_of(ring, cpu);

	lockdep_assert_held(&rc->reader_lock);
	WARN_ON_ONCE(!rc->busy);
	rc->busy = false;
	packet->data = NULL;
}

void ring_exchange(struct ring *ring, int cpu, struct ring_packet *packet,
		   void *data)
{
	struct ring_cpu *rc = ring_cpu_of(ring, cpu);

	lockdep_assert_held(&rc->reader_lock);
	WARN_ON_ONCE(!rc->busy || rc->data[rc->spare] != packet->data);
	/* Published to the writers with the spare: RB(get:B). */
	rc->data[rc->spare] = data;
	rc->busy = false;
}

/* Was the sub-buffer @at open at @end? */
static bool was_open(const struct ring_cpu *rc, u64 at, const struct ring_position *end)
{
	return at == end->pos >> rc->subbuf_shift && end->pos & (rc->subbuf_size - 1);
}

/* The oldest one before @end: delivered, or what was open then. */
static bool find_before(struct ring_cpu *rc, u64 *seq, const struct ring_position *end,
			long *word)
{
	if (!find_oldest(rc, seq, word))
		return false;
	return was_open(rc, *seq, end) || (*seq < end->pos >> rc->subbuf_shift &&
					   ring_word_state(*word) == RING_DELIVERED);
}

/* Nothing before @end can be read; all before @at is gone.  Is some of it from *seq on? */
static int peek_gone(struct ring_cpu *rc, u64 *seq, u64 at, const struct ring_position *end,
		     struct ring_packet *packet)
{
	u64 from = *seq + ring_nr(rc);
	u64 next = (end->pos + rc->subbuf_size - 1) >> rc->subbuf_shift;

	if (from >= next || from >= at)
		return -EAGAIN;
	*seq = next - ring_nr(rc) + 1;
	*packet = (struct ring_packet) {
		.seq = next - ring_nr(rc),
		.lost_before = end->lost,
		.lost = end->lost,
		.overwritten = local_read(&rc->overwritten),
		.is_last = true,
	};
	/* If @at is before @end, it is not complete. */
	packet->gone = at < next ? packet->overwritten + rc->read : end->recorded;
	return -ENODATA;
}

int ring_peek(struct ring *ring, int cpu, u64 *seq, const struct ring_position *end,
	      void *copy, struct ring_packet *packet)
{
	struct ring_cpu *rc = ring_cpu_get(ring, cpu);
	bool is_open;
	long word;
	u32 buf;
	u64 at;

	if (!rc)
		return -EAGAIN;
	lockdep_assert_held(&rc->reader_lock);

	at = *seq + ring_nr(rc);
	do {
		if (!find_before(rc, &at, end, &word))
			return peek_gone(rc, seq, at, end, packet);
		is_open = was_open(rc, at, end);
		buf = ring_word_buf(word);
		packet->size = is_open ? end->pos & (rc->subbuf_size - 1) :
			min(READ_ONCE(rc->bufs[buf].size), rc->subbuf_size);
		packet->nr_events = is_open ? end->nr_events :
			READ_ONCE(rc->bufs[buf].nr_events);
		packet->lost_before = READ_ONCE(rc->bufs[buf].lost_before);
		packet->lost = is_open ? end->lost : READ_ONCE(rc->bufs[buf].lost);
		packet->overwritten = local_read(&rc->overwritten);
		packet->gone = packet->overwritten + rc->read;
		/*
		 * If a writer overwrites it meanwhile, the copy is dropped.  If
		 * one closes it, what it stores into the head is replaced below.
		 */
		data_race(memcpy(copy, rc->data[buf], packet->size));
		/*
		 * RB(peek:B): the word is loaded again after the bytes; pairs
		 * with RB(claim:B).  It may be delivered meanwhile, but not got.
		 */
		smp_rmb();
	} while (ring_word_seq(atomic_long_read(&ring_slot(rc, at)->word)) != at);

	if (is_open) {
		packet->size = ring->config.ops->close(copy, packet->size, end->ts);
		ring->config.ops->deliver(copy, end->nr_events);
	}
	packet->data = copy;
	packet->is_last = is_open || (at + 1) << rc->subbuf_shift == end->pos;
	packet->seq = at - ring_nr(rc);
	*seq = packet->seq + 1;
	return 0;
}

u64 ring_last_time(struct ring *ring)
{
	u64 last = 0, ts;
	int cpu;

	for_each_possible_cpu(cpu) {
		ts = local_read(&ring_cpu_of(ring, cpu)->last_ts);
		last = max(last, ts);
	}
	return last;
}

static void start_at(u64 *base, u64 counted)
{
	/* RB(clear:A): the counter was loaded before; pairs with RB(clear:B). */
	smp_store_release(base, counted);
}

void ring_clear(struct ring *ring, int cpu, struct ring_losses *losses)
{
	struct ring_cpu *rc = ring_cpu_get(ring, cpu);
	struct ring_packet packet;
	u64 end, lost;
	int i;

	memset(losses, 0, sizeof(*losses));
	if (!rc)
		return;
	lockdep_assert_held(&rc->reader_lock);
	/* Not more packets than now, or a busy writer would keep us here. */
	end = (unsigned long)local_read(&rc->offset) >> rc->subbuf_shift;
	while (rc->read_seq < end && !ring_get(ring, cpu, &packet))
		ring_put(ring, cpu, &packet);

	for (i = 0; i < RING_NR_LOST; i++) {
		lost = local_read(&rc->lost[i]);
		start_at(&rc->lost_base[i], lost);
		losses->lost += lost;
	}
	losses->overwritten = local_read(&rc->overwritten);
	losses->gone = losses->overwritten + rc->read;
	start_at(&rc->overwritten_base, losses->overwritten);
	start_at(&rc->read_base, rc->read);
}

bool ring_readable(struct ring *ring, int cpu)
{
	struct ring_cpu *rc;
	long word;
	u64 seq;

	if (cpu == RING_ALL_CPUS) {
		for_each_possible_cpu(cpu)
			if (ring_readable(ring, cpu))
				return true;
		return false;
	}
	rc = ring_cpu_get(ring, cpu);
	if (!rc)
		return false;
	seq = READ_ONCE(rc->read_seq);
	return find_delivered(rc, &seq, &word);
}

/*
 * Ask the writers of @cpu for a wake-up, and look again.
 *
 * A writer looks at @awaited only where it opens or delivers a sub-buffer.  So we set
 * @awaited first, and then close the open sub-buffer: the next record has to open one.
 * No wake-up is lost in between:
 *
 *	reader				writer
 *	awaited = true			offset: open, or word: deliver
 *	smp_mb()	RB(wait:A)	smp_mb()	RB(wake:A)
 *	offset open?  flush		awaited?  wake
 *	word delivered?
 *
 * If the writer does not see @awaited, the reader sees its sub-buffer: delivered, or open
 * and then flushed.  The flush delivers it; or, if a record in it is not complete, the
 * writer of that record does, and then sees @awaited.
 */
static bool want_packet(struct ring *ring, int cpu)
{
	struct ring_cpu *rc;
	int c;

	for_each_possible_cpu(c) {
		if (cpu != RING_ALL_CPUS && cpu != c)
			continue;
		rc = ring_cpu_of(ring, c);
		WRITE_ONCE(rc->awaited_seq, 0);
		WRITE_ONCE(rc->awaited, true);
	}
	/* RB(wait:A): before the flush and the look; pairs with RB(wake:A). */
	smp_mb();
	ring_flush(ring, cpu);
	return ring_readable(ring, cpu);
}

/* Has a writer seen and cleared @awaited, on at least one of these CPUs? */
static bool is_noticed(struct ring *ring, int cpu)
{
	if (cpu != RING_ALL_CPUS)
		return !READ_ONCE(ring_cpu_of(ring, cpu)->awaited);
	for_each_possible_cpu(cpu)
		if (is_noticed(ring, cpu))
			return true;
	return false;
}

int ring_wait(struct ring *ring, int cpu)
{
	int err;

	if (ring_readable(ring, cpu) || want_packet(ring, cpu))
		return 0;
	err = wait_event_interruptible(ring->wait, is_noticed(ring, cpu) ||
				       ring_readable(ring, cpu));
	/* The first record of a sub-buffer woke us. */
	if (!err)
		ring_flush(ring, cpu);
	return err;
}

/*
 * Are @nr unread sub-buffers closed, and is one of them complete?  In overwrite mode,
 * overwritten ones count, too.
 */
static bool is_filled(struct ring *ring, int cpu, u32 nr)
{
	struct ring_cpu *rc = ring_cpu_of(ring, cpu);
	u64 closed = (unsigned long)local_read(&rc->offset) >> rc->subbuf_shift;

	return ring_readable(ring, cpu) && closed >= READ_ONCE(rc->read_seq) + nr;
}

/*
 * As want_packet(), without a flush: the writer changes the number of the sub-buffer in
 * the offset before it looks at @awaited, and the reader looks at that number.
 */
static bool want_filled(struct ring *ring, int cpu, u32 nr)
{
	struct ring_cpu *rc = ring_cpu_of(ring, cpu);

	WRITE_ONCE(rc->awaited_seq, READ_ONCE(rc->read_seq) + nr);
	WRITE_ONCE(rc->awaited, true);
	/* RB(wait:A) */
	smp_mb();
	return is_filled(ring, cpu, nr);
}

/* One sub-buffer always stays open. */
static u32 limit_filled(struct ring *ring, u32 nr)
{
	return min(nr, ring->config.nr_subbufs - 1);
}

int ring_wait_filled(struct ring *ring, int cpu, ring_needed_fn *needed)
{
	u32 asked = needed(ring), nr = limit_filled(ring, asked);

	if (!asked)
		return ring_wait(ring, cpu);
	if (is_filled(ring, cpu, nr) || want_filled(ring, cpu, nr))
		return 0;
	/*
	 * We miss a ring_wakeup() that came before we set @awaited, but then
	 * needed() has another answer.
	 */
	return wait_event_interruptible(ring->wait, is_noticed(ring, cpu) ||
					needed(ring) != asked ||
					is_filled(ring, cpu, nr));
}

bool ring_poll_filled(struct ring *ring, int cpu, ring_needed_fn *needed,
		      struct file *file, struct poll_table_struct *table)
{
	u32 nr;

	/* Before needed(), so that we do not miss a ring_wakeup(). */
	poll_wait(file, &ring->wait, table);
	nr = needed(ring);
	if (!nr)
		return ring_readable(ring, cpu) || want_packet(ring, cpu);
	nr = limit_filled(ring, nr);
	return is_filled(ring, cpu, nr) || want_filled(ring, cpu, nr);
}

bool ring_poll(struct ring *ring, int cpu, struct file *file,
	       struct poll_table_struct *table)
{
	poll_wait(file, &ring->wait, table);
	return ring_readable(ring, cpu) || want_packet(ring, cpu);
}

void ring_wakeup(struct ring *ring)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(ring_cpu_of(ring, cpu)->awaited, false);
	wake_up_interruptible_poll(&ring->wait, EPOLLIN | EPOLLRDNORM);
}
