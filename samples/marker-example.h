/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A marker in an inline function: one marker, with a site wherever the compiler
 * inlines the function.
 */
#ifndef _SAMPLES_MARKER_EXAMPLE_H
#define _SAMPLES_MARKER_EXAMPLE_H

#include <markers/marker.h>

static inline void example_step(const char *what, unsigned int done)
{
	trace_mark(example_step, "what %s done %u", what, done);
}

#endif /* _SAMPLES_MARKER_EXAMPLE_H */
