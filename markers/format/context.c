// SPDX-License-Identifier: GPL-2.0
/*
 * The table of contexts: their names, and what they are in a trace.  For the code that chooses
 * a set or reads events, in process context usually, but nothing here sleeps.
 */
#include "context.h"

/**
 * struct context - what one is
 * @name:	as LTTng has it, where it has it
 * @size:	bytes
 * @type:	TSDL, of what stands before the name
 * @after:	TSDL, of what stands after it; NULL: nothing
 */
struct context {
	const char *name;
	u8 size;
	const char *type;
	const char *after;
};

/* Where LTTng has names, analyses look for them. */
static const struct context contexts[MARKER_NR_CONTEXTS] = {
	[MARKER_CONTEXT_TID] = { "tid", CTF_TASK_SIZE, "int24_t" },
	[MARKER_CONTEXT_FLAGS] = { "flags", 2, "hex16_t" },
	[MARKER_CONTEXT_PROCNAME] = { "procname", CTF_PROCNAME_SIZE, "char_t", "[15]" },
	[MARKER_CONTEXT_PID] = { "pid", CTF_TASK_SIZE, "int24_t" },
	[MARKER_CONTEXT_VTID] = { "vtid", CTF_TASK_SIZE, "int24_t" },
	[MARKER_CONTEXT_VPID] = { "vpid", CTF_TASK_SIZE, "int24_t" },
	[MARKER_CONTEXT_PRIO] = { "prio", 1, "int8_t" },
	[MARKER_CONTEXT_CGROUP_ID] = { "cgroup_id", 8, "uint64_t" },
	[MARKER_CONTEXT_CALLSTACK] = { "callstack_kernel", 1,
		"uint8_t __callstack_kernel_length;\n\t\thex64_t",
		"[__callstack_kernel_length]" },
};

u32 marker_context_tag(u32 set)
{
	u32 size = 0, i;

	for (i = 0; i < MARKER_NR_CONTEXTS; i++) {
		if (marker_context_has(set, i))
			size += contexts[i].size;
	}
	return MARKER_CONTEXT_TAG(set, size);
}

/* Between names. */
static bool is_separator(char c)
{
	return c == ' ' || c == ',' || c == '\t' || c == '\n';
}

/* MARKER_NR_CONTEXTS: there is none of this name. */
static enum marker_context find_context(const char *name, size_t len)
{
	enum marker_context i;

	for (i = 0; i < MARKER_NR_CONTEXTS; i++) {
		if (strlen(contexts[i].name) == len && !memcmp(contexts[i].name, name, len))
			break;
	}
	return i;
}

int marker_context_parse(const char *text, u32 *set, unsigned int *column)
{
	enum marker_context context;
	const char *p = text, *name;
	u32 found = 0;

	for (;;) {
		while (is_separator(*p))
			p++;
		if (!*p)
			break;
		name = p;
		while (*p && !is_separator(*p))
			p++;
		context = find_context(name, p - name);
		if (context == MARKER_NR_CONTEXTS) {
			*column = name - text;
			return -EINVAL;
		}
		found |= BIT(context);
	}
	*set = found;
	return 0;
}

const char *marker_context_list(char *text, u32 set)
{
	char *p = text;
	u32 i;

	*p = '\0';
	for (i = 0; i < MARKER_NR_CONTEXTS; i++) {
		if (marker_context_has(set, i))
			p += snprintf(p, text + MARKER_CONTEXT_LIST_SIZE - p, "%s%s",
				      p == text ? "" : " ", contexts[i].name);
	}
	return text;
}

const char *marker_context_type(enum marker_context context, const char **before,
				const char **after)
{
	BUILD_BUG_ON(CTF_PROCNAME_SIZE != 15);

	*before = contexts[context].type;
	*after = contexts[context].after ?: "";
	return contexts[context].name;
}

/* Copy one, if it is in the set.  @context is constant, and so is its size. */
static __always_inline const u8 *copy_context(void *to, u32 set, enum marker_context context,
					      const u8 *from)
{
	if (!marker_context_has(set, context))
		return from;
	memcpy(to, from, contexts[context].size);
	return from + contexts[context].size;
}

/* The same for the number of a task. */
static const u8 *copy_task(s32 *to, u32 set, enum marker_context context, const u8 *from)
{
	if (!marker_context_has(set, context))
		return from;
	*to = (s32)(from[0] << 8 | from[1] << 16 | (u32)from[2] << 24) >> 8;
	return from + CTF_TASK_SIZE;
}

int marker_context_length(u32 tag, const u8 *from, u32 avail)
{
	u32 size = marker_context_size(tag);

	if (avail < size)
		return -EINVAL;
	if (marker_context_has(marker_context_set(tag), MARKER_CONTEXT_CALLSTACK))
		size += from[size - 1] * sizeof(u64);
	return avail < size ? -EINVAL : (int)size;
}

void marker_context_read(struct marker_contexts *to, u32 set, const u8 *from)
{
	to->set = set;
	from = copy_task(&to->tid, set, MARKER_CONTEXT_TID, from);
	from = copy_context(&to->flags, set, MARKER_CONTEXT_FLAGS, from);
	from = copy_context(to->procname, set, MARKER_CONTEXT_PROCNAME, from);
	to->procname[CTF_PROCNAME_SIZE] = '\0';
	from = copy_task(&to->pid, set, MARKER_CONTEXT_PID, from);
	from = copy_task(&to->vtid, set, MARKER_CONTEXT_VTID, from);
	from = copy_task(&to->vpid, set, MARKER_CONTEXT_VPID, from);
	from = copy_context(&to->prio, set, MARKER_CONTEXT_PRIO, from);
	from = copy_context(&to->cgroup_id, set, MARKER_CONTEXT_CGROUP_ID, from);
	to->nr_frames = 0;
	to->frames = copy_context(&to->nr_frames, set, MARKER_CONTEXT_CALLSTACK, from);
}
