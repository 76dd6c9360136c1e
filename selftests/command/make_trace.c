// SPDX-License-Identifier: GPL-2.0
/*
 * make_trace DIR REQUESTS [lost|torn|late|bytes|stack|long|huge|moved|drawn|odd|devices|overlap|old|rounds]: makes a trace of two CPUs with known events.
 *
 * Request i begins on CPU 0 at 1 s + i * 200 us, with the key i, and ends on CPU 1 after
 * (i % 100 + 1) us. Each tenth request has more: a counter, an event that is a slice by
 * itself, a switch of tasks, and the first time values that are hard to print. With "lost",
 * CPU 0 has lost 7 events, and 5 of CPU 1 were overwritten. With "torn", it is as with "rounds", but
 * 5 of CPU 0 were overwritten before its second packet, with the end of the first slice.
 * With "late", no request ends before all have begun. With "bytes", the first one has an event with
 * 600 bytes. With "stack", the second request
 * has a call stack. With "long", each request has an event with a text of 1000 bytes.
 * With "huge", the text has 400000 bytes, more than markers.ko records.
 * With "texts", each request has a text of 1000 bytes, and of two in a row only the last differs.
 * With "moved", tasks 7 and 100 first run on the other CPU, under another name.
 * With "drawn", each tenth request has events with all fields by which events draw themselves.
 * With "devices", each tenth request has two more, on the devices 8 and 9, with the same tag at
 * the same time: that of 9 takes 10 us within the 100 us of that of 8. With "overlap", it has six
 * more: three of each of these devices, each of which begins before the one before it ends.
 * With "odd", there are also tasks with odd names, short and large numbers, a text of 5000
 * bytes, fields with the names of contexts, and a marker of a module with the name of one of
 * the kernel's events. With "service", there is something to ask: requests of two devices take the
 * locks of their queues, some fail, the last one never ends; with "slow", device 9 is slower.
 * With "rounds", each CPU begins a packet at each tenth request, so those of one number overlap, and
 * no others. With "old", it is as older versions recorded: without formats.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <markers/format/context.h>
#include <markers/format/metadata.h>
#include <markers/uapi/ctf.h>

#define PACKET_SIZE	32768
#define HUGE_TEXT	400000
#define US		1000ull
#define START		(1000000 * US)

enum { IO_BEGIN, IO_END, QUEUE, SLICE, SCHED_SWITCH, HARD, STEP, ON_CPU, GROUP, LEVEL, TOTAL, ODD, FOREIGN,
	RQ_BEGIN, RQ_END, REQUEST, DONE, LOCK_WAIT, LOCK_TAKE, LOCK_FREE };

static const uint8_t uuid[16] = { 0x2a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

static const struct {
	const char *name;
	const char *format;
} events[] = {
	[IO_BEGIN] = { "disk:io_begin", "id %llu, bytes %u" },
	[IO_END] = { "disk:io_end", "id %llu, error %d" },
	[QUEUE] = { "disk:queue", "depth=%u" },
	[SLICE] = { "disk:slice", "track_event_type=%c slice_name=%s scope_queue=%u" },
	[SCHED_SWITCH] = { "kernel_events:sched_switch",
			   "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=0x%x preempt=%d "
			   "next_comm=%s next_pid=%d next_prio=%d" },
	[HARD] = { "disk:hard", "{text \"%s\" at 100%%} big=%llu, small=%lld pointer=0x%llx mac=%pM data=%*phC." },
	[STEP] = { "disk:step", "track_event_type=%c slice_name=%s track_name=%s" },
	[ON_CPU] = { "disk:on_cpu", "track_event_type=%c slice_name=%s scope_cpu=%d" },
	[GROUP] = { "disk:group", "track_event_type=%c slice_name=%s scope_tgid=%d done=%d" },
	[LEVEL] = { "disk:level", "counter_value=%lld scope_queue=%u" },
	[TOTAL] = { "disk:total", "track_event_type=%c counter_value=%lld track_name=%s" },
	[ODD] = { "disk:odd", "byte=%hhd half=%hd large=%llu pid=%d tid=%d time=%s" },
	[RQ_BEGIN] = { "disk:rq_begin", "dev=%u tag=%u" },
	[RQ_END] = { "disk:rq_end", "disk=%u tag=%u" },
	[REQUEST] = { "disk:request", "dev=%u tag=%u queue=%u bytes=%u" },
	[DONE] = { "disk:done", "dev=%u tag=%u error=%d" },
	[LOCK_WAIT] = { "disk:lock_wait", "lock=0x%llx" },
	[LOCK_TAKE] = { "disk:lock_take", "lock=0x%llx" },
	[LOCK_FREE] = { "disk:lock_free", "lock=0x%llx" },
	[FOREIGN] = { "disk:sched_switch", "id=%d comm=%s" },
};

static struct stream {
	FILE *file;
	char bytes[PACKET_SIZE + HUGE_TEXT];
	size_t used;
	uint64_t begin, last, seq, discarded;
	uint32_t nr;
} streams[2];

static bool lose, torn, stacks, texts, drawn, old;
static const char *task_name;	/* instead of the usual one */
static const char data[600] = "abc";
static uint16_t nr_bytes = 3;	/* of these in an event */

static void put(struct stream *stream, const void *bytes, size_t size)
{
	memcpy(stream->bytes + stream->used, bytes, size);
	stream->used += size;
}

static void begin_packet(struct stream *stream, uint64_t time)
{
	stream->used = sizeof(struct ctf_packet_header);
	stream->begin = time;
	stream->nr = 0;
}

static void end_packet(struct stream *stream, unsigned int cpu)
{
	struct ctf_packet_header header = {
		.magic = CTF_MAGIC, .stream_id = ctf_stream_id(uuid),
		.timestamp_begin = stream->begin, .timestamp_end = stream->last,
		.content_size = 8 * stream->used, .packet_size = 8 * ((stream->used + 7) & ~7ul),
		.cpu_id = cpu, .nr_events = stream->nr,
	};

	if (!stream->nr)
		return;
	if (((lose && cpu == 1) || (torn && !cpu)) && stream->seq == 1) {
		stream->discarded += 5;
		stream->seq += 2;
	}
	if (lose && !cpu && stream->seq == 1)
		stream->discarded += 7;
	header.packet_seq_num = stream->seq++;
	header.events_discarded = stream->discarded;
	memcpy(header.uuid, uuid, sizeof(uuid));
	memcpy(stream->bytes, &header, sizeof(header));
	memset(stream->bytes + stream->used, 0xaa, header.packet_size / 8 - stream->used);
	fwrite(stream->bytes, 1, header.packet_size / 8, stream->file);
	stream->used = 0;
}

static struct stream *begin_event(unsigned int cpu, uint32_t id, uint64_t time, int32_t tid)
{
	struct stream *stream = &streams[cpu];
	uint32_t compact = (uint32_t)time << CTF_ID_BITS | id;
	char procname[CTF_PROCNAME_SIZE] = "";
	uint16_t flags = cpu ? CTF_FLAG_SOFTIRQ | 1 : 0;

	if (stream->used > PACKET_SIZE - (texts ? 2048 : 1024))
		end_packet(stream, cpu);
	if (!stream->used)
		begin_packet(stream, time);
	snprintf(procname, sizeof(procname), "%s %d", time < START ? "young" : "task", tid);
	if (task_name) {
		memset(procname, 0, sizeof(procname));
		memcpy(procname, task_name, strlen(task_name));
	}
	put(stream, &compact, sizeof(compact));
	put(stream, &tid, old ? sizeof(tid) : CTF_TASK_SIZE);
	put(stream, &flags, sizeof(flags));
	put(stream, procname, sizeof(procname));
	if (stacks) {
		static const uint64_t stack[] = { 0xffffffffc0001004, 0xffffffff81000250 };
		uint8_t nr = id == IO_BEGIN && tid == 101 ? 2 : 0;

		put(stream, &nr, sizeof(nr));
		put(stream, stack, nr * sizeof(*stack));
	}
	stream->last = time;
	stream->nr++;
	return stream;
}

#define put_int(stream, type, value) do {	\
	type number = (value);			\
						\
	put(stream, &number, sizeof(number));	\
} while (0)
#define put_text(stream, text) put(stream, text, strlen(text) + 1)

static void put_io(uint64_t i, uint64_t time)
{
	struct stream *stream = begin_event(0, IO_BEGIN, time, 100 + i % 3);

	put_int(stream, uint64_t, i);
	put_int(stream, uint32_t, 512 << i % 8);
}

static void put_hard(const char *text, uint64_t time)
{
	struct stream *stream = begin_event(0, HARD, time, 0);

	put_text(stream, text);
	put_int(stream, uint64_t, UINT64_MAX);
	put_int(stream, int64_t, INT64_MIN);
	put_int(stream, uint64_t, 0xffff888000000000);
	put(stream, "\x02\x00\x5e\x10\x00\x01", 6);
	put_int(stream, uint16_t, nr_bytes);
	put(stream, data, nr_bytes);
}

static void put_more(uint64_t i, uint64_t time)
{
	struct stream *stream = begin_event(0, QUEUE, time, 100);

	put_int(stream, uint32_t, i / 10 % 32);
	stream = begin_event(0, SLICE, time + 1 * US, 100);
	put(stream, "B", 1);
	put_text(stream, "flush");
	put_int(stream, uint32_t, 4);
	if (!torn || i) {
		stream = begin_event(0, SLICE, time + 3 * US, 100);
		put(stream, "E", 1);
		put_text(stream, "");
		put_int(stream, uint32_t, 4);
	}
	stream = begin_event(0, SCHED_SWITCH, time + 4 * US, 100);
	put_text(stream, "task 100");
	put_int(stream, int32_t, 100);
	put_int(stream, int32_t, 120);
	put_int(stream, uint32_t, 1);
	put_int(stream, int32_t, 0);
	put_text(stream, "swapper/0");
	put_int(stream, int32_t, 0);
	put_int(stream, int32_t, 120);
	if (!i)
		put_hard("a \"b\"\n\\ \xc3\xa4 \xff,", time + 5 * US);
}

static struct stream *put_type(uint32_t id, uint64_t time, int32_t tid, char type)
{
	struct stream *stream = begin_event(0, id, time, tid);

	put(stream, &type, 1);
	return stream;
}

/* Steps of two threads overlap, but not in a row. */
static void put_drawn(uint64_t i, uint64_t time)
{
	static const struct { int32_t tid; char type; } steps[] = {
		{ 100, 'B' }, { 101, 'B' }, { 100, 'E' }, { 101, 'E' } };
	struct stream *stream;
	unsigned int n;

	for (n = 0; n < 4; n++) {
		stream = put_type(STEP, time + n * US, steps[n].tid, steps[n].type);
		put_text(stream, steps[n].tid == 100 ? "read" : "write");
		put_text(stream, "phase");
	}
	stream = put_type(ON_CPU, time + 4 * US, 100, 'I');
	put_text(stream, "kick");
	put_int(stream, int32_t, 3);
	for (n = 0; n < 2; n++) {
		stream = put_type(GROUP, time + (5 + 2 * n) * US, 100 + n, "BE"[n]);
		put_text(stream, "job");
		put_int(stream, int32_t, 50);
		put_int(stream, int32_t, n);
		stream = begin_event(0, LEVEL, time + (6 + 2 * n) * US, 100);
		put_int(stream, int64_t, n ? -1 : (int64_t)i);
		put_int(stream, uint32_t, n);
	}
	stream = put_type(TOTAL, time + 9 * US, 100, 'C');
	put_int(stream, int64_t, i / 10);
	put_text(stream, "requests");
}

static void put_odd(uint64_t time)
{
	static const char *const names[] = { "", "two\nlines", " ", "(sd-pam)", "a b" };
	static char text[5001];
	struct stream *stream;
	unsigned int n;

	for (n = 0; n < sizeof(names) / sizeof(*names); n++) {
		task_name = names[n];
		stream = begin_event(0, ODD, time + n * US, 1 + n);
		task_name = NULL;
		put_int(stream, int8_t, -1 - n);
		put_int(stream, int16_t, -1000);
		put_int(stream, uint64_t, UINT64_MAX - n);
		put_int(stream, int32_t, -5);
		put_int(stream, int32_t, 77);
		put_text(stream, "noon");
	}
	memset(text, 'x', sizeof(text) - 1);
	put_hard(text, time + n++ * US);
	stream = begin_event(0, FOREIGN, time + n * US, 100);
	put_int(stream, int32_t, 5);
	put_text(stream, "no task");
}

static void put_rq(unsigned int cpu, uint32_t id, uint64_t time, int32_t tid, uint32_t dev,
		   uint32_t tag)
{
	struct stream *stream = begin_event(cpu, id, time, tid);

	put_int(stream, uint32_t, dev);
	put_int(stream, uint32_t, tag);
}

/* Two requests with one tag. Their begins and ends are of the idle tasks of two CPUs, too. */
static void put_devices(uint64_t i, uint64_t time)
{
	uint32_t tag = i / 10 % 4;

	put_rq(0, RQ_BEGIN, time, 0, 8, tag);
	put_rq(1, RQ_BEGIN, time + 10 * US, 0, 9, tag);
	put_rq(1, RQ_END, time + 20 * US, 0, 9, tag);
	put_rq(0, RQ_END, time + 100 * US, 0, 8, tag);
}

static void put_overlap(uint64_t time)
{
	unsigned int n;

	for (n = 0; n < 10; n++) {
		if (n < 6)
			put_rq(0, RQ_BEGIN, time + n * 10 * US, 100, 8 + n % 2, n / 2);
		if (n >= 4)
			put_rq(1, RQ_END, time + n * 10 * US + US, 7, 8 + n % 2, (n - 4) / 2);
	}
}

static void put_lock(uint32_t id, uint64_t i, uint64_t time, int32_t tid)
{
	put_int(begin_event(0, id, time, tid), uint64_t, 0xffff888000001000 + i % 2 * 0x100);
}

/* Each fifth request has a rival for its lock. The last one keeps it, and is not done. */
static void put_service(uint64_t i, uint64_t time, bool slow, bool last)
{
	const uint32_t dev = 8 + i % 3 % 2, tag = i % 64;
	const uint64_t took = dev == 9 && slow ? i % 100 + 80 : dev == 9 ? i % 100 + 20 : i % 50 + 1;
	const uint64_t freed = time + (12 + i % 10) * US;
	const int32_t tid = 100 + i % 3;
	struct stream *stream = begin_event(0, REQUEST, time, tid);

	put_int(stream, uint32_t, dev);
	put_int(stream, uint32_t, tag);
	put_int(stream, uint32_t, i % 4);
	put_int(stream, uint32_t, 512 << i % 8);
	put_lock(LOCK_TAKE, i, time + 10 * US, tid);
	if (i % 5 == 0)
		put_lock(LOCK_WAIT, i, time + 11 * US, 200);
	if (last)
		return;
	put_lock(LOCK_FREE, i, freed, tid);
	if (i % 5 == 0) {
		put_lock(LOCK_TAKE, i, freed + US, 200);
		put_lock(LOCK_FREE, i, freed + 4 * US, 200);
	}
	stream = begin_event(1, DONE, time + took * US, 7);
	put_int(stream, uint32_t, dev);
	put_int(stream, uint32_t, tag);
	put_int(stream, int32_t, i % 50 == 49 ? -5 : i % 70 == 69 ? -110 : 0);
}

static void put_end(uint64_t i, uint64_t time)
{
	struct stream *stream = begin_event(1, IO_END, time, 7);

	put_int(stream, uint64_t, i);
	put_int(stream, int32_t, i % 50 ? 0 : -5);
}

static FILE *create(const char *dir, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

/* The names that the kernel's printf has for errors; of the others, the numbers. */
int reader_print_extension(char *buf, size_t size, const char *spec, const void *ptr)
{
	const long error = (long)ptr;

	(void)spec;
	return snprintf(buf, size, error == -2 ? "-ENOENT" : error == -5 ? "-EIO" : "%ld", error);
}

static void emit(void *ctx, const char *text, size_t size)
{
	fwrite(text, 1, size, ctx);
}

static bool is_of_new(const char *line)
{
	return strstr(line, MARKER_METADATA_FORMAT) == line;
}

/* As older versions wrote it: tasks had four bytes, and formats were not there. */
static void put_old(FILE *file, char *text)
{
	char *line, *task;

	for (; (line = strsep(&text, "\n"));) {
		if (is_of_new(line))
			continue;
		task = strstr(line, "int24_t _tid");
		if (task)
			memcpy(task, "int32_t", strlen("int32_t"));
		fprintf(file, "%s%s", line, text ? "\n" : "");
	}
}

static void put_metadata(FILE *file, unsigned int nr)
{
	struct marker_metadata_env env = {
		.hostname = "testhost", .kernel_release = "6.1.0-test", .kernel_version = "#1",
		.clock_name = "monotonic", .clock_description = "CLOCK_MONOTONIC",
		.clock_freq = 1000000000, .clock_offset_s = 1700000000,
		.contexts = BIT(MARKER_CONTEXT_TID) | BIT(MARKER_CONTEXT_FLAGS) |
			    BIT(MARKER_CONTEXT_PROCNAME) | (stacks ? BIT(MARKER_CONTEXT_CALLSTACK) : 0),
	};
	struct marker_format_error error;
	struct marker_format format;
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	struct marker_metadata_out out = { emit, memory };
	unsigned int i;

	memcpy(env.uuid, uuid, sizeof(uuid));
	marker_metadata_header(&out, &env);
	for (i = 0; i < nr; i++) {
		if (marker_format_parse(&format, events[i].format, &error)) {
			fprintf(stderr, "%s: %s\n", events[i].name, error.why);
			exit(1);
		}
		marker_metadata_event(&out, uuid, i, events[i].name, &format);
	}
	fclose(memory);
	if (old)
		put_old(file, text);
	else
		fputs(text, file);
	free(text);
}

int main(int argc, char **argv)
{
	uint64_t i, nr = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
	static char text[HUGE_TEXT + 1];
	bool huge, odd, devices, overlap, differ, slow, service, rounds, late, bytes;
	FILE *file;
	size_t n;

	if (argc < 2)
		return 2;
	stacks = argc > 3 && !strcmp(argv[3], "stack");
	differ = argc > 3 && !strcmp(argv[3], "texts");
	huge = argc > 3 && !strcmp(argv[3], "huge");
	texts = differ || huge || (argc > 3 && !strcmp(argv[3], "long"));
	drawn = argc > 3 && !strcmp(argv[3], "drawn");
	devices = argc > 3 && !strcmp(argv[3], "devices");
	overlap = argc > 3 && !strcmp(argv[3], "overlap");
	odd = argc > 3 && !strcmp(argv[3], "odd");
	slow = argc > 3 && !strcmp(argv[3], "slow");
	service = slow || (argc > 3 && !strcmp(argv[3], "service"));
	bytes = argc > 3 && !strcmp(argv[3], "bytes");
	late = argc > 3 && !strcmp(argv[3], "late");
	torn = argc > 3 && !strcmp(argv[3], "torn");
	rounds = torn || (argc > 3 && !strcmp(argv[3], "rounds"));
	lose = argc > 3 && !strcmp(argv[3], "lost");
	old = argc > 3 && !strcmp(argv[3], "old");
	memset(text, 'x', huge ? HUGE_TEXT : 1000);
	mkdir(argv[1], 0755);
	streams[0].file = create(argv[1], "stream_0");
	streams[1].file = create(argv[1], "stream_1");
	if (argc > 3 && !strcmp(argv[3], "moved")) {
		put_int(begin_event(0, QUEUE, START - US, 7), uint32_t, 0);
		put_int(begin_event(1, QUEUE, START - US, 100), uint32_t, 0);
	}
	for (i = 0; i < nr; i++) {
		uint64_t time = START + i * 200 * US;

		if (service) {
			put_service(i, time, slow, i == nr - 1);
			continue;
		}
		put_io(i, time);
		if (i % 10 == 0)
			put_more(i, time + 2 * US);
		if (differ)
			text[999] = "ab"[i % 2];
		if (texts)
			put_hard(text, time + 8 * US);
		if (bytes && !i) {
			nr_bytes = sizeof(data);
			put_hard("", time + 8 * US);
		}
		if (drawn && i % 10 == 0)
			put_drawn(i, time + 10 * US);
		if (odd && !i)
			put_odd(time + 10 * US);
		if (!late)
			put_end(i, time + (i % 100 + 1) * US);
		if (devices && i % 10 == 0)
			put_devices(i, time + 30 * US);
		if (overlap && i % 10 == 0)
			put_overlap(time + 30 * US);
		for (n = 0; rounds && i % 10 == 9 && n < 2; n++)
			end_packet(&streams[n], n);
	}
	for (i = 0; late && i < nr; i++)
		put_end(i, START + (nr + i) * 200 * US);
	for (n = 0; n < 2; n++) {
		end_packet(&streams[n], n);
		fclose(streams[n].file);
	}
	file = create(argv[1], "metadata");
	put_metadata(file, service ? LOCK_FREE + 1 : devices || overlap ? RQ_END + 1 :
		     odd ? FOREIGN + 1 : drawn ? TOTAL + 1 : STEP);
	return fclose(file) ? 1 : 0;
}
