/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Up to Linux 5.17, there is no <net/net_debug.h>: see ../net/netdev_dbg.h.  Since then, that is
 * included in the middle of the kernel's <linux/netdevice.h>.
 */
#ifndef _MARKERS_DEBUG_NETDEVICE_H
#define _MARKERS_DEBUG_NETDEVICE_H

#include_next <linux/netdevice.h>
#include "../net/netdev_dbg.h"

#ifdef MARKERS_DEBUG
/*
 * " (uninitialized)" and the like, or nothing for a registered device.  One per object: inline,
 * each statement would have the words.
 */
static noinline __maybe_unused const char *__marker_netdev_state(const struct net_device *dev)
{
	return dev ? netdev_reg_state(dev) : "";
}
#endif

#endif /* _MARKERS_DEBUG_NETDEVICE_H */
