/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the tests of what is left of a kernel that died: it boots, records in a region and dies,
 * and a later kernel looks for its trace.
 */
#ifndef _UNIT_RECOVER_KIT_H
#define _UNIT_RECOVER_KIT_H

#include <markers/format/metadata.h>
#include <markers/ring/region.h>
#include <markers/after/crash_notes.h>
#include <markers/read/env.h>
#include <markers/after/last_boot.h>
#include <markers/after/recover.h>
#include "stream_kit.h"

#define BYTES	(nr_pages * PAGE_SIZE)
#define PHYS	0x30000000ull

struct marker_recording marker_top;
const struct marker_keeper *marker_keeper;
static struct ring_region *region;
static int nr_pages = 96;
static u8 *memory, *dead;		/* while it lives, and as a later kernel finds it */
static unsigned int logged;
static char hostname[PAGE_SIZE] = "host";
static void (*after_env)(void);		/* called once, if not NULL */

struct marker_buffer *marker_recording_get(struct marker_recording *recording, bool snapshot)
{
	assert(!snapshot);
	recording->buffer->refs.refs++;
	return recording->buffer;
}

void marker_log_refused(const char *text, unsigned int column, const char *format, ...)
{
	(void)text;
	(void)column;
	(void)format;
	logged++;
}

void marker_env_header(const struct marker_metadata_out *out, const u8 *uuid,
		       const struct marker_clock *clock, u32 contexts)
{
	void (*call)(void) = after_env;
	struct marker_metadata_env env = {
		.hostname = hostname,
		.kernel_release = "release",
		.kernel_version = "version",
		.clock_name = clock->name,
		.clock_description = "a clock",
		.clock_freq = clock->frequency,
		.contexts = marker_context_set(contexts),
	};

	memcpy(env.uuid, uuid, sizeof(env.uuid));
	marker_metadata_header(out, &env);
	after_env = NULL;
	if (call)
		call();
}

static inline void boot(u32 nr_subbufs, enum ring_mode mode)
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
	marker_top.buffer = buffer;
	ring_start(buffer->ring);
	next_nr = 0;
	marker_crash_notes_on(region);
}

static inline void shut_down(void)
{
	marker_crash_notes_exit();
	marker_buffer_put(buffer);
	is_int(ring_region_room(region), BYTES, "all of the region was given back");
	ring_region_destroy(region);
}

static inline void die(void)
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

static inline int recover_dead(struct marker_recovered **trace, const char **why)
{
	const struct marker_memory piece = { .phys = PHYS, .data = dead, .size = BYTES };

	return marker_recover(&piece, 1, trace, why);
}

static inline struct found find(void)
{
	struct marker_last_boot_reader *reader;
	struct marker_recovered *trace;
	struct found found = { };
	const char *nr;
	char line[2000];

	found.err = recover_dead(&trace, &found.why);
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

static inline void has_events(const struct found *found, u32 first, u32 last, const char *what)
{
	is_int(found->err, 0, "%s: found", what);
	is_int(found->lines, last - first + 1, "%s: lines", what);
	is_int(found->events, last - first + 1, "%s: events", what);
	is_int(found->first, first, "%s: the first one", what);
	is_int(found->last, last, "%s: the last one", what);
	is_int(found->wrong + found->bad, 0, "%s: none is missing", what);
}

static inline struct marker_note_page *notes_in(u8 *data, u32 number)
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

static inline void use_pages(int nr)
{
	free(memory);
	free(dead);
	nr_pages = nr;
	memory = aligned_alloc(PAGE_SIZE, BYTES);
	dead = aligned_alloc(PAGE_SIZE, BYTES);
}

static inline void start_recover_tests(void)
{
	start_tests();
	use_pages(96);
}

static inline int recover_tests_done(void)
{
	free(memory);
	free(dead);
	ring_exit();
	return tap_done();
}

#endif /* _UNIT_RECOVER_KIT_H */
