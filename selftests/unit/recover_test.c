// SPDX-License-Identifier: GPL-2.0
/*
 * The trace of a kernel that died: which packets and events a later kernel finds, wherever the
 * writers were.
 */
#include "recover_kit.h"

static void test_whole(void)
{
	struct found found;
	size_t before;
	int i;

	boot(8, RING_DISCARD);
	die();
	found = find();
	is_int(found.err, -ENODATA, "nothing was recorded");
	is_str(found.why, "there are no events in it", "and why");

	record_many(3);
	die();
	before = unit_kvmalloced;
	found = find();
	has_events(&found, 0, 2, "an open packet");
	ok(unit_kvmalloced - before < PAGE_SIZE + 500, "no more is copied than is used: %zu bytes",
	   unit_kvmalloced - before);
	record_many(2 * EVENTS);
	die();
	found = find();
	has_events(&found, 0, 2 * EVENTS + 2, "several packets");
	ring_flush(buffer->ring, 0);
	die();
	found = find();
	has_events(&found, 0, 2 * EVENTS + 2, "all are closed");
	for (i = 0; i < 30; i++)
		record(i % 3);
	die();
	found = find();
	has_events(&found, 0, 2 * EVENTS + 32, "of three CPUs, in the order of time");
	is_int(found.cpus, 3, "three CPUs");
	is_str(found.said, "", "nothing else is said");
	record_many(20 * EVENTS);
	die();
	found = find();
	is_int(found.events + found.lost, 22 * EVENTS + 33, "a full ring: none is forgotten");
	shut_down();
}

static void test_overwritten(void)
{
	struct found found;

	boot(8, RING_OVERWRITE);
	record_many(100 * EVENTS + 7);
	die();
	found = find();
	is_int(found.last, 100 * EVENTS + 6, "overwritten: the last one");
	is_int(found.wrong + found.bad, 0, "none is missing");
	ok(found.events >= 7 * EVENTS && found.events <= 8 * EVENTS, "the events that the buffers had room for");
	is_int(found.events + found.lost, 100 * EVENTS + 7, "the others are counted");
	shut_down();
}

static void test_hole(u32 before, u32 after, u8 stale)
{
	struct ring_record outer = { };
	struct found found;

	boot(4, RING_DISCARD);
	record_many(before);
	assert(reserve(&outer));
	memset(outer.data, stale, outer.len);
	record_many(after);
	die();
	found = find();
	is_int(found.lines, before + after, "a hole: events");
	is_int(found.wrong + found.bad, 0, "a hole: which ones");
	is_str(found.said, "[000] *** an event is not complete: it was being written ***\n",
	       "%u+%u, %02x: the hole is told", before, after, stale);
	commit(&outer);
	shut_down();
}

/* A writer died between the header and the rest of its record; a longer record followed. */
static void test_torn(u32 before)
{
	struct ring_record outer = { };
	struct found found;

	boot(4, RING_DISCARD);
	record_many(before);
	assert(reserve(&outer));
	memcpy(outer.data, outer.data - outer.len, outer.len);
	unit_time_ns += 1000ull * NSEC_PER_SEC;
	record(0);
	die();
	found = find();
	is_int(found.lines, before + 1, "an event that is torn: events");
	is_int(found.wrong + found.bad, 0, "an event that is torn: which ones");
	is_str(found.said, "[000] *** an event is not complete: it was being written ***\n",
	       "%u before: it is told", before);
	commit(&outer);
	shut_down();
}

/* The packet of the hole is closed: its writer was interrupted by many others. */
static void test_old_hole(void)
{
	struct ring_record outer = { };
	struct found found;

	boot(8, RING_DISCARD);
	record_many(5);
	assert(reserve(&outer));
	memset(outer.data, 0xff, outer.len);
	record_many(3 * EVENTS);
	die();
	found = find();
	is_int(found.lines, 3 * EVENTS + 5, "a hole in a closed packet: events");
	is_int(found.wrong + found.bad, 0, "a hole in a closed packet: which ones");
	is_str(found.said, "[000] *** an event is not complete: it was being written ***\n",
	       "and it is told");
	commit(&outer);
	shut_down();
}

/* A writer has gone to the next packet, and died before it closed the one before. */
static void test_not_closed(void)
{
	struct ctf_packet_header *header;
	struct found found;
	void *slots;
	size_t at;

	boot(8, RING_DISCARD);
	record_many(3 * EVENTS - 5);
	die();
	for (at = 0; at < BYTES; at += PAGE_SIZE) {
		header = (void *)(dead + at);
		if (header->magic == CTF_MAGIC && header->packet_seq_num == 1) {
			header->timestamp_end = 0;
			slots = dead + ((u8 *)ring_cpu_of(buffer->ring, 0)->slots - memory);
			local_set(&((struct ring_slot *)slots)[1].commit,
				  -((long)(SIZE - HEADER - 400 * EVENT) << RING_BYTES_SHIFT));
		}
	}
	found = find();
	is_int(found.err + found.bad, 0, "a packet was not closed");
	is_int(found.first, 0, "the one before is there");
	is_int(found.last, 3 * EVENTS - 6, "and the one after");
	is_int(found.lines, 2 * EVENTS - 5 + 400, "and what was complete of it");
	shut_down();
}

/* The kernel dies at each step of a writer that goes to the next packet. */
static unsigned int steps, bad_steps;
static u32 least;

static void die_here(void)
{
	struct found found;

	steps++;
	die();
	found = find();
	bad_steps += found.err || found.first || found.wrong || found.bad ||
		     found.lines < least || found.lines > least + 1;
	unit_before_cmpxchg = die_here;
	unit_after_cmpxchg = die_here;
	unit_after_try = die_here;
}

static void test_steps(void)
{
	boot(4, RING_DISCARD);
	record_many(EVENTS - 2);
	for (least = EVENTS - 2; least < EVENTS + 3; least++) {
		die_here();
		record_many(1);
		unit_before_cmpxchg = NULL;
		unit_after_cmpxchg = NULL;
		unit_after_try = NULL;
	}
	ok(steps > 10, "%u steps", steps);
	is_int(bad_steps, 0, "nothing but the last event is lost");
	shut_down();
}

static struct ctf_packet_header *packet_of(u32 seq)
{
	struct ctf_packet_header *header;
	size_t at;

	for (at = 0; at < BYTES; at += PAGE_SIZE) {
		header = (void *)(dead + at);
		if (header->magic == CTF_MAGIC && header->packet_seq_num == seq)
			return header;
	}
	return NULL;
}

/* A bit of a header concerns its packet only. */
static void test_headers(void)
{
	struct found found;

	boot(8, RING_DISCARD);
	record_many(4 * EVENTS);
	die();
	packet_of(1)->timestamp_end ^= 1ull << 60;
	found = find();
	has_events(&found, 0, 4 * EVENTS - 1, "a late end");
	die();
	packet_of(1)->content_size ^= 1 << 7;
	found = find();
	has_events(&found, 0, 4 * EVENTS - 1, "a wrong size");
	die();
	packet_of(1)->packet_size ^= 1ull << 40;
	found = find();
	has_events(&found, 0, 4 * EVENTS - 1, "a wrong size of the packet");
	die();
	packet_of(1)->cpu_id = 1 << 17;
	found = find();
	is_int(found.events, 3 * EVENTS, "a CPU that cannot be");
	is_int(found.cpus, 1, "is none");
	shut_down();
}

/* An event that nobody knows: what follows it in its packet cannot be read. */
static void test_damaged(void)
{
	struct found found;

	boot(8, RING_DISCARD);
	record_many(3 * EVENTS);
	ring_flush(buffer->ring, 0);
	die();
	memset((u8 *)packet_of(1) + HEADER + 10 * EVENT, 0xff, EVENT);
	found = find();
	is_int(found.err, 0, "a damaged event");
	is_int(found.lines, 2 * EVENTS + 10, "those before it are there, and other packets");
	is_int(found.last, 3 * EVENTS - 1, "up to the last");
	is_str(found.said, "[000] *** rest of a packet is damaged ***\n", "and the damage is told");
	shut_down();
}

static void test_memory(void)
{
	struct marker_recovered *trace;
	const char *why;
	int n, err;

	boot(4, RING_DISCARD);
	record_many(2 * EVENTS);
	die();
	for (n = 1; ; n++) {
		unit_alloc_fail = n;
		err = recover_dead(&trace, &why);
		if (unit_alloc_fail)
			break;
		if (!ok(err == -ENOMEM, "allocation %d fails", n))
			break;
	}
	unit_alloc_fail = 0;
	ok(!err && n > 5, "and with memory it is found, by %d allocations", n - 1);
	marker_recovered_free(trace);
	shut_down();
}

int main(void)
{
	start_recover_tests();
	test_whole();
	test_overwritten();
	test_hole(5, 0, 0);
	test_hole(5, 0, 0xff);
	test_hole(5, 7, 0xff);
	test_torn(1);
	test_torn(20);
	test_old_hole();
	test_not_closed();
	test_steps();
	test_headers();
	test_damaged();
	test_memory();
	return recover_tests_done();
}
