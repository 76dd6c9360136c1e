// SPDX-License-Identifier: GPL-2.0
#include "append.h"
#include "json.h"
#include "put.h"
#include "utf8.h"

static char *append_escape(char *to, unsigned char c)
{
	switch (c) {
	case '"':
		return append_string(to, "\\\"");
	case '\\':
		return append_string(to, "\\\\");
	case '\n':
		return append_string(to, "\\n");
	case '\t':
		return append_string(to, "\\t");
	default:
		to = append_string(to, "\\u00");
		return append_hex_byte(to, c);
	}
}

/* Append a character that may need an escape, of @n bytes; 0: it is not valid. */
static char *append_character(char *to, const char *text, size_t n)
{
	const unsigned char c = *text;

	if (!n)
		return append_string(to, "\\ufffd");
	if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
		return append_escape(to, c);
	return append_bytes(to, text, n);
}

char *json_append_string(char *to, const char *text, size_t size)
{
	*to = '"';
	to = utf8_append(to + 1, text, size, append_character);
	*to = '"';
	return to + 1;
}

void json_string(FILE *out, const char *text, size_t size)
{
	char *room = put_begin(out, JSON_ROOM(size));

	put_end(out, room, json_append_string(room, text, size));
}

void json_name(FILE *out, const char *name)
{
	putc_unlocked('"', out);
	put_string(out, name);
	put_bytes(out, "\":", 2);
}
