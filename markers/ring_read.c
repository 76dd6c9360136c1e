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

/**
 * ring_reader_lock() - become the reader of a CPU
 * @ring:	the ring
 * @cpu:	a possible CPU
 *
 * Context: may sleep. Nothing else of the ring is locked inside, but by
 * ring_steal(), which allocates memory.
 */
void ring_reader_lock(struct ring *ring, int cpu)
{
	mutex_lock(&per_cpu_ptr(ring->cpus, cpu)->reader_lock);
}

/**
 * ring_reader_lock_interruptible() - the same, unless a signal comes
 * @ring:	the ring
 * @cpu:	a possible CPU
 *
 * Context: may sleep.
 * Return: 0 or -EINTR.
 */
int ring_reader_lock_interruptible(struct ring *ring, int cpu)
{
	return mutex_lock_interruptible(&per_cpu_ptr(ring->cpus, cpu)->reader_lock);
}

/**
 * ring_reader_unlock() - done
 * @ring:	the ring
 * @cpu:	as for ring_reader_lock()
 *
 * Context: any task.
 */
void ring_reader_unlock(struct ring *ring, int cpu)
{
	mutex_unlock(&per_cpu_ptr(ring->cpus, cpu)->reader_lock);
}

/*
 * The oldest delivered packet at or after *seq.  Packets are read in order: one
 * that is not complete, because its writer was interrupted, holds up the later
 * ones.
 */
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
		switch (ring_word_state(w)) {
		case RING_OPEN:
			return false;
		case RING_CONSUMED:
			(*seq)++;
			break;
		case RING_DELIVERED:
			*word = w;
			return true;
		}
	}
}

/* As lost_events() for the writer. */
static u64 overwritten_events(struct ring_cpu *rc)
{
	return local_read(&rc->overwritten) - READ_ONCE(rc->overwritten_base);
}

/**
 * ring_get() - take the oldest complete packet
 * @ring:	the ring
 * @cpu:	its CPU
 * @packet:	the result, the caller's until ring_put()
 *
 * Context: holds ring_reader_lock().
 * Return: 0, or -EAGAIN if there is none.
 */
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
		if (!find_oldest(rc, &seq, &word)) {
			WRITE_ONCE(rc->read_seq, seq);
			return -EAGAIN;
		}
		/* Before the cmpxchg, so that no later packet is counted. */
		overwritten = overwritten_events(rc);
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

	packet->data = rc->data[buf];
	packet->size = rc->bufs[buf].size;
	packet->nr_events = rc->bufs[buf].nr_events;
	packet->seq = seq - ring_nr(rc);
	packet->overwritten = overwritten;
	return 0;
}

/**
 * ring_put() - done with a packet
 * @ring:	the ring
 * @cpu:	its CPU
 * @packet:	from ring_get()
 *
 * Context: holds ring_reader_lock().
 */
void ring_put(struct ring *ring, int cpu, struct ring_packet *packet)
{
	struct ring_cpu *rc = per_cpu_ptr(ring->cpus, cpu);

	lockdep_assert_held(&rc->reader_lock);
	WARN_ON_ONCE(!rc->busy);
	rc->busy = false;
	packet->data = NULL;
}

/**
 * ring_steal() - keep the pages of a packet, in place of ring_put()
 * @ring:	the ring
 * @cpu:	its CPU
 * @packet:	from ring_get(); it stays as it is
 *
 * All pages of the sub-buffer at @packet->data are the caller's, who frees each
 * one, used or not, with put_page().
 *
 * Context: holds ring_reader_lock(). Sleeps.
 * Return: 0, or -ENOMEM if there is no replacement: nothing has happened, and the
 * caller may copy instead.
 */
int ring_steal(struct ring *ring, int cpu, struct ring_packet *packet)
{
	struct ring_cpu *rc = per_cpu_ptr(ring->cpus, cpu);
	void *data;

	lockdep_assert_held(&rc->reader_lock);
	if (WARN_ON_ONCE(!rc->busy || rc->data[rc->spare] != packet->data))
		return -EINVAL;
	data = ring_subbuf_alloc(rc->subbuf_size, cpu, 0);
	if (!data)
		return -ENOMEM;
	ring_exchange(ring, cpu, packet, data);
	return 0;
}

/**
 * ring_exchange() - ring_steal() that cannot fail
 * @ring:	the ring
 * @cpu:	its CPU
 * @packet:	from ring_get(); it stays as it is
 * @data:	what the ring gets in its place, from ring_subbuf_alloc() or an
 *		earlier ring_exchange(); whatever is in it
 *
 * Context: holds ring_reader_lock().
 */
void ring_exchange(struct ring *ring, int cpu, struct ring_packet *packet,
		   void *data)
{
	struct ring_cpu *rc = per_cpu_ptr(ring->cpus, cpu);

	lockdep_assert_held(&rc->reader_lock);
	WARN_ON_ONCE(!rc->busy || rc->data[rc->spare] != packet->data);
	/* Published to the writers with the spare: RB(get:B). */
	rc->data[rc->spare] = data;
	rc->busy = false;
}

/**
 * ring_peek() - copy the oldest complete packet and leave it there
 * @ring:	the ring
 * @cpu:	its CPU
 * @seq:	at or after this one; set to the next. Start with 0
 * @copy:	room for a sub-buffer
 * @packet:	what it is; @packet->data is @copy
 *
 * In overwrite mode the packet may be overwritten while it is copied; then the
 * copy is dropped, and the next one tried.
 *
 * Context: holds ring_reader_lock().
 * Return: 0, or -EAGAIN if there is none.
 */
int ring_peek(struct ring *ring, int cpu, u64 *seq, void *copy,
	      struct ring_packet *packet)
{
	struct ring_cpu *rc = ring_cpu_get(ring, cpu);
	u64 at;
	u32 buf;
	long word;

	if (!rc)
		return -EAGAIN;
	lockdep_assert_held(&rc->reader_lock);

	at = *seq + ring_nr(rc);
	do {
		if (!find_oldest(rc, &at, &word))
			return -EAGAIN;
		buf = ring_word_buf(word);
		packet->size = min(READ_ONCE(rc->bufs[buf].size), rc->subbuf_size);
		packet->nr_events = READ_ONCE(rc->bufs[buf].nr_events);
		packet->overwritten = overwritten_events(rc);
		/* dropped, if it was being overwritten */
		data_race(memcpy(copy, rc->data[buf], packet->size));
		/*
		 * RB(peek:B): the word is loaded again after the bytes; pairs
		 * with RB(claim:B).
		 */
		smp_rmb();
	} while (atomic_long_read(&ring_slot(rc, at)->word) != word);

	packet->data = copy;
	packet->seq = at - ring_nr(rc);
	*seq = packet->seq + 1;
	return 0;
}

/**
 * ring_clear() - drop what is there and count from zero
 * @ring:	the ring
 * @cpu:	its CPU, or RING_ALL_CPUS
 *
 * What is written while this runs may be dropped or kept.
 *
 * Context: may sleep. Takes ring_reader_lock() and the CPU hotplug lock.
 */
void ring_clear(struct ring *ring, int cpu)
{
	struct ring_packet packet;
	struct ring_cpu *rc;
	u64 end;
	int i;

	if (cpu == RING_ALL_CPUS) {
		for_each_possible_cpu(cpu)
			ring_clear(ring, cpu);
		return;
	}
	rc = ring_cpu_get(ring, cpu);
	if (!rc)
		return;

	ring_flush(ring, cpu);
	ring_reader_lock(ring, cpu);
	/* Not more than there is now, or a busy writer would keep us here. */
	end = (unsigned long)local_read(&rc->offset) >> rc->subbuf_shift;
	while (rc->read_seq < end && !ring_get(ring, cpu, &packet))
		ring_put(ring, cpu, &packet);

	for (i = 0; i < RING_NR_LOST; i++)
		WRITE_ONCE(rc->lost_base[i], local_read(&rc->lost[i]));
	WRITE_ONCE(rc->overwritten_base, local_read(&rc->overwritten));
	WRITE_ONCE(rc->read_base, rc->read);
	ring_reader_unlock(ring, cpu);
}

/**
 * ring_readable() - is there a complete packet?
 * @ring:	the ring
 * @cpu:	its CPU, or RING_ALL_CPUS
 *
 * Context: any.
 * Return: whether ring_get() would have succeeded a moment ago.
 */
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
	return find_oldest(rc, &seq, &word);
}

/*
 * Ask the writers of @cpu for a wake-up, and look again.
 *
 * A writer looks at the wish only where it opens or delivers a sub-buffer.  The
 * trick is to close what is open, after the wish is known: so the next record has
 * to open one.  Nothing is lost in between:
 *
 *	reader				writer
 *	wanted = true			offset: open, or word: deliver
 *	smp_mb()	RB(wait:A)	smp_mb()	RB(wake:A)
 *	offset open?  flush		wanted?  wake
 *	word delivered?
 *
 * If the writer does not see the wish, the reader sees its sub-buffer: delivered,
 * or open and then flushed.  Flushed, it is delivered by the flush; or, when a
 * record in it is not complete, by the writer of that record, who then sees the
 * wish.
 */
static bool want(struct ring *ring, int cpu)
{
	struct ring_cpu *rc;
	int c;

	for_each_possible_cpu(c) {
		if (cpu != RING_ALL_CPUS && cpu != c)
			continue;
		rc = per_cpu_ptr(ring->cpus, c);
		WRITE_ONCE(rc->wanted_seq, 0);
		WRITE_ONCE(rc->wanted, true);
	}
	/* RB(wait:A): before the flush and the look; pairs with RB(wake:A). */
	smp_mb();
	ring_flush(ring, cpu);
	return ring_readable(ring, cpu);
}

/* Has a writer taken notice, on at least one of these CPUs? */
static bool noticed(struct ring *ring, int cpu)
{
	if (cpu != RING_ALL_CPUS)
		return !READ_ONCE(per_cpu_ptr(ring->cpus, cpu)->wanted);
	for_each_possible_cpu(cpu)
		if (noticed(ring, cpu))
			return true;
	return false;
}

/**
 * ring_wait() - sleep until there is something to read
 * @ring:	the ring
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 *
 * Any record will do: partly filled sub-buffers are flushed.
 *
 * Context: sleeps; does not hold ring_reader_lock(). Takes the CPU hotplug lock.
 * Return: 0 if it is worth trying ring_get() again, though another reader, or
 * ring_wakeup(), may have come first; -ERESTARTSYS for a signal.
 */
int ring_wait(struct ring *ring, int cpu)
{
	int err;

	if (ring_readable(ring, cpu) || want(ring, cpu))
		return 0;
	err = wait_event_interruptible(ring->wait, noticed(ring, cpu) ||
				       ring_readable(ring, cpu));
	/* What woke us was the first record of a sub-buffer. */
	if (!err)
		ring_flush(ring, cpu);
	return err;
}

/*
 * Are @nr sub-buffers closed that were not read, and a packet among them complete?
 * In overwrite mode, those that were overwritten count as well.
 */
static bool is_filled(struct ring *ring, int cpu, u32 nr)
{
	struct ring_cpu *rc = per_cpu_ptr(ring->cpus, cpu);
	u64 closed = (unsigned long)local_read(&rc->offset) >> rc->subbuf_shift;

	return ring_readable(ring, cpu) && closed >= READ_ONCE(rc->read_seq) + nr;
}

/*
 * The same trick as in want(), without a flush: what the reader looks at, and what
 * the writer changes before he looks at the wish, is the number of the sub-buffer in
 * the offset.
 */
static bool want_filled(struct ring *ring, int cpu, u32 nr)
{
	struct ring_cpu *rc = per_cpu_ptr(ring->cpus, cpu);

	WRITE_ONCE(rc->wanted_seq, READ_ONCE(rc->read_seq) + nr);
	WRITE_ONCE(rc->wanted, true);
	/* RB(wait:A) */
	smp_mb();
	return is_filled(ring, cpu, nr);
}

/* One sub-buffer stays open, however long one waits. */
static u32 limit_filled(struct ring *ring, u32 nr)
{
	return min(nr, ring->config.nr_subbufs - 1);
}

/**
 * ring_wait_filled() - sleep until so many sub-buffers are full
 * @ring:	the ring
 * @cpu:	a possible CPU; the caller is its only reader
 * @nr:		so many; all but one are the most. 0: ring_wait()
 *
 * Partly filled sub-buffers are left alone.
 *
 * Context: as ring_wait().
 * Return: as ring_wait().
 */
int ring_wait_filled(struct ring *ring, int cpu, u32 nr)
{
	if (!nr)
		return ring_wait(ring, cpu);
	nr = limit_filled(ring, nr);
	if (is_filled(ring, cpu, nr) || want_filled(ring, cpu, nr))
		return 0;
	return wait_event_interruptible(ring->wait, noticed(ring, cpu) ||
					is_filled(ring, cpu, nr));
}

/**
 * ring_poll_filled() - ring_poll() that waits as ring_wait_filled() does
 * @ring:	the ring
 * @cpu:	as there
 * @nr:		as there
 * @file:	as for ring_poll()
 * @table:	likewise
 *
 * Context: as ring_poll().
 * Return: are so many full?
 */
bool ring_poll_filled(struct ring *ring, int cpu, u32 nr, struct file *file,
		      struct poll_table_struct *table)
{
	if (!nr)
		return ring_poll(ring, cpu, file, table);
	nr = limit_filled(ring, nr);
	poll_wait(file, &ring->wait, table);
	return is_filled(ring, cpu, nr) || want_filled(ring, cpu, nr);
}

/**
 * ring_poll() - for a file's poll method
 * @ring:	the ring
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 * @file:	of the method
 * @table:	of the method
 *
 * Context: may sleep. Takes the CPU hotplug lock.
 * Return: is there something to read?
 */
bool ring_poll(struct ring *ring, int cpu, struct file *file,
	       struct poll_table_struct *table)
{
	poll_wait(file, &ring->wait, table);
	return ring_readable(ring, cpu) || want(ring, cpu);
}

/**
 * ring_wakeup() - let all readers that wait look again
 * @ring:	the ring
 *
 * For when there is a reason to stop waiting that the ring does not know.
 *
 * Context: any.
 */
void ring_wakeup(struct ring *ring)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(ring->cpus, cpu)->wanted, false);
	wake_up_interruptible_poll(&ring->wait, EPOLLIN | EPOLLRDNORM);
}
