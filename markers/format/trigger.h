/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of a trigger, as operators write it:
 *
 *	[!]ACTION[:ARGUMENT][:COUNT] [if FILTER]
 *
 * Pure: no allocation, no lock, user space too.
 */
#ifndef _MARKERS_TRIGGER_H
#define _MARKERS_TRIGGER_H

#include "format.h"

#define MARKER_MAX_WHAT		2048	/* bytes of an action with its argument, and a NUL */
#define MARKER_MAX_AFTER	1000000000
#define MARKER_MAX_LAST		1000000		/* events of each CPU */

/* What a trigger does. */
enum marker_action_kind {
	MARKER_ACTION_TRACEON,
	MARKER_ACTION_TRACEOFF,
	MARKER_ACTION_SNAPSHOT,
	MARKER_ACTION_STACKTRACE,
	MARKER_ACTION_ENABLE,
	MARKER_ACTION_DISABLE,
	MARKER_ACTION_DUMP,
	MARKER_ACTION_HIST,
	MARKER_ACTION_BEGIN,
	MARKER_ACTION_LATENCY,
	NR_MARKER_ACTIONS
};

/**
 * struct marker_trigger_text - the parts of a trigger's text
 * @kind:	what it does
 * @remove:	"!": take such triggers away
 * @after:	of traceoff: events that are still recorded; of dump: events of each CPU
 * @count:	how often, at most; 0: always
 * @name:	offset of the action's name
 * @arg:	offset of the argument: a pattern of markers, a hist, a pair
 * @arg_len:	bytes of it, or 0
 * @what_len:	bytes from the action's name to its argument's end
 * @filter:	offset of the filter
 * @filter_len:	bytes of it, or 0
 */
struct marker_trigger_text {
	enum marker_action_kind kind;
	bool remove;
	u32 after;
	u32 count;
	unsigned int name;
	unsigned int arg;
	unsigned int arg_len;
	unsigned int what_len;
	unsigned int filter;
	unsigned int filter_len;
};

/**
 * marker_trigger_parse() - find the parts of a trigger's text
 * @parts:	the result
 * @text:	one trigger, with blanks around it or not; its filter and a pattern in it are
 *		not looked at
 * @remove:	there was a "!" before
 * @error:	filled in on failure
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: 0, or -EINVAL with @error set.
 */
int marker_trigger_parse(struct marker_trigger_text *parts, const char *text, bool remove,
			 struct marker_format_error *error);

/**
 * marker_trigger_name() - the name of an action
 * @kind:	which
 *
 * Context: Any.
 * Return: as in a trigger's text.
 */
const char *marker_trigger_name(enum marker_action_kind kind);

/**
 * marker_trigger_is_deferred() - does the task of deferred.c carry an action out?
 * @kind:	which
 *
 * Context: Any.
 * Return: whether it does, and counts how often it did and failed.
 */
bool marker_trigger_is_deferred(enum marker_action_kind kind);

#endif /* _MARKERS_TRIGGER_H */
