// SPDX-License-Identifier: GPL-2.0
/*
 * template_core: a module of two objects, which another module uses.  It has markers with
 * names, and debug statements, which its Kbuild file turns into markers.
 *
 *	insmod markers.ko enable='template_core:*'
 *	insmod template_core.ko
 *	insmod template_user.ko
 *	cat /sys/kernel/debug/markers/trace
 */
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/module.h>

#include <markers/marker.h>
#include <template.h>

int template_submit(struct device *dev, unsigned long long sector, unsigned int bytes)
{
	trace_mark(template_submit, "dev %s sector %llu bytes %u", dev_name(dev), sector, bytes);
	if (!bytes) {
		dev_dbg(dev, "nothing to do at sector %llu\n", sector);
		return -EINVAL;
	}
	return template_queue_add(bytes);
}
EXPORT_SYMBOL_GPL(template_submit);

MODULE_DESCRIPTION("markers: a driver to begin with, its core");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
