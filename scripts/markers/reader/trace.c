// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "../base/message.h"
#include "merge.h"
#include "opened.h"
#include "trace.h"

/**
 * struct reader - a trace that is read
 * @sink: gets the events
 * @ctx: the first argument of its functions
 * @opened: the trace
 * @merge: its streams
 * @event: the event
 */
struct reader {
	const struct trace_sink *sink;
	void *ctx;
	struct opened opened;
	struct merge merge;
	struct event event;
};

/* Read the streams that were added. */
static void pass(struct reader *reader)
{
	const struct trace_sink *sink = reader->sink;
	struct merge *merge = &reader->merge;

	for (;;)
		switch (merge_next(merge)) {
		case MERGE_EVENT:
			if (sink->raw)
				merge_raw(merge, &reader->event);
			else
				merge_event(merge, &reader->event);
			if (!sink->event(reader->ctx, &reader->event))
				return;
			break;
		case MERGE_LOSS:
			if (!sink->lost(reader->ctx, &merge->loss))
				return;
			break;
		default:
			return;
		}
}

/* Streams are in the order of their CPUs. */
static void read_streams(struct reader *reader)
{
	const struct opened *opened = &reader->opened;
	const struct opened_stream *stream = opened->stream;
	const uint64_t until = reader->sink->until;
	size_t i;

	for (i = 0; i < opened->nr_streams; i++) {
		if (i && reader->sink->by_cpu && stream[i].stream->cpu != stream[i - 1].stream->cpu) {
			pass(reader);
			merge_clear(&reader->merge);
		}
		merge_add(&reader->merge, i, 0, until ? opened_end_at(opened, until) : UINT64_MAX);
	}
	pass(reader);
}

static int read_opened(struct reader *reader, bool quiet)
{
	const struct trace_sink *sink = reader->sink;
	bool begun;

	merge_begin(&reader->merge, &reader->opened, quiet);
	begun = !sink->begin || sink->begin(reader->ctx, &reader->opened.info);
	if (begun)
		read_streams(reader);
	if (sink->end)
		sink->end(reader->ctx);
	return merge_end(&reader->merge) || !begun ? STATUS_FAILED : STATUS_OK;
}

int trace_check_hosts(const struct opened *opened, const char *path)
{
	return opened->info.is_joint ?
	       say("%s: has recordings of several hosts or boots; only report and query read them together: give the directory of one",
		   path) : STATUS_OK;
}

int trace_read_files(const struct trace_files *files, const struct trace_sink *sink, void *ctx)
{
	struct reader *reader = need_memory(calloc(1, sizeof(*reader)));
	int status;

	reader->sink = sink;
	reader->ctx = ctx;
	status = opened_begin(&reader->opened, files);
	if (!status && !sink->joint)
		status = trace_check_hosts(&reader->opened, files->root);
	if (!status)
		status = read_opened(reader, files->quiet);
	if (reader->opened.damaged)
		status = STATUS_FAILED;
	opened_end(&reader->opened);
	free(reader);
	return status || files->damaged ? STATUS_FAILED : STATUS_OK;
}

int trace_open(struct trace_files *files, const char *path)
{
	int status = trace_files_open(files, path);

	if (status || trace_files_have_stream(files))
		return status;
	trace_files_close(files);
	return say("%s: there is no stream in it: no event was recorded, or the files stream_N are missing",
		   path);
}
