/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Matches patterns with the names of kinds of events. Globs are slow, so it asks once for each
 * kind and remembers the answer.
 */
#ifndef _MARKERS_KIND_SET_H
#define _MARKERS_KIND_SET_H

#include "event.h"

/**
 * struct kind_set - some patterns, and what they match; all zero at first
 * @nr: number of patterns
 * @pattern: the patterns
 * @nr_answers: entries of @answer
 * @answer: what kind_set_has() found out, by the kind's number
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
 * kind_set_has() - do the patterns select this kind? See patterns_select().
 * @set: the patterns; without any, all kinds are selected
 * @kind: a kind, of the same trace in all calls with @set
 *
 * Return: whether they do.
 */
bool kind_set_has(struct kind_set *set, const struct kind *kind);

void kind_set_free(struct kind_set *set);

#endif /* _MARKERS_KIND_SET_H */
