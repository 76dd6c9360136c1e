// SPDX-License-Identifier: GPL-2.0
/*
 * markers export: convert a recording for a viewer.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reader/trace.h"
#include "../base/message.h"
#include "../choose/select.h"
#include "../events/functions.h"
#include "../events/symbols.h"
#include "../formats/ftrace.h"
#include "../formats/lttng.h"
#include "../formats/output.h"
#include "../formats/tar.h"
#include "../formats/trace_dat.h"
#include "../timeline/draw.h"
#include "commands.h"

enum { OPTION_PAIR = 256, OPTION_COUNTER, OPTION_LANES };

static const struct option_def options[] = {
	{ 'f', "format", "FORMAT", "perfetto, chrome, trace.dat or lttng.",
	  "perfetto chrome trace.dat lttng" },
	{ 'o', "output", "FILE", "What to write, or replace; \"-\": stdout; default: DIR with a suffix, if it is new." },
	{ OPTION_PAIR, "pair", "A:B[:KEY]", "From marker A to B with the same field KEY, or fields KEY,KEY, is a slice." },
	{ OPTION_COUNTER, "counter", "A:FIELD[:KEY]", "A field of marker A is a counter; one for each value of KEY." },
	{ OPTION_LANES, "lanes", "BY", "A row for each cpu, task, or value of a field." },
	SELECT_OPTIONS,
	{ }
};

static const struct drawing *const drawings[] = { &drawing_perfetto, &drawing_chrome };

/**
 * struct export - the state of an export
 * @draw: what --pair, --counter and --lanes ask for, and the drawing of a format that has one
 * @is_drawn: one of these options was given
 * @sched: ftrace's text of the kernel's events, for an archive
 * @member: the member of the archive that is being written
 * @dat: the state of trace.dat
 * @left_out: what the format cannot carry: stacks of the kernel, or names of functions
 * @is_written: the output is complete, as far as the recording can be read
 */
struct export {
	struct selection selection;
	const char *format;
	const char *path;
	struct output output;

	const struct drawing *drawing;
	struct draw *draw;
	bool is_drawn;
	FILE *sched;
	long member;
	struct trace_dat *dat;
	bool failed;
	bool is_written;
	uint64_t events;
	uint64_t left_out;
};

static bool has_suffix(const char *text, const char *suffix)
{
	size_t size = strlen(text), n = strlen(suffix);

	return size >= n && !strcmp(text + size - n, suffix);
}

static bool has_kernel_events(const struct trace_info *info)
{
	unsigned int i;

	for (i = 0; i < info->nr_kinds; i++)
		if (ftrace_is_known(info->kind[i]))
			return true;
	return false;
}

static bool open_drawing(struct export *export, const struct trace_info *info)
{
	struct output *output = &export->output;
	bool is_binary = export->drawing == &drawing_perfetto, is_tar;

	output_name(output, export->path, is_binary && has_kernel_events(info) ? ".tar" :
		    export->drawing->suffix);
	is_tar = is_binary && has_suffix(output->path, ".tar");
	if (!output_open(output, export->path, (is_binary ? OUTPUT_BINARY : 0) | (is_tar ? OUTPUT_SEEK : 0)))
		return false;
	if (!is_tar)
		return true;
	export->member = tar_begin(output->file, "markers.perfetto");
	export->sched = output_temporary(output);
	if (!export->sched)
		return false;
	ftrace_begin(export->sched);
	return true;
}

static bool begin(void *ctx, const struct trace_info *info)
{
	struct export *export = ctx;

	if (!open_drawing(export, info)) {
		export->failed = true;
		return false;
	}
	symbols_begin(export->path, info);
	draw_begin(export->draw, export->drawing, export->output.file, info);
	draw_add_names(export->draw, &export->selection.names);
	return true;
}

static bool take_event(void *ctx, const struct event *event)
{
	struct export *export = ctx;

	export->events++;
	if (export->sched && ftrace_is_known(event->kind)) {
		ftrace_event(export->sched, event);
		export->left_out += !!functions_stack(event);
		if (!output_check(&export->output, export->sched))
			return false;
		draw_event(export->draw, event, true);
	} else {
		draw_event(export->draw, event, false);
	}
	return output_check(&export->output, export->output.file);
}

static bool take_loss(void *ctx, const struct loss *loss)
{
	struct export *export = ctx;

	draw_loss(export->draw, loss);
	return output_check(&export->output, export->output.file);
}

static void end(void *ctx)
{
	struct export *export = ctx;

	if (export->left_out)
		say("%" PRIu64 " of the kernel's events %s a stack, which kernel.ftrace leaves out",
		    export->left_out, export->left_out == 1 ? "has" : "have");
	if (!export->failed && !export->selection.is_vain)
		export->selection.is_vain = !draw_end(export->draw);
}

static const struct trace_sink sink = {
	.begin = begin, .event = take_event, .lost = take_loss, .end = end,
};

static bool finish_tar(struct export *export)
{
	FILE *out = export->output.file;

	if (!tar_end(out, export->member))
		return false;
	export->member = tar_begin(out, "kernel.ftrace");
	if (!output_append(&export->output, export->sched) || !tar_end(out, export->member))
		return false;
	tar_finish(out);
	return true;
}

static int close_output(struct export *export, int status)
{
	if (output_close(&export->output))
		return STATUS_FAILED;
	export->is_written = true;
	return status;
}

static int export_drawing(struct export *export)
{
	int status = select_read(&export->selection, export->path, &sink, export);
	struct output *output = &export->output;

	if (!output->file)
		return STATUS_FAILED;
	if (!export->failed) {
		export->drawing->end(output->file);
		output_check(output, output->file);
	}
	if (export->sched) {
		if (!output->error && !finish_tar(export))
			output->error = errno ? errno : EIO;
		fclose(export->sched);
	}
	return close_output(export, status);
}

static bool begin_dat(void *ctx, const struct trace_info *info)
{
	struct export *export = ctx;

	output_name(&export->output, export->path, ".dat");
	if (!output_open(&export->output, export->path, OUTPUT_SEEK))
		return false;
	symbols_begin(export->path, info);
	export->dat = trace_dat_create(info, export->output.file);
	return true;
}

static bool has_named_field(const struct event *event)
{
	const struct value *value = event->value, *end = value + event->nr_values;
	size_t size;

	for (; value < end; value++)
		if (functions_text(value, event->time, &size))
			return true;
	return false;
}

static bool take_dat_event(void *ctx, const struct event *event)
{
	struct export *export = ctx;

	export->events++;
	export->left_out += has_named_field(event);
	export->failed |= !trace_dat_event(export->dat, event);
	return !export->failed;
}

static bool take_dat_loss(void *ctx, const struct loss *loss)
{
	struct export *export = ctx;

	export->failed |= !trace_dat_loss(export->dat, loss);
	return !export->failed;
}

static void end_dat(void *ctx)
{
	struct export *export = ctx;

	if (export->left_out)
		say("%" PRIu64 " event%s addresses of functions, which are numbers in trace.dat",
		    export->left_out, export->left_out == 1 ? " has" : "s have");
	if (export->dat && !trace_dat_finish(export->dat))
		export->output.error = errno;
}

static const struct trace_sink dat_sink = {
	.begin = begin_dat,
	.event = take_dat_event,
	.lost = take_dat_loss,
	.end = end_dat,
	.by_cpu = true,
};

static int export_trace_dat(struct export *export)
{
	struct output *output = &export->output;
	int status;

	if (output->path && !strcmp(output->path, "-"))
		return usage_error("export", "--format trace.dat needs a file: its head is written last");
	status = select_read(&export->selection, export->path, &dat_sink, export);
	if (!output->file)
		return STATUS_FAILED;
	if (export->failed && !output->error)
		output->error = EIO;
	return close_output(export, status);
}

/* Copy the packets unchanged. */
static int export_lttng(struct export *export)
{
	if (!select_is_all(&export->selection) || export->is_drawn)
		return usage_error("export", "--format lttng copies a recording: no %s",
				   "--begin, --end, --cpu, --event, --where, --pair, --counter, --lanes");
	if (export->output.path && !strcmp(export->output.path, "-"))
		return usage_error("export", "--format lttng writes a directory");
	output_name(&export->output, export->path, ".lttng");
	return lttng_export(export->path, export->output.path, &export->selection.lost);
}

static int run_format(struct export *export)
{
	size_t i;

	if (!strcmp(export->format, "trace.dat"))
		return export_trace_dat(export);
	if (!strcmp(export->format, "lttng"))
		return export_lttng(export);

	for (i = 0; i < sizeof(drawings) / sizeof(*drawings); i++)
		if (!strcmp(export->format, drawings[i]->name)) {
			export->drawing = drawings[i];
			return export_drawing(export);
		}
	return usage_error("export", "there is no format \"%s\"", export->format);
}

static int parse(struct export *export, int option, const char *value)
{
	export->is_drawn |= option == OPTION_PAIR || option == OPTION_COUNTER || option == OPTION_LANES;
	if ((option == OPTION_PAIR || option == OPTION_COUNTER) && draw_is_full(export->draw))
		return usage_error("export", "up to %d of --pair and --counter can be given", MAX_RULES);
	switch (option) {
	case 'f':
		export->format = value;
		return STATUS_OK;
	case 'o':
		if (!*value)
			return usage_error("export", "-o: the name is empty");
		export->output.path = need_memory(strdup(value));
		return STATUS_OK;
	case OPTION_PAIR:
		if (!draw_pair(export->draw, value))
			return usage_error("export", "--pair is BEGIN:END[:KEY,...], not \"%s\"", value);
		return STATUS_OK;
	case OPTION_COUNTER:
		if (!draw_counter(export->draw, value))
			return usage_error("export", "--counter is MARKER:FIELD[:KEY,...], not \"%s\"", value);
		return STATUS_OK;
	case OPTION_LANES:
		draw_lanes(export->draw, value);
		return STATUS_OK;
	}
	return select_option(&export->selection, "export", option, value);
}

static int run(struct arguments *args)
{
	static struct export export = { .selection = SELECT_ALL, .format = "perfetto" };
	const char *value;
	int option, status;

	export.draw = draw_create();
	while ((option = option_next(args, &value))) {
		status = parse(&export, option, value);
		if (status)
			return status;
	}
	export.path = args->argv[0];
	status = run_format(&export);
	if (export.is_written && strcmp(export.output.path, "-"))
		say("%" PRIu64 " events in %s; lost %" PRIu64, export.events, export.output.path,
		    export.selection.lost);
	draw_destroy(export.draw);
	free(export.output.path);
	return select_status(&export.selection, status);
}

const struct command command_export = {
	.name = "export",
	.args = "DIR",
	.summary = "Convert a recording for a viewer",
	.text = "perfetto is for ui.perfetto.dev. If FILE ends in .tar, as the default does where the\n"
		"sample kernel_events was recorded, it is an archive with the kernel's events beside it, as\n"
		"ftrace's text, from which Perfetto makes its rows of scheduling. chrome is JSON, which speedscope and\n"
		"chrome://tracing read, too; it is for small recordings. trace.dat is for trace-cmd and\n"
		"KernelShark; --pair, --counter and --lanes do nothing there. lttng is a directory with a\n"
		"copy of the recording, in which events of kernel_events have the names that Trace Compass's kernel\n"
		"views look for, and it says which views lack which events. No part can be chosen there, and\n"
		"nothing drawn.\n\n"
		"An event is an instant, in the row of its thread, or where --lanes says. A marker with a\n"
		"field track_event_type draws itself, with the names that Perfetto expects of the kernel's\n"
		"events: B and E are the begin and the end of a slice, I is an instant; slice_name,\n"
		"track_name, and scope_cpu or scope_ANYTHING for the row. With counter_value instead, it\n"
		"is a counter.\n\n"
		"\tmarkers export trace --pair io_begin:io_end:dev,tag --counter queue:depth:dev\n\n"
		"A module's name is separated by a slash there: disk/io_begin. Without KEY, or if KEY has the\n"
		"field by which --lanes makes rows, a slice is in the row of its thread, CPU or field; if it\n"
		"would overlap another there, in a row of the pair below. It has the fields of both; where they\n"
		"differ, that of the end is end.FIELD. A loss is an instant in the\n"
		"row of its CPU. Pairs that were open then are left out, and slices with a B end there.\n\n"
		SELECT_TEXT,
	.examples = "For ui.perfetto.dev, with a slice for each request:\n"
		"\tmarkers export trace --pair request:done:id -o trace.perfetto\n"
		"For KernelShark:\n"
		"\tmarkers export trace --format trace.dat -o trace.dat\n",
	.see = "report latency",
	.options = options,
	.run = run,
	.completes = "trace",
};
