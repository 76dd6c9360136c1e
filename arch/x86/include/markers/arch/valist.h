/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An array of arguments as a va_list: on x86-64 it has the layout of the
 * overflow area, where variadic arguments lie that found no register.
 *
 * Source: System V ABI, AMD64 supplement, section 3.5.7: a gp_offset of 48 says that
 * the registers are used up.  The kernel has no floating point, so nothing reads
 * fp_offset or reg_save_area.  The latter is left as it is.
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
 * Context: Any, NMI too.
 */
static __always_inline void marker_va_list(va_list *list, const u64 *args)
{
	struct layout {
		u64 offsets;		/* gp_offset, fp_offset */
		const void *overflow_arg_area;
		const void *reg_save_area;
	} *layout = (struct layout *)list;

	BUILD_BUG_ON(sizeof(*layout) != sizeof(*list));
	layout->offsets = 48;
	layout->overflow_arg_area = args;
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
	return ((const u64 *const *)list)[1];
}

#endif /* _MARKERS_ARCH_VALIST_H */
