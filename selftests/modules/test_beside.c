// SPDX-License-Identifier: GPL-2.0
/*
 * test_beside: markers, and beside each one a TRACE_EVENT of the kernel with the same fields and
 * text.  A number that is written to the parameter "fire" is how often all of them are hit.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>

#include <markers/marker.h>

#define CREATE_TRACE_POINTS
#include "beside_trace.h"

static const u8 mac[6] = { 0x02, 0x10, 0x32, 0x54, 0x76, 0x98 };
static const u8 ip4[4] = { 192, 0, 2, 1 };
static const u8 ip6[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 0x2a };
static const u8 bytes[] = { 0xde, 0xad, 0xbe, 0xef, 0x00, 0xff, 0x17 };
static const char *const texts[] = {
	"hello", "", "a longer text, of several words: 100% \"q\" \\"
};

static noinline void fire_numbers(unsigned int n)
{
	const int i = n * 1000;

	trace_mark(beside_signed, "c %hhd h %hd i %d l %ld ll %lld", (s8)(S8_MIN + i), (s16)-i,
		   INT_MIN + i, LONG_MIN + i, (s64)-i - 1);
	trace_native_signed((s8)(S8_MIN + i), (s16)-i, INT_MIN + i, LONG_MIN + i, (s64)-i - 1);
	trace_mark(beside_unsigned, "c %hhu h %hu i %u l %lu ll %llu", (u8)(U8_MAX - i),
		   (u16)(U16_MAX - i), UINT_MAX - i, ULONG_MAX - i, U64_MAX - i);
	trace_native_unsigned((u8)(U8_MAX - i), (u16)(U16_MAX - i), UINT_MAX - i, ULONG_MAX - i,
			      U64_MAX - i);
	trace_mark(beside_looks, "x %#x wide [%5d] zeros %05d load %d%%", i + 1, i, -i, i / 10);
	trace_native_looks(i + 1, i, -i, i / 10);
}

static noinline void fire_behind(unsigned int n)
{
	const char *first = texts[n % ARRAY_SIZE(texts)];
	const char *second = texts[(n + 1) % ARRAY_SIZE(texts)];
	const int len = n % (sizeof(bytes) + 1);

	trace_mark(beside_texts, "first %s second %s after %d", first, second, (int)n);
	trace_native_texts(first, second, n);
	trace_mark(beside_peer, "mac %pM ip %pI4 ip6 %pI6c", mac, ip4, ip6);
	trace_native_peer(mac, ip4, ip6);
	trace_mark(beside_bytes, "front %4ph bytes %*ph", bytes, len, bytes);
	trace_native_bytes(bytes, bytes, len);
	trace_mark(beside_place, "at %pS", &fire_behind);
	trace_native_place(&fire_behind);
}

static int set_fire(const char *value, const struct kernel_param *kp)
{
	unsigned int nr, i;
	int err = kstrtouint(value, 0, &nr);

	for (i = 0; !err && i < nr; i++) {
		fire_numbers(i);
		fire_behind(i);
		cond_resched();
	}
	return err;
}

static const struct kernel_param_ops fire_ops = { .set = set_fire };
module_param_cb(fire, &fire_ops, NULL, 0200);
MODULE_PARM_DESC(fire, "how often to hit each of them");

static int __init beside_init(void)
{
	return 0;
}
module_init(beside_init);

static void __exit beside_exit(void)
{
}
module_exit(beside_exit);

MODULE_DESCRIPTION("Test: markers, each beside a TRACE_EVENT");
MODULE_LICENSE("GPL");
