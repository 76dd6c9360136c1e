/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The region of the recording at the top: a range of physical memory that the kernel leaves
 * alone, and a reboot too (persist=).
 */
#ifndef _MARKERS_PERSIST_H
#define _MARKERS_PERSIST_H

#include <linux/init.h>
#include <linux/types.h>

/**
 * marker_persist_init() - find the region, and the last boot's trace in it
 * @where:	"ADDRESS:SIZE", the name of a reserve_mem= range, or "": no region
 *
 * Writes nothing to it.  The kernel's log has a line about what was found, or what is wrong.
 * What is found goes to last_boot.c.  A kernel that kdump has started uses no region.
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL: @where is wrong; -EBUSY: it is another driver's; -ENOMEM.
 */
int __init marker_persist_init(const char *where);

/**
 * marker_persist_check() - is there room for the recording at the top?
 *
 * Writes nothing.
 *
 * Context: Process context, after marker_recordings_init(); sleeps.
 * Return: 0, also without a region; -ENOMEM: there is none, and the log says what would fit.
 */
int __init marker_persist_check(void);

/**
 * marker_persist_begin() - from now on, record there
 *
 * The last boot's trace is no longer there after that.  Without memory, which is in the log,
 * the recording stays where it is: last_boot/ has the only copy.
 *
 * Context: Process context, as the last step of the load; sleeps.
 */
void __init marker_persist_begin(void);

/**
 * marker_persist_is_used() - is there a region?
 *
 * Context: Any, after marker_persist_init().
 * Return: true if there is.
 */
bool marker_persist_is_used(void);

/**
 * marker_persist_exit() - leave the region, and forget the last boot
 *
 * Context: Process context; no ring is in it any more.
 */
void marker_persist_exit(void);

#endif /* _MARKERS_PERSIST_H */
