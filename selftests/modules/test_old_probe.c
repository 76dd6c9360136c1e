// SPDX-License-Identifier: GPL-2.0
/*
 * test_old_probe: the probes of samples/markers/probe-example.c of Linux 2.6.31
 * for the markers of test_old_marker.  It registers and unregisters them by the calls
 * of that time: four arguments, int and -EBUSY.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/printk.h>

#include <markers/marker.h>

struct old_probe {
	const char *name;
	const char *format;
	marker_probe_func *func;
};

static atomic_t eventb_count = ATOMIC_INIT(0);

static void on_event(void *probe_data, void *call_data, const char *format,
		     va_list *args)
{
	unsigned int value;
	const char *text;

	value = va_arg(*args, unsigned int);
	text = va_arg(*args, const char *);
	pr_info("Value %u, string %s\n", value, text);
}

static void on_eventb(void *probe_data, void *call_data, const char *format,
		      va_list *args)
{
	atomic_inc(&eventb_count);
}

static struct old_probe probes[] = {
	{ "subsystem_event", "integer %d string %s", on_event },
	{ "subsystem_eventb", MARK_NOARGS, on_eventb },
};

/* Old code relies on this. */
static void check_registered(struct old_probe *probe)
{
	int err = marker_probe_register(probe->name, probe->format, probe->func,
					probe);

	if (err != -EBUSY)
		pr_err("%s: registered again: %d\n", probe->name, err);
	if (marker_get_private_data(probe->name, probe->func, 0) != probe)
		pr_err("%s: not its private data\n", probe->name);
	if (marker_get_private_data(probe->name, probe->func, 1) !=
	    ERR_PTR(-ENOENT))
		pr_err("%s: private data of no probe\n", probe->name);
}

static int __init old_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (marker_probe_register(probes[i].name, probes[i].format,
					  probes[i].func, &probes[i]))
			pr_info("Unable to register probe %s\n", probes[i].name);
		check_registered(&probes[i]);
	}
	return 0;
}
module_init(old_init);

static void __exit old_exit(void)
{
	if (marker_probe_unregister(probes[0].name, probes[0].func, &probes[0]) ||
	    marker_probe_unregister_private_data(probes[1].func, &probes[1]))
		pr_err("not unregistered\n");
	if (marker_probe_unregister_private_data(probes[1].func, &probes[1]) !=
	    -ENOENT)
		pr_err("unregistered twice\n");
	marker_synchronize_unregister();
	pr_info("Number of event b : %u\n", atomic_read(&eventb_count));
}
module_exit(old_exit);

MODULE_DESCRIPTION("Test: the sample probes of Linux 2.6.31");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
