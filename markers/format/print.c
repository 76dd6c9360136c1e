// SPDX-License-Identifier: GPL-2.0
/*
 * From recorded bytes to text, for the readers of trace and trace_pipe, in process
 * context.
 *
 * Walks the field table.  It copies the words between the fields from the format
 * string.  It parses each conversion again and rewrites it to fit the recorded bytes:
 * integers as long long, strings without a precision, which was applied when they were
 * recorded.  So printf never sees a pointer into the trace, and the bytes of a trace
 * are not trusted.
 *
 * printf is slow, so most conversions, those without flags, width and precision, are
 * printed without it.
 */
#include "print.h"
#include "serialize.h"

#define MAX_DIGITS	20	/* of a u64 */
#define SPEC_SIZE	32	/* '%', flags, width, '.', precision, "lld" */

/* Columns of a line, as ftrace has them. */
#define PROCNAME_WIDTH	16
#define TID_WIDTH	7

/**
 * struct out - text that is being written to a buffer
 * @at:		where the next character goes
 * @last:	the last byte of the buffer: for the NUL, the rest is cut
 */
struct out {
	char *at;
	char *last;
};

/* Bytes, the NUL included. */
static size_t room_left(const struct out *out)
{
	return out->last - out->at + 1;
}

static __always_inline void put_char(struct out *out, char c)
{
	if (likely(out->at < out->last))
		*out->at++ = c;
}

/* Account for what a snprintf(out->at, room_left(out), ...) returned. */
static void count_printed(struct out *out, int len)
{
	if (len > 0)
		out->at += min_t(size_t, len, room_left(out) - 1);
}

static void put_bytes(struct out *out, const char *bytes, size_t nr)
{
	nr = min(nr, room_left(out) - 1);
	memcpy(out->at, bytes, nr);
	out->at += nr;
}

static void put_blanks(struct out *out, int blanks)
{
	for (; blanks > 0; blanks--)
		put_char(out, ' ');
}

/* With at least that many digits. */
static void put_decimal(struct out *out, u64 value, unsigned int least)
{
	char digits[MAX_DIGITS], *end = digits + sizeof(digits), *p = end;

	while (value > U32_MAX) {
		*--p = '0' + value % 10;
		value /= 10;
	}
	for (; value; value = (u32)value / 10)
		*--p = '0' + (u32)value % 10;
	while (p > end - least)
		*--p = '0';
	put_bytes(out, p, end - p);
}

static void put_hex(struct out *out, u64 value, bool capital)
{
	char digits[MAX_DIGITS], *end = digits + sizeof(digits), *p = end;
	const char ten = (capital ? 'A' : 'a') - 10;

	do {
		*--p = (value & 15) + ((value & 15) < 10 ? '0' : ten);
		value >>= 4;
	} while (value);
	put_bytes(out, p, end - p);
}

/* Printed without a change?  Other characters go to put_special(). */
static __always_inline bool is_plain_char(u8 c)
{
	return c >= ' ' && c < 0x7f && c != '\\';
}

/* Is @byte one that follows the first byte of a character in UTF-8? */
static bool is_continuation(u8 byte)
{
	return (byte & 0xc0) == 0x80;
}

/*
 * The bytes of a character in UTF-8 that is no control character, or 0.  The second
 * byte tells what is too long, a surrogate, beyond U+10FFFF, or U+0080 to U+009F.
 * @text ends with a NUL, and no byte after it is looked at.
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

/* The letter that stands for it after a backslash; 0: "\xHH" does. */
static char escape_letter(u8 c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\r':
		return 'r';
	case '\\':
		return '\\';
	}
	return 0;
}

/* Bytes of text that put_escaped() makes of a character. */
static int escaped_len(const char *text)
{
	if (is_plain_char(*text))
		return 1;
	return utf8_len(text) ?: (escape_letter(*text) ? 2 : 4);
}

static noinline int put_special(struct out *out, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";
	int len = utf8_len(text);
	u8 c = *text;
	char letter;

	if (len) {
		put_bytes(out, text, len);
		return len;
	}
	letter = escape_letter(c);
	put_char(out, '\\');
	put_char(out, letter ?: 'x');
	if (!letter) {
		put_char(out, digits[c >> 4]);
		put_char(out, digits[c & 15]);
	}
	return 1;
}

/*
 * A character of text that ends with a NUL.  What a terminal or a parser of lines might
 * take for something else is escaped, and a backslash always begins an escape.
 * Return: how many bytes of @text it was.
 */
static __always_inline int put_escaped(struct out *out, const char *text)
{
	if (likely(is_plain_char(*text))) {
		put_char(out, *text);
		return 1;
	}
	return put_special(out, text);
}

/* Characters up to @end, where a NUL is, as %s and %c do with this width. */
static void put_chars(struct out *out, const struct marker_conversion *conv,
		      const char *chars, const char *end)
{
	int blanks = max(conv->width, 0);
	const char *p;

	for (p = chars; p < end && blanks > 0; p += utf8_len(p) ?: 1)
		blanks -= escaped_len(p);
	if (!(conv->flags & MARKER_FLAG_LEFT))
		put_blanks(out, blanks);
	while (chars < end)
		chars += put_escaped(out, chars);
	if (conv->flags & MARKER_FLAG_LEFT)
		put_blanks(out, blanks);
}

/* The words of the format string, "%%" and all. */
static void put_words(struct out *out, const char *words, size_t len)
{
	const char *end = words + len;

	while (words < end) {
		if (*words == '%')
			words++;
		if (*words == '\t')
			put_char(out, *words++);
		else
			words += put_escaped(out, words);
	}
}

/*
 * Put a conversion together again: '%', flags, width, precision, and @end
 * instead of length modifier and letter.
 */
static void make_spec(char *spec, const struct marker_conversion *conv,
		      const char *end, size_t end_len)
{
	static const char flags[] = "-+ #0";
	unsigned int i;

	*spec++ = '%';
	for (i = 0; flags[i]; i++)
		if (conv->flags & BIT(i))
			*spec++ = flags[i];
	if (conv->width >= 0)
		spec += sprintf(spec, "%d", conv->width);
	if (conv->precision >= 0)
		spec += sprintf(spec, ".%d", conv->precision);
	memcpy(spec, end, end_len);
	spec[end_len] = '\0';
}

/* An integer of @size bytes in native order, brought to its full width. */
static u64 load_int(const char *from, u8 size, bool is_signed)
{
	u64 u64_value;
	u32 u32_value;
	u16 u16_value;

	switch (size) {
	case 1:
		return is_signed ? (u64)(s8)*from : (u8)*from;
	case 2:
		memcpy(&u16_value, from, sizeof(u16_value));
		return is_signed ? (u64)(s16)u16_value : u16_value;
	case 4:
		memcpy(&u32_value, from, sizeof(u32_value));
		return is_signed ? (u64)(s32)u32_value : u32_value;
	default:
		memcpy(&u64_value, from, sizeof(u64_value));
		return u64_value;
	}
}

/* %p: a number with 0x in front, as wide as it is told to be. */
static void put_pointer(struct out *out, const struct marker_conversion *conv,
			u64 value)
{
	char number[24];

	snprintf(number, sizeof(number), "0x%llx", (unsigned long long)value);
	put_chars(out, conv, number, number + strlen(number));
}

/* %pe of what is no error: printk() would print a hash. */
static bool is_other_pointer(const struct marker_field *field, u64 value)
{
	return field->object == MARKER_OBJECT_ERROR && value < (u64)-MAX_ERRNO;
}

static void put_int(struct out *out, const struct marker_conversion *conv,
		    const struct marker_field *field, const char *text,
		    const char *from)
{
	u64 value = load_int(from, field->size, field->is_signed);
	char end[4] = { 'l', 'l', conv->letter, '\0' };
	char spec[SPEC_SIZE];
	char c[] = { value, '\0' };
	int len;

	if (field->is_char) {
		put_chars(out, conv, c, c + 1);
	} else if (conv->is_symbol && !is_other_pointer(field, value)) {
		make_spec(spec, conv, text + conv->extension - 1,
			  conv->end - conv->extension + 1);
		len = marker_print_extension(out->at, room_left(out),
					     spec, (void *)(uintptr_t)value);
		count_printed(out, len);
	} else if (conv->letter == 'p') {
		put_pointer(out, conv, value);
	} else {
		make_spec(spec, conv, end, 3);
		len = snprintf(out->at, room_left(out), spec,
			       (unsigned long long)value);
		count_printed(out, len);
	}
}

/* "%*ph" and "%4ph": bytes with what the letter says between them. */
static void put_hex_dump(struct out *out, const struct marker_conversion *conv,
			 const char *text, const char *from, unsigned int nr)
{
	char between = text[conv->end - 1];
	unsigned int i;
	char hex[4];

	for (i = 0; i < nr; i++) {
		if (i && between != 'N')
			put_char(out, between == 'C' ? ':' :
				 between == 'D' ? '-' : ' ');
		snprintf(hex, sizeof(hex), "%02x", (u8)from[i]);
		put_char(out, hex[0]);
		put_char(out, hex[1]);
	}
}

/* "%*pE" and "%*pbl": as wide as they are long, in bytes or bits. */
static int width_of(const struct marker_conversion *conv, unsigned int nr)
{
	if (conv->width != MARKER_FROM_ARG)
		return conv->width;
	return conv->object == MARKER_OBJECT_BITMAP ? nr * 8 : nr;
}

/* Bytes that mean something.  printf gets a copy, with zeroes after it. */
static void put_extension(struct out *out, struct marker_conversion *conv,
			  const char *text, const char *from, unsigned int nr)
{
	char copy[MARKER_MAX_BITMAP] __aligned(8);
	char spec[SPEC_SIZE];
	int len;

	if (text[conv->extension] == 'h') {
		put_hex_dump(out, conv, text, from, nr);
		return;
	}
	if (!nr) {
		if (conv->object == MARKER_OBJECT_SOCKADDR)
			put_words(out, "(fault)", 7);
		return;
	}
	memset(copy, 0, sizeof(copy));
	memcpy(copy, from, min_t(size_t, nr, sizeof(copy)));
	conv->width = width_of(conv, nr);
	make_spec(spec, conv, text + conv->extension - 1,
		  conv->end - conv->extension + 1);
	len = marker_print_extension(out->at, room_left(out), spec, copy);
	count_printed(out, len);
}

/* Nothing between '%' and the length modifier or the letter. */
static bool is_plain(const char *text, const struct marker_field *field)
{
	char next = text[field->spec + 1];

	return (next >= 'a' && next != 'p') || next == 'X';
}

/*
 * A plain integer.  Return: false if it is another one.
 */
static bool put_plain_int(struct out *out, const char *text,
			  const struct marker_field *field, const char *from)
{
	u64 value = load_int(from, field->size, field->is_signed);

	switch (text[field->spec + field->spec_len - 1]) {
	case 'd':
	case 'i':
		if ((s64)value < 0) {
			put_char(out, '-');
			value = -value;
		}
		fallthrough;
	case 'u':
		put_decimal(out, value, 1);
		return true;
	case 'x':
		put_hex(out, value, false);
		return true;
	case 'X':
		put_hex(out, value, true);
		return true;
	}
	return false;
}

/* A plain string; returns its length. */
static size_t put_plain_string(struct out *out, const char *from)
{
	const char *p = from;

	while (*p)
		p += put_escaped(out, p);
	return p - from;
}

/* Print a field whose bytes are known to be all there; return the next one. */
static const char *put_field(struct out *out, const char *text,
			     const struct marker_field *field, const char *from)
{
	struct marker_conversion conv;
	struct marker_format_error error;
	size_t len;
	u16 nr;

	if (is_plain(text, field)) {
		if (field->type == MARKER_FIELD_STRING)
			return from + put_plain_string(out, from) + 1;
		if (field->type == MARKER_FIELD_INT &&
		    put_plain_int(out, text, field, from))
			return from + field->size;
	}
	/* It was parsed before, so it is right. */
	marker_format_parse_conversion(&conv, text, field->spec, &error);
	switch (field->type) {
	case MARKER_FIELD_INT:
		put_int(out, &conv, field, text, from);
		return from + field->size;
	case MARKER_FIELD_STRING:
		len = strlen(from);
		put_chars(out, &conv, from, from + len);
		return from + len + 1;
	case MARKER_FIELD_BYTES:
		put_extension(out, &conv, text, from, field->size);
		return from + field->size;
	default:
		memcpy(&nr, from, sizeof(nr));
		put_extension(out, &conv, text, from + sizeof(nr), nr);
		return from + sizeof(nr) + nr;
	}
}

/* The words after the last field, without the blanks at their end. */
static size_t tail_len(const char *tail)
{
	size_t len = strlen(tail);

	while (len && strchr(" \t\n\r", tail[len - 1]))
		len--;
	return len;
}

int marker_print_event(char *buf, size_t size, const struct marker_format *format,
		       const void *from, u32 avail)
{
	struct out out = { buf, buf + size - 1 };
	const struct marker_field *field;
	const char *tail, *at = from;
	unsigned int i;

	if (marker_serialized_size(format, from, avail) < 0)
		return -EINVAL;
	if (!size)
		return 0;
	for (i = 0; i < format->nr_fields; i++) {
		field = &format->field[i];
		put_words(&out, format->text + field->lit, field->lit_len);
		at = put_field(&out, format->text, field, at);
	}
	tail = format->text + format->tail;
	put_words(&out, tail, tail_len(tail));
	*out.at = '\0';
	return out.at - buf;
}

/* The name of a task, which may have any bytes, to the right. */
static void put_procname(struct out *out, const struct marker_contexts *contexts)
{
	const char *name = contexts->procname, *p;
	int blanks = PROCNAME_WIDTH;

	if (marker_context_has(contexts->set, MARKER_CONTEXT_TID) && !contexts->tid)
		name = "<idle>";
	for (p = name; *p; p += utf8_len(p) ?: 1)
		blanks -= escaped_len(p);
	put_blanks(out, blanks);
	for (p = name; *p;)
		p += put_escaped(out, p);
}

/* As %*d does, to the left if @width is negative. */
static void put_number(struct out *out, s64 value, int width)
{
	char text[MAX_DIGITS + 2];
	struct out digits = { text, text + sizeof(text) - 1 };
	int len;

	if (value < 0)
		put_char(&digits, '-');
	put_decimal(&digits, value < 0 ? -(u64)value : (u64)value, 1);
	len = digits.at - text;
	put_blanks(out, width - len);
	put_bytes(out, text, len);
	put_blanks(out, -width - len);
}

/* "procname-tid (pid) ", or what there is of it. */
static void put_task(struct out *out, const struct marker_contexts *contexts)
{
	const bool has_tid = marker_context_has(contexts->set, MARKER_CONTEXT_TID);

	if (marker_context_has(contexts->set, MARKER_CONTEXT_PROCNAME)) {
		put_procname(out, contexts);
		put_char(out, has_tid ? '-' : ' ');
	}
	if (has_tid) {
		put_number(out, contexts->tid, -TID_WIDTH);
		put_char(out, ' ');
	}
	if (marker_context_has(contexts->set, MARKER_CONTEXT_PID)) {
		put_char(out, '(');
		put_number(out, contexts->pid, TID_WIDTH);
		put_bytes(out, ") ", 2);
	}
}

/* "name=value ", if it is in the set. */
static void put_other(struct out *out, const struct marker_contexts *contexts,
		      enum marker_context context, s64 value)
{
	const char *name, *before, *after;

	if (!marker_context_has(contexts->set, context))
		return;
	name = marker_context_type(context, &before, &after);
	put_bytes(out, name, strlen(name));
	put_char(out, '=');
	put_number(out, value, 0);
	put_char(out, ' ');
}

/* What ftrace has no column for. */
static void put_others(struct out *out, const struct marker_contexts *contexts)
{
	put_other(out, contexts, MARKER_CONTEXT_VTID, contexts->vtid);
	put_other(out, contexts, MARKER_CONTEXT_VPID, contexts->vpid);
	put_other(out, contexts, MARKER_CONTEXT_PRIO, contexts->prio);
	put_other(out, contexts, MARKER_CONTEXT_CGROUP_ID, contexts->cgroup_id);
}

static void put_flags(struct out *out, const struct marker_contexts *contexts)
{
	char letters[MARKER_CONTEXT_NR_LETTERS];

	if (!marker_context_has(contexts->set, MARKER_CONTEXT_FLAGS))
		return;
	marker_context_letters(letters, contexts->flags);
	put_bytes(out, letters, sizeof(letters));
	put_char(out, ' ');
}

size_t marker_print_heading(char *buf, size_t size,
			    const struct marker_contexts *contexts, int cpu,
			    u64 seconds, u32 ns, const char *title)
{
	struct out out = { buf, buf + size - 1 };
	u32 least;

	if (!size)
		return 0;
	put_task(&out, contexts);
	put_char(&out, '[');
	put_decimal(&out, cpu, 3);
	put_char(&out, ']');
	put_char(&out, ' ');
	put_flags(&out, contexts);
	put_others(&out, contexts);
	/* five places */
	for (least = 10000; least > 1 && least > seconds; least /= 10)
		put_char(&out, ' ');
	put_decimal(&out, seconds, 1);
	put_char(&out, '.');
	put_decimal(&out, ns, 9);
	put_bytes(&out, ": ", 2);
	put_bytes(&out, title, strlen(title));
	put_char(&out, ':');
	*out.at = '\0';
	return out.at - buf;
}

size_t marker_print_callstack(char *buf, size_t size,
			      const struct marker_contexts *contexts)
{
	struct out out = { buf, buf + size - 1 };
	unsigned int i;
	u64 address;
	int len;

	if (!size)
		return 0;
	for (i = 0; i < contexts->nr_frames; i++) {
		memcpy(&address, contexts->frames + i * sizeof(address), sizeof(address));
		put_bytes(&out, " => ", 4);
		len = marker_print_extension(out.at, room_left(&out), "%pS",
					     (void *)(uintptr_t)address);
		count_printed(&out, len);
		put_char(&out, '\n');
	}
	*out.at = '\0';
	return out.at - buf;
}

/*
 * The legend
 */

/**
 * struct line - a line of the legend
 * @out:	where it goes
 * @begin:	its first character
 */
struct line {
	struct out *out;
	const char *begin;
};

static struct line begin_line(struct out *out)
{
	struct line line = { out, out->at };

	put_char(out, '#');
	return line;
}

/* Words in a column, from 0. */
static void put_at(const struct line *line, int column, const char *words)
{
	put_blanks(line->out, column - (int)(line->out->at - line->begin));
	put_bytes(line->out, words, strlen(words));
}

static void put_line(struct out *out, int column, const char *words)
{
	const struct line line = begin_line(out);

	put_at(&line, column, words);
	put_char(out, '\n');
}

size_t marker_print_legend(char *buf, size_t size, u32 set)
{
	const bool has_name = marker_context_has(set, MARKER_CONTEXT_PROCNAME);
	const bool has_tid = marker_context_has(set, MARKER_CONTEXT_TID);
	const bool has_flags = marker_context_has(set, MARKER_CONTEXT_FLAGS);
	struct out out = { buf, buf + size - 1 };
	const int tid = has_name ? PROCNAME_WIDTH + 1 : 0;
	const int pid = has_tid ? tid + TID_WIDTH + 1 : tid;
	const int cpu = pid + (marker_context_has(set, MARKER_CONTEXT_PID) ?
			       TID_WIDTH + 3 : 0);
	const int flags = cpu + 6;
	const int time = flags + (has_flags ? MARKER_CONTEXT_NR_LETTERS + 1 : 0);
	const u32 others = set & (BIT(MARKER_CONTEXT_VTID) | BIT(MARKER_CONTEXT_VPID) |
				  BIT(MARKER_CONTEXT_PRIO) | BIT(MARKER_CONTEXT_CGROUP_ID));
	struct line line;

	if (!size)
		return 0;
	if (has_flags) {
		put_line(&out, flags + 2, "_---=> irqs-off/BH-disabled");
		put_line(&out, flags + 1, "/ _--=> need-resched");
		put_line(&out, flags, "| / _-=> hardirq/softirq/NMI");
		put_line(&out, flags, "|| / _=> preempt-depth");
	}
	line = begin_line(&out);
	if (has_name)
		put_at(&line, tid - 5, "TASK");
	if (has_tid)
		put_at(&line, has_name ? tid - 1 : 2, has_name ? "-TID" : "TID");
	if (cpu != pid)
		put_at(&line, max(pid + 4, 2), "PID");
	put_at(&line, max(cpu, 2), "CPU#");
	if (has_flags)
		put_at(&line, flags, "||||");
	if (others)
		put_at(&line, time, "OTHERS ");
	put_at(&line, time + 3, "SECONDS");
	put_at(&line, time + 17, "MODULE:MARKER: TEXT");
	put_char(&out, '\n');
	*out.at = '\0';
	return out.at - buf;
}
