/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides what is drawn, and where: by the options --pair, --counter and --lanes, and by
 * fields of the marker that tell how to draw it.
 */
#ifndef _MARKERS_DRAW_H
#define _MARKERS_DRAW_H

#include "../choose/select.h"
#include "tracks.h"

#define MAX_RULES	32	/* of --pair and --counter */

struct draw;

/**
 * draw_create() - make an empty drawing, for options
 *
 * Return: the drawing, for draw_destroy().
 */
struct draw *draw_create(void);

/**
 * draw_begin() - begin to draw, after the options
 * @draw: from draw_create()
 * @drawing: the format
 * @out: the output file, the first argument of its functions
 * @info: facts of the trace
 */
void draw_begin(struct draw *draw, const struct drawing *drawing, FILE *out,
		const struct trace_info *info);

void draw_destroy(struct draw *draw);

/**
 * draw_is_full() - is there no room for another --pair or --counter?
 * @draw: from draw_create()
 *
 * Return: whether there are MAX_RULES.
 */
bool draw_is_full(const struct draw *draw);

/**
 * draw_pair() - draw the time between two markers as a slice
 * @draw: from draw_create(), and not full
 * @text: "BEGIN:END[:KEY]", with a KEY for keys_parse(); a marker with its module is written
 *	MODULE/NAME
 *
 * Return: whether @text is valid.
 */
bool draw_pair(struct draw *draw, const char *text);

/**
 * draw_counter() - draw a field as a counter
 * @draw: from draw_create(), and not full
 * @text: "MARKER:FIELD[:KEY]"; each value of KEY has a counter of its own
 *
 * Return: whether @text is valid.
 */
bool draw_counter(struct draw *draw, const char *text);

/**
 * draw_lanes() - choose the track of events that ask for none
 * @draw: from draw_create()
 * @lanes: "cpu", "task", or the name of a field
 */
void draw_lanes(struct draw *draw, const char *lanes);

/**
 * draw_add_names() - look for the names of the options
 * @draw: from draw_create()
 * @names: gets the names of markers and fields
 */
void draw_add_names(const struct draw *draw, struct asked_names *names);

/**
 * draw_event() - draw an event
 * @draw: from draw_create()
 * @event: the event
 * @is_shown: another part of the export shows the event: draw only its pairs and counters
 */
void draw_event(struct draw *draw, const struct event *event, bool is_shown);

/**
 * draw_loss() - draw a loss on the track of its CPU, and end the slices that are open
 * @draw: from draw_create()
 * @loss: the loss
 */
void draw_loss(struct draw *draw, const struct loss *loss);

/**
 * draw_end() - say what --pair and --counter could not draw, and why
 * @draw: from draw_create(); after the last event, when the trace has all names of the options
 *
 * Return: whether the field of each --counter is a number.
 */
bool draw_end(struct draw *draw);

#endif /* _MARKERS_DRAW_H */
