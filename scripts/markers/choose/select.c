// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../base/number.h"
#include "../base/pattern.h"
#include "../ctf/trace_files.h"
#include "select.h"

#define MAX_CPU	(64 * sizeof(((struct selection *)0)->cpus) / sizeof(uint64_t) - 1)

static bool parse_cpus(struct selection *selection, const char *text)
{
	uint64_t first, last;

	selection->has_cpus = true;
	for (;; text++) {
		if (!number_take(&text, &first))
			return false;
		last = first;
		if (*text == '-' && (text++, !number_take(&text, &last)))
			return false;
		if (first > last || last > MAX_CPU)
			return false;
		for (; first <= last; first++)
			selection->cpus[first / 64] |= 1ull << first % 64;
		if (*text != ',')
			return !*text;
	}
}

static bool has_cpu(const struct selection *selection, unsigned int cpu)
{
	return !selection->has_cpus ||
	       (cpu <= MAX_CPU && selection->cpus[cpu / 64] >> cpu % 64 & 1);
}

int select_option(struct selection *selection, const char *command, int option,
		  const char *value)
{
	struct filter_error wrong;

	switch (option) {
	case SELECT_BEGIN:
	case SELECT_END:
		if (!number_parse_time(value, option == SELECT_BEGIN ? &selection->begin :
				     &selection->end))
			return usage_error(command, "\"%s\" is not a time in seconds, such as 3.5757",
					   value);
		if (selection->begin > selection->end)
			return usage_error(command, "--begin is later than --end");
		break;
	case SELECT_CPU:
		if (!parse_cpus(selection, value))
			return usage_error(command, "\"%s\" is not a list of CPUs, such as 0,2-3",
					   value);
		break;
	case 'e':
		if (!pattern_is_valid(value))
			return usage_error(command, "\"%s\" is not a pattern: [!][module:]name",
					   value);
		kind_set_add(&selection->match, value);
		asked_names_add(&selection->names, "-e: ", value, NULL, false);
		break;
	case SELECT_WHERE:
		selection->where = filter_create(value, &wrong);
		selection->where_text = value;
		if (!selection->where)
			return usage_error(command, "--where: \"%s\": column %u: %s", value,
					   wrong.column, wrong.why);
		break;
	case SELECT_STRICT:
		selection->strict = true;
		break;
	}
	return STATUS_OK;
}

bool select_is_all(const struct selection *selection)
{
	return !selection->begin && selection->end == UINT64_MAX && !selection->has_cpus &&
	       !selection->match.nr && !selection->where;
}

/* Is a kind selected, or does a pattern leave it out? */
static bool is_meant(struct kind_set *match, const struct kind *kind)
{
	int i;

	for (i = 0; i < match->nr; i++)
		if (pattern_matches(match->pattern[i], kind->name))
			return true;
	return kind_set_has(match, kind);
}

static void say_names(struct selection *selection)
{
	const struct trace_info *info = selection->info;
	unsigned int i;

	selection->is_vain = !asked_names_check(&selection->names, info);
	for (i = 0; i < info->nr_kinds; i++)
		if (is_meant(&selection->match, info->kind[i]))
			return;
	selection->is_vain |= selection->match.nr;
}

static bool is_in_part(const struct selection *selection, const struct event *event)
{
	return event->time >= selection->begin && event->time <= selection->end &&
	       has_cpu(selection, event->cpu);
}

bool select_by_what(struct selection *selection, const struct event *event)
{
	return kind_set_has(&selection->match, event->kind) &&
	       (!selection->where || filter_passes(selection->where, event));
}

static bool takes_loss(const struct selection *selection, const struct loss *loss)
{
	return loss->end >= selection->begin && loss->begin <= selection->end &&
	       has_cpu(selection, loss->cpu);
}

/* The sink between the reader and that of the command, in a thread. */
struct reading {
	struct selection *selection;
	const struct trace_sink *sink;
	void *ctx;
	bool is_all;	/* the selection is the whole trace */
	uint64_t lost;
	bool lacks;
};

static void add_name(void *ctx, const char *marker, const char *field)
{
	struct selection *selection = ctx;

	asked_names_add(&selection->names, "--where: ", marker, field, true);
}

static bool compile_where(struct selection *selection, const struct trace_info *info)
{
	struct filter_error wrong;

	if (!selection->where ||
	    filter_compile(selection->where, info, add_name, selection, &wrong))
		return true;
	say("--where: \"%s\": column %u: %s", selection->where_text, wrong.column, wrong.why);
	selection->is_wrong = true;
	return false;
}

/* Threads that read do not change the selection. */
static void match_all(struct selection *selection, const struct trace_info *info)
{
	unsigned int i;

	for (i = 0; i < info->nr_kinds; i++)
		kind_set_has(&selection->match, info->kind[i]);
}

static bool begin(void *ctx, const struct trace_info *info)
{
	const struct reading *reading = ctx;

	if (!compile_where(reading->selection, info) ||
	    (reading->sink->begin && !reading->sink->begin(reading->ctx, info)))
		return false;
	reading->selection->info = info;
	match_all(reading->selection, info);
	return true;
}

static bool takes_event(struct selection *selection, const struct event *event)
{
	return is_in_part(selection, event) && (selection->whole || select_by_what(selection, event));
}

static bool take_event(void *ctx, const struct event *event)
{
	const struct reading *reading = ctx;

	if (reading->is_all)
		return reading->sink->event(reading->ctx, event);
	return !reading->sink->event || !takes_event(reading->selection, event) ||
	       reading->sink->event(reading->ctx, event);
}

static void take_other(void *ctx, const struct event *event)
{
	const struct reading *reading = ctx;

	if (takes_event(reading->selection, event))
		reading->sink->other(reading->ctx, event);
}

static bool take_loss(void *ctx, const struct loss *loss)
{
	struct reading *reading = ctx;

	if (!takes_loss(reading->selection, loss))
		return true;
	reading->lost += loss->count;
	reading->lacks |= !loss->count;
	return !reading->sink->lost || !(loss->count || reading->sink->gaps) ||
	       reading->sink->lost(reading->ctx, loss);
}

static void *enter(void *ctx, unsigned int thread)
{
	struct reading *reading = need_memory(malloc(sizeof(*reading)));

	*reading = *(const struct reading *)ctx;
	if (reading->sink->enter)
		reading->ctx = reading->sink->enter(reading->ctx, thread);
	return reading;
}

static bool share(void *ctx, uint64_t number)
{
	const struct reading *reading = ctx;

	return reading->sink->share(reading->ctx, number);
}

static void leave(void *ctx)
{
	struct reading *reading = ctx;

	__atomic_add_fetch(&reading->selection->lost, reading->lost, __ATOMIC_RELAXED);
	if (reading->lacks)
		__atomic_store_n(&reading->selection->lacks, true, __ATOMIC_RELAXED);
	if (reading->sink->leave)
		reading->sink->leave(reading->ctx);
	filter_leave();
	free(reading);
}

static void end(void *ctx)
{
	const struct reading *reading = ctx;

	if (reading->selection->info)
		say_names(reading->selection);
	if (reading->sink->end && !reading->selection->is_wrong)
		reading->sink->end(reading->ctx);
	if (reading->selection->where)
		filter_forget(reading->selection->where);
}

/* Is there a stream of a CPU that is selected? */
static bool has_stream(const struct selection *selection, const struct trace_files *files)
{
	size_t i;
	unsigned int n;

	for (i = 0; i < files->nr; i++)
		for (n = 0; n < files->part[i].nr_streams; n++)
			if (has_cpu(selection, files->part[i].stream[n].cpu))
				return true;
	return false;
}

int select_read(struct selection *selection, const char *path, const struct trace_sink *sink,
		void *ctx)
{
	const struct trace_sink chosen = {
		.begin = begin, .event = take_event, .lost = take_loss, .end = end,
		.by_cpu = sink->by_cpu, .gaps = true, .raw = sink->raw, .joint = sink->joint,
		.until = selection->end, .threads = sink->threads,
		.enter = enter, .other = sink->other ? take_other : NULL, .share = share, .leave = leave,
	};
	struct reading reading = { selection, sink, ctx, sink->event && select_is_all(selection) };
	struct trace_files files;
	int status = trace_open(&files, path);

	if (status)
		return status;
	status = trace_read_files(&files, &chosen, &reading);
	if (!status && !has_stream(selection, &files)) {
		say("--cpu: the recording has no stream of these CPUs");
		selection->is_vain = true;
	}
	trace_files_close(&files);
	return status;
}

int select_status(const struct selection *selection, int status)
{
	if (selection->is_wrong)
		return STATUS_USAGE;
	if (!status && selection->is_vain)
		return STATUS_FAILED;
	return !status && selection->strict && (selection->lost || selection->lacks) ?
	       STATUS_LOST : status;
}
