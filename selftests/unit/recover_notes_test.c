// SPDX-License-Identifier: GPL-2.0
/*
 * The notes of a kernel that died: what a later kernel needs to find its buffers, and the text
 * of its metadata.
 */
#include "recover_kit.h"

static void test_damaged_notes(void)
{
	struct marker_note_page *page = NULL;
	struct found found;
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
	page->base++;
	page->crc = marker_note_crc(page);
	found = find();
	is_int(found.err, page->total == 1 ? 0 : -EINVAL, "notes that are not complete");
	marker_crash_notes_update();
	die();
	found = find();
	has_events(&found, 0, 9, "newer notes");
	shut_down();
}

/* What has no room is told once; the old notes stay until there are new ones. */
static void test_room_for_notes(void)
{
	void **spare, *page = NULL;
	struct found found;

	boot(4, RING_DISCARD);
	record_many(10);
	is_int(logged, 0, "there was room for them");
	ok(marker_crash_notes_needed() <= ring_region_room(region), "there is, as it was asked");
	while ((spare = ring_region_alloc(region, PAGE_SIZE))) {
		*spare = page;
		page = spare;
	}
	nr_ids++;
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
	for (spare = page; spare; spare = page) {
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
	nr_ids = 1;
	marker_buffer_put(buffer);
	ring_region_destroy(region);
}

/* A page of the notes has this @text instead. */
static void set_text(struct marker_note_page *page, const char *from, const char *to)
{
	char *at = memmem(page->text, page->size, from, strlen(from));

	assert(at && strlen(from) == strlen(to));
	memcpy(at, to, strlen(to));
	page->crc = marker_note_crc(page);
}

static bool page_is_empty(const void *page)
{
	const u64 *word = page;
	size_t i;

	for (i = 0; i < PAGE_SIZE / sizeof(*word) && !word[i]; i++)
		;
	return i == PAGE_SIZE / sizeof(*word);
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
	set_text(notes_in(dead, 0), "\nnr_subbufs ", "\nnr_colours ");
	found = find();
	is_int(found.err, -EINVAL, "a line that is not known");
	is_str(found.why, "its notes cannot be understood", "and why");
	die();
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

/* Events as metadata describes them. */
static char *events;
static size_t events_len, events_room;
static u32 nr_events;

/* Add one; its strings have their escapes. */
static void add_event(const char *title, const char *format, const char *field)
{
	char block[2000];
	size_t len = snprintf(block, sizeof(block), "\nevent {\n\tname = \"%s\";\n\tid = %u;\n"
			      "\tstream_id = %u;\n" MARKER_METADATA_FORMAT "%s\" */\n"
			      "\tfields := struct {\n\t\t%s;\n\t};\n};\n", title, nr_events++,
			      ctf_stream_id(buffer->uuid), format, field);

	while (events_len + len >= events_room) {
		events_room = 2 * events_room + 1000;
		events = realloc(events, events_room);
	}
	memcpy(events + events_len, block, len + 1);
	events_len += len;
}

/* What the dead kernel has left has notes with these events instead; there are none to add then. */
static void write_notes(void)
{
	const size_t room = PAGE_SIZE - sizeof(struct marker_note_page);
	struct marker_note_page head = *notes_in(dead, 0), *page;
	char *first = (char *)notes_in(dead, 0)->text, *text;
	size_t len, at = 0, place;
	u32 number = 0;

	assert(head.total == 1);
	len = strstr(first, "\nevent {") - first;
	text = malloc(len + events_len);
	memcpy(text, first, len);
	memcpy(text + len, events, events_len);
	len += events_len;
	events_len = 0;
	nr_events = 0;
	head.total = (len + room - 1) / room;
	memset(notes_in(dead, 0), 0, PAGE_SIZE);
	for (place = 0; place < BYTES && at < len; place += PAGE_SIZE) {
		page = (void *)(dead + place);
		if (!page_is_empty(page))
			continue;
		*page = head;
		page->phys = PHYS + place;
		page->number = number++;
		page->size = min(len - at, room);
		memcpy(page->text, text + at, page->size);
		page->crc = marker_note_crc(page);
		at += page->size;
	}
	assert(at == len);
	free(text);
}

/* An event that the reader would not describe with the same words is unknown to it. */
static void test_odd_events(void)
{
	static const struct {
		const char *title, *format, *field, *what;
	} unknown[] = {
		{ "m:f", "%f", "uint32_t _nr", "a format that cannot be" },
		{ "m:f", "nr %u", "uint16_t _nr", "a field of another size" },
		{ "m:f", "nr %u", "uint32_t _nr;\n\t\tuint32_t _more", "a field too much" },
		{ "m:f", "nr %u *\\/", "uint32_t _nr", "an escape that is not ours" },
		{ "m:f", "nr %u\\000", "uint32_t _nr", "a format with a NUL in it" },
		{ "m:f", "nr %u\\", "uint32_t _nr", "a format whose quote is escaped" },
		{ "m:f\n", "nr %u", "uint32_t _nr", "a title on two lines" },
		{ "m:\\377", "nr %u", "uint32_t _nr", "a letter that needs no escape" },
	};
	static char long_name[1200];
	struct found found;
	unsigned int i;

	boot(4, RING_DISCARD);
	record_many(5);
	next_id = 2;
	record_many(3);
	next_id = 1;
	record_many(2);
	memset(long_name, 'n', sizeof(long_name) - 1);
	for (i = 0; i < ARRAY_SIZE(unknown); i++) {
		die();
		add_event(long_name, "nr %u", "uint32_t _nr");
		add_event(unknown[i].title, unknown[i].format, unknown[i].field);
		add_event("\\033\377\\\"\\\\", "a *\\057 b nr %u", "uint32_t _nr");
		write_notes();
		found = find();
		is_int(found.err, 0, "%s", unknown[i].what);
		is_int(found.lines, 8, "%s: all but its events", unknown[i].what);
		is_int(found.last, 7, "%s: up to them", unknown[i].what);
		is_str(found.said, "[000] *** rest of a packet: its notes on an event cannot be understood ***\n",
		       "%s: it is told", unknown[i].what);
	}
	next_id = 0;
	shut_down();
}

/* Titles have nothing that a terminal would obey. */
static void test_titles(void)
{
	struct marker_recovered *trace;
	const char *why;

	boot(4, RING_DISCARD);
	record_many(1);
	die();
	add_event("m:\\033[2J \377\\177z", "nr %u", "uint32_t _nr");
	add_event("markers:note", "%s", "string _text");
	add_event("markers:note", "%s", "string _word");
	write_notes();
	is_int(recover_dead(&trace, &why), 0, "an odd title");
	ok(trace->known[1], "a note, whose field has a name that is not in its format");
	ok(!trace->known[2], "but no other name");
	is_str(trace->known[0]->title, "m:?[2J???z", "is made plain");
	marker_recovered_free(trace);
	shut_down();
}

/* New events are added to the notes, and the rest of them stays where it is. */
static void test_added_events(void)
{
	const struct marker_note_page *base;
	struct marker_recovered *trace;
	struct marker_note_page page;
	struct found found;
	const char *why, *at;
	size_t room;
	u32 i, nr;

	boot(4, RING_DISCARD);
	base = notes_in(memory, 0);
	page = *base;
	room = ring_region_room(region);
	for (i = 0; i < 5; i++) {
		nr_ids++;
		marker_crash_notes_update();
	}
	ok(!memcmp(base, &page, sizeof(page)), "the notes stay when there are new events");
	at = memmem(base->text, base->size, "nr %u", 5);
	ok(at, "they have the format of an event");
	ok(at && !memmem(at + 1, (char *)base->text + base->size - at - 1, "nr %u", 5), "once");
	is_int(ring_region_room(region), room - 5 * PAGE_SIZE, "each new one takes a page");
	marker_crash_notes_update();
	is_int(ring_region_room(region), room - 5 * PAGE_SIZE, "there is nothing new");
	for (next_id = 0; next_id < nr_ids; next_id++)
		record_many(1);
	die();
	found = find();
	has_events(&found, 0, 5, "events that were added");
	is_int(recover_dead(&trace, &why), 0, "their metadata");
	for (nr = 0, at = trace->metadata; (at = strstr(at, "\nevent {")); at++)
		nr++;
	is_int(nr, 6, "have all of them");
	marker_recovered_free(trace);
	/* the third page that was added is damaged */
	for (i = 0; i < BYTES; i += PAGE_SIZE) {
		struct marker_note_page *added = (void *)(dead + i);

		if (!memcmp(added->magic, MARKER_NOTE_MAGIC, 16) && added->generation == page.generation + 3)
			added->text[10] ^= 1;
	}
	found = find();
	is_int(found.lines, 3, "up to one that is damaged");
	for (i = 0; i < MARKER_NOTES_MAX_ADDED; i++) {
		nr_ids++;
		marker_crash_notes_update();
	}
	ok(ring_region_room(region) > room - 20 * PAGE_SIZE, "many that were added become one");
	die();
	found = find();
	has_events(&found, 0, 5, "which has all events");
	next_id = 0;
	nr_ids = 1;
	shut_down();
}

/* The region limits the number of events; one of these was recorded. */
static void test_many_events(void)
{
	const u32 nr = 70000;
	struct found found;
	u32 i;

	use_pages(3000);
	boot(4, RING_DISCARD);
	next_id = nr - 1;
	record_many(3);
	die();
	for (i = 0; i < nr; i++)
		add_event("m:e", "nr %u", "uint32_t _nr");
	write_notes();
	found = find();
	has_events(&found, 0, 2, "70000 events are known");
	next_id = 0;
	shut_down();
	use_pages(96);
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
	marker_crash_notes_exit();
	after_env = cpu_comes_up;
	marker_crash_notes_on(region);
	ok(cpu_online(3), "a CPU comes up while the notes are written");
	record(3);
	die();
	is_int(recover_dead(&trace, &why), 0, "its notes are found");
	end = trace->metadata + strlen(trace->metadata) - 3;
	is_str(end, "};\n", "to the end");
	is_int(trace->nr_events, 3, "and its event");
	marker_recovered_free(trace);
	strcpy(hostname, "host");
	shut_down();
}

int main(void)
{
	start_recover_tests();
	test_damaged_notes();
	test_room_for_notes();
	test_late_cpu();
	test_other_cpus();
	test_notes_that_grow();
	test_notes_of_others();
	test_odd_events();
	test_titles();
	test_added_events();
	test_many_events();
	free(events);
	return recover_tests_done();
}
