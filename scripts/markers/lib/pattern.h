/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Patterns of set_marker, as the kernel understands them: [!][module:]name with globs.
 */
#ifndef _MARKERS_PATTERN_H
#define _MARKERS_PATTERN_H

#include <stdbool.h>

/**
 * pattern_is_valid() - does the kernel take this for a pattern?
 * @pattern: one pattern
 *
 * Return: whether it is [!][module:]name of the characters that it takes.
 */
bool pattern_is_valid(const char *pattern);

/**
 * patterns_find_vain() - find a "!" that takes nothing back, which the kernel refuses
 * @nr: number of patterns
 * @patterns: valid patterns, in their order
 *
 * This is for a time when no module is loaded: when markers.ko reads its parameters.
 *
 * Return: the first pattern with a "!" that has nothing in common with those without one
 *	before it; NULL if there is none.
 */
const char *patterns_find_vain(int nr, char *const *patterns);

/**
 * pattern_matches() - does a pattern mean this marker?
 * @pattern: with or without "module:"; a "!" in front does not matter
 * @marker: "module:name"
 *
 * Return: whether it does.
 */
bool pattern_matches(const char *pattern, const char *marker);

/**
 * pattern_matches_any() - does one of several patterns mean this marker?
 * @nr: number of patterns; without any, every marker is meant
 * @patterns: the patterns
 * @marker: "module:name"
 *
 * Return: whether one does.
 */
bool pattern_matches_any(int nr, char *const *patterns, const char *marker);

#endif /* _MARKERS_PATTERN_H */
