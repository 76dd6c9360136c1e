// SPDX-License-Identifier: GPL-2.0
/*
 * persist=: memory that another kernel recorded in before it died.
 */
#include <markers/after/persist.h>
#include "recover_kit.h"

/* In place of markers/record. */
static int use_err;
static struct ring_region *used;

int marker_recording_use_region(struct ring_region *to)
{
	used = to;
	return use_err;
}

size_t marker_recording_region_kb(struct ring_region *of, size_t *full)
{
	(void)of;
	*full = 16;
	return *full;
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
	const char *why;
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
	ok(!marker_last_boot_get(&why), "persist: the trace has gone with it");

	memcpy(dead, before, BYTES);
	use_err = 0;
	is_int(marker_persist_init(where), 0, "persist: another load");
	marker_persist_begin();
	is_int(last_events(), 10, "persist: the last boot's trace");
	ok(notes_in(dead, 0)->generation > notes_in(before, 0)->generation,
	   "persist: the notes are those of this boot");
	marker_last_boot_drop();
	ok(!marker_last_boot_get(&why), "persist: the last boot's trace can be freed before");
	is_str(why, "it was freed", "persist: and why there is none");
	marker_crash_notes_exit();
	marker_persist_exit();
	shut_down();
	free(before);
}

int main(void)
{
	start_recover_tests();
	test_persist();
	return recover_tests_done();
}
