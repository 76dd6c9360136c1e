/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of recorded events: the kernel's, by its own parser and programs. In a recording, a
 * filter may also name the marker, each context, bytes and what stood behind a pointer; and a
 * test of a field that an event does not have never holds.
 */
#ifndef _MARKERS_READER_FILTER_H
#define _MARKERS_READER_FILTER_H

#include <stdbool.h>

#include "../events/event.h"

struct filter;

/**
 * struct filter_error - what is wrong with a filter
 * @column: where, from 0
 * @why: a constant text
 */
struct filter_error {
	unsigned int column;
	const char *why;
};

/**
 * filter_create() - read the text of a filter
 * @text: the filter, which must live as long
 * @error: set to what is wrong with it
 *
 * Return: the filter, which lives until the program ends; NULL with @error if it is none, whatever
 *	the fields are.
 */
struct filter *filter_create(const char *text, struct filter_error *error);

/**
 * filter_compile() - make programs of a filter, for the events of a trace
 * @filter: the filter
 * @info: the trace
 * @named: called for each name in the filter, and for each marker that it is compared with:
 *	@field or @marker is NULL; the texts stay
 * @ctx: its first argument
 * @error: set to what is wrong
 *
 * Return: false with @error if no event has a field that the test there can be for, though some
 *	have one of that name.
 */
bool filter_compile(struct filter *filter, const struct trace_info *info,
		    void (*named)(void *ctx, const char *marker, const char *field), void *ctx,
		    struct filter_error *error);

/**
 * filter_passes() - does an event pass?
 * @filter: the filter, compiled for its trace
 * @event: the event, raw or not
 *
 * Return: whether it does.
 */
bool filter_passes(const struct filter *filter, const struct event *event);

/**
 * filter_leave() - free what filters of this thread keep from event to event
 */
void filter_leave(void);

/**
 * filter_forget() - forget the programs
 * @filter: the filter
 */
void filter_forget(struct filter *filter);

#endif /* _MARKERS_READER_FILTER_H */
