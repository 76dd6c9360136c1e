/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the tests of hits: a module whose markers are hit, and what they record, as text.  The
 * registry makes the events, as for a module.
 */
#ifndef _UNIT_DISPATCH_KIT_H
#define _UNIT_DISPATCH_KIT_H

#include <markers/format/print.h>
#include <markers/format/serialize.h>
#include <markers/format/serialized.h>
#include <markers/ring/packet.h>
#include <markers/ring/packet_read.h>
#include <markers/model/counts.h>
#include <markers/hit/asks.h>
#include <markers/hit/callstack.h>
#include <markers/record/record.h>
#include <markers/hit/dispatch.h>
#include <markers/hit/hists.h>
#include <markers/hit/latencies.h>

#include "switch_kit.h"

/* In place of markers/record. */
static unsigned int counted_down;

void marker_recording_count_down(struct marker_recording *recording)
{
	(void)recording;
	counted_down++;
}

/* What the actions did since the last call, one word each. */
static char acted[256];

bool marker_recording_is_on(const struct marker_recording *recording)
{
	return recording->live != MARKER_LIVE_OFF;
}

void marker_recording_hit_on(struct marker_recording *recording)
{
	recording->live = MARKER_LIVE_ON;
	strcat(acted, "on ");
}

void marker_recording_hit_off(struct marker_recording *recording, u32 after)
{
	recording->live = after ? MARKER_LIVE_ENDING : MARKER_LIVE_OFF;
	strcat(acted, after ? "ending " : "off ");
}

/* In place of asks.c. */

void marker_asks_queue(struct marker_action *action)
{
	strcat(acted, marker_trigger_name(action->kind));
	strcat(acted, " ");
}

bool marker_asks_are_busy(void)
{
	return false;
}

static bool may_dump = true;
static unsigned int dump_claimed;

bool marker_asks_claim_dump(struct marker_recording *recording, unsigned int nr)
{
	(void)recording;
	dump_claimed = may_dump ? nr : 0;
	return may_dump;
}

void marker_asks_end_dump(void)
{
	dump_claimed = 0;
}

static void dump_asked(struct irq_work *work)
{
	(void)work;
	sprintf(acted + strlen(acted), "dump=%u ", dump_claimed);
}

struct irq_work marker_asks_dump = { .func = dump_asked };

/* Writes contexts other than the usual ones, which the hit writes inline.  Here: only a stack. */
u8 *marker_context_write_any(u8 *to, u32 set);

u8 *marker_context_write_any(u8 *to, u32 set)
{
	is_int(set, BIT(MARKER_CONTEXT_CALLSTACK), "contexts of the function for any");
	*to++ = 0;
	return to;
}

/* In place of callstack.c: two frames of its own, then 1, 2, 3 ... up to the depth. */
void marker_callstack_take(struct marker_callstack *stack, unsigned int depth)
{
	unsigned int i;

	stack->first = 2;
	stack->nr = depth;
	for (i = 0; i < depth; i++)
		stack->address[2 + i] = i + 1;
}

/* Hits find the recording from its ring. */
static struct marker_buffer buffer_of_top = { .recording = &marker_top };
static struct marker_buffer *buffer = &buffer_of_top;	/* of the next ring */
static struct ring *ring;
static u32 ring_tag;		/* of the next one */
static const struct marker_clock *ring_clock;	/* of the next one; NULL: marker_clock */

enum { NONE, INTS, TEXT, MIXED, FIXED, MANY };

static struct kit_module m = {
	.mod.name = "m",
	.marker = {
		[NONE] = { "none", " ", 1 },
		[INTS] = { "ints", "a %d b %llx c %c", 1 },
		[TEXT] = { "text", "n %d s %s", 1 },
		[MIXED] = { "mixed", "%s %5ph %d %.*s", 1 },
		[FIXED] = { "fixed", "mac %pm n %u", 1 },
		[MANY] = { "many", "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", 1 },
	},
};

#define ARG(x)	((u64)(unsigned long)(x))

static void hit_args(int nr, const u64 *args)
{
	u32 count = unit_preempt_count;

	marker_dispatch(&m.marker[nr].marker, args);
	if (count != unit_preempt_count)
		ok(false, "preemption is not as it was after %s", m.marker[nr].name);
}

#define hit(nr, ...)	hit_args(nr, (const u64[]){ 0, ##__VA_ARGS__ } + 1)

static void begin(u32 nr_subbufs, enum ring_mode mode)
{
	const struct ring_config config = {
		.subbuf_size = 4096,
		.nr_subbufs = nr_subbufs,
		.mode = mode,
		.ops = &packet_ring_ops,
		.private = buffer->uuid,
		.clock = ring_clock,
		.tag = ring_tag,
		.kind = ring_tag ? MARKER_WRITER_ANY : MARKER_WRITER_PLAIN,
		.added = marker_context_size(ring_tag),
	};

	ring = ring_create(&config);
	assert(!IS_ERR(ring));
	ring_start(ring);
	marker_ring_cpu = ring_this_cpu(ring);
}

static void end(void)
{
	ring_destroy(ring);
}

/* "name: text" of each record, one per line. */
static inline const char *recorded(void)
{
	static char text[1 << 16];
	struct marker_event *event;
	struct packet_iter iter;
	struct marker_contexts contexts;
	struct ring_packet packet;
	const u8 *payload;
	u32 id, avail;
	char *at = text;
	int size, skip;
	u64 ts;

	*at = '\0';
	ring_flush(ring, unit_cpu);
	ring_reader_lock(ring, unit_cpu);
	while (!ring_get(ring, unit_cpu, &packet)) {
		packet_iter_init(&iter, packet.data, packet.size);
		while (!packet_iter_next(&iter, &id, &ts, &payload, &avail)) {
			event = marker_registry_by_id(id);
			skip = marker_context_length(ring->config.tag, payload, avail);
			assert(skip >= 0);
			marker_context_read(&contexts, marker_context_set(ring->config.tag),
					    payload);
			payload += skip;
			avail -= skip;
			at += sprintf(at, "%s: ", event->name);
			size = marker_serialized_size(&event->format, payload, avail);
			assert(size >= 0);
			at += marker_print_event(at, text + sizeof(text) - at, &event->format,
						 payload);
			at += sprintf(at, "\n");
			at += marker_print_callstack(at, text + sizeof(text) - at, &contexts,
						     false);
			packet_iter_advance(&iter, skip + size);
		}
		ring_put(ring, unit_cpu, &packet);
	}
	ring_reader_unlock(ring, unit_cpu);
	return text;
}

static const u8 mac[8] = { 1, 2, 3, 4, 5, 6 };

static inline void hit_all(const char *string)
{
	hit(NONE);
	hit(INTS, -5, 0x123456789abcdefull, 'x');
	hit(TEXT, 7, ARG(string));
	hit(MIXED, ARG(string), ARG(mac), -1, 2, ARG("abc"));
	hit(FIXED, ARG(mac), 9);
	hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

/* What hit_all() records. */
static inline const char *all(const char *string)
{
	static char text[4096];

	snprintf(text, sizeof(text),
		 "none: \n"
		 "ints: a -5 b 123456789abcdef c x\n"
		 "text: n 7 s %s\n"
		 "mixed: %s 01 02 03 04 05 -1 ab\n"
		 "fixed: mac 010203040506 n 9\n"
		 "many: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n", string, string);
	return text;
}

/* "hits: recorded filtered lost skipped off" */
static __maybe_unused const char *counts_in(struct marker_recording *recording, int nr)
{
	struct marker_event *event = m.marker[nr].marker.event;
	struct marker_sum sum = { };
	static char text[128];

	marker_registry_lock();
	if (marker_counts_of(recording, event))
		marker_counts_read(recording, event, 0, &sum);
	marker_counts_reset(recording, event);
	marker_registry_unlock();
	snprintf(text, sizeof(text), "%llu: %llu %llu %llu %llu %llu",
		 (unsigned long long)sum.hits,
		 (unsigned long long)sum.nr[MARKER_HIT_RECORDED],
		 (unsigned long long)sum.nr[MARKER_HIT_FILTERED],
		 (unsigned long long)sum.nr[MARKER_HIT_LOST],
		 (unsigned long long)sum.nr[MARKER_HIT_SKIPPED],
		 (unsigned long long)sum.nr[MARKER_HIT_OFF]);
	return text;
}

static __maybe_unused const char *counts(int nr)
{
	return counts_in(&marker_top, nr);
}

static int trigger(const char *text)
{
	return marker_triggers_set(&marker_top, "m", "ints", text);
}

/* Of hits in a probe. */
static u32 __maybe_unused context;
static unsigned int __maybe_unused nested;

/* Run tests with a clock that is a call, and with one that is an instruction. */
static int kit_run(void (*tests)(void))
{
	int i;

	assert(!clock_init(NULL) && !ring_init());
	marker_top.live = MARKER_LIVE_ON;
	kit_begin();
	kit_load(&m);
	for (i = 0; i < 2; i++) {
		marker_clock.counter = i;
		tests();
	}
	kit_unload(&m);
	is_int(unit_preempt_count, 0, "preemption is on");
	ring_exit();
	return kit_end();
}

#endif /* _UNIT_DISPATCH_KIT_H */
