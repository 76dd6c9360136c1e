/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug statements as markers: pr_debug(), dev_dbg(), netdev_dbg() and the rest of the
 * family, in a module that says so in its Kbuild file and is not changed otherwise:
 *
 *	MARKERS_DEBUG := y
 *	include <path of markers>/scripts/client.mk
 *
 * Then the headers below markers/debug/ stand before the kernel's of the same names.
 * Each includes the kernel's and defines its debug statements again, with the macros
 * here.  Documentation/porting.rst tells what becomes of each statement.
 *
 * MARKERS_DEBUG is 1 for "y", and 2 for "both": then each statement is also what the
 * kernel makes of it.  -UMARKERS_DEBUG in the flags of an object leaves its debug
 * statements to the kernel.
 */
#ifndef _MARKERS_DEBUG_H
#define _MARKERS_DEBUG_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <markers/marker.h>

/*
 * False for the conversions that occur in the kernel and that the parser refuses.  The
 * compiler knows the answer; the parser's is still the last word, when a module is
 * loaded.
 */
static __always_inline bool __marker_debug_fits(const char *fmt)
{
	return !__builtin_strstr(fmt, "%pfw") && !__builtin_strstr(fmt, "%pC") &&
	       !__builtin_strstr(fmt, "%*s") && !__builtin_strstr(fmt, "%-*s") &&
	       !__builtin_strstr(fmt, "*d") && !__builtin_strstr(fmt, "*i") &&
	       !__builtin_strstr(fmt, "*u") && !__builtin_strstr(fmt, "*l") &&
	       !__builtin_strstr(fmt, "*x") && !__builtin_strstr(fmt, "*X") &&
	       !__builtin_strstr(fmt, "*c");
}

/* few for up to 16 arguments, else many */
#define __MARKER_FEW(args...) \
	__MARKER_COUNT_(, ##args, many, many, many, many, many, many, many, many, \
			many, many, many, many, many, many, many, many, few, few, \
			few, few, few, few, few, few, few, few, few, few, few, few, \
			few, few, few)

#if MARKERS_DEBUG > 1
#define __marker_debug_few(n, print, print_args, fmt, args...)		\
do {									\
	if (__marker_debug_is_recorded(fmt)) {				\
		__marker_debug_mark(n, fmt, ##args);			\
	}								\
	print print_args;						\
} while (0)
#else
#define __marker_debug_few(n, print, print_args, fmt, args...)		\
do {									\
	if (__marker_debug_is_recorded(fmt)) {				\
		__marker_debug_mark(n, fmt, ##args);			\
	} else {							\
		print print_args;					\
	}								\
} while (0)
#endif
#define __marker_debug_many(n, print, print_args, fmt, args...)		\
	print print_args

/* A compiler that has no answer does not put a search into each statement. */
#define __marker_debug_is_recorded(fmt)					\
({									\
	bool __marker_fits = __marker_debug_fits(fmt);			\
									\
	!__builtin_constant_p(__marker_fits) || __marker_fits;		\
})

#define __marker_debug_mark(n, fmt, args...)				\
	__marker_place(__marker_site, __MARKER_KIND_SITE, 1, n, __func__, fmt, ##args)

/*
 * A statement: a marker, and print(args) where there can be none.  @print is a macro of
 * which the braces have commas in them: it must not be expanded on the way down.  The
 * counts must.
 */
#define __marker_debug(print, print_args, fmt, args...)			\
	__marker_debug_n(__MARKER_FEW(args), __MARKER_COUNT(args),	\
			 print, print_args, fmt, ##args)
#define __marker_debug_n(few, n, print, print_args, fmt, args...)	\
	__marker_debug_as(few, n, print, print_args, fmt, ##args)
#define __marker_debug_as(few, n, print, print_args, fmt, args...)	\
	__marker_debug_##few(n, print, print_args, fmt, ##args)

/* Does the kernel have dynamic debug for this file? */
#if defined(CONFIG_DYNAMIC_DEBUG) || \
	(defined(CONFIG_DYNAMIC_DEBUG_CORE) && defined(DYNAMIC_DEBUG_MODULE))
#define __MARKERS_DYNAMIC_DEBUG
#endif

#endif /* _MARKERS_DEBUG_H */
