// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../base/pattern.h"
#include "kind_set.h"

enum { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

void match_add(struct match *match, const char *pattern)
{
	match->pattern = need_memory(realloc(match->pattern,
					     (match->nr + 1) * sizeof(*match->pattern)));
	match->pattern[match->nr++] = need_memory(strdup(pattern));
}

static unsigned char *find_answer(struct match *match, unsigned int number)
{
	unsigned int nr = match->nr_answers;

	if (number >= nr) {
		match->nr_answers = 2 * number + 16;
		match->answer = need_memory(realloc(match->answer, match->nr_answers));
		memset(match->answer + nr, ANSWER_UNKNOWN, match->nr_answers - nr);
	}
	return &match->answer[number];
}

bool match_kind(struct match *match, const struct kind *kind)
{
	unsigned char *answer;

	if (!match->nr)
		return true;
	answer = find_answer(match, kind->number);
	if (*answer == ANSWER_UNKNOWN)
		*answer = patterns_select(match->nr, match->pattern, kind->name) ?
			  ANSWER_YES : ANSWER_NO;
	return *answer == ANSWER_YES;
}

void match_free(struct match *match)
{
	int i;

	for (i = 0; i < match->nr; i++)
		free(match->pattern[i]);
	free(match->pattern);
	free(match->answer);
}
