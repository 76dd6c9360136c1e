/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text that is being written to a buffer.  What does not fit is cut off.
 *
 * Pure.  Context of all: Any.
 */
#ifndef _MARKERS_OUT_H
#define _MARKERS_OUT_H

#include <markers/base.h>

#define MARKER_OUT_DIGITS	20	/* of a u64 */

/**
 * struct marker_out - the buffer
 * @at:		where the next character goes
 * @last:	the last byte of the buffer, for the NUL that the caller writes to @at
 */
struct marker_out {
	char *at;
	char *last;
};

/**
 * marker_out_room() - what is left of the buffer
 * @out:	the buffer
 *
 * Return: bytes, the NUL included.
 */
static inline size_t marker_out_room(const struct marker_out *out)
{
	return out->last - out->at + 1;
}

/**
 * marker_out_char() - write a character as it is
 * @out:	the buffer
 * @c:		the character
 */
static __always_inline void marker_out_char(struct marker_out *out, char c)
{
	if (likely(out->at < out->last))
		*out->at++ = c;
}

/**
 * marker_out_printed() - account for what snprintf() wrote to out->at
 * @out:	the buffer
 * @len:	what snprintf(out->at, marker_out_room(out), ...) returned
 */
void marker_out_printed(struct marker_out *out, int len);

/**
 * marker_out_bytes() - write bytes as they are
 * @out:	the buffer
 * @bytes:	the bytes
 * @nr:		how many
 */
void marker_out_bytes(struct marker_out *out, const char *bytes, size_t nr);

/**
 * marker_out_blanks() - write blanks
 * @out:	the buffer
 * @blanks:	how many; less than 0 is none
 */
void marker_out_blanks(struct marker_out *out, int blanks);

/**
 * marker_out_decimal() - write a decimal number
 * @out:	the buffer
 * @value:	the number
 * @least:	write at least that many digits, MARKER_OUT_DIGITS at most
 */
void marker_out_decimal(struct marker_out *out, u64 value, unsigned int least);

/**
 * marker_out_hex() - write a hexadecimal number
 * @out:	the buffer
 * @value:	the number
 * @capital:	with capital letters
 */
void marker_out_hex(struct marker_out *out, u64 value, bool capital);

/**
 * marker_out_special() - write a character that may need an escape
 * @out:	the buffer
 * @text:	begins with the character, and ends with a NUL
 *
 * Return: the bytes of the character.
 */
int marker_out_special(struct marker_out *out, const char *text);

/* What characters are, by their first byte; 0: marker_out_special() takes it. */
enum {
	MARKER_OUT_PLAIN = 1,		/* prints as it is */
	MARKER_OUT_PERCENT = 2,		/* so does "%", but not in a format */
};

extern const u8 marker_out_kind[256];

#define MARKER_OUT_LONG	16	/* bytes of a text that is worth a call */

/**
 * marker_out_words() - copy the begin of a text, eight bytes at a time
 * @to:		the copy
 * @text:	the text
 * @max:	its bytes
 *
 * Return: the bytes that were copied: all of them print as they are, and none is "%".
 */
size_t marker_out_words(char *to, const char *text, size_t max);

/**
 * marker_out_run() - write the characters of a text that print as they are
 * @out:	the buffer
 * @text:	the text
 * @max:	its bytes
 * @kinds:	MARKER_OUT_*: those of the characters
 *
 * Return: the bytes of these characters, up to the first other one; less if the buffer is
 * full.
 */
static __always_inline size_t marker_out_run(struct marker_out *out, const char *text,
					     size_t max, u8 kinds)
{
	const size_t nr = min_t(size_t, max, out->last - out->at);
	char *at = out->at;
	size_t i = nr < MARKER_OUT_LONG ? 0 : marker_out_words(at, text, nr);

	for (; i < nr && marker_out_kind[(u8)text[i]] & kinds; i++)
		at[i] = text[i];
	out->at = at + i;
	return i;
}

/**
 * marker_out_escaped() - write a character so that the text stays one line
 * @out:	the buffer
 * @text:	begins with the character, and ends with a NUL
 *
 * Escapes what a terminal or a parser of lines might take for something else.  A backslash
 * always begins an escape.
 *
 * Return: the bytes of the character.
 */
static __always_inline int marker_out_escaped(struct marker_out *out, const char *text)
{
	if (likely(marker_out_kind[(u8)*text])) {
		marker_out_char(out, *text);
		return 1;
	}
	return marker_out_special(out, text);
}

/**
 * marker_out_aligned() - write escaped text, padded with blanks
 * @out:	the buffer
 * @text:	the text
 * @end:	its end, where a NUL is
 * @width:	columns to fill at least
 * @left:	the text stands to the left, before the blanks
 */
void marker_out_aligned(struct marker_out *out, const char *text, const char *end,
			int width, bool left);

#endif /* _MARKERS_OUT_H */
