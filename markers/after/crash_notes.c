// SPDX-License-Identifier: GPL-2.0
/*
 * Notes for a reader of a dead kernel's memory, in pages of their own: see crash_notes.h.
 * Process context.
 *
 * They are written as a whole, in new pages, which become valid one by one; then the old ones
 * become invalid.  So at any moment, at least one of the two is complete.  New events are added in
 * pages that continue the notes; all of them are written again when these are too many.
 */
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include <markers/format/metadata.h>
#include <markers/log.h>
#include <markers/model/registry.h>
#include <markers/read/env.h>
#include <markers/record/record.h>
#include <markers/record/keeper.h>
#include <markers/ring/region.h>
#include "crash_notes.h"

#define TEXT_SIZE	(PAGE_SIZE - sizeof(struct marker_note_page))

/**
 * struct notes - pages, and how far they are written
 * @older:	the notes that these continue, or NULL
 * @generation:	as in the pages
 * @base:	as in the pages
 * @uuid:	as in the pages
 * @nr_cpus:	CPUs whose buffers are known
 * @nr_events:	events that are described up to here
 * @nr_added:	how many continue the base up to here, these included
 * @at:		bytes of text so far; counts on when the pages are full
 * @nr:		pages
 * @page:	them
 */
struct notes {
	struct notes *older;
	u64 generation;
	u64 base;
	u8 uuid[CTF_UUID_SIZE];
	unsigned int nr_cpus;
	u32 nr_events;
	u32 nr_added;
	size_t at;
	u32 nr;
	struct marker_note_page *page[];
};

static DEFINE_MUTEX(notes_mutex);
static bool is_on;
static struct ring_region *region;
static struct notes *notes;	/* the newest ones */
static u64 generation;
static bool is_stale;		/* they could not be written */
static bool is_told;		/* and it is in the logs */

static void emit(void *ctx, const char *text, size_t len)
{
	struct notes *to = ctx;
	struct marker_note_page *page;
	size_t part;

	for (; len; len -= part) {
		u32 nr = to->at / TEXT_SIZE, at = to->at % TEXT_SIZE;

		part = min_t(size_t, len, TEXT_SIZE - at);
		to->at += part;
		page = nr < to->nr ? to->page[nr] : NULL;
		if (page) {
			memcpy(page->text + at, text, part);
			page->size = at + part;
		}
		text += part;
	}
}

static u64 phys_of(const void *address)
{
	u64 phys;

	if (region && ring_region_phys(region, address, &phys))
		return phys;
	if (is_vmalloc_addr(address))
		return page_to_phys(vmalloc_to_page(address)) + offset_in_page(address);
	return virt_to_phys((void *)address);
}

static void emit_line(struct notes *to, const char *format, ...) __printf(2, 3);
static void emit_line(struct notes *to, const char *format, ...)
{
	char line[192];
	va_list args;

	va_start(args, format);
	emit(to, line, vscnprintf(line, sizeof(line), format, args));
	va_end(args);
}

static void emit_layout(struct notes *to, const struct marker_buffer *buffer)
{
	const struct ring_config *config = &buffer->ring->config;
	const struct marker_clock *clock = &buffer->clock;
	struct ring_words words;
	u64 commit;
	int cpu;

	emit_line(to, "subbuf_size %u\nnr_subbufs %u\ncontexts %u\n", config->subbuf_size,
		  config->nr_subbufs, marker_context_set(config->tag));
	emit_line(to, "clock %s %llu %lld %llu\n", clock->name, clock->frequency,
		  clock->offset_s, clock->offset);
	for_each_possible_cpu(cpu) {
		if (!ring_view_words(buffer->ring, cpu, &words))
			continue;
		/* Very many slots are not contiguous, but in a region. */
		/* nor are there any before the CPU comes up for the first time */
		commit = !words.commit || (!region && is_vmalloc_addr(words.commit)) ?
			 0 : phys_of(words.commit);
		emit_line(to, "cpu %d %llu %llu %llu %u %llu %llu\n", cpu, phys_of(words.offset),
			  phys_of(words.last), commit, words.stride, phys_of(words.lost),
			  phys_of(words.overwritten));
	}
}

/* @before: the notes that these continue, or NULL */
static void emit_all(struct notes *to, const struct notes *before,
		     const struct marker_buffer *buffer, u32 nr_events)
{
	const struct marker_metadata_out out = { .emit = emit, .ctx = to };
	const u32 first = before ? before->nr_events : 0;
	const struct marker_event *event;
	u32 id;

	to->at = 0;
	if (before)
		emit_line(to, "from %u\n", first);
	else
		emit_layout(to, buffer);
	emit_line(to, "\n");
	if (!before)
		marker_env_header(&out, buffer->uuid, &buffer->clock,
				  marker_buffer_contexts(buffer));
	for (id = first; id < nr_events; id++) {
		event = marker_registry_by_id(id);
		marker_metadata_event(&out, buffer->uuid, id, event->title, &event->format);
	}
}

static void free_pages_of(struct notes *old)
{
	u32 i;

	for (i = 0; i < old->nr; i++) {
		if (old->page[i])
			memset(old->page[i]->magic, 0, sizeof(old->page[i]->magic));
		if (region)
			ring_region_free(region, old->page[i], PAGE_SIZE);
		else
			free_page((unsigned long)old->page[i]);
	}
	kvfree(old);
}

/* And those that they continue: the newest first, so that no complete notes miss some. */
static void free_notes(struct notes *old)
{
	struct notes *older;

	for (; old; old = older) {
		older = old->older;
		free_pages_of(old);
	}
}

static struct notes *alloc_notes(u32 nr)
{
	struct notes *new = kvzalloc(struct_size(new, page, nr), GFP_KERNEL);

	if (!new)
		return NULL;
	for (new->nr = 0; new->nr < nr; new->nr++) {
		new->page[new->nr] = region ? ring_region_alloc(region, PAGE_SIZE) :
					      (void *)get_zeroed_page(GFP_KERNEL);
		if (!new->page[new->nr]) {
			free_notes(new);
			return NULL;
		}
	}
	return new;
}

static void publish(struct notes *new, const struct marker_buffer *buffer)
{
	struct marker_note_page *page;
	u32 i;

	new->generation = ++generation;
	if (!new->older)
		new->base = new->generation;
	memcpy(new->uuid, buffer->uuid, sizeof(new->uuid));
	for (i = 0; i < new->nr; i++) {
		page = new->page[i];
		page->phys = phys_of(page);
		page->generation = new->generation;
		page->base = new->base;
		memcpy(page->uuid, buffer->uuid, sizeof(page->uuid));
		page->number = i;
		page->total = new->nr;
		page->crc = marker_note_crc(page);
		/* The rest of the page is there. */
		smp_wmb();
		memcpy(page->magic, MARKER_NOTE_MAGIC, sizeof(page->magic));
	}
}

/* How many bytes do the notes after @before take now?  @nr_events: up to how many events. */
static size_t count_bytes(const struct notes *before, const struct marker_buffer *buffer,
			  u32 *nr_events)
{
	struct notes count = { };

	for (*nr_events = before ? before->nr_events : 0; marker_registry_by_id(*nr_events);)
		++*nr_events;
	emit_all(&count, before, buffer, *nr_events);
	return count.at;
}

static unsigned int count_cpus(const struct marker_buffer *buffer)
{
	struct ring_words words;
	unsigned int nr = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		nr += ring_view_words(buffer->ring, cpu, &words) && words.commit;
	return nr;
}

/* The notes that continue @before; NULL: that begin. */
static struct notes *make_notes(struct notes *before, const struct marker_buffer *buffer)
{
	/* one that comes up now makes the next notes begin */
	const unsigned int nr_cpus = count_cpus(buffer);
	struct notes *new;
	u32 nr_events;

	for (;;) {
		new = alloc_notes(DIV_ROUND_UP(count_bytes(before, buffer, &nr_events), TEXT_SIZE));
		if (!new)
			return NULL;
		emit_all(new, before, buffer, nr_events);
		if (new->at <= new->nr * TEXT_SIZE)
			break;
		/* A CPU came up after count_bytes(), and made its line longer. */
		free_pages_of(new);
	}
	new->older = before;
	new->base = before ? before->base : 0;
	new->nr_added = before ? before->nr_added + 1 : 0;
	new->nr_events = nr_events;
	new->nr_cpus = nr_cpus;
	publish(new, buffer);
	return new;
}

/* Is what they say of @buffer still right, and are they not too many? */
static bool can_continue(const struct notes *before, const struct marker_buffer *buffer)
{
	return before && !memcmp(before->uuid, buffer->uuid, sizeof(before->uuid)) &&
	       before->nr_cpus == count_cpus(buffer) &&
	       before->nr_added < MARKER_NOTES_MAX_ADDED;
}

/* Return: false: there was no memory. */
static bool write_notes(const struct marker_buffer *buffer)
{
	struct notes *new;

	if (!can_continue(notes, buffer)) {
		new = make_notes(NULL, buffer);
		if (!new)
			return false;
		free_notes(notes);
		notes = new;
		return true;
	}
	if (!marker_registry_by_id(notes->nr_events))
		return true;
	new = make_notes(notes, buffer);
	if (new)
		notes = new;
	return new;
}

int marker_crash_notes_try(void)
{
	struct marker_buffer *buffer;
	bool written;

	BUILD_BUG_ON(sizeof(MARKER_NOTE_MAGIC) - 1 !=
		     sizeof_field(struct marker_note_page, magic));
	BUILD_BUG_ON(MARKER_NOTE_BYTES_SHIFT != RING_BYTES_SHIFT ||
		     MARKER_NOTE_NR_LOST != RING_NR_LOST ||
		     MARKER_NOTE_MAX_SUBBUF != RING_SUBBUF_SIZE_MAX ||
		     MARKER_NOTE_MAX_SUBBUFS != RING_NR_SUBBUFS_MAX);
	if (!READ_ONCE(is_on))
		return 0;
	mutex_lock(&notes_mutex);
	buffer = marker_recording_get(&marker_top, false);
	written = write_notes(buffer);
	marker_buffer_put(buffer);
	WRITE_ONCE(is_stale, !written);
	if (written)
		WRITE_ONCE(is_told, false);
	mutex_unlock(&notes_mutex);
	return written ? 0 : -ENOMEM;
}

void marker_crash_notes_update(void)
{
	/* Once: a trigger may take snapshots all the time. */
	if (!marker_crash_notes_try() || READ_ONCE(is_told))
		return;
	WRITE_ONCE(is_told, true);
	if (region)
		marker_log_refused(NULL, 0, "persist: no room for the notes: the next boot will not find all of this trace; make buffer_size_kb smaller");
	else
		marker_log_refused(NULL, 0, "kdump: no memory for the notes: a dump has not all of this trace");
}

void marker_crash_notes_retry(void)
{
	if (READ_ONCE(is_stale))
		marker_crash_notes_update();
}

size_t marker_crash_notes_needed(void)
{
	struct marker_buffer *buffer = marker_recording_get(&marker_top, false);
	u32 nr_events;
	size_t size;

	/* The addresses may have more digits, and the clock a longer name. */
	size = count_bytes(NULL, buffer, &nr_events) + num_possible_cpus() * 64 + 256;
	marker_buffer_put(buffer);
	size = DIV_ROUND_UP(size, TEXT_SIZE) * PAGE_SIZE;
	/* What comes in place of these is written before they are freed. */
	mutex_lock(&notes_mutex);
	size *= notes ? 1 : 2;
	mutex_unlock(&notes_mutex);
	return size;
}

static const struct marker_keeper keeper = {
	.needed = marker_crash_notes_needed,
	.try = marker_crash_notes_try,
	.retry = marker_crash_notes_retry,
	.update = marker_crash_notes_update,
};

void marker_crash_notes_init(void)
{
	marker_keeper = &keeper;
}

void marker_crash_notes_on(struct ring_region *notes_region)
{
	region = notes_region;
	/* Later than those of an older boot that may be in the rest of the memory. */
	generation = ktime_get_real_ns();
	WRITE_ONCE(is_on, true);
	marker_crash_notes_update();
}

void marker_crash_notes_exit(void)
{
	free_notes(notes);
	notes = NULL;
	WRITE_ONCE(is_stale, false);
	WRITE_ONCE(is_on, false);
}
