/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Several threads that write events, in the order in which they were read. One thread reads; it
 * copies the records to sheets, and others fill these with text.
 */
#ifndef _MARKERS_CREW_H
#define _MARKERS_CREW_H

#include <stdio.h>

#include "../events/event.h"

/**
 * struct crew_work - functions that write
 * @event: writes an event, which is raw, and whose values it may read; called in any thread
 * @lost: writes a loss; called in any thread
 */
struct crew_work {
	void (*event)(void *ctx, FILE *out, struct event *event, uint64_t since);
	void (*lost)(void *ctx, FILE *out, const struct loss *loss);
};

struct crew;

/**
 * crew_begin() - start the threads
 * @threads: how many, with that of the caller; 1: it does all
 * @out: gets the text
 * @work: what they do
 * @ctx: the first argument of the functions of @work, which do not change it
 *
 * Return: the crew, for crew_end().
 */
struct crew *crew_begin(unsigned int threads, FILE *out, const struct crew_work *work, void *ctx);

/**
 * crew_event() - have an event written
 * @crew: the crew
 * @event: the event, raw
 * @since: passed on to @work->event
 *
 * Return: false if the output fails.
 */
bool crew_event(struct crew *crew, const struct event *event, uint64_t since);

/**
 * crew_lost() - have a loss written
 * @crew: the crew
 * @loss: the loss
 *
 * Return: false if the output fails.
 */
bool crew_lost(struct crew *crew, const struct loss *loss);

/**
 * crew_end() - have all written, and end the threads
 * @crew: the crew, or NULL
 *
 * Metadata and kinds of the events must be there until then.
 */
void crew_end(struct crew *crew);

#endif /* _MARKERS_CREW_H */
