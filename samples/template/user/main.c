// SPDX-License-Identifier: GPL-2.0
/* template_user: a module in another directory, which uses template_core. */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/module.h>

#include <markers/marker.h>
#include <template.h>

static struct device *device;

static int __init user_init(void)
{
	unsigned int i;
	int result;

	device = root_device_register("template");
	if (IS_ERR(device))
		return PTR_ERR(device);
	for (i = 0; i < 4; i++) {
		result = template_submit(device, 100 + i, 512 * i);
		trace_mark(template_result, "result %d", result);
	}
	return 0;
}
module_init(user_init);

static void __exit user_exit(void)
{
	dev_dbg(device, "leaves\n");
	root_device_unregister(device);
}
module_exit(user_exit);

MODULE_DESCRIPTION("markers: a driver to begin with, its user");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
