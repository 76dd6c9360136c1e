// SPDX-License-Identifier: GPL-2.0
/*
 * The ring buffers alone, reserve, copy and commit: ours and the kernel's.
 * markers.ko does not export our ring, so ring_copy.c compiles its files into this
 * module once more.
 */
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/timex.h>
#include <linux/version.h>

#include <markers/arch/counter.h>

#include "../../markers/ring/packet.h"
#include "../../markers/ring/ring.h"
#include "bench.h"

/* Room for all records of an operation. */
#define RING_SIZE	(64UL << 20)
#define SUBBUF_SIZE	(32UL << 10)

static const char bytes[128] = "0123456789abcdef";

/*
 * Ours
 */

static struct ring *ring;
static u64 written;

static int begin_ours(enum ring_mode mode, unsigned long size)
{
	static u8 uuid[CTF_UUID_SIZE];
	const struct ring_config config = {
		.subbuf_size = SUBBUF_SIZE,
		.nr_subbufs = size / SUBBUF_SIZE,
		.mode = mode,
		.ops = &packet_ring_ops,
		.private = uuid,
	};

	written = 0;
	ring = ring_create(&config);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	ring_start(ring);
	return 0;
}

static int begin_overwrite(void)
{
	return begin_ours(RING_OVERWRITE, 1 << 20);
}

static int begin_discard(void)
{
	return begin_ours(RING_DISCARD, RING_SIZE);
}

static int end_ours(void)
{
	struct ring_stats stats;
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		ring_stats(ring, cpu, &stats);
		sum += stats.delivered + stats.open;
	}
	ring_destroy(ring);
	return sum == written ? 0 : -EIO;
}

static __always_inline void our_write(u32 len)
{
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record rec;

	if (!packet_reserve(rc, &rec, 1, len))
		return;
	memcpy(packet_event_header(&rec, 1), bytes, len);
	ring_commit(rc, &rec);
}

#define OURS(len)							\
BENCH_LOOP(loop_raw##len, our_write(len))				\
static u64 time_ours##len(unsigned long n)				\
{									\
	written += n;							\
	return bench_time(loop_raw##len, n);				\
}

OURS(8)
OURS(32)
OURS(128)

/*
 * The kernel's
 */

static struct trace_buffer *buffer;
static u64 entries;

static int begin_kernel(void)
{
	entries = 0;
	buffer = ring_buffer_alloc(1 << 20, RB_FL_OVERWRITE);
	return buffer ? 0 : -ENOMEM;
}

static int end_kernel(void)
{
	u64 sum = ring_buffer_entries(buffer) + ring_buffer_overruns(buffer);

	ring_buffer_free(buffer);
	return sum == entries ? 0 : -EIO;
}

static __always_inline void peer_write(u32 len)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(buffer, len);
	if (!event)
		return;
	memcpy(ring_buffer_event_data(event), bytes, len);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	ring_buffer_unlock_commit(buffer);
#else
	ring_buffer_unlock_commit(buffer, event);
#endif
}

#define KERNEL(len)							\
BENCH_LOOP(loop_rb##len, peer_write(len))				\
static u64 time_kernel##len(unsigned long n)				\
{									\
	entries += n;							\
	return bench_time(loop_rb##len, n);				\
}

KERNEL(8)
KERNEL(32)
KERNEL(128)

const struct bench_op bench_raw_ops[] = {
	{ "raw8", NULL, time_ours8, begin_overwrite, end_ours },
	{ "raw32", NULL, time_ours32, begin_overwrite, end_ours },
	{ "raw128", NULL, time_ours128, begin_overwrite, end_ours },
	{ "raw32_discard", NULL, time_ours32, begin_discard, end_ours },
	{ "rb8", NULL, time_kernel8, begin_kernel, end_kernel },
	{ "rb32", NULL, time_kernel32, begin_kernel, end_kernel },
	{ "rb128", NULL, time_kernel128, begin_kernel, end_kernel },
	{ }
};

int __init bench_raw_init(void)
{
	int err;

	/* this fails if the kernel has marked the counter as unstable */
	err = clock_init(COUNTER_NAME);
	if (err == -EINVAL)
		err = clock_init(NULL);
	if (err)
		return err;
	return ring_init();
}

void bench_raw_exit(void)
{
	ring_exit();
}
