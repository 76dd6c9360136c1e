/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the tests of records: parse() a format, serialize() its arguments in each way, and
 * compare the bytes.
 */
#ifndef _UNIT_SERIALIZE_KIT_H
#define _UNIT_SERIALIZE_KIT_H

#include <stdlib.h>

#include <markers/format/object.h>
#include <markers/format/serialize.h>
#include <markers/format/serialized.h>
#include <markers/format/quick_tail.h>
#include <markers/uapi/ctf.h>
#include "tap.h"

#define ROOM		(64 * 1024)
#define CANARY		0x5a

static struct marker_format format;
static struct marker_format_error error;
static char buffer[ROOM];

static u64 slot(const void *p)
{
	return (uintptr_t)p;
}

static void parse(const char *text)
{
	if (marker_format_parse(&format, text, &error)) {
		printf("Bail out! '%s': column %u: %s\n", text, error.column,
		       error.why);
		exit(1);
	}
}

static struct marker_plan placed;	/* that of @format */
static unsigned int quick_events, quick_fixed, quick_addresses, quick_long;
static unsigned int quick_strings[QUICK_TWO_WORDS + 1];

/* As hit.h does: header of four bytes, front, tail. */
static void put_front(u8 *to, const u64 *args, u64 tail_size)
{
	const struct marker_plan *plan = &placed;

	if (tail_size >= plan->overhang || plan->way == MARKER_WAY_INTS)
		put64(to, 0x7777777777777777);
	else
		put32(to, 0x77777777);
	if (plan->way == MARKER_WAY_INTS)
		quick_put_ints(to, plan, args);
	else if (tail_size < plan->overhang)
		quick_put_narrow(to, plan, args, 0);
	else if (plan->way == MARKER_WAY_STRING)
		quick_put_front(to, plan, args, true);
	else
		quick_put_front(to, plan, args, false);
}

/* Are these the bytes of serialize(), after a header, and the bytes after them untouched? */
static bool is_same(const u8 *other, u32 quick_size, u32 size)
{
	u32 i;

	if (quick_size != size || memcmp(buffer, other + CTF_COMPACT_SIZE, size))
		return false;
	for (i = size; i < size + 16; i++)
		if (other[CTF_COMPACT_SIZE + i] != CANARY)
			return false;
	return true;
}

/* A string by the quick way for a single string. */
static bool is_string_the_same(const u64 *args, u32 size)
{
	const struct marker_plan *plan = &placed;
	u32 front = plan->at[plan->nr_front], all;
	struct quick_string string;
	struct quick_tail tail;
	enum quick_where where;
	static u8 other[ROOM];
	u64 got;

	where = quick_get_string(args[plan->nr_front], &string);
	if (where == QUICK_NOWHERE)
		return true;
	if (where == QUICK_LONGER) {
		if (!quick_get_long(&tail, &got, args[plan->nr_front], &string))
			return true;
		quick_long++;
		memset(other, CANARY, size + 32);
		put64(other, 0x7777777777777777);
		quick_put_front(other, plan, args, true);
		quick_put_long(other + front, &tail, got);
		return is_same(other, front + got - CTF_COMPACT_SIZE, size);
	}
	quick_strings[where]++;
	all = front + string.size;
	memset(other, CANARY, size + 32);
	put_front(other, args, string.size);
	quick_put_string(other + front, other + all, &string, where);
	return is_same(other, all - CTF_COMPACT_SIZE, size);
}

/* A single address by its own way. */
static bool is_address_the_same(const u64 *args, u32 size)
{
	const struct marker_plan *plan = &placed;
	u32 front = plan->at[plan->nr_front];
	static u8 other[ROOM];
	u64 word;

	if (!quick_is_address(plan) || !quick_get_address(&word, args[plan->nr_front]))
		return true;
	quick_addresses++;
	memset(other, CANARY, size + 32);
	put_front(other, args, size + CTF_COMPACT_SIZE - front);
	quick_put_address(other + front, plan, word);
	return is_same(other, size, size);
}

/* quick.h writes the same bytes, or leaves the format to serialize.c. */
static bool is_quick_the_same(const u64 *args, u32 size)
{
	struct marker_plan *plan = &placed;
	struct quick_tail tail;
	static u8 other[ROOM];
	u32 front;
	u64 got;

	placed = format.plan;
	if (plan->way == MARKER_WAY_GENERAL)
		return true;
	marker_plan_place(plan, CTF_COMPACT_SIZE);
	front = plan->at[plan->nr_front];
	if (plan->way == MARKER_WAY_FIXED) {
		memset(other, CANARY, size + 32);
		put_front(other, args, size + CTF_COMPACT_SIZE - front);
		quick_put_fixed(other + front, plan, args);
		quick_fixed++;
		if (!is_same(other, size, size) || !is_address_the_same(args, size))
			return false;
	}
	if (plan->way == MARKER_WAY_STRING && !is_string_the_same(args, size))
		return false;
	memset(&tail, 0xee, sizeof(tail));
	if (!quick_get_tail(&tail, &got, plan, args, true))
		return true;
	quick_events++;
	if (got > quick_most(plan))
		return false;
	memset(other, CANARY, size + 32);
	put_front(other, args, got);
	if (got)
		quick_put_tail(other + front, &tail, got);
	return is_same(other, front + got - CTF_COMPACT_SIZE, size);
}

/*
 * Runs both passes and the reader's walk.  Returns the bytes, or -1 if two sizes
 * differ or a canary next to the record was overwritten.
 */
static int serialize(const u64 *args)
{
	struct marker_lengths lengths;
	u32 size, i;
	char *end;

	memset(&lengths, 0xee, sizeof(lengths));
	size = marker_serialize_size(&format, args, &lengths);
	if (size > ROOM - 16)
		return -1;
	memset(buffer, CANARY, size + 16);
	end = marker_serialize(buffer, &format, args, &lengths);
	if (end != buffer + size)
		return -1;
	for (i = size; i < size + 16; i++)
		if (buffer[i] != CANARY)
			return -1;
	if (marker_serialized_size(&format, buffer, size) != (int)size ||
	    marker_serialized_size(&format, buffer, ROOM) != (int)size)
		return -1;
	if (size && marker_serialized_size(&format, buffer, size - 1) != -EINVAL)
		return -1;
	return is_quick_the_same(args, size) ? (int)size : -1;
}

#define is_bytes(text, bytes, args...) \
	check_bytes(text, bytes, sizeof(bytes) - 1, (u64[]){ 0, ##args } + 1)

static void check_bytes(const char *text, const char *bytes, int len,
			const u64 *args)
{
	int i, got;

	parse(text);
	got = serialize(args);
	if (ok(got == len && !memcmp(buffer, bytes, len), "bytes of '%s'", text))
		return;
	printf("# got %d of %d bytes:", got, len);
	for (i = 0; i < got; i++)
		printf(" %02x", (u8)buffer[i]);
	printf("\n");
}

#endif /* _UNIT_SERIALIZE_KIT_H */
