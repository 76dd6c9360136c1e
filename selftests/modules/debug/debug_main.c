// SPDX-License-Identifier: GPL-2.0
/*
 * test_debug: each form of a debug statement, once, when it is loaded.  No line of it
 * mentions markers: its Kbuild file turns the statements into markers.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "debug.h"

static struct device *device;
static unsigned int evaluated;

static unsigned int evaluate(unsigned int value)
{
	evaluated++;
	return value;
}

static noinline void debug_pr(void)
{
	int i;

	pr_debug("plain\n");
	pr_debug("evaluated %u\n", evaluate(1));
	pr_devel("devel %d string %s", 2, "two\n");
	for (i = 0; i < 3; i++) {
		pr_debug_once("once %d\n", i);
		pr_devel_once("devel_once %d\n", i);
	}
	for (i = 0; i < 20; i++)
		pr_debug_ratelimited("limited %d\n", i);
	pr_devel_ratelimited("devel_limited %d\n", 3);
	net_dbg_ratelimited("net %pI4\n", "\x01\x02\x03\x04");
}

static __printf(1, 2) void debug_nested(const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	vaf.va = &args;
	dev_dbg(device, "nested %pV\n", &vaf);
	va_end(args);
}

static noinline void debug_dev(void)
{
	struct device *none = NULL, *__dev = device;	/* a name as macros have it */

	dev_dbg(__dev, "value %d\n", 4);
	dev_dbg(device, "%s: status %x\n", __func__, 5);
	dev_dbg(none, "nothing\n");
	dev_vdbg(device, "verbose %d\n", 6);
	dev_dbg_once(device, "once\n");
	dev_dbg_ratelimited(device, "limited %d\n", 7);
	debug_nested("in %d", 1);
}

static noinline void debug_netdev(struct net_device *netdev)
{
	struct {
		u32 msg_enable;
	} private = { }, *priv = &private;

	netdev_dbg(netdev, "mtu %u\n", 8);
	netdev_vdbg(netdev, "verbose %u\n", 9);
	netif_dbg(priv, drv, netdev, "level %u\n", priv->msg_enable);
	netif_vdbg(priv, drv, netdev, "verbose_level %u\n", priv->msg_enable);
	netdev->reg_state = NETREG_REGISTERED;
	netdev_dbg(netdev, "registered %d of %d\n", 10, 11);
	netdev->reg_state = NETREG_UNREGISTERING;
	netdev_dbg(netdev, "late\n");
	netdev_dbg(NULL, "nothing\n");
}

static noinline void debug_hex(void)
{
	static const u8 bytes[100] = { 0xde, 0xad, 0xbe, 0xef };

	print_hex_dump_debug("few: ", DUMP_PREFIX_OFFSET, 16, 1, bytes, 4, true);
	print_hex_dump_debug("many: ", DUMP_PREFIX_NONE, 16, 1, bytes, sizeof(bytes), false);
}

/* Two on one line. */
static noinline void debug_line(void)
{
	pr_debug("first %d\n", 1); pr_debug("second %d\n", 2);
}

/* The kernel prints these, and nobody records them. */
static noinline void debug_left(struct fwnode_handle *node)
{
	pr_debug("left node %pfwP\n", node);
	pr_debug("left width %*d\n", 5, 1);
	pr_debug("left %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n",
		 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
}

static int __init debug_init(void)
{
	struct net_device *netdev;

	device = root_device_register("test_debug");
	if (IS_ERR(device))
		return PTR_ERR(device);
	debug_pr();
	debug_dev();
	/* never registered, so kernels without CONFIG_NET will do */
	netdev = kzalloc(sizeof(*netdev), GFP_KERNEL);
	if (netdev) {
		strscpy(netdev->name, "debug%d", sizeof(netdev->name));
		debug_netdev(netdev);
		kfree(netdev);
	}
	debug_hex();
	debug_line();
	debug_left(dev_fwnode(device));
	debug_shared(1);
	debug_other();
	debug_third();
	debug_kernel();
	return 0;
}
module_init(debug_init);

static void __exit debug_exit(void)
{
	pr_debug("exit %d\n", 10);
	root_device_unregister(device);
}
module_exit(debug_exit);

module_param(evaluated, uint, 0444);
MODULE_PARM_DESC(evaluated, "how often an argument was evaluated");
MODULE_DESCRIPTION("markers selftest: debug statements as markers");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
