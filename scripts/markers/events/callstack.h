/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the kernel's stack of an event, with names of functions.
 */
#ifndef _MARKERS_CALLSTACK_H
#define _MARKERS_CALLSTACK_H

#include <stdio.h>

#include "event.h"

/**
 * callstack_put() - write the stack of an event
 * @out: the output file
 * @event: the event; if it has no stack, nothing is written
 *
 * Writes a line " => function+offset [module]" for each return address, as the file "trace"
 * does, but without the size of the function; or the address, if symbols.h has no name.
 */
void callstack_put(FILE *out, const struct event *event);

#endif /* _MARKERS_CALLSTACK_H */
