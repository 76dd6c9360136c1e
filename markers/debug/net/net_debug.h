/* SPDX-License-Identifier: GPL-2.0 */
/* See netdev_dbg.h. */
#ifndef _MARKERS_DEBUG_NET_DEBUG_H
#define _MARKERS_DEBUG_NET_DEBUG_H

#include_next <net/net_debug.h>
#include "netdev_dbg.h"

#endif /* _MARKERS_DEBUG_NET_DEBUG_H */
