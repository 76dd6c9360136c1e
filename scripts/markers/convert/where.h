/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expressions of --where: comparisons of fields, with !, &&, || and parentheses.
 */
#ifndef _MARKERS_WHERE_H
#define _MARKERS_WHERE_H

#include "trace.h"

struct where;

/**
 * where_parse() - take an expression apart
 * @text: as "bytes > 4096 && comm ~ cat*"
 * @wrong: is set to the offset of what is no expression
 *
 * Return: the expression, which stays until the program ends; NULL, with @wrong.
 */
struct where *where_parse(const char *text, size_t *wrong);

/**
 * where_matches() - is it true of an event?
 * @where: the expression
 * @event: the event; a comparison with a field that it does not have is false
 *
 * Return: whether it is.
 */
bool where_matches(const struct where *where, const struct event *event);

#endif /* _MARKERS_WHERE_H */
