// SPDX-License-Identifier: GPL-2.0
/*
 * Rings with a description, and packets from them with all losses counted.  record/ and
 * readers call this in process context.
 *
 * The ring counts, from its creation, how many events were lost before a packet, in it, and
 * by overwriting others before it.  A reader remembers the counts that it has reported.  It
 * reports new losses with the next packet, whose count of discarded events is the sum of
 * all reported losses.  So that count never goes back, even after a clear.
 */
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/ring/packet.h>
#include <markers/ring/packet_read.h>
#include "buffer.h"

struct marker_buffer *marker_buffer_create(const struct ring_config *config)
{
	struct ring_config ours = *config;
	struct marker_buffer *buffer;
	int err = -ENOMEM;

	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer)
		return ERR_PTR(err);
	refcount_set(&buffer->refs, 1);
	refcount_set(&buffer->holds, 1);
	init_rwsem(&buffer->files_lock);
	buffer->taken = alloc_percpu_gfp(struct marker_place, GFP_KERNEL_ACCOUNT);
	if (!buffer->taken)
		goto err_free;
	ours.ops = &packet_ring_ops;
	ours.private = buffer->uuid;
	ours.clock = &buffer->clock;
	BUILD_BUG_ON(MARKER_WRITER_ANY != RING_NR_KINDS);
	ours.kind = !ours.tag ? MARKER_WRITER_PLAIN :
		    ours.tag == MARKER_CONTEXT_USUAL ? MARKER_WRITER_USUAL :
		    MARKER_WRITER_ANY;
	ours.added = marker_context_size(ours.tag);
	buffer->ring = ring_create(&ours);
	if (!IS_ERR(buffer->ring))
		return buffer;

	err = PTR_ERR(buffer->ring);
	free_percpu(buffer->taken);
err_free:
	kfree(buffer);
	return ERR_PTR(err);
}

void marker_buffer_put(struct marker_buffer *buffer)
{
	if (!refcount_dec_and_test(&buffer->refs))
		return;
	ring_destroy(buffer->ring);
	free_percpu(buffer->taken);
	marker_buffer_release(buffer);
}

/*
 * Open files that do not consume: they keep a buffer that is not written any more, but not for
 * ever.
 */

void marker_buffer_release(struct marker_buffer *buffer)
{
	if (refcount_dec_and_test(&buffer->holds))
		kfree(buffer);
}

bool marker_buffer_open(struct marker_buffer *buffer)
{
	bool is_first = false, is_open;

	down_write(&buffer->files_lock);
	is_open = !buffer->is_revoked;
	if (is_open) {
		is_first = !buffer->nr_files++;
		marker_buffer_hold(buffer);
	}
	up_write(&buffer->files_lock);
	if (!is_first)
		marker_buffer_put(buffer);
	return is_open;
}

void marker_buffer_close(struct marker_buffer *buffer)
{
	bool is_last;

	down_write(&buffer->files_lock);
	is_last = !--buffer->nr_files && !buffer->is_revoked;
	up_write(&buffer->files_lock);
	if (is_last)
		marker_buffer_put(buffer);
	marker_buffer_release(buffer);
}

bool marker_buffer_enter(struct marker_buffer *buffer)
{
	down_read(&buffer->files_lock);
	if (!buffer->is_revoked)
		return true;
	up_read(&buffer->files_lock);
	return false;
}

void marker_buffer_leave(struct marker_buffer *buffer)
{
	up_read(&buffer->files_lock);
}

bool marker_buffer_revoke_unused(struct marker_buffer *buffer)
{
	bool is_revoked;

	down_write(&buffer->files_lock);
	buffer->is_revoked |= !buffer->nr_files;
	is_revoked = buffer->is_revoked;
	up_write(&buffer->files_lock);
	return is_revoked;
}

void marker_buffer_revoke(struct marker_buffer *buffer)
{
	bool has_ref;

	down_write(&buffer->files_lock);
	has_ref = buffer->nr_files && !buffer->is_revoked;
	buffer->is_revoked = true;
	up_write(&buffer->files_lock);
	if (has_ref)
		marker_buffer_put(buffer);
}

u64 marker_buffer_time(const struct marker_buffer *buffer)
{
	u64 now;

	preempt_disable();
	now = clock_read(&buffer->clock);
	preempt_enable();
	if (READ_ONCE(buffer->retired))
		return U64_MAX;
	/*
	 * The clock may have been set back, as a suspend does to the CPU's counter, or
	 * this CPU's may be late.  Then events are ahead of it.
	 */
	return max(now, ring_last_time(buffer->ring));
}

static void clear_cpu(struct marker_buffer *buffer, int cpu)
{
	struct marker_place *taken = per_cpu_ptr(buffer->taken, cpu);
	struct ring_losses losses;

	ring_flush(buffer->ring, cpu);
	/* In one go: a reader that takes a packet in between reports losses after it. */
	ring_reader_lock(buffer->ring, cpu);
	ring_clear(buffer->ring, cpu, &losses);
	taken->recorded = losses.gone;
	taken->overwritten = losses.overwritten;
	taken->lost = losses.lost;
	taken->cleared = true;
	ring_reader_unlock(buffer->ring, cpu);
}

void marker_buffer_clear(struct marker_buffer *buffer, int cpu)
{
	int i;

	for_each_possible_cpu(i) {
		if (cpu == RING_ALL_CPUS || cpu == i)
			clear_cpu(buffer, i);
	}
}

/* A reader that begins after a clear counts from zero; one in progress goes on. */
static void count_from_clear(struct marker_place *place)
{
	if (place->cleared)
		place->told = 0;
	place->cleared = false;
}

void marker_buffer_begin(struct marker_buffer *buffer, int cpu)
{
	int i;

	for_each_possible_cpu(i) {
		if (cpu != RING_ALL_CPUS && cpu != i)
			continue;
		ring_reader_lock(buffer->ring, i);
		count_from_clear(per_cpu_ptr(buffer->taken, i));
		ring_reader_unlock(buffer->ring, i);
	}
}

void marker_buffer_rewind(struct marker_buffer *buffer, int cpu,
			  struct marker_place *place)
{
	ring_reader_lock(buffer->ring, cpu);
	*place = *per_cpu_ptr(buffer->taken, cpu);
	ring_reader_unlock(buffer->ring, cpu);
	count_from_clear(place);
	ring_position(buffer->ring, cpu, &place->end);
}

/* The increase of a count that never goes back; @known may be ahead after a clear. */
static u64 count_new(u64 *known, u64 now)
{
	u64 before = *known;

	if (now <= before)
		return 0;
	*known = now;
	return now - before;
}

/*
 * Report the losses at a packet, which is the reader's own or its copy; @overwritten: events
 * before it that were not reported.
 */
static void report_losses(struct marker_place *place, struct ring_packet *packet,
			  u64 overwritten, struct marker_gap *gap)
{
	gap->before = overwritten + count_new(&place->lost, packet->lost_before);
	gap->after = count_new(&place->lost, packet->lost);
	place->seq = packet->seq + 1;
	place->recorded += packet->nr_events;
	place->told += gap->before + gap->after;
	packet_set_discarded(packet->data, place->told);
}

static int take_packet(struct marker_buffer *buffer, int cpu, void *copy, void **data,
		       struct ring_packet *packet, struct marker_gap *gap)
{
	struct marker_place *taken = per_cpu_ptr(buffer->taken, cpu);
	struct ring_packet inside;
	int err;

	err = ring_get(buffer->ring, cpu, &inside);
	if (err)
		return err;
	*packet = inside;
	if (copy) {
		packet->data = memcpy(copy, inside.data, inside.size);
		ring_put(buffer->ring, cpu, &inside);
	} else {
		ring_exchange(buffer->ring, cpu, &inside, *data);
		*data = inside.data;
	}
	/* All packets before this one were taken or overwritten. */
	taken->recorded = packet->gone;
	report_losses(taken, packet, count_new(&taken->overwritten, packet->overwritten), gap);
	return 0;
}

int marker_buffer_take(struct marker_buffer *buffer, int cpu, void *copy,
		       void **data, struct ring_packet *packet,
		       struct marker_gap *gap)
{
	int err;

	ring_reader_lock(buffer->ring, cpu);
	err = take_packet(buffer, cpu, copy, data, packet, gap);
	ring_reader_unlock(buffer->ring, cpu);
	return err;
}

/* A packet without events, for what was lost. */
static void make_empty(struct marker_buffer *buffer, int cpu, u64 ts, void *copy,
		       struct ring_packet *packet)
{
	packet_ring_ops.open(copy, ts, packet->seq, cpu, buffer->uuid);
	packet->size = packet_ring_ops.close(copy, packet_ring_ops.header_size, ts);
	packet_ring_ops.deliver(copy, 0);
	packet->data = copy;
}

int marker_buffer_peek(struct marker_buffer *buffer, int cpu,
		       struct marker_place *place, void *copy,
		       struct ring_packet *packet, struct marker_gap *gap)
{
	const struct marker_place *taken = per_cpu_ptr(buffer->taken, cpu);
	u64 at = place->seq, overwritten, missing = 0;
	bool is_passed;
	int err;

	ring_reader_lock(buffer->ring, cpu);
	err = ring_peek(buffer->ring, cpu, &at, &place->end, copy, packet);
	is_passed = taken->recorded > place->recorded;
	ring_reader_unlock(buffer->ring, cpu);
	if (err && err != -ENODATA)
		return err;
	/* A gap: all events before the packet are gone. */
	if (err || packet->seq != place->seq)
		missing = count_new(&place->recorded, packet->gone);
	/* If a consumer has taken some of them, no more than that were overwritten. */
	overwritten = count_new(&place->overwritten, packet->overwritten);
	if (is_passed || packet->gone == U64_MAX)
		missing = min(missing, overwritten);
	if (err && !missing)
		return -EAGAIN;
	if (err)
		make_empty(buffer, cpu, place->end.ts, copy, packet);
	/* Events were lost after the last packet was closed. */
	if (packet->is_last && place->end.lost > packet->lost) {
		packet->lost = place->end.lost;
		packet_extend(copy, place->end.ts);
	}
	report_losses(place, packet, missing, gap);
	return 0;
}
