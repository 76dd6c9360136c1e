/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug statements as markers: pr_debug(), dev_dbg(), netdev_dbg() and the rest of the
 * family, in a module that sets a variable in its Kbuild file and needs no other change:
 *
 *	MARKERS_DEBUG := y
 *	include <path of markers>/scripts/client.mk
 *
 * Then the compiler finds the headers below markers/debug/ before the kernel's of the same
 * names.  Each includes the kernel's and defines its debug statements again, with the
 * macros here.  Documentation/porting.rst lists what each statement becomes.
 *
 * MARKERS_DEBUG is 1 for "y", and 2 for "both", which also keeps what the kernel makes of
 * each statement.  -UMARKERS_DEBUG in the flags of an object leaves its debug statements to
 * the kernel.
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
#define __MARKER_FEW(n)		__MARKER_FEW_AS(n)
#define __MARKER_FEW_AS(n)	__MARKER_SECOND(__MARKER_MANY_##n, few, ~)
#define __MARKER_MANY_17	~, many

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

/* If the compiler has no answer, true: no statement gets a search at run time. */
#define __marker_debug_is_recorded(fmt)					\
({									\
	bool __marker_fits = __marker_debug_fits(fmt);			\
									\
	!__builtin_constant_p(__marker_fits) || __marker_fits;		\
})

#define __marker_debug_mark(n, fmt, args...)				\
	__marker_place(__marker_site, __MARKER_KIND_SITE, 1, n, __func__, fmt, ##args)

/*
 * A statement: a marker, or print(args) where a marker is impossible.  @print is a macro
 * that expands to commas inside braces, so it must not be expanded on the way down.  The
 * counts must be.
 */
#define __marker_debug(print, print_args, fmt, args...)			\
	__marker_debug_n(__MARKER_FEW(__MARKER_COUNT(args)), __MARKER_COUNT(args), \
			 print, print_args, fmt, ##args)
#define __marker_debug_n(few, n, print, print_args, fmt, args...)	\
	__marker_debug_as(few, n, print, print_args, fmt, ##args)
#define __marker_debug_as(few, n, print, print_args, fmt, args...)	\
	__marker_debug_##few(n, print, print_args, fmt, ##args)

/* A format as a literal, to join with others: some drivers have it in parentheses. */
#define __marker_literal(fmt)						\
	__MARKER_LITERAL(__MARKER_SECOND(__MARKER_PARENTHESES fmt, KEEP, ~), fmt)
#define __MARKER_PARENTHESES(text...)		~, STRIP
#define __MARKER_SECOND(args...)		__MARKER_SECOND_OF(args)
#define __MARKER_SECOND_OF(first, second, rest...)	second
#define __MARKER_LITERAL(how, fmt)		__MARKER_LITERAL_AS(how, fmt)
#define __MARKER_LITERAL_AS(how, fmt)		__MARKER_LITERAL_##how(fmt)
#define __MARKER_LITERAL_KEEP(fmt)		fmt
#define __MARKER_LITERAL_STRIP(fmt)		__MARKER_LITERAL_KEEP fmt

/* Does the kernel have dynamic debug for this file? */
#if defined(CONFIG_DYNAMIC_DEBUG) || \
	(defined(CONFIG_DYNAMIC_DEBUG_CORE) && defined(DYNAMIC_DEBUG_MODULE))
#define __MARKERS_DYNAMIC_DEBUG
#endif

#endif /* _MARKERS_DEBUG_H */
