/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The markers that are events of the kernel's own tracing, too: the files publish and published.
 */
#ifndef _MARKERS_PUBLISHED_H
#define _MARKERS_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct published - a line of the file
 * @marker: MODULE:MARKER
 * @event: SYSTEM/EVENT, its directory below events/ of tracefs; NULL: it has none
 * @id: the event's number for perf; 0: unknown
 * @users: who uses it, separated by blanks: "ftrace perf"; "" for no one
 * @reason: why it is not published; NULL: it is
 * @leaves: when it goes, if it was taken back and is still there; NULL otherwise
 */
struct published {
	const char *marker;
	const char *event;
	unsigned int id;
	const char *users;
	const char *reason;
	const char *leaves;
};

/**
 * struct published_list - the file; all zero if markers.ko does not publish
 * @nr: number of lines
 * @line: the lines, sorted by marker
 * @text: what they point into
 */
struct published_list {
	size_t nr;
	struct published *line;
	char *text;
};

/**
 * published_read() - read the file
 * @list: gets the lines, for published_free(); none if the file cannot be read
 */
void published_read(struct published_list *list);

/**
 * published_find() - find a marker
 * @list: the lines
 * @marker: MODULE:MARKER
 *
 * Return: its line, or NULL.
 */
const struct published *published_find(const struct published_list *list, const char *marker);

void published_free(struct published_list *list);

/**
 * publish_next_rule() - take the next line from the text of the file publish
 * @rest: the text, which is modified; advanced
 * @pending: gets whether the pattern waits for a module
 *
 * Return: the pattern; NULL at the end.
 */
const char *publish_next_rule(char **rest, bool *pending);

/**
 * publish_patterns() - publish markers with one command
 * @nr: number of patterns
 * @patterns: [!][module:]name, or several
 * @flags: O_APPEND; or O_TRUNC to remove all other rules
 *
 * Prints the patterns that match no marker now, and the markers that could not be published.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int publish_patterns(int nr, char *const *patterns, int flags);

/**
 * unpublish_patterns() - take markers back with one command
 * @nr: number of patterns; 0: all markers, and forget the patterns that wait
 * @patterns: [module:]name, or several
 *
 * Says what is still there, as the kernel removes it later.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int unpublish_patterns(int nr, char *const *patterns);

#endif /* _MARKERS_PUBLISHED_H */
