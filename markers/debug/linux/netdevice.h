/* SPDX-License-Identifier: GPL-2.0 */
/* Up to Linux 5.17, there is no <net/net_debug.h>: see ../net/netdev_dbg.h. */
#ifndef _MARKERS_DEBUG_NETDEVICE_H
#define _MARKERS_DEBUG_NETDEVICE_H

#include_next <linux/netdevice.h>
#include "../net/netdev_dbg.h"

#endif /* _MARKERS_DEBUG_NETDEVICE_H */
