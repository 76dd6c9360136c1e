/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who keeps the way to the top's trace for after a death: crash_notes.c, which stands above the
 * recordings that tell it what is new.
 */
#ifndef _MARKERS_KEEPER_H
#define _MARKERS_KEEPER_H

#include <linux/types.h>

/**
 * struct marker_keeper - what it does
 * @needed:	bytes that it needs in a region besides the buffers
 * @try:	there is another buffer, and memory comes free next: write what is new, and say
 *		nothing
 * @retry:	memory came free: try again, if there was none
 * @update:	there are new events: write them
 *
 * Context of all: process context; they allocate.
 */
struct marker_keeper {
	size_t (*needed)(void);
	int (*try)(void);
	void (*retry)(void);
	void (*update)(void);
};

/* Set once, before there are buffers. */
extern const struct marker_keeper *marker_keeper;

#endif /* _MARKERS_KEEPER_H */
