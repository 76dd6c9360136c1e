/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The version of markers.ko: what modinfo shows, and what a trace says of the tracer
 * that wrote it.
 */
#ifndef _MARKERS_VERSION_H
#define _MARKERS_VERSION_H

#define MARKERS_VERSION_MAJOR	0
#define MARKERS_VERSION_MINOR	1

#endif /* _MARKERS_VERSION_H */
