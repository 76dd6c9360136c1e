// SPDX-License-Identifier: GPL-2.0
/*
 * test_twin: a module that shares names with test_sites, one with the
 * same format and one with another, and markers that the registry must refuse.  Any
 * write to /proc/test_twin passes them all; the others must work.
 */
#include <linux/compiler.h>
#include <linux/module.h>
#include <linux/proc_fs.h>

#include <markers/marker.h>

static void fire_good(void)
{
	trace_mark(twin_first, "value %d", 1);
	trace_mark(sites_shared, "from %s value %d", "test_twin", 2);
	trace_mark(sites_clash, "value %u", 2U);
	trace_mark(twin_last, "value %d", 3);
	/* as files beside their directories */
	trace_mark(enable, "value %d", 5);
	trace_mark(filter, "value %d", 6);
	trace_mark(sites, "value %d", 7);
}

#define TEN_TIMES(x)	do { x; x; x; x; x; x; x; x; x; x; } while (0)

/* The compiler would refuse %f; it accepts the others. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
static __always_inline void bad_inline(int *written)
{
	trace_mark(twin_inline, "written %n", written);
}

/* Nobody defines it, so it is NULL when the module is loaded. */
extern const char twin_no_format[] __weak;

static void fire_bad(void)
{
	static int written;

	trace_mark(twin_float, "name %s load %f", "x", 1);
	trace_mark(twin_n, "written %n", &written);
	trace_mark(twin_fwnode, "node %pfwP", NULL);
	trace_mark(twin_width, "value %*d", 5, 1);
	trace_mark(twin_null, twin_no_format);
	trace_mark(twin_missing, "value %d name %s", 8);
	trace_mark(twin_surplus, "value %d", 9, 10);
	/* one good and one bad of the same name */
	trace_mark(twin_half, "value %d", 4);
	trace_mark(twin_half, "value %n", &written);
	/* one marker in 40 places */
	TEN_TIMES(bad_inline(&written));
	TEN_TIMES(bad_inline(&written));
	TEN_TIMES(bad_inline(&written));
	TEN_TIMES(bad_inline(&written));
}

#pragma GCC diagnostic pop

static ssize_t twin_write(struct file *file, const char __user *buf,
			  size_t count, loff_t *pos)
{
	fire_good();
	fire_bad();
	return count;
}

static const struct proc_ops twin_ops = {
	.proc_write = twin_write,
};

static int __init twin_init(void)
{
	if (!proc_create("test_twin", 0200, NULL, &twin_ops))
		return -ENOMEM;
	return 0;
}
module_init(twin_init);

static void __exit twin_exit(void)
{
	remove_proc_entry("test_twin", NULL);
}
module_exit(twin_exit);

MODULE_DESCRIPTION("Test: names that another module has, formats that are refused");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
