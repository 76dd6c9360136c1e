// SPDX-License-Identifier: GPL-2.0
/*
 * markers/format/context.c: lists of names and back, sizes, bytes and back, and the
 * letters of ftrace.
 */
#include <stdlib.h>

#include <markers/format/context.h>
#include <markers/uapi/text.h>
#include "tap.h"

#define NOTHING	0xdeadbeef

static void parses(const char *text, u32 wanted)
{
	unsigned int column = NOTHING;
	u32 set = NOTHING;

	is_int(marker_context_parse(text, &set, &column), 0, "'%s' is a list", text);
	is_int(set, wanted, "of these");
	is_int(column, NOTHING, "and nothing is wrong in it");
}

static void refuses(const char *text, unsigned int wanted)
{
	unsigned int column = NOTHING;
	u32 set = NOTHING;

	is_int(marker_context_parse(text, &set, &column), -EINVAL, "'%s' is refused", text);
	is_int(column, wanted, "at this column");
	is_int(set, NOTHING, "and the set is untouched");
}

static void test_parse(void)
{
	const u32 tid = BIT(MARKER_CONTEXT_TID), prio = BIT(MARKER_CONTEXT_PRIO);

	parses("", 0);
	parses("\n", 0);
	parses(" ,, \t\n", 0);
	parses("tid", tid);
	parses("tid\n", tid);
	parses("prio tid", tid | prio);
	parses("tid,prio", tid | prio);
	parses(",tid , \tprio\n,", tid | prio);
	parses("tid tid", tid);
	parses("tid flags procname", marker_context_set(MARKER_CONTEXT_USUAL));
	parses("tid flags procname pid vtid vpid prio cgroup_id callstack_kernel",
	       MARKER_CONTEXT_ALL);
	refuses("x", 0);
	refuses("ti", 0);
	refuses("tidy", 0);
	refuses("TID", 0);
	refuses("tid comm", 4);
	refuses("tid,tid;prio", 4);
	refuses("tid [flags]", 4);
	refuses("tid \xff", 4);
}

static void test_list(void)
{
	char text[MARKER_CONTEXT_LIST_SIZE];
	unsigned int column;
	bool fine = true;
	u32 set, again;

	for (set = 0; set <= MARKER_CONTEXT_ALL; set++)
		fine &= !marker_context_parse(marker_context_list(text, set), &again,
					      &column) && again == set;
	ok(fine, "each set can be written down and read again");
	is_str(marker_context_list(text, 7), "tid flags procname", "the usual ones");
	is_str(marker_context_list(text, 0), "", "none");
	is_str(marker_context_list(text, MARKER_CONTEXT_ALL),
	       "tid flags procname pid vtid vpid prio cgroup_id callstack_kernel", "all");
}

static void test_tag(void)
{
	bool fine = true;
	u32 set;

	is_int(marker_context_tag(0), 0, "no context, no byte");
	is_int(marker_context_tag(7), MARKER_CONTEXT_USUAL, "the usual ones");
	is_int(marker_context_size(MARKER_CONTEXT_USUAL), 20, "take 20 bytes");
	is_int(marker_context_size(marker_context_tag(MARKER_CONTEXT_ALL)),
	       3 + 2 + 15 + 3 + 3 + 3 + 1 + 8 + 1, "all of them take 39 bytes");
	for (set = 0; set <= MARKER_CONTEXT_ALL; set++)
		fine &= marker_context_set(marker_context_tag(set)) == set;
	ok(fine, "a tag has the set");
}

/* The bytes of each context, one after another; nothing after the last one may be read. */
static void test_read(void)
{
	static const struct marker_contexts all = {
		.tid = -2, .flags = 0x1234, .procname = "fifteen-letters", .pid = 3,
		.vtid = 4, .vpid = 5, .prio = -6, .cgroup_id = 7ull << 32,
	};
	bool fine = true;
	u32 set;

	for (set = 0; set <= MARKER_CONTEXT_ALL; set++) {
		const bool stack = marker_context_has(set, MARKER_CONTEXT_CALLSTACK);
		const u32 tag = marker_context_tag(set);
		u32 size = marker_context_size(tag) + (stack ? 16 : 0);
		struct marker_contexts got = { 0 }, want = { .set = set };
		u8 *bytes = malloc(size), *p = bytes;

#define PUT(context, field, size)					\
		do {							\
			if (marker_context_has(set, context)) {		\
				memcpy(p, &all.field, size);		\
				memcpy(&want.field, &all.field,		\
				       sizeof(want.field));		\
				p += size;				\
			}						\
		} while (0)
		PUT(MARKER_CONTEXT_TID, tid, CTF_TASK_SIZE);
		PUT(MARKER_CONTEXT_FLAGS, flags, 2);
		PUT(MARKER_CONTEXT_PROCNAME, procname, CTF_PROCNAME_SIZE);
		PUT(MARKER_CONTEXT_PID, pid, CTF_TASK_SIZE);
		PUT(MARKER_CONTEXT_VTID, vtid, CTF_TASK_SIZE);
		PUT(MARKER_CONTEXT_VPID, vpid, CTF_TASK_SIZE);
		PUT(MARKER_CONTEXT_PRIO, prio, 1);
		PUT(MARKER_CONTEXT_CGROUP_ID, cgroup_id, 8);
		if (stack) {
			*p++ = 2;
			memcpy(p, "innermost, outer", 16);
			p += 16;
		}
		fine &= p == bytes + size;
		fine &= marker_context_length(tag, bytes, size) == (int)size &&
			marker_context_length(tag, bytes, size + 1) == (int)size &&
			(!size || marker_context_length(tag, bytes, size - 1) == -EINVAL);
		marker_context_read(&got, set, bytes);
		fine &= got.set == want.set && got.tid == want.tid &&
			got.flags == want.flags && got.pid == want.pid &&
			got.vtid == want.vtid && got.vpid == want.vpid &&
			got.prio == want.prio && got.cgroup_id == want.cgroup_id &&
			!strcmp(got.procname, want.procname) &&
			got.nr_frames == (stack ? 2 : 0) &&
			(!stack || !memcmp(got.frames, "innermost, outer", 16));
		free(bytes);
	}
	ok(fine, "the contexts of each set are read as they were written");
}

static void letters(const char *wanted, u16 flags)
{
	char text[TEXT_FLAGS_WIDTH + 1] = { 0 };

	text_flags(text, flags);
	is_str(text, wanted, "flags %#x", flags);
}

/* trace_print_lat_fmt() in kernel/trace/trace_output.c */
static void test_letters(void)
{
	letters("....", 0);
	letters("d...", CTF_FLAG_IRQS_OFF);
	letters("b...", CTF_FLAG_BH_OFF);
	letters("D...", CTF_FLAG_IRQS_OFF | CTF_FLAG_BH_OFF);
	letters(".n..", CTF_FLAG_RESCHED);
	letters(".p..", CTF_FLAG_PREEMPT_RESCHED);
	letters(".N..", CTF_FLAG_RESCHED | CTF_FLAG_PREEMPT_RESCHED);
	letters(".l..", CTF_FLAG_LAZY_RESCHED);
	letters(".b..", CTF_FLAG_LAZY_RESCHED | CTF_FLAG_RESCHED);
	letters(".L..", CTF_FLAG_LAZY_RESCHED | CTF_FLAG_PREEMPT_RESCHED);
	letters(".B..", CTF_FLAG_LAZY_RESCHED | CTF_FLAG_RESCHED | CTF_FLAG_PREEMPT_RESCHED);
	letters("..s.", CTF_FLAG_SOFTIRQ);
	letters("..h.", CTF_FLAG_HARDIRQ);
	letters("..H.", CTF_FLAG_HARDIRQ | CTF_FLAG_SOFTIRQ);
	letters("..z.", CTF_FLAG_NMI);
	letters("..z.", CTF_FLAG_NMI | CTF_FLAG_SOFTIRQ);
	letters("..Z.", CTF_FLAG_NMI | CTF_FLAG_HARDIRQ);
	letters("...1", 1);
	letters("...9", 9);
	letters("...a", 10);
	letters("...f", 15);
	letters("...f", 255);
	letters("dNZ2", CTF_FLAG_IRQS_OFF | CTF_FLAG_RESCHED | CTF_FLAG_PREEMPT_RESCHED |
	       CTF_FLAG_NMI | CTF_FLAG_HARDIRQ | CTF_FLAG_SOFTIRQ | 2);
}

int main(void)
{
	test_parse();
	test_list();
	test_tag();
	test_read();
	test_letters();
	return tap_done();
}
