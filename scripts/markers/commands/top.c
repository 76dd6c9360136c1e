// SPDX-License-Identifier: GPL-2.0
/*
 * markers top: show how often markers are hit, how many bytes their records take, and how many
 * events are lost.
 *
 * It counts the events in the packets, because the kernel counts no bytes by marker. An event
 * that is lost is in no packet, so the kernel counts those, in the file hits.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/number.h"
#include "../control/control.h"
#include "../control/enable.h"
#include "../ctf/packets.h"
#include "../reader/record.h"
#include "../record/session.h"
#include "commands.h"

static const struct option_def options[] = {
	SESSION_OPTION_EVENT,
	SESSION_OPTION_BUFFER,
	{ 'd', "delay", "SECONDS", "Time between two tables, default 1." },
	{ 'n', "number", "N", "Show N tables, then end." },
	SESSION_OPTIONS_WHOSE,
	SESSION_OPTIONS_WHERE,
	{ }
};

/**
 * struct row - what is known of a marker
 * @name: "module:marker"
 * @events: since the previous table
 * @bytes: since the previous table
 * @all: all events
 * @lost: all that are lost
 * @counted: the file hits has it
 * @hits_lost: what that had at the previous table
 */
struct row {
	char *name;
	uint64_t events;
	uint64_t bytes;
	uint64_t all;
	uint64_t lost;
	bool counted;
	uint64_t hits_lost;
};

/* Room for the largest packet. The CPUs take turns. */
#define PACKET_ROOM	(8 << 20)

#define NO_ROW		UINT_MAX

/**
 * struct top - the state of the command
 * @row: the markers, in the order in which they were seen
 * @last: the row that find_row() had last
 * @row_of: the row of each id, or NO_ROW
 * @delay: nanoseconds from one table to the next
 * @tables: number of tables; 0: until a signal comes
 */
struct top {
	struct session session;
	struct description *description;
	int nr_cpus, *cpus, *in;
	unsigned int nr_rows, last;
	struct row *row;
	unsigned int nr_ids, *row_of;
	uint64_t lost_before;
	uint64_t delay;
	uint64_t tables;
	char *data;
	int signals;
};

/* The files that list markers have the same order, so it is mostly the one after the last. */
static struct row *find_row(struct top *top, const char *name)
{
	unsigned int i;

	for (i = 0; i < top->nr_rows; i++) {
		top->last = (top->last + 1) % top->nr_rows;
		if (!strcmp(top->row[top->last].name, name))
			return &top->row[top->last];
	}
	top->last = top->nr_rows++;
	top->row = need_memory(realloc(top->row, top->nr_rows * sizeof(*top->row)));
	top->row[top->last] = (struct row){ .name = need_memory(strdup(name)) };
	return &top->row[top->last];
}

/* @id: in the metadata */
static struct row *row_of_id(struct top *top, uint32_t id)
{
	while (top->nr_ids <= id) {
		top->row_of = need_memory(realloc(top->row_of,
						  (top->nr_ids + 1) * sizeof(*top->row_of)));
		top->row_of[top->nr_ids++] = NO_ROW;
	}
	if (top->row_of[id] == NO_ROW) {
		find_row(top, description_class(top->description, id)->kind->name);
		top->row_of[id] = top->last;
	}
	return &top->row[top->row_of[id]];
}

static int read_metadata(struct top *top)
{
	char *text = control_read("ctf/metadata"), *wrong;
	struct description *new = text ? description_parse(text, &wrong) : NULL;

	if (text && !new) {
		say("ctf/metadata: %s", wrong);
		free(wrong);
	}
	free(text);
	if (!new)
		return STATUS_FAILED;
	description_free(top->description);
	top->description = new;
	return STATUS_OK;
}

/* If the event is unknown, read the metadata again: a module may be new. */
static size_t next_event(struct top *top, const char *data, size_t size, uint32_t *id)
{
	size_t n = record_size(top->description, data, size, id);

	if (n || description_class(top->description, *id) || read_metadata(top))
		return n;
	return record_size(top->description, data, size, id);
}

static int count_packet(struct top *top, const char *data, size_t size)
{
	struct row *row;
	size_t at, n;
	uint32_t id;

	for (at = sizeof(struct ctf_packet_header); at < size; at += n) {
		n = next_event(top, data + at, size - at, &id);
		if (!n)
			return say("a packet, offset %zu: not an event", at);
		row = row_of_id(top, id);
		row->events++;
		row->all++;
		row->bytes += n;
	}
	return STATUS_OK;
}

/* Count whole packets. Return: their bytes; -1, and says why. */
static ssize_t count_packets(struct top *top, const char *data, size_t size)
{
	struct ctf_packet_header header;
	const char *wrong;
	size_t at;

	for (at = 0; size - at >= sizeof(header); at += header.packet_size / 8) {
		memcpy(&header, data + at, sizeof(header));
		wrong = packet_check(&header);
		if (wrong) {
			say("trace_pipe_raw: %s", wrong);
			return -1;
		}
		if (header.packet_size / 8 > size - at)
			break;
		if (count_packet(top, data + at, header.content_size / 8))
			return -1;
	}
	return at;
}

/*
 * Count all packets that a CPU has now. Such a read() returns complete packets, except that
 * it may cut the last one at the end of our memory.
 */
static int count_cpu(struct top *top, int in)
{
	ssize_t n, whole;
	size_t size = 0;

	while ((n = read(in, top->data + size, PACKET_ROOM - size)) > 0) {
		size += n;
		if (size < PACKET_ROOM)
			continue;
		whole = count_packets(top, top->data, size);
		if (whole < 0)
			return STATUS_FAILED;
		if (!whole)
			return say("trace_pipe_raw: a packet of more than %d bytes", PACKET_ROOM);
		size -= whole;
		memmove(top->data, top->data + whole, size);
	}
	if (n < 0 && errno != EAGAIN)
		return say_errno("trace_pipe_raw");
	whole = count_packets(top, top->data, size);
	if (whole < 0)
		return STATUS_FAILED;
	return (size_t)whole == size ? STATUS_OK : say("trace_pipe_raw: half a packet was read");
}

static int count_all(struct top *top)
{
	int i;

	for (i = 0; i < top->nr_cpus; i++)
		if (count_cpu(top, top->in[i]))
			return STATUS_FAILED;
	return STATUS_OK;
}

/*
 * Add up what the file hits says is lost of each marker. Its lines are: hit, recorded, filtered,
 * lost, skipped, off, marker. @first: what was lost before is not ours.
 */
static int read_hits(struct top *top, bool first)
{
	char *text, *line, *rest, name[512];
	unsigned long long lost;
	struct row *row;

	if (!top->session.count)
		return STATUS_OK;
	text = control_read("hits");
	if (!text)
		return STATUS_FAILED;
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, "%*u %*u %*u %llu %*u %*u %511s", &lost, name) != 2)
			continue;	/* the heading */
		row = find_row(top, name);
		if (lost < row->hits_lost)
			row->hits_lost = 0;	/* they were reset, or the module is new */
		if (!first)
			row->lost += lost - row->hits_lost;
		row->hits_lost = lost;
		row->counted = true;
	}
	free(text);
	if (!first)
		count_enabled();	/* those of new modules, or of another command */
	return STATUS_OK;
}

static int compare(const void *a, const void *b)
{
	const struct row *first = a, *second = b;

	if (first->events != second->events)
		return first->events < second->events ? 1 : -1;
	if (first->all != second->all)
		return first->all < second->all ? 1 : -1;
	if (first->lost != second->lost)
		return first->lost < second->lost ? 1 : -1;
	return strcmp(first->name, second->name);
}

/* Print the losses by CPU; then the total, since the previous table and before it. */
static int print_losses(struct top *top, FILE *out)
{
	uint64_t lost = 0;
	struct cpu_stats stats;
	int i;

	for (i = 0; i < top->nr_cpus; i++) {
		if (control_stats(top->cpus[i], &stats))
			return STATUS_FAILED;
		lost += stats.lost;
		if (stats.lost)
			fprintf(out, "CPU %d lost %llu events so far\n", top->cpus[i],
				(unsigned long long)stats.lost);
	}
	/* Somebody has emptied the buffers, which resets the counts. */
	if (lost < top->lost_before)
		top->lost_before = 0;
	fprintf(out, "lost: %llu, and %llu before that\n",
		(unsigned long long)(lost - top->lost_before),
		(unsigned long long)top->lost_before);
	top->lost_before = lost;
	return STATUS_OK;
}

static void print_row(const struct row *row, double seconds, FILE *out)
{
	char size[32], lost[32] = "-";

	if (row->counted)
		snprintf(lost, sizeof(lost), "%llu", (unsigned long long)row->lost);
	fprintf(out, "%12.1f %14s %12llu %10s  %s\n", row->events / seconds,
		size_text(row->bytes / seconds, size, sizeof(size)),
		(unsigned long long)row->all, lost, row->name);
}

static int print_table(struct top *top, double seconds, FILE *out)
{
	struct row *sorted;
	unsigned int i;

	if (read_hits(top, false))
		return STATUS_FAILED;
	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[J", out);
	sorted = need_memory(malloc((top->nr_rows + 1) * sizeof(*sorted)));
	memcpy(sorted, top->row, top->nr_rows * sizeof(*sorted));
	qsort(sorted, top->nr_rows, sizeof(*sorted), compare);
	fprintf(out, "%12s %14s %12s %10s  %s\n", "events/s", "bytes/s", "events", "lost", "marker");
	for (i = 0; i < top->nr_rows && (sorted[i].all || sorted[i].lost); i++)
		print_row(&sorted[i], seconds, out);
	free(sorted);
	for (i = 0; i < top->nr_rows; i++)
		top->row[i].events = top->row[i].bytes = 0;
	if (print_losses(top, out))
		return STATUS_FAILED;
	putc('\n', out);
	return STATUS_OK;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Return: 1 after a table; 0 if the reader has ended, as "head" does, which is no error; -1 on error. */
static int show_table(struct top *top, double seconds)
{
	char *text = NULL;
	size_t size;
	FILE *out = need_memory(open_memstream(&text, &size));
	int shown = print_table(top, seconds, out) ? -1 : 1;

	need_memory(fclose(out) ? NULL : text);
	if (shown > 0 && session_write(top->signals, text, size))
		shown = errno == EPIPE ? 0 : -1;
	free(text);
	return shown;
}

/* Read often enough to keep the buffers from filling up. */
#define READ_MS 50

static int run_tables(struct top *top)
{
	struct pollfd wait = { .fd = top->signals, .events = POLLIN };
	double began = now(), seconds;
	uint64_t table = 0;
	int shown;

	while (!top->tables || table < top->tables) {
		if (poll(&wait, 1, READ_MS) < 0 && errno != EINTR)
			return say_errno("poll");
		if (wait.revents)
			return STATUS_OK;
		if (count_all(top))
			return STATUS_FAILED;
		seconds = now() - began;
		if (seconds < top->delay / 1e9)
			continue;
		shown = show_table(top, seconds);
		if (shown <= 0)
			return shown ? STATUS_FAILED : STATUS_OK;
		began = now();
		table++;
	}
	return STATUS_OK;
}

static int open_all(struct top *top)
{
	char name[64];
	int i;

	top->nr_cpus = control_cpus(&top->cpus);
	top->in = need_memory(calloc(top->nr_cpus + 1, sizeof(*top->in)));
	for (i = 0; i < top->nr_cpus; i++) {
		snprintf(name, sizeof(name), "per_cpu/cpu%d/trace_pipe_raw", top->cpus[i]);
		top->in[i] = control_open_file(name, O_RDONLY | O_NONBLOCK);
		if (top->in[i] < 0) {
			top->nr_cpus = i;
			return STATUS_FAILED;
		}
	}
	top->data = need_memory(malloc(PACKET_ROOM));
	return read_metadata(top);
}

static void close_all(struct top *top)
{
	int i;

	for (i = 0; i < top->nr_cpus; i++)
		close(top->in[i]);
	free(top->in);
	free(top->cpus);
	free(top->data);
	for (i = 0; i < (int)top->nr_rows; i++)
		free(top->row[i].name);
	free(top->row);
	free(top->row_of);
	description_free(top->description);
}

static int parse(struct top *top, struct arguments *args)
{
	const char *value;
	bool good = true;
	int option;

	while ((option = option_next(args, &value))) {
		if (option == 'd')
			good = number_parse_time(value, &top->delay) && top->delay;
		else if (option == 'n')
			good = number_parse(value, 1, UINT64_MAX, &top->tables);
		else if (session_option(&top->session, "top", option, value))
			return STATUS_USAGE;
		if (!good)
			return usage_error("top", "%s: not a positive number", value);
	}
	return session_check(&top->session, "top");
}

/* A group that may read trace_pipe_raw need not be able to read this. */
static bool can_count(void)
{
	char *text = file_read(control_fd(), "hits", NULL);

	free(text);
	return text;
}

static int run(struct arguments *args)
{
	struct top top = { .delay = 1000000000 };
	int status = parse(&top, args);

	if (status)
		return status;
	top.signals = session_signals();
	if (top.signals < 0 || control_open())
		return STATUS_FAILED;
	top.session.count = can_count();
	status = session_begin(&top.session, NULL);
	if (!status)
		status = open_all(&top);
	if (!status)
		status = read_hits(&top, true);
	if (!status)
		status = session_record(&top.session);
	if (!status)
		status = run_tables(&top);
	close_all(&top);
	return status | session_end(&top.session, false);
}

const struct command command_top = {
	.name = "top",
	.summary = "Show which markers are hit how often",
	.text = "Shows events and bytes a second of each marker, all its events, and how many of them are\n"
		"lost, and then the losses of each CPU, until SIGINT (Ctrl-C). To know the marker of a\n"
		"lost event it counts the hits of all enabled markers, as \"+count\" does; with --top and\n"
		"--instance the file hits has their counts afterwards. A marker that it cannot count has\n"
		"\"-\".\n"
		"\n"
		SESSION_TEXT,
	.examples = "A table every second, of all markers of a driver:\n"
		"\tmarkers top -e 'mydriver:*'\n"
		"One table, of ten seconds:\n"
		"\tmarkers top -d 10 -n 1 -e 'mydriver:*'\n",
	.see = "live status",
	.options = options,
	.run = run,
};
