// SPDX-License-Identifier: GPL-2.0
/*
 * From arguments to bytes: the general way, for all formats.
 *
 * A hit that cannot go the quick way (quick.h) calls this in the context of the marker,
 * which may be any, NMI too, with preemption off.  It takes no lock.  First comes the
 * size pass, so that the caller can reserve exactly as many bytes; then the copy pass
 * into the reserved bytes.  The memory behind pointers may change in between, and a
 * record with another length than announced would garble the packet, so the copy pass
 * makes the bytes fit the length.
 *
 * The size pass keeps short strings, so their memory is read once.  There is no function
 * pointer, no division and no jump table.
 */
#include "object.h"
#include "quick_tail.h"
#include "serialize.h"

const struct quick_bits quick_bits = { -LOW_BITS, HIGH_BITS };

/* Recorded for NULL and for bad pointers, in printk()'s words. */
static const char null_text[MARKER_SHORT_SIZE] = "(null)";
static const char fault_text[MARKER_SHORT_SIZE] = "(efault)";

/*
 * Count characters up to the NUL, at most @limit.  Looks at no page beyond the
 * one with the last character counted.
 *
 * Return: the characters, or -EFAULT.
 */
static int count_chars(const char *from, u32 limit)
{
	u64 word, zeroes;
	u32 n = 0;
	u8 byte;

	if (limit && !marker_nofault_may_read(from))
		return -EFAULT;
	while (n < limit) {
		if (IS_LITTLE_ENDIAN && in_one_page(from + n, sizeof(word))) {
			if (!marker_nofault_read_word(&word, from + n))
				return -EFAULT;
			zeroes = find_zeroes(word);
			n += zeroes ? first_zero(zeroes) : sizeof(word);
			if (zeroes)
				break;
		} else {
			if (!marker_nofault_read_byte(&byte, from + n))
				return -EFAULT;
			if (!byte)
				break;
			n++;
		}
	}
	return min(n, limit);
}

/*
 * Copy a string to @len bytes: one that has become shorter, or cannot be read
 * any more, is filled up with blanks.  The last byte is the NUL.
 *
 * All bytes but the last are known to have been characters, so words may cross
 * a page here.
 */
static void copy_string(char *to, const char *from, u32 len)
{
	u32 chars = len - 1, n = 0;
	u64 word;
	u8 byte;

	while (chars >= sizeof(word) && n < chars) {
		/* The last word overlaps the one before. */
		n = min_t(u32, n, chars - sizeof(word));
		if (!marker_nofault_read_word(&word, from + n) ||
		    find_zeroes(word))
			break;
		put64(to + n, word);
		n += sizeof(word);
	}
	while (n < chars) {
		if (!marker_nofault_read_byte(&byte, from + n) || !byte) {
			memset(to + n, ' ', chars - n);
			break;
		}
		to[n++] = byte;
	}
	to[chars] = '\0';
}

/* Measure any string; @max counts the NUL.  Keeps it if it is short. */
static void measure_string(struct marker_length *length,
			   const char *from, u32 max)
{
	int chars = from ? count_chars(from, max - 1) : 0;
	const char *instead = NULL;

	if (!from)
		instead = null_text;
	else if (chars < 0)
		instead = fault_text;
	if (instead) {
		memcpy(length->text, instead, sizeof(null_text));
		chars = min_t(u32, strlen(instead), max - 1);
		length->text[chars] = '\0';
	} else if (chars < MARKER_SHORT_SIZE) {
		copy_string(length->text, from, chars + 1);
	}
	length->len = chars + 1;
}

/*
 * "%*ph".  It touches two pages at most, so if both ends can be read then all
 * of it can.
 */
static void measure_sequence(struct marker_length *length,
			     const char *from, u32 len)
{
	u8 byte;

	length->len = 0;
	if (len && marker_nofault_may_read(from) && marker_nofault_read_byte(&byte, from) &&
	    marker_nofault_read_byte(&byte, from + len - 1))
		length->len = len;
}

/* The number that goes with "%.*s", cut to @max; as in printk(), less than 0 is 0. */
static u32 limit_of(const struct marker_field *field, const u64 *args, u32 max)
{
	return clamp((int)args[field->len_arg], 0, (int)max);
}

/* Return: bytes that a STRING or SEQUENCE adds to the event. */
static u32 measure_field(struct marker_length *length,
			 const struct marker_field *field,
			 const u64 *args)
{
	const char *from = (const char *)(uintptr_t)args[field->arg];
	u32 max = field->max;

	if (marker_object_is_fetched(field->object))
		length->len = marker_object_measure(field, args);
	else if (field->type == MARKER_FIELD_SEQUENCE)
		measure_sequence(length, from, marker_object_width(field, args, max));
	if (field->type == MARKER_FIELD_SEQUENCE)
		return sizeof(u16) + length->len;
	if (field->object)
		return length->len;
	if (field->len_arg != MARKER_NO_ARG)
		max = limit_of(field, args, max - 1) + 1;
	measure_string(length, from, max);
	return length->len;
}

u32 marker_serialize_size(const struct marker_format *format, const u64 *args,
			  struct marker_lengths *lengths)
{
	const struct marker_field *field = format->field;
	const struct marker_field *end = field + format->nr_fields;
	struct marker_length *length = lengths->of;
	u32 size = format->fixed_size;

	for (; field < end; field++)
		if (field->type == MARKER_FIELD_STRING ||
		    field->type == MARKER_FIELD_SEQUENCE)
			size += measure_field(length++, field, args);
	return size;
}

/* Bytes behind a pointer: all of them, or all zero. */
static void put_bytes(char *to, const char *from, u32 size)
{
	u32 n = 0;
	u64 word;

	if (!marker_nofault_may_read(from))
		goto fault;
	for (; n + sizeof(word) <= size; n += sizeof(word)) {
		if (!marker_nofault_read_word(&word, from + n))
			goto fault;
		put64(to + n, word);
	}
	for (; n < size; n++)
		if (!marker_nofault_read_byte((u8 *)to + n, from + n))
			goto fault;
	return;
fault:
	memset(to, 0, size);
}

static char *put_variable(char *to, const struct marker_field *field,
			  const u64 *args,
			  const struct marker_length *length)
{
	const char *from = (const char *)(uintptr_t)args[field->arg];
	u32 len = length->len;

	if (field->type == MARKER_FIELD_SEQUENCE) {
		put16(to, len);
		to += sizeof(u16);
	}
	if (marker_object_is_fetched(field->object)) {
		marker_object_copy(to, len, field, args);
	} else if (field->type == MARKER_FIELD_SEQUENCE) {
		if (len)
			put_bytes(to, from, len);
	} else if (len <= MARKER_SHORT_SIZE) {
		memcpy(to, length->text, len);
	} else {
		copy_string(to, from, len);
	}
	return to + len;
}

void *marker_serialize(void *start, const struct marker_format *format,
		       const u64 *args,
		       const struct marker_lengths *lengths)
{
	const struct marker_field *field = format->field;
	const struct marker_field *end = field + format->nr_fields;
	const struct marker_length *length = lengths->of;
	char *to = start;
	u64 arg;

	for (; field < end; field++) {
		arg = args[field->arg];
		switch (field->type) {
		case MARKER_FIELD_INT:
			quick_put_int((u8 *)to, arg, field->size);
			to += field->size;
			break;
		case MARKER_FIELD_BYTES:
			put_bytes(to, (const char *)(uintptr_t)arg, field->size);
			to += field->size;
			break;
		default:
			to = put_variable(to, field, args, length++);
			break;
		}
	}
	return to;
}
