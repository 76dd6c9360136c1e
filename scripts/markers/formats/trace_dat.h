/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes trace.dat, version 6, for trace-cmd and KernelShark.
 */
#ifndef _MARKERS_TRACE_DAT_H
#define _MARKERS_TRACE_DAT_H

#include <stdio.h>

#include "../events/event.h"

struct trace_dat;

/**
 * trace_dat_create() - begin a file
 * @info: facts of the trace; must stay valid until trace_dat_finish()
 * @out: the output, an empty regular file for reading and writing; the caller closes it after
 *	trace_dat_finish()
 *
 * Return: the state, for the other functions.
 */
struct trace_dat *trace_dat_create(const struct trace_info *info, FILE *out);

/**
 * trace_dat_event() - add an event
 * @dat: from trace_dat_create()
 * @event: the event; all events and losses of a CPU come before those of the next. If it does
 *	not fit in a page, its texts are truncated.
 *
 * Return: true; or false if @out cannot be written, or another CPU came in between.
 */
bool trace_dat_event(struct trace_dat *dat, const struct event *event);

/**
 * trace_dat_loss() - add a loss
 * @dat: from trace_dat_create()
 * @loss: the loss
 *
 * Return: as trace_dat_event().
 */
bool trace_dat_loss(struct trace_dat *dat, const struct loss *loss);

/**
 * trace_dat_finish() - complete the file
 * @dat: from trace_dat_create(); freed here
 *
 * Return: true; or false with errno.
 */
bool trace_dat_finish(struct trace_dat *dat);

#endif /* _MARKERS_TRACE_DAT_H */
