// SPDX-License-Identifier: GPL-2.0
/*
 * The map of a hist, while a hit is interrupted after each of its instructions by others: no
 * hit is lost, and none is counted under another key.
 */
#include "hist_kit.h"

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#include "single_step.h"

static u64 step_key;
static int step_hits;

static void hit_keys(void)
{
	int i;

	for (i = 0; i < step_hits; i++)
		hit(step_key + i);
}

/* How often a key is hit in all. */
static u64 hits_of(const struct marker_table *table, u64 key)
{
	u32 i;

	for (i = 0; i < table->nr; i++)
		if (marker_table_row(table, i)[1] == key)
			return marker_table_row(table, i)[0];
	return 0;
}

/* @before: keys in the map; then @key is hit, and hits of @inner and so on interrupt that. */
static void test_step(const char *text, u32 before, u64 key, u64 inner, int nr, u32 drops,
		      const char *what)
{
	struct points points = { };
	struct marker_table *table;
	u64 args[2] = { 0, key };
	long wrong = 0;
	u32 i;

	steps_begin(hit_keys);
	step_key = inner;
	step_hits = nr;
	for_each_point(points) {
		begin(text);
		for (i = 0; i < before; i++)
			hit(100 + i);
		point_begin(&points);
		single_step(true);
		hit_args(args + 1);
		single_step(false);
		point_end(&points, 150);
		hit(key);
		hit(inner);
		table = read_map();
		if (was_interrupted(&points) && !drops) {
			u64 wanted = key >= inner && key < inner + nr ? 3 : 2;

			if (key == inner)
				wanted++;
			wrong += hits_of(table, key) != wanted ||
				 hits_of(table, inner) != (key == inner ? wanted : 2) ||
				 table->dropped ||
				 table->hits != before + 3u + nr;
		}
		/* nothing is lost, counted or dropped */
		if (was_interrupted(&points))
			wrong += table->hits + table->dropped != before + 3u + nr;
		kvfree(table);
		end();
	}
	steps_end();
	ok(!wrong && points.nr > 10, "step: %s: at %ld of %ld points", what, points.nr,
	   points.total);
}

/* The next key that has the bucket of @key, in a map of 16 keys. */
static u64 same_bucket(u64 key)
{
	const u64 at = key * MAP_FACTOR >> 59;

	while (++key * MAP_FACTOR >> 59 != at)
		;
	return key;
}

static void test_steps(void)
{
	leave_cpus_out(true);
	use("a %u");
	test_step("keys=a:size=16", 0, 5, 5, 1, 0, "a new key in itself");
	test_step("keys=a:size=16", 0, 0, 0, 1, 0, "the key zero in itself");
	test_step("keys=a:size=16", 0, 0, same_bucket(0), 1, 0, "the key zero, when another one takes its bucket");
	test_step("keys=a:size=16", 0, 5, same_bucket(5), 1, 0, "a key, when another one takes its bucket");
	test_step("keys=a:size=16", 0, 5, 1, 8, 0, "many new keys in one");
	test_step("keys=a:size=16", 14, 5, 6, 1, 0, "the last two keys that there is room for");
	test_step("keys=a:size=16", 16, 5, 6, 3, 1, "a full map");
	test_step("keys=a:vals=a", 3, 5, 5, 1, 0, "a new key in itself, with a value");
	test_step("keys=a,tid", 3, 5, 5, 2, 0, "a new key of two words in itself");
	test_step("keys=a,tid", 3, 0, 0, 1, 0, "the same of zero");
	leave_cpus_out(false);
}
#else
static void test_steps(void)
{
	skip("no single step here", "step: a hit is interrupted everywhere");
}
#endif

int main(void)
{
	test_steps();
	return tap_done();
}
