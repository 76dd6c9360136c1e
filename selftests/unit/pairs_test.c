// SPDX-License-Identifier: GPL-2.0
/*
 * markers/hist/pairs.c: the time between two markers, in sequence, interrupted at critical
 * places, and on several CPUs at once.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include <markers/hist/pairs.h>
#include "tap.h"

static struct marker_pairs *pairs;
static struct marker_pairs_stats stats;

static void begin_key(u64 key, u64 now)
{
	const u64 keys[] = { key, 0, 0, 0, 0, 0, 0, 0 };

	marker_pairs_begin(pairs, keys, now);
}

static s64 end_key(u64 key, u64 now)
{
	const u64 keys[] = { key, 0, 0, 0, 0, 0, 0, 0 };

	return marker_pairs_end(pairs, keys, now);
}

static void make(u32 size, u32 words)
{
	pairs = marker_pairs_create(size, words);
	assert(pairs);
}

/* begun, again, lost, matched, unmatched, open */
static void counts_are(const char *wanted, const char *what)
{
	char got[200];

	marker_pairs_stats(pairs, &stats);
	snprintf(got, sizeof(got), "%llu %llu %llu %llu %llu %llu",
		 (unsigned long long)stats.begun, (unsigned long long)stats.again,
		 (unsigned long long)stats.lost, (unsigned long long)stats.matched,
		 (unsigned long long)stats.unmatched, (unsigned long long)stats.open);
	is_str(got, wanted, "%s", what);
}

static void test_pairs(u32 words)
{
	u32 i, wrong = 0;

	make(1024, words);
	is_int(end_key(5, 10), -1, "%u words: no begin", words);
	begin_key(5, 100);
	begin_key(6, 105);
	is_int(end_key(5, 110), 10, "%u words: a pair", words);
	is_int(end_key(5, 110), -1, "%u words: only once", words);
	unit_cpu = 3;
	is_int(end_key(6, 1ull << 40), (1ll << 40) - 105, "%u words: another CPU", words);
	unit_cpu = 0;
	begin_key(0, 200);
	begin_key(0, 300);
	is_int(end_key(0, 250), 0, "%u words: begun again, and a clock behind", words);
	counts_are("4 1 0 3 2 0", "counted");
	for (i = 0; i < 300; i++)
		begin_key(i * 1000, 1000 + i);
	for (i = 0; i < 300; i++)
		wrong += end_key(i * 1000, 5000) != 4000 - (s64)i;
	marker_pairs_stats(pairs, &stats);
	ok(wrong <= stats.lost && stats.lost < 5 && !stats.open,
	   "%u words: many at a time, %llu lost", words, (unsigned long long)stats.lost);
	marker_pairs_destroy(pairs);
}

static void test_full(void)
{
	u32 i;

	make(MARKER_PAIRS_GROUP, 1);
	for (i = 0; i < 9; i++)
		begin_key(i, i == 8 ? 150 : 100 - i % 3);
	counts_are("9 0 1 0 0 8", "the ninth makes room for itself");
	is_int(end_key(2, 200), -1, "by the oldest");
	is_int(end_key(8, 200), 50, "and is there");
	marker_pairs_destroy(pairs);
}

static u64 hook_key;
static s64 hook_got;

static void hook_begin(void)
{
	begin_key(hook_key, 150);
}

static void hook_end(void)
{
	hook_got = end_key(hook_key, 160);
}

static void test_between(void)
{
	make(MARKER_PAIRS_GROUP, 1);
	hook_key = 7;
	unit_before_cmpxchg = hook_begin;
	begin_key(7, 100);
	counts_are("2 0 1 0 0 1", "between: the same key begins in a begin");
	is_int(end_key(7, 200), 50, "between: the one that was interrupted is lost");

	/* claimed, and not written */
	unit_after_cmpxchg = hook_begin;
	begin_key(7, 100);
	counts_are("4 0 1 1 0 2", "between: the same after it has claimed a bucket");
	is_int(end_key(7, 200), 50, "between: the later time counts");
	counts_are("4 1 1 2 0 0", "between: both are taken");

	/* another end takes the pair, which begins again, while the first end looks at it */
	begin_key(7, 100);
	unit_before_cmpxchg = hook_end;
	is_int(end_key(7, 200), -1, "between: taken by an interrupt");
	is_int(hook_got, 60, "between: which has it");
	unit_after_cmpxchg = hook_end;
	begin_key(7, 100);
	is_int(hook_got, -1, "between: not before it is written");
	is_int(end_key(7, 200), 100, "between: but then");
	marker_pairs_destroy(pairs);

	unit_alloc_fail = 2;
	ok(!marker_pairs_create(64, 1), "no memory");
	unit_alloc_fail = 3;
	ok(!marker_pairs_create(64, 1), "no memory for buckets");
	unit_alloc_fail = 0;
}

/*
 * One thread begins pairs, another one ends them.  The key has the time of the begin, so
 * the test can check each matched pair.
 */
#define ROUNDS	200000

static u64 posted, looked_at, wrong_pairs;
static bool finished;

static void *end_all(void *unused)
{
	u64 key = 0, next;
	s64 got;

	(void)unused;
	unit_cpu = 1;
	do {
		next = __atomic_load_n(&posted, __ATOMIC_ACQUIRE);
		for (; key < next; key++) {
			got = end_key(key, (key + 1) << 10);
			wrong_pairs += got != -1 && got != 1 << 10;
		}
		__atomic_store_n(&looked_at, key, __ATOMIC_RELEASE);
	} while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE));
	return NULL;
}

static void test_threads(void)
{
	pthread_t thread;
	u64 key;

	make(64, 2);
	pthread_create(&thread, NULL, end_all, NULL);
	for (key = 0; key < ROUNDS; key++) {
		begin_key(key, key << 10);
		__atomic_store_n(&posted, key + 1, __ATOMIC_RELEASE);
		/* a busy machine may let the other one run late: the first pair is matched */
		while (!__atomic_load_n(&looked_at, __ATOMIC_ACQUIRE))
			sched_yield();
	}
	__atomic_store_n(&finished, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	marker_pairs_stats(pairs, &stats);
	ok(!wrong_pairs && stats.begun == ROUNDS && stats.matched,
	   "two CPUs: %llu of %u pairs, none is wrong", (unsigned long long)stats.matched, ROUNDS);
	is_int(stats.begun, stats.matched + stats.lost + stats.open,
	       "two CPUs: the others are lost or open");
	marker_pairs_destroy(pairs);
}

int main(void)
{
	test_pairs(1);
	test_pairs(2);
	test_pairs(MARKER_PAIRS_WORDS);
	test_full();
	test_between();
	test_threads();
	return tap_done();
}
