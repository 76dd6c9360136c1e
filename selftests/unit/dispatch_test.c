// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of markers that are recorded, by each way, and of markers with probes; from within a
 * probe and from interrupts; while the ring is full and while nothing is recorded.
 *
 * The registry makes the events, as for a module, and the test reads the records as text.
 */
#include <markers/format/print.h>
#include <markers/format/serialize.h>
#include <markers/ring/packet.h>
#include <markers/switch/counts.h>
#include <markers/trace/callstack.h>
#include <markers/trace/channel.h>
#include <markers/trace/deferred.h>
#include <markers/trace/dispatch.h>
#include <markers/trace/hists.h>
#include <markers/trace/last_words.h>
#include <markers/trace/latencies.h>
#include "switch_kit.h"

/* In place of channel.c. */
struct ring_cpu *marker_ring_cpu;
u32 marker_live = ~0u;

static unsigned int counted_down;

void marker_channel_count_down(void)
{
	counted_down++;
}

/* What the actions did since the last call, one word each. */
static char acted[256];

struct marker_recording marker_top;

bool marker_channel_is_on(const struct marker_recording *recording)
{
	(void)recording;
	return marker_live != MARKER_LIVE_OFF;
}

void marker_channel_hit_on(void)
{
	marker_live = MARKER_LIVE_ON;
	strcat(acted, "on ");
}

void marker_channel_hit_off(u32 after)
{
	marker_live = after ? MARKER_LIVE_ENDING : MARKER_LIVE_OFF;
	strcat(acted, after ? "ending " : "off ");
}

void marker_deferred_queue(struct marker_action *action)
{
	strcat(acted, marker_trigger_name(action->kind));
	strcat(acted, " ");
}

bool marker_deferred_is_busy(void)
{
	return false;
}

static bool may_dump = true;

bool marker_last_words_may_ask(void)
{
	return may_dump;
}

void marker_last_words_ask(unsigned int nr)
{
	sprintf(acted + strlen(acted), "dump=%u ", nr);
}

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

static u8 uuid[CTF_UUID_SIZE];
static struct ring *ring;
static u32 ring_tag;		/* of the next one */

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
		.private = uuid,
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
static const char *recorded(void)
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
			marker_print_event(at, text + sizeof(text) - at, &event->format,
					   payload, avail);
			at += strlen(at);
			at += sprintf(at, "\n");
			at += marker_print_callstack(at, text + sizeof(text) - at, &contexts);
			size = marker_serialized_size(&event->format, payload, avail);
			assert(size >= 0);
			packet_iter_advance(&iter, skip + size);
		}
		ring_put(ring, unit_cpu, &packet);
	}
	ring_reader_unlock(ring, unit_cpu);
	return text;
}

static const u8 mac[8] = { 1, 2, 3, 4, 5, 6 };

static void hit_all(const char *string)
{
	hit(NONE);
	hit(INTS, -5, 0x123456789abcdefull, 'x');
	hit(TEXT, 7, ARG(string));
	hit(MIXED, ARG(string), ARG(mac), -1, 2, ARG("abc"));
	hit(FIXED, ARG(mac), 9);
	hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

/* What hit_all() records. */
static const char *all(const char *string)
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

static void test_record(void)
{
	static const char *const strings[] = {
		"", "1", "seven77", "eight888", "sixteen_16161616", "a string of more than two words",
	};
	unsigned int i;

	begin(4, RING_DISCARD);
	hit_all("off");
	is_str(recorded(), "", "disabled");
	marker_control_set("m", "*", true);
	for (i = 0; i < ARRAY_SIZE(strings); i++) {
		hit_all(strings[i]);
		is_str(recorded(), all(strings[i]), "recorded, with \"%s\"", strings[i]);
	}
	hit(TEXT, 1, 0);
	is_str(recorded(), "text: n 1 s (null)\n", "a null pointer");
	ring_stop(ring);
	hit_all("stopped");
	ring_start(ring);
	is_str(recorded(), "", "stopped");
	marker_control_set("m", "*", false);
	hit_all("off");
	is_str(recorded(), "", "disabled again");
	end();
}

/* A gap in time that does not fit a short header. */
static void test_time(void)
{
	char wanted[8192];

	snprintf(wanted, sizeof(wanted), "%s%s", all("gap"), all("gap"));
	unit_time_ns = 1000;
	begin(4, RING_DISCARD);
	marker_control_set("m", "*", true);
	hit_all("gap");
	unit_time_ns += 1ull << 40;
	hit_all("gap");
	is_str(recorded(), wanted, "events far apart");
	marker_control_set("m", "*", false);
	end();
	unit_time_ns = 0;
}

/* Writes the records that fit, and counts the others. */
static void test_full(void)
{
	struct ring_stats stats;
	unsigned int i, nr = 0;
	const char *c;

	begin(2, RING_DISCARD);
	marker_control_set("m", "*", true);
	for (i = 0; i < 1000; i++)
		hit_all("full");
	ring_stats(ring, unit_cpu, &stats);
	is_int(stats.written, 6000, "hits");
	ok(stats.lost[RING_LOST_FULL] > 0, "lost: %llu",
	   (unsigned long long)stats.lost[RING_LOST_FULL]);
	for (c = recorded(); (c = strchr(c, '\n')); c++)
		nr++;
	is_int(nr, 6000 - stats.lost[RING_LOST_FULL], "the others are there");
	marker_control_set("m", "*", false);
	end();
}

/* Probes. */

static unsigned int calls, others;
static char seen[256];

static void see(void *private, void *call, const char *fmt, va_list *args)
{
	calls++;
	vsnprintf(seen, sizeof(seen), fmt, *args);
	ok(private == &calls && !call, "what the probe is given");
	ok(unit_preempt_count & 0xff, "preemption is off in a probe");
}

static void see_too(void *private, void *call, const char *fmt, va_list *args)
{
	others++;
}

static void test_probes(void)
{
	calls = 0;
	others = 0;
	begin(4, RING_DISCARD);
	marker_probe_register("ints", NULL, see, &calls);
	marker_probe_register("many", NULL, see, &calls);
	hit(INTS, 1, 2, 'z');
	is_int(calls, 1, "calls");
	is_str(seen, "a 1 b 2 c z", "its arguments");
	is_str(recorded(), "", "probed, not recorded");
	hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	is_str(seen, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", "16 arguments");
	marker_control_set("m", "*", true);
	hit(INTS, 3, 4, 'y');
	is_int(calls, 3, "calls");
	is_str(recorded(), "ints: a 3 b 4 c y\n", "probed and recorded");
	ring_stop(ring);
	hit(INTS, 3, 4, 'y');
	is_int(calls, 4, "called while nothing is recorded");
	marker_probe_register("ints", NULL, see_too, NULL);
	hit(INTS, 5, 6, 'x');
	is_int(calls, 5, "calls of the first of two probes");
	is_int(others, 1, "calls of the second");
	marker_probe_unregister("ints", see_too, NULL);
	marker_probe_unregister("ints", see, &calls);
	marker_probe_unregister("many", see, &calls);
	marker_control_set("m", "*", false);
	end();
}

/* A probe that hits markers: in its own context, and in an interrupt. */

static u32 context;
static unsigned int nested;

static void hit_again(void *private, void *call, const char *fmt, va_list *args)
{
	if (nested++ > 10)
		return;
	unit_preempt_count += context;
	hit(NONE);
	hit(INTS, 8, 8, '8');
	hit(TEXT, 8, ARG("again"));
	unit_preempt_count -= context;
}

static void test_nested(void)
{
	static const struct {
		const char *name;
		u32 count;
		bool recorded;
	} contexts[] = {
		{ "the same context", 0, false },
		{ "a softirq", SOFTIRQ_OFFSET, true },
		{ "an interrupt", HARDIRQ_OFFSET, true },
		{ "an NMI", 0x100000, true },
	};
	const char *inner = "none: \nints: a 8 b 8 c 8\ntext: n 8 s again\n";
	char wanted[256];
	unsigned int i;
	u64 skipped;

	begin(4, RING_DISCARD);
	marker_control_set("m", "*", true);
	for (i = 0; i < ARRAY_SIZE(contexts); i++) {
		context = contexts[i].count;
		/* the inner one of a probed marker, too */
		marker_probe_register("ints", NULL, hit_again, NULL);
		nested = 0;
		skipped = marker_dispatch_skipped(0);
		hit(INTS, 1, 1, '1');
		snprintf(wanted, sizeof(wanted), "ints: a 1 b 1 c 1\n%s",
			 contexts[i].recorded ? inner : "");
		is_str(recorded(), wanted, "hits in a probe, in %s", contexts[i].name);
		/* an interrupt calls the probe once more, and skips the hits within that call */
		is_int(marker_dispatch_skipped(0) - skipped, 3, "skipped");
		is_int(nested, contexts[i].recorded ? 2 : 1, "calls of the probe");
		marker_probe_unregister("ints", hit_again, NULL);
		hit(INTS, 2, 2, '2');
		is_str(recorded(), "ints: a 2 b 2 c 2\n", "afterwards all is well");
	}
	marker_control_set("m", "*", false);
	end();
}

/* "hits: recorded filtered lost skipped off" */
static const char *counts(int nr)
{
	struct marker_event *event = m.marker[nr].marker.event;
	struct marker_sum sum = { };
	static char text[128];

	marker_registry_lock();
	if (event->counts)
		marker_counts_read(event, 0, &sum);
	marker_counts_reset(event);
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

static void all_counts(const char *wanted, const char *what)
{
	int nr;

	for (nr = NONE; nr <= MANY; nr++)
		is_str(counts(nr), wanted, "%s: counts of %s", what, m.marker[nr].name);
}

static void test_counts(void)
{
	struct ring_stats stats;
	unsigned int i;
	char text[64];
	int nr;

	for (nr = NONE; nr <= MANY; nr++)
		counts(nr);
	begin(2, RING_DISCARD);
	hit_all("off");
	marker_control_set("m", "*", MARKER_ASK_COUNT);
	hit_all("counted");
	is_str(recorded(), "", "counted, not recorded");
	all_counts("1: 0 0 0 0 1", "counted");
	marker_control_set("m", "*", MARKER_ASK_COUNT | MARKER_ASK_RECORD);
	hit_all("both");
	is_str(recorded(), all("both"), "counted and recorded");
	all_counts("1: 1 0 0 0 0", "counted and recorded");
	hit(TEXT, 1, 0);
	hit(TEXT, 1, ARG("a string of more than two words"));
	hit(TEXT, 1, ARG("7"));
	is_str(counts(TEXT), "3: 3 0 0 0 0", "strings");
	ring_stop(ring);
	hit_all("stopped");
	ring_start(ring);
	all_counts("1: 0 0 0 0 1", "stopped");

	end();
	begin(2, RING_DISCARD);
	for (i = 0; i < 1000; i++)
		hit(INTS, 1, 2, 'x');
	ring_stats(ring, unit_cpu, &stats);
	ok(stats.lost[RING_LOST_FULL] > 0, "lost: %llu",
	   (unsigned long long)stats.lost[RING_LOST_FULL]);
	snprintf(text, sizeof(text), "1000: %llu 0 %llu 0 0",
		 (unsigned long long)(1000 - stats.lost[RING_LOST_FULL]),
		 (unsigned long long)stats.lost[RING_LOST_FULL]);
	is_str(counts(INTS), text, "what was recorded and lost");
	marker_control_set("m", "*", false);
	hit_all("off");
	all_counts("0: 0 0 0 0 0", "disabled");
	end();

	/* a probe that hits markers, in its own context and in an interrupt */
	begin(4, RING_DISCARD);
	marker_control_set("m", "*", MARKER_ASK_COUNT | MARKER_ASK_RECORD);
	marker_probe_register("ints", NULL, hit_again, NULL);
	context = 0;
	nested = 0;
	hit(INTS, 1, 1, '1');
	is_str(counts(INTS), "2: 1 0 0 1 0", "in a probe");
	is_str(counts(TEXT), "1: 0 0 0 1 0", "in a probe");
	context = HARDIRQ_OFFSET;
	nested = 0;
	hit(INTS, 1, 1, '1');
	is_str(counts(INTS), "3: 2 0 0 1 0", "in an interrupt");
	is_str(counts(TEXT), "2: 1 0 0 1 0", "in an interrupt");
	marker_control_set("m", "*", MARKER_ASK_COUNT);
	context = 0;
	nested = 0;
	hit(INTS, 1, 1, '1');
	is_str(counts(INTS), "2: 0 0 0 1 1", "counted and probed");
	is_str(counts(TEXT), "1: 0 0 0 0 1", "counted in a probe");
	marker_probe_unregister("ints", hit_again, NULL);
	marker_control_set("m", "*", false);
	end();
}

/* With each filter, two hits of which the second one passes. */
static void test_filters(void)
{
	static const char bad[] = "a string that is longer than one word";

	begin(4, RING_DISCARD);
	is_int(marker_control_set_patterns(&marker_rules, "m:ints if b > 5\n"
					   "m:text if s == abc && n < 0 || $ctx.tid == 9 && n == 8\n"
					   "m:mixed if arg0 ~ a*\nm:many if arg15 != 16", true), 0,
	       "filters");
	is_int(m.marker[INTS].marker.state, MARKER_FILTERED, "state");
	hit(INTS, 1, 5, '1');
	hit(INTS, 1, -1, '1');
	is_str(recorded(), "ints: a 1 b ffffffffffffffff c 1\n", "one comparison, unsigned");
	hit(TEXT, 1, ARG("abc"));
	hit(TEXT, -1, ARG(bad));
	hit(TEXT, -1, ARG("abc"));
	is_str(recorded(), "text: n -1 s abc\n", "two and a string");
	unit_task.pid = 9;
	hit(TEXT, 8, ARG(bad));
	unit_task.pid = 0;
	hit(TEXT, 8, ARG(bad));
	is_str(recorded(), "text: n 8 s a string that is longer than one word\n", "by thread");
	hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	is_str(recorded(), "", "sixteen arguments");

	/* a probe sees every hit */
	marker_probe_register("ints", NULL, see, &calls);
	is_int(m.marker[INTS].marker.state, MARKER_FILTERED | MARKER_PROBED, "state with a probe");
	calls = 0;
	hit(INTS, 1, 5, '1');
	hit(INTS, 1, 6, '1');
	is_int(calls, 2, "calls of the probe");
	is_str(recorded(), "ints: a 1 b 6 c 1\n", "with a probe");
	marker_probe_unregister("ints", see, &calls);

	/* within a probe, in its context, only a filter that reads no memory is applied */
	marker_control_set_filter("m", "ints", "a == 1 && b == 7");
	marker_probe_register("ints", NULL, hit_again, NULL);
	context = 0;
	nested = 0;
	counts(INTS);
	marker_control_set("m", "ints", MARKER_ASK_RECORD | MARKER_ASK_COUNT);
	hit(INTS, 1, 6, '1');
	is_str(counts(INTS), "2: 0 1 0 1 0", "one is filtered out, and one in its probe skipped");
	is_int(nested, 1, "the probe was called");
	is_str(recorded(), "", "nothing is recorded");
	marker_probe_unregister("ints", hit_again, NULL);

	/* counted, too */
	hit(INTS, 1, 7, '1');
	hit(INTS, 1, 8, '1');
	marker_control_set_filter("m", "ints", "b >= 8");
	hit(INTS, 1, 7, '1');
	hit(INTS, 1, 8, '1');
	is_str(recorded(), "ints: a 1 b 7 c 1\nints: a 1 b 8 c 1\n", "filtered and counted");
	is_str(counts(INTS), "4: 2 2 0 0 0", "its counts");
	marker_control_set("m", "ints", MARKER_ASK_RECORD);

	/* a late hit: the filter is gone, the state is not */
	marker_control_set_filter("m", "*", NULL);
	m.marker[INTS].marker.state = MARKER_FILTERED;
	hit(INTS, 1, 5, '1');
	is_str(recorded(), "ints: a 1 b 5 c 1\n", "a late hit");

	/* ...or it is one that does not fit */
	is_int(marker_control_set_filter("m", "*", "s == abc"), 0, "fits others");
	m.marker[INTS].marker.state = MARKER_FILTERED;
	hit(INTS, 1, 5, '1');
	m.marker[INTS].marker.state = MARKER_FILTERED | MARKER_PROBED;
	hit(INTS, 1, 5, '1');
	is_str(recorded(), "", "a late hit with a filter that does not fit");

	/* ...or nothing is to be recorded any more */
	marker_control_set_filter("m", "*", NULL);
	marker_control_set("m", "ints", false);
	m.marker[INTS].marker.state = MARKER_FILTERED;
	hit(INTS, 1, 5, '1');
	is_str(recorded(), "", "a late hit after the marker was disabled");
	marker_control_set("m", "*", false);
	end();
}

static void has_acted(const char *wanted, const char *what)
{
	is_str(acted, wanted, "%s", what);
	acted[0] = '\0';
}

static int trigger(const char *text)
{
	return marker_triggers_set("m", "ints", text);
}

/* A probe of a marker with triggers, which hits it again. */
static void hit_acted(void *private, void *call_private, const char *fmt, va_list *args)
{
	if (nested++)
		return;
	unit_preempt_count += context;
	hit(INTS, 1, 1, '1');
	unit_preempt_count -= context;
}

static void test_triggers(void)
{
	unsigned int i;

	begin(4, RING_DISCARD);
	/* not recorded; filters of one comparison, and all others */
	is_int(trigger("snapshot if a == 7"), 0, "a trigger");
	is_int(m.marker[INTS].marker.state, MARKER_ACTED, "state");
	hit(INTS, 6, 0, 'x');
	has_acted("", "filtered");
	hit(INTS, 7, 0, 'x');
	has_acted("snapshot ", "hit");
	is_str(recorded(), "", "not recorded");
	trigger("traceoff:1 if b == 5 && c == 'y'");
	hit(INTS, 7, 5, 'x');
	has_acted("snapshot ", "one of two");
	hit(INTS, 7, 5, 'y');
	has_acted("snapshot off ", "both");
	hit(INTS, 7, 5, 'y');
	has_acted("snapshot ", "it has nothing to do");
	marker_live = MARKER_LIVE_ON;
	hit(INTS, 7, 5, 'y');
	has_acted("snapshot ", "its count is used up");
	trigger("!traceoff");

	/* recorded: the event is in the trace before the action */
	marker_control_set("m", "ints", MARKER_ASK_RECORD | MARKER_ASK_COUNT);
	counts(INTS);
	hit(INTS, 6, 0, 'x');
	has_acted("", "recorded and filtered");
	hit(INTS, 7, 0, 'x');
	has_acted("snapshot ", "recorded and hit");
	is_str(recorded(), "ints: a 6 b 0 c x\nints: a 7 b 0 c x\n", "both are recorded");
	is_str(counts(INTS), "2: 2 0 0 0 0", "and counted");
	marker_control_set_filter("m", "ints", "a > 6");
	hit(INTS, 6, 0, 'x');
	hit(INTS, 7, 0, 'x');
	has_acted("snapshot ", "with a filter of the recording");
	is_str(recorded(), "ints: a 7 b 0 c x\n", "one is recorded");
	trigger("snapshot:1 if a == 6");
	hit(INTS, 6, 0, 'x');
	has_acted("snapshot ", "what is not recorded");
	is_str(recorded(), "", "nothing is recorded");
	counts(INTS);
	marker_control_set_filter("m", "ints", NULL);
	marker_control_set("m", "ints", 0);

	/* with a probe; in it, only an interrupt hits */
	marker_probe_register("ints", NULL, hit_acted, NULL);
	trigger("snapshot if a == 1");
	trigger("!snapshot if a == 7");
	trigger("!snapshot if a == 6");
	context = 0;
	nested = 0;
	hit(INTS, 1, 1, '1');
	has_acted("snapshot ", "not in a probe");
	context = HARDIRQ_OFFSET;
	nested = 0;
	hit(INTS, 1, 1, '1');
	has_acted("snapshot snapshot ", "in an interrupt");
	nested = 1;
	hit(INTS, 0, 1, '1');
	is_int(nested, 2, "calls of the probe, filtered");
	has_acted("", "filtered");
	marker_probe_unregister("ints", hit_acted, NULL);
	trigger("!snapshot");

	/* tracing_on, and an end after a number of events */
	marker_control_set("m", "*", MARKER_ASK_RECORD);
	trigger("traceoff:after=3 if a == 1");
	hit(INTS, 1, 0, 'x');
	hit(INTS, 1, 0, 'x');
	has_acted("ending ", "the second one does nothing");
	is_int(counted_down, 1, "after the first one, events are counted");
	ring_start_slow(ring);
	hit_all("slow");
	is_int(counted_down, 7, "all of them");
	marker_live = MARKER_LIVE_OFF;
	trigger("traceon:1 if a == 2");
	hit(INTS, 2, 0, 'x');
	hit(INTS, 2, 0, 'x');
	has_acted("on ", "on again");
	ring_start(ring);
	recorded();
	counted_down = 0;
	hit_all("quick");
	is_int(counted_down, 0, "none is counted");
	recorded();

	/* full: an action runs, and the event is lost */
	trigger("snapshot");
	trigger("!traceoff");
	trigger("!traceon");
	for (i = 0; i < 1000; i++)
		hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	hit(INTS, 1, 1, '1');
	has_acted("snapshot ", "in a full buffer");

	/* a late hit: the actions are gone, the state is not */
	trigger("!snapshot");
	m.marker[INTS].marker.state = MARKER_ACTED | MARKER_RECORD_INTS;
	hit(INTS, 1, 5, '1');
	has_acted("", "a late hit");

	/* what is under way already is not asked for, and takes no turn */
	trigger("dump:last=20:1");
	may_dump = false;
	hit(INTS, 1, 5, '1');
	may_dump = true;
	hit(INTS, 1, 5, '1');
	hit(INTS, 1, 5, '1');
	has_acted("dump=20 ", "a dump");
	trigger("!dump");

	/* actions that change markers, until nothing changes any more */
	trigger("enable_marker:m:text:5 if a == 3");
	trigger("disable_marker:m:text if a == 4");
	hit(INTS, 3, 0, 'x');
	hit(INTS, 4, 0, 'x');
	has_acted("enable_marker disable_marker ", "both ask");
	kit_event(&m, "ints")->actions->action[0]->settled = marker_control_changes;
	hit(INTS, 3, 0, 'x');
	hit(INTS, 4, 0, 'x');
	has_acted("disable_marker ", "what is so already");
	marker_control_set("m", "none", 0);
	hit(INTS, 3, 0, 'x');
	has_acted("enable_marker ", "after a change");
	marker_control_set("m", "*", false);
	marker_triggers_set_patterns("", true);
	end();
}

/* In place of those of deferred.c. */
static int create_hist(struct marker_action *action, struct marker_format_error *error)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		return marker_latencies_create(action, error);
	return action->kind == MARKER_ACTION_HIST ? marker_hists_create(action, error) : 0;
}

static void destroy_hist(struct marker_action *action)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		marker_latencies_destroy(action);
	if (action->kind == MARKER_ACTION_HIST)
		marker_hists_destroy(action);
}

static void retire_hist(struct marker_action *action)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		marker_latencies_retire(action);
	kit_action_retire(action);
}

static const struct marker_trigger_ops hist_ops = {
	.create = create_hist,
	.retire = retire_hist,
	.destroy = destroy_hist,
	.wait = kit_action_wait,
};

static struct marker_action *hist_of(const char *name)
{
	return kit_event(&m, name)->actions->action[0];
}

/* What the first hist of a marker has counted: "KEY*HITS ", sorted by hits. */
static const char *hist_rows(const char *name)
{
	static char text[1024];
	const struct marker_hist_run *run = hist_of(name)->data;
	struct marker_table *table = marker_table_read(&run->hist, run->map);
	unsigned int i;

	marker_table_sort(table, &run->hist);
	*text = '\0';
	for (i = 0; i < table->nr; i++)
		sprintf(text + strlen(text), "%lld*%llu ",
			(long long)marker_table_row(table, i)[1],
			(unsigned long long)marker_table_row(table, i)[0]);
	kvfree(table);
	return text;
}

static int clear_hist(const char *name)
{
	struct marker_map *old = NULL;
	int err = marker_hists_clear(hist_of(name), &old);

	marker_hists_destroy_old(old);
	return err;
}

static void test_hists(void)
{
	unsigned int i, graces;
	const char *log;

	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	is_int(trigger("hist:keys=a:size=64"), 0, "hist: one key");
	is_int(m.marker[INTS].marker.state, MARKER_ACTED, "hist: it is not recorded");
	for (i = 0; i < 5; i++)
		hit(INTS, -(i & 1), 0, 'x');
	is_str(hist_rows("ints"), "-1*2 0*3 ", "hist: counted");
	ok(kit_event(&m, "ints")->actions->quick, "hist: the quick way");
	marker_control_set("m", "ints", MARKER_ASK_RECORD | MARKER_ASK_COUNT);
	counts(INTS);
	hit(INTS, 0, 5, 'x');
	is_str(recorded(), "ints: a 0 b 5 c x\n", "hist: recorded, too");
	is_str(counts(INTS), "1: 1 0 0 0 0", "hist: and its hits counted");
	marker_control_set("m", "ints", 0);
	is_int(trigger("snapshot if a == 9"), 0, "hist: not alone");
	ok(!kit_event(&m, "ints")->actions->quick, "hist: not the quick way");
	hit(INTS, 0, 0, 'x');
	hit(INTS, 9, 0, 'x');
	has_acted("snapshot ", "hist: both");
	is_str(hist_rows("ints"), "9*1 -1*2 0*5 ", "hist: counted in both ways");
	trigger("!snapshot");
	clear_hist("ints");
	hit(INTS, 8, 0, 'x');
	is_str(hist_rows("ints"), "8*1 ", "hist: quick again");
	trigger("!hist");
	trigger("hist:keys=a:size=64 if a < 1");
	for (i = 0; i < 5; i++)
		hit(INTS, -(i & 1), 0, 'x');
	hit(INTS, 1, 0, 'x');
	marker_hists_pause(hist_of("ints"), true);
	hit(INTS, -7, 0, 'x');
	is_str(hist_rows("ints"), "-1*2 0*3 ", "hist: filtered, paused");
	trigger("!hist");
	trigger("hist:keys=a:size=64");
	for (i = 0; i < 5; i++)
		hit(INTS, -(i & 1), 0, 'x');
	marker_hists_pause(hist_of("ints"), false);
	hit(INTS, 7, 0, 'x');
	is_str(hist_rows("ints"), "7*1 -1*2 0*3 ", "hist: goes on");
	clear_hist("ints");
	is_str(hist_rows("ints"), "", "hist: cleared");
	hit(INTS, 7, 0, 'x');
	is_str(hist_rows("ints"), "7*1 ", "hist: counted again");
	unit_alloc_fail = 3;
	is_int(clear_hist("ints"), -ENOMEM, "hist: no memory to clear it");
	unit_alloc_fail = 0;
	is_str(hist_rows("ints"), "7*1 ", "hist: it is as it was");
	/* a hit from before the pause may still count */
	marker_hists_pause(hist_of("ints"), true);
	graces = unit_grace_periods;
	is_int(clear_hist("ints"), 0, "hist: paused, cleared");
	is_int(unit_grace_periods - graces, 1, "hist: after a grace period");
	is_str(hist_rows("ints"), "", "hist: nothing is left");
	is_int(trigger("!hist"), 0, "hist: taken away");
	kit_reap();

	is_int(trigger("hist:keys=b,cpu:vals=a:size=64:pause if a > 5"), 0, "hist: more of it");
	hit(INTS, 7, 1, 'x');
	is_str(hist_rows("ints"), "", "hist: it begins paused");
	marker_hists_pause(hist_of("ints"), false);
	hit(INTS, 7, 2, 'x');
	hit(INTS, 5, 2, 'x');
	is_str(hist_rows("ints"), "2*1 ", "hist: filtered");
	is_int(trigger("!hist:keys=b,cpu:vals=a:size=64:pause"), 0, "hist: taken away by its text");
	is_int(trigger("hist:keys=stack,c:size=64"), 0, "hist: stacks");
	hit(INTS, 7, 2, 'x');
	is_str(hist_rows("ints"), "1*1 ", "hist: of the hit");
	trigger("!hist");
	kit_reap();

	/* one message for all markers that it does not fit */
	kit_log();
	is_int(marker_triggers_set("m", "*", "hist:keys=b:size=64"), 0, "hist: fits one");
	log = kit_log();
	ok(strstr(log, "error: trigger of marker m:none and 4 others: no such field"),
	   "hist: log: %s", log);
	is_int(!!strstr(strstr(log, "error: ") + 1, "error: "), 0, "hist: one message");
	marker_triggers_set("m", "*", "!hist");
	kit_reap();
	is_int(marker_triggers_set("m", "text", "hist:keys=b"), -EINVAL, "hist: fits none");
	log = kit_log();
	ok(strstr(log, "error: trigger of marker m:text: no such field"), "hist: the one");
	ok(strstr(log, "\n  hist:keys=b\n            ^\n"),
	   "hist: caret: %s", log);

	/* what is refused */
	is_int(trigger("hist"), -EINVAL, "hist: without keys");
	is_int(trigger("hist:keys=d"), -EINVAL, "hist: no such field");
	is_int(trigger("hist:keys=a.lag2"), -EINVAL, "hist: no such form");
	unit_ram_pages = 1 << 8;
	is_int(trigger("hist:keys=a"), -ENOSPC, "hist: too large for the machine");
	is_int(trigger("hist:keys=a:size=16"), 0, "hist: a smaller one");
	unit_ram_pages = 1 << 20;
	marker_triggers_set_patterns("", true);
	kit_reap();
	end();
}

/* the counts begun, again, matched and unmatched of the only pair */
static const char *pair_counts(void)
{
	static char text[100];
	const struct marker_latency *latency =
		list_first_entry(&marker_latencies, struct marker_latency, list);
	struct marker_pairs_stats stats;

	marker_pairs_stats(latency->pairs, &stats);
	sprintf(text, "%llu %llu %llu %llu", (unsigned long long)stats.begun,
		(unsigned long long)stats.again, (unsigned long long)stats.matched,
		(unsigned long long)stats.unmatched);
	return text;
}

static void test_latencies(void)
{
	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	is_int(trigger("hist:keys=latency"), -EINVAL, "latency: nobody knows it");
	is_int(trigger("snapshot if latency > 5"), -EINVAL, "latency: no filter knows it");
	is_int(marker_control_set_filter("m", "ints", "latency > 5"), -EINVAL,
	       "latency: nor one of the recording");
	is_int(trigger("latency:io:keys=a"), 0, "latency: the end");
	is_int(marker_triggers_set("m", "text", "begin:io:keys=n"), 0, "latency: the begin");
	is_int(marker_triggers_set("m", "text", "begin:io:keys=s"), -EINVAL,
	       "latency: other keys");
	is_int(marker_triggers_set("m", "text", "begin::keys=n"), -EINVAL, "latency: no name");
	is_int(marker_triggers_set("m", "text", "begin:io:keys=n:vals=n"), -EINVAL,
	       "latency: no values");
	is_int(trigger("hist:keys=latency:vals=latency:size=64"), 0, "latency: a key and a value");
	is_int(trigger("snapshot if latency >= 500"), 0, "latency: a filter");
	unit_time_ns = 1000;
	hit(TEXT, 7, 0);
	hit(TEXT, 8, 0);
	unit_time_ns = 1300;
	hit(INTS, 7, 0, 'x');
	has_acted("", "latency: it took less");
	unit_time_ns = 1600;
	hit(INTS, 8, 0, 'x');
	has_acted("snapshot ", "latency: it took more");
	hit(INTS, 8, 0, 'x');
	has_acted("", "latency: it is not known");
	is_str(pair_counts(), "2 0 2 1", "latency: counted");
	/* the end comes first again, although it was written last */
	is_int(trigger("latency:io:keys=a"), 0, "latency: the same again");
	hit(TEXT, 9, 0);
	unit_time_ns = 2600;
	hit(INTS, 9, 0, 'x');
	has_acted("snapshot ", "latency: first of all");
	is_int(trigger("!latency"), 0, "latency: taken away");
	hit(INTS, 9, 0, 'x');
	has_acted("", "latency: no filter passes without it");
	is_int(trigger("!snapshot"), 0, "latency: taken away");
	is_int(hist_of("ints")->kind, MARKER_ACTION_HIST, "latency: the hist is left");
	is_str(hist_rows("ints"), "300*1 600*1 1000*1 ", "latency: what it has");
	marker_triggers_set_patterns("", true);
	ok(list_empty(&marker_latencies), "latency: the pair is gone");
	/* again, before the old ones are freed */
	is_int(trigger("begin:io:keys=a"), 0, "latency: another one of that name");
	is_str(pair_counts(), "0 0 0 0", "latency: from nothing");
	trigger("!begin");
	kit_reap();

	/* two pairs end here, one of them has begun */
	trigger("latency:one:keys=a");
	trigger("latency:two:keys=a");
	marker_triggers_set("m", "text", "begin:one:keys=n");
	trigger("snapshot if latency == 400");
	unit_time_ns = 5000;
	hit(TEXT, 1, 0);
	unit_time_ns = 5400;
	hit(INTS, 1, 0, 'x');
	has_acted("snapshot ", "latency: the other one is not known, and takes nothing away");
	marker_triggers_set_patterns("", true);
	kit_reap();

	/* other keys for all of a name, in one command */
	marker_triggers_set_patterns("m:text begin:io:keys=n\nm:ints latency:io:keys=a", true);
	is_int(marker_triggers_set_patterns("m:text begin:io:keys=n,tid", false), -EINVAL,
	       "latency: other keys while the name is in use");
	is_int(marker_triggers_set_patterns("m:text begin:io:keys=n,tid\n"
					    "m:ints latency:io:keys=a", true), -EINVAL,
	       "latency: one of them with the old keys");
	hit(TEXT, 1, 0);
	is_str(pair_counts(), "1 0 0 0", "latency: nothing has changed");
	is_int(marker_triggers_set_patterns("m:text begin:io:keys=n,tid\n"
					    "m:ints latency:io:keys=a,tid", true), 0,
	       "latency: other keys for all");
	hit(TEXT, 1, 0);
	hit(INTS, 1, 0, 'x');
	is_str(pair_counts(), "1 0 1 0", "latency: a new pair");
	is_int(marker_triggers_set_patterns("m:text begin:io:keys=n,cpu\n"
					    "m:ints latency:io:keys=a,cpu", true), 0,
	       "latency: as many bytes");
	is_str(pair_counts(), "1 0 1 0", "latency: the same pair");
	marker_triggers_set_patterns("", true);
	ok(list_empty(&marker_latencies), "latency: gone");
	kit_reap();

	/* by the task, which is the default */
	is_int(trigger("begin:io"), 0, "latency: without keys");
	is_int(marker_triggers_set("m", "text", "latency:io"), 0, "latency: nor at the end");
	hit(INTS, 1, 0, 'x');
	hit(TEXT, 1, 0);
	is_str(pair_counts(), "1 0 1 0", "latency: of a task");
	marker_triggers_set_patterns("", true);
	kit_reap();

	/* of 64 KiB, one takes 48 */
	unit_ram_pages = 1 << 8;
	is_int(trigger("begin:io:keys=a:size=131072"), -ENOSPC,
	       "latency: too large for the machine");
	is_int(trigger("begin:io:keys=a:size=2048"), 0, "latency: a smaller one");
	is_int(trigger("latency:io:keys=a:size=131072"), 0,
	       "latency: the size is that of the first");
	is_int(trigger("begin:more:keys=a:size=1024"), -ENOSPC,
	       "latency: too much for another one");
	is_int(trigger("hist:keys=a:size=1024"), -ENOSPC, "latency: and for a hist");
	marker_triggers_set_patterns("", true);
	kit_reap();
	is_int(trigger("begin:more:keys=a:size=1024"), 0, "latency: there is room again");
	unit_ram_pages = 1 << 20;
	marker_triggers_set_patterns("", true);
	kit_reap();
	unit_time_ns = 0;
	end();
}

static void test_stacks(void)
{
	struct ring_stats stats;
	unsigned int i;

	ring_tag = marker_context_tag(BIT(MARKER_CONTEXT_CALLSTACK));
	begin(4, RING_DISCARD);
	marker_control_allow_stacks(&marker_rules, true);
	marker_control_set("m", "*", MARKER_ASK_RECORD);
	hit_all("none");
	is_str(recorded(), all("none"), "room for stacks, and none");
	marker_control_set("m", "ints", MARKER_ASK_RECORD | MARKER_ASK_STACK(2));
	hit(INTS, 1, 2, 'x');
	hit(NONE);
	is_str(recorded(), "ints: a 1 b 2 c x\n => symbol+0x1\n => symbol+0x2\nnone: \n",
	       "one with a stack");
	marker_control_set("m", "text",
			   MARKER_ASK_RECORD | MARKER_ASK_COUNT | MARKER_ASK_STACK(1));
	counts(TEXT);
	hit(TEXT, 1, ARG("abc"));
	is_str(recorded(), "text: n 1 s abc\n => symbol+0x1\n", "with a string, and counted");
	is_str(counts(TEXT), "1: 1 0 0 0 0", "its counts");
	marker_control_set("m", "ints", MARKER_ASK_RECORD | MARKER_ASK_STACK(MARKER_CALLSTACK_MAX));
	for (i = 0; i < 1000; i++)
		hit(INTS, 1, 2, 'x');
	ring_stats(ring, unit_cpu, &stats);
	ok(stats.lost[RING_LOST_FULL] > 900, "too many: %llu are lost",
	   (unsigned long long)stats.lost[RING_LOST_FULL]);
	ok(strstr(recorded(), "symbol+0x20\n"), "as deep as can be");
	marker_control_set("m", "ints", MARKER_ASK_RECORD);
	is_int(trigger("stacktrace:1 if a == 1"), 0, "stacktrace");
	is_int(m.marker[INTS].marker.state, MARKER_RECORD_INTS, "its state");
	hit(INTS, 0, 2, 'x');
	hit(INTS, 1, 2, 'x');
	ok(strstr(recorded(), "a 0 b 2 c x\nints: a 1 b 2 c x\n => symbol+0x1\n"),
	   "the stack of one that passes");
	hit(INTS, 1, 2, 'x');
	is_str(recorded(), "ints: a 1 b 2 c x\n", "once");
	marker_triggers_set_patterns("", true);
	marker_control_set("m", "*", 0);
	end();
	ring_tag = 0;
}

int main(void)
{
	int i;

	assert(!clock_init(NULL) && !ring_init());
	kit_begin();
	kit_load(&m);
	test_time();
	/* with a clock that is a call, and with one that is an instruction */
	for (i = 0; i < 2; i++) {
		marker_clock.counter = i;
		test_record();
		test_full();
		test_probes();
		test_nested();
		test_counts();
		test_triggers();
	test_hists();
	test_latencies();
		test_filters();
		test_stacks();
	}
	kit_unload(&m);
	is_int(unit_preempt_count, 0, "preemption is on");
	ring_exit();
	return kit_end();
}
