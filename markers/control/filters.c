// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of a filter to what hits run.  Process context.
 *
 * A filter is compiled for each of its events, since each has its own fields.  One that
 * does not fit is kept, too: its marker is not recorded, and the files of the marker say
 * why.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/log.h>
#include <markers/model/program.h>
#include "filters.h"
#include "triggers.h"

/* Tests the CPU, whatever its number is: an event may have no argument. */
static const struct marker_filter dropping = {
	.nr_tests = 1,
	.nr_cells = 1,
	.cell = { { .test = {
		.kind = MARKER_FILTER_CONTEXT, .is_context = true, .contexts = true,
		.arg = MARKER_FILTER_CPU, .low = 1, .no = MARKER_FILTER_DROP,
	} } },
};

int marker_filters_check(const char *filter, const char *text, unsigned int at)
{
	const size_t line = strcspn(filter, "\n");
	struct marker_format_error error;
	struct marker_filter_work *work;
	int err;

	work = kmalloc(sizeof(*work), GFP_KERNEL_ACCOUNT);
	if (!work)
		return -ENOMEM;
	err = marker_filter_parse(work, filter, NULL, &error);
	kfree(work);
	if (err) {
		marker_log_at(text, at + error.column, "filter: %s", error.why);
	} else if (filter[line]) {
		marker_log_at(text, at + line, "filter: more than one line");
		err = -EINVAL;
	}
	return err;
}

/* Copy @program, for which there is room.  Return: its end. */
static u8 *put_program(struct marker_event_filter *filter, const struct marker_filter *program)
{
	const size_t size = marker_filter_size(program);
	/* not to &filter->program: the fortified one does not see that its end is open */
	u8 *to = (u8 *)filter + offsetof(struct marker_event_filter, program);

	memcpy(to, program, size);
	return to + size;
}

/* A text and its program. */
static struct marker_event_filter *compile_filter(struct marker_filter_work *work,
						  const struct marker_format *format,
						  const char *text)
{
	struct marker_format_error error = { };
	struct marker_event_filter *filter;
	size_t len = strlen(text), size;

	if (marker_filter_parse(work, text, format, &error))
		memcpy(work->room, &dropping, marker_filter_size(&dropping));
	size = marker_filter_size(&work->filter);
	filter = kzalloc(offsetof(struct marker_event_filter, program) + size + len + 1,
			 GFP_KERNEL_ACCOUNT);
	if (!filter)
		return NULL;
	filter->error = error;
	filter->cost = error.why ? 0 : marker_filter_cost(&work->filter);
	filter->text = memcpy(put_program(filter, &work->filter), text, len);
	return filter;
}

struct marker_event_filter *marker_filters_create(const struct marker_format *format,
						  const char *text)
{
	struct marker_event_filter *filter = NULL;
	struct marker_filter_work *work;

	work = kmalloc(sizeof(*work), GFP_KERNEL_ACCOUNT);
	if (work)
		filter = compile_filter(work, format, text);
	kfree(work);
	return filter;
}

static void refuse_filter(struct marker_event_filter *filter, const char *why)
{
	if (!filter->error.why)
		filter->error = (struct marker_format_error) { .why = why };
	filter->cost = 0;
	put_program(filter, &dropping);
}

void marker_filters_limit(struct marker_event_filter *filter, u64 others)
{
	if (filter->cost + others > MARKER_FILTERS_COST)
		refuse_filter(filter,
			      "with all other filters of the marker it takes too long: fewer or shorter patterns");
}

struct marker_event_filter *marker_filters_of_rule(const struct marker_event *event,
						   const struct marker_recording *recording,
						   const char *text)
{
	struct marker_event_filter *filter = marker_filters_create(&event->format, text);

	if (!filter)
		return NULL;
	if (filter->program.latency)
		refuse_filter(filter, "only triggers know the latency, after latency:NAME");
	marker_filters_limit(filter, marker_program_cost(event, recording) +
				     marker_triggers_cost(event));
	return filter;
}

const char *marker_filters_why(char *text, const struct marker_event_filter *filter)
{
	char line[MARKER_LOG_LINE];
	unsigned int at;

	at = marker_log_window(line, filter->text, filter->error.column);
	snprintf(text, MARKER_FILTER_WHY_SIZE, "%s\n%*s\n%s\n", line, at + 1, "^",
		 filter->error.why);
	return text;
}

void marker_filters_log(const struct marker_event *event,
			const struct marker_event_filter *filter, unsigned int others,
			bool refused)
{
	char more[32] = "";

	if (others)
		snprintf(more, sizeof(more), " and %u others", others);
	if (refused)
		marker_log_refused(filter->text, filter->error.column,
				   "marker %s%s not recorded, filter, column %u: %s",
				   event->title, more, filter->error.column, filter->error.why);
	else
		marker_log_at(filter->text, filter->error.column, "filter of marker %s%s: %s",
			      event->title, more, filter->error.why);
}
