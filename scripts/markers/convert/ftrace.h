/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as ftrace writes them, for what reads its text: microseconds, names without the
 * module, and the kernel's own events in the words that the kernel has for them.
 */
#ifndef _MARKERS_FTRACE_H
#define _MARKERS_FTRACE_H

#include <stdio.h>

#include "trace.h"

/**
 * ftrace_begin() - write the heading
 * @out: where to
 */
void ftrace_begin(FILE *out);

/**
 * ftrace_event() - write an event as a line
 * @out: where to
 * @event: the event
 */
void ftrace_event(FILE *out, const struct event *event);

/**
 * ftrace_loss() - write a loss as a line
 * @out: where to
 * @loss: the loss
 */
void ftrace_loss(FILE *out, const struct loss *loss);

/**
 * ftrace_is_known() - is it an event of the kernel that readers of its text look for?
 * @kind: the marker
 *
 * Return: whether it is.
 */
bool ftrace_is_known(const struct kind *kind);

#endif /* _MARKERS_FTRACE_H */
