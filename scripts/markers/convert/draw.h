/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of a trace is drawn where: the options --pair, --counter and --lanes, and fields by
 * which a marker says itself how it wants to be drawn.
 */
#ifndef _MARKERS_DRAW_H
#define _MARKERS_DRAW_H

#include "select.h"
#include "tracks.h"

struct draw;

/**
 * draw_create() - begin
 * @drawing: the format
 * @out: its first argument
 *
 * Return: to be freed by draw_destroy().
 */
struct draw *draw_create(const struct drawing *drawing, FILE *out);

void draw_destroy(struct draw *draw);

/**
 * draw_pair() - what is between two markers is a slice
 * @draw: of draw_create()
 * @text: "BEGIN:END[:KEY]", of markers with "module:" each is MODULE/NAME
 *
 * Return: whether it is one.
 */
bool draw_pair(struct draw *draw, const char *text);

/**
 * draw_counter() - a field is a counter
 * @draw: of draw_create()
 * @text: "MARKER:FIELD"
 *
 * Return: whether it is one.
 */
bool draw_counter(struct draw *draw, const char *text);

/**
 * draw_lanes() - where events are that say nothing themselves
 * @draw: of draw_create()
 * @lanes: "cpu", "task", or the name of a field
 */
void draw_lanes(struct draw *draw, const char *lanes);

/**
 * draw_event() - draw an event
 * @draw: of draw_create()
 * @event: the event
 * @is_shown: somewhere else: only what draw_pair() and draw_counter() ask for is drawn
 */
void draw_event(struct draw *draw, const struct event *event, bool is_shown);

/**
 * draw_loss() - draw a loss, at its CPU
 * @draw: of draw_create()
 * @loss: the loss
 */
void draw_loss(struct draw *draw, const struct loss *loss);

#endif /* _MARKERS_DRAW_H */
