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

#include "../lib/file.h"
#include "../lib/message.h"
#include "ftrace.h"
#include "pages.h"
#include "trace_dat.h"

#define FIRST_ID	1000
#define LOST_ID		(FIRST_ID - 1)
#define MAX_FORMATS	(UINT16_MAX + 1 - FIRST_ID)
#define SYSTEM_SIZE	128
#define COMMON_SIZE	8
#define COMM_SIZE	16
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
 * struct format - a kind of event that occurs
 * @kind: the kind
 * @id: its number in the file
 * @system: the name under which readers look for it
 */
struct format {
	const struct kind *kind;
	uint16_t id;
	char system[SYSTEM_SIZE];
};

/**
 * struct trace_dat - the state of the file
 * @info: facts of the trace
 * @pages: the pages of the current CPU
 * @cpu: its number
 * @nr_cpus: number of @part; 0 before the first event or loss
 * @part: the pages of each CPU that was read
 * @format: the kinds of events that occurred, in the order of their ids
 * @nr_formats: number of @format
 * @id_of: the ids of kinds, by their numbers; 0 if the kind did not occur
 * @nr_ids: number of @id_of
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
	struct format *format;
	unsigned int nr_formats;
	uint16_t *id_of;
	unsigned int nr_ids;
	uint64_t nr_cut;
	struct task *task;
	size_t nr_tasks;
};

static bool is_comm(const struct kind *kind, const struct field *field)
{
	size_t size;

	if (field->type != VALUE_TEXT)
		return false;
	size = strlen(field->name);
	return size >= 4 && !strcmp(field->name + size - 4, "comm") && ftrace_is_known(kind);
}

static unsigned int size_of(const struct kind *kind, const struct field *field)
{
	if (is_comm(kind, field))
		return COMM_SIZE;
	return field->type == VALUE_TEXT || field->type == VALUE_BYTES ? 4 : field->bits / 8;
}

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
	size_t i = (unsigned int)tid * 0x9e3779b1u, size;

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
		while (size--)
			if (iscntrl((unsigned char)task->name[size]))
				task->name[size] = '?';
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

/* The kernel's own events get the system that readers expect, others their module. */
static void system_of(const struct kind *kind, char name[SYSTEM_SIZE])
{
	if (ftrace_is_known(kind) && !strncmp(kind->marker, "sched_", 6))
		strcpy(name, "sched");
	else if (ftrace_is_known(kind) && strstr(kind->marker, "irq_"))
		strcpy(name, "irq");
	else
		snprintf(name, SYSTEM_SIZE, "%.*s", (int)strcspn(kind->name, ":"), kind->name);
}

/*
 * An id has 16 bits, and a recording may describe more markers. So only those that occur get
 * one. Return: 0 if there is none left.
 */
static uint16_t id_of(struct trace_dat *dat, const struct kind *kind)
{
	unsigned int nr = dat->nr_ids;
	struct format *format;

	if (kind->number >= nr) {
		dat->nr_ids = 2 * kind->number + 16;
		dat->id_of = need_memory(realloc(dat->id_of, dat->nr_ids * sizeof(*dat->id_of)));
		memset(dat->id_of + nr, 0, (dat->nr_ids - nr) * sizeof(*dat->id_of));
	}
	if (dat->id_of[kind->number])
		return dat->id_of[kind->number];
	if (dat->nr_formats == MAX_FORMATS)
		return 0;
	/* a power of two: double the memory */
	nr = dat->nr_formats;
	if (!(nr & (nr - 1)))
		dat->format = need_memory(realloc(dat->format,
						  (nr ? 2 * nr : 1) * sizeof(*dat->format)));
	format = &dat->format[dat->nr_formats++];
	format->kind = kind;
	format->id = FIRST_ID + nr;
	system_of(kind, format->system);
	return dat->id_of[kind->number] = format->id;
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

bool trace_dat_event(struct trace_dat *dat, const struct event *event)
{
	uint8_t data[MAX_DATA];
	size_t at = COMMON_SIZE, end = COMMON_SIZE;
	uint16_t id = id_of(dat, event->kind);
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
		end += size_of(event->kind, event->value[i].field);
	memset(data + at, 0, end - at);
	for (i = 0; i < event->nr_values; i++) {
		const struct value *value = &event->value[i];
		bool is_text = value->field->type == VALUE_TEXT;
		unsigned int size = size_of(event->kind, value->field);

		if (is_comm(event->kind, value->field)) {
			memcpy(data + at, value->text,
			       value->size < size ? value->size : size - 1);
		} else if (is_text || value->field->type == VALUE_BYTES) {
			size_t room = MAX_DATA - end, n = value->size + is_text;
			uint32_t where;

			is_cut |= n > room;
			n = n < room ? n : room;
			where = n << 16 | end;
			memcpy(data + at, &where, sizeof(where));
			if (n)
				memcpy(data + end, value->text, n - is_text);
			if (n && is_text)
				data[end + n - 1] = '\0';
			end += n;
		} else {
			memcpy(data + at, &value->number, size);
		}
		at += size;
	}
	pages_add(&dat->pages, event->time, data, end);
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

static void put_u32(FILE *out, uint32_t number)
{
	fwrite(&number, 1, sizeof(number), out);
}

static void put_u64(FILE *out, uint64_t number)
{
	fwrite(&number, 1, sizeof(number), out);
}

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

/* Write the name of a field as a C identifier: readers use it in C expressions. */
static void put_name(FILE *out, const char *name)
{
	for (; *name; name++)
		putc(*name == '.' ? '_' : *name, out);
}

static const char *type_of(const struct field *field)
{
	bool is_signed = field->type == VALUE_SIGNED;

	switch (field->bits) {
	case 8:
		return is_signed ? "signed char" : "unsigned char";
	case 16:
		return is_signed ? "short" : "unsigned short";
	case 32:
		return is_signed ? "int" : "unsigned int";
	}
	return is_signed ? "long long" : "unsigned long long";
}

static void put_field(FILE *out, const struct kind *kind, const struct field *field,
		      unsigned int offset)
{
	if (is_comm(kind, field)) {
		fputs("\tfield:char ", out);
		put_name(out, field->name);
		fprintf(out, "[%d]", COMM_SIZE);
	} else {
		fprintf(out, "\tfield:%s ", field->type == VALUE_TEXT ? "__data_loc char[]" :
			field->type == VALUE_BYTES ? "__data_loc unsigned char[]" : type_of(field));
		put_name(out, field->name);
	}
	fprintf(out, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", offset, size_of(kind, field),
		field->type == VALUE_SIGNED);
}

static void put_conversion(FILE *out, const struct field *field)
{
	const char *size = field->bits > 32 ? "ll" : field->bits > 16 ? "" :
			   field->bits > 8 ? "h" : "hh";

	fputs(field->name, out);
	if (field->type == VALUE_TEXT || field->type == VALUE_BYTES)
		fputs("=%s", out);
	else if (field->base == 16)
		fprintf(out, "=0x%%%sx", size);
	else if (field->base == 8)
		fprintf(out, "=0%%%so", size);
	else
		fprintf(out, "=%%%s%c", size, field->type == VALUE_SIGNED ? 'd' : 'u');
}

static void put_argument(FILE *out, const struct kind *kind, const struct field *field)
{
	if (field->type == VALUE_BYTES) {
		fputs(", __print_hex(__get_dynamic_array(", out);
		put_name(out, field->name);
		fputs("), __get_dynamic_array_len(", out);
		put_name(out, field->name);
		fputs("))", out);
	} else if (field->type == VALUE_TEXT && !is_comm(kind, field)) {
		fputs(", __get_str(", out);
		put_name(out, field->name);
		fputs(")", out);
	} else {
		fputs(", REC->", out);
		put_name(out, field->name);
	}
}

static void put_format(FILE *out, const struct kind *kind, unsigned int id)
{
	unsigned int i, offset = COMMON_SIZE;
	const char *between = "";

	fprintf(out, "name: %s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", kind->marker, id);
	for (i = 0; i < kind->nr_fields; i++) {
		put_field(out, kind, &kind->field[i], offset);
		offset += size_of(kind, &kind->field[i]);
	}
	fputs("\nprint fmt: \"", out);
	for (i = 0; i < kind->nr_fields; i++) {
		if (kind->field[i].hidden)
			continue;
		fputs(between, out);
		put_conversion(out, &kind->field[i]);
		between = " ";
	}
	putc('"', out);
	for (i = 0; i < kind->nr_fields; i++)
		if (!kind->field[i].hidden)
			put_argument(out, kind, &kind->field[i]);
	putc('\n', out);
}

static void put_sized_format(FILE *out, const struct kind *kind, unsigned int id)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	need_memory(memory);
	put_format(memory, kind, id);
	fclose(memory);
	put_u64(out, size);
	fwrite(text, 1, size, out);
	free(text);
}

/* Sort by system, then by id. */
static int compare_formats(const void *a, const void *b)
{
	const struct format *one = a, *other = b;
	int order = strcmp(one->system, other->system);

	return order ? order : (one->id > other->id) - (one->id < other->id);
}

/* Write a system and its formats, which are in a row. Return: the first one of the next system. */
static const struct format *put_system(FILE *out, const struct format *first,
				       const struct format *end)
{
	const struct format *next = first;

	while (next < end && !strcmp(next->system, first->system))
		next++;
	fwrite(first->system, 1, strlen(first->system) + 1, out);
	put_u32(out, next - first);
	for (; first < next; first++)
		put_sized_format(out, first->kind, first->id);
	return next;
}

static void put_systems(FILE *out, const struct trace_dat *dat)
{
	struct field count = { .name = (char *)"count", .type = VALUE_UNSIGNED, .bits = 64 };
	struct kind lost = { .name = "markers:lost_at_end", .marker = "lost_at_end",
			     .nr_fields = 1, .field = &count };
	const struct format *at, *end = dat->format + dat->nr_formats;
	unsigned int nr = 1;

	if (dat->nr_formats)
		qsort(dat->format, dat->nr_formats, sizeof(*dat->format), compare_formats);
	for (at = dat->format; at < end; at++)
		nr += at == dat->format || strcmp(at->system, at[-1].system);
	put_u32(out, nr);
	fwrite("markers", 1, 8, out);
	put_u32(out, 1);
	put_sized_format(out, &lost, LOST_ID);
	for (at = dat->format; at < end;)
		at = put_system(out, at, end);
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

static void put_head(FILE *out, const struct trace_dat *dat)
{
	uint64_t offset;
	unsigned int i;

	put_headers(out);
	put_systems(out, dat);
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
static bool insert_head(const struct trace_dat *dat)
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
	free(dat->format);
	free(dat->id_of);
	free(dat->task);
	free(dat);
	errno = error;
	return !error;
}
