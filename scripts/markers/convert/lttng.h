/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace for the kernel views of Trace Compass: these look for names of LTTng's events and
 * fields. Only the metadata change.
 */
#ifndef _MARKERS_LTTNG_H
#define _MARKERS_LTTNG_H

/**
 * lttng_metadata() - the metadata with other names
 * @metadata: the text of markers.ko
 *
 * Return: the text, to be freed.
 */
char *lttng_metadata(const char *metadata);

/**
 * lttng_export() - copy a trace
 * @path: the recording
 * @output: the copy, a directory that is made
 *
 * Says which views lack which events.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int lttng_export(const char *path, const char *output);

#endif /* _MARKERS_LTTNG_H */
