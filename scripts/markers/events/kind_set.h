/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Matches patterns with the names of kinds of events. Globs are slow, so it asks once for each
 * kind and remembers the answer.
 */
#ifndef _MARKERS_KIND_SET_H
#define _MARKERS_KIND_SET_H

#include "event.h"

/**
 * struct match - some patterns, and what they match; all zero at first
 * @nr: number of patterns
 * @pattern: the patterns
 * @nr_answers: entries of @answer
 * @answer: what match_kind() found out, by the kind's number
 */
struct match {
	int nr;
	char **pattern;
	unsigned int nr_answers;
	unsigned char *answer;
};

/**
 * match_add() - add a pattern
 * @match: the patterns; match_kind() was not called yet
 * @pattern: the pattern, which is copied, see base/pattern.h
 */
void match_add(struct match *match, const char *pattern);

/**
 * match_kind() - do the patterns select this kind? See patterns_select().
 * @match: the patterns; without any, all kinds are selected
 * @kind: a kind, of the same trace in all calls with @match
 *
 * Return: whether they do.
 */
bool match_kind(struct match *match, const struct kind *kind);

void match_free(struct match *match);

#endif /* _MARKERS_KIND_SET_H */
