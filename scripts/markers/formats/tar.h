/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes an archive, member by member.
 */
#ifndef _MARKERS_TAR_H
#define _MARKERS_TAR_H

#include <stdbool.h>
#include <stdio.h>

/**
 * tar_begin() - begin a member
 * @out: the archive, a file that is readable, too
 * @name: name of the member
 *
 * Return: its begin, for tar_end(). The member is what the caller writes to @out until then.
 */
long tar_begin(FILE *out, const char *name);

/**
 * tar_end() - end a member
 * @out: the archive
 * @begin: from tar_begin()
 *
 * Return: true; or false with errno, if the file cannot be written or read.
 */
bool tar_end(FILE *out, long begin);

/**
 * tar_finish() - end the archive
 * @out: the archive
 */
void tar_finish(FILE *out);

#endif /* _MARKERS_TAR_H */
