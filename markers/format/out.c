// SPDX-License-Identifier: GPL-2.0
/*
 * Text into a buffer: numbers, and characters that are escaped where they must be.
 */
#include <markers/uapi/text.h>
#include "out.h"

const u8 marker_out_kind[256] = {
	[' ' ... '$'] = MARKER_OUT_PLAIN,
	['%'] = MARKER_OUT_PERCENT,
	['&' ... '['] = MARKER_OUT_PLAIN,
	/* no backslash */
	[']' ... '~'] = MARKER_OUT_PLAIN,
};

void marker_out_printed(struct marker_out *out, int len)
{
	if (len > 0)
		out->at += min_t(size_t, len, marker_out_room(out) - 1);
}

void marker_out_bytes(struct marker_out *out, const char *bytes, size_t nr)
{
	nr = min(nr, marker_out_room(out) - 1);
	memcpy(out->at, bytes, nr);
	out->at += nr;
}

void marker_out_blanks(struct marker_out *out, int blanks)
{
	if (blanks <= 0)
		return;
	blanks = min_t(size_t, blanks, marker_out_room(out) - 1);
	memset(out->at, ' ', blanks);
	out->at += blanks;
}

/* The numbers below 100, two digits each. */
#define TEN(d)									\
	d, '0', d, '1', d, '2', d, '3', d, '4', d, '5', d, '6', d, '7', d, '8', d, '9'

static const char two_digits[] = {
	TEN('0'), TEN('1'), TEN('2'), TEN('3'), TEN('4'),
	TEN('5'), TEN('6'), TEN('7'), TEN('8'), TEN('9'),
};

static __always_inline char *put_two(char *end, u32 value)
{
	return memcpy(end - 2, two_digits + 2 * value, 2);
}

void marker_out_decimal(struct marker_out *out, u64 value, unsigned int least)
{
	char digits[MARKER_OUT_DIGITS], *end = digits + sizeof(digits), *p = end;
	unsigned int i;
	u32 low;

	while (value > U32_MAX) {
		low = value % 100000000;
		value /= 100000000;
		for (i = 0; i < 4; i++, low /= 100)
			p = put_two(p, low % 100);
	}
	for (low = value; low >= 10; low /= 100)
		p = put_two(p, low % 100);
	if (low)
		*--p = '0' + low;
	while (p > end - least)
		*--p = '0';
	marker_out_bytes(out, p, end - p);
}

void marker_out_hex(struct marker_out *out, u64 value, bool capital)
{
	char digits[MARKER_OUT_DIGITS], *end = digits + sizeof(digits), *p = end;
	const char ten = (capital ? 'A' : 'a') - 10;

	do {
		*--p = (value & 15) + ((value & 15) < 10 ? '0' : ten);
		value >>= 4;
	} while (value);
	marker_out_bytes(out, p, end - p);
}

#define EACH(byte)	((u64)(byte) * 0x0101010101010101ull)

/*
 * Do all eight bytes print as they are, and is none of them "%"?  A subtraction sets the high bit
 * of the lowest byte that is too small.  The addition sets the high bit of the lowest 0x7f.  Then
 * the answer is no, so a carry into higher bytes does no harm.
 */
static bool are_plain(u64 bytes)
{
	return !((bytes | (bytes + EACH(1)) | (bytes - EACH(' ')) |
		  ((bytes ^ EACH('%')) - EACH(1)) | ((bytes ^ EACH('\\')) - EACH(1))) & EACH(0x80));
}

size_t marker_out_words(char *to, const char *text, size_t max)
{
	size_t i;
	u64 bytes;

	for (i = 0; i + sizeof(bytes) <= max; i += sizeof(bytes)) {
		memcpy(&bytes, text + i, sizeof(bytes));
		if (!are_plain(bytes))
			break;
		memcpy(to + i, &bytes, sizeof(bytes));
	}
	return i;
}

/* Is @byte a continuation byte of UTF-8? */
static bool is_continuation(u8 byte)
{
	return (byte & 0xc0) == 0x80;
}

/*
 * The length of a character in UTF-8, or 0 for a control character or invalid bytes.  The
 * second byte reveals an overlong form, a surrogate, a character beyond U+10FFFF, and
 * U+0080 to U+009F.  @text ends with a NUL; no byte after it is read.
 */
static int utf8_len(const char *text)
{
	u8 first = text[0], second = first ? text[1] : 0;

	if (first < 0xc2 || first > 0xf4 || !is_continuation(second))
		return 0;
	if (first < 0xe0)
		return first == 0xc2 && second < 0xa0 ? 0 : 2;
	if (!is_continuation(text[2]))
		return 0;
	if (first < 0xf0)
		return (first == 0xe0 && second < 0xa0) ||
		       (first == 0xed && second > 0x9f) ? 0 : 3;
	return !is_continuation(text[3]) || (first == 0xf0 && second < 0x90) ||
	       (first == 0xf4 && second > 0x8f) ? 0 : 4;
}

/* Bytes of text that marker_out_escaped() makes of a character. */
static int escaped_len(const char *text)
{
	if (marker_out_kind[(u8)*text])
		return 1;
	return utf8_len(text) ?: (text_escape_letter(*text) ? 2 : 4);
}

int marker_out_special(struct marker_out *out, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";
	int len = utf8_len(text);
	u8 c = *text;
	char letter;

	if (len) {
		marker_out_bytes(out, text, len);
		return len;
	}
	letter = text_escape_letter(c);
	marker_out_char(out, '\\');
	marker_out_char(out, letter ?: 'x');
	if (!letter) {
		marker_out_char(out, digits[c >> 4]);
		marker_out_char(out, digits[c & 15]);
	}
	return 1;
}

void marker_out_aligned(struct marker_out *out, const char *text, const char *end,
			int width, bool left)
{
	const char *p = text, *plain;
	int blanks;

	/* most texts have no other characters */
	while (p < end && marker_out_kind[(u8)*p])
		p++;
	plain = p;
	blanks = max(width, 0) - (p - text);
	for (; p < end && blanks > 0; p += utf8_len(p) ?: 1)
		blanks -= escaped_len(p);
	if (!left)
		marker_out_blanks(out, blanks);
	marker_out_bytes(out, text, plain - text);
	text = plain;
	while (text < end) {
		text += marker_out_run(out, text, end - text,
				       MARKER_OUT_PLAIN | MARKER_OUT_PERCENT);
		if (text < end)
			text += marker_out_escaped(out, text);
	}
	if (left)
		marker_out_blanks(out, blanks);
}
