// SPDX-License-Identifier: GPL-2.0
/*
 * The trace of a kernel that died: recording in a region, the notes there, and what a later
 * kernel finds, wherever the writers were, and whatever has become of the memory.
 */
#include <markers/format/metadata.h>
#include <markers/ring/region.h>
#include <markers/trace/crash_notes.h>
#include <markers/trace/env.h>
#include <markers/trace/last_boot.h>
#include <markers/trace/persist.h>
#include <markers/trace/recover.h>
#include "stream_kit.h"

#define PAGES	96
#define BYTES	(PAGES * PAGE_SIZE)
#define PHYS	0x30000000ull

struct marker_recording marker_top;
static struct ring_region *region;
static u8 *memory, *dead;		/* while it lives, and as a later kernel finds it */
static unsigned int logged;
static char hostname[PAGE_SIZE] = "host";
static void (*after_env)(void);		/* called once, if not NULL */

struct marker_buffer *marker_channel_get(struct marker_recording *recording, bool snapshot)
{
	assert(!snapshot);
	recording->live->refs.refs++;
	return recording->live;
}

/* For persist.c. */
static int use_err;
static struct ring_region *used;

int marker_channel_use_region(struct ring_region *to)
{
	used = to;
	return use_err;
}

size_t marker_channel_buffer_kb(const struct marker_recording *recording)
{
	(void)recording;
	return 16;
}

size_t marker_channel_region_kb(struct ring_region *of)
{
	(void)of;
	return 16;
}

void marker_log_refused(const char *text, unsigned int column, const char *format, ...)
{
	(void)text;
	(void)column;
	(void)format;
	logged++;
}

void marker_env_header(const struct marker_metadata_out *out, const struct marker_buffer *of)
{
	void (*call)(void) = after_env;
	struct marker_metadata_env env = {
		.hostname = hostname,
		.kernel_release = "release",
		.kernel_version = "version",
		.clock_name = of->clock.name,
		.clock_description = "a clock",
		.clock_freq = of->clock.frequency,
		.contexts = 0,
	};

	memcpy(env.uuid, of->uuid, sizeof(env.uuid));
	marker_metadata_header(out, &env);
	after_env = NULL;
	if (call)
		call();
}

static void boot(u32 nr_subbufs, enum ring_mode mode)
{
	struct ring_config config = {
		.subbuf_size = SIZE,
		.nr_subbufs = nr_subbufs,
		.mode = mode,
	};
	int i;

	memset(memory, 0, BYTES);
	for (i = 3; i < NR_CPUS; i++)
		unit_cpu_offline[i] = true;
	region = ring_region_create(memory, BYTES, PHYS);
	config.region = region;
	unit_time_ns += 1000;
	buffer = marker_buffer_create(&config);
	assert(!IS_ERR(buffer));
	buffer->clock = marker_clock;
	for (i = 0; i < CTF_UUID_SIZE; i++)
		buffer->uuid[i] = i + 1;
	marker_top.live = buffer;
	ring_start(buffer->ring);
	next_nr = 0;
	marker_crash_notes_on(region);
}

static void shut_down(void)
{
	marker_crash_notes_exit();
	marker_buffer_put(buffer);
	is_int(ring_region_room(region), BYTES, "all of the region was given back");
	ring_region_destroy(region);
}

static void die(void)
{
	memcpy(dead, memory, BYTES);
}

/* What a later kernel finds. */
struct found {
	int err;
	const char *why;
	u64 events;
	u64 lost;
	u32 bad;
	u32 cpus;
	u32 lines;		/* of its text, without those that say what is missing */
	u32 first, last;	/* events by number */
	u32 wrong;		/* not one after the other */
	char said[100];		/* the last line of another kind */
};

static struct found find(void)
{
	struct marker_last_boot_reader *reader;
	struct marker_recovered *trace;
	struct found found = { };
	const char *nr;
	char line[200];

	found.err = marker_recover(dead, BYTES, PHYS, &trace, &found.why);
	if (found.err)
		return found;
	found.events = trace->nr_events;
	found.lost = trace->nr_lost;
	found.bad = trace->nr_bad;
	found.cpus = trace->nr_cpus;
	reader = marker_last_boot_read(trace);
	for (; marker_last_boot_more(reader); marker_last_boot_next(reader)) {
		marker_last_boot_print(reader, line, sizeof(line));
		nr = strstr(line, "nr ");
		if (!nr) {
			snprintf(found.said, sizeof(found.said), "%.99s", line);
			continue;
		}
		if (!found.lines++)
			found.first = atoi(nr + 3);
		else
			found.wrong += (u32)atoi(nr + 3) != found.last + 1;
		found.last = atoi(nr + 3);
	}
	kvfree(reader);
	marker_recovered_free(trace);
	return found;
}

static void has_events(const struct found *found, u32 first, u32 last, const char *what)
{
	is_int(found->err, 0, "%s: found", what);
	is_int(found->lines, last - first + 1, "%s: lines", what);
	is_int(found->events, last - first + 1, "%s: events", what);
	is_int(found->first, first, "%s: the first one", what);
	is_int(found->last, last, "%s: the last one", what);
	is_int(found->wrong + found->bad, 0, "%s: none is missing", what);
}

static void test_whole(void)
{
	struct found found;
	int i;

	boot(8, RING_DISCARD);
	die();
	found = find();
	is_int(found.err, -ENODATA, "nothing was recorded");
	is_str(found.why, "there are no events in it", "and why");

	record_many(3);
	die();
	found = find();
	has_events(&found, 0, 2, "an open packet");
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

static void test_notes(void)
{
	struct marker_note_page *page = NULL;
	struct found found;
	void **spare;
	size_t at;

	boot(4, RING_DISCARD);
	record_many(10);
	die();
	for (at = 0; at < BYTES; at += PAGE_SIZE) {
		if (!memcmp(dead + at, MARKER_NOTE_MAGIC, 16))
			page = (void *)(dead + at);
	}
	assert(page);
	page->magic[14] = '9';
	found = find();
	is_int(found.err, -EINVAL, "notes of another version");
	die();
	page->text[100] ^= 1;
	found = find();
	is_int(found.err, -EINVAL, "damaged notes");
	is_str(found.why, "its notes are damaged, or of another version", "and why");
	die();
	page->phys += PAGE_SIZE;
	page->crc = marker_note_crc(page);
	found = find();
	is_int(found.err, -EINVAL, "notes that were elsewhere");
	/* notes of another boot that was not complete */
	die();
	page->generation++;
	page->crc = marker_note_crc(page);
	found = find();
	is_int(found.err, page->total == 1 ? 0 : -EINVAL, "notes that are not complete");

	marker_crash_notes_update();
	die();
	found = find();
	has_events(&found, 0, 9, "newer notes");
	is_int(logged, 0, "there was room for them");
	ok(marker_crash_notes_needed() <= ring_region_room(region), "there is, as it was asked");
	page = NULL;
	while ((spare = ring_region_alloc(region, PAGE_SIZE))) {
		*spare = page;
		page = (void *)spare;
	}
	is_int(marker_crash_notes_try(), -ENOMEM, "no room for notes");
	is_int(logged, 0, "it is not said while there may be some");
	marker_crash_notes_retry();
	is_int(logged, 1, "it is said");
	marker_crash_notes_update();
	is_int(logged, 1, "once");
	die();
	found = find();
	has_events(&found, 0, 9, "the old ones are still there");
	/* another buffer, as after a command, and then there is room */
	memset(buffer->uuid, 99, sizeof(buffer->uuid));
	is_int(marker_crash_notes_try(), -ENOMEM, "no room for those of another buffer");
	for (spare = (void *)page; spare; spare = (void *)page) {
		page = *spare;
		ring_region_free(region, spare, PAGE_SIZE);
	}
	marker_crash_notes_retry();
	die();
	found = find();
	is_int(found.err, -ENODATA, "written at the second try");
	is_str(found.why, "there are no events in it", "the old ones are gone");
	marker_crash_notes_exit();
	die();
	found = find();
	is_int(found.err, -ENODATA, "no notes");
	marker_buffer_put(buffer);
	ring_region_destroy(region);
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

/* A page of the notes has this @text instead. */
static void set_text(struct marker_note_page *page, const char *from, const char *to)
{
	char *at = memmem(page->text, page->size, from, strlen(from));

	assert(at && strlen(from) == strlen(to));
	memcpy(at, to, strlen(to));
	page->crc = marker_note_crc(page);
}

static struct marker_note_page *notes_in(u8 *data, u32 number)
{
	struct marker_note_page *page;
	size_t at;

	for (at = 0; at < BYTES; at += PAGE_SIZE) {
		page = (void *)(data + at);
		if (!memcmp(page->magic, MARKER_NOTE_MAGIC, 16) && page->number == number)
			return page;
	}
	return NULL;
}

/* The region changes while it is read. */
static unsigned int reads, when;

static void change_notes(void)
{
	struct marker_note_page *page = notes_in(dead, 0);

	if (++reads != when || !page)
		return;
	page->size = ~0;
}

static void test_notes_of_others(void)
{
	u64 generation;
	struct found found;

	boot(4, RING_DISCARD);
	record_many(10);
	die();
	set_text(notes_in(dead, 0), "\nevent m:e n", "\nevent \\033 ");
	found = find();
	is_int(found.err, -EINVAL, "a title that a terminal would obey");
	is_str(found.why, "its notes cannot be understood", "and why");
	unit_after_crc = change_notes;
	for (when = 1; when < 100; when++) {
		reads = 0;
		die();
		find();
	}
	unit_after_crc = NULL;
	ok(true, "notes that change while they are read");
	generation = notes_in(memory, 0)->generation;
	shut_down();
	boot(4, RING_DISCARD);
	ok(notes_in(memory, 0)->generation > generation, "the next boot's notes are newer");
	shut_down();
}

/* A CPU that comes up after the notes were written. */
static void test_late_cpu(void)
{
	struct found found;
	int i;

	boot(4, RING_DISCARD);
	record_many(2);
	assert(!unit_cpu_up(3, &buffer->ring->node));
	for (i = 0; i < 5; i++)
		record(3);
	die();
	found = find();
	has_events(&found, 0, 6, "a late CPU");
	is_int(found.cpus, 2, "two CPUs");
	shut_down();
}

/* The dead kernel had more CPUs than the kernel that reads. */
static void test_other_cpus(void)
{
	static const int cpus[] = { 0, 10, 1 };
	struct ctf_packet_header *header;
	struct found found;
	size_t at;
	int i;

	boot(4, RING_DISCARD);
	assert(!unit_cpu_up(10, &buffer->ring->node));
	marker_crash_notes_update();
	for (i = 0; i < 9; i++)
		record(cpus[i % 3]);
	die();
	set_text(notes_in(dead, 0), "\ncpu 10 ", "\ncpu 99 ");
	for (at = 0; at < BYTES; at += PAGE_SIZE) {
		header = (void *)(dead + at);
		if (header->magic == CTF_MAGIC && header->cpu_id == 10)
			header->cpu_id = 99;
	}
	assert(99 > nr_cpu_ids);
	found = find();
	has_events(&found, 0, 8, "a CPU that this kernel does not have");
	is_int(found.cpus, 3, "of three CPUs");
	shut_down();
}

static void cpu_comes_up(void)
{
	assert(!unit_cpu_up(3, &buffer->ring->node));
}

/* A CPU comes up after the count of the bytes and before the text, which fills its pages. */
static void test_notes_that_grow(void)
{
	struct marker_recovered *trace;
	struct marker_note_page *last;
	const char *why, *end;

	boot(4, RING_DISCARD);
	record_many(2);
	last = notes_in(memory, notes_in(memory, 0)->total - 1);
	memset(hostname, 'h', PAGE_SIZE - sizeof(*last) - last->size);
	after_env = cpu_comes_up;
	marker_crash_notes_update();
	ok(cpu_online(3), "a CPU comes up while the notes are written");
	record(3);
	die();
	is_int(marker_recover(dead, BYTES, PHYS, &trace, &why), 0, "its notes are found");
	end = trace->metadata + strlen(trace->metadata) - 3;
	is_str(end, "};\n", "to the end");
	is_int(trace->nr_events, 3, "and its event");
	marker_recovered_free(trace);
	strcpy(hostname, "host");
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
		err = marker_recover(dead, BYTES, PHYS, &trace, &why);
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

static u64 last_events(void)
{
	struct marker_last_boot *boot;
	const char *why;
	u64 nr = 0;

	boot = marker_last_boot_get(&why);
	if (boot)
		nr = marker_last_boot_trace(boot)->nr_events;
	marker_last_boot_put(boot);
	return nr;
}

static bool is_empty(const u8 *data)
{
	size_t at;

	for (at = 0; at < BYTES && !data[at]; at++)
		;
	return at == BYTES;
}

/* @where: the region with the trace of the dead kernel. */
static void fail_each_allocation(const char *where, const u8 *before)
{
	int n, err;

	for (n = 1; ; n++) {
		unit_alloc_fail = n;
		err = marker_persist_init(where);
		if (unit_alloc_fail)
			break;
		if (!ok(err == -ENOMEM && !marker_persist_is_used() && !unit_mapped &&
			!unit_requested, "persist: allocation %d fails", n))
			break;
	}
	unit_alloc_fail = 0;
	ok(!err && n > 5, "persist: with memory it succeeds");
	is_int(memcmp(before, dead, BYTES), 0, "persist: nothing was written");
}

/* Load with persist= after another kernel has died. */
static void test_persist(void)
{
	u8 *before = malloc(BYTES);
	char where[40];

	snprintf(where, sizeof(where), "%#llx:%lu", PHYS, BYTES);
	boot(4, RING_DISCARD);
	record_many(10);
	die();
	marker_crash_notes_exit();
	memcpy(before, dead, BYTES);
	unit_region = dead;

	unit_is_kdump = true;
	is_int(marker_persist_init(where), 0, "persist: in a kernel of kdump");
	marker_persist_begin();
	ok(!marker_persist_is_used() && !used, "persist: the region is not used");
	is_int(memcmp(before, dead, BYTES), 0, "persist: it stays as it is");
	unit_is_kdump = false;

	fail_each_allocation(where, before);
	use_err = -ENOMEM;
	marker_persist_begin();
	is_str(unit_said, "persist: no memory for buffers in the region: recording elsewhere, the next boot will not find it\n",
	       "persist: it is said");
	ok(is_empty(dead), "persist: nor will it find the last boot's trace again");
	is_int(last_events(), 10, "persist: this boot has it");
	marker_persist_exit();
	ok(!unit_mapped && !unit_requested, "persist: the region is free again");

	memcpy(dead, before, BYTES);
	use_err = 0;
	is_int(marker_persist_init(where), 0, "persist: another load");
	marker_persist_begin();
	is_int(last_events(), 10, "persist: the last boot's trace");
	ok(notes_in(dead, 0)->generation > notes_in(before, 0)->generation,
	   "persist: the notes are those of this boot");
	marker_crash_notes_exit();
	marker_persist_exit();
	shut_down();
	free(before);
}

/*
 * Damage
 */

static u64 seed = 1;

static u32 random_below(u32 n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % n;
}

/* Most of it where it matters: at the beginning of a page. */
static void damage(u8 *data)
{
	const u32 at = random_below(PAGES) * PAGE_SIZE;
	const u32 in = random_below(2) ? random_below(128) : random_below(PAGE_SIZE);

	switch (random_below(6)) {
	case 0:
		data[at + in] = random_below(256);
		break;
	case 1:
		memset(data + at, random_below(2) ? 0xff : 0, PAGE_SIZE);
		break;
	case 2:
		memcpy(data + at, data + random_below(PAGES) * PAGE_SIZE, PAGE_SIZE);
		break;
	case 3:
		memset(data + at + in, random_below(256), min(PAGE_SIZE - in, 64ul));
		break;
	default:
		data[at + in] ^= 1 << random_below(8);
		break;
	}
}

/* Let the text of damaged notes have the right checksum, so that it is read. */
static void sign_notes(void)
{
	struct marker_note_page *page;
	size_t at;

	for (at = 0; at < BYTES; at += PAGE_SIZE) {
		page = (void *)(dead + at);
		if (memcmp(page->magic, MARKER_NOTE_MAGIC, 16))
			continue;
		page->size = min_t(u32, page->size, PAGE_SIZE - sizeof(*page));
		page->crc = marker_note_crc(page);
	}
}

static void damage_text(void)
{
	static const char chars[] = "0123456789 -\n\\%eventcpu\0";
	struct marker_note_page *page;
	u32 at = random_below(PAGES) * PAGE_SIZE;
	int i;

	for (i = 0; i < PAGES; i++, at = (at + PAGE_SIZE) % BYTES) {
		page = (void *)(dead + at);
		if (!memcmp(page->magic, MARKER_NOTE_MAGIC, 16) && !page->number)
			break;
	}
	for (i = random_below(4); i >= 0; i--)
		page->text[random_below(500)] = chars[random_below(sizeof(chars))];
}

static void test_damage(int rounds)
{
	u32 none = 0, whole = 0, some = 0, refused = 0, more = 0;
	struct found found;
	u64 all;
	int i, n;

	boot(8, RING_OVERWRITE);
	for (i = 0; i < 12000; i++)
		record(i % 3);
	die();
	found = find();
	all = found.events;
	has_events(&found, 12000 - all, 11999, "before the damage");
	for (n = 0; n < rounds; n++) {
		die();
		for (i = random_below(20); i >= 0; i--)
			damage(dead);
		if (n % 2) {
			damage_text();
			sign_notes();
		}
		found = find();
		more += found.events > all + 100;
		none += found.err == -ENODATA;
		refused += found.err == -EINVAL;
		whole += !found.err && found.events == all;
		some += !found.err && found.events != all;
	}
	ok(none + refused + whole + some == (u32)rounds && !more,
	   "damaged %d times: %u with all, %u with some, %u refused, %u nothing", rounds, whole,
	   some, refused, none);
	shut_down();
	for (n = 0; n < 50; n++) {
		for (i = 0; i < (int)BYTES; i++)
			dead[i] = random_below(256);
		if (n % 2) {
			memcpy(dead + random_below(PAGES) * PAGE_SIZE, MARKER_NOTE_MAGIC, 16);
			sign_notes();
		}
		found = find();
		if (!found.err)
			break;
	}
	is_int(n, 50, "random memory has no trace");
}

int main(void)
{
	const char *rounds = getenv("RECOVER_ROUNDS");

	start_tests();
	memory = aligned_alloc(PAGE_SIZE, BYTES);
	dead = aligned_alloc(PAGE_SIZE, BYTES);
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
	test_notes();
	test_headers();
	test_late_cpu();
	test_other_cpus();
	test_notes_that_grow();
	test_notes_of_others();
	test_memory();
	test_persist();
	test_damage(rounds ? atoi(rounds) : 400);
	free(memory);
	free(dead);
	ring_exit();
	return tap_done();
}
