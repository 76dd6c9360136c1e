// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of protocol buffers, byte by byte.
 */
#include "proto.h"
#include "tap.h"

static struct proto proto;

static void is_bytes(const char *wanted, size_t size, const char *what)
{
	ok(proto.size == size && !memcmp(proto.bytes, wanted, size), "%s", what);
	proto.size = 0;
}

static void test_varint(void)
{
	proto_varint(&proto, 1, 0);
	is_bytes("\x08\0", 2, "0");
	proto_varint(&proto, 1, 127);
	is_bytes("\x08\x7f", 2, "127");
	proto_varint(&proto, 1, 128);
	is_bytes("\x08\x80\x01", 3, "128");
	proto_varint(&proto, 60, 300);
	is_bytes("\xe0\x03\xac\x02", 4, "a field of two bytes");
	proto_varint(&proto, 1, UINT64_MAX);
	is_bytes("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, "the largest number");
}

static void test_double(void)
{
	proto_double(&proto, 44, 1.5);
	is_bytes("\xe1\x02\0\0\0\0\0\0\xf8\x3f", 10, "a number with a binary point");
}

static void test_text(void)
{
	size_t begin;

	proto_text(&proto, 2, "a\xff\xc3\xa4", 4);
	is_bytes("\x12\x04" "a?\xc3\xa4", 6, "text, with a byte that is no UTF-8");
	proto_text(&proto, 2, "0123456789\xff" "0123456789\"\xc3", 23);
	is_bytes("\x12\x17" "0123456789?0123456789\"?", 25, "and behind a run of plain characters");
	begin = proto_begin(&proto, 3);
	proto_bytes(&proto, 1, "xy", 2);
	proto_end(&proto, begin);
	is_bytes("\x1a\x84\x80\0" "\x0a\x02xy", 8, "a message in a message");
}

static void test_full(void)
{
	static const char zero[PROTO_SIZE];
	size_t before, i;

	ok(!proto.is_full, "there was room for all");
	proto_bytes(&proto, 1, zero, sizeof(zero));
	is_int(proto.size, 0, "what has no room is left out");
	ok(proto.is_full, "which is known");
	for (i = 0; i < 2 * PROTO_SIZE; i++)
		proto_varint(&proto, 1, UINT64_MAX);
	before = proto.size;
	ok(before < PROTO_SIZE, "it ends before its room");
	proto_end(&proto, proto_begin(&proto, 2));
	is_int(proto.size, before, "nor is a message begun there");
}

int main(void)
{
	test_varint();
	test_double();
	test_text();
	test_full();
	return tap_done();
}
