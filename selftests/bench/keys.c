// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys, with one site and with up to ten thousand, and a global variable that
 * replaces a key.
 */
#include <linux/jump_label.h>
#include <linux/timex.h>

#include "bench.h"

static DEFINE_STATIC_KEY_FALSE(key);
static DEFINE_STATIC_KEY_FALSE(key100);
static DEFINE_STATIC_KEY_FALSE(key1000);
static DEFINE_STATIC_KEY_FALSE(key10000);
static bool global;
static unsigned long hits;

static noinline notrace void hit(void)
{
	hits++;
}

static __always_inline void pass_key(void)
{
	if (static_branch_unlikely(&key))
		hit();
}

static __always_inline void pass_global(void)
{
	if (unlikely(READ_ONCE(global)))
		hit();
}

BENCH_LOOP(loop_key, pass_key())
BENCH_LOOP(loop_global, pass_global())

#define PASS(nr)							\
static __always_inline void pass_##nr(void)				\
{									\
	if (static_branch_unlikely(&key##nr))				\
		hit();							\
}

PASS(100)
PASS(1000)
PASS(10000)

#include "copies.h"

static u64 time_key(unsigned long n, struct static_key *of, bool enable)
{
	u64 from, ticks = 0;

	while (n--) {
		if (!enable)
			static_key_enable(of);
		from = get_cycles();
		if (enable)
			static_key_enable(of);
		else
			static_key_disable(of);
		ticks += get_cycles() - from;
		if (enable)
			static_key_disable(of);
	}
	return ticks;
}

#define TIME(name)							\
static u64 time_##name##_on(unsigned long n)				\
{									\
	return time_key(n, &name.key, true);				\
}									\
									\
static u64 time_##name##_off(unsigned long n)				\
{									\
	return time_key(n, &name.key, false);				\
}

TIME(key)
TIME(key100)
TIME(key1000)
TIME(key10000)

const struct bench_op bench_keys_ops[] = {
	{ "key", loop_key },
	{ "global", loop_global },
	{ "key_on", NULL, time_key_on },
	{ "key_off", NULL, time_key_off },
	{ "key100_on", NULL, time_key100_on },
	{ "key100_off", NULL, time_key100_off },
	{ "key1000_on", NULL, time_key1000_on },
	{ "key1000_off", NULL, time_key1000_off },
	{ "key10000_on", NULL, time_key10000_on },
	{ "key10000_off", NULL, time_key10000_off },
	{ }
};
