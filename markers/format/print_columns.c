// SPDX-License-Identifier: GPL-2.0
/*
 * The columns that stand before the text of an event, their legend, and the stack below
 * it.  For the readers of trace and trace_pipe, and for the last words of a dying kernel.
 */
#include <markers/uapi/text.h>
#include "out.h"
#include "print.h"

/* The name of a task, aligned to the right.  It may have any bytes. */
static void put_procname(struct marker_out *out, const struct marker_contexts *contexts)
{
	const char *name = contexts->procname;

	if (marker_context_has(contexts->set, MARKER_CONTEXT_TID) && !contexts->tid)
		name = "<idle>";
	marker_out_aligned(out, name, name + strlen(name), TEXT_PROCNAME_WIDTH, false);
}

/* As %-*d. */
static void put_left(struct marker_out *out, s64 value, int width)
{
	const char *begin = out->at;

	if (value < 0)
		marker_out_char(out, '-');
	marker_out_decimal(out, value < 0 ? -(u64)value : (u64)value, 1);
	marker_out_blanks(out, width - (int)(out->at - begin));
}

/* As %*d. */
static void put_right(struct marker_out *out, s64 value, int width)
{
	char text[MARKER_OUT_DIGITS + 2];
	struct marker_out digits = { text, text + sizeof(text) - 1 };

	put_left(&digits, value, 0);
	marker_out_blanks(out, width - (int)(digits.at - text));
	marker_out_bytes(out, text, digits.at - text);
}

/* "procname-tid (pid) ", or what there is of it. */
static void put_task(struct marker_out *out, const struct marker_contexts *contexts)
{
	const bool has_tid = marker_context_has(contexts->set, MARKER_CONTEXT_TID);

	if (marker_context_has(contexts->set, MARKER_CONTEXT_PROCNAME)) {
		put_procname(out, contexts);
		marker_out_char(out, has_tid ? '-' : ' ');
	}
	if (has_tid) {
		put_left(out, contexts->tid, TEXT_TID_WIDTH);
		marker_out_char(out, ' ');
	}
	if (marker_context_has(contexts->set, MARKER_CONTEXT_PID)) {
		marker_out_char(out, '(');
		put_right(out, contexts->pid, TEXT_TID_WIDTH);
		marker_out_bytes(out, ") ", 2);
	}
}

/* "name=value ", if it is in the set. */
static void put_other(struct marker_out *out, const struct marker_contexts *contexts,
		      enum marker_context context, s64 value)
{
	const char *name, *before, *after;

	if (!marker_context_has(contexts->set, context))
		return;
	name = marker_context_type(context, &before, &after);
	marker_out_bytes(out, name, strlen(name));
	marker_out_char(out, '=');
	put_left(out, value, 0);
	marker_out_char(out, ' ');
}

/* The contexts that ftrace has no column for. */
static void put_others(struct marker_out *out, const struct marker_contexts *contexts)
{
	put_other(out, contexts, MARKER_CONTEXT_VTID, contexts->vtid);
	put_other(out, contexts, MARKER_CONTEXT_VPID, contexts->vpid);
	put_other(out, contexts, MARKER_CONTEXT_PRIO, contexts->prio);
	put_other(out, contexts, MARKER_CONTEXT_CGROUP_ID, contexts->cgroup_id);
}

static void put_flags(struct marker_out *out, const struct marker_contexts *contexts)
{
	char letters[TEXT_FLAGS_WIDTH];

	if (!marker_context_has(contexts->set, MARKER_CONTEXT_FLAGS))
		return;
	text_flags(letters, contexts->flags);
	marker_out_bytes(out, letters, sizeof(letters));
	marker_out_char(out, ' ');
}

static void put_columns(struct marker_out *out, const struct marker_contexts *contexts, int cpu)
{
	put_task(out, contexts);
	marker_out_char(out, '[');
	marker_out_decimal(out, cpu, 3);
	marker_out_char(out, ']');
	marker_out_char(out, ' ');
	put_flags(out, contexts);
	put_others(out, contexts);
}

size_t marker_print_columns(char *buf, size_t size, const struct marker_contexts *contexts,
			    int cpu)
{
	struct marker_out out = { buf, buf + size - 1 };

	if (!size)
		return 0;
	put_columns(&out, contexts, cpu);
	*out.at = '\0';
	return out.at - buf;
}

size_t marker_print_heading(char *buf, size_t size,
			    const struct marker_contexts *contexts, int cpu,
			    u64 seconds, u32 ns, const char *title)
{
	struct marker_out out = { buf, buf + size - 1 };
	u32 least;

	if (!size)
		return 0;
	put_columns(&out, contexts, cpu);
	/* five places */
	for (least = 10000; least > 1 && least > seconds; least /= 10)
		marker_out_char(&out, ' ');
	marker_out_decimal(&out, seconds, 1);
	marker_out_char(&out, '.');
	marker_out_decimal(&out, ns, 9);
	marker_out_char(&out, ':');
	marker_out_char(&out, ' ');
	marker_out_bytes(&out, title, strlen(title));
	marker_out_char(&out, ':');
	*out.at = '\0';
	return out.at - buf;
}

size_t marker_print_callstack(char *buf, size_t size,
			      const struct marker_contexts *contexts, bool is_foreign)
{
	struct marker_out out = { buf, buf + size - 1 };
	unsigned int i;
	u64 address;
	int len;

	if (!size)
		return 0;
	for (i = 0; i < contexts->nr_frames; i++) {
		memcpy(&address, contexts->frames + i * sizeof(address), sizeof(address));
		marker_out_bytes(&out, " => ", 4);
		if (is_foreign)
			len = snprintf(out.at, marker_out_room(&out), "0x%llx",
				       (unsigned long long)address);
		else
			len = marker_print_extension(out.at, marker_out_room(&out), "%pS",
						     (void *)(uintptr_t)address);
		marker_out_printed(&out, len);
		marker_out_char(&out, '\n');
	}
	*out.at = '\0';
	return out.at - buf;
}

/*
 * The legend
 */

/**
 * struct line - a line of the legend
 * @out:	where it goes
 * @begin:	its first character
 */
struct line {
	struct marker_out *out;
	const char *begin;
};

static struct line begin_line(struct marker_out *out)
{
	struct line line = { out, out->at };

	marker_out_char(out, '#');
	return line;
}

/* @words from @column on; columns count from 0. */
static void put_at(const struct line *line, int column, const char *words)
{
	marker_out_blanks(line->out, column - (int)(line->out->at - line->begin));
	marker_out_bytes(line->out, words, strlen(words));
}

static void put_line(struct marker_out *out, int column, const char *words)
{
	const struct line line = begin_line(out);

	put_at(&line, column, words);
	marker_out_char(out, '\n');
}

size_t marker_print_legend(char *buf, size_t size, u32 set)
{
	const bool has_name = marker_context_has(set, MARKER_CONTEXT_PROCNAME);
	const bool has_tid = marker_context_has(set, MARKER_CONTEXT_TID);
	const bool has_flags = marker_context_has(set, MARKER_CONTEXT_FLAGS);
	struct marker_out out = { buf, buf + size - 1 };
	const int tid = has_name ? TEXT_PROCNAME_WIDTH + 1 : 0;
	const int pid = has_tid ? tid + TEXT_TID_WIDTH + 1 : tid;
	const int cpu = pid + (marker_context_has(set, MARKER_CONTEXT_PID) ?
			       TEXT_TID_WIDTH + 3 : 0);
	const int flags = cpu + 6;
	const int time = flags + (has_flags ? TEXT_FLAGS_WIDTH + 1 : 0);
	const u32 others = set & (BIT(MARKER_CONTEXT_VTID) | BIT(MARKER_CONTEXT_VPID) |
				  BIT(MARKER_CONTEXT_PRIO) | BIT(MARKER_CONTEXT_CGROUP_ID));
	struct line line;

	if (!size)
		return 0;
	if (has_flags) {
		put_line(&out, flags + 2, "_---=> irqs-off/BH-disabled");
		put_line(&out, flags + 1, "/ _--=> need-resched");
		put_line(&out, flags, "| / _-=> hardirq/softirq/NMI");
		put_line(&out, flags, "|| / _=> preempt-depth");
	}
	line = begin_line(&out);
	if (has_name)
		put_at(&line, tid - 5, "TASK");
	if (has_tid)
		put_at(&line, has_name ? tid - 1 : 2, has_name ? "-TID" : "TID");
	if (cpu != pid)
		put_at(&line, max(pid + 4, 2), "PID");
	put_at(&line, max(cpu, 2), "CPU#");
	if (has_flags)
		put_at(&line, flags, "||||");
	if (others)
		put_at(&line, time, "OTHERS ");
	put_at(&line, time + 3, "SECONDS");
	put_at(&line, time + 17, "MODULE:MARKER: TEXT");
	marker_out_char(&out, '\n');
	*out.at = '\0';
	return out.at - buf;
}
