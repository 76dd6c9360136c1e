// SPDX-License-Identifier: GPL-2.0
/*
 * Rewrites the metadata line by line. It relies on the layout that markers.ko writes, and
 * copies unknown lines unchanged. Events of the samples kernel_events and kernel_syscalls lose
 * their module.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "lttng.h"

/*
 * New names of events and of their fields; NULL: the name stays. The events of kernel_syscalls
 * have LTTng's names already. For Trace Compass, sys_ begins the name of a call.
 */
static const struct {
	const char *event;
	const char *new_event;
	const char *field;
	const char *new_field;
} renamed[] = {
	{ "sched_switch", NULL, "prev_pid", "prev_tid" },
	{ "sched_switch", NULL, "next_pid", "next_tid" },
	{ "sched_wakeup", NULL, "pid", "tid" },
	{ "sched_wakeup_new", NULL, "pid", "tid" },
	{ "sched_waking", NULL, "pid", "tid" },
	{ "sched_migrate_task", NULL, "pid", "tid" },
	{ "sched_process_fork", NULL, "parent_pid", "parent_tid" },
	{ "sched_process_fork", NULL, "child_pid", "child_tid" },
	{ "sched_process_fork", NULL, "child_tgid", "child_pid" },
	{ "sched_process_exec", NULL, "pid", "tid" },
	{ "sched_process_exit", NULL, "pid", "tid" },
	{ "sched_process_free", NULL, "pid", "tid" },
	{ "sched_pi_setprio", NULL, "pid", "tid" },
	{ "irq_handler_exit", NULL, "handled", "ret" },
	{ "cpu_frequency", "power_cpu_frequency", NULL, NULL },
	{ "process_state", "lttng_statedump_process_state", NULL, NULL },
	{ "sys_exit", "exit_syscall", NULL, NULL },
};

#define NR_RENAMED	(sizeof(renamed) / sizeof(*renamed))

#define SYSCALLS	"kernel_syscalls:"
#define ANY_CALL	"sys_"		/* an event whose name begins so */

/* The events that each view of Trace Compass needs. */
static const struct {
	const char *name;
	const char *events[10];
} views[] = {
	{ "Control Flow", { "sched_switch", "sched_wakeup", "sched_wakeup_new",
			    "sched_process_fork", "sched_process_exit", "sched_process_free",
			    "lttng_statedump_process_state" } },
	{ "Resources", { "sched_switch", "irq_handler_entry", "irq_handler_exit",
			 "softirq_raise", "softirq_entry", "softirq_exit" } },
	{ "CPU Usage", { "sched_switch" } },
	{ "Critical Flow", { "sched_switch", "sched_wakeup", "sched_wakeup_new",
			     "irq_handler_entry", "irq_handler_exit", "softirq_entry",
			     "softirq_exit", "hrtimer_expire_entry", "hrtimer_expire_exit" } },
	{ "Disk I/O Activity", { "block_rq_insert", "block_rq_issue", "block_rq_complete" } },
	{ "System Call Latency", { ANY_CALL, "exit_syscall" } },
};

#define VIEW_EVENTS	(sizeof(views->events) / sizeof(*views->events))

/* @has_calls: there is kernel_syscalls, so these two are no begin and no end of a call. */
static const char *event_name(const char *name, bool has_calls)
{
	size_t i;

	if (has_calls && !strcmp(name, "sys_enter"))
		return "raw_sys_enter";
	if (has_calls && !strcmp(name, "sys_exit"))
		return "raw_sys_exit";
	for (i = 0; i < NR_RENAMED; i++)
		if (renamed[i].new_event && !strcmp(renamed[i].event, name))
			return renamed[i].new_event;
	return name;
}

static const char *field_name(const char *event, const char *name)
{
	size_t i;

	for (i = 0; i < NR_RENAMED; i++)
		if (renamed[i].field && !strcmp(renamed[i].event, event) &&
		    !strcmp(renamed[i].field, name))
			return renamed[i].new_field;
	return name;
}

/* Write a line of an event. The line with its name sets @event. */
static void put_line(FILE *out, const char *line, char event[256], bool has_calls)
{
	char type[64], name[256];

	if (!strncmp(line, "event {", 7))
		*event = '\0';
	if (sscanf(line, "\tname = \"kernel_events:%255[^\"]\";", name) == 1) {
		strcpy(event, name);
		fprintf(out, "\tname = \"%s\";\n", event_name(name, has_calls));
	} else if (sscanf(line, "\tname = \"kernel_syscalls:%255[^\"]\";", name) == 1) {
		fprintf(out, "\tname = \"%s\";\n", name);
	} else if (*event && sscanf(line, "\t\t%63[a-z0-9_] _%255[a-z0-9_];", type, name) == 2 &&
		   strcmp(field_name(event, name), name)) {
		fprintf(out, "\t\t%s _%s;\n", type, field_name(event, name));
	} else {
		fprintf(out, "%s\n", line);
	}
}

char *lttng_metadata(const char *metadata, bool has_calls)
{
	char *copy = need_memory(strdup(metadata)), *rest = copy, *line, *text = NULL;
	char event[256] = "";
	size_t size;
	FILE *out = open_memstream(&text, &size);

	need_memory(out);
	while ((line = strsep(&rest, "\n")))
		if (rest || *line)
			put_line(out, line, event, has_calls);
	fclose(out);
	free(copy);
	return need_memory(text);
}

bool lttng_has_calls(const struct lttng_recorded *names)
{
	size_t i;

	for (i = 0; i < names->nr; i++)
		if (!strncmp(names->name[i], SYSCALLS, strlen(SYSCALLS)))
			return true;
	return false;
}

/* The name of an event in the export; NULL: it is none of the kernel's. */
static const char *new_name(const struct lttng_recorded *names, size_t i)
{
	const char *name = names->name[i];

	if (!strncmp(name, SYSCALLS, strlen(SYSCALLS)))
		return name + strlen(SYSCALLS);
	if (!strncmp(name, "kernel_events:", 14))
		return event_name(name + 14, lttng_has_calls(names));
	return NULL;
}

static bool has_event(const struct lttng_recorded *names, const char *wanted)
{
	const char *name;
	size_t i;

	for (i = 0; i < names->nr; i++) {
		name = new_name(names, i);
		if (name && (strcmp(wanted, ANY_CALL) ? !strcmp(name, wanted) :
							!strncmp(name, wanted, strlen(wanted))))
			return true;
	}
	return false;
}

void lttng_say_views(const struct lttng_recorded *names)
{
	char lacks[512];
	size_t i, n, at;

	for (i = 0; i < sizeof(views) / sizeof(*views); i++) {
		for (n = at = 0; n < VIEW_EVENTS && views[i].events[n]; n++)
			if (!has_event(names, views[i].events[n]))
				at += snprintf(lacks + at, sizeof(lacks) - at, " %s",
					       views[i].events[n]);
		if (at)
			say("view \"%s\": the recording does not have%s", views[i].name, lacks);
	}
}
