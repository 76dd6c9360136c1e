// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

#define SECOND	1000000000ull	/* in nanoseconds */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool number_take(const char **text, uint64_t *number)
{
	const char *at = *text;

	*number = 0;
	for (; is_digit(**text); ++*text)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, **text - '0', number))
			return false;
	return *text != at;
}

bool number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
	return number_take(&text, number) && !*text && *number >= least && *number <= most;
}

bool number_parse_time(const char *text, uint64_t *time)
{
	uint64_t ns = 0, unit = SECOND / 10;

	*time = 0;
	if (*text != '.' && (!number_take(&text, time) || *time > UINT64_MAX / SECOND - 1))
		return false;
	if (*text == '.')
		for (text++; is_digit(*text); text++, unit /= 10)
			ns += (*text - '0') * unit;
	*time = *time * SECOND + ns;
	return !*text;
}

bool size_parse(const char *text, uint64_t unit, uint64_t *size)
{
	static const char letters[] = "kmg";
	const char *letter;

	if (!number_take(&text, size))
		return false;
	if (*text) {
		letter = strchr(letters, tolower((unsigned char)*text));
		if (!letter)
			return false;
		unit = (uint64_t)1 << (10 * (letter - letters + 1));
		text++;
		if (!strcmp(text, "iB") || !strcmp(text, "B"))
			text = "";
	}
	return !*text && *size && !__builtin_mul_overflow(*size, unit, size);
}

bool duration_parse(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000 * 1000 }, { "s", SECOND },
		{ "min", 60 * SECOND }, { "h", 3600 * SECOND }, { "d", 86400 * SECOND },
	};
	size_t digits = strspn(text, "0123456789."), i;
	char number[32];
	uint64_t time, part;

	if (!digits || digits >= sizeof(number))
		return false;
	memcpy(number, text, digits);
	number[digits] = '\0';
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(text + digits, units[i].name))
			break;
	/* it is parsed as seconds: scale it to the unit */
	if (i == sizeof(units) / sizeof(*units) || !number_parse_time(number, &time))
		return false;
	part = units[i].ns < SECOND ? time % SECOND * units[i].ns / SECOND :
	       time % SECOND * (units[i].ns / SECOND);
	return !__builtin_mul_overflow(time / SECOND, units[i].ns, ns) &&
	       !__builtin_add_overflow(*ns, part, ns) && *ns;
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
