/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory of a recording is a CTF trace: streams and metadata. Its folder "info",
 * which readers of traces ignore, has more facts:
 *
 *	clock		readings of the trace clock and the system's clocks
 *	settings	the settings of markers.ko during the recording
 *	uname		the machine and its kernel
 *	modules		the loaded modules, with their addresses
 *	symbols		functions of the kernel and of modules, see kallsyms.h
 */
#ifndef _MARKERS_RECORDING_H
#define _MARKERS_RECORDING_H

#include <stdbool.h>

struct settings;

/**
 * struct recording - the directory of a new recording
 * @dir: its file descriptor
 * @path: its path
 * @made: we created the directory
 * @parts: its traces will be in directories below it, those of --rotate or --snapshot-on
 * @reserve: a file there, from recording_take(); it has a size when the recording has begun
 */
struct recording {
	int dir;
	const char *path;
	bool made;
	bool parts;
	int reserve;
};

/**
 * recording_name() - the default name of a recording
 *
 * Return: "markers-DATE-TIME", to be freed.
 */
char *recording_name(void);

/**
 * recording_create() - make the directory of a recording
 * @recording: gets the directory; @parts stays
 * @path: a new path or an empty directory; the string must outlive @recording
 *
 * Only the owner can read the files, because they contain addresses of the kernel.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int recording_create(struct recording *recording, const char *path);

/**
 * recording_create_new() - make a directory of the default name
 * @recording: gets it; @parts stays
 * @path: gets its path; if that name is there, with a number behind it
 *
 * Return: as recording_create().
 */
int recording_create_new(struct recording *recording, char **path);

/**
 * recording_take() - tell other programs that somebody records here
 * @recording: from recording_create() or recording_create_new()
 *
 * By a lock on a hidden file, which ends with this process and its guard.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why: another recorder has it, and keeps what is
 * there; or we cannot write there, and it has called recording_remove().
 */
int recording_take(struct recording *recording);

/**
 * recording_remove() - remove everything since recording_create(), and close the directory
 * @recording: from recording_create(); nothing may write to it any more
 *
 * If the directory existed before, it stays, empty.
 */
void recording_remove(struct recording *recording);

/**
 * recording_begin() - write the facts that are known at the beginning
 * @recording: from recording_take()
 * @settings: the settings of this recording
 *
 * With @parts the directory itself gets no metadata: readers would take it for an empty trace.
 * Reserves space on the disk, which recording_end() may use when the disk is full.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int recording_begin(const struct recording *recording, const struct settings *settings);

/**
 * recording_end() - write the facts that are known at the end: metadata, clocks, modules
 * @recording: from recording_take()
 *
 * Completes the parts that are open. Does nothing if recording_begin() was not called, or failed.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, if the metadata is incomplete.
 */
int recording_end(const struct recording *recording);

/**
 * recording_copy() - make a recording from the buffers or from the snapshot
 * @path: the new directory
 * @from: "ctf" or "snapshot_ctf"
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why; then it leaves nothing at @path.
 */
int recording_copy(const char *path, const char *from);

/**
 * recording_snapshot() - take a snapshot and make a recording from it
 * @path: the new directory; if we cannot create it, the previous snapshot stays
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, and leaves nothing at @path.
 */
int recording_snapshot(const char *path);

#endif /* _MARKERS_RECORDING_H */
