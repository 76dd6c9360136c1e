/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session changes settings and restores them when the command ends. record, live and top
 * use it.
 */
#ifndef _MARKERS_SESSION_H
#define _MARKERS_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "../control/enable.h"
#include "../control/settings.h"
#include "guard.h"

struct recording;

enum { SESSION_OWN = 2000, SESSION_DISCARD, SESSION_OVERWRITE };

/* Entries for the table of a command's options. */
#define SESSION_OPTION_EVENT \
	{ 'e', "event", "PATTERN", "Enable markers, as \"markers enable\" does; may be repeated." }
#define SESSION_OPTION_DISCARD \
	{ SESSION_DISCARD, "discard", NULL, "Drop the events that are in the buffers." }
#define SESSION_OPTION_BUFFER \
	{ 'b', "buffer-size", "SIZE", "Buffer of each CPU, as 512K or 8M; in KiB without a letter." }
#define SESSION_OPTION_CLOCK \
	{ 'C', "clock", "CLOCK", "Trace clock: tsc, mono, boot or counter.", \
	  "tsc mono boot counter" }
/* Those of commands that show the events. */
#define SESSION_OPTIONS \
	SESSION_OPTION_EVENT, \
	{ 'f', "filter", "FILTER", "Of the -e before it, take only hits that pass: 'sector > 100'." }, \
	{ SESSION_OWN, "own", NULL, "Of -e, take the hits of this program, too." }, \
	SESSION_OPTION_DISCARD, \
	SESSION_OPTION_BUFFER, \
	SESSION_OPTION_CLOCK
#define SESSION_OPTION_OVERWRITE \
	{ SESSION_OVERWRITE, "overwrite", NULL, "When a buffer is full, lose the oldest events." }

/**
 * struct session - the settings that the user wants, and those that we found
 * @nr_wishes: number of @wishes
 * @wishes: markers to enable; none: keep those that are enabled
 * @without_own: of these, do not record the hits of this process; without effect in another
 *	pid namespace than the initial one
 * @discard: drop the events that are in the buffers
 * @count: count the hits of all enabled markers, too
 * @buffer_kb: KiB of each CPU's buffer; 0: keep the size
 * @clock: the trace clock; NULL: keep the clock
 * @overwrite: when a buffer is full, lose the oldest events
 * @buffer_percent: how full a buffer gets before it wakes its reader, or NULL
 * @found: the settings before the session
 * @guard: restores @found
 */
struct session {
	int nr_wishes;
	struct wish *wishes;
	bool without_own;
	bool discard;
	bool count;
	uint64_t buffer_kb;
	const char *clock;
	bool overwrite;
	const char *buffer_percent;
	struct settings found;
	struct guard guard;
};

/**
 * session_option() - process one of the options above
 * @session: gets it; all zero at first
 * @command: name of the command
 * @option: from option_next()
 * @value: the option's value; the string must outlive @session
 *
 * Return: STATUS_OK; or STATUS_USAGE, and says why.
 */
int session_option(struct session *session, const char *command, int option,
		   const char *value);

/**
 * session_signals() - read the signals that end a session from a file; ignore SIGPIPE
 *
 * Return: the file descriptor; or -1, and says why.
 */
int session_signals(void);

/**
 * session_begin() - save the settings, empty the buffers, and apply the new settings
 * @session: the settings that the user wants
 * @recording: the recording that the session is for, or NULL
 *
 * Without @discard it fails if there are events in the buffers. Leaves recording off. The caller
 * undoes it with session_end(), even after a failure. If it failed before the guard ran,
 * @session->guard has no process, and nothing has changed.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int session_begin(struct session *session, const struct recording *recording);

/**
 * session_record() - enable the markers and start recording
 * @session: from session_begin()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int session_record(struct session *session);

/**
 * session_is_on() - is recording on?
 *
 * Return: whether it is; false, and says so, if a trigger or another program has switched it off.
 */
bool session_is_on(void);

/**
 * session_stop() - stop recording
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int session_stop(void);

/**
 * session_end() - restore the settings from before the session
 * @session: from session_begin()
 * @failed: keep what is in the buffers; otherwise drop it, as it is ours
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int session_end(struct session *session, bool failed);

#endif /* _MARKERS_SESSION_H */
