/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace for the kernel views of Trace Compass. These views look for LTTng's names of
 * events and fields. Only the metadata changes.
 */
#ifndef _MARKERS_LTTNG_H
#define _MARKERS_LTTNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct lttng_recorded - the events that were recorded, of all that the metadata know
 * @name: "module:marker", perhaps again for each trace
 * @nr: number of names
 */
struct lttng_recorded {
	char **name;
	size_t nr;
};

/**
 * lttng_has_calls() - were events of kernel_syscalls recorded?
 * @recorded: the events
 *
 * Return: whether there are some.
 */
bool lttng_has_calls(const struct lttng_recorded *recorded);

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
 * lttng_say_views() - say which views lack which events
 * @recorded: the events
 */
void lttng_say_views(const struct lttng_recorded *recorded);

/**
 * lttng_export() - copy a recording, or what a collector has of it
 * @path: its directory
 * @output: the copy, a new directory; see join()
 * @lost: gets the number of lost events
 *
 * Prints which views lack which events: those that were not recorded.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int lttng_export(const char *path, const char *output, uint64_t *lost);

#endif /* _MARKERS_LTTNG_H */
