// SPDX-License-Identifier: GPL-2.0
/* Hits of markers that an instance records, with the top and without. */
#include <markers/switch/copies.h>
#include "dispatch_kit.h"

static struct ring *other;

/* What the instance has recorded. */
static const char *copied(void)
{
	const char *text;

	swap(ring, other);
	text = recorded();
	swap(ring, other);
	return text;
}

/* An instance records by the same ways, with its own contexts, filters and losses. */
static void tests(void)
{
	static struct ring_cpu *ring_of_other;
	static struct marker_recording recording = { .ring_cpu = &ring_of_other };
	static struct marker_rules rules, going;
	static const u32 tags[] = { 0, BIT(MARKER_CONTEXT_CALLSTACK) };
	struct ring_stats stats;
	unsigned int i;

	INIT_LIST_HEAD(&rules.list);
	INIT_LIST_HEAD(&rules.globs);
	rules.recording = &recording;
	rules.ended = false;
	INIT_LIST_HEAD(&going.list);
	INIT_LIST_HEAD(&going.globs);
	marker_copies_add(&rules);
	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		ring_tag = marker_context_tag(tags[i]);
		begin(4, RING_DISCARD);
		other = ring;
		ring_of_other = marker_ring_cpu;
		ring_tag = 0;
		begin(4, RING_DISCARD);
		is_int(marker_control_set_patterns(&rules, "m:*", true), 0, "the instance: all");
		hit_all("one");
		is_str(copied(), all("one"), "the instance has them");
		is_str(recorded(), "", "and only that");
		marker_control_set("m", "*", MARKER_ASK_RECORD);
		hit_all("a string of more than two words");
		is_str(copied(), all("a string of more than two words"), "both: the instance");
		is_str(recorded(), all("a string of more than two words"), "both: the top");
		marker_live = MARKER_LIVE_OFF;
		ring_stop(ring);
		hit_all("eight888");
		is_str(copied(), all("eight888"), "the top is off");
		marker_live = MARKER_LIVE_ON;
		ring_start(ring);
		ring_stop(other);
		hit_all("eight888");
		ring_start(other);
		is_str(recorded(), all("eight888"), "the instance is off");
		is_str(copied(), "", "it has nothing");

		is_int(marker_control_set_patterns(&rules, "m:ints if a > 1\n"
						   "m:text if s == abc && pid >= 0", true), 0,
		       "the instance: filters");
		marker_control_set("m", "*", 0);
		hit(INTS, 1, 2, 'x');
		hit(INTS, 2, 2, 'x');
		hit(TEXT, 1, ARG("ab"));
		hit(TEXT, 1, ARG("abc"));
		is_str(copied(), "ints: a 2 b 2 c x\ntext: n 1 s abc\n", "what passes");

		/* a trigger loses its short cut, and finds it again */
		is_int(trigger("traceoff if a == 9"), 0, "a trigger of the same marker");
		hit(INTS, 8, 2, 'x');
		hit(INTS, 9, 2, 'x');
		is_int(marker_live, MARKER_LIVE_OFF, "it acts");
		acted[0] = '\0';
		marker_live = MARKER_LIVE_ON;
		is_str(copied(), "ints: a 8 b 2 c x\nints: a 9 b 2 c x\n", "and the instance records");

		/* a misfit records nothing, whatever else the marker is hit for */
		is_int(marker_control_set_patterns(&rules, "m:ints#filter_refused if latency < 9",
						   true), 0, "the instance: only triggers know it");
		hit(INTS, 8, 2, 'x');
		hit(INTS, 9, 2, 'x');
		is_str(copied(), "", "the instance records nothing");
		acted[0] = '\0';
		marker_live = MARKER_LIVE_ON;
		marker_triggers_set_patterns("", true);
		kit_reap();

		if (tags[i] == BIT(MARKER_CONTEXT_CALLSTACK)) {
			rules.stacks_allowed = true;
			marker_control_set_patterns(&rules, "m:ints+stack=1", true);
			hit(INTS, 1, 2, 'x');
			is_str(copied(), "ints: a 1 b 2 c x\n => symbol+0x1\n", "a stack");
			rules.stacks_allowed = false;
		}
		/* full: losses are those of the instance */
		marker_control_set_patterns(&rules, "m:many", true);
		for (unsigned int nr = 0; nr < 1000; nr++)
			hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
		ring_stats(other, unit_cpu, &stats);
		ok(stats.lost[RING_LOST_FULL] > 500, "full: %llu are lost",
		   (unsigned long long)stats.lost[RING_LOST_FULL]);
		copied();
		ring_stats(ring, unit_cpu, &stats);
		is_int(stats.lost[RING_LOST_FULL], 0, "none at the top");
		marker_control_set_patterns(&rules, "", true);
		hit_all("gone");
		is_str(copied(), "", "nothing is wanted any more");
		ring_destroy(other);
		end();
	}
	is_int(marker_control_set_patterns(&rules, "m:*", true), 0, "all again");
	marker_registry_lock();
	unit_alloc_fail = 1;
	is_int(marker_copies_set(m.marker[INTS].marker.event, &rules, 0, NULL), 0,
	       "taking the last one away needs no memory");
	unit_alloc_fail = 0;
	marker_copies_settle(m.marker[INTS].marker.event);
	marker_registry_unlock();
	marker_control_end(&rules);
	marker_copies_remove(&rules);

	/* markers.ko goes, and its instances have rules */
	marker_copies_add(&going);
	is_int(marker_control_set_patterns(&going, "other:* if a == 1", true), 0, "a rule");
	marker_copies_remove(&going);
	ok(list_empty(&going.list), "it is gone");
}

int main(void)
{
	return kit_run(tests);
}
