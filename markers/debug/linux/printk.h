/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pr_debug(), pr_devel() and print_hex_dump_debug() as markers: see <markers/debug.h>.
 * Rate limits and "once" protect the log, so they do not apply here.
 */
#ifndef _MARKERS_DEBUG_PRINTK_H
#define _MARKERS_DEBUG_PRINTK_H

#include_next <linux/printk.h>

#ifdef MARKERS_DEBUG
#include <markers/debug.h>

#undef pr_debug
#undef pr_debug_once
#undef pr_debug_ratelimited
#undef pr_devel
#undef pr_devel_once
#undef pr_devel_ratelimited
#undef print_hex_dump_debug
#undef print_hex_dump_devel

#ifdef __MARKERS_DYNAMIC_DEBUG
#define __marker_print_pr(fmt, args...)					\
	_dynamic_func_call(fmt, __dynamic_pr_debug, fmt, ##args)
#elif defined(DEBUG)
#define __marker_print_pr(fmt, args...)	printk(KERN_DEBUG fmt, ##args)
#else
#define __marker_print_pr(fmt, args...)	no_printk(KERN_DEBUG fmt, ##args)
#endif

#define __marker_pr(fmt, args...)					\
	__marker_debug(__marker_print_pr, (fmt, ##args), fmt, ##args)

#define pr_debug(fmt, args...)			__marker_pr(pr_fmt(fmt), ##args)
#define pr_debug_once(fmt, args...)		__marker_pr(pr_fmt(fmt), ##args)
#define pr_debug_ratelimited(fmt, args...)	__marker_pr(pr_fmt(fmt), ##args)
#define pr_devel(fmt, args...)			__marker_pr(pr_fmt(fmt), ##args)
#define pr_devel_once(fmt, args...)		__marker_pr(pr_fmt(fmt), ##args)
#define pr_devel_ratelimited(fmt, args...)	__marker_pr(pr_fmt(fmt), ##args)

#ifdef __MARKERS_DYNAMIC_DEBUG
#define __marker_print_hex(args...)		dynamic_hex_dump(args)
#elif defined(DEBUG)
#define __marker_print_hex(args...)		print_hex_dump(KERN_DEBUG, args)
#else
#define __marker_print_hex(args...)					\
do {									\
	if (0)								\
		print_hex_dump(KERN_DEBUG, args);			\
} while (0)
#endif

/* The first bytes, as many as %*ph records; len is that of the whole buffer. */
#define __marker_hex(prefix, type, row, group, buf, len, ascii)		\
	__marker_debug(__marker_print_hex, (prefix, type, row, group, buf, len, ascii), \
		       "prefix %s len %zu bytes %*ph", prefix, (size_t)(len), \
		       (int)((size_t)(len) < 64 ? (size_t)(len) : 64), buf)

#define print_hex_dump_debug(prefix, type, row, group, buf, len, ascii)	\
	__marker_hex(prefix, type, row, group, buf, len, ascii)
#define print_hex_dump_devel(prefix, type, row, group, buf, len, ascii)	\
	__marker_hex(prefix, type, row, group, buf, len, ascii)

#endif /* MARKERS_DEBUG */
#endif /* _MARKERS_DEBUG_PRINTK_H */
