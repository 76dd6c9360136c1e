/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Settings that a command changes for the time that it runs: what record, live and top
 * have in common.
 */
#ifndef _MARKERS_SESSION_H
#define _MARKERS_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "guard.h"
#include "settings.h"

/**
 * struct session - what is wanted, and what was found
 * @nr_patterns: of @patterns
 * @patterns: markers to enable; none: those that are enabled
 * @filter: what hits of @patterns have to pass; NULL: all are recorded
 * @buffer_kb: buffer of each CPU, 0: as it is
 * @clock: the trace clock, NULL: as it is
 * @overwrite: lose the oldest events
 * @buffer_percent: how full a buffer has to be to wake its reader, or NULL
 * @found: the settings before
 * @guard: restores them
 */
struct session {
	int nr_patterns;
	char **patterns;
	const char *filter;
	uint64_t buffer_kb;
	const char *clock;
	bool overwrite;
	const char *buffer_percent;
	struct settings found;
	struct guard guard;
};

/**
 * session_add() - one more pattern
 * @session: may be zero
 * @pattern: [!][module:]name
 */
void session_add(struct session *session, char *pattern);

/**
 * session_buffer() - take the value of --buffer-size
 * @session: gets it
 * @value: a size; KiB without a letter
 *
 * Return: whether it is a size.
 */
bool session_buffer(struct session *session, const char *value);

/**
 * session_begin() - keep what is found, empty the buffers, and set what is wanted
 * @session: what is wanted
 * @dir: a recording, or -1
 *
 * Recording is off after it. The caller undoes it by session_end(), also if it failed, unless
 * the session has no guard: then nothing was changed.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int session_begin(struct session *session, int dir);

/**
 * session_record() - enable the markers, and record
 * @session: of session_begin()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int session_record(struct session *session);

/**
 * session_stop() - do not record any more
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int session_stop(void);

/**
 * session_end() - restore what was found
 * @session: of session_begin()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int session_end(struct session *session);

#endif /* _MARKERS_SESSION_H */
