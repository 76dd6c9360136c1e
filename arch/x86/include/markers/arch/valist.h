/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An array of argument slots as a va_list: on x86-64 it has the layout of the
 * overflow area, where variadic arguments lie that found no register.
 *
 * Source: System V ABI, AMD64 supplement, section 3.5.7: gp_offset 48 and
 * fp_offset 304 say that the registers are used up.
 */
#ifndef _MARKERS_ARCH_VALIST_H
#define _MARKERS_ARCH_VALIST_H

#include <linux/build_bug.h>
#include <linux/string.h>
#include <linux/types.h>

#include <markers/compat/stdarg.h>

/**
 * marker_va_list() - make a va_list of argument slots
 * @list:	initialised here; needs no va_end()
 * @args:	the slots; must stay as long as @list is used
 *
 * Context: Any, NMI too.
 */
static __always_inline void marker_va_list(va_list *list, const u64 *args)
{
	const struct {
		u32 gp_offset;
		u32 fp_offset;
		const void *overflow_arg_area;
		const void *reg_save_area;
	} layout = { 48, 304, args, NULL };

	BUILD_BUG_ON(sizeof(layout) != sizeof(*list));
	memcpy(list, &layout, sizeof(layout));
}

#endif /* _MARKERS_ARCH_VALIST_H */
