/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is on the stack at a hit, in numbers that assembly can use, too: from the lowest address,
 * the frame of marker_thunk(), which begins with a frame record, and the block of the cold block
 * (<markers/arch/site.h>).
 */
#ifndef _MARKERS_ARCH_FRAME_H
#define _MARKERS_ARCH_FRAME_H

/* Bytes of the thunk's frame. */
#define MARKER_THUNK_FRAME	192

/* Offsets in the block. */
#define MARKER_BLOCK_MARKER	24
#define MARKER_BLOCK_ARGS	32

#endif /* _MARKERS_ARCH_FRAME_H */
