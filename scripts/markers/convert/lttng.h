/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace for the kernel views of Trace Compass. These views look for LTTng's names of
 * events and fields. Only the metadata changes.
 */
#ifndef _MARKERS_LTTNG_H
#define _MARKERS_LTTNG_H

/**
 * lttng_metadata() - rewrite the metadata with LTTng's names
 * @metadata: the text that markers.ko wrote
 *
 * Return: the new text, to be freed.
 */
char *lttng_metadata(const char *metadata);

/**
 * lttng_export() - copy a trace
 * @path: the recording
 * @output: the copy, a new directory
 *
 * Prints which views lack which events.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int lttng_export(const char *path, const char *output);

#endif /* _MARKERS_LTTNG_H */
