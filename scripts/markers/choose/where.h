/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The expressions of --where: comparisons of fields, with !, &&, || and parentheses.
 */
#ifndef _MARKERS_WHERE_H
#define _MARKERS_WHERE_H

#include "../events/event.h"
#include "asked_names.h"

struct where;

/**
 * where_parse() - parse an expression
 * @text: the expression, such as "bytes > 4096 && comm ~ cat*"
 * @wrong: set to the offset of the first error
 *
 * Return: the expression, which lives until the program ends; or NULL, with @wrong.
 */
struct where *where_parse(const char *text, size_t *wrong);

/**
 * where_add_names() - look for the names in an expression
 * @where: the expression
 * @names: gets the names of fields and markers
 */
void where_add_names(const struct where *where, struct asked_names *names);

/**
 * where_matches() - is an expression true for an event?
 * @where: the expression
 * @event: the event; a comparison of a field that it does not have is false
 *
 * Return: whether it is true.
 */
bool where_matches(const struct where *where, const struct event *event);

#endif /* _MARKERS_WHERE_H */
