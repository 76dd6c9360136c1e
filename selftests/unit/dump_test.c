// SPDX-License-Identifier: GPL-2.0
/*
 * The last words of a dying kernel: the last events of each CPU, while a writer is stopped
 * wherever it was, and while the ring changes under the reader.
 */
#include <markers/compat/nofault.h>
#include <markers/after/dump.h>
#include "single_step.h"
#include "stream_kit.h"

/* What was printed. */
static unsigned int lines, events, too_long;
static char heading[200], last[200], said[200];
static bool left_out;
static u32 size;		/* of all lines, with what printk() adds */
static u32 numbers[1024];
static u64 late;		/* events that are not in the order of time */
static double last_time;

static void put(const char *line)
{
	const char *nr = strstr(line, "m:e: nr "), *time = strstr(line, "] ");

	lines++;
	size += strlen(line) + 3;
	left_out |= !strcmp(line, "markers: older events are left out: printk() has no room");
	too_long += strlen(line) >= 960 || strchr(line, '\n');
	if (strstr(line, "the last events"))
		snprintf(heading, sizeof(heading), "%s", line);
	if (strstr(line, "***"))
		snprintf(said, sizeof(said), "%.190s", line);
	snprintf(last, sizeof(last), "%.190s", line);
	if (!nr)
		return;
	if (events < ARRAY_SIZE(numbers))
		numbers[events] = atoi(nr + strlen("m:e: nr "));
	events++;
	late += atof(time + 2) < last_time;
	last_time = atof(time + 2);
}

static struct marker_dump *all;

static void dump_into(unsigned int nr, u32 room)
{
	lines = 0;
	size = 0;
	left_out = false;
	events = 0;
	late = 0;
	last_time = 0;
	*heading = '\0';
	*last = '\0';
	*said = '\0';
	marker_dump_print(all, NULL, buffer, nr, room);
	is_str(last, "markers: end of the events", "the end");
	is_int(late + too_long, 0, "in the order of time, and no line too long");
}

static void dump(unsigned int nr)
{
	dump_into(nr, U32_MAX);
}

/* The events @from to @to, one by one. */
static void has_numbers(u32 from, u32 to, const char *what)
{
	u32 i, bad = 0;

	is_int(events, to - from + 1, "%s: number of events", what);
	for (i = 0; i < events && i < ARRAY_SIZE(numbers); i++)
		bad += numbers[i] != from + i;
	is_int(bad, 0, "%s: which ones", what);
}

static void test_last(void)
{
	int i;

	begin(SIZE, 4, RING_DISCARD, false);
	dump(10);
	is_int(events, 0, "an empty ring");
	record_many(3);
	dump(10);
	has_numbers(0, 2, "fewer than asked for");
	is_str(said, "", "and nothing is missing");
	record_many(97);
	dump(10);
	has_numbers(90, 99, "the last of one packet");
	record_many(EVENTS);
	dump(EVENTS + 20);
	has_numbers(100 - 20, EVENTS + 99, "the last of two packets");
	dump(1);
	has_numbers(EVENTS + 99, EVENTS + 99, "the last one");
	ring_flush(buffer->ring, 0);
	dump(5);
	has_numbers(EVENTS + 95, EVENTS + 99, "all packets are closed");
	for (i = 0; i < 40; i++)
		record(i % 2 ? 3 : 7);
	dump(20);
	is_int(events, 60, "of three CPUs");
	is_int(look().events, EVENTS + 140, "nothing was taken away");
	end();
}

/* printk() would drop the newest. */
static void test_room(void)
{
	char expected[64];
	u32 line, i;

	begin(SIZE, 4, RING_OVERWRITE, false);
	record_many(5 * EVENTS);
	dump_into(1, 100000);
	is_int(left_out, 0, "one event fits");
	line = size;
	dump_into(2, 100000);
	line = size - line;
	for (i = 400; i < 3000; i += 37) {
		dump_into(100, i);
		if (size > i || i - size > 256 + 2 * line || !left_out || !events)
			break;
	}
	ok(i >= 3000, "%u events have %u bytes of %u", events, size, i);
	has_numbers(5 * EVENTS - events, 5 * EVENTS - 1, "little room: the newest");
	snprintf(expected, sizeof(expected), " %u of each CPU", events);
	ok(strstr(heading, expected), "little room: the heading says it: %s", heading);
	dump_into(100, 100 * line + 256);
	is_int(events, 100, "just enough room: all of them");
	is_int(left_out, 0, "just enough room: it says nothing");
	dump_into(100, 0);
	is_int(events, 0, "no room: none");
	is_int(left_out, 1, "no room: it says so");
	record(3);
	record(7);
	record_many(200);
	dump_into(100, 256 + 4 * line);
	is_int(events, 4, "of all CPUs: those that are slower, too");
	dump_into(100, 256 + line);
	is_int(events, 1, "room for one event: the newest of all CPUs");
	dump_into(1000000, 256 + line);
	is_int(events, 1, "of a million");
	dump(100);
	is_int(events, 102, "the next dump has all");
	end();
}

static void test_full(enum ring_mode mode, const char *name)
{
	struct marker_stream *stream;
	char expected[64];
	u64 written;

	begin(SIZE, 4, mode, false);
	written = record_many(10 * EVENTS);
	dump(100);
	if (mode == RING_OVERWRITE)
		has_numbers(10 * EVENTS - 100, 10 * EVENTS - 1, name);
	else
		has_numbers(written - 100, written - 1, name);
	snprintf(expected, sizeof(expected), "lost: %llu;",
		 (unsigned long long)(10 * EVENTS - look().events));
	ok(strstr(heading, expected), "%s: %s in %s", name, expected, heading);
	dump(100000);
	is_int(events, look().events, "%s: all that are there", name);

	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	consume_all(stream);
	marker_stream_destroy(stream);
	dump(100);
	is_int(events, 0, "%s: those that were read are not printed", name);
	record_many(2);
	dump(100);
	is_int(events, 2, "%s: later ones are", name);
	end();
}

/* A writer that is stopped in the middle of a record, at the end or with others after it. */
static void test_hole(u32 before, u32 after, u8 stale)
{
	struct ring_record outer = { };

	begin(SIZE, 4, RING_DISCARD, false);
	record_many(before);
	assert(reserve(&outer));
	memset(outer.data, stale, outer.len);
	record_many(after);
	dump(100);
	has_numbers(0, before + after - 1, "a hole");
	ok(strstr(said, "not complete"), "%u+%u, stale %02x: the hole is told: %s", before, after,
	   stale, said);
	commit(&outer);
	dump(100);
	is_int(events, before + after + 1, "and when it is complete, there is none");
	is_str(said, "", "nor words");
	end();
}

/*
 * A writer that was stopped between the header and the rest of its record: it reads as an event
 * of a lap before.  The next record is longer, for its header has all of the time.
 */
static void test_torn(u32 before)
{
	struct ring_record outer = { };

	begin(SIZE, 4, RING_DISCARD, false);
	record_many(before);
	assert(reserve(&outer));
	memcpy(outer.data, outer.data - outer.len, outer.len);
	unit_time_ns += 1000ull * NSEC_PER_SEC;
	record(0);
	dump(100);
	has_numbers(0, before, "an event that is torn");
	ok(strstr(said, "not complete"), "it is told: %s", said);
	commit(&outer);
	end();
}

/* The packet of the hole is closed: its writer was interrupted by many others. */
static void test_old_hole(void)
{
	struct ring_record outer = { };

	begin(SIZE, 4, RING_OVERWRITE, false);
	record_many(5);
	assert(reserve(&outer));
	memset(outer.data, 0xff, outer.len);
	record_many(EVENTS);
	dump(1000);
	has_numbers(0, EVENTS + 4, "a hole in a packet that is closed");
	ok(strstr(said, "not complete"), "the hole is told: %s", said);
	commit(&outer);
	end();
}

/* Garbage in a packet. */
static void test_garbage(void)
{
	struct ring_view view;
	u8 *data;
	int i;

	begin(SIZE, 4, RING_DISCARD, false);
	record_many(EVENTS + 3);
	assert(ring_view(buffer->ring, 0, 0, &view));
	data = (u8 *)view.data;
	memset(data + HEADER + 10 * EVENT, 0xff, 100);
	dump(1000);
	is_int(events, 13, "garbage in a packet: the events before it, and the next packet");
	ok(strstr(said, "damaged"), "garbage: is told: %s", said);
	dump(20);
	has_numbers(EVENTS, EVENTS + 2, "garbage among those to skip: the next packet");
	memset(data, 0, HEADER);
	dump(1000);
	is_int(events, 3, "a packet without a header: the next packet");
	dump(20);
	has_numbers(EVENTS, EVENTS + 2, "a packet to skip has no header: the next packet");
	ok(strstr(said, "damaged"), "garbage: is told: %s", said);
	srandom(1);
	for (i = 0; i < 1000; i++) {
		data[random() % SIZE] = random();
		data[random() % HEADER] = random();
		memcpy(data, &(u32){ CTF_MAGIC }, 4);
		memcpy(data + 4, buffer->uuid, CTF_UUID_SIZE);
		memset(data + 20, 0, 4);
		lines = 0;
		marker_dump_print(all, NULL, buffer, 1000, U32_MAX);
	}
	ok(true, "random garbage does not hang or crash");
	end();
}

/* A packet is overwritten, or read and unmapped, while it is printed. */
static unsigned int loads, act_after;
static void (*act)(void);

static void load_done(const void *from __attribute__((unused)))
{
	if (++loads != act_after)
		return;
	marker_after_load = NULL;
	act();
}

static void overwrite_all(void)
{
	record_many(10 * EVENTS);
}

static void unmap_all(void)
{
	struct ring_view view;

	ring_view(buffer->ring, 0, 0, &view);
	marker_bad_start = (const char *)view.data;
	marker_bad_end = marker_bad_start + SIZE;
}

/* @intact: how many packets do not change */
static void test_changes(void (*change)(void), u32 intact, const char *what)
{
	unsigned int after;
	u32 bad = 0, i;

	for (after = 1; after < 2000; after += 37) {
		begin(SIZE, 4, RING_OVERWRITE, false);
		record_many(3 * EVENTS);
		loads = 0;
		act_after = after;
		act = change;
		marker_after_load = load_done;
		dump(10000);
		marker_after_load = NULL;
		marker_bad_start = NULL;
		marker_bad_end = NULL;
		for (i = 1; i < events && i < ARRAY_SIZE(numbers); i++)
			bad += numbers[i] <= numbers[i - 1];
		/* A packet is read twice, header and events, and then it may change. */
		bad += events < intact * EVENTS || events < after / (2 * SIZE / 8) * EVENTS;
		end();
	}
	is_int(bad, 0, "%s: what is printed is right", what);
}

/*
 * The kernel dies at each instruction of a record that closes a packet and opens the next one,
 * where packets of a lap before were.
 */
static u32 wrong_at_death, nr_before;
static bool in_nmi;	/* and that has an event of its own, which is the last one */

static void die(void)
{
	u32 i, newest, wrong = 0;

	if (in_nmi) {
		/* its record is longer than that of the other: see marker_walk_hole() */
		unit_time_ns += 1000ull * NSEC_PER_SEC;
		record(0);
	}
	lines = 0;
	events = 0;
	*said = '\0';
	marker_dump_print(all, NULL, buffer, 20, U32_MAX);
	/* The record is complete, or not. */
	for (i = 1; i < events && i < ARRAY_SIZE(numbers); i++)
		wrong += numbers[i] != numbers[i - 1] + 1 &&
			 !(in_nmi && i == events - 1 && numbers[i] == numbers[i - 1] + 2);
	newest = events ? numbers[events - 1] : 0;
	wrong += events < 20 || events > 21;
	wrong += in_nmi ? newest != next_nr - 1 : newest != nr_before && newest != nr_before + 1;
	wrong += *said && !strstr(said, "not complete");
	wrong_at_death += wrong;
	if (wrong)
		printf("# %u events up to %u of %u, %s\n", events, newest, nr_before, said);
}

static void test_death(unsigned int packets, u64 quiet_ns, bool nmi, const char *what)
{
	struct points points = { 0 };

	in_nmi = nmi;
	wrong_at_death = 0;
	steps_begin(die);
	for_each_point(points) {
		begin(SIZE, 4, RING_OVERWRITE, false);
		leave_cpus_out(true);
		record_many(packets * EVENTS);
		nr_before = next_nr - 1;
		unit_time_ns += quiet_ns;
		point_begin(&points);
		single_step(true);
		record(0);
		single_step(false);
		point_end(&points, 100);
		end();
	}
	steps_end();
	leave_cpus_out(false);
	ok(points.nr > 20, "death %s: at %ld points of a record", what, points.nr);
	is_int(wrong_at_death, 0, "death %s: what is printed is right", what);
}

/* A packet is closed, or overwritten, at each instruction of ring_view(). */
static void test_view(void (*change)(void), u32 then, const char *what)
{
	struct points points = { 0 };
	struct ring_view view;
	bool found;
	u32 bad = 0;

	steps_begin(change);
	for_each_point(points) {
		begin(SIZE, 4, RING_OVERWRITE, false);
		leave_cpus_out(true);
		record_many(9 * EVENTS + 5);
		point_begin(&points);
		single_step(true);
		found = ring_view(buffer->ring, 0, 9, &view);
		single_step(false);
		point_end(&points, 60);
		if (!found)
			bad += then || !was_interrupted(&points);
		else if (!ring_view_holds(buffer->ring, 0, &view))
			bad += then > 0;
		else if (view.is_open)
			bad += view.size != HEADER + 5 * EVENT || view.nr_events != 5 ||
			       view.incomplete;
		else
			bad += view.nr_events != then || view.incomplete;
		end();
	}
	steps_end();
	leave_cpus_out(false);
	ok(points.nr > 20, "%s at %ld points of a look", what, points.nr);
	is_int(bad, 0, "%s: never a mixture of before and after", what);
}

static void record_packet(void)
{
	record_many(EVENTS);
}

static void close_packet(void)
{
	ring_flush(buffer->ring, 0);
}

int main(void)
{
	start_tests();
	all = marker_dump_create(put);
	test_last();
	test_room();
	test_full(RING_DISCARD, "full");
	test_full(RING_OVERWRITE, "overwrite");
	test_hole(5, 0, 0);
	test_hole(5, 0, 0xff);
	test_hole(5, 3, 0);
	test_hole(5, 3, 0xff);
	test_hole(0, 2, 0xff);
	test_torn(1);
	test_torn(20);
	test_old_hole();
	test_garbage();
	test_death(2, 0, false, "in the first lap");
	test_death(9, 0, false, "later");
	test_death(9, 1000000000, false, "after a while");
	test_death(2, 0, true, "in an NMI, in the first lap");
	test_death(9, 0, true, "in an NMI, later");
	test_death(9, 1000000000, true, "in an NMI, after a while");
	test_view(record_packet, EVENTS, "filled");
	test_view(close_packet, 5, "closed");
	test_view(overwrite_all, 0, "overwritten");
	test_changes(overwrite_all, 0, "overwritten meanwhile");
	test_changes(unmap_all, 2, "unmapped meanwhile");
	marker_dump_destroy(all);
	return tap_done();
}
