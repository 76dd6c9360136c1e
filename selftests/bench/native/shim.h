/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the kernel that dispatch_quick.c and hit.h need besides selftests/unit/base.h:
 * force-included after that.  The headers of <linux/> that they include are empty here.
 *
 * One thread is one CPU, so a per-CPU variable is thread-local: only the segment register
 * differs.  The benchmark leaves out probes and the thunk.
 */
#ifndef _NATIVE_SHIM_H
#define _NATIVE_SHIM_H

#include <stdarg.h>

#ifdef __x86_64__
#define CONFIG_X86_64	1
#endif

/* No rules, no triggers. */
#define _MARKERS_RULES_H
#define _MARKERS_ACTIONS_H
#define marker_actions_ask_stack(event, rules, args) \
	((void)(rules), (struct marker_action *)NULL)
#define marker_actions_return_turn(action)	((void)(action))
#define MARKER_STACK_DEPTH	0

/* Declarations of the site, of buffers and of recordings: */
#define _MARKERS_MARKER_H
#define _MARKERS_BUFFER_H
#define _MARKERS_RECORD_H
#define _MARKERS_RECORDING_H
#define _MARKERS_PROGRAM_H
/* There are no contexts: they need a task. */
#define _MARKERS_TRACE_CONTEXT_H

#include "marker_types.h"
#include <markers/format/context.h>

struct bench_task {
	int pid;
	int tgid;
	char comm[16];
};

extern struct bench_task bench_task;

#define current			(&bench_task)
#define raw_smp_processor_id()	0
#define marker_context_flags()	0
#define marker_context_group()	0

static inline void marker_context_write_usual(u8 *to)
{
	*to = 0;
}

static inline u8 *marker_context_write(u8 *to, u32 tag)
{
	return to + marker_context_size(tag);
}

typedef void marker_probe_func(void *, void *, const char *, va_list *);

#define DEFINE_PER_CPU(type, name)	__thread type name
#define DECLARE_PER_CPU(type, name)	extern __thread type name
#define raw_cpu_read(v)			(v)
#define raw_cpu_write(v, n)		((v) = (n))
#define raw_cpu_ptr(p)			(p)
#define this_cpu_inc(v)			((v)++)

DECLARE_PER_CPU(struct ring_cpu *, marker_ring_cpu);

#define __rcu
#define rcu_dereference_raw(p)		READ_ONCE(p)
#define rcu_access_pointer(p)		READ_ONCE(p)

/* All rings are those of one recording, which stays on. */
struct marker_recording {
	u32 live;
};

static struct marker_recording marker_top = { .live = ~0u };

static const struct {
	struct marker_recording *recording;
} bench_buffer = { &marker_top };

#define marker_buffer_of(ring)			((void)(ring), &bench_buffer)
#define marker_recording_is_ending(recording)	false
#define marker_recording_count_down(recording)	((void)(recording))
#define marker_rules_stack_depth(asked)		((void)(asked), 0)

struct rcu_head {
	void *unused;
};

struct list_head {
	struct list_head *next, *prev;
};

/* As on x86: memory that no other CPU has, and the top bit says "no need to schedule". */
#define CONFIG_PREEMPTION		1
#define BENCH_NO_RESCHED		(1u << 31)

extern __thread unsigned int bench_preempt_count;

#undef preempt_disable_notrace
#undef preempt_enable_notrace
#define preempt_disable_notrace()	do { bench_preempt_count++; barrier(); } while (0)
#define preempt_enable_notrace()	do { barrier(); bench_preempt_count--; } while (0)
#define __preempt_count_dec()		(bench_preempt_count--)
#define __preempt_count_dec_and_test()	(!--bench_preempt_count)
#define preempt_count()			(bench_preempt_count & ~BENCH_NO_RESCHED)
#define raw_irqs_disabled()		false
#define test_preempt_need_resched()	(!(bench_preempt_count & BENCH_NO_RESCHED))
#define SOFTIRQ_OFFSET			0x100
#define HARDIRQ_MASK			0xf0000
#define NMI_MASK			0xf00000

#define asmlinkage
#define EXPORT_SYMBOL_GPL(name)		BUILD_BUG_ON(0)

#endif /* _NATIVE_SHIM_H */
