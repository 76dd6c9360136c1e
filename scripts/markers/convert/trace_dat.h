/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes trace.dat, version 6, for trace-cmd and KernelShark.
 */
#ifndef _MARKERS_TRACE_DAT_H
#define _MARKERS_TRACE_DAT_H

#include <stdio.h>

#include "trace.h"

struct trace_dat;

/**
 * trace_dat_create() - begin a file
 * @info: facts of the trace; must stay valid until trace_dat_finish()
 * @path: the output file; must stay valid, too; the temporary files are beside it
 *
 * Return: the state, for the other functions.
 */
struct trace_dat *trace_dat_create(const struct trace_info *info, const char *path);

/**
 * trace_dat_event() - add an event
 * @dat: from trace_dat_create()
 * @event: the event; if it does not fit in a page, its texts are truncated
 *
 * Return: true; or false if we cannot make a temporary file for its CPU.
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
 * trace_dat_finish() - write the file
 * @dat: from trace_dat_create(); freed here
 * @out: the output file
 *
 * Return: true; or false if a temporary file could not be written or read.
 */
bool trace_dat_finish(struct trace_dat *dat, FILE *out);

#endif /* _MARKERS_TRACE_DAT_H */
