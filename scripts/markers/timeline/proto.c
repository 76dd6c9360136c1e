// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "../base/utf8.h"
#include "proto.h"

#define MAX_VARINT	10
#define LENGTH_SIZE	3	/* bytes of the length of a nested message, up to 2^21 - 1 */

enum { WIRE_VARINT = 0, WIRE_64_BITS = 1, WIRE_BYTES = 2 };

static bool has_room(struct proto *proto, size_t size)
{
	if (size + 3 * MAX_VARINT < PROTO_SIZE - proto->size)
		return true;
	proto->is_full = true;
	return false;
}

static void put_varint(struct proto *proto, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		proto->bytes[proto->size++] = value | 0x80;
	proto->bytes[proto->size++] = value;
}

void proto_varint(struct proto *proto, unsigned int field, uint64_t value)
{
	if (!has_room(proto, 0))
		return;
	put_varint(proto, field << 3 | WIRE_VARINT);
	put_varint(proto, value);
}

void proto_double(struct proto *proto, unsigned int field, double value)
{
	if (!has_room(proto, sizeof(value)))
		return;
	put_varint(proto, field << 3 | WIRE_64_BITS);
	memcpy(proto->bytes + proto->size, &value, sizeof(value));
	proto->size += sizeof(value);
}

/* Return: the copy of @bytes; NULL if they do not fit. */
static uint8_t *put_bytes(struct proto *proto, unsigned int field, const void *bytes, size_t size)
{
	if (!has_room(proto, size))
		return NULL;
	put_varint(proto, field << 3 | WIRE_BYTES);
	put_varint(proto, size);
	proto->size += size;
	return memcpy(proto->bytes + proto->size - size, bytes, size);
}

void proto_bytes(struct proto *proto, unsigned int field, const void *bytes, size_t size)
{
	put_bytes(proto, field, bytes, size);
}

void proto_text(struct proto *proto, unsigned int field, const char *text, size_t size)
{
	uint8_t *to = put_bytes(proto, field, text, size);
	size_t at, n;

	for (at = 0; to && at < size; at += n ? n : 1) {
		n = plain_size(text + at, size - at);
		if (n)
			continue;
		n = to[at] < 0x80 ? 1 : utf8_size(text + at, size - at);
		if (!n)
			to[at] = '?';
	}
}

/* The length always takes LENGTH_SIZE bytes. The format allows bytes that it does not need. */
size_t proto_begin(struct proto *proto, unsigned int field)
{
	if (!has_room(proto, 0))
		return 0;
	put_varint(proto, field << 3 | WIRE_BYTES);
	proto->size += LENGTH_SIZE;
	return proto->size;
}

void proto_end(struct proto *proto, size_t begin)
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
