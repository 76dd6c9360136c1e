// SPDX-License-Identifier: GPL-2.0
/*
 * A module with markers.  Reading /proc/marker-example makes it do some
 * work, with markers in it: numbers, strings, addresses, bytes; in a loop, in an
 * inline function (marker-example.h), in the functions for init and exit.
 *
 * With markers.ko loaded:
 *
 *	# insmod marker-example.ko
 *	# cat /proc/marker-example
 *	# echo 'example_request example_peer' >/sys/kernel/debug/markers/set_marker
 *	# cat /proc/marker-example
 *	# cat /sys/kernel/debug/markers/trace
 *	# echo 'marker_example:*' >>/sys/kernel/debug/markers/set_marker
 *	# cat /proc/marker-example
 *	# cat /sys/kernel/debug/markers/trace
 *	# rmmod marker_example
 *	# insmod marker-example.ko
 *	# cat /sys/kernel/debug/markers/trace
 *
 * The first reading records nothing, the second a request and its peer, the
 * third all.  The patterns stay in force when the module is loaded again: then
 * example_exit and example_init are at the end of the trace.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include "marker-example.h"

static unsigned int leaves = 4;
module_param(leaves, uint, 0644);
MODULE_PARM_DESC(leaves, "how many leaves to sum up, at most 64");

static u32 leaf[64];

static const u8 peer_mac[6] = { 0x02, 0x00, 0x5e, 0x10, 0x00, 0x01 };
static const u8 peer_ip[4] = { 192, 0, 2, 17 };
static const u8 head[] = { 0x45, 0x00, 0x00, 0x54, 0xbe, 0xef };

/*
 * A leaf function with a marker in its loop, and the same one without.
 * A disabled marker is one NOP: it saves no register and loads nothing.
 * selftests/host/objdump.sh compares the code of the two.
 */
static noinline unsigned long leaf_sum(const u32 *value, unsigned int nr)
{
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		sum += value[i];
		trace_mark(example_leaf, "i %u value %u sum %lu",
			   i, value[i], sum);
	}
	return sum;
}

static noinline unsigned long leaf_sum_plain(const u32 *value, unsigned int nr)
{
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		sum += value[i];
	return sum;
}

static void handle_request(u64 sector, unsigned int bytes, bool write)
{
	trace_mark(example_request, "sector %llu bytes %u write %d",
		   sector, bytes, write);
	trace_mark(example_peer, "mac %pM ip %pI4 head %*ph",
		   peer_mac, peer_ip, (int)sizeof(head), head);
	trace_mark(example_caller, "comm %s pid %d function %ps",
		   current->comm, task_pid_nr(current), &handle_request);
}

static int example_show(struct seq_file *seq, void *unused)
{
	unsigned int nr = min_t(unsigned int, leaves, ARRAY_SIZE(leaf));
	unsigned long sum;

	trace_mark(example_begin, MARK_NOARGS);
	example_step("request", 1);
	handle_request(U64_MAX - 1, 4096, true);
	example_step("leaves", 2);
	sum = leaf_sum(leaf, nr);
	seq_printf(seq, "%lu %lu\n", sum, leaf_sum_plain(leaf, nr));
	trace_mark(example_end, "sum %#lx load %d%%", sum, -3);
	return 0;
}

static int __init example_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(leaf); i++)
		leaf[i] = i * i;
	trace_mark(example_init, "leaves %u", leaves);
	if (!proc_create_single("marker-example", 0444, NULL, example_show))
		return -ENOMEM;
	return 0;
}
module_init(example_init);

static void __exit example_exit(void)
{
	remove_proc_entry("marker-example", NULL);
	trace_mark(example_exit, MARK_NOARGS);
}
module_exit(example_exit);

MODULE_DESCRIPTION("Sample: markers in a module");
MODULE_LICENSE("GPL");
