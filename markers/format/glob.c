// SPDX-License-Identifier: GPL-2.0
/*
 * Compares strings with globs, see glob.h.
 */
#include <markers/compat/nofault.h>
#include "glob.h"

/* Does a class, from its "[" on, have this character?  Its length; 0: it has no end. */
static u32 match_class(const char *glob, u32 len, u8 c, bool *found)
{
	bool inverted = false;
	u32 i = 1;
	u8 from, to;

	*found = false;
	if (i < len && (glob[i] == '^' || glob[i] == '!')) {
		inverted = true;
		i++;
	}
	/* The first one may be a "]". */
	do {
		if (i >= len)
			return 0;
		from = glob[i++];
		to = from;
		if (i + 1 < len && glob[i] == '-' && glob[i + 1] != ']') {
			to = glob[i + 1];
			i += 2;
		}
		*found |= c >= from && c <= to;
	} while (i < len && glob[i] != ']');
	*found ^= inverted;
	return i < len ? i + 1 : 0;
}

/* Does one character look like the next thing of a glob?  Bytes of that thing. */
static u32 match_one(const char *glob, u32 len, u8 c, bool *found)
{
	u32 size;

	if (*glob == '[') {
		size = match_class(glob, len, c, found);
		if (size)
			return size;
	}
	*found = *glob == '?' || (u8)*glob == c;
	return 1;
}

/* After a mismatch the last "*" takes one character more. */
int marker_glob_look(const char *from, u32 limit, const char *glob, u32 len)
{
	u32 star = U32_MAX, again = 0, at = 0, n = 0, size;
	bool found;
	u8 c = 0;

	for (;;) {
		if (n < limit && !marker_nofault_read_byte(&c, from + n))
			return -EFAULT;
		if (n >= limit)
			c = '\0';
		if (at < len && glob[at] == '*') {
			star = ++at;
			again = n;
			if (at == len)
				return 1;
			continue;
		}
		if (!c)
			return at == len;
		found = false;
		size = at < len ? match_one(glob + at, len - at, c, &found) : 0;
		if (found) {
			at += size;
			n++;
		} else if (star != U32_MAX) {
			at = star;
			n = ++again;
		} else {
			return 0;
		}
	}
}

static bool is_special(char c)
{
	return c == '*' || c == '?' || c == '[';
}

/* Most often asked, and of each marker.  So what stands for itself is compared first. */
bool marker_glob_matches(const char *glob, const char *text)
{
	while (*glob && *glob == *text && !is_special(*glob)) {
		glob++;
		text++;
	}
	if (!is_special(*glob))
		return *glob == *text;
	if (glob[0] == '*' && !glob[1])
		return true;
	return marker_glob_look(text, U32_MAX, glob, strlen(glob)) == 1;
}
