/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inodes of our own: their times, and i_op->setattr.
 */
#ifndef _MARKERS_COMPAT_INODE_H
#define _MARKERS_COMPAT_INODE_H

#include <linux/fs.h>
#include <linux/version.h>

/* All times of @inode are the last change of @from. */
static inline void marker_inode_copy_times(struct inode *inode, struct inode *from)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	const struct timespec64 time = inode_get_mtime(from);

	inode_set_atime_to_ts(inode, time);
	inode_set_mtime_to_ts(inode, time);
	inode_set_ctime_to_ts(inode, time);
#else
	inode->i_atime = from->i_mtime;
	inode->i_mtime = from->i_mtime;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	inode_set_ctime_to_ts(inode, from->i_mtime);
#else
	inode->i_ctime = from->i_mtime;
#endif
#endif
}

/* The head of an i_op->setattr, and the default for its body. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define MARKER_SETATTR(name)	\
	int name(struct mnt_idmap *ns, struct dentry *dentry, struct iattr *attr)
#define MARKER_SIMPLE_SETATTR	simple_setattr(ns, dentry, attr)
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0)
#define MARKER_SETATTR(name)	\
	int name(struct user_namespace *ns, struct dentry *dentry, struct iattr *attr)
#define MARKER_SIMPLE_SETATTR	simple_setattr(ns, dentry, attr)
#else
#define MARKER_SETATTR(name)	int name(struct dentry *dentry, struct iattr *attr)
#define MARKER_SIMPLE_SETATTR	simple_setattr(dentry, attr)
#endif

#endif /* _MARKERS_COMPAT_INODE_H */
