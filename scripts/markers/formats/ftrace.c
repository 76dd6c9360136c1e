// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "../base/put.h"
#include "../events/text.h"
#include "../reader/line.h"
#include "ftrace.h"

/* ftrace's text for the events of samples/kernel-events.c, with our fields in braces. */
static const struct words {
	const char *marker;
	const char *text;
} known[] = {
	{ "sched_switch", "prev_comm={prev_comm} prev_pid={prev_pid} prev_prio={prev_prio} prev_state={prev_state} ==> next_comm={next_comm} next_pid={next_pid} next_prio={next_prio}" },
	{ "sched_wakeup", "comm={comm} pid={pid} prio={prio} target_cpu={target_cpu}" },
	{ "sched_wakeup_new", "comm={comm} pid={pid} prio={prio} target_cpu={target_cpu}" },
	{ "sched_waking", "comm={comm} pid={pid} prio={prio} target_cpu={target_cpu}" },
	{ "sched_migrate_task", "comm={comm} pid={pid} prio={prio} orig_cpu={orig_cpu} dest_cpu={dest_cpu}" },
	{ "sched_pi_setprio", "comm={comm} pid={pid} oldprio={oldprio} newprio={newprio}" },
	{ "sched_process_fork", "comm={parent_comm} pid={parent_pid} child_comm={child_comm} child_pid={child_pid}" },
	{ "sched_process_exec", "filename={filename} pid={pid} old_pid={old_pid}" },
	{ "sched_process_exit", "comm={comm} pid={pid} prio={prio}" },
	{ "sched_process_free", "comm={comm} pid={pid} prio={prio}" },
	{ "irq_handler_entry", "irq={irq} name={name}" },
	{ "irq_handler_exit", "irq={irq} ret={handled}" },
	{ "softirq_entry", "vec={vec} [action={vec}]" },
	{ "softirq_exit", "vec={vec} [action={vec}]" },
	{ "softirq_raise", "vec={vec} [action={vec}]" },
	{ "sys_enter", "NR {nr} ({a0}, {a1}, {a2}, {a3}, {a4}, {a5})" },
	{ "sys_exit", "NR {nr} = {ret}" },
};

static const struct words *find_words(const struct kind *kind)
{
	size_t i;

	/* another module may have markers with these names, and with other fields */
	if (strncmp(kind->name, "kernel_events:", 14))
		return NULL;
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].marker, kind->marker))
			return &known[i];
	return NULL;
}

bool ftrace_is_known(const struct kind *kind)
{
	return find_words(kind);
}

void ftrace_begin(FILE *out)
{
	fputs("# tracer: nop\n#\n"
	      "#                                _-----=> irqs-off/BH-disabled\n"
	      "#                               / _----=> need-resched\n"
	      "#                              | / _---=> hardirq/softirq\n"
	      "#                              || / _--=> preempt-depth\n"
	      "#           TASK-PID     CPU#  ||||   TIMESTAMP  FUNCTION\n"
	      "#              | |         |   ||||      |         |\n", out);
}

/* Write the state of a task as letters, one for each bit of TASK_REPORT. */
static void put_state(FILE *out, uint64_t state, bool preempted)
{
	static const char letters[] = "SDTtXZPI";
	const char *between = "";
	unsigned int i;

	if (!(state & 0xff))
		fputs("R", out);
	for (i = 0; letters[i]; i++)
		if (state >> i & 1) {
			fprintf(out, "%s%c", between, letters[i]);
			between = "|";
		}
	if (preempted)
		fputs("+", out);
}

static void put_handled(FILE *out, uint64_t handled)
{
	fputs(handled ? "handled" : "unhandled", out);
}

static void put_vector(FILE *out, uint64_t vec)
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK",
					     "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };

	fputs(vec < sizeof(names) / sizeof(*names) ? names[vec] : "?", out);
}

static void put_field(FILE *out, const struct event *event, const char *name, bool is_action)
{
	const struct value *value = event_value(event, name), *preempt;

	if (!value)
		putc('?', out);
	else if (!strcmp(name, "prev_state"))
		put_state(out, value->number,
			  (preempt = event_value(event, "preempt")) && preempt->number);
	else if (!strcmp(name, "handled"))
		put_handled(out, value->number);
	else if (is_action)
		put_vector(out, value->number);
	else if (name[0] == 'a' && value->field->base == 16)
		fprintf(out, "%" PRIx64, value->number);
	else
		text_value(out, value);
}

static void put_words(FILE *out, const struct event *event, const char *text)
{
	for (; *text; text++) {
		char name[64];
		size_t n;

		if (*text != '{') {
			putc_unlocked(*text, out);
			continue;
		}
		n = strcspn(++text, "}");
		snprintf(name, sizeof(name), "%.*s", (int)n, text);
		put_field(out, event, name, text[-2] == '=' && text[n + 1] == ']');
		text += n;
	}
}

void ftrace_event(FILE *out, const struct event *event)
{
	const struct words *words = find_words(event->kind);

	line_put_columns(out, event);
	text_time(out, event->time, 6);
	put_string(out, ": ");
	put_string(out, event->kind->marker);
	putc_unlocked(':', out);
	if (words) {
		putc_unlocked(' ', out);
		put_words(out, event, words->text);
	} else {
		text_fields(out, event, NULL);
	}
	putc_unlocked('\n', out);
}

void ftrace_loss(FILE *out, const struct loss *loss)
{
	fprintf(out, "CPU:%u [LOST %" PRIu64 " EVENTS]\n", loss->cpu, loss->count);
}
