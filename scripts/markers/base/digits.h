/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the decimal digits of a number, as many as asked for.
 */
#ifndef _MARKERS_DIGITS_H
#define _MARKERS_DIGITS_H

#include <stdint.h>
#include <string.h>

/**
 * digits_nine() - write nine digits: the nanoseconds of a time in seconds
 * @to: where to
 * @number: a number below 1000000000
 *
 * Return: where the digits end.
 */
static inline char *digits_nine(char *to, uint32_t number)
{
	static const char two_digits[] =
		"00010203040506070809101112131415161718192021222324"
		"25262728293031323334353637383940414243444546474849"
		"50515253545556575859606162636465666768697071727374"
		"75767778798081828384858687888990919293949596979899";
	int i;

	for (i = 7; i > 0; i -= 2, number /= 100)
		memcpy(to + i, two_digits + 2 * (number % 100), 2);
	*to = '0' + number;
	return to + 9;
}

#endif /* _MARKERS_DIGITS_H */
