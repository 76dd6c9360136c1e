// SPDX-License-Identifier: GPL-2.0
/*
 * From argument slots to bytes.
 *
 * The recorder calls this for every event, in the context of the marker: any,
 * NMI too, preemption disabled, no lock held and none taken.  First the size
 * pass, so that exactly as many bytes can be reserved; then the copy pass into
 * the reserved bytes.  The memory behind pointers may change in between, and a
 * record that has another length than announced would garble the packet, so
 * the copy pass makes the bytes fit the length and never the other way round.
 *
 * Most events have integers and strings of up to 15 characters, nothing else.
 * The size pass puts the bytes of such a one together at once, in struct
 * marker_lengths, and the copy pass just copies them; so the memory of a string
 * is read once.  The functions that do this call nothing, so that no register
 * needs to be saved.  For all other events they jump (a tail call) to those
 * named ..._any(), which walk the field table.  There is no function pointer,
 * no division and no jump table.
 *
 * Strings are measured and copied by words.  A word is only read if it ends in
 * the page of its first byte, or if the string is known to go on to its last
 * byte: the next page may be missing, or worse, a device.
 */
#include <markers/compat/nofault.h>
#include "object.h"
#include "serialize.h"
#include "words.h"

/* Recorded instead of what is not there.  Both fill one word with their NUL. */
static const char null_text[8] = "(null)\0";
static const char fault_text[8] = "(fault)";

/*
 * Count characters up to the NUL, at most @limit.  Looks at no page beyond the
 * one with the last character counted.
 *
 * Return: the characters, or -EFAULT.
 */
static notrace int count_chars(const char *from, u32 limit)
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
static notrace void copy_string(char *to, const char *from, u32 len)
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
static notrace void measure_string(struct marker_length *length,
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
static notrace void measure_sequence(struct marker_length *length,
				     const char *from, int len)
{
	u8 byte;

	length->len = 0;
	if (len > 0 && marker_nofault_may_read(from) && marker_nofault_read_byte(&byte, from) &&
	    marker_nofault_read_byte(&byte, from + len - 1))
		length->len = len;
}

/* The number that goes with "%.*s" or "%*ph", cut to @max. */
static notrace int limit_of(const struct marker_field *field, const u64 *args,
			    int max)
{
	return min_t(int, (int)args[field->len_arg], max);
}

/* Return: bytes that a STRING or SEQUENCE adds to the event. */
static notrace u32 measure_field(struct marker_length *length,
				 const struct marker_field *field,
				 const u64 *args)
{
	const char *from = (const char *)(uintptr_t)args[field->arg];
	u32 max = field->max;
	int limit;

	if (marker_object_is_fetched(field->object))
		length->len = marker_object_measure(field, args);
	else if (field->type == MARKER_FIELD_SEQUENCE)
		measure_sequence(length, from, limit_of(field, args, max));
	if (field->type == MARKER_FIELD_SEQUENCE)
		return sizeof(u16) + length->len;
	if (field->object)
		return length->len;
	if (field->len_arg != MARKER_NO_ARG) {
		/* A negative length is none, as in printf. */
		limit = limit_of(field, args, max - 1);
		if (limit >= 0)
			max = limit + 1;
	}
	measure_string(length, from, max);
	return length->len;
}

static noinline notrace u32 size_any(const struct marker_format *format,
				     const u64 *args,
				     struct marker_lengths *lengths)
{
	const struct marker_field *field = format->field;
	const struct marker_field *end = field + format->nr_fields;
	struct marker_length *length = lengths->of;
	u32 size = format->fixed_size;

	lengths->size = 0;
	for (; field < end; field++)
		if (field->type == MARKER_FIELD_STRING ||
		    field->type == MARKER_FIELD_SEQUENCE)
			size += measure_field(length++, field, args);
	return size;
}

/* Bytes behind a pointer: all of them, or all zero. */
static notrace void put_bytes(char *to, const char *from, u32 size)
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

static __always_inline char *put_int(char *to, u64 value, u8 size)
{
	switch (size) {
	case 1:
		*to = value;
		break;
	case 2:
		put16(to, value);
		break;
	case 4:
		put32(to, value);
		break;
	case 8:
		put64(to, value);
		break;
	}
	return to + size;
}

static notrace char *put_variable(char *to, const struct marker_field *field,
				  const u64 *args,
				  const struct marker_length *length)
{
	const char *from = (const char *)(uintptr_t)args[field->arg];
	u32 len = length->len;

	if (field->type == MARKER_FIELD_SEQUENCE)
		to = put_int(to, len, 2);
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

static noinline notrace void *serialize_any(char *to,
					    const struct marker_format *format,
					    const u64 *args,
					    const struct marker_lengths *lengths)
{
	const struct marker_field *field = format->field;
	const struct marker_field *end = field + format->nr_fields;
	const struct marker_length *length = lengths->of;
	u64 arg;

	for (; field < end; field++) {
		arg = args[field->arg];
		switch (field->type) {
		case MARKER_FIELD_INT:
			to = put_int(to, arg, field->size);
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

/*
 * A short string that does not start near the end of a page: writes one or two
 * words, whatever its length.
 *
 * Return: the first byte after its NUL, or NULL if it is no such string.
 */
static __always_inline char *put_short(char *to, const char *from)
{
	u64 word, zeroes;

	if (!IS_LITTLE_ENDIAN || !marker_nofault_may_read(from) ||
	    !in_one_page(from, MARKER_SHORT_SIZE) ||
	    !marker_nofault_read_word(&word, from))
		return NULL;
	put64(to, word);
	if (maybe_zero(word)) {
		zeroes = find_zeroes(word);
		if (zeroes)
			return to + first_zero(zeroes) + 1;
	}
	if (!marker_nofault_read_word(&word, from + sizeof(word)))
		return NULL;
	put64(to + sizeof(word), word);
	zeroes = find_zeroes(word);
	if (zeroes)
		return to + sizeof(word) + first_zero(zeroes) + 1;
	return NULL;
}

/*
 * An event of integers and short strings is put together from the table of
 * steps.  @lengths has room for MARKER_SHORT_SIZE more bytes than the event
 * has: each field writes whole words, and the next one begins where its bytes
 * end.
 */
notrace u32 __marker_serialize_size(const struct marker_format *format,
				    const u64 *args,
				    struct marker_lengths *lengths)
{
	char *to = lengths->bytes;
	unsigned long i;
	u8 step;

	for (i = 0; IS_LITTLE_ENDIAN; i++) {
		/* Keeps it one index into two tables, not two pointers. */
		__asm__("" : "+r" (i));
		step = format->step[i];
		if (step <= MARKER_STEP_INT) {
			put64(to, args[i]);
			to += step;
		} else if (step == MARKER_STEP_STRING) {
			to = put_short(to, (const char *)(uintptr_t)args[i]);
			if (!to)
				break;
		} else {
			if (step != MARKER_STEP_END)
				break;
			lengths->size = to - lengths->bytes;
			return lengths->size;
		}
	}
	return size_any(format, args, lengths);
}

/* An event without a string goes to its place directly. */
static noinline notrace void *
serialize_fixed(char *to, const struct marker_format *format, const u64 *args,
		const struct marker_lengths *lengths)
{
	char *start = to;
	unsigned long i;
	u8 step;

	for (i = 0;; i++) {
		__asm__("" : "+r" (i));
		step = format->step[i];
		if (step == 4)
			to = put_int(to, args[i], 4);
		else if (step == 8)
			to = put_int(to, args[i], 8);
		else if (step == MARKER_STEP_END)
			return to;
		else if (step == 1)
			to = put_int(to, args[i], 1);
		else if (step == 2)
			to = put_int(to, args[i], 2);
		else
			break;
	}
	return serialize_any(start, format, args, lengths);
}

/* Copy a prepared event of any size. */
static noinline notrace void *copy_event(char *to, const char *from, u32 size)
{
	u32 n;

	if (size < 8) {
		for (n = 0; n < size; n++)
			to[n] = from[n];
		return to + size;
	}
	for (n = 0; n < size - 8; n += 8)
		put64(to + n, get64(from + n));
	put64(to + size - 8, get64(from + size - 8));
	return to + size;
}

notrace void *marker_serialize(void *start, const struct marker_format *format,
			       const u64 *args,
			       const struct marker_lengths *lengths)
{
	const char *from = lengths->bytes;
	char *to = start;
	u32 size;

	if (!format->variable)
		return serialize_fixed(to, format, args, lengths);
	size = lengths->size;
	if (size - 16 <= 16) {
		/* 16 to 32 bytes: four words, which may overlap. */
		put64(to, get64(from));
		put64(to + 8, get64(from + 8));
		put64(to + size - 16, get64(from + size - 16));
		put64(to + size - 8, get64(from + size - 8));
		return to + size;
	}
	if (size)
		return copy_event(to, from, size);
	return serialize_any(to, format, args, lengths);
}

/* Bytes of one field at @from, or -EINVAL if it does not end in @avail. */
static int field_size(const struct marker_field *field, const char *from,
		      u32 avail)
{
	const char *nul;
	u16 len;

	switch (field->type) {
	case MARKER_FIELD_STRING:
		nul = memchr(from, '\0', avail);
		return nul ? nul - from + 1 : -EINVAL;
	case MARKER_FIELD_SEQUENCE:
		if (avail < sizeof(len))
			return -EINVAL;
		memcpy(&len, from, sizeof(len));
		return len <= field->max ? (int)sizeof(len) + len : -EINVAL;
	default:
		return field->size;
	}
}

int marker_serialized_size(const struct marker_format *format, const void *from,
			   u32 avail)
{
	unsigned int i;
	u32 done = 0;
	int size;

	for (i = 0; i < format->nr_fields; i++) {
		size = field_size(&format->field[i],
				  (const char *)from + done, avail - done);
		if (size < 0 || (u32)size > avail - done)
			return -EINVAL;
		done += size;
	}
	return done;
}
