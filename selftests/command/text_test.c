// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers, times and texts as "report" writes them.
 */
#include <stdlib.h>

#include "tap.h"
#include "text.h"

static char *got;
static size_t size;

static FILE *begin(void)
{
	free(got);
	return open_memstream(&got, &size);
}

static void end(FILE *out, const char *wanted)
{
	fclose(out);
	is_str(got, wanted, "%s", wanted);
}

static void is_decimal(uint64_t number, unsigned int least, const char *wanted)
{
	FILE *out = begin();
	int n = text_decimal(out, number, least);

	end(out, wanted);
	is_int(n, strlen(wanted), "its length");
}

static void is_signed(int64_t number, const char *wanted)
{
	FILE *out = begin();
	int n = text_signed(out, number);

	end(out, wanted);
	is_int(n, strlen(wanted), "its length");
}

static void is_time(uint64_t time, unsigned int digits, const char *wanted)
{
	FILE *out = begin();

	text_time(out, time, digits);
	end(out, wanted);
}

static void is_escaped(const char *text, const char *wanted)
{
	FILE *out = begin();

	text_escaped(out, text, strlen(text));
	end(out, wanted);
}

int main(void)
{
	is_decimal(0, 1, "0");
	is_decimal(0, 3, "000");
	is_decimal(1234, 3, "1234");
	is_decimal(UINT64_MAX, 1, "18446744073709551615");
	is_decimal(UINT64_MAX, 20, "18446744073709551615");
	is_signed(0, "0");
	is_signed(-1, "-1");
	is_signed(INT64_MAX, "9223372036854775807");
	is_signed(INT64_MIN, "-9223372036854775808");
	is_time(0, 9, "    0.000000000");
	is_time(12345000000001, 9, "12345.000000001");
	is_time(123456000000001, 9, "123456.000000001");
	is_time(1999999999, 6, "    1.999999");
	is_time(1000001999, 6, "    1.000001");
	is_escaped("0123456789abcdef\"0123\\456", "0123456789abcdef\"0123\\\\456");
	is_escaped("\xc3\xa4 01234567\xff" "01234567\x7f\xc2\x80",
		   "\xc3\xa4 01234567\\xFF01234567\\x7F\\xC2\\x80");
	free(got);
	return tap_done();
}
