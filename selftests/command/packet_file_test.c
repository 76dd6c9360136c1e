// SPDX-License-Identifier: GPL-2.0
/*
 * The packets of a damaged stream: behind each kind of damage, those that follow are found.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packet_file.h"
#include "tap.h"

#define PACKETS	5
#define SIZE	4096	/* bytes of a packet */

static const uint8_t uuid[CTF_UUID_SIZE] = { 9, 8, 7, 6 };

static FILE *make_stream(void)
{
	char packet[SIZE] = { };
	struct ctf_packet_header header = {
		.magic = CTF_MAGIC, .stream_id = 0x06070809, .timestamp_end = 1,
		.content_size = 8 * SIZE, .packet_size = 8 * SIZE,
	};
	FILE *file = tmpfile();
	int i;

	memcpy(header.uuid, uuid, sizeof(uuid));
	for (i = 0; i < PACKETS; i++) {
		header.packet_seq_num = i;
		memcpy(packet, &header, sizeof(header));
		fwrite(packet, 1, SIZE, file);
	}
	fflush(file);
	return file;
}

/* The numbers of the packets that are found, as bits. */
static unsigned int found(FILE *stream, off_t size, bool *damaged)
{
	struct trace_stream on_disk = { .path = "stream_0", .fd = fileno(stream), .size = size };
	struct packet_file file = { .stream = &on_disk, .uuid = uuid, .quiet = true };
	unsigned int numbers = 0;

	for (packet_file_begin(&file); packet_file_has(&file); packet_file_next(&file)) {
		if (packet_file_load(&file))
			break;
		numbers |= 1u << ((struct ctf_packet_header *)file.packet)->packet_seq_num;
	}
	packet_file_release(&file);
	*damaged = file.damaged;
	return numbers;
}

static void poke(FILE *stream, long at, const void *bytes, size_t nr)
{
	fseek(stream, at, SEEK_SET);
	fwrite(bytes, 1, nr, stream);
	fflush(stream);
}

static void test_whole(void)
{
	FILE *stream = make_stream();
	bool damaged;

	is_int(found(stream, PACKETS * SIZE, &damaged), (1 << PACKETS) - 1, "all packets");
	ok(!damaged, "and no damage");
	is_int(found(stream, 0, &damaged), 0, "an empty stream");
	ok(!damaged, "is not damaged");
	fclose(stream);
}

static void test_cut(void)
{
	FILE *stream = make_stream();
	bool damaged, good = true;
	off_t size;

	for (size = 1; size < PACKETS * SIZE; size += 61)
		good &= found(stream, size, &damaged) == (1u << size / SIZE) - 1 &&
			damaged == !!(size % SIZE);
	ok(good, "cut off anywhere, whole packets are found");
	fclose(stream);
}

static void test_damaged(void)
{
	static const struct { size_t at; const char *bytes; size_t nr; const char *what; bool is_cpu; } cases[] = {
		{ offsetof(struct ctf_packet_header, magic), "x", 1, "no magic" },
		{ offsetof(struct ctf_packet_header, uuid), "x", 1, "another uuid" },
		{ offsetof(struct ctf_packet_header, packet_size), "\1", 1, "half a byte" },
		{ offsetof(struct ctf_packet_header, packet_size) + 6, "\1", 1, "a packet beyond the end" },
		{ offsetof(struct ctf_packet_header, cpu_id), "\1", 1, "another CPU", true },
		{ offsetof(struct ctf_packet_header, timestamp_begin), "\2", 1, "an end before the begin" },
	};
	unsigned int i, packet, wanted;
	bool damaged;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (packet = 0; packet < PACKETS; packet++) {
			FILE *stream = make_stream();

			poke(stream, packet * SIZE + cases[i].at, cases[i].bytes, cases[i].nr);
			wanted = ((1 << PACKETS) - 1) & ~(1 << packet);
			if (cases[i].is_cpu && !packet)
				wanted = 0;	/* the whole stream is of that CPU */
			is_int(found(stream, PACKETS * SIZE, &damaged), wanted,
			       "%s in packet %u", cases[i].what, packet);
			ok(damaged, "it is damage");
			fclose(stream);
		}
	}
}

/* The bytes where a packet begins may lie across what is searched at once. */
static void test_far(void)
{
	FILE *stream, *good = make_stream();
	char packet[SIZE];
	bool damaged, same = true;
	long gap;

	rewind(good);
	same &= fread(packet, 1, SIZE, good) == SIZE;
	for (gap = 65500; gap < 65600; gap++) {
		stream = tmpfile();
		poke(stream, gap, packet, SIZE);
		same &= found(stream, gap + SIZE, &damaged) == 1 && damaged;
		fclose(stream);
	}
	ok(same, "a packet behind much that is none");
	fclose(good);
}

int main(void)
{
	test_whole();
	test_cut();
	test_damaged();
	test_far();
	return tap_done();
}
