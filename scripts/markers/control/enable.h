/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_ENABLE_H
#define _MARKERS_ENABLE_H

#include <sys/types.h>

/**
 * struct wish - what the user wants to enable
 * @pattern: [!][module:]name, with options; or several of them, as in set_marker
 * @filter: the filter for the hits of those without one, or NULL
 */
struct wish {
	const char *pattern;
	const char *filter;
};

/**
 * struct scope - of which hits the user asks, whatever the marker
 * @without: not those of this process, but those of interrupts and of all others; 0: of all
 * @only: a filter that all hits have to pass, too; or NULL
 */
struct scope {
	pid_t without;
	char *only;
};

/* A paragraph for the help of a command with patterns. */
#define WISH_TEXT \
	"A PATTERN may have its filter after it, 'disk_* if sector > 100', and options before that:\n" \
	"+count counts the hits, too, =count only counts them, and +stack records the kernel's\n" \
	"stack, if the contexts have callstack_kernel. /sys/kernel/debug/markers/README has more."

/**
 * enable_patterns() - enable markers with one command
 * @nr: number of wishes
 * @wishes: what to enable, in this order
 * @scope: of which hits; NULL: of all
 * @flags: O_APPEND; or O_TRUNC to remove all other rules
 *
 * Prints the patterns that match no marker now, and the markers that a filter does not fit.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int enable_patterns(int nr, const struct wish *wishes, const struct scope *scope, int flags);

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
