// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "size.h"

bool size_parse(const char *text, uint64_t unit, uint64_t *size)
{
	static const char letters[] = "kmg";
	unsigned long long number;
	const char *letter;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno)
		return false;
	if (*end) {
		letter = strchr(letters, tolower((unsigned char)*end));
		if (!letter || !*letter)
			return false;
		unit = (uint64_t)1 << (10 * (letter - letters + 1));
		end++;
		if (!strcmp(end, "iB") || !strcmp(end, "B"))
			end += strlen(end);
	}
	return !*end && number && !__builtin_mul_overflow(number, unit, size);
}

const char *size_text(uint64_t size, char *text, size_t room)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	double number = size;
	int unit = -1;

	while (number >= 1024 && unit < 3) {
		number /= 1024;
		unit++;
	}
	if (unit < 0)
		snprintf(text, room, "%llu bytes", (unsigned long long)size);
	else
		snprintf(text, room, "%.1f %s", number, units[unit]);
	return text;
}
