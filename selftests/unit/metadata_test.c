// SPDX-License-Identifier: GPL-2.0
/*
 * markers/format/metadata.c, together with serialize.c: writes whole traces and has
 * babeltrace2 read them.  The text must be that of ../expect/unit, and
 * babeltrace2 must not complain.
 *
 *	metadata_test DIR	writes the traces there; run in selftests/unit
 *	UPDATE=1 metadata_test DIR	writes ../expect/unit as well
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <markers/format/metadata.h>
#include <markers/format/serialize.h>
#include <markers/ring/packet.h>
#include "new_ring.h"
#include "tap.h"

#define EXPECT		"../expect/unit"
#define MAX_EVENTS	64
#define PACKET_SIZE	8192

static struct marker_metadata_env env = {
	.uuid = { 0xf0, 0x0d, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0xff },
	.hostname = "testhost",
	.kernel_release = "6.1.0-test",
	.kernel_version = "#1 \"quoted\" \\ back\nline 2",
	.tracer_major = 0,
	.tracer_minor = 1,
	.clock_name = "monotonic",
	.clock_description = "a clock with 1.5 GHz",
	.clock_freq = 1500000000,
	.clock_offset_s = 1700000000,
	.clock_offset = 750000000,
};

static struct marker_format formats[MAX_EVENTS];
static unsigned int nr_formats;
static const char *dir;

/* A trace is a directory with the metadata and one stream. */
static FILE *metadata, *stream;

static struct {
	char bytes[PACKET_SIZE];
	size_t used;
	u64 time;
	u32 nr_events;
	u64 begin;
	u64 seq;
	u64 discarded;
} packet;

static void emit(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

static const struct marker_metadata_out *to(FILE *file)
{
	static struct marker_metadata_out out;

	out.emit = emit;
	out.ctx = file;
	return &out;
}

static FILE *create(const char *name, const char *file)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/%s/%s", dir, name, file);
	f = fopen(path, "w");
	if (!f) {
		printf("Bail out! cannot write %s\n", path);
		exit(1);
	}
	return f;
}

static void begin_trace(const char *name)
{
	metadata = create(name, "metadata");
	stream = create(name, "stream_0");
	memset(&packet, 0, sizeof(packet));
	nr_formats = 0;
	marker_metadata_header(to(metadata), &env);
}

static u32 define_id(u32 id, const char *name, const char *format)
{
	struct marker_format_error error;

	if (marker_format_parse(&formats[nr_formats], format, &error)) {
		printf("Bail out! %s: column %u: %s\n", format, error.column,
		       error.why);
		exit(1);
	}
	marker_metadata_event(to(metadata), env.uuid, id, name, &formats[nr_formats]);
	return nr_formats++;
}

static u32 define(const char *name, const char *format)
{
	return define_id(nr_formats, name, format);
}

static void put(const void *bytes, size_t size)
{
	memcpy(packet.bytes + packet.used, bytes, size);
	packet.used += size;
}

static void begin_packet(u64 time)
{
	packet.used = sizeof(struct ctf_packet_header);
	packet.begin = time;
	packet.time = time;
	packet.nr_events = 0;
}

static void end_packet(u64 time)
{
	struct ctf_packet_header header = {
		.magic = CTF_MAGIC,
		.timestamp_begin = packet.begin,
		.timestamp_end = time,
		.content_size = packet.used * 8,
		.packet_size = PACKET_SIZE * 8,
		.packet_seq_num = packet.seq++,
		.events_discarded = packet.discarded,
		.cpu_id = 3,
		.nr_events = packet.nr_events,
	};

	memcpy(header.uuid, env.uuid, sizeof(header.uuid));
	header.stream_id = ctf_stream_id(env.uuid);
	memcpy(packet.bytes, &header, sizeof(header));
	memset(packet.bytes + packet.used, 0xaa, PACKET_SIZE - packet.used);
	fwrite(packet.bytes, 1, PACKET_SIZE, stream);
}

static void put_header(u32 id, u64 time)
{
	u32 tag = id < CTF_ID_MEDIUM ? id : CTF_ID_MEDIUM;
	u32 compact = (u32)time << CTF_ID_BITS | tag;
	u8 extended = CTF_ID_EXTENDED;
	u16 medium = id;

	if (id <= CTF_MEDIUM_ID_MAX && time - packet.time < 1u << CTF_TIME_BITS) {
		put(&compact, sizeof(compact));
		if (tag == CTF_ID_MEDIUM)
			put(&medium, sizeof(medium));
	} else {
		put(&extended, sizeof(extended));
		put(&id, sizeof(id));
		put(&time, sizeof(time));
	}
	packet.time = time;
}

static void event_args(u32 id, u32 index, u64 time, const u64 *args)
{
	const struct marker_format *format = &formats[index];
	struct marker_lengths lengths;
	char bytes[4096];
	char *end;

	put_header(id, time);
	marker_serialize_size(format, args, &lengths);
	end = marker_serialize(bytes, format, args, &lengths);
	put(bytes, end - bytes);
	packet.nr_events++;
}

#define event(id, time, args...) \
	event_args(id, id, time, (u64[]){ 0, ##args } + 1)

static u64 slot(const void *p)
{
	return (uintptr_t)p;
}

/* Same as the file, or UPDATE=1 makes it so. */
static void compare(const char *got_path, const char *name)
{
	char command[4096];

	if (getenv("UPDATE"))
		snprintf(command, sizeof(command), "cp %s " EXPECT "/%s.txt",
			 got_path, name);
	else
		snprintf(command, sizeof(command),
			 "diff -u " EXPECT "/%s.txt %s | sed 's/^/# /' >&2; "
			 "cmp -s " EXPECT "/%s.txt %s", name, got_path, name,
			 got_path);
	ok(!system(command), "%s is as expected", name);
}

static bool is_babeltrace_here(void)
{
	return !system("command -v babeltrace2 >/dev/null");
}

/* Has babeltrace2 read the trace, and puts its stderr into @errors. */
static void read_trace(const char *name, const char *options, char *errors,
		       size_t size)
{
	char command[4096], path[600];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.txt", dir, name);
	snprintf(command, sizeof(command),
		 "babeltrace2 %s %s/%s >%s 2>%s.err", options, dir, name, path,
		 path);
	ok(!system(command), "babeltrace2 reads %s", name);
	strcat(path, ".err");
	f = fopen(path, "r");
	memset(errors, 0, size);
	if (f) {
		ok(fread(errors, 1, size - 1, f) < size, "%s was read", name);
		fclose(f);
	}
}

static void check_trace(const char *name)
{
	char errors[4096], path[600];

	fclose(metadata);
	fclose(stream);
	if (!is_babeltrace_here()) {
		skip("babeltrace2 is not here", "%s is read", name);
		return;
	}
	read_trace(name, "--clock-seconds --no-delta --fields=all", errors,
		   sizeof(errors));
	is_str(errors, "", "and does not complain");
	snprintf(path, sizeof(path), "%s/%s.txt", dir, name);
	compare(path, name);
}

/* Each field type, with its extremes. */
static void test_types(void)
{
	static const u8 data[16] = { 0, 1, 2, 0x7f, 0x80, 0xff, 6, 7, 8, 9, 10,
				     11, 12, 13, 14, 15 };
	static const u64 resource[] = { 0x1000, 0x1fff, 0xffff888000000000, 0x200 };
	static const s32 time[] = { 59, 58, 23, 31, 11, 126, 4, 364, -1 };
	static const s64 seconds = -1;
	static struct dentry dentry = { &dentry, { "name" } };
	u32 ints, uints, hex, text, bytes, none, pointers, objects;
	u64 t = 1000;

	begin_trace("types");
	ints = define("test:ints", "c %hhd s %hd i %d l %ld");
	uints = define("test:uints", "c %hhu s %hu i %u l %lu");
	hex = define("test:hex", "c %hhx s %hx i %#x l 0x%lx co %hho so %ho "
				 "io %o lo %lo");
	text = define("test:text", "char %c string '%s' cut '%.3s' len '%.*s'");
	bytes = define("test:bytes", "ip %pI4 ip6 %pI6c mac %pM uuid %pUb fixed "
				     "%3ph seq %*ph empty %*ph");
	none = define("test:none", " ");
	pointers = define("test:pointers", "p %p func %pS");
	objects = define("test:objects", "err %pe size %pa format %p4cc time %ptT res %pR "
					 "rtc %ptR name %pd cpus %*pbl to %pISpc");
	begin_packet(t);
	event(ints, t++, 0, 0, 0, 0);
	event(ints, t++, 127, 32767, 0x7fffffff, 0x7fffffffffffffff);
	event(ints, t++, (u64)-128, (u64)-32768, (u64)-0x80000000ll,
	      0x8000000000000000);
	event(ints, t++, -1, -1, -1, -1);
	event(uints, t++, 0, 0, 0, 0);
	event(uints, t++, -1, -1, -1, -1);
	event(hex, t++, -1, -1, -1, -1, -1, -1, -1, -1);
	event(hex, t++, 1, 2, 3, 4, 5, 6, 7, 8);
	event(text, t++, 'x', slot("hello world, hello world"), slot("abcdef"),
	      2, slot("xyz"));
	event(text, t++, 'y', 0, 42, 0, slot("xyz"));
	event(text, t++, '\n', slot("quote \" tab \t uml \xc3\xa4"), slot(""), -1,
	      slot("xyz"));
	event(bytes, t++, slot(data), slot(data), slot(data), slot(data),
	      slot(data), 5, slot(data), 0, slot(data));
	event(bytes, t++, 0, 0, 0, 0, 0, 3, 0, 0, 0);
	event(none, t++);
	event(pointers, t++, 0xffff888000000000, 42);
	event(objects, t++, -2, slot(data), slot(data), slot(&seconds), slot(resource),
	      slot(time), slot(&dentry), 12, slot(data), slot(data));
	event(objects, t++, -133, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	end_packet(t);
	check_trace("types");
}

/* Headers of all three forms, and large steps of the clock. */
static void test_time(void)
{
	u64 t = 0xfffffff0, wrap = 1u << CTF_TIME_BITS;
	unsigned int i;

	begin_trace("time");
	define("time:zero", "n %d");
	for (i = 1; i <= 40; i++)
		define("time:other", "n %d");
	define_id(1000000, "time:million", "n %d");
	begin_packet(t);
	event(0, t, 0);
	event(0, t, 1);				/* no time has passed */
	event(0, t += 1, 2);
	event(29, t += wrap - 1, 3);		/* the longest compact step */
	event(0, t += wrap, 4);			/* one more is extended */
	event(30, t += 1, 5);			/* an id that is medium */
	event(40, t += wrap - 1, 6);		/* the longest medium step */
	event(40, t += wrap, 60);		/* one more is extended */
	event(0, t += 100 * wrap, 7);
	event_args(1000000, 41, t += 1, (u64[]){ 8 });
	event(1, t += 1, 9);			/* compact after extended */
	end_packet(t);
	begin_packet(t += 1500000000);
	event(0, t, 10);
	for (i = 0; i < 70; i++)		/* low bits wrap, unseen */
		event(2, t += wrap - 1, 11 + i);
	end_packet(t += 5);
	begin_packet(t);			/* a packet without an event */
	end_packet(t);
	begin_packet(1ull << 60);
	event(0, 1ull << 60, 99);
	end_packet(1ull << 60);
	check_trace("time");
}

/*
 * More events than 16 bits can number, through a real ring: ids on both sides of each
 * limit, in the header that packet.c chooses, in packets that it closes.  With
 * METADATA_TEST_ALL=1 the metadata describes all of them: babeltrace2 takes its time.
 */
#define NR_IDS	66000
#define NR_USED	13		/* the first ones of ids[]; the others come again */

static void record(struct ring *ring, u32 id, u64 time, int number, const char *text)
{
	u64 args[] = { number, slot(text) };
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct marker_lengths lengths;
	struct ring_record rec;
	u32 size;

	unit_time_ns = time;
	size = marker_serialize_size(&formats[0], args, &lengths);
	assert(packet_reserve(rc, &rec, id, size));
	marker_serialize(packet_event_header(&rec, id), &formats[0], args, &lengths);
	ring_commit(rc, &rec);
}

static void write_packets(struct ring *ring)
{
	struct ring_packet full;

	ring_flush(ring, unit_cpu);
	ring_reader_lock(ring, unit_cpu);
	while (!ring_get(ring, unit_cpu, &full)) {
		fwrite(full.data, 1, full.size, stream);
		ring_put(ring, unit_cpu, &full);
	}
	ring_reader_unlock(ring, unit_cpu);
}

static void test_ids(void)
{
	static const u32 ids[] = { 0, 1, 29, 30, 31, 32, 255, 256, 65534, 65535, 65536,
				   65537, NR_IDS - 1, 30, 65536, 0 };
	u64 t = 1000000;
	struct ring *ring;
	char name[32];
	u32 i, id;

	unit_time_ns = t;
	clock_init("mono");
	ring_init();
	unit_cpu = 2;
	ring = unit_new_ring(4096, 4, RING_DISCARD, &packet_ring_ops, (void *)env.uuid);
	begin_trace("ids");
	define("ids:0", "n %d s %s");
	for (id = 1; id < NR_IDS; id++) {
		for (i = 0; i < NR_USED && ids[i] != id; i++)
			;
		if (i == NR_USED && !getenv("METADATA_TEST_ALL"))
			continue;
		snprintf(name, sizeof(name), "ids:%u", id);
		marker_metadata_event(to(metadata), env.uuid, id, name, &formats[0]);
	}
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		record(ring, ids[i], t += 10, ids[i], "text");
		if (i == NR_USED / 2 || i == ARRAY_SIZE(ids) - 1)
			write_packets(ring);
	}
	check_trace("ids");
	ring_destroy(ring);
	ring_exit();
	unit_cpu = 0;
	unit_time_ns = 0;
}

/* What one event has of all contexts, in the order of the stream. */
struct context_bytes {
	s32 tid : 24;
	u16 flags;
	char procname[CTF_PROCNAME_SIZE];
	s32 pid : 24;
	s32 vtid : 24;
	s32 vpid : 24;
	s8 prio;
	u64 cgroup_id;
} __attribute__((packed));

static void context_event(u64 time, const struct context_bytes *contexts, int number)
{
	put_header(0, time);
	put(contexts, sizeof(*contexts));
	put(&number, sizeof(number));
	packet.nr_events++;
}

/* Contexts at their limits: a name without a NUL, bytes that are no text, each flag. */
static void test_contexts(void)
{
	static const struct context_bytes usual = {
		1234, CTF_FLAG_IRQS_OFF | CTF_FLAG_HARDIRQ | 2, "kworker/0:1", 1234, 7, 7, 20, 42,
	};
	static const struct context_bytes most = {
		0x7fffff, 0xffff, "fifteen letters", 0x7fffff, 0x7fffff, 0x7fffff,
		127, 0xffffffffffffffff,
	};
	static const struct context_bytes least = {
		-0x800000, 0, "\"\\\n\xc3\xa4\x01", -0x800000, -1, 0, -128, 0,
	};
	u64 t = 1000;

	env.contexts = BIT(MARKER_CONTEXT_TID) | BIT(MARKER_CONTEXT_FLAGS) |
		       BIT(MARKER_CONTEXT_PROCNAME) | BIT(MARKER_CONTEXT_PID) |
		       BIT(MARKER_CONTEXT_VTID) | BIT(MARKER_CONTEXT_VPID) |
		       BIT(MARKER_CONTEXT_PRIO) | BIT(MARKER_CONTEXT_CGROUP_ID);
	is_int(marker_context_size(marker_context_tag(env.contexts)),
	       sizeof(struct context_bytes), "bytes of all contexts");
	begin_trace("contexts");
	define("contexts:x", "n %d");
	begin_packet(t);
	context_event(t++, &usual, 1);
	context_event(t++, &most, 2);
	context_event(t++, &least, 3);
	/* the header of an id of 32 bits is not aligned either */
	context_event(t += 1ull << CTF_TIME_BITS, &usual, 4);
	end_packet(t);
	env.contexts = 0;
	check_trace("contexts");
}

/* Names and formats that TSDL, C or babeltrace2 could trip over. */
static void test_names(void)
{
	u32 keywords, odd, length, many, event_name, words;
	u64 t = 5;

	begin_trace("names");
	keywords = define("names:keywords", "struct %d event %d int %d string %d "
			  "variant %d enum %d integer %d const %d char %c "
			  "signed %d align %d id %d timestamp %d v %d");
	odd = define("names:odd", "_x %d __x %d x %d _ %d x %d %d arg5 %d");
	length = define("names:length", "x %*ph x_length %d _x_length_2 %d");
	many = define("names:many", "%d %d %d %d %d %d %d %d %d %d %d %d %d %d "
		      "%d a12345678901234567890123456789012345678901234567 %d");
	event_name = define("na\"mes:odd\\name", "x %d");
	define("names:unused", "x %s");
	words = define("names:words", "*/ \"*/ \n};\nevent { \\ \\057 } \t\x7f \xc3\xa9 \xff x %d *//*");
	begin_packet(t);
	event(keywords, t++, 1, 2, 3, 4, 5, 6, 7, 8, 'x', 10, 11, 12, 13, 14);
	event(odd, t++, 1, 2, 3, 4, 5, 6, 7);
	event(length, t++, 2, slot("hi"), 3, 4);
	event(many, t++, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	event(event_name, t++, 1);
	event(words, t++, 1);
	end_packet(t);
	check_trace("names");
}

/* Lost events and packets: babeltrace2 must notice, and say how many. */
static void test_lost(void)
{
	char errors[4096], path[600];
	u64 t = 100;

	begin_trace("lost");
	define("lost:x", "n %d");
	begin_packet(t);
	event(0, t++, 1);
	end_packet(t++);
	begin_packet(t++);
	event(0, t++, 2);
	packet.discarded = 5;
	end_packet(t++);
	packet.seq += 2;
	begin_packet(t++);
	event(0, t++, 3);
	end_packet(t++);
	fclose(metadata);
	fclose(stream);
	if (!is_babeltrace_here()) {
		skip("babeltrace2 is not here", "lost is read");
		return;
	}
	read_trace("lost", "--clock-seconds --no-delta", errors, sizeof(errors));
	ok(strstr(errors, "discarded 5 events") != NULL,
	   "it sees 5 discarded events");
	ok(strstr(errors, "discarded 2 packets") != NULL,
	   "it sees 2 lost packets");
	if (tap_failed)
		printf("# %s\n", errors);
	snprintf(path, sizeof(path), "%s/lost.txt", dir);
	compare(path, "lost");
}

static void test_text(void)
{
	char path[600];

	begin_trace("text");
	define("module:marker", "name '%s' value 0x%x data %*ph mac %pM");
	fclose(metadata);
	fclose(stream);
	snprintf(path, sizeof(path), "%s/text/metadata", dir);
	compare(path, "metadata");
}

int main(int argc, char **argv)
{
	static char path[512];

	if (argc != 2) {
		fprintf(stderr, "usage: metadata_test DIR\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s/traces", argv[1]);
	mkdir(path, 0755);
	dir = path;
	test_text();
	test_types();
	test_time();
	test_ids();
	test_contexts();
	test_names();
	test_lost();
	return tap_done();
}
