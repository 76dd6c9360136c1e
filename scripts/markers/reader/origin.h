/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the event is from that is printed: which names its numbers have.
 */
#ifndef _MARKERS_READER_ORIGIN_H
#define _MARKERS_READER_ORIGIN_H

#include <stdint.h>

struct description;

/**
 * struct origin - what the printing of extensions of %p cannot be told by its arguments
 * @description: the metadata, which have the names of errors; NULL: the C library's are taken
 * @time: of the event, in nanoseconds of the trace clock
 */
struct origin {
	const struct description *description;
	uint64_t time;
};

/* Of this thread. */
extern __thread struct origin reader_origin;

#endif /* _MARKERS_READER_ORIGIN_H */
