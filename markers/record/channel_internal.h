/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of a recording have in common.  For channel*.c only.
 *
 *	channel.c		its life, its settings, and replacing its buffer
 *	channel_on.c		tracing_on, by tasks and by hits
 *	channel_users.c		who reads, who consumes, who changes the rules
 *	channel_snapshot.c	the snapshot
 */
#ifndef _MARKERS_CHANNEL_INTERNAL_H
#define _MARKERS_CHANNEL_INTERNAL_H

#include <linux/sched.h>
#include <linux/spinlock.h>

#include "channel.h"

/**
 * struct marker_consumer - the task that opened a trace_pipe or trace_pipe_raw
 * @pid:	its process
 * @comm:	its name
 */
struct marker_consumer {
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/*
 * Protects the pointers to buffers and taking a reference, and says who uses a recording: a
 * file is released even after its directory has gone, so with the recording its mutex may be
 * gone as soon as nobody uses it.  The innermost lock.
 */
extern spinlock_t marker_buffers_lock;

/**
 * marker_channel_begin_trace() - give an empty buffer a trace of its own
 * @recording:	with the clock of this recording
 * @buffer:	no one reads or writes it
 *
 * Readers refuse a copy with files of two traces.
 *
 * Context: Process context, with the recording's mutex.
 */
void marker_channel_begin_trace(struct marker_recording *recording, struct marker_buffer *buffer);

/**
 * marker_channel_new_buffer() - make a buffer that the recording can go on in
 * @recording:	this recording
 * @config:	its sizes, mode and contexts
 *
 * Refuses a request far beyond memory before it evicts everything else.
 *
 * Context: Process context; sleeps.
 * Return: the buffer; ERR_PTR(-ENOMEM).
 */
struct marker_buffer *marker_channel_new_buffer(struct marker_recording *recording,
						const struct ring_config *config);

/**
 * marker_channel_log_no_memory() - log that there is no memory for a buffer
 * @what:	the file that was written
 * @config:	of the buffer
 * @state:	what has become of the recording
 *
 * Context: Process context; sleeps.
 */
void marker_channel_log_no_memory(const char *what, const struct ring_config *config,
				  const char *state);

/**
 * marker_channel_replace() - go on in another buffer: steps 2 and 3 of channel.c
 * @recording:	this recording
 * @buffer:	from marker_channel_new_buffer()
 *
 * Context: Process context, with the recording's mutex; sleeps for a grace period.
 * Return: the old buffer, which no hit writes to any more.
 */
struct marker_buffer *marker_channel_replace(struct marker_recording *recording,
					     struct marker_buffer *buffer);

/**
 * marker_channel_drop() - drop a buffer that was replaced: step 4 of channel.c
 * @recording:	this recording
 * @old:	from marker_channel_replace(), or NULL
 *
 * Context: Process context, with the recording's mutex; sleeps.
 */
void marker_channel_drop(struct marker_recording *recording, struct marker_buffer *old);

/**
 * marker_channel_set_ring() - make a ring do what is wanted
 * @ring:	any
 * @wanted:	MARKER_LIVE_*
 *
 * Context: Any, NMI too.
 */
void marker_channel_set_ring(struct ring *ring, u32 wanted);

/**
 * marker_channel_follow() - make the ring that is written do what the recording wants
 * @recording:	this recording
 *
 * Context: Any, NMI too.
 */
void marker_channel_follow(const struct marker_recording *recording);

/**
 * marker_channel_hold_starts() - let no hit start the ring, which the caller may stop
 * @recording:	this recording
 *
 * Context: Process context, with the recording's mutex; sleeps for a grace period.
 */
void marker_channel_hold_starts(struct marker_recording *recording);

/**
 * marker_channel_release_starts() - undo marker_channel_hold_starts()
 * @recording:	the same
 *
 * Context: Process context, with the recording's mutex.
 */
void marker_channel_release_starts(struct marker_recording *recording);

/**
 * marker_channel_first_consumed() - is there a consumer?
 * @recording:	this recording
 *
 * None comes while the recording's mutex is held, but they go.
 *
 * Context: Process context.
 * Return: the first CPU that has one, or nr_cpu_ids.
 */
unsigned int marker_channel_first_consumed(const struct marker_recording *recording);

/**
 * marker_channel_check_consumers() - refuse a change while there is a consumer, or the load
 * @recording:	this recording
 * @what:	the file that was written, for error_log
 *
 * Context: Process context, with the recording's mutex.
 * Return: 0, or -EBUSY; error_log names the consumer, or says that the module is being loaded.
 */
int marker_channel_check_consumers(const struct marker_recording *recording, const char *what);

#endif /* _MARKERS_CHANNEL_INTERNAL_H */
