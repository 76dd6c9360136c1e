/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes messages of protocol buffers without their library.
 */
#ifndef _MARKERS_PROTO_H
#define _MARKERS_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTO_SIZE	32768

/**
 * struct proto - a message that is being written
 * @size: used bytes of @bytes
 * @is_full: a field did not fit and was left out
 * @bytes: the message
 */
struct proto {
	size_t size;
	bool is_full;
	uint8_t bytes[PROTO_SIZE];
};

/**
 * proto_varint() - add a field that is a number
 * @proto: the message
 * @field: its number
 * @value: the number; for an int64 its bits, without zigzag
 */
void proto_varint(struct proto *proto, unsigned int field, uint64_t value);

/**
 * proto_double() - add a number with a binary point
 * @proto: the message
 * @field: number of the field
 * @value: the number
 */
void proto_double(struct proto *proto, unsigned int field, double value);

/**
 * proto_bytes() - add a field of bytes, text, or a complete message
 * @proto: the message
 * @field: its number
 * @bytes: the bytes
 * @size: bytes of @bytes
 */
void proto_bytes(struct proto *proto, unsigned int field, const void *bytes, size_t size);

/**
 * proto_text() - add a text; each byte that is not valid UTF-8 becomes "?"
 * @proto: the message
 * @field: its number
 * @text: the text
 * @size: bytes of @text
 */
void proto_text(struct proto *proto, unsigned int field, const char *text, size_t size);

/**
 * proto_begin() - begin a nested message
 * @proto: the message
 * @field: its number
 *
 * Return: its begin, for proto_end().
 */
size_t proto_begin(struct proto *proto, unsigned int field);

/**
 * proto_end() - end a nested message
 * @proto: the message
 * @begin: from proto_begin()
 */
void proto_end(struct proto *proto, size_t begin);

#endif /* _MARKERS_PROTO_H */
