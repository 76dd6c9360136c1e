/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a site that fired to the recorder and the probes.
 */
#ifndef _MARKERS_DISPATCH_H
#define _MARKERS_DISPATCH_H

#include <linux/types.h>

struct marker;

/**
 * marker_dispatch() - a marker was hit
 * @marker:	the marker
 * @args:	its arguments
 *
 * Called by the cold blocks of sites, through the architecture's thunk.
 *
 * Context: Any, NMI too.  RCU must watch.
 */
asmlinkage void marker_dispatch(struct marker *marker, const u64 *args);

/**
 * marker_dispatch_skipped() - hits that came from within a probe or the recorder
 * @cpu:	on that CPU
 *
 * They are neither recorded nor given to probes, and are no events of the ring
 * buffer's statistics.  A full buffer is found out first, so while there is no room,
 * such a hit is lost like others, and does not count here.
 *
 * Context: Any.
 * Return: their number since the module was loaded.
 */
u64 marker_dispatch_skipped(int cpu);

#endif /* _MARKERS_DISPATCH_H */
