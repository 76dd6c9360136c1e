// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../events/functions.h"
#include "../reader/opened.h"
#include "../reader/packet_file.h"
#include "../reader/record.h"
#include "join.h"
#include "lttng.h"

/**
 * struct copy - a recording that is copied
 * @recorded: the events of the traces before this one
 * @description: the metadata of the trace whose packets are copied, or NULL
 * @is_recorded: for each of its events, whether it was recorded
 * @have_stacks: events have stacks
 * @is_damaged: an event cannot be read
 */
struct copy {
	struct lttng_recorded recorded;
	const struct description *description;
	bool *is_recorded;
	bool have_stacks;
	bool is_damaged;
};

static void add_name(struct lttng_recorded *recorded, const char *name)
{
	recorded->name = need_memory(realloc(recorded->name, (recorded->nr + 1) * sizeof(*recorded->name)));
	recorded->name[recorded->nr++] = need_memory(strdup(name));
}

/* The packets of a trace were all copied. */
static void end_trace(struct copy *copy)
{
	unsigned int i;

	for (i = 0; copy->description && i < copy->description->nr_classes; i++)
		if (copy->is_recorded[i])
			add_name(&copy->recorded, copy->description->class[i].kind->name);
	free(copy->is_recorded);
	copy->is_recorded = NULL;
	copy->description = NULL;
}

static void begin_trace(struct copy *copy, const struct description *description)
{
	end_trace(copy);
	copy->description = description;
	copy->is_recorded = need_memory(calloc(description->nr_classes + 1, sizeof(bool)));
	copy->have_stacks |= functions_has_stacks(&description->contexts);
}

static void take_packet(void *ctx, const struct opened_stream *stream, struct packet_file *file)
{
	struct copy *copy = ctx;
	const char *wrong;
	const void *at;

	if (copy->description != stream->description)
		begin_trace(copy, stream->description);
	wrong = record_find_classes(copy->description, file->packet, file->header.packet_size / 8,
				    copy->is_recorded, &at);
	if (!wrong)
		return;
	packet_file_damaged(file, at, wrong, false);
	copy->is_damaged = true;
}

/* The names depend on the events of all traces. */
static char *change_metadata(void *ctx, const char *text)
{
	struct copy *copy = ctx;

	end_trace(copy);
	return lttng_metadata(text, lttng_has_calls(&copy->recorded));
}

int lttng_export(const char *path, const char *output, uint64_t *lost)
{
	struct copy copy = {};
	const struct join_work work = {
		.packet = take_packet, .metadata = change_metadata, .ctx = &copy, .no_info = true,
	};
	struct joined joined;
	int status = join(path, output, &work, &joined);
	const bool is_damaged = joined.damaged || copy.is_damaged;

	if (!status) {
		lttng_say_views(&copy.recorded);
		if (copy.have_stacks)
			say("the functions of stacks are addresses there, without names");
		say(is_damaged ? "what can be read of it was copied to %s" : "it was copied to %s", output);
	}
	*lost = joined.lost;
	while (copy.recorded.nr)
		free(copy.recorded.name[--copy.recorded.nr]);
	free(copy.recorded.name);
	free(copy.is_recorded);
	return is_damaged ? STATUS_FAILED : status;
}
