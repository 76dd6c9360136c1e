/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space stand-in for markers/compat/objects.h: same guard, force-included.
 *
 * Of each kernel object, only the members that object.c reads.
 */
#ifndef _MARKERS_COMPAT_OBJECTS_H
#define _MARKERS_COMPAT_OBJECTS_H

#include <netinet/in.h>
#include <stdarg.h>

struct dentry {
	struct dentry *d_parent;
	struct {
		const char *name;
	} d_name;
};

struct file {
	struct {
		struct dentry *dentry;
	} f_path;
};

struct device_node {
	const char *full_name;
	struct device_node *parent;
};

struct gendisk {
	char disk_name[32];
};

struct block_device {
	struct gendisk *bd_disk;
	u8 bd_partno;
};

#define MARKER_PARTNO_OFFSET	offsetof(struct block_device, bd_partno)

struct va_format {
	const char *fmt;
	va_list *va;
};

#endif /* _MARKERS_COMPAT_OBJECTS_H */
