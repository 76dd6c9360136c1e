/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a CTF trace of markers.ko as a sequence of events and losses, in the order of time. The
 * memory needed does not grow with the trace.
 *
 * Several threads may share the work on the events. Each of them reads the whole trace, which is a
 * small part of that work, so that nothing goes from one to another, and they need no locks.
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
 * @gaps: takes losses whose count is 0, too
 * @raw: events have no values; record_values() reads them
 * @joint: takes the events of several machines, too
 * @until: packets that begin later are not read, in nanoseconds of the trace clock; 0: all are
 * @threads: how many read: with @by_cpu, one. 0: one
 * @enter: called first in each thread; returns the first argument of the functions that are called
 *	there: all but @begin and @end. If it is NULL, these get that of trace_read_files()
 * @other: called for each event of another thread; may be NULL
 * @share: called when this thread has had all of a share, which has that number; not with one thread
 * @leave: called last in each thread; may be NULL
 *
 * Events and losses, in the order of time, are in shares of about the same size. The first thread
 * that comes to a share gets all that is in it. @begin and @end are called while no other thread runs.
 *
 * @begin returns false to stop reading, and trace_read_files() fails then. @event, @lost and @share
 * return false to stop reading; with @by_cpu, to go on with the next CPU.
 */
struct trace_sink {
	bool (*begin)(void *ctx, const struct trace_info *info);
	bool (*event)(void *ctx, const struct event *event);
	bool (*lost)(void *ctx, const struct loss *loss);
	void (*end)(void *ctx);
	bool by_cpu;
	bool gaps;
	bool raw;
	bool joint;
	uint64_t until;
	unsigned int threads;
	void *(*enter)(void *ctx, unsigned int thread);
	void (*other)(void *ctx, const struct event *event);
	bool (*share)(void *ctx, uint64_t number);
	void (*leave)(void *ctx);
};

struct trace_files;

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
 * Where a packet is damaged or cut off, it prints the file and the offset, once, and goes on with the
 * next one. It ends the program if a thread cannot be started.
 *
 * Return: STATUS_OK; or STATUS_FAILED if part of the trace could not be read.
 */
int trace_read_files(const struct trace_files *files, const struct trace_sink *sink, void *ctx);

#endif /* _MARKERS_TRACE_H */
