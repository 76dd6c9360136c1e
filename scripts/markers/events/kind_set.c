// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../base/pattern.h"
#include "kind_set.h"

void kind_set_add(struct kind_set *set, const char *pattern)
{
	set->pattern = need_memory(realloc(set->pattern, (set->nr + 1) * sizeof(*set->pattern)));
	set->pattern[set->nr++] = need_memory(strdup(pattern));
}

static unsigned char *find_answer(struct kind_set *set, unsigned int number)
{
	unsigned int nr = set->nr_answers;

	if (number >= nr) {
		set->nr_answers = 2 * number + 16;
		set->answer = need_memory(realloc(set->answer, set->nr_answers));
		memset(set->answer + nr, KIND_UNKNOWN, set->nr_answers - nr);
	}
	return &set->answer[number];
}

/* The first time for a kind. */
bool kind_set_ask(struct kind_set *set, const struct kind *kind)
{
	unsigned char *answer = find_answer(set, kind->number);

	if (*answer == KIND_UNKNOWN)
		*answer = patterns_select(set->nr, set->pattern, kind->name) ?
			  KIND_YES : KIND_NO;
	return *answer == KIND_YES;
}

void kind_set_free(struct kind_set *set)
{
	int i;

	for (i = 0; i < set->nr; i++)
		free(set->pattern[i]);
	free(set->pattern);
	free(set->answer);
}
