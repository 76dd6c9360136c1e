/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs in the kernel's own tracing.
 *
 * Linux 6.1 exports trace_add_event_call(); before, tracing takes events only from a module that
 * comes, and removes them only with one that goes (publish/lend.c).  Since 7.0 a grace period of
 * tracepoint_srcu is all that is waited for before what a tracepoint calls is freed; before,
 * it was one of RCU, too.  Since 6.13 regfunc and unregfunc of a tracepoint are in a struct of
 * their own, since 6.6.18 an event keeps its directory in another member, since 6.1.12 an array has
 * its length, since 5.15 "mod" is "module".
 */
#ifndef _MARKERS_COMPAT_TRACING_H
#define _MARKERS_COMPAT_TRACING_H

#include <linux/version.h>

#ifdef CONFIG_EVENT_TRACING
#define MARKER_CAN_PUBLISH	1
#else
#define MARKER_CAN_PUBLISH	0
#endif

/* Events come and go with modules. MARKERS_FORCE_LENDS=1 has newer kernels test it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0) || defined(MARKERS_FORCE_LENDS)
#define MARKER_PUBLISH_LENDS	MARKER_CAN_PUBLISH
#else
#define MARKER_PUBLISH_LENDS	0
#endif

#if MARKER_CAN_PUBLISH
#include <linux/srcu.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
#define MARKER_TRACEPOINT_READER	guard(srcu_fast_notrace)(&tracepoint_srcu)
#else
#define MARKER_TRACEPOINT_READER	do { } while (0)
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
#define MARKER_CALL_MODULE(call)	((call)->module)
#else
#define MARKER_CALL_MODULE(call)	((call)->mod)
#endif

/* The directory of an event in tracefs, or NULL. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 18)
#define MARKER_EVENT_DIR(file)	((file)->ei)
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#define MARKER_EVENT_DIR(file)	((file)->ef)
#else
#define MARKER_EVENT_DIR(file)	((file)->dir)
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 12)
#define MARKER_FIELD_LEN(nr)	.len = (nr),
#else
#define MARKER_FIELD_LEN(nr)
#endif

/* Functions that the kernel calls before the first user of a tracepoint, and after the last. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define MARKER_TRACEPOINT_FUNCS(name, reg, unreg)			\
	static struct tracepoint_ext name = { .regfunc = reg, .unregfunc = unreg }
#define MARKER_TRACEPOINT_SET_FUNCS(tracepoint, name)	((tracepoint)->ext = &(name))
#else
struct marker_tracepoint_funcs {
	int (*reg)(void);
	void (*unreg)(void);
};

#define MARKER_TRACEPOINT_FUNCS(name, reg_func, unreg_func)		\
	static const struct marker_tracepoint_funcs name = { reg_func, unreg_func }
#define MARKER_TRACEPOINT_SET_FUNCS(tracepoint, name)			\
	((tracepoint)->regfunc = (name).reg, (tracepoint)->unregfunc = (name).unreg)
#endif
#endif

#endif /* _MARKERS_COMPAT_TRACING_H */
