/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the metadata of a trace: text, or that text in packets, as CTF also allows it and other
 * programs copy it.
 */
#ifndef _MARKERS_METADATA_H
#define _MARKERS_METADATA_H

#include <stdbool.h>
#include <stddef.h>

/**
 * metadata_read() - read the metadata
 * @dir: a directory, or AT_FDCWD
 * @name: the file
 * @size: set to the bytes of the text
 * @in_packets: set to whether it is in packets
 *
 * Packets end at the first one that is not whole.
 *
 * Return: the text, to be freed; NULL with errno.
 */
char *metadata_read(int dir, const char *name, size_t *size, bool *in_packets);

/**
 * metadata_check_tracer() - check that markers.ko wrote the metadata
 * @metadata: the text; or packets of text, as other tracers write it
 * @size: its bytes
 *
 * Return: NULL; or what is wrong, to be freed.
 */
char *metadata_check_tracer(const char *metadata, size_t size);

#endif /* _MARKERS_METADATA_H */
