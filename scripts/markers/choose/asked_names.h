/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of markers and fields on the command line. At the end of a trace, all its markers
 * are known, and a name that none has is probably a typing error.
 */
#ifndef _MARKERS_ASKED_NAMES_H
#define _MARKERS_ASKED_NAMES_H

#include "../events/event.h"

struct asked_name;

/**
 * struct asked_names - names to look for; all zero at first
 * @nr: number of names
 * @name: the names
 */
struct asked_names {
	unsigned int nr;
	struct asked_name *name;
};

/**
 * asked_names_add() - look for a name
 * @names: the names
 * @option: where it stands, such as "--where: "; for the message
 * @marker: pattern of the markers; NULL: all
 * @field: a field of one of these, or a context; NULL: look for a marker
 * @needed: without it the result is not what was asked for
 *
 * The texts must live as long as @names.
 */
void asked_names_add(struct asked_names *names, const char *option, const char *marker, const char *field,
	       bool needed);

/**
 * asked_names_add_pair() - look for the names of a pair
 * @names: the names
 * @option: where the markers stand
 * @key_option: where the key stands
 * @begin: pattern of the markers that begin a pair
 * @end: pattern of the markers that end it
 * @key: the key, as for keys_parse()
 * @needed: without them the result is not what was asked for
 */
void asked_names_add_pair(struct asked_names *names, const char *option, const char *key_option,
		    const char *begin, const char *end, const char *key, bool needed);

/**
 * asked_names_check() - say which names a trace does not have, and what it has instead
 * @names: the names
 * @info: the trace
 *
 * Return: whether it has all names that are needed.
 */
bool asked_names_check(const struct asked_names *names, const struct trace_info *info);

#endif /* _MARKERS_ASKED_NAMES_H */
