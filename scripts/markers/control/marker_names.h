/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of markers and patterns, as available_markers, set_marker and filters have them.
 */
#ifndef _MARKERS_MARKER_NAMES_H
#define _MARKERS_MARKER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct names - the words of a file, one on each line
 * @nr: number of words
 * @name: the words
 * @mark: for each word, what follows a "#" in it, or ""
 * @sorted: the words in sorted order, for names_find()
 * @text: what they point into
 */
struct names {
	size_t nr;
	char **name;
	char **mark;
	char **sorted;
	char *text;
};

/* The mark of a marker that its filter does not fit. */
#define MARK_MISFIT	"filter_refused"

/**
 * names_parse() - split a text into words
 * @names: gets the words, for names_free()
 * @text: from malloc(); modified, and freed with @names. Empty lines and comments (a "#" at the
 *	beginning of a word) are left out.
 */
void names_parse(struct names *names, char *text);

/**
 * names_find() - find a marker or pattern
 * @names: the words
 * @name: the marker or pattern; options at its end, such as "+count", do not matter
 *
 * Return: the word, with its options; or NULL.
 */
const char *names_find(const struct names *names, const char *name);

/**
 * names_only_count() - are the hits of a marker counted, and not recorded?
 * @name: a word of set_marker
 *
 * Return: whether its options say so.
 */
bool names_only_count(const char *name);

/**
 * names_state() - the state of a marker, or of a pattern that waits for one
 * @mark: its mark
 * @word: its word of set_marker, or NULL
 * @loaded: available_markers has it
 *
 * Return: "enabled", "counted", "-" (neither), "pending", "refused", or "misfit".
 */
const char *names_state(const char *mark, const char *word, bool loaded);

void names_free(struct names *names);

/**
 * struct word - a pattern of a text for set_marker
 * @text: where it begins
 * @name: its size without options
 * @size: with options
 * @whole: with a mark, too
 * @filter: "if" and the rest of the line
 * @filter_size: 0: it has no filter
 */
struct word {
	const char *text;
	int name, size, whole;
	const char *filter;
	int filter_size;
};

/* What separates the words of set_marker. */
#define WORD_BLANKS	" \t\r\n,"

/**
 * word_next() - take the next pattern from a text for set_marker
 * @text: advanced to its end; comments are passed over
 * @word: gets the pattern
 *
 * Return: whether there is one.
 */
bool word_next(const char **text, struct word *word);

#endif /* _MARKERS_MARKER_NAMES_H */
