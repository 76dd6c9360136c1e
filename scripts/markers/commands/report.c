// SPDX-License-Identifier: GPL-2.0
/*
 * markers report: write the events of a recording as text, JSON, a table, or ftrace's text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../reader/trace.h"
#include "../base/json.h"
#include "../base/message.h"
#include "../choose/select.h"
#include "../events/functions.h"
#include "../events/symbols.h"
#include "../events/text.h"
#include "../formats/csv.h"
#include "../formats/ftrace.h"
#include "../formats/json_event.h"
#include "commands.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_FTRACE, NR_FORMATS };

static const char *const format_names[NR_FORMATS] = { "text", "json", "csv", "ftrace" };

static const struct option_def options[] = {
	{ 'f', "format", "FORMAT", "text, json (an object in a line), csv or ftrace.",
	  "text json csv ftrace" },
	SELECT_OPTIONS,
	{ }
};

struct report {
	struct selection selection;
	const char *path;
	enum format format;
	struct csv *csv;
};

static bool begin(void *ctx, const struct trace_info *info)
{
	struct report *report = ctx;

	if (report->format == FORMAT_TEXT || report->format == FORMAT_JSON)
		symbols_begin(report->path, info);
	if (report->format == FORMAT_CSV)
		report->csv = csv_begin(stdout, info, &report->selection);
	else if (report->format == FORMAT_FTRACE)
		ftrace_begin(stdout);
	else if (report->format == FORMAT_TEXT)
		printf("# host: %s   kernel: %s   clock: %s\n", info->host, info->release,
		       info->clock ? info->clock : "?");
	return true;
}

/* Write the name of a function, if the value is its address. */
static void put_name(FILE *out, const struct event *event, const struct value *value)
{
	size_t size;
	const char *text = value->field->base == 16 ? functions_text(value, event->time, &size) : NULL;

	if (text)
		fwrite_unlocked(strchr(text, ' '), 1, text + size - strchr(text, ' '), out);
}

static void put_text(const struct event *event)
{
	text_heading(stdout, event, true);
	text_time(stdout, event->time, 9);
	fputs_unlocked(": ", stdout);
	fputs_unlocked(event->kind->name, stdout);
	putc_unlocked(':', stdout);
	text_fields(stdout, event, put_name);
	putc_unlocked('\n', stdout);
	functions_put_stack(stdout, event);
}

/* Write the names of functions, of fields and of the stack. */
static void put_names(const struct event *event)
{
	const struct value *stack = functions_stack(event), *value = event->value;
	const char *before = ",\"names\":{", *text;
	unsigned int i;
	size_t size;

	for (i = 0; i <= event->nr_values; i++, value++) {
		const struct value *of = i < event->nr_values ? value : stack;

		text = of ? functions_text(of, event->time, &size) : NULL;
		if (!text)
			continue;
		fputs_unlocked(before, stdout);
		json_string(stdout, of->field->name, strlen(of->field->name));
		putc_unlocked(':', stdout);
		json_string(stdout, text, size);
		before = ",";
	}
	if (*before == ',' && !before[1])
		putc_unlocked('}', stdout);
}

static void put_json(const struct event *event)
{
	fputs_unlocked("{\"time\":", stdout);
	text_seconds(stdout, event->time, 9);
	fputs_unlocked(",\"cpu\":", stdout);
	text_decimal(stdout, event->cpu, 1);
	fputs_unlocked(",\"marker\":", stdout);
	json_string(stdout, event->kind->name, strlen(event->kind->name));
	fputs_unlocked(",\"contexts\":{", stdout);
	json_members(stdout, event->context, event->nr_contexts);
	fputs_unlocked("},\"fields\":{", stdout);
	json_members(stdout, event->value, event->nr_values);
	putc_unlocked('}', stdout);
	put_names(event);
	fputs_unlocked("}\n", stdout);
}

static bool show_event(void *ctx, const struct event *event)
{
	struct report *report = ctx;

	switch (report->format) {
	case FORMAT_JSON:
		put_json(event);
		break;
	case FORMAT_CSV:
		csv_event(report->csv, event);
		break;
	case FORMAT_FTRACE:
		ftrace_event(stdout, event);
		break;
	default:
		put_text(event);
	}
	return !ferror(stdout);
}

static bool show_loss(void *ctx, const struct loss *loss)
{
	struct report *report = ctx;

	switch (report->format) {
	case FORMAT_JSON:
		printf("{\"time\":%" PRIu64 ".%09u,\"cpu\":%u,\"lost\":%" PRIu64
		       ",\"overwritten\":%s}\n", loss->end / 1000000000,
		       (unsigned int)(loss->end % 1000000000), loss->cpu, loss->count,
		       loss->overwritten ? "true" : "false");
		break;
	case FORMAT_CSV:
		csv_loss(report->csv, loss);
		break;
	case FORMAT_FTRACE:
		ftrace_loss(stdout, loss);
		break;
	default:
		printf("[%03u] *** lost %" PRIu64 " events ***\n", loss->cpu, loss->count);
	}
	return !ferror(stdout);
}

static const struct trace_sink sink = {
	.begin = begin, .event = show_event, .lost = show_loss,
};

static int parse_format(const char *name, enum format *format)
{
	for (*format = 0; *format < NR_FORMATS; ++*format)
		if (!strcmp(format_names[*format], name))
			return STATUS_OK;
	return usage_error("report", "unknown format \"%s\"", name);
}

static int run(struct arguments *args)
{
	struct report report = { .selection = SELECT_ALL };
	int option, status = STATUS_OK;
	const char *value;

	while ((option = option_next(args, &value))) {
		status = option == 'f' ? parse_format(value, &report.format) :
			 select_option(&report.selection, "report", option, value);
		if (status)
			return status;
	}
	if (one_recording(args))
		return STATUS_USAGE;
	report.path = args->argv[0];
	status = select_read(&report.selection, args->argv[0], &sink, &report);
	if (fflush(stdout) || ferror(stdout))
		status = say_errno("stdout");
	return select_status(&report.selection, status);
}

const struct command command_report = {
	.name = "report",
	.args = "DIR",
	.summary = "Print the events of a recording",
	.text = "DIR is a recording, or any copy of ctf/ in debugfs. Events of all CPUs are printed in\n"
		"the order of their times, and a loss after the last event that is known to precede it.\n"
		"A line is as in the file \"trace\", except for the text: it has names and values of\n"
		"fields, because the words of the format are not recorded.\n\n"
		"With --format ftrace, names have no module, times have microseconds, and the events of\n"
		"the sample kernel_events are written as the kernel itself writes them, for programs that\n"
		"read ftrace's text.\n\n"
		"With --format csv there is a column for each field of the markers that --event selects;\n"
		"fields.NAME, if it has the name of a context or of another column.\n"
		"Stacks are in text and JSON only.\n\n"
		SELECT_TEXT,
	.examples = "Large requests, and what they ended with:\n"
		"\tmarkers report trace -e mydriver:request --where 'bytes >= 65536'\n"
		"For a program:\n"
		"\tmarkers report trace --format json | jq .fields\n",
	.see = "record latency export",
	.options = options,
	.run = run,
	.completes = "trace",
};
