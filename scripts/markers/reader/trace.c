// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "../base/message.h"
#include "merge.h"
#include "opened.h"
#include "trace.h"

#define SHARE	(64 * 1024)	/* bytes of records */

/**
 * struct job - what a thread has to do
 * @sink: gets the events
 * @ctx: the first argument of @sink->begin, @sink->enter and @sink->end
 * @opened: the trace
 * @quiet: do not say what is damaged
 * @thread: number of the thread
 * @threads: how many there are
 * @next: for all threads: the first share that none has claimed
 * @id: of the thread
 * @status: STATUS_FAILED if some of what it read is damaged
 * @ended: the sink ended it
 * @read: how far it has read: the same for all that have read the same
 */
struct job {
	const struct trace_sink *sink;
	void *ctx;
	const struct opened *opened;
	bool quiet;
	unsigned int thread;
	unsigned int threads;
	uint64_t *next;
	pthread_t id;
	int status;
	bool ended;
	uint64_t read;
};

/**
 * struct reader - a trace that is read, by one thread
 * @job: what it does
 * @sink: as in @job
 * @ctx: the first argument of the other functions of @sink
 * @merge: the streams
 * @event: the event
 * @share: number of the share
 * @begun: something of it was read
 * @mine: and this thread has claimed it
 * @left: what of it is not yet read, in bytes
 */
struct reader {
	const struct job *job;
	const struct trace_sink *sink;
	void *ctx;
	struct merge merge;
	struct event event;
	uint64_t share;
	bool begun;
	bool mine;
	int64_t left;
};

static void read_event(struct reader *reader)
{
	if (reader->sink->raw)
		merge_raw(&reader->merge, &reader->event);
	else
		merge_event(&reader->merge, &reader->event);
}

/* Return: false to stop reading. */
static bool tell_event(struct reader *reader)
{
	read_event(reader);
	return reader->sink->event(reader->ctx, &reader->event);
}

/* Does this thread write the share? The first one that comes to it claims it. */
static bool is_mine(struct reader *reader)
{
	uint64_t share = reader->share;

	if (!reader->begun)
		reader->mine = __atomic_compare_exchange_n(reader->job->next, &share, share + 1, false,
							   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	reader->begun = true;
	return reader->mine;
}

/* Return: false to stop reading. */
static bool end_share(struct reader *reader)
{
	const bool good = !reader->mine || reader->sink->share(reader->ctx, reader->share);

	reader->share++;
	reader->begun = false;
	reader->left = SHARE;
	return good;
}

/* Return: false to stop reading. */
static bool share_event(struct reader *reader)
{
	const struct opened_stream *stream;
	const struct record *record = merge_record(&reader->merge, &stream);

	if (is_mine(reader)) {
		if (!tell_event(reader))
			return false;
	} else if (reader->sink->other) {
		read_event(reader);
		reader->sink->other(reader->ctx, &reader->event);
	}
	reader->left -= record->end - record->begin;
	return reader->left > 0 || end_share(reader);
}

static bool takes_loss(const struct reader *reader)
{
	return reader->merge.loss.count || reader->sink->gaps;
}

/* Read the streams that were added. Return: false if the sink ended that. */
static bool pass(struct reader *reader)
{
	const bool is_shared = reader->job->threads > 1;

	for (;;)
		switch (merge_next(&reader->merge)) {
		case MERGE_EVENT:
			if (!(is_shared ? share_event(reader) : tell_event(reader)))
				return false;
			break;
		case MERGE_LOSS:
			if (takes_loss(reader) && (!is_shared || is_mine(reader)) &&
			    !reader->sink->lost(reader->ctx, &reader->merge.loss))
				return false;
			break;
		default:
			return !reader->begun || end_share(reader);
		}
}

/* Streams are in the order of their CPUs. Return: false if the sink ended the last pass. */
static bool read_streams(struct reader *reader)
{
	const struct opened *opened = reader->job->opened;
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
	return pass(reader);
}

static void *do_job(void *arg)
{
	struct job *job = arg;
	const struct trace_sink *sink = job->sink;
	struct reader *reader = need_memory(calloc(1, sizeof(*reader)));

	reader->job = job;
	reader->sink = sink;
	reader->left = SHARE;
	reader->ctx = sink->enter ? sink->enter(job->ctx, job->thread) : job->ctx;
	merge_begin(&reader->merge, job->opened, job->quiet);
	job->ended = !read_streams(reader);
	job->read = reader->share * SHARE - reader->left;
	job->status = merge_end(&reader->merge);
	if (sink->leave)
		sink->leave(reader->ctx);
	free(reader);
	return NULL;
}

static void start_thread(struct job *job)
{
	errno = pthread_create(&job->id, NULL, do_job, job);
	if (!errno)
		return;
	say_errno("cannot start thread %u of %u; try with fewer", job->thread + 1, job->threads);
	exit(STATUS_FAILED);
}

/* Threads that do not read the same have not the same shares. */
static int compare_jobs(const struct job *job)
{
	unsigned int i;

	for (i = 0; i < job->threads; i++)
		if (job[i].ended)
			return STATUS_OK;
	for (i = 1; i < job->threads; i++)
		if (job[i].read != job->read || job[i].status != job->status)
			return say("the recording changed while threads read it, or one could not read what others could: events may be missing, or there twice; read it again with one thread");
	return STATUS_OK;
}

/*
 * What a thread writes to, it also allocates, and this thread waits: memory next to that of another
 * thread would go from CPU to CPU with each event. Return: STATUS_OK; STATUS_FAILED if some of what
 * was read is damaged.
 */
static int do_jobs(const struct job *all)
{
	struct job *job = need_memory(calloc(all->threads, sizeof(*job)));
	int status = STATUS_OK;
	uint64_t next = 0;
	unsigned int i;

	for (i = 0; i < all->threads; i++) {
		job[i] = *all;
		job[i].next = &next;
		job[i].thread = i;
		job[i].quiet |= i;	/* they find the same */
		start_thread(&job[i]);
	}
	for (i = 0; i < all->threads; i++) {
		pthread_join(job[i].id, NULL);
		status |= job[i].status;
	}
	status |= compare_jobs(job);
	free(job);
	return status;
}

static int do_alone(const struct job *all)
{
	struct job job = *all;

	do_job(&job);
	return job.status;
}

static int read_opened(const struct job *all)
{
	const struct trace_sink *sink = all->sink;
	int status = STATUS_FAILED;

	if (!sink->begin || sink->begin(all->ctx, &all->opened->info))
		status = all->threads > 1 ? do_jobs(all) : do_alone(all);
	if (sink->end)
		sink->end(all->ctx);
	return status;
}

/* For who can take no more than one machine. */
static int check_hosts(const struct opened *opened, const char *path)
{
	return opened->info.is_joint ?
	       say("%s: has recordings of several hosts or boots; only report and query read them together: give the directory of one",
		   path) : STATUS_OK;
}

int trace_read_files(const struct trace_files *files, const struct trace_sink *sink, void *ctx)
{
	struct opened opened = { .damaged = false };
	const struct job all = { sink, ctx, &opened, .quiet = files->quiet, .threads = sink->threads ?: 1 };
	int status = opened_begin(&opened, files);

	if (!status && !sink->joint)
		status = check_hosts(&opened, files->root);
	if (!status)
		status = read_opened(&all);
	if (opened.damaged)
		status = STATUS_FAILED;
	opened_end(&opened);
	return status || files->damaged ? STATUS_FAILED : STATUS_OK;
}

int trace_open(struct trace_files *files, const char *path)
{
	int status = trace_files_open(files, path);

	status = status ?: trace_files_check_stream(files, path);
	if (status)
		trace_files_close(files);
	return status;
}
