// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../base/pattern.h"
#include "kind_set.h"

enum { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

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
		memset(set->answer + nr, ANSWER_UNKNOWN, set->nr_answers - nr);
	}
	return &set->answer[number];
}

bool kind_set_has(struct kind_set *set, const struct kind *kind)
{
	unsigned char *answer;

	if (!set->nr)
		return true;
	answer = find_answer(set, kind->number);
	if (*answer == ANSWER_UNKNOWN)
		*answer = patterns_select(set->nr, set->pattern, kind->name) ?
			  ANSWER_YES : ANSWER_NO;
	return *answer == ANSWER_YES;
}

void kind_set_free(struct kind_set *set)
{
	int i;

	for (i = 0; i < set->nr; i++)
		free(set->pattern[i]);
	free(set->pattern);
	free(set->answer);
}
