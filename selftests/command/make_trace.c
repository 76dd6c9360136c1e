// SPDX-License-Identifier: GPL-2.0
/*
 * make_trace DIR REQUESTS [lost|stack|long|moved|drawn|odd|devices]: makes a trace of two CPUs with known events.
 *
 * Request i begins on CPU 0 at 1 s + i * 200 us, with the key i, and ends on CPU 1 after
 * (i % 100 + 1) us. Each tenth request has more: a counter, an event that is a slice by
 * itself, a switch of tasks, and the first time values that are hard to print. With "lost",
 * CPU 0 has lost 7 events, and 5 of CPU 1 were overwritten. With "stack", the second request
 * has a call stack. With "long", each request has an event with a text of 1000 bytes.
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
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <markers/uapi/ctf.h>

#define PACKET_SIZE	32768
#define US		1000ull
#define START		(1000000 * US)

enum { IO_BEGIN, IO_END, QUEUE, SLICE, SCHED_SWITCH, HARD, STEP, ON_CPU, GROUP, LEVEL, TOTAL, ODD, FOREIGN,
	RQ_BEGIN, RQ_END, REQUEST, DONE, LOCK_WAIT, LOCK_TAKE, LOCK_FREE };

static const uint8_t uuid[16] = { 0x2a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

static const char metadata[] =
	"/* CTF 1.8 */\n\n"
	"typealias integer { size = 8; align = 8; signed = true; } := int8_t;\n"
	"typealias integer { size = 16; align = 8; signed = true; } := int16_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 8; align = 8; signed = false; base = hex; } := hex8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; base = hex; } := hex16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; base = hex; } := hex32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; base = hex; } := hex64_t;\n"
	"typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := char_t;\n"
	"typealias integer { size = 5; align = 1; signed = false; } := uint5_t;\n"
	"typealias integer { size = 16; align = 1; signed = false; } := medium_id_t;\n\n"
	"trace {\n\tmajor = 1;\n\tminor = 8;\n"
	"\tuuid = \"2a010203-0405-0607-0809-0a0b0c0d0e0f\";\n\tbyte_order = le;\n"
	"\tpacket.header := struct {\n\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n"
	"\t\tuint32_t stream_id;\n\t};\n};\n\n"
	"env {\n\thostname = \"testhost\";\n\tdomain = \"kernel\";\n\tsysname = \"Linux\";\n"
	"\tkernel_release = \"6.1.0-test\";\n\tkernel_version = \"#1\";\n"
	"\ttracer_name = \"markers\";\n\ttracer_major = 0;\n\ttracer_minor = 1;\n};\n\n"
	"clock {\n\tname = monotonic;\n\tdescription = \"CLOCK_MONOTONIC\";\n"
	"\tfreq = 1000000000;\n\toffset_s = 1700000000;\n\toffset = 0;\n};\n\n"
	"typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; }"
	" := compact_time_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; }"
	" := time_t;\n\n"
	"stream {\n\tid = 50463018;\n\tpacket.context := struct {\n\t\ttime_t timestamp_begin;\n"
	"\t\ttime_t timestamp_end;\n\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n"
	"\t\tuint64_t packet_seq_num;\n\t\tuint64_t events_discarded;\n\t\tuint32_t cpu_id;\n"
	"\t\tuint32_t nr_events;\n\t};\n"
	"\tevent.header := struct {\n"
	"\t\tenum : uint5_t { compact = 0 ... 29, medium = 30, extended = 31 } id;\n"
	"\t\tvariant <id> {\n\t\t\tstruct {\n\t\t\t\tcompact_time_t timestamp;\n\t\t\t} compact;\n"
	"\t\t\tstruct {\n\t\t\t\tcompact_time_t timestamp;\n\t\t\t\tmedium_id_t id;\n\t\t\t} medium;\n"
	"\t\t\tstruct {\n\t\t\t\tuint32_t id;\n\t\t\t\ttime_t timestamp;\n\t\t\t} extended;\n"
	"\t\t} v;\n\t} align(8);\n"
	"\tevent.context := struct {\n\t\tint32_t _tid;\n\t\thex16_t _flags;\n"
	"\t\tchar_t _procname[15];\n";

static const char with_stack[] =
	"\t\tuint8_t __callstack_kernel_length;\n"
	"\t\thex64_t _callstack_kernel[__callstack_kernel_length];\n";
static const char stream_end[] = "\t};\n};\n";

static const struct {
	const char *name;
	const char *fields;
} events[] = {
	[IO_BEGIN] = { "disk:io_begin", "uint64_t _id;\n\t\tuint32_t _bytes;" },
	[IO_END] = { "disk:io_end", "uint64_t _id;\n\t\tint32_t _error;" },
	[QUEUE] = { "disk:queue", "uint32_t _depth;" },
	[SLICE] = { "disk:slice", "char_t _track_event_type[1];\n\t\tstring _slice_name;\n"
				  "\t\tuint32_t _scope_queue;" },
	[SCHED_SWITCH] = { "kernel_events:sched_switch",
			   "string _prev_comm;\n\t\tint32_t _prev_pid;\n\t\tint32_t _prev_prio;\n"
			   "\t\thex32_t _prev_state;\n\t\tint32_t _preempt;\n\t\tstring _next_comm;\n"
			   "\t\tint32_t _next_pid;\n\t\tint32_t _next_prio;" },
	[HARD] = { "disk:hard", "string _text;\n\t\tuint64_t _big;\n\t\tint64_t _small;\n"
				"\t\thex64_t _pointer;\n\t\thex8_t _mac[6];\n\t\tuint16_t __data_length;\n"
				"\t\thex8_t _data[__data_length];" },
	[STEP] = { "disk:step", "char_t _track_event_type[1];\n\t\tstring _slice_name;\n"
				"\t\tstring _track_name;" },
	[ON_CPU] = { "disk:on_cpu", "char_t _track_event_type[1];\n\t\tstring _slice_name;\n"
				    "\t\tint32_t _scope_cpu;" },
	[GROUP] = { "disk:group", "char_t _track_event_type[1];\n\t\tstring _slice_name;\n"
				  "\t\tint32_t _scope_tgid;\n\t\tint32_t _done;" },
	[LEVEL] = { "disk:level", "int64_t _counter_value;\n\t\tuint32_t _scope_queue;" },
	[TOTAL] = { "disk:total", "char_t _track_event_type[1];\n\t\tint64_t _counter_value;\n"
				  "\t\tstring _track_name;" },
	[ODD] = { "disk:odd", "int8_t _byte;\n\t\tint16_t _half;\n\t\tuint64_t _large;\n"
			      "\t\tint32_t _pid;\n\t\tint32_t _tid;\n\t\tstring _time;" },
	[RQ_BEGIN] = { "disk:rq_begin", "uint32_t _dev;\n\t\tuint32_t _tag;" },
	[RQ_END] = { "disk:rq_end", "uint32_t _disk;\n\t\tuint32_t _tag;" },
	[REQUEST] = { "disk:request", "uint32_t _dev;\n\t\tuint32_t _tag;\n\t\tuint32_t _queue;\n"
				      "\t\tuint32_t _bytes;" },
	[DONE] = { "disk:done", "uint32_t _dev;\n\t\tuint32_t _tag;\n\t\tint32_t _error;" },
	[LOCK_WAIT] = { "disk:lock_wait", "hex64_t _lock;" },
	[LOCK_TAKE] = { "disk:lock_take", "hex64_t _lock;" },
	[LOCK_FREE] = { "disk:lock_free", "hex64_t _lock;" },
	[FOREIGN] = { "disk:sched_switch", "int32_t _id;\n\t\tstring _comm;" },
};

static struct stream {
	FILE *file;
	char bytes[PACKET_SIZE];
	size_t used;
	uint64_t begin, last, seq, discarded;
	uint32_t nr;
} streams[2];

static bool lose, stacks, texts, drawn;
static const char *task_name;	/* instead of the usual one */

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
	if (lose && cpu == 1 && stream->seq == 1) {
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
	put(stream, &tid, sizeof(tid));
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
	put_int(stream, uint16_t, 3);
	put(stream, "abc", 3);
}

static void put_more(uint64_t i, uint64_t time)
{
	struct stream *stream = begin_event(0, QUEUE, time, 100);

	put_int(stream, uint32_t, i / 10 % 32);
	stream = begin_event(0, SLICE, time + 1 * US, 100);
	put(stream, "B", 1);
	put_text(stream, "flush");
	put_int(stream, uint32_t, 4);
	stream = begin_event(0, SLICE, time + 3 * US, 100);
	put(stream, "E", 1);
	put_text(stream, "");
	put_int(stream, uint32_t, 4);
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

int main(int argc, char **argv)
{
	uint64_t i, nr = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
	static char text[1001];
	bool odd, devices, overlap, differ, slow, service;
	FILE *file;
	size_t n;

	if (argc < 2)
		return 2;
	stacks = argc > 3 && !strcmp(argv[3], "stack");
	differ = argc > 3 && !strcmp(argv[3], "texts");
	texts = differ || (argc > 3 && !strcmp(argv[3], "long"));
	drawn = argc > 3 && !strcmp(argv[3], "drawn");
	devices = argc > 3 && !strcmp(argv[3], "devices");
	overlap = argc > 3 && !strcmp(argv[3], "overlap");
	odd = argc > 3 && !strcmp(argv[3], "odd");
	slow = argc > 3 && !strcmp(argv[3], "slow");
	service = slow || (argc > 3 && !strcmp(argv[3], "service"));
	lose = argc > 3 && !strcmp(argv[3], "lost");
	memset(text, 'x', sizeof(text) - 1);
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
			text[sizeof(text) - 2] = "ab"[i % 2];
		if (texts)
			put_hard(text, time + 8 * US);
		if (drawn && i % 10 == 0)
			put_drawn(i, time + 10 * US);
		if (odd && !i)
			put_odd(time + 10 * US);
		put_end(i, time + (i % 100 + 1) * US);
		if (devices && i % 10 == 0)
			put_devices(i, time + 30 * US);
		if (overlap && i % 10 == 0)
			put_overlap(time + 30 * US);
	}
	for (n = 0; n < 2; n++) {
		end_packet(&streams[n], n);
		fclose(streams[n].file);
	}
	file = create(argv[1], "metadata");
	fprintf(file, "%s%s%s", metadata, stacks ? with_stack : "", stream_end);
	for (n = 0; n < (service ? LOCK_FREE + 1 : devices || overlap ? RQ_END + 1 :
			 odd ? FOREIGN + 1 : drawn ? TOTAL + 1 : STEP); n++)
		fprintf(file, "\nevent {\n\tname = \"%s\";\n\tid = %zu;\n\tstream_id = 50463018;\n"
			"\tfields := struct {\n\t\t%s\n\t};\n};\n", events[n].name, n, events[n].fields);
	return fclose(file) ? 1 : 0;
}
