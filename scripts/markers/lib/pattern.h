/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Patterns of set_marker, as the kernel understands them: [!][module:]name with globs.
 */
#ifndef _MARKERS_PATTERN_H
#define _MARKERS_PATTERN_H

#include <stdbool.h>

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
