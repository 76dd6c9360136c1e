/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The version of markers.ko: modinfo shows it, and each trace has it as the version of
 * its tracer.
 */
#ifndef _MARKERS_VERSION_H
#define _MARKERS_VERSION_H

#define MARKERS_VERSION_MAJOR	0
#define MARKERS_VERSION_MINOR	1

#endif /* _MARKERS_VERSION_H */
