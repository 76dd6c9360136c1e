/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of a recording have in common.  For markers/record only.
 *
 *	life.c			begins and ends recordings
 *	settings.c		sizes, overwrite, contexts, the clock
 *	replace.c		the buffer that is written, and another in its place
 *	tracing_on.c		on and off, by tasks and by hits
 *	users.c			who reads, who consumes, who changes the rules
 *	snapshot.c		the snapshot
 */
#ifndef _MARKERS_RECORD_INTERNAL_H
#define _MARKERS_RECORD_INTERNAL_H

#include <linux/sched.h>
#include <linux/spinlock.h>

#include "record.h"

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
 * marker_config_kb() - the size of the buffer that a config asks for
 * @config:	of a ring
 *
 * Context: Any.
 * Return: KiB for each CPU, without the reader's sub-buffer.
 */
static inline size_t marker_config_kb(const struct ring_config *config)
{
	return (size_t)config->subbuf_size / 1024 * config->nr_subbufs;
}

/**
 * marker_config_sizes() - ask for a size of buffers
 * @config:	gets the sizes, in powers of two
 * @buffer_kb:	KiB for each CPU
 * @subbuf_kb:	KiB of a sub-buffer
 *
 * Context: Any.
 * Return: NULL, or what is wrong with them.
 */
const char *marker_config_sizes(struct ring_config *config, unsigned int buffer_kb,
				unsigned int subbuf_kb);

/**
 * marker_config_has_room() - is there memory for a buffer, or room in its region?
 * @config:	of the buffer
 *
 * So a request far beyond memory is refused before it evicts everything else, and one beyond a
 * region before it writes there.
 *
 * Context: Process context.
 * Return: true if there is.
 */
bool marker_config_has_room(const struct ring_config *config);

/**
 * marker_recording_begin_trace() - give an empty buffer a trace of its own
 * @recording:	with the clock of this recording
 * @buffer:	no one reads or writes it
 *
 * Readers refuse a copy with files of two traces.
 *
 * Context: Process context, with the recording's mutex.
 */
void marker_recording_begin_trace(struct marker_recording *recording, struct marker_buffer *buffer);

/**
 * marker_recording_new_buffer() - make a buffer that the recording can go on in
 * @recording:	this recording
 * @config:	its sizes, mode and contexts
 *
 * Refuses a request far beyond memory before it evicts everything else.
 *
 * Context: Process context; sleeps.
 * Return: the buffer; ERR_PTR(-ENOMEM).
 */
struct marker_buffer *marker_recording_new_buffer(struct marker_recording *recording,
						  const struct ring_config *config);

/**
 * marker_recording_log_no_memory() - log that there is no memory for a buffer
 * @what:	the file that was written
 * @config:	of the buffer
 * @state:	what has become of the recording
 *
 * Context: Process context; sleeps.
 */
void marker_recording_log_no_memory(const char *what, const struct ring_config *config,
				    const char *state);

/**
 * marker_recording_publish() - let hits write to a buffer: step 2 of replace.c
 * @recording:	of this recording
 * @buffer:	it is complete
 *
 * Context: Process context, with the recording's mutex; or nobody knows the recording yet.
 */
void marker_recording_publish(struct marker_recording *recording, struct marker_buffer *buffer);

/**
 * marker_recording_replace() - go on in another buffer: steps 2 and 3 of replace.c
 * @recording:	this recording
 * @buffer:	from marker_recording_new_buffer()
 *
 * Context: Process context, with the recording's mutex; sleeps for a grace period.
 * Return: the old buffer, which no hit writes to any more.
 */
struct marker_buffer *marker_recording_replace(struct marker_recording *recording,
					       struct marker_buffer *buffer);

/**
 * marker_recording_drop() - drop a buffer that was replaced: step 4 of replace.c
 * @recording:	this recording
 * @old:	from marker_recording_replace(), or NULL
 *
 * Context: Process context, with the recording's mutex; sleeps.
 */
void marker_recording_drop(struct marker_recording *recording, struct marker_buffer *old);

/**
 * marker_recording_revoke_retired() - take buffers that were replaced from the files that read them
 * @recording:	this recording
 *
 * Context: Process context, with the recording's mutex; sleeps.
 * Return: whether there were any.
 */
bool marker_recording_revoke_retired(struct marker_recording *recording);

/**
 * marker_recording_set_ring() - make a ring do what is wanted
 * @ring:	any
 * @live:	MARKER_LIVE_*
 *
 * Context: Any, NMI too.
 */
void marker_recording_set_ring(struct ring *ring, u32 live);

/**
 * marker_recording_follow() - make the ring that is written do what the recording wants
 * @recording:	this recording
 *
 * Context: Any, NMI too.
 */
void marker_recording_follow(const struct marker_recording *recording);

/**
 * marker_recording_hold_starts() - let no hit start the ring, which the caller may stop
 * @recording:	this recording
 *
 * Context: Process context, with the recording's mutex; sleeps for a grace period.
 */
void marker_recording_hold_starts(struct marker_recording *recording);

/**
 * marker_recording_release_starts() - undo marker_recording_hold_starts()
 * @recording:	the same
 *
 * While the module is loaded that goes on until marker_recording_use_region().
 *
 * Context: Process context, with the recording's mutex.
 */
void marker_recording_release_starts(struct marker_recording *recording);

/**
 * marker_recording_first_consumed() - is there a consumer?
 * @recording:	this recording
 *
 * None comes while the recording's mutex is held, but they go.
 *
 * Context: Process context.
 * Return: the first CPU that has one, or nr_cpu_ids.
 */
unsigned int marker_recording_first_consumed(const struct marker_recording *recording);

/**
 * marker_recording_check_consumers() - refuse a change while there is a consumer, or the load
 * @recording:	this recording
 * @what:	the file that was written, for error_log
 *
 * Context: Process context, with the recording's mutex.
 * Return: 0, or -EBUSY; error_log names the consumer, or says that the module is being loaded.
 */
int marker_recording_check_consumers(const struct marker_recording *recording, const char *what);

#endif /* _MARKERS_RECORD_INTERNAL_H */
