// SPDX-License-Identifier: GPL-2.0
/*
 * markers report: write the events of a recording as text, JSON, a table, or ftrace's text.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "../reader/line.h"
#include "../reader/trace.h"
#include "../reader/wall.h"
#include "../base/file.h"
#include "../base/json.h"
#include "../base/message.h"
#include "../base/number.h"
#include "../base/put.h"
#include "../choose/select.h"
#include "../events/functions.h"
#include "../events/symbols.h"
#include "../events/text.h"
#include "../formats/csv.h"
#include "../formats/ftrace.h"
#include "../formats/json_event.h"
#include "../formats/turns.h"
#include "commands.h"

#define MAX_THREADS	64
#define HOST_WIDTH	15	/* columns of the machine of a line */

enum { OPTION_FIELDS = 256, OPTION_TIME };

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_FTRACE, NR_FORMATS };

static const char *const format_names[NR_FORMATS] = { "text", "json", "csv", "ftrace" };

static const char *const time_names[NR_LINE_TIMES] = {
	[LINE_TIME_TRACE] = "trace", [LINE_TIME_WALL] = "wall",
	[LINE_TIME_DELTA] = "delta", [LINE_TIME_RELATIVE] = "relative",
};

static const struct option_def options[] = {
	{ 'f', "format", "FORMAT", "text, json (an object in a line), csv or ftrace.",
	  "text json csv ftrace" },
	{ OPTION_FIELDS, "fields", NULL, "Names and values of fields in place of the words." },
	{ OPTION_TIME, "time", "WHICH", "Times of text: trace (the clock of the recording), wall,\n"
	  "delta (since the line before) or relative (since the first).",
	  "trace wall delta relative" },
	{ 'j', "jobs", "N", "Read and write with N threads; 1 if not given." },
	SELECT_OPTIONS,
	{ }
};

/**
 * struct report - a report
 * @selection: what is shown
 * @path: the recording
 * @format: how
 * @style: how events look as text
 * @of_text: an option that is for text alone; or NULL
 * @threads: how many there are
 * @csv: the table
 * @turns: the output
 * @error: errno with which it failed in one of several threads
 * @is_joint: of several machines
 */
struct report {
	struct selection selection;
	const char *path;
	enum format format;
	struct line_style style;
	const char *of_text;
	unsigned int threads;
	struct csv *csv;
	struct turns *turns;
	int error;
	bool is_joint;
};

/**
 * struct writer - a thread that writes a report
 * @report: the report
 * @thread: its number
 * @out: gets its parts of it
 * @began: an event was shown
 * @since: time of the event from which on times count
 * @event: the event that is written
 */
struct writer {
	struct report *report;
	unsigned int thread;
	FILE *out;
	bool began;
	uint64_t since;
	struct event event;
};

static void put_text(FILE *out, const char *text)
{
	text_escaped(out, text, strlen(text));
}

/* The machine of a line. */
static void put_host(FILE *out, const char *host)
{
	const int size = strlen(host);

	put_text(out, host);
	fprintf(out, "%*s", size < HOST_WIDTH ? HOST_WIDTH - size : 0, "");
	putc(' ', out);
}

/* The machines of a time line; each once, if its parts follow each other. */
static void put_hosts(const struct trace_info *info)
{
	const char *last = "";
	size_t i;

	fputs("# times since 1970; hosts:", stdout);
	for (i = 0; i < info->nr_descriptions; i++) {
		const char *host = info->description[i]->host;

		if (i && !strcmp(host, last))
			continue;
		putchar(' ');
		put_text(stdout, host);
		last = host;
	}
	putchar('\n');
}

static void begin_text(struct report *report, const struct trace_info *info)
{
	if (info->is_joint) {
		put_hosts(info);
		return;
	}
	fputs("# host: ", stdout);
	put_text(stdout, info->host);
	fputs("   kernel: ", stdout);
	put_text(stdout, info->release);
	fputs("   clock: ", stdout);
	put_text(stdout, info->clock ? info->clock : "?");
	putchar('\n');
	report->style.wall = info->wall;
}

static bool begin(void *ctx, const struct trace_info *info)
{
	struct report *report = ctx;

	report->is_joint = info->is_joint;
	if (info->is_joint && report->format == FORMAT_FTRACE) {
		say("ftrace's text has no column for the host: give the directory of one");
		return false;
	}
	if (report->style.time == LINE_TIME_WALL && !wall_is_known(info->clock)) {
		say("--time wall: the clock of the recording counts events and has no time: \"--time relative\" counts from the first one");
		return false;
	}
	if (info->is_joint)
		say("addresses of functions stay numbers: the recordings are of several hosts or boots");
	else if (report->format != FORMAT_FTRACE)
		symbols_begin(report->path, info);
	else if (functions_has_stacks(&info->contexts))
		say("the events have stacks, which ftrace's text leaves out");
	if (report->format == FORMAT_CSV)
		report->csv = csv_begin(stdout, info, &report->selection);
	else if (report->format == FORMAT_FTRACE)
		ftrace_begin(stdout);
	else if (report->format == FORMAT_TEXT)
		begin_text(report, info);
	report->turns = turns_begin(stdout, report->threads);
	return true;
}

static void put_event(const struct report *report, FILE *out, struct event *event, uint64_t since)
{
	if (report->format == FORMAT_TEXT) {
		if (report->is_joint)
			put_host(out, event->description->host);
		line_put(out, event, &report->style, since);
		return;
	}
	record_values(event, event->record, event->description);
	switch (report->format) {
	case FORMAT_JSON:
		json_event(out, event, report->is_joint);
		break;
	case FORMAT_CSV:
		csv_event(report->csv, out, event);
		break;
	default:
		ftrace_event(out, event);
	}
}

static void put_loss(const struct report *report, FILE *out, const struct loss *loss)
{
	switch (report->format) {
	case FORMAT_JSON:
		putc_unlocked('{', out);
		if (report->is_joint) {
			fputs("\"host\":", out);
			json_string(out, loss->host, strlen(loss->host));
			putc_unlocked(',', out);
		}
		fprintf(out, "\"time\":%" PRIu64 ".%09u,\"cpu\":%u,\"lost\":%" PRIu64
			",\"overwritten\":%s}\n", loss->end / 1000000000,
			(unsigned int)(loss->end % 1000000000), loss->cpu, loss->count,
			loss->overwritten ? "true" : "false");
		break;
	case FORMAT_CSV:
		csv_loss(report->csv, out, loss);
		break;
	case FORMAT_FTRACE:
		ftrace_loss(out, loss);
		break;
	default:
		if (report->is_joint)
			put_host(out, loss->host);
		fprintf(out, "[%03u] *** lost %" PRIu64 " events ***\n", loss->cpu, loss->count);
	}
}

/* An event is shown. Return: the time from which on its time counts. */
static uint64_t note_time(struct writer *writer, const struct event *event)
{
	const uint64_t since = writer->began ? writer->since : event->time;

	if (!writer->began || writer->report->style.time == LINE_TIME_DELTA)
		writer->since = event->time;
	writer->began = true;
	return since;
}

static void note_other(void *ctx, const struct event *event)
{
	note_time(ctx, event);
}

static bool show_event(void *ctx, const struct event *event)
{
	struct writer *writer = ctx;
	struct event *shown = &writer->event;

	shown->kind = event->kind;
	shown->record = event->record;
	shown->description = event->description;
	shown->cpu = event->cpu;
	shown->time = event->time;
	put_event(writer->report, writer->out, shown, note_time(writer, event));
	return !ferror_unlocked(writer->out);
}

static bool show_loss(void *ctx, const struct loss *loss)
{
	const struct writer *writer = ctx;

	put_loss(writer->report, writer->out, loss);
	return !ferror_unlocked(writer->out);
}

static void *enter(void *ctx, unsigned int thread)
{
	struct writer *writer = need_memory(calloc(1, sizeof(*writer)));

	writer->report = ctx;
	writer->thread = thread;
	writer->out = turns_enter(writer->report->turns, thread);
	return writer;
}

static bool share(void *ctx, uint64_t number)
{
	const struct writer *writer = ctx;

	return turns_next(writer->report->turns, writer->thread, number);
}

static void leave(void *ctx)
{
	free(ctx);
}

static void end(void *ctx)
{
	struct report *report = ctx;

	report->error = turns_end(report->turns);
}

static int read_events(struct report *report, const char *path)
{
	const bool counts = report->style.time == LINE_TIME_DELTA || report->style.time == LINE_TIME_RELATIVE;
	const struct trace_sink sink = {
		.begin = begin, .event = show_event, .lost = show_loss, .end = end,
		.raw = true, .joint = true, .threads = report->threads,
		.enter = enter, .other = counts ? note_other : NULL, .share = share, .leave = leave,
	};

	return select_read(&report->selection, path, &sink, report);
}

/* Find a word. Return: its number, or @nr. */
static unsigned int find_word(const char *const *words, unsigned int nr, const char *word)
{
	unsigned int i;

	for (i = 0; i < nr && strcmp(words[i], word); i++)
		;
	return i;
}

static int parse_option(struct report *report, int option, const char *value)
{
	uint64_t number;

	switch (option) {
	case 'f':
		report->format = find_word(format_names, NR_FORMATS, value);
		return report->format < NR_FORMATS ? STATUS_OK :
		       usage_error("report", "unknown format \"%s\"", value);
	case OPTION_FIELDS:
		report->style.fields = true;
		report->of_text = "--fields";
		return STATUS_OK;
	case OPTION_TIME:
		report->of_text = "--time";
		report->style.time = find_word(time_names, NR_LINE_TIMES, value);
		return report->style.time < NR_LINE_TIMES ? STATUS_OK :
		       usage_error("report", "--time is trace, wall, delta or relative, not \"%s\"", value);
	case 'j':
		if (!number_take(&value, &number) || *value || !number || number > MAX_THREADS)
			return usage_error("report", "--jobs is a number from 1 to %d", MAX_THREADS);
		report->threads = number;
		return STATUS_OK;
	default:
		return select_option(&report->selection, "report", option, value);
	}
}

static int run(struct arguments *args)
{
	static struct report report = { .selection = SELECT_ALL, .threads = 1 };
	int option, status = STATUS_OK;
	const char *value;

	while ((option = option_next(args, &value))) {
		status = parse_option(&report, option, value);
		if (status)
			return status;
	}
	if (report.of_text && report.format != FORMAT_TEXT)
		return usage_error("report", "%s is for text, not for %s: leave one of them out", report.of_text,
				   format_names[report.format]);
	report.path = args->argv[0];
	file_write_more();
	status = read_events(&report, args->argv[0]);
	if (fflush(stdout) || ferror(stdout) || report.error) {
		errno = report.error ?: errno;
		status = say_errno("stdout");
		__fpurge(stdout);
		clearerr(stdout);	/* it is told once */
	}
	return select_status(&report.selection, status);
}

const struct command command_report = {
	.name = "report",
	.args = "DIR",
	.summary = "Print the events of a recording",
	.text = "DIR is a recording, or any copy of ctf/ in debugfs. Events of all CPUs are printed in\n"
		"the order of their times, and a loss after the last event that is known to precede it.\n"
		"A line is as in the file \"trace\". The names of functions are from the symbols that record\n"
		"saved; where it is not sure whose an address was, it is a number. Older recordings do not\n"
		"have the words of the format: their lines are those of --fields. Times of --begin and\n"
		"--end are of the trace's clock, whatever --time is.\n\n"
		"With --format ftrace, names have no module, times have microseconds, and the events of\n"
		"the sample kernel_events are written as the kernel itself writes them, for programs that\n"
		"read ftrace's text.\n\n"
		"With --format csv there is a column for each field of the markers that --event selects;\n"
		"fields.NAME, if it has the name of a context or of another column.\n"
		"Stacks are in all formats but ftrace.\n\n"
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
