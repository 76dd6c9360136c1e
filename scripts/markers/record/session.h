/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session changes settings and restores them when the command ends. record, live and top
 * use it.
 */
#ifndef _MARKERS_SESSION_H
#define _MARKERS_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "../control/control.h"
#include "../control/enable.h"
#include "../control/settings.h"
#include "guard.h"

struct recording;

enum {
	SESSION_OWN = 2000, SESSION_DISCARD, SESSION_OVERWRITE, SESSION_TOP, SESSION_KEEP,
	SESSION_CONTEXTS, SESSION_PID, SESSION_CGROUP,
};

/* Entries for the table of a command's options. */
#define SESSION_OPTION_EVENT \
	{ 'e', "event", "PATTERN", "Enable markers, as \"markers enable\" does; may be repeated." }
/* Of whom. */
#define SESSION_OPTIONS_WHOSE \
	{ SESSION_PID, "pid", "PID,...", "Of -e, take only the hits of these processes." }, \
	{ SESSION_CGROUP, "cgroup", "PATH", "Of -e, take only those of tasks in this group, or below it; may be repeated." }
/* Which recording it is. */
#define SESSION_OPTIONS_WHERE \
	CONTROL_OPTION_INSTANCE, \
	{ SESSION_TOP, "top", NULL, "Use the recording at the top, and make no instance." }, \
	{ SESSION_DISCARD, "discard", NULL, "Drop the events that are in the buffers of that." }
#define SESSION_OPTION_BUFFER \
	{ 'b', "buffer-size", "SIZE", "Buffer of each CPU, as 512K or 8M; in KiB without a letter." }
#define SESSION_OPTION_CLOCK \
	{ 'C', "clock", "CLOCK", "Trace clock: tsc (on arm64 cntvct), mono, boot or counter.", \
	  "tsc cntvct mono boot counter" }
/* Those of commands that show the events. */
#define SESSION_OPTIONS \
	SESSION_OPTION_EVENT, \
	{ 'f', "filter", "FILTER", "Of the -e before it, take only hits that pass: 'sector > 100'." }, \
	{ SESSION_OWN, "own", NULL, "Of -e, take the hits of this program, too." }, \
	SESSION_OPTIONS_WHOSE, \
	SESSION_OPTION_BUFFER, \
	SESSION_OPTION_CLOCK, \
	{ SESSION_CONTEXTS, "contexts", "NAME,...", "Record these with each event, as tid,flags,procname,prio." }, \
	SESSION_OPTIONS_WHERE
#define SESSION_OPTION_KEEP \
	{ SESSION_KEEP, "keep", NULL, "Begin with what is in the buffers of --instance, or at the top." }
/* A paragraph for the help of these commands. */
#define SESSION_TEXT \
	"Makes an instance for this, a recording that others do not see, and removes it at the\n" \
	"end, also if it is killed. Without -e it enables there what is enabled at the top. --top\n" \
	"and --instance use a recording that is there: it loses what this takes out of its\n" \
	"buffers, and gets its settings back at the end. If there are events in these buffers, it\n" \
	"refuses to begin, unless --discard says that nobody needs them."
#define SESSION_OPTION_OVERWRITE \
	{ SESSION_OVERWRITE, "overwrite", NULL, "When a buffer is full, lose the oldest events." }

/**
 * struct session - the settings that the user wants, and those that we found
 * @nr_wishes: number of @wishes
 * @wishes: markers to enable; none: those that are enabled at the top, or where it is
 * @without_own: of these, do not record the hits of this process; without effect in another
 *	pid namespace than the initial one
 * @pids: a filter for the processes that the user asks for, or NULL
 * @groups: the same for groups of tasks
 * @top: use the recording at the top
 * @keep: begin with what is in the buffers
 * @discard: drop the events that are in the buffers
 * @count: count the hits of all enabled markers, too
 * @buffer_kb: KiB of each CPU's buffer; 0: keep the size
 * @clock: the trace clock; NULL: keep the clock
 * @contexts: what is recorded with each event, or NULL
 * @overwrite: when a buffer is full, lose the oldest events
 * @buffer_percent: how full a buffer gets before it wakes its reader, or NULL
 * @found: the settings before the session
 * @own: it has an instance of its own, which goes at the end
 * @guard: restores @found, or removes the instance
 */
struct session {
	int nr_wishes;
	struct wish *wishes;
	bool without_own;
	char *pids;
	char *groups;
	bool top;
	bool keep;
	bool discard;
	bool count;
	uint64_t buffer_kb;
	const char *clock;
	const char *contexts;
	bool overwrite;
	const char *buffer_percent;
	struct settings found;
	bool own;
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
 * session_check() - do the options fit together?
 * @session: all options were given to session_option()
 * @command: name of the command
 *
 * Return: STATUS_OK; or STATUS_USAGE, and says why not.
 */
int session_check(const struct session *session, const char *command);

/**
 * session_endings() - choose the signals that end a session
 * @set: gets them: SIGINT, SIGTERM, and SIGHUP unless it is ignored (nohup)
 */
void session_endings(sigset_t *set);

/**
 * session_signals() - read the signals that end a session from a file; ignore SIGPIPE
 *
 * Return: the file descriptor; or -1, and says why.
 */
int session_signals(void);

/**
 * session_write() - write to stdout, however slow its reader is, until a signal comes
 * @signals: from session_signals()
 * @text: what to write
 * @size: its bytes
 *
 * After a signal a reader that goes on gets it all, too; but one that has taken nothing for two
 * seconds is not waited for.
 *
 * Return: 0; or -1 with errno, and says why. It says nothing of EPIPE: the reader has ended.
 */
int session_write(int signals, const char *text, size_t size);

/**
 * session_begin() - make an instance, or save the settings; then apply the new ones
 * @session: the settings that the user wants
 * @recording: the recording that the session is for, or NULL
 *
 * It makes an instance, unless the user has named a recording, or there can be none. If not, it
 * empties the buffers, and fails if there are events in these: with @discard it drops them,
 * with @keep they stay. Leaves recording off, without @keep. The caller undoes it with
 * session_end(), even after a failure. If it failed before the guard ran, @session->guard has no
 * process, and nothing has changed.
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
