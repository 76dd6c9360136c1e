// SPDX-License-Identifier: GPL-2.0
/*
 * Our side: marker_dispatch_recorded() and all that it calls, the files of markers/ unchanged,
 * on a flight recorder whose sub-buffers have the number and the size of the peer's; and
 * the ring alone.
 */
#include <markers/format/quick_tail.h>
#include <markers/format/serialize.h>
#include <markers/format/serialized.h>
#include <markers/ring/packet.h>
#include <markers/ring/packet_read.h>
#include <markers/model/event.h>
#include <markers/record/record.h>
#include <markers/hit/callstack.h>
#include <markers/hit/dispatch_internal.h>
#include <markers/hit/hists.h>
#include <markers/hit/hit.h>
#include <markers/hit/recursion.h>

#include "native/bench.h"
#include "new_ring.h"

#define SUBBUF_SIZE	(256 * 1024)
#define NR_SUBBUFS	4

DEFINE_PER_CPU(struct ring_cpu *, marker_ring_cpu);
DEFINE_PER_CPU(struct recursion, marker_recursion);
struct bench_task bench_task;
__thread unsigned int bench_preempt_count = BENCH_NO_RESCHED;

static struct ring *rings[2], *raw_ring;	/* [clock is mono] */
static u8 uuid[CTF_UUID_SIZE];
static char bytes[128];
static u64 hits;
static int nr_cpus;

/* Named after the fields that are recorded; the last one takes the general way. */
enum {
	NONE,
	FIXED,
	EVENT,
	STRINGS2,
	STRING35,
	INTS6,
	INTS12,
	MAC,
	ANY,
	NR_EVENTS
};

#define SIX_INTS	"number %d big %llu c %d d %d e %u f %llu"

static struct marker_event events[NR_EVENTS] = {
	[NONE] = { .record = MARKER_RECORD_NONE, .format.text = "" },
	[FIXED] = { .record = MARKER_RECORD_INTS, .format.text = "number %d big %llu" },
	[EVENT] = { .record = MARKER_RECORD_STRING,
		    .format.text = "number %d big %llu text %s" },
	[STRINGS2] = { .record = MARKER_RECORD_MIXED,
		       .format.text = "number %d big %llu text %s more %s" },
	[STRING35] = { .record = MARKER_RECORD_STRING,
		       .format.text = "number %d text %s" },
	[INTS6] = { .record = MARKER_RECORD_INTS,
		    .format.text = SIX_INTS },
	[INTS12] = { .record = MARKER_RECORD_INTS,
		     .format.text = SIX_INTS " g %d h %d i %d j %d k %u l %llu" },
	[MAC] = { .record = MARKER_RECORD_FIXED, .format.text = "number %d mac %pM" },
	[ANY] = { .record = MARKER_RECORD, .format.text = "number %d big %llu text %s" },
};

static struct marker markers[NR_EVENTS];

/* In place of dispatch.c, which does this and more. */
notrace void marker_dispatch_slow(const struct marker_event *event, const u64 *args,
				  struct ring_cpu *rc)
{
	recursion_enter();
	marker_hit_any(rc, event, args);
	recursion_leave();
	enable_preemption();
}

/* For a hit within a hit, which there is none of, and for strings that do not fit. */
void marker_dispatch_all(const struct marker_event *event, const u64 *args, u32 state)
{
	(void)state;
	marker_dispatch_slow(event, args, raw_cpu_read(marker_ring_cpu));
}

/* None has an instance, a probe, a filter or a hist. */
void marker_dispatch_shared(const struct marker_event *event, const u64 *args)
{
	marker_dispatch_all(event, args, 0);
}

void marker_dispatch_probed(const struct marker_event *event, const u64 *args, u32 state,
			    va_list *list)
{
	(void)list;
	marker_dispatch_all(event, args, state);
}

bool marker_filter_passes(const struct marker_filter_test *test, const u64 *args,
			  const u64 *contexts)
{
	(void)test;
	(void)args;
	(void)contexts;
	abort();
}

struct marker_map_bucket *marker_map_find(const struct marker_map *map, struct marker_map_cpu *mc,
					  u32 at, const u64 *key)
{
	(void)map;
	(void)mc;
	(void)at;
	(void)key;
	abort();
}

void marker_hists_count(const struct marker_hist_run *run, const struct marker_map *map,
			const u64 *args, s64 latency)
{
	(void)run;
	(void)map;
	(void)args;
	(void)latency;
	abort();
}

/* No event asks for a stack. */
void marker_callstack_take(struct marker_callstack *stack, unsigned int depth)
{
	(void)stack;
	(void)depth;
	abort();
}

/* There is none: see test_preempt_need_resched(). */
void marker_run_deferred_reschedule(void)
{
	abort();
}

/* Calls it as the thunk does. */
#define LOOP(name, nr, ...)						\
static noinline void loop_##name(long n)				\
{									\
	__atomic_fetch_add(&hits, n, __ATOMIC_RELAXED);			\
	while (n--) {							\
		u64 args[] = { (u64)(int)n, ##__VA_ARGS__ };		\
									\
		marker_dispatch_recorded(&events[nr], args,		\
					 READ_ONCE(markers[nr].state));	\
		barrier();						\
	}								\
}

LOOP(none, NONE)
LOOP(fixed, FIXED, n)
LOOP(event, EVENT, n, (uintptr_t)BENCH_TEXT)
LOOP(strings2, STRINGS2, n, (uintptr_t)BENCH_TEXT, (uintptr_t)BENCH_MORE)
LOOP(string35, STRING35, (uintptr_t)BENCH_LONG)
LOOP(ints6, INTS6, n, 3, 4, 5, 6)
LOOP(ints12, INTS12, n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
LOOP(mac, MAC, (uintptr_t)BENCH_MORE BENCH_MORE)
LOOP(any, ANY, n, (uintptr_t)BENCH_TEXT)

static __always_inline void put_raw(long n, u32 len)
{
	struct ring_cpu *rc = ring_cpu_of(raw_ring, 0);
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

/* The clock's part of an event's cost. */
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
	{ "strings2", loop_strings2 },
	{ "string35", loop_string35 },
	{ "ints6", loop_ints6 },
	{ "ints12", loop_ints12 },
	{ "mac", loop_mac },
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
		struct marker_plan *plan = &events[i].format.plan;
		const char *text = events[i].format.text;

		assert(!marker_format_parse(&events[i].format, text, &error));
		/* as the registry does */
		events[i].id = i;
		events[i].header = packet_header_bits(i);
		events[i].header_size = packet_header_size(i);
		marker_plan_place(plan, events[i].header_size);
		events[i].front = plan->at[plan->nr_front];
		events[i].least = events[i].header_size + events[i].format.fixed_size +
				  events[i].format.nr_variable;
		events[i].most = events[i].least;
		if (events[i].record == MARKER_RECORD)
			events[i].most = U64_MAX / 4;
		if (events[i].record == MARKER_RECORD_STRING)
			events[i].most = events[i].front + QUICK_SHORT;
		if (events[i].record == MARKER_RECORD_MIXED)
			events[i].most = events[i].front + quick_most(plan);
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

/* The trace of one clock has no times of the other. */
void bench_ours_clock(bool mono)
{
	marker_clock.counter = !mono;
	marker_ring_cpu = ring_cpu_of(rings[mono], unit_cpu);
}

/* Check one event.  Return: its bytes, or -1. */
static int check_event(u32 id, const u8 *from, u32 avail)
{
	const struct marker_format *format = &events[id].format;
	int size = marker_serialized_size(format, from, avail);
	const char *text = (const char *)from + events[id].front - events[id].header_size;
	int number;
	u64 big;

	if (id == NONE || size < 0)
		return size;
	memcpy(&number, from, sizeof(number));
	if (id == STRING35)
		return strcmp(text, BENCH_LONG) ? -1 : size;
	if (id == MAC)
		return memcmp(text, BENCH_MORE BENCH_MORE, 6) ? -1 : size;
	memcpy(&big, from + sizeof(number), sizeof(big));
	if ((int)big != number)
		return -1;
	if ((id == EVENT || id == STRINGS2 || id == ANY) && strcmp(text, BENCH_TEXT))
		return -1;
	if (id == STRINGS2 && strcmp(text + sizeof(BENCH_TEXT), BENCH_MORE))
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

/* Did the ring record all events that were counted, and are the remaining ones intact? */
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
