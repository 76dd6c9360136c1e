/* SPDX-License-Identifier: GPL-2.0 */
/*
 * netdev_dbg() and netif_dbg() as markers: see <markers/debug.h>.
 *
 * The message level of a driver protects the log, so it does not apply here.
 */
#ifndef _MARKERS_DEBUG_NETDEV_DBG_H
#define _MARKERS_DEBUG_NETDEV_DBG_H

#ifdef MARKERS_DEBUG
#include <markers/debug.h>

#undef netdev_dbg
#undef netdev_vdbg
#undef netif_dbg
#undef netif_vdbg

#ifdef __MARKERS_DYNAMIC_DEBUG
#define __marker_print_netdev(dev, fmt, args...)			\
	_dynamic_func_call(fmt, __dynamic_netdev_dbg, dev, fmt, ##args)
#elif defined(DEBUG)
#define __marker_print_netdev(dev, fmt, args...)			\
	netdev_printk(KERN_DEBUG, dev, fmt, ##args)
#else
#define __marker_print_netdev(dev, fmt, args...)			\
do {									\
	if (0)								\
		netdev_printk(KERN_DEBUG, dev, fmt, ##args);		\
} while (0)
#endif

/* Until the device is registered, this may be a pattern such as eth%d. */
#define __marker_netdev_name(dev)					\
({									\
	const struct net_device *__marker_d = (dev);			\
									\
	__marker_d ? __marker_d->name : "(NULL net_device)";		\
})

#define netdev_dbg(dev, fmt, args...)					\
	__marker_debug(__marker_print_netdev, (dev, fmt, ##args),	\
		       "netdev %s%s: " __marker_literal(fmt), __marker_netdev_name(dev), \
		       __marker_netdev_state(dev), ##args)
#define netdev_vdbg(dev, fmt, args...)		netdev_dbg(dev, fmt, ##args)

#define netif_dbg(priv, type, dev, fmt, args...)			\
do {									\
	if (0)								\
		(void)netif_msg_##type(priv);				\
	netdev_dbg(dev, fmt, ##args);					\
} while (0)
#define netif_vdbg(priv, type, dev, fmt, args...)			\
	netif_dbg(priv, type, dev, fmt, ##args)

#endif /* MARKERS_DEBUG */
#endif /* _MARKERS_DEBUG_NETDEV_DBG_H */
