/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_mark() for a tree that is built with markers or without.  Copy this file, and include it
 * in place of <markers/marker.h>.  Without markers the compiler still compares the arguments with
 * the format, and nothing is evaluated.
 */
#ifndef _MARKERS_FALLBACK_H
#define _MARKERS_FALLBACK_H

/* client.mk was there, for a kernel that markers can work on: with MARKERS_OPTIONAL or not. */
#ifdef MARKERS_OPTIONAL
#define MARKERS_ARE_HERE
#elif defined(__has_include)
#if __has_include(<markers/marker.h>)
#define MARKERS_ARE_HERE
#endif
#endif

#ifdef MARKERS_ARE_HERE
#include <markers/marker.h>
#else
#include <linux/compiler.h>

#define MARK_NOARGS	" "

static inline __printf(1, 2) void __marker_check_format(const char *fmt, ...)
{
}

#define trace_mark(name, fmt, args...)					\
do {									\
	if (0)								\
		__marker_check_format(fmt, ##args);			\
} while (0)

#define _trace_mark(name, fmt, args...)		trace_mark(name, fmt, ##args)
#define trace_mark_guard(name, fmt, args...)	trace_mark(name, fmt, ##args)
#endif

#endif /* _MARKERS_FALLBACK_H */
