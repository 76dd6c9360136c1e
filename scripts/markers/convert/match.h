/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Matches kinds of events with patterns, once for each kind: globs are slow.
 */
#ifndef _MARKERS_MATCH_H
#define _MARKERS_MATCH_H

#include "trace.h"

/**
 * struct match - some patterns; all zero in the beginning
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
 * @match: no kind was matched so far
 * @pattern: the pattern, which is copied, see lib/pattern.h
 */
void match_add(struct match *match, const char *pattern);

/**
 * match_kind() - does one of the patterns match the name of this kind?
 * @match: the patterns; none match every kind
 * @kind: a kind; all kinds that are given to @match are of one trace
 *
 * Return: whether one does.
 */
bool match_kind(struct match *match, const struct kind *kind);

void match_free(struct match *match);

#endif /* _MARKERS_MATCH_H */
