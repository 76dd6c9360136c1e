// SPDX-License-Identifier: GPL-2.0
/*
 * The file has the formats of events first, then the names of tasks, and the pages of each CPU
 * last. But the names are not complete before the last event. So the pages are written first,
 * one CPU after the other, and then moved up to make room for the rest.
 *
 * Numbers are fields with types of C. Texts and bytes are "__data_loc": a word holds the offset
 * and the length of data that follows the fields. But the names of tasks in the kernel's own
 * events are arrays of 16 characters, because plugins of readers expect arrays.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <markers/uapi/ctf.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../events/functions.h"
#include "dat_formats.h"
#include "pages.h"
#include "trace_dat.h"

#define NR_NAMES	65536	/* names of tasks to keep, a power of two */

enum { OPTION_DONE = 0, OPTION_TRACECLOCK = 4, OPTION_UNAME = 5 };

/* The bits of ftrace's common_flags. */
enum { IRQS_OFF = 0x01, NEED_RESCHED = 0x04, HARDIRQ = 0x08, SOFTIRQ = 0x10,
	PREEMPT_RESCHED = 0x20, NMI = 0x40, BH_OFF = 0x80 };

struct task {
	int tid;
	char name[COMM_SIZE];
	uint64_t time;
};

/**
 * struct part - the pages of a CPU in the file
 * @offset: where they begin
 * @size: their bytes
 */
struct part {
	uint64_t offset;
	uint64_t size;
};

/**
 * struct trace_dat - the state of the file
 * @info: facts of the trace
 * @pages: the pages of the current CPU
 * @cpu: its number
 * @nr_cpus: number of @part; 0 before the first event or loss
 * @part: the pages of each CPU that was read
 * @formats: the kinds of events that occurred
 * @nr_cut: events whose texts were truncated
 * @task: a hash table of tasks
 * @nr_tasks: number of tasks in it
 */
struct trace_dat {
	const struct trace_info *info;
	struct pages pages;
	unsigned int cpu;
	unsigned int nr_cpus;
	struct part *part;
	struct dat_formats formats;
	uint64_t nr_cut;
	struct task *task;
	size_t nr_tasks;
};

struct trace_dat *trace_dat_create(const struct trace_info *info, FILE *out)
{
	struct trace_dat *dat = need_memory(calloc(1, sizeof(*dat)));

	dat->info = info;
	dat->pages.file = out;
	dat->task = need_memory(calloc(NR_NAMES, sizeof(*dat->task)));
	return dat;
}

/* No page follows the last loss, so an event of its own reports it. */
static void put_last_loss(struct pages *pages)
{
	uint64_t count = pages->lost;
	uint8_t data[2 * COMMON_SIZE] = {};
	uint16_t id = LOST_ID;

	pages->lost = 0;
	memcpy(data, &id, sizeof(id));
	memcpy(data + COMMON_SIZE, &count, sizeof(count));
	pages_add(pages, pages->last, data, sizeof(data));
}

static void end_cpu(struct trace_dat *dat)
{
	struct part *part = &dat->part[dat->cpu];

	pages_flush(&dat->pages);
	if (dat->pages.lost) {
		put_last_loss(&dat->pages);
		pages_flush(&dat->pages);
	}
	part->size = dat->pages.size - part->offset;
}

/* Go on to the pages of a CPU. Return: false if it had its turn. */
static bool turn_to(struct trace_dat *dat, unsigned int cpu)
{
	if (dat->nr_cpus && dat->cpu == cpu)
		return true;
	if (dat->nr_cpus)
		end_cpu(dat);
	if (cpu >= dat->nr_cpus) {
		dat->part = need_memory(realloc(dat->part, (cpu + 1) * sizeof(*dat->part)));
		memset(dat->part + dat->nr_cpus, 0, (cpu + 1 - dat->nr_cpus) * sizeof(*dat->part));
		dat->nr_cpus = cpu + 1;
	}
	if (dat->part[cpu].size) {
		say("the packets of CPU %u are not in one stream", cpu);
		dat->pages.error = EBADMSG;
		return false;
	}
	dat->part[cpu].offset = dat->pages.size;
	dat->pages.last = 0;
	dat->cpu = cpu;
	return true;
}

/*
 * Keep the last name of a task; it may have run on a CPU that was read before. In the file a name
 * is the rest of a line.
 */
static void keep_name(struct trace_dat *dat, int tid, uint64_t time, const struct value *name)
{
	size_t i = (unsigned int)tid * 0x9e3779b1u, size, at;

	for (;; i++) {
		struct task *task = &dat->task[i & (NR_NAMES - 1)];

		if (task->tid != tid && task->tid)
			continue;
		if (!task->tid && dat->nr_tasks++ >= NR_NAMES / 2) {
			dat->nr_tasks--;
			return;
		}
		if (time < task->time)
			return;
		task->tid = tid;
		task->time = time;
		size = name->size < COMM_SIZE ? name->size : COMM_SIZE - 1;
		memcpy(task->name, name->text, size);
		task->name[size] = '\0';
		for (at = 0; at < size; at++)
			if (iscntrl((unsigned char)task->name[at]))
				task->name[at] = '?';
		return;
	}
}

static uint8_t flags_of(unsigned int flags)
{
	return (flags & CTF_FLAG_IRQS_OFF ? IRQS_OFF : 0) |
	       (flags & CTF_FLAG_RESCHED ? NEED_RESCHED : 0) |
	       (flags & CTF_FLAG_HARDIRQ ? HARDIRQ : 0) |
	       (flags & CTF_FLAG_SOFTIRQ ? SOFTIRQ : 0) |
	       (flags & CTF_FLAG_PREEMPT_RESCHED ? PREEMPT_RESCHED : 0) |
	       (flags & CTF_FLAG_NMI ? NMI : 0) | (flags & CTF_FLAG_BH_OFF ? BH_OFF : 0);
}

static void put_common(struct trace_dat *dat, const struct event *event, uint16_t id,
		       uint8_t *data)
{
	const struct value *tid = event_context(event, "tid");
	const struct value *flags = event_context(event, "flags");
	const struct value *name = event_context(event, "procname");
	int32_t pid = tid ? tid->number : 0;

	memcpy(data, &id, sizeof(id));
	data[2] = flags ? flags_of(flags->number) : 0;
	data[3] = flags ? flags->number & CTF_FLAG_DEPTH : 0;
	memcpy(data + 4, &pid, sizeof(pid));
	/* trace-cmd reads names with scanf(), and no more of them after an empty one */
	if (pid && name && name->text && name->text[strspn(name->text, " \t\n\v\f\r")])
		keep_name(dat, pid, event->time, name);
}

/* Write a text behind the fields, and where it is in a field. Return: its end. */
static size_t put_text(uint8_t *data, size_t field, size_t end, const char *text, size_t size,
		       bool is_text, bool *is_cut)
{
	size_t room = MAX_DATA - end, n = size + is_text;
	uint32_t where;

	*is_cut |= n > room;
	n = n < room ? n : room;
	where = n << 16 | end;
	memcpy(data + field, &where, sizeof(where));
	if (n)
		memcpy(data + end, text, n - is_text);
	if (n && is_text)
		data[end + n - 1] = '\0';
	return end + n;
}

/* The stack of an event is an event of its own behind it, with a line for each function. */
static bool put_stack(struct trace_dat *dat, const struct event *event)
{
	uint8_t data[MAX_DATA];
	char *text = NULL;
	size_t size, end;
	bool is_cut = false;
	FILE *out;

	if (!functions_stack(event))
		return false;
	out = need_memory(open_memstream(&text, &size));
	putc('\n', out);
	functions_put_stack(out, event);
	fclose(out);
	put_common(dat, event, STACK_ID, data);
	end = put_text(data, COMMON_SIZE, COMMON_SIZE + 4, need_memory(text), size - 1, true,
		       &is_cut);
	pages_add(&dat->pages, event->time, data, end);
	free(text);
	return is_cut;
}

bool trace_dat_event(struct trace_dat *dat, const struct event *event)
{
	uint8_t data[MAX_DATA];
	size_t at = COMMON_SIZE, end = COMMON_SIZE;
	uint16_t id = dat_formats_id(&dat->formats, event->kind);
	bool is_cut = false;
	unsigned int i;

	if (!id) {
		say("events of more than %u markers do not fit in trace.dat: choose some with --event",
		    MAX_FORMATS);
		dat->pages.error = EOVERFLOW;
		return false;
	}
	if (!turn_to(dat, event->cpu))
		return false;
	put_common(dat, event, id, data);
	for (i = 0; i < event->nr_values; i++)
		end += dat_size_of(event->kind, event->value[i].field);
	memset(data + at, 0, end - at);
	for (i = 0; i < event->nr_values; i++) {
		const struct value *value = &event->value[i];
		bool is_text = value->field->type == VALUE_TEXT;
		unsigned int size = dat_size_of(event->kind, value->field);

		if (dat_is_comm(event->kind, value->field)) {
			memcpy(data + at, value->text,
			       value->size < size ? value->size : size - 1);
		} else if (is_text || value->field->type == VALUE_BYTES) {
			end = put_text(data, at, end, value->text, value->size, is_text, &is_cut);
		} else {
			memcpy(data + at, &value->number, size);
		}
		at += size;
	}
	pages_add(&dat->pages, event->time, data, end);
	is_cut |= put_stack(dat, event);
	dat->nr_cut += is_cut;
	return !dat->pages.error;
}

bool trace_dat_loss(struct trace_dat *dat, const struct loss *loss)
{
	struct pages *pages = &dat->pages;

	if (!turn_to(dat, loss->cpu))
		return false;
	pages_lose(pages, loss->count);
	if (pages->last < loss->end)
		pages->last = loss->end;
	return !pages->error;
}

/*
 * The file
 */

/* Write the size of a text in 8 bytes, then the text. */
static void put_sized(FILE *out, const char *text)
{
	put_u64(out, strlen(text));
	fputs(text, out);
}

static void put_headers(FILE *out)
{
	fwrite("\x17\x08\x44tracing6\0\0\x08", 1, 14, out);
	put_u32(out, PAGE_BYTES);
	fwrite("header_page", 1, 12, out);
	put_sized(out,
		  "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n");
	fwrite("header_event", 1, 13, out);
	put_sized(out,
		  "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
		  "\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
		  "\ttime_extend : type == 30\n\tdata max type_len  == 28\n");
	put_u32(out, 0);	/* no formats of ftrace itself */
}

static void put_names(FILE *out, const struct trace_dat *dat)
{
	char *text = NULL;
	size_t size, i;
	FILE *memory = open_memstream(&text, &size);

	need_memory(memory);
	for (i = 0; i < NR_NAMES; i++)
		if (dat->task[i].tid)
			fprintf(memory, "%d %s\n", dat->task[i].tid, dat->task[i].name);
	fclose(memory);
	put_u64(out, size);
	fwrite(text, 1, size, out);
	free(text);
}

static void put_option(FILE *out, uint16_t option, const char *text)
{
	fwrite(&option, 1, sizeof(option), out);
	put_u32(out, strlen(text) + 1);
	fwrite(text, 1, strlen(text) + 1, out);
}

static void put_options(FILE *out, const struct trace_dat *dat)
{
	char *uname = format_text("Linux %s %s", dat->info->host, dat->info->release);
	uint16_t done = OPTION_DONE;

	fwrite("options  ", 1, 10, out);
	put_option(out, OPTION_TRACECLOCK, "[mono]");
	put_option(out, OPTION_UNAME, uname);
	fwrite(&done, 1, sizeof(done), out);
	free(uname);
}

static uint64_t align(uint64_t offset)
{
	return (offset + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
}

static void put_head(FILE *out, struct trace_dat *dat)
{
	uint64_t offset;
	unsigned int i;

	put_headers(out);
	dat_formats_put(out, &dat->formats);
	put_u32(out, 0);	/* no symbols */
	put_u32(out, 0);	/* no formats of trace_printk() */
	put_names(out, dat);
	put_u32(out, dat->nr_cpus);
	put_options(out, dat);
	fwrite("flyrecord", 1, 10, out);
	offset = align(ftell(out) + 16 * dat->nr_cpus);
	for (i = 0; i < dat->nr_cpus; i++) {
		put_u64(out, offset + dat->part[i].offset);
		put_u64(out, dat->part[i].size);
	}
}

/* Make room for the head before the pages, and write it there. */
static bool insert_head(struct trace_dat *dat)
{
	FILE *out = dat->pages.file, *memory;
	char *head = NULL;
	size_t size;
	bool good;

	memory = need_memory(open_memstream(&head, &size));
	put_head(memory, dat);
	while (ftell(memory) % PAGE_BYTES)
		putc(0, memory);
	fclose(memory);
	good = !fflush(out) && !file_insert(fileno(out), size);
	rewind(out);
	good = good && fwrite(head, 1, size, out) == size && !fflush(out);
	free(head);
	return good;
}

/* Measured with CPUs of 2,129,920,000 and of 2,150,400,000 bytes. */
static void warn_of_size(const struct trace_dat *dat)
{
	unsigned int i;

	for (i = 0; i < dat->nr_cpus; i++)
		if (dat->part[i].size > INT32_MAX)
			say("trace-cmd 3.1.6 shows only the first 256 MiB of CPU %u, which has more than 2 GiB: export parts, with --begin and --end",
			    i);
}

bool trace_dat_finish(struct trace_dat *dat)
{
	int error;

	if (dat->nr_cpus)
		end_cpu(dat);
	error = dat->pages.error;
	if (!error && !insert_head(dat))
		error = errno ?: EIO;
	if (!error)
		warn_of_size(dat);
	if (!error && dat->nr_cut)
		say("%" PRIu64 " event%s not fit in trace.dat's pages of 4 KiB: texts are cut",
		    dat->nr_cut, dat->nr_cut == 1 ? " does" : "s do");
	free(dat->part);
	dat_formats_free(&dat->formats);
	free(dat->task);
	free(dat);
	errno = error;
	return !error;
}
