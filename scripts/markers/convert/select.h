/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which part of a trace: the options --begin, --end, --cpu, --event, --where and --strict,
 * which report, latency and export have.
 */
#ifndef _MARKERS_SELECT_H
#define _MARKERS_SELECT_H

#include "trace.h"
#include "where.h"

enum { SELECT_BEGIN = 1000, SELECT_END, SELECT_CPU, SELECT_WHERE, SELECT_STRICT };

/* For the table of a command's options. */
#define SELECT_OPTIONS \
	{ SELECT_BEGIN, "begin", "SECONDS", "Leave out what was before; as in the report." }, \
	{ SELECT_END, "end", "SECONDS", "Leave out what was after." }, \
	{ SELECT_CPU, "cpu", "LIST", "Only of these CPUs, as 0,2-3." }, \
	{ 'e', "event", "PATTERN", "Only these markers: [module:]name, globs; may be repeated." }, \
	{ SELECT_WHERE, "where", "EXPR", "Only events for which that is true; see above." }, \
	{ SELECT_STRICT, "strict", NULL, "Exit status 3 if events were lost." }

/* For the text of a command that has them. */
#define SELECT_TEXT \
	"EXPR compares fields, contexts, \"cpu\" and \"marker\" with ==, !=, <, <=, >, >= and,\n" \
	"for a glob, ~. Comparisons are joined by &&, ||, ! and parentheses:\n\n" \
	"\t--where 'bytes >= 4096 && (procname ~ \"cat*\" || write == 1)'\n\n" \
	"A comparison with a field that an event does not have is false."

/**
 * struct selection - the part
 * @begin: of the time, nanoseconds of the trace clock
 * @end: of the time
 * @cpus: a set of CPUs, if @has_cpus
 * @has_cpus: not all
 * @nr_patterns: of @pattern
 * @pattern: of markers; none means all
 * @where: an expression, or NULL
 * @strict: losses are a failure
 * @lost: events that were lost in it, as far as it was read
 */
struct selection {
	uint64_t begin;
	uint64_t end;
	uint64_t cpus[16];
	bool has_cpus;
	int nr_patterns;
	char **pattern;
	struct where *where;
	bool strict;
	uint64_t lost;
};

/* All of a trace. */
#define SELECT_ALL	{ .end = UINT64_MAX }

/**
 * select_option() - take one of the options
 * @selection: is changed
 * @command: name of the command
 * @option: from option_next()
 * @value: of the option
 *
 * Return: STATUS_OK; STATUS_USAGE, and says why.
 */
int select_option(struct selection *selection, const char *command, int option,
		  const char *value);

/**
 * select_is_all() - is the part all of it?
 * @selection: the part
 *
 * Return: whether none of the options chose a part.
 */
bool select_is_all(const struct selection *selection);

/**
 * select_event() - is this event in the part?
 * @selection: the part
 * @event: the event
 *
 * Return: whether it is.
 */
bool select_event(const struct selection *selection, const struct event *event);

/**
 * select_loss() - is this loss in the part? Counts it.
 * @selection: the part
 * @loss: the loss
 *
 * Return: whether it is.
 */
bool select_loss(struct selection *selection, const struct loss *loss);

/**
 * select_status() - the exit status of a command
 * @selection: the part
 * @status: of what was done with it
 *
 * Return: @status; or STATUS_LOST, if it says STATUS_OK, events were lost and that matters.
 */
int select_status(const struct selection *selection, int status);

#endif /* _MARKERS_SELECT_H */
