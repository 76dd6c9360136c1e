/* SPDX-License-Identifier: GPL-2.0 */
/* dev_dbg() and dev_vdbg() as markers: see <markers/debug.h>. */
#ifndef _MARKERS_DEBUG_DEV_PRINTK_H
#define _MARKERS_DEBUG_DEV_PRINTK_H

#include_next <linux/dev_printk.h>

#ifdef MARKERS_DEBUG
#include <markers/debug.h>

#undef dev_dbg
#undef dev_dbg_once
#undef dev_dbg_ratelimited
#undef dev_vdbg

#ifdef __MARKERS_DYNAMIC_DEBUG
#define __marker_print_dev(dev, fmt, args...)				\
	_dynamic_func_call(fmt, __dynamic_dev_dbg, dev, fmt, ##args)
#elif defined(DEBUG)
#define __marker_print_dev(dev, fmt, args...)				\
	dev_printk(KERN_DEBUG, dev, fmt, ##args)
#else
#define __marker_print_dev(dev, fmt, args...)				\
do {									\
	if (0)								\
		dev_printk(KERN_DEBUG, dev, fmt, ##args);		\
} while (0)
#endif

#define __marker_dev_name(dev)						\
({									\
	const struct device *__marker_d = (dev);			\
									\
	__marker_d ? dev_name(__marker_d) : "(NULL device *)";		\
})

/* twice, for a dev_fmt() with commas in it */
#define __marker_dev(dev, fmt, args...)					\
	__marker_dev_as(dev, fmt, ##args)
#define __marker_dev_as(dev, fmt, args...)				\
	__marker_debug(__marker_print_dev, (dev, fmt, ##args),		\
		       "dev %s: " __marker_literal(fmt), __marker_dev_name(dev), ##args)

#define dev_dbg(dev, fmt, args...)		__marker_dev(dev, dev_fmt(fmt), ##args)
#define dev_dbg_once(dev, fmt, args...)		__marker_dev(dev, dev_fmt(fmt), ##args)
#define dev_dbg_ratelimited(dev, fmt, args...)	__marker_dev(dev, dev_fmt(fmt), ##args)
#define dev_vdbg(dev, fmt, args...)		__marker_dev(dev, dev_fmt(fmt), ##args)

#endif /* MARKERS_DEBUG */
#endif /* _MARKERS_DEBUG_DEV_PRINTK_H */
