/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's objects that a marker may take apart, for format/object.c.
 *
 * User space builds bring their own (selftests/unit/objects.h, same guard).
 */
#ifndef _MARKERS_COMPAT_OBJECTS_H
#define _MARKERS_COMPAT_OBJECTS_H

#include <linux/blkdev.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ioport.h>
#include <linux/netdev_features.h>
#include <linux/of.h>
#include <linux/rtc.h>
#include <linux/socket.h>

/* A partition's number is one byte: since 6.10 the lowest of __bd_flags. */
#ifdef BD_PARTNO
#define MARKER_PARTNO_OFFSET	offsetof(struct block_device, __bd_flags)
#else
#define MARKER_PARTNO_OFFSET	offsetof(struct block_device, bd_partno)
#endif

#endif /* _MARKERS_COMPAT_OBJECTS_H */
