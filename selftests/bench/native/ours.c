// SPDX-License-Identifier: GPL-2.0
/*
 * Our side: marker_dispatch() and what is behind it, the files of markers/ unchanged,
 * on a flight recorder of as many and as large sub-buffers as the peer's; and the ring
 * alone.
 */
#include <markers/trace/dispatch.h>
#include <markers/trace/record.h>

#include "native/bench.h"
#include "new_ring.h"

#define SUBBUF_SIZE	(256 * 1024)
#define NR_SUBBUFS	4

DEFINE_PER_CPU(struct ring_cpu *, marker_ring_cpu);
bool marker_recording = true;
__thread unsigned int bench_preempt_count = BENCH_NO_RESCHED;

static struct ring *rings[2], *raw_ring;	/* [clock is mono] */
static u8 uuid[CTF_UUID_SIZE];
static char bytes[128];
static u64 hits;
static int nr_cpus;

/* Named by what is recorded of them. */
static struct marker_event events[] = {
	{ .id = 0, .record = MARKER_RECORD_INTS, .format.text = "" },
	{ .id = 1, .record = MARKER_RECORD_INTS, .format.text = "number %d big %llu" },
	{ .id = 2, .record = MARKER_RECORD_STRING,
	  .format.text = "number %d big %llu text %s" },
	{ .id = 3, .record = MARKER_RECORD, .format.text = "number %d big %llu text %s" },
};

static struct marker markers[ARRAY_SIZE(events)];

/* As a site calls it, but for the thunk. */
#define LOOP(name, nr)							\
static noinline void loop_##name(long n)				\
{									\
	__atomic_fetch_add(&hits, n, __ATOMIC_RELAXED);			\
	while (n--) {							\
		u64 args[] = { (u64)(int)n, n, (uintptr_t)BENCH_TEXT };	\
									\
		marker_dispatch(&markers[nr], args);			\
		barrier();						\
	}								\
}

LOOP(none, 0)
LOOP(fixed, 1)
LOOP(event, 2)
LOOP(any, 3)

static __always_inline void put_raw(long n, u32 len)
{
	struct ring_cpu *rc = per_cpu_ptr(raw_ring->cpus, 0);
	struct ring_record rec = { };

	while (n--) {
		if (!ring_reserve(rc, &rec, len, 0, 0, false))
			continue;
		memcpy(rec.data, bytes, len);
		ring_commit(rc, &rec);
		barrier();
	}
}

#define RAW_LOOP(len)							\
static noinline void loop_raw##len(long n)				\
{									\
	put_raw(n, len);						\
}

RAW_LOOP(8)
RAW_LOOP(32)
RAW_LOOP(128)

static noinline void loop_empty(long n)
{
	while (n--)
		barrier();
}

/* What of an event is the clock. */
static noinline void loop_tsc(long n)
{
	while (n--) {
		get_cycles();
		barrier();
	}
}

static noinline void loop_mono(long n)
{
	while (n--)
		ktime_get_mono_fast_ns();
}

const struct bench_op bench_ours[] = {
	{ "empty", loop_empty },
	{ "tsc", loop_tsc },
	{ "mono", loop_mono },
	{ "event", loop_event },
	{ "fixed", loop_fixed },
	{ "none", loop_none },
	{ "any", loop_any },
	{ "event_mono", loop_event, .mono = true },
	{ "fixed_mono", loop_fixed, .mono = true },
	{ "none_mono", loop_none, .mono = true },
	{ "raw8", loop_raw8 },
	{ "raw32", loop_raw32 },
	{ "raw128", loop_raw128 },
	{ }
};

static struct ring *new_ring(void)
{
	struct ring *ring = unit_new_ring(SUBBUF_SIZE, NR_SUBBUFS, RING_OVERWRITE,
					  &packet_ring_ops, uuid);

	assert(ring);
	return ring;
}

void bench_ours_begin(int nr)
{
	struct marker_format_error error;
	size_t i;

	nr_cpus = nr;
	for (i = nr; i < nr_cpu_ids; i++)
		unit_cpu_offline[i] = true;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		const char *text = events[i].format.text;

		assert(!marker_format_parse(&events[i].format, text, &error));
		/* as the registry does */
		events[i].least = packet_header_size(i) + events[i].format.fixed_size +
				  events[i].format.variable;
		markers[i].state = events[i].record;
		markers[i].event = &events[i];
	}
	clock_init("mono");
	ring_init();
	rings[true] = new_ring();
	marker_clock.counter = true;
	rings[false] = new_ring();
	raw_ring = new_ring();
}

void bench_ours_cpu(int cpu)
{
	unit_cpu = cpu;
}

/* In the trace of one clock there is no time of the other. */
void bench_ours_clock(bool mono)
{
	marker_clock.counter = !mono;
	marker_ring_cpu = per_cpu_ptr(rings[mono]->cpus, unit_cpu);
}

/* An event as it must be.  Return: its bytes, or -1. */
static int check_event(u32 id, const u8 *from, u32 avail)
{
	const struct marker_format *format = &events[id].format;
	int size = marker_serialized_size(format, from, avail);
	int number;
	u64 big;

	if (id == 0 || size < 0)
		return size;
	memcpy(&number, from, sizeof(number));
	memcpy(&big, from + sizeof(number), sizeof(big));
	if ((int)big != number)
		return -1;
	if (id > 1 && strcmp((const char *)from + sizeof(number) + sizeof(big), BENCH_TEXT))
		return -1;
	return size;
}

static bool check_packet(const struct ring_packet *packet)
{
	u32 id, avail, nr = 0;
	struct packet_iter iter;
	const u8 *payload;
	u64 ts;
	int size;

	if (packet_iter_init(&iter, packet->data, packet->size))
		return false;
	while (!packet_iter_next(&iter, &id, &ts, &payload, &avail)) {
		size = id < ARRAY_SIZE(events) ? check_event(id, payload, avail) : -1;
		if (size < 0 || packet_iter_advance(&iter, size))
			return false;
		nr++;
	}
	return nr == packet->nr_events;
}

static bool check_cpu(struct ring *ring, int cpu, u64 *written)
{
	struct ring_packet packet;
	struct ring_stats stats;
	bool good = true;

	ring_flush(ring, cpu);
	ring_stats(ring, cpu, &stats);
	*written += stats.written;
	good = stats.delivered == stats.written;
	ring_reader_lock(ring, cpu);
	while (!ring_get(ring, cpu, &packet)) {
		good = check_packet(&packet) && good;
		ring_put(ring, cpu, &packet);
	}
	ring_reader_unlock(ring, cpu);
	return good;
}

/* Were all that was counted recorded, and is what is left of it right? */
bool bench_ours_end(void)
{
	u64 written = 0;
	bool good = true;
	int i, cpu;

	for (i = 0; i < 2; i++) {
		for (cpu = 0; cpu < nr_cpus; cpu++) {
			bench_ours_cpu(cpu);
			bench_ours_clock(i);
			good = check_cpu(rings[i], cpu, &written) && good;
		}
	}
	return good && written == hits;
}
