/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recording: the ring buffers that events go to, and whether they do.
 */
#ifndef _MARKERS_CHANNEL_H
#define _MARKERS_CHANNEL_H

#include <linux/init.h>

#include "ring.h"
#include "uapi/ctf.h"

/* Constant after marker_channel_init(). */
extern struct ring *marker_ring;
extern u8 marker_uuid[CTF_UUID_SIZE];

/**
 * marker_channel_init() - make the ring buffers
 * @buffer_kb:	KiB for each CPU, not counting the reader's sub-buffer
 * @subbuf_kb:	KiB of each of its sub-buffers
 *
 * Both are rounded up to a power of two; there are at least two sub-buffers.
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL for a size that cannot be; -ENOMEM.
 */
int __init marker_channel_init(unsigned int buffer_kb, unsigned int subbuf_kb);
void marker_channel_exit(void);

/* Bytes of a sub-buffer, and of all sub-buffers of a CPU. */
size_t marker_channel_subbuf_size(void);
size_t marker_channel_buffer_size(void);

/* tracing_on */
void marker_channel_set_on(bool on);
bool marker_channel_is_on(void);

#endif /* _MARKERS_CHANNEL_H */
