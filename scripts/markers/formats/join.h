/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Joins the pieces of traces that a collector wrote: each packet once, in order.
 */
#ifndef _MARKERS_JOIN_H
#define _MARKERS_JOIN_H

/**
 * join() - join the pieces of traces
 * @path: the directory that they are in
 * @output: the new directory: a trace; or if there are several, as after a change of contexts, parts
 *	000001 and so on
 *
 * Says what is missing. Half a packet in a piece does not matter if another piece has it.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int join(const char *path, const char *output);

/**
 * join_pieces() - join the pieces of traces for a reader that takes traces one by one
 * @path: the directory that the user gave
 * @joined: set to @path, if there are no pieces of a collector in it; or to a directory with what
 *	join() makes of them, which lasts as long as the program; NULL: there is nothing to read
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why: something is missing, or all.
 */
int join_pieces(const char *path, const char **joined);

#endif /* _MARKERS_JOIN_H */
