/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Globs of patterns and of filters: "*", "?", "[a-z]", and "[!a-z]" or "[^a-z]".  A "[" without
 * an end stands for itself.
 */
#ifndef _MARKERS_GLOB_H
#define _MARKERS_GLOB_H

#include <markers/base.h>

/**
 * marker_glob_look() - compare a string that a hit has with a glob
 * @from:	the string; need not be readable
 * @limit:	it ends here, or at a NUL
 * @glob:	the glob
 * @len:	its length in bytes
 *
 * Takes @limit times @len steps at most.
 *
 * Context: Any, NMI included.
 * Return: 1 if it matches, 0 if not, -EFAULT if it cannot be read.
 */
int marker_glob_look(const char *from, u32 limit, const char *glob, u32 len);

/**
 * marker_glob_matches() - compare a name with a glob
 * @glob:	the glob
 * @text:	the name
 *
 * Context: Any.
 * Return: true if it matches.
 */
bool marker_glob_matches(const char *glob, const char *text);

#endif /* _MARKERS_GLOB_H */
