// SPDX-License-Identifier: GPL-2.0
/*
 * usage: make_perf TRACE.DAT PERF.DATA
 *
 * Writes the events of a trace.dat as samples of tracepoints, in the order of time, as "perf record
 * -a" would have recorded them. Both formats have the same description of events, and an event
 * has the same bytes.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define PAGE		4096
#define PAGE_HEADER	16
#define USED		0xfffff		/* of the second word of a page; above it are flags */
#define TIME_EXTEND	30
#define TIME_BITS	27
#define FINISHED_ROUND	68		/* all samples from now on are later than those before it */
#define ROUND		4096		/* samples */
#define TRACING_DATA	1		/* number of a feature of the file */
#define MAX_EVENTS	256
#define MAX_CPUS	64

struct section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint32_t size;
} __attribute__((packed));

struct cpu {
	const uint8_t *page, *end;	/* the rest of its pages */
	const uint8_t *at, *page_end;	/* the rest of the page */
	const uint8_t *data;		/* the event; NULL: there is none */
	uint32_t size;
	uint64_t time;
};

static const uint8_t *at;	/* the place in the head of trace.dat */
static uint64_t ids[MAX_EVENTS];
static unsigned int nr_ids;
static struct cpu cpus[MAX_CPUS];
static uint32_t nr_cpus;

static uint64_t take(unsigned int size)
{
	uint64_t number = 0;

	memcpy(&number, at, size);
	at += size;
	return number;
}

static const char *take_text(size_t size)
{
	const char *text = (const char *)at;

	at += size;
	return text;
}

static const char *take_string(void)
{
	return take_text(strlen((const char *)at) + 1);
}

static void take_formats(void)
{
	uint32_t systems, events;
	uint64_t size;
	const char *id;

	take_text(14 + 4);			/* magic, version, size of a long, of a page */
	take_string();				/* header_page */
	take_text(take(8));
	take_string();				/* header_event */
	take_text(take(8));
	take(4);				/* no formats of ftrace itself */
	for (systems = take(4); systems; systems--) {
		take_string();
		for (events = take(4); events; events--) {
			size = take(8);
			id = strstr(take_text(size), "\nID: ");
			if (nr_ids < MAX_EVENTS)
				ids[nr_ids++] = strtoul(id + 5, NULL, 10);
		}
	}
	take(4);				/* no symbols */
	take(4);				/* no formats of trace_printk() */
}

static void put_comms(FILE *out, const char *names, const char *end)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
	} comm = { .header = { PERF_RECORD_COMM, 0, sizeof(comm) } };

	for (; names < end && sscanf(names, "%u %15[^\n]", &comm.pid, comm.comm) == 2;
	     names = strchr(names, '\n') + 1) {
		comm.tid = comm.pid;
		fwrite(&comm, sizeof(comm), 1, out);
	}
}

/* Go on to the next event of a CPU. */
static void next(struct cpu *cpu)
{
	uint32_t word, more;

	for (;;) {
		if (cpu->at == cpu->page_end) {
			cpu->data = NULL;
			if (cpu->page >= cpu->end)
				return;
			memcpy(&cpu->time, cpu->page, sizeof(cpu->time));
			memcpy(&word, cpu->page + 8, sizeof(word));
			cpu->at = cpu->page + PAGE_HEADER;
			cpu->page_end = cpu->at + (word & USED);
			cpu->page += PAGE;
			continue;
		}
		memcpy(&word, cpu->at, sizeof(word));
		memcpy(&more, cpu->at + 4, sizeof(more));
		cpu->at += 4;
		cpu->time += word >> (32 - TIME_BITS);
		word &= 31;
		if (word == TIME_EXTEND) {
			cpu->time += (uint64_t)more << TIME_BITS;
			cpu->at += 4;
			continue;
		}
		cpu->size = word ? 4 * word : more - 4;
		cpu->data = cpu->at + (word ? 0 : 4);
		cpu->at = cpu->data + cpu->size;
		return;
	}
}

static void take_cpus(const uint8_t *file)
{
	uint64_t offset;
	uint32_t i;

	nr_cpus = take(4);
	if (nr_cpus > MAX_CPUS)
		exit(2);
	take_text(10);				/* "options" */
	while (take(2))
		take_text(take(4));
	take_text(10);				/* "flyrecord" */
	for (i = 0; i < nr_cpus; i++) {
		offset = take(8);
		cpus[i].page = file + offset;
		cpus[i].end = file + offset + take(8);
		next(&cpus[i]);
	}
}

static void put_sample(FILE *out, const struct cpu *cpu)
{
	const uint32_t end = (sizeof(struct sample) + cpu->size + 7) & ~7u;
	struct sample sample = {
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, end },
		.time = cpu->time, .cpu = cpu - cpus, .size = end - sizeof(sample),
	};
	uint16_t id;

	memcpy(&id, cpu->data, sizeof(id));	/* an event begins with its number, and has its tid */
	memcpy(&sample.tid, cpu->data + 4, sizeof(sample.tid));
	sample.pid = sample.tid;
	sample.id = id;
	fwrite(&sample, sizeof(sample), 1, out);
	fwrite(cpu->data, 1, cpu->size, out);
	fwrite("\0\0\0\0\0\0\0", 1, sample.size - cpu->size, out);
}

static void put_samples(FILE *out)
{
	const struct perf_event_header round = { FINISHED_ROUND, 0, sizeof(round) };
	struct cpu *first;
	uint64_t nr = 0;
	uint32_t i;

	for (;; next(first)) {
		first = NULL;
		for (i = 0; i < nr_cpus; i++)
			if (cpus[i].data && (!first || cpus[i].time < first->time))
				first = &cpus[i];
		if (!first)
			return;
		put_sample(out, first);
		if (++nr % ROUND == 0)
			fwrite(&round, sizeof(round), 1, out);
	}
}

/* Each event is a tracepoint, which has its number as its id. */
static void put_attrs(FILE *out)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
	};
	struct section id = { sizeof(struct file_header), sizeof(*ids) };
	unsigned int i;

	fwrite(ids, sizeof(*ids), nr_ids, out);
	for (i = 0; i < nr_ids; i++, id.offset += id.size) {
		attr.config = ids[i];
		fwrite(&attr, sizeof(attr), 1, out);
		fwrite(&id, sizeof(id), 1, out);
	}
}

static void put_file(FILE *out, const uint8_t *dat)
{
	struct file_header header = {
		.magic = "PERFILE2", .size = sizeof(header),
		.attr_size = sizeof(struct perf_event_attr) + sizeof(struct section),
		.features = { 1 << TRACING_DATA },
	};
	struct section tracing;
	uint64_t size;
	const char *names;

	at = dat;
	take_formats();
	size = take(8);
	names = take_text(size);
	tracing.size = at - dat;
	take_cpus(dat);
	header.attrs.offset = sizeof(header) + nr_ids * sizeof(*ids);
	header.attrs.size = nr_ids * header.attr_size;
	header.data.offset = header.attrs.offset + header.attrs.size;
	fwrite(&header, sizeof(header), 1, out);
	put_attrs(out);
	put_comms(out, names, names + size);
	put_samples(out);
	header.data.size = ftell(out) - header.data.offset;
	tracing.offset = ftell(out) + sizeof(tracing);
	fwrite(&tracing, sizeof(tracing), 1, out);
	fwrite(dat, 1, tracing.size, out);
	rewind(out);
	fwrite(&header, sizeof(header), 1, out);
}

int main(int argc, char **argv)
{
	struct stat file;
	const void *dat;
	FILE *out;
	int fd;

	if (argc != 3)
		return 2;
	fd = open(argv[1], O_RDONLY);
	dat = fd < 0 || fstat(fd, &file) ? MAP_FAILED :
	      mmap(NULL, file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	out = dat == MAP_FAILED ? NULL : fopen(argv[2], "w");
	if (!out) {
		perror(argv[0]);
		return 1;
	}
	put_file(out, dat);
	return ferror(out) | fclose(out) ? 1 : 0;
}
