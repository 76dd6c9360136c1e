// SPDX-License-Identifier: GPL-2.0
/*
 * Rewrites the metadata line by line. It relies on the layout that markers.ko writes, and
 * copies unknown lines unchanged. Events of the samples kernel_events and kernel_syscalls lose
 * their module.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/temporary.h"
#include "../ctf/trace_files.h"
#include "../events/functions.h"
#include "../reader/description.h"
#include "../reader/packet_file.h"
#include "../reader/record.h"
#include "lttng.h"

#define WRITE_SIZE	65536	/* whole pages at a time, whatever the packets have */

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

/*
 * The metadata has all events that markers.ko has ever known.  So the names are collected of
 * those that were recorded.
 */
struct recorded {
	char **name;		/* "module:marker", perhaps again for each part */
	size_t nr;
	bool have_stacks;
	bool is_damaged;
};

/**
 * struct copy - a part of a recording that is copied
 * @recorded: gets the names
 * @description: its metadata
 * @is_recorded: the events of @description, those that were recorded
 * @to: the new directory
 */
struct copy {
	struct recorded *recorded;
	struct description *description;
	bool *is_recorded;
	const char *to;
};

static void add_names(const struct copy *copy)
{
	struct recorded *names = copy->recorded;
	unsigned int i;

	for (i = 0; i < copy->description->nr_classes; i++) {
		if (!copy->is_recorded[i])
			continue;
		names->name = need_memory(realloc(names->name, (names->nr + 1) *
						  sizeof(*names->name)));
		names->name[names->nr++] =
			need_memory(strdup(copy->description->class[i].kind->name));
	}
}

static void recorded_free(struct recorded *names)
{
	while (names->nr)
		free(names->name[--names->nr]);
	free(names->name);
}

static bool has_calls(const struct recorded *names)
{
	size_t i;

	for (i = 0; i < names->nr; i++)
		if (!strncmp(names->name[i], SYSCALLS, strlen(SYSCALLS)))
			return true;
	return false;
}

/* The name of an event in the export; NULL: it is none of the kernel's. */
static const char *new_name(const struct recorded *names, size_t i)
{
	const char *name = names->name[i];

	if (!strncmp(name, SYSCALLS, strlen(SYSCALLS)))
		return name + strlen(SYSCALLS);
	if (!strncmp(name, "kernel_events:", 14))
		return event_name(name + 14, has_calls(names));
	return NULL;
}

static bool has_event(const struct recorded *names, const char *wanted)
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

static void say_views(const struct recorded *names)
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

/* @name, and the name that it has until it is complete, are removed with the directory @to. */
static void announce(const char *to, const char *name)
{
	char *new = format_text(".%s.new", name);

	free(temporary_file(to, new));
	free(temporary_file(to, name));
	free(new);
}

/* Copy the packets that are whole. */
static int copy_packets(const struct copy *copy, struct packet_file *file, FILE *out,
			const char *path)
{
	const char *wrong;
	const void *at;
	off_t size = 0;
	size_t n;

	for (packet_file_begin(file); packet_file_has(file); packet_file_next(file), size += n) {
		if (packet_file_load(file))
			return STATUS_FAILED;
		n = file->header.packet_size / 8;
		wrong = record_find_classes(copy->description, file->packet, n, copy->is_recorded,
					    &at);
		if (wrong)
			packet_file_damaged(file, at, wrong, false);
		if (fwrite(file->packet, 1, n, out) < n ||
		    file_write_behind(fileno(out), size, size + n))
			return say_errno("%s", path);
	}
	return fflush(out) ? say_errno("%s", path) : STATUS_OK;
}

static int copy_stream(const struct copy *copy, const struct trace_stream *stream)
{
	struct packet_file file = { .stream = stream, .uuid = copy->description->uuid };
	char *path = temporary_file(copy->to, strrchr(stream->path, '/') + 1);
	FILE *out = fopen(path, "wex");
	int status;

	if (out) {
		setvbuf(out, NULL, _IOFBF, WRITE_SIZE);
		status = copy_packets(copy, &file, out, path);
		fclose(out);
	} else {
		status = say_errno("%s", path);
	}
	if (file.damaged)
		copy->recorded->is_damaged = true;
	packet_file_release(&file);
	free(path);
	return status;
}

static int write_metadata(const char *metadata, const char *to, const struct recorded *names)
{
	char *text = lttng_metadata(metadata, has_calls(names)), *path;
	int status = STATUS_OK;

	announce(to, "metadata");
	path = format_text("%s/metadata", to);
	if (file_write(AT_FDCWD, path, O_CREAT | O_TRUNC, text))
		status = say_errno("%s", path);
	free(path);
	free(text);
	return status;
}

/* The description is freed. */
static int copy_streams(const struct trace_part *part, struct description *description, const char *to,
			struct recorded *names)
{
	struct copy copy = { .recorded = names, .to = to, .description = description };
	int status = STATUS_OK;
	unsigned int i;

	copy.is_recorded = need_memory(calloc(copy.description->nr_classes + 1, sizeof(bool)));
	for (i = 0; i < part->nr_streams && !status; i++)
		status = copy_stream(&copy, &part->stream[i]);
	add_names(&copy);
	names->have_stacks |= functions_has_stacks(&copy.description->contexts);
	free(copy.is_recorded);
	description_free(copy.description);
	return status;
}

static int make_directory(const char *path)
{
	if (!temporary_mkdir(path))
		return STATUS_OK;
	if (errno == EEXIST)
		return say("%s exists: remove it, or say with -o which directory to make", path);
	return say_errno("%s", path);
}

/* Return: the metadata of a part that is not left out; or NULL, and says why. */
static struct description *describe(const struct trace_part *part)
{
	struct description *description;
	char *wrong;

	description = description_parse(part->metadata, &wrong);
	if (!description) {
		say("%s/metadata: %s", part->path, wrong);
		free(wrong);
	}
	return description;
}

static char *part_directory(const struct trace_files *files, size_t part, const char *output)
{
	return format_text("%s%s", output, files->nr > 1 ? strrchr(files->part[part].path, '/') : "");
}

/*
 * Export to a directory that temporary_mkdir() made: after a failure nothing of it remains. The
 * names in the metadata depend on the events of all parts.
 */
static int export_parts(const struct trace_files *files, const char *output, struct recorded *names)
{
	bool *copied = need_memory(calloc(files->nr + 1, sizeof(*copied)));
	struct description *description;
	int status = STATUS_OK;
	size_t i, nr = 0;
	char *to;

	for (i = 0; i < files->nr && !status; i++) {
		description = describe(&files->part[i]);
		copied[i] = description;
		if (!description) {
			names->is_damaged = true;
			continue;
		}
		nr++;
		to = part_directory(files, i, output);
		if (files->nr > 1)
			status = make_directory(to);
		if (!status)
			status = copy_streams(&files->part[i], description, to, names);
		else
			description_free(description);
		free(to);
	}
	for (i = 0; i < files->nr && !status; i++) {
		if (!copied[i])
			continue;
		to = part_directory(files, i, output);
		status = write_metadata(files->part[i].metadata, to, names);
		free(to);
	}
	free(copied);
	if (!nr)
		status = STATUS_FAILED;
	if (status)
		temporary_remove(need_memory(strdup(output)));
	else
		temporary_keep(output);
	return status;
}

int lttng_export(const char *path, const char *output)
{
	struct recorded names = {};
	struct trace_files files;
	int status;

	status = trace_files_open(&files, path);
	if (status)
		return status;
	names.is_damaged = files.damaged;
	status = make_directory(output);
	if (!status)
		status = export_parts(&files, output, &names);
	if (!status) {
		say_views(&names);
		if (names.have_stacks)
			say("the functions of stacks are addresses there, without names");
		say(names.is_damaged ? "what can be read of it was copied to %s" : "it was copied to %s",
		    output);
	}
	recorded_free(&names);
	trace_files_close(&files);
	return names.is_damaged ? STATUS_FAILED : status;
}
