// SPDX-License-Identifier: GPL-2.0
/*
 * A module with a probe: the markers named example_request, in any module, now or
 * later, call its function.  The function adds up their arguments, and the module's
 * exit prints the sums.
 *
 * With markers.ko loaded:
 *
 *	# insmod probe-example.ko
 *	# insmod marker-example.ko
 *	# cat /proc/marker-example
 *	# cat /proc/marker-example
 *	# rmmod probe_example
 *	# dmesg | tail -n 1
 *	# rmmod marker_example
 *
 * The last line of dmesg says: 2 requests, 8192 bytes.  Nothing was recorded:
 * a probe does not need the marker to be enabled.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>

#include <markers/marker.h>

#define REQUEST_FORMAT	"sector %llu bytes %u write %d"

struct summary {
	u64 requests;
	u64 bytes;
};

static DEFINE_PER_CPU(struct summary, summary);

/*
 * Runs in the marker's context, whatever that is, with preemption disabled.  An
 * interrupt may hit the marker in between; this_cpu_add() is one instruction.
 */
static void count_request(void *probe_private, void *call_private,
			  const char *fmt, va_list *args)
{
	unsigned int bytes;

	(void)va_arg(*args, unsigned long long);
	bytes = va_arg(*args, unsigned int);
	this_cpu_inc(summary.requests);
	this_cpu_add(summary.bytes, bytes);
}

static int __init probe_init(void)
{
	struct marker_result result;
	int err;

	err = marker_probe_register_result("example_request", REQUEST_FORMAT,
					   count_request, NULL, &result);
	if (err)
		return err;
	pr_info("%u sites matched, %u armed, %u refused\n", result.matched,
		result.armed, result.refused);
	return 0;
}
module_init(probe_init);

static void __exit probe_exit(void)
{
	struct summary all = { 0 };
	int cpu;

	marker_probe_unregister("example_request", count_request, NULL);
	/* count_request() may still be running: wait before its code is freed */
	marker_synchronize_unregister();

	for_each_possible_cpu(cpu) {
		all.requests += per_cpu(summary, cpu).requests;
		all.bytes += per_cpu(summary, cpu).bytes;
	}
	pr_info("%llu requests, %llu bytes\n", all.requests, all.bytes);
}
module_exit(probe_exit);

MODULE_DESCRIPTION("Sample: a probe of one's own on a marker");
MODULE_LICENSE("GPL");
