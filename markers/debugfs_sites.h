/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files about the code of markers: mode, sites, text.
 */
#ifndef _MARKERS_DEBUGFS_SITES_H
#define _MARKERS_DEBUGFS_SITES_H

#include <linux/fs.h>

/* i_private: the event */
extern const struct file_operations marker_mode_fops;
extern const struct file_operations marker_sites_fops;

/* i_private: not used */
extern const struct file_operations marker_default_mode_fops;
extern const struct file_operations marker_text_fops;

#endif /* _MARKERS_DEBUGFS_SITES_H */
