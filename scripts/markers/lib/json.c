// SPDX-License-Identifier: GPL-2.0
#include "json.h"
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
	size_t at, n;

	putc_unlocked('"', out);
	for (at = 0; at < size; at += n) {
		unsigned char c = text[at];

		n = utf8_size(text + at, size - at);
		if (!n) {
			fputs("\\ufffd", out);
			n = 1;
		} else if (n == 1 && (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)) {
			escape(out, c);
		} else {
			fwrite_unlocked(text + at, 1, n, out);
		}
	}
	putc_unlocked('"', out);
}
