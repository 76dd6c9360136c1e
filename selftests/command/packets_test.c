// SPDX-License-Identifier: GPL-2.0
/*
 * Packets and their events, as the command reads them without libbabeltrace2: whole,
 * truncated at any place, damaged.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "layout.h"
#include "packets.h"
#include "trace_dir.h"
#include "tap.h"

static struct ctf_packet_header header_of(uint32_t size, uint32_t events)
{
	return (struct ctf_packet_header){
		.magic = CTF_MAGIC,
		.timestamp_begin = 1, .timestamp_end = 2,
		.content_size = 8 * size, .packet_size = 8 * ((size + 7) & ~7u),
		.uuid = { 1, 2, 3, 4 }, .stream_id = 0x04030201,
		.nr_events = events, .events_discarded = 10 * events,
	};
}

static void test_check(void)
{
	struct ctf_packet_header good = header_of(100, 1), bad;

	ok(!packet_check(&good), "a header");
	bad = good;
	bad.magic++;
	ok(packet_check(&bad), "wrong magic");
	bad = good;
	bad.content_size = 8;
	ok(packet_check(&bad), "content smaller than the header");
	bad = good;
	bad.content_size += 3;
	ok(packet_check(&bad), "half a byte");
	bad = good;
	bad.packet_size = bad.content_size - 8;
	ok(packet_check(&bad), "packet smaller than its content");
	bad = good;
	bad.packet_size = UINT64_MAX - 7;
	ok(packet_check(&bad), "a size that overflows");
	bad = good;
	bad.timestamp_end = 0;
	ok(packet_check(&bad), "it ends before it begins");
	bad = good;
	bad.cpu_id = 65536;
	ok(packet_check(&bad), "a CPU that cannot be");
	bad.cpu_id = 65535;
	ok(!packet_check(&bad), "and one that could");
	bad = good;
	bad.stream_id++;
	ok(packet_check(&bad), "another class of streams");
}

static void test_walk(void)
{
	FILE *file = tmpfile();
	struct packets packets = {}, part;
	char zero[200] = {};
	uint32_t other = 1;
	bool good = true;
	off_t size, cut;
	int i;

	for (i = 1; i <= 3; i++) {
		struct ctf_packet_header header = header_of(80 + 20 * i, i);

		fwrite(&header, sizeof(header), 1, file);
		fwrite(zero, 1, header.packet_size / 8 - sizeof(header), file);
	}
	fflush(file);
	size = ftello(file);
	ok(!packets_walk(&packets, fileno(file), size), "three packets");
	is_int(packets.whole, size, "all of the file");
	is_int(packets.events, 6, "their events");
	is_int(packets.discarded, 30, "what was lost before the last one's end");

	for (cut = 0; cut < size; cut++) {
		memset(&part, 0, sizeof(part));
		good &= !packets_walk(&part, fileno(file), cut) && part.whole <= cut &&
			part.events == (cut >= 104 + 120 ? 3 : cut >= 104 ? 1 : 0);
	}
	ok(good, "cut off at any byte, whole packets are found");

	pwrite(fileno(file), &other, sizeof(other), 104 + offsetof(struct ctf_packet_header, cpu_id));
	memset(&part, 0, sizeof(part));
	ok(packets_walk(&part, fileno(file), size) && part.whole == 104, "packets of two CPUs");

	pwrite(fileno(file), zero, 4, 104);
	memset(&part, 0, sizeof(part));
	ok(packets_walk(&part, fileno(file), size), "a damaged packet");
	is_int(part.whole, 104, "and where it begins");
	fclose(file);
}

static void test_names(void)
{
	static const char *const others[] = {
		"stream_", "stream_00", "stream_0.bak", "stream_+1", "stream_-1", "stream_ 1", "stream_65536",
		"stream_99999999999999999999", "Stream_0", "stream", "",
	};
	size_t i;

	is_int(trace_dir_stream("stream_0"), 0, "a stream of CPU 0");
	is_int(trace_dir_stream("stream_8191"), 8191, "a stream of the last CPU");
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		is_int(trace_dir_stream(others[i]), -1, "\"%s\" is no stream", others[i]);
}

static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 5; align = 1; signed = false; } := uint5_t;\n"
	"enum error_t : uint32_t {\n\t\"-EIO\" = -5\n};\n"
	"trace {\n\tmajor = 1;\n\tpacket.header := struct {\n\t\tuint32_t magic;\n\t};\n};\n"
	"stream {\n\tid = 0;\n"
	"\tevent.header := struct {\n\t\tenum : uint5_t { a = 0 ... 30 } id;\n"
	"\t\tvariant <id> {\n\t\t\tstruct {\n\t\t\t\tuint32_t t;\n\t\t\t} compact;\n\t\t} v;\n\t} align(8);\n"
	"%s};\n"
	"event {\n\tname = \"m:empty\";\n\tid = 0;\n\tstream_id = 0;\n\tfields := struct {\n\t};\n};\n"
	"event {\n\tname = \"m:all\";\n\tid = 40;\n\tstream_id = 0;\n\tfields := struct {\n"
	"\t\tuint32_t _n;\n\t\tstring _s;\n\t\tuint8_t _mac[6];\n"
	"\t\tenum error_t _err;\n\t\tstruct { uint8_t a; uint32_t b; } _res;\n"
	"\t\tuint16_t __h_length;\n\t\tuint8_t _h[__h_length];\n\t};\n};\n";

static const char context[] =
	"\tevent.context := struct {\n\t\tuint32_t tid;\n\t\tuint8_t procname[4];\n\t};\n";

static struct layout *parse(const char *middle)
{
	char text[4096];
	int wrong;

	snprintf(text, sizeof(text), metadata, middle);
	return layout_parse(text, &wrong);
}

/* A medium header, then the fields. */
static const char event[] =
	"\x1e\0\0\0" "\x28\0" "\1\0\0\0" "abc\0" "\1\2\3\4\5\6" "\1\0\0\0" "\2\3\0\0\0" "\3\0" "xyz";

static void test_layout(void)
{
	static const char extended[] = "\x1f" "\x00\0\0\0" "\0\0\0\0\0\0\0\0";
	size_t size = sizeof(event) - 1, cut, found = 0;
	struct layout *layout = parse("");
	uint32_t id;

	ok(layout, "metadata");
	if (!layout)
		return;
	is_str(layout_event(layout, 40), "m:all", "name of event 40");
	ok(!layout_event(layout, 1), "no event 1");
	is_int(layout_next(layout, "\0\0\0\0", 4, &id), 4, "an event without fields");
	is_int(layout_next(layout, extended, 13, &id), 13, "an extended header");
	is_int(layout_next(layout, event, size, &id), size, "all kinds of fields");
	is_int(id, 40, "its id");
	for (cut = 0; cut < size; cut++) {
		char *copy = malloc(cut + 1);	/* without spare bytes, for the sanitizer */

		memcpy(copy, event, cut);
		copy = realloc(copy, cut ? cut : 1);
		found += layout_next(layout, copy, cut, &id) != 0;
		free(copy);
	}
	is_int(found, 0, "cut off at any byte, it is none");
	is_int(layout_next(layout, "\1\0\0\0", 4, &id), 0, "an unknown id");
	layout_free(layout);

	layout = parse(context);
	ok(layout, "metadata with a context");
	is_int(layout ? layout_next(layout, "\0\0\0\0" "\1\0\0\0" "sh\0\0", 12, &id) : 0, 12,
	       "the context is a part of the event");
	layout_free(layout);
}

static void test_tracer(void)
{
	static const char packet[] = "\xd1\x1d\xc5\x75\0\0env {\ntracer_name = \"lttng-modules\";\n};";
	static const char good[] = "env {\n\ttracer_name = \"markers\";\n};\n";
	char *wrong = layout_check_tracer(packet, sizeof(packet) - 1);

	is_str(wrong, "tracer_name is \"lttng-modules\", not \"markers\"", "another tracer");
	free(wrong);
	wrong = layout_check_tracer(good, strlen("env {\n\ttracer_name = \"mark"));
	is_str(wrong, "tracer_name is \"mark\", not \"markers\"", "cut off");
	free(wrong);
	wrong = layout_check_tracer("", 0);
	is_str(wrong, "it does not name its tracer", "empty metadata");
	free(wrong);
	ok(!layout_check_tracer(good, strlen(good)), "markers.ko");
}

static void test_refused(void)
{
	int wrong;

	ok(!layout_parse("event {\n\tid = 0;\n\tfields := struct {\n\t\tfloat _x;\n\t};\n};\n", &wrong),
	   "a type that is not known");
	is_int(wrong, 4, "its line");
	ok(!layout_parse("event {\n\tid = 0;\n\tfields := struct {\n\t\tstruct { float a; } _x;\n\t};\n};\n", &wrong),
	   "nor in a structure");
	ok(!layout_parse("clock {\n\tname = m;\n\tfreq = 0;\n};\n", &wrong),
	   "a clock that stands still");
	is_int(wrong, 3, "its line");
	ok(!layout_parse("event {\n\tid = 0;\n", &wrong), "metadata that was cut off");
	ok(!layout_parse("event {\n};\n", &wrong), "an event without an id");
	ok(!layout_parse("};\n};\n", &wrong), "braces that were not opened");
}

int main(void)
{
	test_check();
	test_walk();
	test_names();
	test_layout();
	test_tracer();
	test_refused();
	return tap_done();
}
