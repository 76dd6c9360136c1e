/* SPDX-License-Identifier: GPL-2.0 */
/* A hist of a made-up event, and its hits, for the tests of markers/hist/. */
#ifndef _UNIT_HIST_KIT_H
#define _UNIT_HIST_KIT_H

#include <markers/hist/hist.h>
#include <markers/hist/map.h>
#include <markers/hist/table.h>
#include "tap.h"

static struct marker_format format;
static struct marker_format_error error;
static struct marker_hist hist;
static struct marker_map *map;

static u64 contexts[MARKER_NR_HIST_CONTEXTS] = { 1234, 1200, 3, 0x0801 };

static void use(const char *text)
{
	if (marker_format_parse(&format, text, &error))
		ok(false, "format \"%s\": %s", text, error.why);
}

static void parse(const char *text)
{
	if (marker_hist_parse(&hist, text, &format, &error))
		ok(false, "\"%s\": column %u: %s", text, error.column, error.why);
}

static void begin(const char *text)
{
	parse(text);
	map = marker_map_create(hist.size, hist.key_words, hist.nr_vals);
	assert(map);
}

static void end(void)
{
	marker_map_destroy(map);
	map = NULL;
}

/* Counts as a hit does. */
static void hit_args(const u64 *args)
{
	u64 key[MARKER_HIST_WORDS];
	struct marker_map_bucket *slot;
	u32 i;

	if (hist.is_single) {
		slot = marker_map_hit_int(map, marker_hist_int(&hist.key[0],
							       args[hist.key[0].arg]));
	} else {
		marker_hist_key(&hist, key, args, contexts);
		slot = marker_map_hit(map, key);
	}
	for (i = 0; slot && i < hist.nr_vals; i++)
		marker_map_add(map, slot, i, marker_hist_val(&hist, i, args, contexts));
}

#define ARG(x)		((u64)(unsigned long)(x))
#define hit(...)	hit_args((const u64[]){ 0, ##__VA_ARGS__ } + 1)

static struct marker_table *read_map(void)
{
	struct marker_table *table = marker_table_read(&hist, map);

	assert(table);
	marker_table_sort(table, &hist);
	return table;
}

#endif /* _UNIT_HIST_KIT_H */
