/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An array of arguments as a va_list: on arm64 it has the layout of the stack area, where
 * variadic arguments lie that found no register.
 */
#ifndef _MARKERS_ARCH_VALIST_H
#define _MARKERS_ARCH_VALIST_H

#include <linux/build_bug.h>
#include <linux/string.h>
#include <linux/types.h>

#include <markers/compat/stdarg.h>

/**
 * marker_va_list() - make a va_list of arguments
 * @list:	initialised here; needs no va_end()
 * @args:	the arguments; must stay as long as @list is used
 *
 * Source: AAPCS64, appendix B: offsets of 0 say that the registers are used up.
 *
 * Context: Any, NMI too.
 */
static __always_inline void marker_va_list(va_list *list, const u64 *args)
{
	const struct {
		const void *stack;
		const void *gr_top;
		const void *vr_top;
		int gr_offs;
		int vr_offs;
	} layout = { .stack = args };

	BUILD_BUG_ON(sizeof(layout) != sizeof(*list));
	memcpy(list, &layout, sizeof(layout));
}

/**
 * marker_va_list_args() - the reverse of marker_va_list()
 * @list:	from marker_va_list(), or a copy; nothing was taken from it
 *
 * Context: Any, NMI too.
 * Return: the arguments.
 */
static __always_inline const u64 *marker_va_list_args(const va_list *list)
{
	return *(const u64 *const *)list;
}

#endif /* _MARKERS_ARCH_VALIST_H */
