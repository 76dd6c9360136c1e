/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_ENABLE_H
#define _MARKERS_ENABLE_H

/**
 * enable_patterns() - enable markers with one command
 * @nr: number of patterns
 * @patterns: [!][module:]name, with options; or several of them, as in set_marker
 * @filter: the filter for the hits of those without one, or NULL
 * @flags: O_APPEND; or O_TRUNC to remove all other rules
 *
 * Prints the patterns that match no marker now.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int enable_patterns(int nr, char *const *patterns, const char *filter, int flags);

/**
 * count_enabled() - count the hits of all enabled markers, too
 *
 * Writes nothing if all of them have the option "count". Filters and other options stay. If
 * the kernel refuses it, they are not counted. Names that wait for a module are counted from
 * their first hit on, and what globs enable later with the next call.
 */
void count_enabled(void);

/**
 * trigger_patterns() - set a trigger with one command
 * @nr: number of patterns
 * @patterns: as for enable_patterns(); options and filters do not matter
 * @trigger: ACTION[:ARGUMENT][:COUNT] [if FILTER]
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int trigger_patterns(int nr, char *const *patterns, const char *trigger);

/**
 * disable_patterns() - disable markers with one command
 * @nr: number of patterns
 * @patterns: [module:]name, or several
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int disable_patterns(int nr, char *const *patterns);

#endif /* _MARKERS_ENABLE_H */
