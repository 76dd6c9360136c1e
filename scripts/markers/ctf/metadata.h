/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the metadata of a trace: text, or that text in packets, as CTF also allows it and other
 * programs copy it.
 */
#ifndef _MARKERS_CTF_METADATA_H
#define _MARKERS_CTF_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define METADATA_MAGIC	0x75d11d57

/* A packet of metadata begins so. Sizes are in bits. The text follows, and padding. */
struct metadata_packet {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t checksum;
	uint32_t content_size;
	uint32_t packet_size;
	uint8_t compression;
	uint8_t encryption;
	uint8_t checksum_scheme;
	uint8_t major;
	uint8_t minor;
} __attribute__((packed));

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
 * metadata_line() - which line is it?
 * @metadata: the text
 * @at: a place in it
 *
 * Return: number of the line, from 1.
 */
unsigned int metadata_line(const char *metadata, const char *at);

/**
 * metadata_check_tracer() - check that markers.ko wrote the metadata
 * @metadata: the text; or packets of text, as other tracers write it
 * @size: its bytes
 *
 * Return: NULL; or what is wrong, to be freed.
 */
char *metadata_check_tracer(const char *metadata, size_t size);

#endif /* _MARKERS_CTF_METADATA_H */
