/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Derives the size of each event of a packet from the metadata. This is no general parser of
 * TSDL: it knows the text that markers.ko writes, and refuses everything else.
 */
#ifndef _MARKERS_LAYOUT_H
#define _MARKERS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

struct layout;

/**
 * layout_parse() - parse the metadata
 * @metadata: the text
 * @wrong: set to the number of the first line that the parser does not understand
 *
 * Return: the layout, for layout_free(); or NULL, with @wrong.
 */
struct layout *layout_parse(const char *metadata, int *wrong);

/**
 * layout_check_tracer() - check that markers.ko wrote the metadata
 * @metadata: the text; or packets of text, as other tracers write it
 * @size: its bytes
 *
 * Return: NULL; or what is wrong, to be freed.
 */
char *layout_check_tracer(const char *metadata, size_t size);

/**
 * layout_check_names() - check that no two fields in a row have the same name
 * @metadata: the text
 * @size: its bytes
 *
 * libbabeltrace2 aborts the program if they have.
 *
 * Return: NULL; or what is wrong, to be freed.
 */
char *layout_check_names(const char *metadata, size_t size);

void layout_free(struct layout *layout);

/**
 * layout_event() - the name of an event
 * @layout: from layout_parse()
 * @id: its number
 *
 * Return: "module:marker"; NULL if the metadata has no such event.
 */
const char *layout_event(const struct layout *layout, uint32_t id);

/**
 * layout_next() - measure the next event of a packet
 * @layout: from layout_parse()
 * @data: where the event begins
 * @size: bytes from there to the end of the content
 * @id: set to its number
 *
 * Return: bytes of the event with its header; 0 if it is unknown or incomplete.
 */
size_t layout_next(const struct layout *layout, const void *data, size_t size, uint32_t *id);

#endif /* _MARKERS_LAYOUT_H */
