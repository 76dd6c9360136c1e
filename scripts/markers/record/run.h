/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording from its begin to its end.
 */
#ifndef _MARKERS_RUN_H
#define _MARKERS_RUN_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "child.h"
#include "earlier.h"
#include "flight.h"
#include "kallsyms.h"
#include "recording.h"
#include "session.h"
#include "streams.h"

/**
 * struct record - what the user asks for, and the state of a run
 * @session: the markers and the settings
 * @flight: the conditions of --snapshot-on
 * @limits: those of --rotate
 * @output: directory of the recording; NULL: a new one, in @below or of the default name
 * @below: directory with a recording for each start, or NULL
 * @strict: with a status of its own if events were lost
 * @command: what is recorded, or NULL
 * @found: private, as the following: the signals before
 * @child: the process of @command
 * @asked: a signal has asked us to end
 * @earlier: the recordings in @below
 * @recording: the directory
 * @kallsyms: its symbols
 * @streams: the packets
 * @signals: where they are read from
 * @stopped: somebody has switched recording off, and we have said so
 * @began: when
 */
struct record {
	struct session session;
	struct flight flight;
	struct rotation_limits limits;
	char *output;
	const char *below;
	bool strict;
	char **command;
	struct child_signals found;
	pid_t child;
	bool asked;
	struct earlier earlier;
	struct recording recording;
	struct kallsyms kallsyms;
	struct streams streams;
	int signals;
	bool stopped;
	struct timespec began;
};

/**
 * record_run() - record until the command ends, or a signal comes
 * @record: up to @command is set, and where its kinds of data have a first value, the others
 *
 * Return: the exit status of the program; if it is STATUS_FAILED, it says why.
 */
int record_run(struct record *record);

#endif /* _MARKERS_RUN_H */
