/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace for the kernel views of Trace Compass. These views look for LTTng's names of
 * events and fields. Only the metadata changes.
 */
#ifndef _MARKERS_LTTNG_H
#define _MARKERS_LTTNG_H

#include <stdbool.h>

/**
 * lttng_metadata() - rewrite the metadata with LTTng's names
 * @metadata: the text that markers.ko wrote
 * @has_calls: events of kernel_syscalls were recorded: sys_enter and sys_exit of kernel_events
 *	are no calls then
 *
 * Return: the new text, to be freed.
 */
char *lttng_metadata(const char *metadata, bool has_calls);

/**
 * lttng_export() - copy a trace
 * @path: the recording
 * @output: the copy, a new directory
 *
 * Prints which views lack which events: those that were not recorded.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int lttng_export(const char *path, const char *output);

#endif /* _MARKERS_LTTNG_H */
