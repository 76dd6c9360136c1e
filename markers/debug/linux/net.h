/* SPDX-License-Identifier: GPL-2.0 */
/* net_dbg_ratelimited() as a marker: see <markers/debug.h>. */
#ifndef _MARKERS_DEBUG_NET_H
#define _MARKERS_DEBUG_NET_H

#include_next <linux/net.h>

#ifdef MARKERS_DEBUG
#undef net_dbg_ratelimited
#define net_dbg_ratelimited(fmt, args...)	pr_debug(fmt, ##args)
#endif

#endif /* _MARKERS_DEBUG_NET_H */
