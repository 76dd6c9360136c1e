// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys, with one site and with a thousand, and a global variable in the
 * place of one.
 */
#include <linux/jump_label.h>
#include <linux/timex.h>

#include "bench.h"

static DEFINE_STATIC_KEY_FALSE(key);
static DEFINE_STATIC_KEY_FALSE(key1000);
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

static __always_inline void pass(void)
{
	if (static_branch_unlikely(&key1000))
		hit();
}

#define FUNCTION(nr)							\
static noinline __used void hundred_##nr(void)				\
{									\
	BENCH_100(pass();)						\
}

BENCH_NR_10(FUNCTION, a)

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

static u64 time_key_on(unsigned long n)
{
	return time_key(n, &key.key, true);
}

static u64 time_key_off(unsigned long n)
{
	return time_key(n, &key.key, false);
}

static u64 time_key1000_on(unsigned long n)
{
	return time_key(n, &key1000.key, true);
}

static u64 time_key1000_off(unsigned long n)
{
	return time_key(n, &key1000.key, false);
}

const struct bench_op bench_keys_ops[] = {
	{ "key", loop_key },
	{ "global", loop_global },
	{ "key_on", NULL, time_key_on },
	{ "key_off", NULL, time_key_off },
	{ "key1000_on", NULL, time_key1000_on },
	{ "key1000_off", NULL, time_key1000_off },
	{ }
};
