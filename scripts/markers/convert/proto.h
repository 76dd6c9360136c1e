/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages of protocol buffers, written by hand.
 */
#ifndef _MARKERS_PROTO_H
#define _MARKERS_PROTO_H

#include <stddef.h>
#include <stdint.h>

#define PROTO_SIZE	32768

/**
 * struct proto - a message that is written
 * @size: of @bytes
 * @bytes: what is there; what has no room is left out
 */
struct proto {
	size_t size;
	uint8_t bytes[PROTO_SIZE];
};

/**
 * proto_varint() - add a field that is a number
 * @proto: the message
 * @field: its number
 * @value: int64 as it is, not zigzag
 */
void proto_varint(struct proto *proto, unsigned int field, uint64_t value);

/**
 * proto_bytes() - add a field of bytes, text, or a message that is complete
 * @proto: the message
 * @field: its number
 * @bytes: the bytes
 * @size: of @bytes
 */
void proto_bytes(struct proto *proto, unsigned int field, const void *bytes, size_t size);

/**
 * proto_text() - add a text; bytes that are no UTF-8 become "?", as it has to be
 * @proto: the message
 * @field: its number
 * @text: the text
 * @size: of @text
 */
void proto_text(struct proto *proto, unsigned int field, const char *text, size_t size);

/**
 * proto_begin() - begin a message in the message
 * @proto: the message
 * @field: its number
 *
 * Return: for proto_end().
 */
size_t proto_begin(struct proto *proto, unsigned int field);

/**
 * proto_end() - end it
 * @proto: the message
 * @begin: of proto_begin()
 */
void proto_end(struct proto *proto, size_t begin);

#endif /* _MARKERS_PROTO_H */
