/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An archive whose members are written one after another.
 */
#ifndef _MARKERS_TAR_H
#define _MARKERS_TAR_H

#include <stdio.h>

/**
 * tar_begin() - begin a member
 * @out: the archive, a file that can be read
 * @name: of the member
 *
 * Return: for tar_end(); what is written to @out until then is the member.
 */
long tar_begin(FILE *out, const char *name);

/**
 * tar_end() - end a member
 * @out: the archive
 * @begin: of tar_begin()
 */
void tar_end(FILE *out, long begin);

/**
 * tar_finish() - end the archive
 * @out: the archive
 */
void tar_finish(FILE *out);

#endif /* _MARKERS_TAR_H */
