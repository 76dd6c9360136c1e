// SPDX-License-Identifier: GPL-2.0
/*
 * Headers of packets, and names of streams: whole, cut off at any place, damaged.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

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
	bad.packet_size = 8ull << 32;
	ok(packet_check(&bad), "more than packet_iter reads");
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

int main(void)
{
	test_check();
	test_walk();
	test_names();
	return tap_done();
}
