/* SPDX-License-Identifier: GPL-2.0 */
/* ibdev_dbg() as a marker: see <markers/debug.h>. */
#ifndef _MARKERS_DEBUG_IB_VERBS_H
#define _MARKERS_DEBUG_IB_VERBS_H

#include_next <rdma/ib_verbs.h>

#ifdef MARKERS_DEBUG
#undef ibdev_dbg
#undef ibdev_dbg_ratelimited

#define __marker_ibdev(ibdev)						\
({									\
	const struct ib_device *__marker_i = (ibdev);			\
									\
	__marker_i ? &__marker_i->dev : NULL;				\
})
#define ibdev_dbg(ibdev, fmt, args...)	dev_dbg(__marker_ibdev(ibdev), fmt, ##args)
#define ibdev_dbg_ratelimited(ibdev, fmt, args...) ibdev_dbg(ibdev, fmt, ##args)
#endif

#endif /* _MARKERS_DEBUG_IB_VERBS_H */
