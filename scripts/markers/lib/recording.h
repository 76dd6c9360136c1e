/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory of a recording: a CTF trace, which is the streams and metadata, and
 * in its folder "info", where readers of traces do not look, more facts:
 *
 *	clock		readings of the trace clock and the system's clocks
 *	settings	of markers.ko while it recorded
 *	uname		the machine and its kernel
 *	modules		the modules that are loaded, with their addresses
 *	symbols		functions of the kernel and of modules, as in /proc/kallsyms
 */
#ifndef _MARKERS_RECORDING_H
#define _MARKERS_RECORDING_H

#include <stdbool.h>

struct settings;

/**
 * struct recording - a directory that was begun
 * @dir: file descriptor of it
 * @path: its path
 * @made: it was not there before
 */
struct recording {
	int dir;
	const char *path;
	bool made;
};

/**
 * recording_name() - the name of a recording that was given none
 *
 * Return: "markers-DATE-TIME", to be freed.
 */
char *recording_name(void);

/**
 * recording_create() - make the directory of a recording
 * @recording: is filled
 * @path: may be an empty directory, but not one with files; has to stay
 *
 * Only its owner can read what is made here: there are addresses of the kernel in it.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int recording_create(struct recording *recording, const char *path);

/**
 * recording_remove() - remove all that was made since recording_create(), and close it
 * @recording: of recording_create(); nothing writes to it any more
 *
 * A directory that was there before stays, empty.
 */
void recording_remove(struct recording *recording);

/**
 * recording_begin() - write what is known at the beginning
 * @dir: the directory of recording_create()
 * @settings: that are used
 *
 * Sets room aside that recording_end() may use when the disk is full.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int recording_begin(int dir, const struct settings *settings);

/**
 * recording_end() - write what is known at the end: all metadata, clocks, symbols
 * @dir: the directory of recording_create()
 *
 * Return: STATUS_OK; STATUS_FAILED, and says why, if the trace has no complete metadata.
 */
int recording_end(int dir);

/**
 * recording_metadata() - copy the metadata
 * @dir: where to
 * @from: below the directory in debugfs
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int recording_metadata(int dir, const char *from);

/**
 * recording_copy() - make a recording of what is in the buffers, or of the snapshot
 * @path: the directory, which is made
 * @from: "ctf" or "snapshot_ctf"
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why: then nothing is left of it.
 */
int recording_copy(const char *path, const char *from);

/**
 * recording_snapshot() - take a snapshot, and make a recording of it
 * @path: the directory, which is made; if that fails, the snapshot before stays
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why: then nothing is left at @path.
 */
int recording_snapshot(const char *path);

#endif /* _MARKERS_RECORDING_H */
