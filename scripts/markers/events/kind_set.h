/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Matches patterns with the names of kinds of events. Globs are slow, so it asks once for each
 * kind and remembers the answer.
 */
#ifndef _MARKERS_KIND_SET_H
#define _MARKERS_KIND_SET_H

#include "event.h"

enum kind_answer { KIND_UNKNOWN, KIND_NO, KIND_YES };

/**
 * struct kind_set - some patterns, and what they match; all zero at first
 * @nr: number of patterns
 * @pattern: the patterns
 * @nr_answers: entries of @answer
 * @answer: what kind_set_has() found out, by the kind's number: enum kind_answer
 */
struct kind_set {
	int nr;
	char **pattern;
	unsigned int nr_answers;
	unsigned char *answer;
};

/**
 * kind_set_add() - add a pattern
 * @set: the patterns; kind_set_has() was not called yet
 * @pattern: the pattern, which is copied, see base/pattern.h
 */
void kind_set_add(struct kind_set *set, const char *pattern);

/**
 * kind_set_ask() - the same as kind_set_has(), which calls it for what it was not asked yet
 * @set: the patterns, at least one
 * @kind: the kind
 *
 * Return: whether they select it.
 */
bool kind_set_ask(struct kind_set *set, const struct kind *kind);

/**
 * kind_set_has() - do the patterns select this kind? See patterns_select().
 * @set: the patterns; without any, all kinds are selected
 * @kind: a kind, of the same trace in all calls with @set
 *
 * Return: whether they do.
 */
static inline bool kind_set_has(struct kind_set *set, const struct kind *kind)
{
	unsigned int i = kind->number;

	if (!set->nr)
		return true;
	if (i < set->nr_answers && set->answer[i] != KIND_UNKNOWN)
		return set->answer[i] == KIND_YES;
	return kind_set_ask(set, kind);
}

void kind_set_free(struct kind_set *set);

#endif /* _MARKERS_KIND_SET_H */
