// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "../base/utf8.h"
#include "proto.h"

void proto_double(struct proto *proto, unsigned int field, double value)
{
	uint8_t *to = proto->bytes + proto->size;

	if (!proto_has_room(proto, sizeof(value)))
		return;
	to = proto_put(to, field << 3 | WIRE_64_BITS);
	memcpy(to, &value, sizeof(value));
	proto->size = to + sizeof(value) - proto->bytes;
}

void proto_bytes(struct proto *proto, unsigned int field, const void *bytes, size_t size)
{
	uint8_t *to = proto->bytes + proto->size;

	if (!proto_has_room(proto, size))
		return;
	to = proto_put(to, field << 3 | WIRE_BYTES);
	to = proto_put(to, size);
	memcpy(to, bytes, size);
	proto->size = to + size - proto->bytes;
}

/* Put a "?" for each byte that is not valid UTF-8. */
static void mend(uint8_t *to, const char *text, size_t size)
{
	size_t at, n;

	for (at = 0; at < size; at += n ? n : 1) {
		n = plain_size(text + at, size - at);
		if (n)
			continue;
		n = to[at] < 0x80 ? 1 : utf8_size(text + at, size - at);
		if (!n)
			to[at] = '?';
	}
}

void proto_text(struct proto *proto, unsigned int field, const char *text, size_t size)
{
	size_t plain = plain_size(text, size), before = proto->size;

	proto_bytes(proto, field, text, size);
	if (plain < size && proto->size > before)
		mend(proto->bytes + proto->size - size + plain, text + plain, size - plain);
}
