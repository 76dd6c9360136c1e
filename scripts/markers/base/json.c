// SPDX-License-Identifier: GPL-2.0
#include "json.h"
#include "put.h"
#include "utf8.h"

static void escape(FILE *out, unsigned char c)
{
	switch (c) {
	case '"':
		fputs("\\\"", out);
		break;
	case '\\':
		fputs("\\\\", out);
		break;
	case '\n':
		fputs("\\n", out);
		break;
	case '\t':
		fputs("\\t", out);
		break;
	default:
		fprintf(out, "\\u%04x", c);
	}
}

void json_string(FILE *out, const char *text, size_t size)
{
	size_t at, n, plain = 0;	/* bytes from @plain to @at need no escape */

	putc_unlocked('"', out);
	for (at = 0; at < size; at += n) {
		unsigned char c = text[at];

		n = plain_size(text + at, size - at);
		if (n)
			continue;
		n = c < 0x80 ? 1 : utf8_size(text + at, size - at);
		if (n && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
			continue;
		put_bytes(out, text + plain, at - plain);
		if (n)
			escape(out, c);
		else
			fputs("\\ufffd", out);
		n = 1;
		plain = at + n;
	}
	put_bytes(out, text + plain, size - plain);
	putc_unlocked('"', out);
}

void json_name(FILE *out, const char *name)
{
	putc_unlocked('"', out);
	put_string(out, name);
	put_bytes(out, "\":", 2);
}
