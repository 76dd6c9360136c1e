// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "nearest.h"

#define NAME_SIZE	128	/* longer ones are like no other */

/* How many letters must change to make one name from the other (Levenshtein)? */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[NAME_SIZE + 1], before, above, i, n, size = strlen(b);

	if (size > NAME_SIZE || strlen(a) > NAME_SIZE)
		return UINT_MAX;
	for (i = 0; i <= size; i++)
		row[i] = i;
	for (n = 1; *a; a++, n++) {
		before = row[0];	/* of the row above */
		row[0] = n;
		for (i = 1; i <= size; i++) {
			above = row[i];
			row[i] = before + (*a != b[i - 1]);
			if (row[i] > above + 1)
				row[i] = above + 1;
			if (row[i] > row[i - 1] + 1)
				row[i] = row[i - 1] + 1;
			before = above;
		}
	}
	return row[size];
}

void nearest_add(struct nearest *nearest, const char *name)
{
	unsigned int far = distance(nearest->missing, name), i;

	if (!nearest->name || far < nearest->distance) {
		nearest->distance = far;
		nearest->name = name;
	}
	for (i = 0; i < nearest->nr; i++)
		if (!strcmp(nearest->offered[i], name))
			return;
	if (nearest->nr < MAX_OFFERED)
		nearest->offered[nearest->nr++] = name;
	else
		nearest->has_more = true;
}

char *nearest_advice(const struct nearest *nearest)
{
	char *text = NULL;
	unsigned int i;
	size_t size;
	FILE *out;

	if (nearest->name && nearest->distance <= 1 + strlen(nearest->missing) / 4)
		return format_text("; is it %s?", nearest->name);
	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < nearest->nr; i++)
		fprintf(out, "%s%s", i ? ", " : "; it has ", nearest->offered[i]);
	fputs(nearest->has_more ? ", ..." : "", out);
	fclose(out);
	return need_memory(text);
}
