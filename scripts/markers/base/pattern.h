/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Patterns of set_marker: [!][module:]name with globs, which the kernel's own code compares.
 */
#ifndef _MARKERS_PATTERN_H
#define _MARKERS_PATTERN_H

#include <stdbool.h>

/**
 * pattern_is_valid() - does the kernel accept this pattern?
 * @pattern: one pattern
 *
 * Return: whether it is [!][module:]name, in characters that the kernel accepts.
 */
bool pattern_is_valid(const char *pattern);

/**
 * patterns_find_vain() - find a "!" pattern that removes nothing; the kernel refuses it
 * @nr: number of patterns
 * @patterns: valid patterns, in their order
 *
 * This is the check at the time when markers.ko reads its parameters: no client is loaded.
 *
 * Return: the first pattern with a "!" that overlaps with no earlier pattern without one;
 *	NULL if there is none.
 */
const char *patterns_find_vain(int nr, char *const *patterns);

/**
 * pattern_matches() - does a pattern match this marker?
 * @pattern: with or without "module:"; a "!" in front does not matter
 * @marker: "module:name"
 *
 * Return: whether it does.
 */
bool pattern_matches(const char *pattern, const char *marker);

/**
 * patterns_select() - do some patterns select this marker?
 * @nr: number of patterns; 0 selects every marker
 * @patterns: the patterns, in their order
 * @marker: "module:name"
 *
 * As in set_marker, the last pattern that matches decides. If none does, the marker is
 * selected if the first pattern has a "!": then the patterns say what to leave out.
 *
 * Return: whether they do.
 */
bool patterns_select(int nr, char *const *patterns, const char *marker);

#endif /* _MARKERS_PATTERN_H */
