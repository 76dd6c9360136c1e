/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace.dat, version 6: what trace-cmd and KernelShark read.
 */
#ifndef _MARKERS_TRACE_DAT_H
#define _MARKERS_TRACE_DAT_H

#include <stdio.h>

#include "trace.h"

struct trace_dat;

/**
 * trace_dat_create() - begin
 * @info: of the trace; is used until trace_dat_finish()
 *
 * Return: what the other functions want.
 */
struct trace_dat *trace_dat_create(const struct trace_info *info);

/**
 * trace_dat_event() - add an event
 * @dat: of trace_dat_create()
 * @event: the event; texts are cut if it does not fit in a page
 *
 * Return: false if there is no temporary file for its CPU.
 */
bool trace_dat_event(struct trace_dat *dat, const struct event *event);

/**
 * trace_dat_loss() - add a loss
 * @dat: of trace_dat_create()
 * @loss: the loss
 *
 * Return: as trace_dat_event().
 */
bool trace_dat_loss(struct trace_dat *dat, const struct loss *loss);

/**
 * trace_dat_finish() - write the file
 * @dat: of trace_dat_create(); is freed
 * @out: the file
 *
 * Return: false if a temporary file could not be written or read.
 */
bool trace_dat_finish(struct trace_dat *dat, FILE *out);

#endif /* _MARKERS_TRACE_DAT_H */
