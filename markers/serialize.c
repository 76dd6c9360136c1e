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
 * A string of up to 15 characters is kept by the size pass (struct
 * marker_lengths), in two words, and its memory is not read again.  Longer ones
 * are measured and copied by words.  A word is only read if it ends in the page
 * of its first byte, or if the string is known to go on to its last byte: the
 * next page may be missing, or worse, a device.
 *
 * Everything is straight code with little of it inlined: no function pointer,
 * no division, no jump table.
 */
#include "serialize.h"
#include "compat/nofault.h"

#define LOW_BITS	0x0101010101010101ull	/* of each byte */
#define HIGH_BITS	0x8080808080808080ull

#define SMALLEST_PAGE	4096u

#define IS_LITTLE_ENDIAN	(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Recorded instead of what is not there.  Both fill one word with their NUL. */
static const char null_text[8] = "(null)\0";
static const char fault_text[8] = "(fault)";

/*
 * Could there be a zero byte in this word?  Cheap; says yes without reason for
 * bytes above 0x80, so a yes needs first_zero().
 */
static __always_inline bool maybe_zero(u64 word)
{
	return (word - LOW_BITS) & HIGH_BITS;
}

/* Is there a zero byte in this word?  Right in either byte order. */
static __always_inline bool has_zero(u64 word)
{
	return maybe_zero(word) && ((word - LOW_BITS) & ~word & HIGH_BITS);
}

/*
 * The index of the first zero byte in memory order, or 8 if there is none.
 * The lowest bit left by the formula is always right, those above it may be
 * due to a borrow; so it needs the first byte in the lowest bits, and is for
 * little endian.
 */
static __always_inline u32 first_zero(u64 word)
{
	u64 zeroes = (word - LOW_BITS) & ~word & HIGH_BITS;

	return zeroes ? __builtin_ctzll(zeroes) / 8 : 8;
}

/* Do @bytes from here on lie in one page? */
static __always_inline bool in_one_page(const char *from, u32 bytes)
{
	return ((uintptr_t)from & (SMALLEST_PAGE - 1)) <= SMALLEST_PAGE - bytes;
}

/*
 * Count characters up to the NUL, at most @limit.  Looks at no page beyond the
 * one with the last character counted.
 *
 * Return: the characters, or -EFAULT.
 */
static notrace int count_chars(const char *from, u32 limit)
{
	u32 n = 0, zero;
	u64 word;
	u8 byte;

	if (limit && !marker_may_read(from))
		return -EFAULT;
	while (n < limit) {
		if (IS_LITTLE_ENDIAN && in_one_page(from + n, sizeof(word))) {
			if (!marker_read_word(&word, from + n))
				return -EFAULT;
			zero = maybe_zero(word) ? first_zero(word) : 8;
			n += zero;
			if (zero < sizeof(word))
				break;
		} else {
			if (!marker_read_byte(&byte, from + n))
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
		if (!marker_read_word(&word, from + n) || has_zero(word))
			break;
		memcpy(to + n, &word, sizeof(word));
		n += sizeof(word);
	}
	while (n < chars) {
		if (!marker_read_byte(&byte, from + n) || !byte) {
			memset(to + n, ' ', chars - n);
			break;
		}
		to[n++] = byte;
	}
	to[chars] = '\0';
}

/*
 * Measure any string; @max counts the NUL.  Fills @head if it fits there.
 *
 * Return: bytes to record, with the NUL.
 */
static noinline notrace u32 measure(const char *from, u32 max, u64 *head)
{
	int chars = from ? count_chars(from, max - 1) : 0;
	const char *instead = NULL;

	if (!from)
		instead = null_text;
	else if (chars < 0)
		instead = fault_text;
	if (instead) {
		memcpy(head, instead, sizeof(u64));
		chars = min_t(u32, strlen(instead), max - 1);
		((char *)head)[chars] = '\0';
	} else if (chars < MARKER_HEAD_SIZE) {
		copy_string((char *)head, from, chars + 1);
	}
	return chars + 1;
}

/* Measure a string, the usual case: two words, mapped, in one page. */
static __always_inline u32 measure_string(const char *from, u32 max, u64 *head)
{
	u32 len;

	if (!IS_LITTLE_ENDIAN || !marker_may_read(from) ||
	    !in_one_page(from, MARKER_HEAD_SIZE))
		goto any;
	if (!marker_read_word(&head[0], from))
		goto any;
	len = maybe_zero(head[0]) ? first_zero(head[0]) + 1 : 9;
	if (len == 9) {
		if (!marker_read_word(&head[1], from + 8))
			goto any;
		if (!maybe_zero(head[1]))
			goto any;
		len = first_zero(head[1]) + 9;
	}
	if (likely(len <= min_t(u32, max, MARKER_HEAD_SIZE)))
		return len;
any:
	return measure(from, max, head);
}

/* "%.*s": a negative length is none, as in printf. */
static notrace u32 measure_limited(const struct marker_step *step,
				   const u64 *args, u64 *head)
{
	int limit = (int)args[step->len_arg];
	u32 max = step->max;

	if (limit >= 0 && limit < step->max)
		max = limit + 1;
	return measure((const char *)(uintptr_t)args[step->arg], max, head);
}

/*
 * "%*ph".  It touches two pages at most, so if both ends can be read then all
 * of it can.
 */
static notrace u32 measure_sequence(const struct marker_step *step,
				    const u64 *args)
{
	const char *from = (const char *)(uintptr_t)args[step->arg];
	int len = (int)args[step->len_arg];
	u8 byte;

	if (len <= 0)
		return 0;
	len = min_t(int, len, step->max);
	if (!marker_may_read(from) || !marker_read_byte(&byte, from) ||
	    !marker_read_byte(&byte, from + len - 1))
		return 0;
	return len;
}

static noinline notrace u32 measure_rare(const struct marker_step *step,
					 const u64 *args, u64 *head, u16 *len)
{
	if (step->kind == MARKER_STEP_STRING_MAX) {
		*len = measure_limited(step, args, head);
		return *len;
	}
	*len = measure_sequence(step, args);
	return sizeof(u16) + *len;
}

notrace u32 marker_serialize_size(const struct marker_format *format,
				  const u64 *args,
				  struct marker_lengths *lengths)
{
	u32 len, size = format->fixed_size;
	const struct marker_step *step;
	unsigned int i;

	for (i = 0; i < format->nr_variable; i++) {
		step = &format->step[format->variable_step[i]];
		if (likely(step->kind == MARKER_STEP_STRING)) {
			len = measure_string((void *)(uintptr_t)args[step->arg],
					     step->max, lengths->head[i]);
			lengths->len[i] = len;
			size += len;
		} else {
			size += measure_rare(step, args, lengths->head[i],
					     &lengths->len[i]);
		}
	}
	return size;
}

/* Write a short string from what the size pass kept; @len counts the NUL. */
static __always_inline void put_head(char *to, const u64 *head, u32 len)
{
	const char *from = (const char *)head;

	if (len >= 8) {
		memcpy(to, from, 8);
		memcpy(to + len - 8, from + len - 8, 8);
	} else if (len >= 4) {
		memcpy(to, from, 4);
		memcpy(to + len - 4, from + len - 4, 4);
	} else {
		to[0] = from[0];
		to[len / 2] = from[len / 2];
		to[len - 1] = from[len - 1];
	}
}

/* Bytes behind a pointer: all of them, or all zero. */
static notrace void put_bytes(char *to, const char *from, u32 size)
{
	u32 n = 0;
	u64 word;

	if (!marker_may_read(from))
		goto fault;
	for (; n + sizeof(word) <= size; n += sizeof(word)) {
		if (!marker_read_word(&word, from + n))
			goto fault;
		memcpy(to + n, &word, sizeof(word));
	}
	for (; n < size; n++)
		if (!marker_read_byte((u8 *)to + n, from + n))
			goto fault;
	return;
fault:
	memset(to, 0, size);
}

static noinline notrace char *put_rare(char *to, const struct marker_step *step,
				       const u64 *args, u32 len)
{
	const char *from = (const char *)(uintptr_t)args[step->arg];
	u16 prefix = len;

	switch (step->kind) {
	case MARKER_STEP_INT1:
		*to = args[step->arg];
		return to + 1;
	case MARKER_STEP_INT2:
		prefix = args[step->arg];
		memcpy(to, &prefix, sizeof(prefix));
		return to + sizeof(prefix);
	case MARKER_STEP_BYTES:
		put_bytes(to, from, step->size);
		return to + step->size;
	default:
		memcpy(to, &prefix, sizeof(prefix));
		to += sizeof(prefix);
		if (len)
			put_bytes(to, from, len);
		return to + len;
	}
}

notrace void *marker_serialize(void *start, const struct marker_format *format,
			       const u64 *args,
			       const struct marker_lengths *lengths)
{
	const struct marker_step *step = format->step;
	const struct marker_step *end = step + format->nr_fields;
	const u64 *head = lengths->head[0];
	const u16 *len = lengths->len;
	char *to = start;
	u32 value;

	for (; step < end; step++) {
		if (step->kind == MARKER_STEP_INT4) {
			value = args[step->arg];
			memcpy(to, &value, sizeof(value));
			to += sizeof(value);
		} else if (step->kind == MARKER_STEP_INT8) {
			memcpy(to, &args[step->arg], sizeof(u64));
			to += sizeof(u64);
		} else if (step->kind == MARKER_STEP_STRING ||
			   step->kind == MARKER_STEP_STRING_MAX) {
			if (likely(*len <= MARKER_HEAD_SIZE))
				put_head(to, head, *len);
			else
				copy_string(to, (void *)(uintptr_t)
					    args[step->arg], *len);
			to += *len++;
			head += ARRAY_SIZE(lengths->head[0]);
		} else if (step->kind == MARKER_STEP_SEQUENCE) {
			to = put_rare(to, step, args, *len++);
			head += ARRAY_SIZE(lengths->head[0]);
		} else {
			to = put_rare(to, step, args, 0);
		}
	}
	return to;
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
