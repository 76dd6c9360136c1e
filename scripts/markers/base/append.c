// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "append.h"
#include "message.h"

char *blocks_of(char *text)
{
	size_t size = strlen(text) + 1, whole = (size + APPEND_BLOCK - 1) / APPEND_BLOCK * APPEND_BLOCK;

	text = need_memory(realloc(text, whole));
	memset(text + size, 0, whole - size);
	return text;
}

unsigned int decimal_size(uint64_t number)
{
	/* the least number of one digit more; zero has a digit, too */
	static const uint64_t next[] = {
		0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
		10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
		1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
		10000000000000000000u,
	};
	unsigned int bits = 64 - __builtin_clzll(number | 1);
	unsigned int least = bits * 1233 / 4096;	/* a bit is log10(2) of a digit */

	return least + (number >= next[least]);
}

/* The numbers below 100, two digits each. */
static const char two_digits[] =
	"00010203040506070809101112131415161718192021222324"
	"25262728293031323334353637383940414243444546474849"
	"50515253545556575859606162636465666768697071727374"
	"75767778798081828384858687888990919293949596979899";

static void put_two(char *to, uint32_t number)
{
	memcpy(to, two_digits + 2 * number, 2);
}

static inline void put_eight(char *to, uint32_t number)
{
	const uint32_t first = number / 10000, last = number % 10000;

	put_two(to, first / 100);
	put_two(to + 2, first % 100);
	put_two(to + 4, last / 100);
	put_two(to + 6, last % 100);
}

char *append_digits(char *to, uint64_t number, unsigned int nr)
{
	char *end = to + nr;
	uint32_t rest;

	for (; nr >= 8; nr -= 8, number /= 100000000)
		put_eight(to + nr - 8, number % 100000000);
	for (rest = number; nr >= 2; nr -= 2, rest /= 100)
		put_two(to + nr - 2, rest % 100);
	if (nr)
		*to = '0' + rest;
	return end;
}

char *append_number(char *to, uint64_t number, unsigned int base)
{
	const int bits = base == 16 ? 4 : 3;
	int shift = (63 - __builtin_clzll(number | 1)) / bits * bits;

	*to++ = '0';
	if (base == 16)
		*to++ = 'x';
	for (; shift >= 0; shift -= bits)
		*to++ = "0123456789abcdef"[number >> shift & ((1 << bits) - 1)];
	return to;
}
