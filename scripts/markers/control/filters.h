/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file filters: which marker has which filter.
 */
#ifndef _MARKERS_FILTERS_H
#define _MARKERS_FILTERS_H

#include "marker_names.h"

/**
 * struct filters - the file filters
 * @text: its text
 * @names: its markers and patterns, in the order of its lines
 */
struct filters {
	char *text;
	struct names names;
};

/**
 * filters_parse() - parse the file
 * @filters: gets the filters, for filters_free()
 * @text: its text; NULL: there is no such file, or we may not read it
 */
void filters_parse(struct filters *filters, const char *text);

/**
 * filters_read() - read and parse the file
 * @filters: gets the filters, for filters_free(); none if it cannot be read
 */
void filters_read(struct filters *filters);

/**
 * filters_find() - find the filter of a marker
 * @filters: the filters
 * @marker: MODULE:NAME
 *
 * Return: the filter, to be freed; NULL: it has none.
 */
char *filters_find(const struct filters *filters, const char *marker);

void filters_free(struct filters *filters);

#endif /* _MARKERS_FILTERS_H */
