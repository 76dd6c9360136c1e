/* SPDX-License-Identifier: GPL-2.0 */
/* A ring that is on, for the tests. */
#ifndef _UNIT_NEW_RING_H
#define _UNIT_NEW_RING_H

#include <markers/ring/ring.h>

/* NULL: out of memory. */
static inline struct ring *unit_new_ring(u32 subbuf_size, u32 nr_subbufs,
					 enum ring_mode mode,
					 const struct ring_ops *ops, void *private)
{
	struct ring_config config = {
		.subbuf_size = subbuf_size,
		.nr_subbufs = nr_subbufs,
		.mode = mode,
		.ops = ops,
		.private = private,
	};
	struct ring *ring = ring_create(&config);

	if (IS_ERR(ring))
		return NULL;
	ring_start(ring);
	return ring;
}

/* As markers/record/buffer.c does it. */
static inline void unit_clear(struct ring *ring, int cpu)
{
	struct ring_losses losses;
	int i;

	for_each_possible_cpu(i) {
		if (cpu != RING_ALL_CPUS && cpu != i)
			continue;
		ring_flush(ring, i);
		ring_reader_lock(ring, i);
		ring_clear(ring, i, &losses);
		ring_reader_unlock(ring, i);
	}
}

/* The complete packets, and no other. */
static inline int unit_peek(struct ring *ring, int cpu, u64 *seq, void *copy,
			    struct ring_packet *packet)
{
	struct ring_position end;

	ring_position(ring, cpu, &end);
	end.pos &= ~(ring->config.subbuf_size - 1ul);
	return ring_peek(ring, cpu, seq, &end, copy, packet);
}

#endif /* _UNIT_NEW_RING_H */
