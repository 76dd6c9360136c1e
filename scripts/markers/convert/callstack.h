/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the kernel's stack of an event, with the names from info/symbols of the recording.
 */
#ifndef _MARKERS_CALLSTACK_H
#define _MARKERS_CALLSTACK_H

#include <stdio.h>

#include "trace.h"

/**
 * callstack_begin() - read the symbols of a recording
 * @dir: its directory; without info/symbols, addresses stay numbers
 */
void callstack_begin(const char *dir);

/**
 * callstack_put() - write the stack of an event
 * @out: the output file
 * @event: the event; if it has no stack, nothing is written
 *
 * Writes a line " => function+offset [module]" for each return address, as the file "trace"
 * does, but without the size of the function.
 */
void callstack_put(FILE *out, const struct event *event);

#endif /* _MARKERS_CALLSTACK_H */
