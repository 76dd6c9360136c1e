/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many bytes the events of a packet have, from the metadata that markers.ko writes.
 * This is not a reader of TSDL: it knows the form of that text, and refuses another.
 */
#ifndef _MARKERS_LAYOUT_H
#define _MARKERS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

struct layout;

/**
 * layout_parse() - take the metadata apart
 * @metadata: the text
 * @wrong: is set to the line that was not understood, if there is one
 *
 * Return: to be freed by layout_free(); NULL, with @wrong.
 */
struct layout *layout_parse(const char *metadata, int *wrong);

void layout_free(struct layout *layout);

/**
 * layout_event() - the name of an event
 * @layout: of layout_parse()
 * @id: its number
 *
 * Return: "module:marker"; NULL if the metadata has no such event.
 */
const char *layout_event(const struct layout *layout, uint32_t id);

/**
 * layout_next() - the next event of a packet
 * @layout: of layout_parse()
 * @data: where the event begins
 * @size: bytes from there to the end of the content
 * @id: is set to its number
 *
 * Return: bytes of the event with its header; 0 if it is unknown, or not all there.
 */
size_t layout_next(const struct layout *layout, const void *data, size_t size, uint32_t *id);

#endif /* _MARKERS_LAYOUT_H */
