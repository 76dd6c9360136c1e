/* SPDX-License-Identifier: GPL-2.0 */
/* For kernels without <net/net_debug.h>: see <markers/debug.h>. */
#ifndef _MARKERS_DEBUG_NETDEVICE_H
#define _MARKERS_DEBUG_NETDEVICE_H

#include_next <linux/netdevice.h>
#include <net/net_debug.h>

#endif /* _MARKERS_DEBUG_NETDEVICE_H */
