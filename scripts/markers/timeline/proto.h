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

#define MAX_VARINT	10
#define LENGTH_SIZE	3	/* bytes of the length of a nested message, up to 2^21 - 1 */

enum { WIRE_VARINT = 0, WIRE_64_BITS = 1, WIRE_BYTES = 2 };

/**
 * proto_has_room() - is there room for a field?
 * @proto: the message
 * @size: bytes of the field, without its number, its length, or a number in it
 *
 * Return: whether there is; if not, @proto is full.
 */
static inline bool proto_has_room(struct proto *proto, size_t size)
{
	if (size + 3 * MAX_VARINT < PROTO_SIZE - proto->size)
		return true;
	proto->is_full = true;
	return false;
}

/**
 * proto_put() - write a number
 * @to: where to
 * @value: the number
 *
 * Return: what follows it.
 */
static inline uint8_t *proto_put(uint8_t *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = value | 0x80;
	*to++ = value;
	return to;
}

/**
 * proto_put_number() - write a field that is a number
 * @to: where to
 * @field: its number
 * @value: the number
 *
 * Return: what follows it.
 */
static inline uint8_t *proto_put_number(uint8_t *to, unsigned int field, uint64_t value)
{
	return proto_put(proto_put(to, field << 3 | WIRE_VARINT), value);
}

/**
 * proto_put_begin() - write the begin of a nested message
 * @to: where to
 * @field: its number
 *
 * The length always takes LENGTH_SIZE bytes. The format allows bytes that it does not need.
 *
 * Return: what follows it.
 */
static inline uint8_t *proto_put_begin(uint8_t *to, unsigned int field)
{
	return proto_put(to, field << 3 | WIRE_BYTES) + LENGTH_SIZE;
}

/**
 * proto_varint() - add a field that is a number
 * @proto: the message
 * @field: its number
 * @value: the number; for an int64 its bits, without zigzag
 */
static inline void proto_varint(struct proto *proto, unsigned int field, uint64_t value)
{
	uint8_t *to = proto->bytes + proto->size;

	if (!proto_has_room(proto, 0))
		return;
	proto->size = proto_put_number(to, field, value) - proto->bytes;
}

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
static inline size_t proto_begin(struct proto *proto, unsigned int field)
{
	uint8_t *to = proto->bytes + proto->size;

	if (!proto_has_room(proto, 0))
		return 0;
	proto->size = proto_put_begin(to, field) - proto->bytes;
	return proto->size;
}

/**
 * proto_end() - end a nested message
 * @proto: the message
 * @begin: from proto_begin()
 */
static inline void proto_end(struct proto *proto, size_t begin)
{
	size_t size = proto->size - begin;
	uint8_t *length;

	if (!begin)
		return;
	length = proto->bytes + begin - LENGTH_SIZE;
	length[0] = size | 0x80;
	length[1] = size >> 7 | 0x80;
	length[2] = size >> 14 & 0x7f;
}

#endif /* _MARKERS_PROTO_H */
