// SPDX-License-Identifier: GPL-2.0
/*
 * Looks up names in filters and hists, when their text is parsed.
 */
#include <markers/uapi/ctf.h>
#include "operand.h"

static const struct {
	const char *name;
	struct marker_operand operand;
} known_contexts[MARKER_NR_FILTER_CONTEXTS] = {
	[MARKER_FILTER_TID] = { "tid", { MARKER_FIELD_INT, 4, true } },
	[MARKER_FILTER_PID] = { "pid", { MARKER_FIELD_INT, 4, true } },
	[MARKER_FILTER_CPU] = { "cpu", { MARKER_FIELD_INT, 4, false } },
	[MARKER_FILTER_FLAGS] = { "flags", { MARKER_FIELD_INT, 2, false } },
	[MARKER_FILTER_PROCNAME] = {
		"procname", { .type = MARKER_FIELD_STRING, .max = CTF_PROCNAME_SIZE },
	},
	[MARKER_FILTER_LATENCY] = { "latency", { MARKER_FIELD_INT, 8, true } },
	[MARKER_FILTER_CGROUP_ID] = { "cgroup_id", { MARKER_FIELD_INT, 8, false } },
};

static bool is_name(const char *name, const char *text, unsigned int len)
{
	return strlen(name) == len && !memcmp(name, text, len);
}

static const char *use_field(struct marker_operand *operand, const struct marker_field *field)
{
	*operand = (struct marker_operand) {
		.type = field->type,
		.size = field->size,
		.is_signed = field->is_signed,
		.is_char = field->is_char,
		.arg = field->arg,
		.len_arg = field->len_arg,
		.max = field->max - 1,
	};
	if (field->type == MARKER_FIELD_BYTES &&
	    (field->object == MARKER_OBJECT_NUMBER || field->object == MARKER_OBJECT_SECONDS) &&
	    field->size <= sizeof(u64)) {
		operand->type = MARKER_FIELD_INT;
		operand->is_behind_pointer = true;
		/* as its metadata */
		operand->is_signed = field->object == MARKER_OBJECT_SECONDS;
		return NULL;
	}
	if (field->type == MARKER_FIELD_INT ||
	    (field->type == MARKER_FIELD_STRING && !marker_object_is_fetched(field->object)))
		return NULL;
	return "this field is neither a number nor a string that stands in memory";
}

const char *marker_operand_find(struct marker_operand *operand,
				const struct marker_format *format,
				const char *name, unsigned int len)
{
	static const char prefix[] = "$ctx.";
	const char *why;
	unsigned int i;

	if (*name != '$') {
		for (i = 0; i < format->nr_fields; i++) {
			if (!is_name(format->field[i].name, name, len))
				continue;
			why = use_field(operand, &format->field[i]);
			operand->field = i;
			return why;
		}
	} else {
		name += strlen(prefix);
		len -= strlen(prefix);
	}
	for (i = 0; i < MARKER_NR_FILTER_CONTEXTS; i++) {
		if (!is_name(known_contexts[i].name, name, len))
			continue;
		*operand = known_contexts[i].operand;
		operand->arg = i;
		operand->len_arg = MARKER_NO_ARG;
		operand->is_context = true;
		return NULL;
	}
	return "no such field, nor tid, pid, cpu, flags, procname, cgroup_id";
}
