/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a user reads of a recording: how far it is, and what it has at its end.
 */
#ifndef _MARKERS_PROGRESS_H
#define _MARKERS_PROGRESS_H

#include <stdint.h>
#include <time.h>

#include "streams.h"

/**
 * progress_show() - rewrite the line that shows the progress, if stderr is a terminal
 * @streams: what is recorded
 * @began: when it began, by CLOCK_MONOTONIC
 */
void progress_show(const struct streams *streams, const struct timespec *began);

/**
 * progress_clear() - remove that line
 */
void progress_clear(void);

/**
 * progress_summarize() - print the last line: saved and lost events by CPU
 * @streams: what was recorded
 * @output: directory of the recording
 *
 * Return: number of lost events.
 */
uint64_t progress_summarize(const struct streams *streams, const char *output);

#endif /* _MARKERS_PROGRESS_H */
