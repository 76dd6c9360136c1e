/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory of a recording: a CTF trace, which is the streams and metadata, and
 * in its folder "info", where readers of traces do not look, what else one may want to
 * know:
 *
 *	clock		readings of the trace clock and the system's clocks
 *	settings	of markers.ko while it recorded
 *	uname		the machine and its kernel
 *	modules		the modules that are loaded, with their addresses
 *	symbols		functions of the kernel and of modules, as in /proc/kallsyms
 */
#ifndef _MARKERS_RECORDING_H
#define _MARKERS_RECORDING_H

struct settings;

/**
 * recording_name() - the name of a recording that was given none
 *
 * Return: "markers-DATE-TIME", to be freed.
 */
char *recording_name(void);

/**
 * recording_create() - make the directory of a recording
 * @path: may be an empty directory, but not one with files
 *
 * Return: a file descriptor of it; or -1, and says why.
 */
int recording_create(const char *path);

/**
 * recording_begin() - write what is known at the beginning
 * @dir: of recording_create()
 * @settings: that are used
 *
 * Sets room aside that recording_end() may use when the disk is full.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int recording_begin(int dir, const struct settings *settings);

/**
 * recording_end() - write what is known at the end: all metadata, clocks, symbols
 * @dir: of recording_create()
 *
 * Return: STATUS_OK; STATUS_FAILED, and says why, if the trace has no complete metadata.
 */
int recording_end(int dir);

/**
 * recording_remove() - remove what recording_begin() and recording_end() have made
 * @dir: of recording_create(); it stays, empty
 */
void recording_remove(int dir);

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
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int recording_copy(const char *path, const char *from);

#endif /* _MARKERS_RECORDING_H */
