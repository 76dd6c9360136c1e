// SPDX-License-Identifier: GPL-2.0
/*
 * Notes for a reader of a dead kernel's memory, in pages of their own: see crash_notes.h.
 * Process context.
 *
 * They are written as a whole, in new pages, which become valid one by one; then the old ones
 * become invalid.  So at any moment, at least one of the two is complete.
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
#include <markers/ring/region.h>
#include <markers/switch/registry.h>
#include "channel.h"
#include "crash_notes.h"
#include "env.h"

#define TEXT_SIZE	(PAGE_SIZE - sizeof(struct marker_note_page))

/**
 * struct notes - pages, and how far they are written
 * @at:		bytes of text so far; counts on when the pages are full
 * @nr:		pages
 * @page:	them
 */
struct notes {
	size_t at;
	u32 nr;
	struct marker_note_page *page[];
};

static DEFINE_MUTEX(notes_mutex);
static bool is_on;
static struct ring_region *region;
static struct notes *notes;
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

/* As the lines of notes have it: with octal digits for @less and control characters. */
static void emit_escaped(struct notes *to, const char *text, const char *less)
{
	for (; *text; text++) {
		if ((u8)*text < ' ' || strchr(less, *text))
			emit_line(to, "\\%03o", (u8)*text);
		else
			emit(to, text, 1);
	}
}

static void emit_event(struct notes *to, const struct marker_event *event)
{
	emit_line(to, "event ");
	emit_escaped(to, event->title, "\\ ");
	emit_line(to, " ");
	emit_escaped(to, event->format.text, "\\");
	emit_line(to, "\n");
}

static void emit_all(struct notes *to, const struct marker_buffer *buffer, u32 nr_events)
{
	const struct marker_metadata_out out = { .emit = emit, .ctx = to };
	const struct marker_event *event;
	u32 id;

	to->at = 0;
	emit_layout(to, buffer);
	for (id = 0; id < nr_events; id++)
		emit_event(to, marker_registry_by_id(id));
	emit_line(to, "\n");
	marker_env_header(&out, buffer->uuid, &buffer->clock, marker_buffer_contexts(buffer));
	for (id = 0; id < nr_events; id++) {
		event = marker_registry_by_id(id);
		marker_metadata_event(&out, buffer->uuid, id, event->title, &event->format);
	}
}

static void free_notes(struct notes *old)
{
	u32 i;

	if (!old)
		return;
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

	generation++;
	for (i = 0; i < new->nr; i++) {
		page = new->page[i];
		page->phys = phys_of(page);
		page->generation = generation;
		memcpy(page->uuid, buffer->uuid, sizeof(page->uuid));
		page->number = i;
		page->total = new->nr;
		page->crc = marker_note_crc(page);
		/* The rest of the page is there. */
		smp_wmb();
		memcpy(page->magic, MARKER_NOTE_MAGIC, sizeof(page->magic));
	}
}

/* How many bytes do the notes take now?  @nr_events: of how many events. */
static size_t count_bytes(const struct marker_buffer *buffer, u32 *nr_events)
{
	struct notes count = { 0 };

	for (*nr_events = 0; marker_registry_by_id(*nr_events);)
		++*nr_events;
	emit_all(&count, buffer, *nr_events);
	return count.at;
}

static struct notes *make_notes(const struct marker_buffer *buffer)
{
	struct notes *new;
	u32 nr_events;

	for (;;) {
		new = alloc_notes(DIV_ROUND_UP(count_bytes(buffer, &nr_events), TEXT_SIZE));
		if (!new)
			return NULL;
		emit_all(new, buffer, nr_events);
		if (new->at <= new->nr * TEXT_SIZE)
			break;
		/* A CPU came up after count_bytes(), and made its line longer. */
		free_notes(new);
	}
	publish(new, buffer);
	return new;
}

int marker_crash_notes_try(void)
{
	struct marker_buffer *buffer;
	struct notes *new;

	BUILD_BUG_ON(sizeof(MARKER_NOTE_MAGIC) - 1 !=
		     sizeof_field(struct marker_note_page, magic));
	if (!READ_ONCE(is_on))
		return 0;
	mutex_lock(&notes_mutex);
	buffer = marker_channel_get(&marker_top, false);
	new = make_notes(buffer);
	marker_buffer_put(buffer);
	if (new) {
		free_notes(notes);
		notes = new;
	}
	WRITE_ONCE(is_stale, !new);
	if (new)
		WRITE_ONCE(is_told, false);
	mutex_unlock(&notes_mutex);
	return new ? 0 : -ENOMEM;
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
	struct marker_buffer *buffer = marker_channel_get(&marker_top, false);
	u32 nr_events;
	size_t size;

	/* The addresses may have more digits, and the clock a longer name. */
	size = count_bytes(buffer, &nr_events) + num_possible_cpus() * 64 + 256;
	marker_buffer_put(buffer);
	size = DIV_ROUND_UP(size, TEXT_SIZE) * PAGE_SIZE;
	/* What comes in place of these is written before they are freed. */
	mutex_lock(&notes_mutex);
	size *= notes ? 1 : 2;
	mutex_unlock(&notes_mutex);
	return size;
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
