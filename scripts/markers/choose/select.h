/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects a part of a trace: the options --begin, --end, --cpu, --event, --where and --strict
 * of report, latency and export.
 */
#ifndef _MARKERS_SELECT_H
#define _MARKERS_SELECT_H

#include "../reader/trace.h"
#include "../events/event.h"
#include "../events/kind_set.h"
#include "../reader/filter.h"
#include "asked_names.h"

enum { SELECT_BEGIN = 1000, SELECT_END, SELECT_CPU, SELECT_WHERE, SELECT_STRICT };

/* Entries for the table of a command's options. */
#define SELECT_OPTIONS \
	{ SELECT_BEGIN, "begin", "SECONDS", "Only from this time on, as report prints it." }, \
	{ SELECT_END, "end", "SECONDS", "Only up to this time." }, \
	{ SELECT_CPU, "cpu", "LIST", "Only of these CPUs, as 0,2-3." }, \
	{ 'e', "event", "PATTERN", "Only these markers: [!][module:]name, globs; may be repeated." }, \
	{ SELECT_WHERE, "where", "EXPR", "Only events for which EXPR is true; see above." }, \
	{ SELECT_STRICT, "strict", NULL, "Exit status 3 if events were lost, or packets are missing." }

/* A paragraph for the text of a command with these options. */
#define SELECT_TEXT \
	"Of several PATTERNs, the last one that matches a marker decides; ! in front leaves it\n" \
	"out. If the first PATTERN has a !, the others are left in.\n\n" \
	"EXPR is a filter, in the language of the kernel's filters: it compares fields and contexts\n" \
	"with ==, !=, <, <=, >, >=, & (one of these bits is set) and, for texts, with a glob by ~.\n" \
	"\"$ctx.pid\" is the context, even if a field has that name. -EIO is the number of that\n" \
	"error. Comparisons are joined by &&, ||, ! and parentheses. Columns count from 0:\n\n" \
	"\t--where 'bytes >= 4096 && (procname ~ \"cat*\" || write == 1)'\n\n" \
	"A recording also has \"marker\", all its contexts, and bytes as report --fields prints them:\n" \
	"'marker == disk:flush', 'mac == 02:00:5e:10:00:01', 'data ~ \"61:*\"'.\n" \
	"A comparison with a field that an event does not have never holds."

/**
 * struct selection - the selected part
 * @begin: where it begins, in nanoseconds of the trace clock
 * @end: where it ends
 * @cpus: the selected CPUs, if @has_cpus
 * @has_cpus: not all CPUs are selected
 * @match: patterns of markers; without any, all are selected
 * @where: the filter of --where, or NULL
 * @where_text: its text
 * @strict: a loss makes the command fail
 * @lost: events lost in the part, as far as we have read it
 * @lacks: packets are missing in it, and their events are not in @lost
 * @names: names on the command line; select_option() adds those of its options
 * @info: the trace
 * @whole: --event and --where choose no events: the command does
 * @is_wrong: --where compares a field with what is no value of it
 * @is_vain: the options select nothing that this trace can have, or ask for what it has not
 */
struct selection {
	uint64_t begin;
	uint64_t end;
	uint64_t cpus[128];
	bool has_cpus;
	struct kind_set match;
	struct filter *where;
	const char *where_text;
	bool strict;
	uint64_t lost;
	bool lacks;
	struct asked_names names;
	const struct trace_info *info;
	bool whole;
	bool is_wrong;
	bool is_vain;
};

/* The whole trace. */
#define SELECT_ALL	{ .end = UINT64_MAX }

/**
 * select_option() - process one of the options
 * @selection: gets it
 * @command: name of the command
 * @option: from option_next()
 * @value: the option's value
 *
 * Return: STATUS_OK; or STATUS_USAGE, and says why.
 */
int select_option(struct selection *selection, const char *command, int option,
		  const char *value);

/**
 * select_is_all() - is the whole trace selected?
 * @selection: the part
 *
 * Return: whether no option narrows the selection.
 */
bool select_is_all(const struct selection *selection);

/**
 * select_read() - read what is selected of a trace
 * @selection: the part; with @whole, --event and --where do not matter
 * @path: as for trace_open()
 * @sink: gets the events and losses of the part; each of its functions may be NULL, but @sink->share
 *	if there are several threads
 * @ctx: the first argument of its functions
 *
 * At the end it says which names of the command line the trace does not have. The exit status
 * becomes STATUS_FAILED if no pattern matches a marker, or if a name that is needed is missing.
 *
 * Return: as trace_open() and trace_read_files().
 */
int select_read(struct selection *selection, const char *path, const struct trace_sink *sink,
		void *ctx);

/**
 * select_by_what() - do --event and --where select this event?
 * @selection: the part, of the trace that is being read
 * @event: the event, raw or not
 *
 * Return: whether they do.
 */
bool select_by_what(struct selection *selection, const struct event *event);

/**
 * select_status() - the exit status of a command
 * @selection: the part
 * @status: the status of the command's work
 *
 * Return: @status; but STATUS_USAGE if --where is wrong; or if @status is STATUS_OK: STATUS_FAILED if select_read() says so, or else
 *	STATUS_LOST if events were lost or packets are missing, and @strict is set.
 */
int select_status(const struct selection *selection, int status);

#endif /* _MARKERS_SELECT_H */
