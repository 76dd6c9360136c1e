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

/* Each number of digits: the least number, the greatest, and one between. */
static void test_digits(void)
{
	uint64_t least = 1, numbers[3];
	unsigned int nr, i, wrong = 0;
	char wanted[32], written[32];

	for (nr = 1; nr <= 20; nr++, least *= 10) {
		numbers[0] = least;
		numbers[1] = nr < 20 ? 10 * least - 1 : UINT64_MAX;
		numbers[2] = least + numbers[1] % 1234567890123456789;
		for (i = 0; i < 3; i++) {
			snprintf(wanted, sizeof(wanted), "%llu", (unsigned long long)numbers[i]);
			*append_decimal(written, numbers[i]) = '\0';
			wrong += !!strcmp(written, wanted);
			wrong += decimal_size(numbers[i]) != strlen(wanted);
		}
	}
	is_int(wrong, 0, "numbers of 1 to 20 digits");
}

static void is_number(uint64_t number, unsigned int base, const char *wanted)
{
	char written[32];

	*append_number(written, number, base) = '\0';
	is_str(written, wanted, "%s", wanted);
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
	test_digits();
	is_number(0, 16, "0x0");
	is_number(0x1ff, 16, "0x1ff");
	is_number(UINT64_MAX, 16, "0xffffffffffffffff");
	is_number(0, 8, "00");
	is_number(0755, 8, "0755");
	is_number(UINT64_MAX, 8, "01777777777777777777777");
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
