// SPDX-License-Identifier: GPL-2.0
/*
 * tracing_on, set by tasks and by hits at the same time: whatever a hit asks for in the
 * middle of a command, the rings finally do what marker_top.live says.
 */
#include <markers/record/record.h>
#include <markers/record/keeper.h>
#include <markers/marker_types.h>
#include <markers/ring/region.h>
#include <markers/ring/ring_reserve.h>
#include "tap.h"

/* The last message. */
static char message[200];

void marker_log(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
}

/* What the notes are asked for: they have no memory before the old buffer is gone. */
#define NOTES	(2 * PAGE_SIZE)
static bool notes_are_on, notes_are_stale;
static size_t notes_needed;

static int try_notes(void)
{
	notes_are_stale = notes_are_on;
	return -ENOMEM;
}

static void retry_notes(void)
{
	notes_are_stale = false;
}

static size_t count_notes(void)
{
	return notes_needed;
}

static const struct marker_keeper keeper = {
	.needed = count_notes,
	.try = try_notes,
	.retry = retry_notes,
};

/* As main.c does. */
static void end_recording(void)
{
	marker_recording_free_snapshot(&marker_top);
	marker_recordings_exit();
}

/* Is the state this on all CPUs?  @quick: the quick ways have room. */
static bool rings_are(bool on, bool quick)
{
	struct ring_cpu *rc;
	int cpu;

	for_each_possible_cpu(cpu) {
		rc = (&marker_ring_cpu)[cpu];
		if (ring_is_on(rc) != on || !!rc->clock_room != quick)
			return false;
	}
	return true;
}

static bool rings_follow(void)
{
	return rings_are(marker_top.live != MARKER_LIVE_OFF, marker_top.live == MARKER_LIVE_ON);
}

/* Commands. */

static void set_off(void)
{
	marker_recording_set_on(&marker_top, false);
}

static void set_on(void)
{
	marker_recording_set_on(&marker_top, true);
}

static void resize(void)
{
	marker_recording_set_buffer_kb(&marker_top, marker_recording_buffer_kb(&marker_top) == 8 ? 16 : 8);
}

static void change_clock(void)
{
	marker_recording_set_clock(&marker_top,
				   strcmp(marker_top.clock.name, "mono") ? "mono" : "boot");
}

static void change_mode(void)
{
	marker_recording_set_overwrite(&marker_top, !marker_recording_is_overwriting(&marker_top));
}

static void snapshot(void)
{
	marker_recording_take_snapshot(&marker_top, true);
}

/* What a hit does. */

static void hit_on(void)
{
	marker_recording_hit_on(&marker_top);
}

static void hit_off(void)
{
	marker_recording_hit_off(&marker_top, 0);
}

static void hit_end(void)
{
	marker_recording_hit_off(&marker_top, 1);
}

static void hit_record(void)
{
	if (marker_recording_is_ending(&marker_top))
		marker_recording_count_down(&marker_top);
}

static const struct {
	const char *name;
	void (*run)(void);
} commands[] = {
	{ "tracing_on=0", set_off },
	{ "tracing_on=1", set_on },
	{ "buffer_size_kb", resize },
	{ "trace_clock", change_clock },
	{ "overwrite", change_mode },
	{ "snapshot", snapshot },
	/* the hit is on another CPU, or in an NMI */
	{ "traceon", hit_on },
	{ "traceoff", hit_off },
	{ "traceoff:after=1", hit_end },
	{ "a record", hit_record },
}, hits[] = {
	{ "traceon", hit_on },
	{ "traceoff", hit_off },
	{ "traceoff:after=1", hit_end },
	{ "a record", hit_record },
};

static unsigned int steps, step;
static void (*hit)(void);

/* A hit comes at one step of the command, and nothing interrupts it. */
static void meanwhile(void)
{
	if (steps++ != step)
		return;
	unit_meanwhile = NULL;
	hit();
	unit_meanwhile = meanwhile;
}

static void begin_as(unsigned int state)
{
	marker_recording_set_on(&marker_top, state);
	if (state == 2)
		marker_recording_hit_off(&marker_top, 1);
}

/* Does the recording end when it should?  So must the next one, after its own number of events. */
static bool ends(void)
{
	if (marker_recording_is_ending(&marker_top))
		marker_recording_count_down(&marker_top);
	if (marker_recording_is_ending(&marker_top))
		return false;
	if (!marker_recording_is_recording(&marker_top))
		marker_recording_hit_on(&marker_top);
	marker_recording_hit_off(&marker_top, 2);
	marker_recording_count_down(&marker_top);
	if (!marker_recording_is_ending(&marker_top))
		return false;
	marker_recording_count_down(&marker_top);
	return !marker_recording_is_on(&marker_top) && rings_follow();
}

/* Run @command from @state, with a hit at each of its steps.  Return: the number of steps. */
static unsigned int test_hit(unsigned int command, unsigned int state, unsigned int which)
{
	hit = hits[which].run;
	step = 0;
	do {
		begin_as(state);
		steps = 0;
		unit_meanwhile = meanwhile;
		commands[command].run();
		unit_meanwhile = NULL;
		if (notes_are_stale || !rings_follow() || !ends()) {
			ok(false, "%s from %u, %s at step %u of %u", commands[command].name, state,
			   hits[which].name, step, steps);
			break;
		}
	} while (++step < steps);
	return step;
}

static void test_command(unsigned int command)
{
	unsigned int state, which, nr = 0;

	for (state = 0; state < 3; state++) {
		for (which = 0; which < ARRAY_SIZE(hits); which++)
			nr += test_hit(command, state, which);
	}
	ok(nr >= 12, "%s, %u times with a hit in it", commands[command].name, nr);
}

static void hit_end_of_two(void)
{
	marker_recording_hit_off(&marker_top, 2);
}

static void run_with(void (*command)(void), void (*in)(void), unsigned int at)
{
	hit = in;
	step = at;
	steps = 0;
	unit_meanwhile = meanwhile;
	command();
	unit_meanwhile = NULL;
}

/* An interrupted hit leaves a number.  A later recording does not count it down. */
static void test_left_over(void)
{
	unsigned int first, second, nr = 0;

	for (first = 0; first < 10; first++) {
		for (second = 0; second < 10; second++) {
			set_on();
			run_with(hit_end, hit_on, first);
			if (!marker_recording_is_recording(&marker_top))
				hit_on();
			run_with(hit_end_of_two, hit_record, second);
			nr += !marker_recording_is_ending(&marker_top) || !rings_follow();
		}
	}
	is_int(nr, 0, "ended early");
	set_on();
}

static void test_states(void)
{
	ok(marker_recording_is_on(&marker_top) && rings_are(true, true), "on at first");
	marker_recording_hit_off(&marker_top, 3);
	ok(marker_recording_is_on(&marker_top) && !marker_recording_is_recording(&marker_top) && rings_are(true, false),
	   "an end in sight: on, and no quick way");
	marker_recording_hit_off(&marker_top, 7);
	marker_recording_count_down(&marker_top);
	marker_recording_count_down(&marker_top);
	ok(marker_recording_is_ending(&marker_top), "two of three");
	marker_recording_count_down(&marker_top);
	ok(!marker_recording_is_on(&marker_top) && rings_are(false, false), "the end");
	marker_recording_count_down(&marker_top);
	marker_recording_hit_off(&marker_top, 1);
	ok(!marker_recording_is_on(&marker_top), "no end without a beginning");
	marker_recording_hit_on(&marker_top);
	ok(marker_recording_is_recording(&marker_top) && rings_are(true, true), "on again");
	marker_recording_hit_off(&marker_top, 5);
	marker_recording_set_on(&marker_top, true);
	ok(marker_recording_is_recording(&marker_top), "an end is taken back");
	marker_recording_hit_off(&marker_top, 2);
	marker_recording_count_down(&marker_top);
	ok(marker_recording_is_ending(&marker_top), "the next one counts from its beginning");
	marker_recording_hit_off(&marker_top, 0);
	ok(!marker_recording_is_on(&marker_top) && rings_are(false, false), "off at once");
}

static unsigned int nr_steps;

static void count_steps(void)
{
	nr_steps++;
}

/* A refused command does not keep hits from starting the rings. */
static void test_refused(void)
{
	marker_recording_set_on(&marker_top, true);
	unit_meanwhile = count_steps;
	is_int(marker_recording_set_overwrite(&marker_top,
					      !marker_recording_is_overwriting(&marker_top)),
	       -EBUSY, "overwrite while it is on");
	unit_meanwhile = NULL;
	is_int(nr_steps, 0, "nothing was held");
}

static void test_overwrite(void)
{
	unsigned int graces;

	set_off();
	graces = unit_grace_periods;
	change_mode();
	is_int(unit_grace_periods - graces, 2,
	       "overwrite: waits for hits that may start the ring, then for writers");
	ok(marker_recording_is_overwriting(&marker_top), "overwrite");
	change_mode();
	set_on();
}

/* A consumer of the first buffer would never wake, so there is none until the region is in use. */
static void no_consumer_yet(void)
{
	struct marker_buffer *buffer = marker_recording_get_consumer(&marker_top, 0);

	ok(IS_ERR(buffer) && PTR_ERR(buffer) == -EBUSY, "no consumer of the first buffer");
	if (!IS_ERR(buffer))
		marker_recording_put_consumer(&marker_top, buffer, 0);
}

static void is_in(struct ring_region *region, const char *what)
{
	struct marker_buffer *buffer = marker_recording_get_consumer(&marker_top, 0);

	ok(!IS_ERR(buffer) && buffer == marker_top.buffer && !buffer->retired &&
	   buffer->ring->config.region == region, "%s", what);
	if (!IS_ERR(buffer))
		marker_recording_put_consumer(&marker_top, buffer, 0);
}

/* Users of the files may come before the load is complete. */
static void test_loading(void)
{
	static const struct marker_recording_config to_region = {
		.buffer_kb = 32,
		.subbuf_kb = 4,
		.to_region = true,
	};
	struct ring_config config;
	struct ring_region *region;
	size_t size, full;
	u8 *memory;

	assert(!marker_recordings_init(&to_region));
	ok(marker_recording_is_on(&marker_top), "tracing_on is 1");
	ok(rings_are(false, false), "but nothing is recorded before the region");
	set_off();
	change_mode();
	set_on();
	hit_on();
	ok(rings_are(false, false), "whatever is asked for");
	is_int(marker_recording_buffer_kb(&marker_top), 8, "little memory before the region");
	notes_needed = 0;
	config = marker_top.buffer->ring->config;
	config.nr_subbufs = 8;
	size = 2 * ring_region_needed(&config, NR_CPUS);
	memory = aligned_alloc(PAGE_SIZE, size);
	region = ring_region_create(memory, size, 0);
	no_consumer_yet();
	is_int(marker_recording_take_snapshot(&marker_top, true), -EBUSY, "no snapshot before the region");
	is_int(marker_recording_take_snapshot(&marker_top, false), -EBUSY, "nor by a trigger");
	is_int(marker_recording_set_buffer_kb(&marker_top, 16), -EBUSY, "nor another size");
	is_int(marker_recording_region_kb(region, &full), 32, "what fits");
	is_int(full, 32, "what is wanted");
	is_int(marker_recording_use_region(region), 0, "room for two buffers");
	ok(rings_are(true, true), "from now on, it is");
	is_int(marker_recording_buffer_kb(&marker_top), 32, "as large as it was asked for");
	is_in(region, "the first consumer has the buffer in the region");
	snapshot();
	is_in(region, "the recording does not leave it for the buffer of an old snapshot");
	end_recording();
	ring_region_destroy(region);
	free(memory);

	assert(!marker_recordings_init(&to_region));
	memory = aligned_alloc(PAGE_SIZE, PAGE_SIZE);
	region = ring_region_create(memory, PAGE_SIZE, 0);
	is_int(marker_recording_use_region(region), -ENOMEM, "no room");
	ok(rings_are(true, true), "it is recorded elsewhere");
	is_in(NULL, "the first consumer has another buffer");
	is_int(marker_recording_buffer_kb(&marker_top), 32, "of the same size");
	end_recording();

	assert(!marker_recordings_init(&to_region));
	unit_alloc_fail = 1;
	is_int(marker_recording_use_region(region), -ENOMEM, "no room, and no memory");
	unit_alloc_fail = 0;
	is_int(marker_recording_buffer_kb(&marker_top), 8, "little memory as before");
	ok(rings_are(true, true), "it is recorded there");
	end_recording();

	assert(!marker_recordings_init(&to_region));
	set_off();
	is_int(marker_recording_use_region(region), -ENOMEM, "tracing_on=0");
	ok(rings_are(false, false), "nothing is recorded after the load");
	set_on();
	ok(rings_are(true, true), "before it is 1");
	end_recording();
	ring_region_destroy(region);
	free(memory);
}

/* The buffers and the notes fit, or nothing is written. */
static void test_region(void)
{
	struct ring_config config = marker_top.buffer->ring->config;
	struct marker_buffer *live;
	struct ring_region *region;
	size_t size, full, i;
	u8 *memory;
	long nr;
	int err;

	marker_recording_set_buffer_kb(&marker_top, 16);
	live = marker_top.buffer;
	config = marker_top.buffer->ring->config;
	notes_needed = NOTES;
	size = ring_region_needed(&config, NR_CPUS) + NOTES;
	memory = aligned_alloc(PAGE_SIZE, size);
	memset(memory, 0xaa, size);
	region = ring_region_create(memory, size - PAGE_SIZE, 0);
	is_int(marker_recording_use_region(region), -ENOMEM, "no room for the notes");
	for (i = 0; i < size && memory[i] == 0xaa; i++)
		;
	is_int(i, size, "nothing was written");
	is_int(marker_recording_region_kb(region, &full),
	       marker_recording_buffer_kb(&marker_top) / 2,
	       "half of it fits");
	ring_region_destroy(region);
	region = ring_region_create(memory, size, 0);
	is_int(marker_recording_region_kb(region, &full), marker_recording_buffer_kb(&marker_top),
	       "in a page more, all of it");
	for (nr = 1; ; nr++) {
		unit_alloc_fail = nr;
		err = marker_recording_use_region(region);
		if (unit_alloc_fail)
			break;
		if (err != -ENOMEM || marker_top.buffer != live ||
		    ring_region_room(region) != size)
			break;
	}
	unit_alloc_fail = 0;
	ok(!err && nr > 5, "and with memory: the recording stays where it is at %ld failures", nr - 1);
	is_int(ring_region_room(region), NOTES, "the rest is for the notes");
	end_recording();
	ring_region_destroy(region);
	free(memory);
}

static int readable(struct marker_buffer *file)
{
	const bool is = marker_buffer_enter(file);

	if (is)
		marker_buffer_leave(file);
	return is;
}

/* Files that stay open keep a few old buffers, and none that a command needs the room of. */
static void test_files(void)
{
	static const struct marker_recording_config config = {
		.buffer_kb = 8,
		.subbuf_kb = 4,
	};
	struct marker_buffer *file[6];
	struct ring_region *region;
	size_t size;
	u8 *memory;
	u32 i, nr;

	assert(!marker_recordings_init(&config));
	snapshot();
	for (i = 0; i < ARRAY_SIZE(file); i++) {
		file[i] = marker_recording_open(&marker_top, true);
		snapshot();
	}
	for (i = 0, nr = 0; i < ARRAY_SIZE(file); i++)
		nr += readable(file[i]);
	is_int(nr, MARKER_MAX_RETIRED, "old snapshots that files keep");
	is_int(readable(file[4]) + readable(file[5]), 2, "they are the last ones");
	for (i = 0; i < ARRAY_SIZE(file); i++)
		marker_buffer_close(file[i]);
	file[0] = marker_recording_open(&marker_top, true);
	for (i = 0; i < 10; i++)
		snapshot();
	ok(readable(file[0]), "one that is alone stays");
	marker_buffer_close(file[0]);

	notes_needed = 0;
	marker_recording_free_snapshot(&marker_top);
	size = 2 * ring_region_needed(&marker_top.buffer->ring->config, NR_CPUS);
	memory = aligned_alloc(PAGE_SIZE, size);
	region = ring_region_create(memory, size, 0);
	assert(!marker_recording_use_region(region));
	is_int(marker_recording_take_snapshot(&marker_top, true), 0, "a snapshot in a region");
	file[0] = marker_recording_open(&marker_top, true);
	is_int(marker_recording_take_snapshot(&marker_top, true), 0, "another one, while a file reads it");
	ok(!readable(file[0]), "the file has none any more");
	marker_buffer_close(file[0]);
	file[0] = marker_recording_open(&marker_top, true);
	notes_needed = NOTES;
	is_int(marker_recording_take_snapshot(&marker_top, true), -ENOMEM, "one that does not fit even so");
	ok(!readable(file[0]) && !marker_top.snapshot, "there is none any more");
	ok(strstr(message, "the last snapshot made room, and is gone"), "it says so: %s", message);
	is_int(marker_recording_take_snapshot(&marker_top, true), -ENOMEM, "nor does the next one");
	ok(strstr(message, "nothing was changed"), "it says so: %s", message);
	notes_needed = 0;
	marker_buffer_close(file[0]);
	marker_recording_free_snapshot(&marker_top);
	file[0] = marker_recording_open(&marker_top, false);
	is_int(marker_recording_set_contexts(&marker_top, MARKER_CONTEXT_ALL), 0, "other contexts in a region");
	ok(readable(file[0]), "a file reads the old buffer");
	is_int(marker_recording_set_contexts(&marker_top, 0), 0, "and others again");
	ok(!readable(file[0]), "which needs the room of the old one");
	marker_buffer_close(file[0]);
	end_recording();
	is_int(ring_region_room(region), size, "all of the region was given back");
	ring_region_destroy(region);
	free(memory);
}

/* Nothing can be read from the files of an instance that was removed. */
static void test_removed(void)
{
	static struct ring_cpu *ring_cpu[NR_CPUS];
	static struct marker_recording recording;
	static const struct marker_recording_config config = {
		.buffer_kb = 8,
		.subbuf_kb = 4,
	};
	struct marker_buffer *file[5];
	unsigned int i, nr;

	marker_recording_init(&recording, "removed");
	recording.ring = ring_cpu;
	assert(!marker_recordings_init(&config) && !marker_recording_create(&recording));
	marker_recording_take_snapshot(&recording, true);
	for (i = 0; i < 3; i++) {
		file[i] = marker_recording_open(&recording, true);
		marker_recording_take_snapshot(&recording, true);
	}
	file[3] = marker_recording_open(&recording, true);
	file[4] = marker_recording_open(&recording, false);
	for (i = 1, nr = 0; i < ARRAY_SIZE(file); i++)
		nr += readable(file[i]);
	is_int(nr, 4, "files of an instance: two old snapshots, the last one, and the recording");
	marker_recording_free_snapshot(&recording);
	marker_recording_destroy(&recording);
	for (i = 0, nr = 0; i < ARRAY_SIZE(file); i++)
		nr += readable(file[i]);
	is_int(nr, 0, "it is gone: they keep no memory of buffers");
	for (i = 0; i < ARRAY_SIZE(file); i++)
		marker_buffer_close(file[i]);
	end_recording();
}

int main(void)
{
	static const struct marker_recording_config config = {
		.buffer_kb = 8,
		.subbuf_kb = 4,
	};
	unsigned int i;

	marker_keeper = &keeper;
	unit_time_ns = 1000000000;
	assert(!clock_init("mono") && !ring_init() && !marker_recordings_init(&config));
	test_states();
	test_refused();
	test_overwrite();
	notes_are_on = true;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		test_command(i);
	test_left_over();
	test_region();
	test_loading();
	test_files();
	test_removed();
	ring_exit();
	return tap_done();
}
