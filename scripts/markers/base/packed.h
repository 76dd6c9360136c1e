/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording in one file, NAME.tar.zst. The programs tar, that of GNU, and zstd do the work.
 */
#ifndef _MARKERS_PACKED_H
#define _MARKERS_PACKED_H

#include <stdbool.h>

#define PACKED_END	".tar.zst"	/* of the name of the file */

/**
 * packed_write() - pack a directory
 * @dir: the directory
 * @fd: where to write
 *
 * Left out are files for writers only: the reserve of a recorder, the state of a sender, and what is
 * not complete or half removed. Other hidden files are packed: a collector's may be a chunk.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int packed_write(const char *dir, int fd);

/**
 * packed_is() - is it a packed recording?
 * @path: a file or a directory
 *
 * Return: whether it is a file that zstd has compressed.
 */
bool packed_is(const char *path);

/**
 * packed_path() - find the directory to read
 * @path: a directory, or what packed_write() wrote
 *
 * A packed recording is unpacked once, to a directory in $TMPDIR or /var/tmp. Another process removes
 * that when this one has ended, however that was.
 *
 * Return: the directory, which lasts as long as the program; or @path if it is no packed recording;
 * NULL, and says why, if it cannot be unpacked.
 */
const char *packed_path(const char *path);

#endif /* _MARKERS_PACKED_H */
