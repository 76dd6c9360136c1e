/* SPDX-License-Identifier: GPL-2.0 */
/*
 * acpi_handle_debug() as a marker: see <markers/debug.h>.
 *
 * The path of a handle takes a mutex and memory, so a hit records the handle only.
 */
#ifndef _MARKERS_DEBUG_ACPI_H
#define _MARKERS_DEBUG_ACPI_H

#include_next <linux/acpi.h>

#ifdef MARKERS_DEBUG
#include <markers/debug.h>

#undef acpi_handle_debug

#ifdef __MARKERS_DYNAMIC_DEBUG
#define __marker_print_acpi(handle, fmt, args...)			\
	_dynamic_func_call(fmt, __acpi_handle_debug, handle, fmt, ##args)
#elif defined(DEBUG)
#define __marker_print_acpi(handle, fmt, args...)			\
	acpi_handle_printk(KERN_DEBUG, handle, fmt, ##args)
#else
#define __marker_print_acpi(handle, fmt, args...)			\
do {									\
	if (0)								\
		acpi_handle_printk(KERN_DEBUG, handle, fmt, ##args);	\
} while (0)
#endif

/* twice, for a pr_fmt() with commas in it */
#define __marker_acpi(handle, fmt, args...)				\
	__marker_acpi_as(handle, fmt, ##args)
#define __marker_acpi_as(handle, fmt, args...)				\
	__marker_debug(__marker_print_acpi, (handle, fmt, ##args),	\
		       "acpi %p: " __marker_literal(fmt), handle, ##args)
#define acpi_handle_debug(handle, fmt, args...)				\
	__marker_acpi(handle, pr_fmt(fmt), ##args)

#endif /* MARKERS_DEBUG */
#endif /* _MARKERS_DEBUG_ACPI_H */
