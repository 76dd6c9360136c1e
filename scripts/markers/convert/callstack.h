/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's stack of an event, with the names that the recording keeps in info/symbols.
 */
#ifndef _MARKERS_CALLSTACK_H
#define _MARKERS_CALLSTACK_H

#include <stdio.h>

#include "trace.h"

/**
 * callstack_begin() - read the symbols of a recording
 * @dir: its directory; without info/symbols in it, addresses stay numbers
 */
void callstack_begin(const char *dir);

/**
 * callstack_put() - write the stack of an event
 * @out: where to
 * @event: the event; without a stack, nothing is written
 *
 * A line " => function+offset [module]" for each return address, as in the file trace, without
 * the size of the function.
 */
void callstack_put(FILE *out, const struct event *event);

#endif /* _MARKERS_CALLSTACK_H */
