/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a CTF trace of markers.ko as a sequence of events and losses, in the order of time. The
 * memory needed does not grow with the trace.
 */
#ifndef _MARKERS_TRACE_H
#define _MARKERS_TRACE_H

#include <stdbool.h>

#include "../events/event.h"
#include "record.h"

/**
 * struct trace_sink - functions that get the events
 * @begin: called first; may be NULL
 * @event: called for each event
 * @lost: called for each loss, in the order of time
 * @end: called last, if @begin was called; may be NULL. After it, the trace's info, kinds and
 *	events are gone.
 * @by_cpu: events and losses come in the order of time for each CPU, all of one CPU before
 *	those of the next, which is faster
 * @raw: events have no values; record_values() reads them
 * @joint: takes the events of several machines, too
 * @until: packets that begin later are not read, in nanoseconds of the trace clock; 0: all are
 *
 * @begin returns false to stop reading, and trace_read_files() fails then. @event and @lost return
 * false to stop reading; with @by_cpu, to go on with the next CPU.
 */
struct trace_sink {
	bool (*begin)(void *ctx, const struct trace_info *info);
	bool (*event)(void *ctx, const struct event *event);
	bool (*lost)(void *ctx, const struct loss *loss);
	void (*end)(void *ctx);
	bool by_cpu;
	bool raw;
	bool joint;
	uint64_t until;
};

struct trace_files;

struct opened;

/**
 * trace_check_hosts() - check that a trace is of one machine, for who can take no more
 * @opened: the trace
 * @path: its directory
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int trace_check_hosts(const struct opened *opened, const char *path);

/**
 * trace_open() - open the files of a trace that has something to read
 * @files: gets them
 * @path: its directory, or that of a recording made with --rotate; it must outlive @files
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int trace_open(struct trace_files *files, const char *path);

/**
 * trace_read_files() - read a trace
 * @files: from trace_open(); or from trace_files_open(), if it is no error that there is no stream
 * @sink: gets the events
 * @ctx: the first argument of its functions
 *
 * Where a packet is damaged or cut off, it prints the file and the offset, and goes on with the
 * next one.
 *
 * Return: STATUS_OK; or STATUS_FAILED if part of the trace could not be read.
 */
int trace_read_files(const struct trace_files *files, const struct trace_sink *sink, void *ctx);

#endif /* _MARKERS_TRACE_H */
