/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes events in ftrace's format, for tools that read its text: times in microseconds,
 * names without the module, and the kernel's own events in the kernel's own format.
 */
#ifndef _MARKERS_FTRACE_H
#define _MARKERS_FTRACE_H

#include <stdio.h>

#include "../events/event.h"

/**
 * ftrace_begin() - write the heading
 * @out: the output file
 */
void ftrace_begin(FILE *out);

/**
 * ftrace_event() - write an event as a line
 * @out: the output file
 * @event: the event
 */
void ftrace_event(FILE *out, const struct event *event);

/**
 * ftrace_loss() - write a loss as a line
 * @out: the output file
 * @loss: the loss
 */
void ftrace_loss(FILE *out, const struct loss *loss);

/**
 * ftrace_is_known() - is it an event of the kernel that tools look for in ftrace's text?
 * @kind: the marker
 *
 * Return: whether it is.
 */
bool ftrace_is_known(const struct kind *kind);

#endif /* _MARKERS_FTRACE_H */
