/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The folder "info" of a recording, and of each of its parts.
 */
#ifndef _MARKERS_INFO_H
#define _MARKERS_INFO_H

struct settings;

/**
 * info_open() - open the folder, and make it if it is not there
 * @dir: the directory of the recording, or of a part
 *
 * Return: its file descriptor, or -1 with errno.
 */
int info_open(int dir);

/**
 * info_begin() - write what is known at the beginning: the machine, settings, clocks
 * @info: the folder
 * @settings: the settings of the recording
 * @when: "begin" or "end"; what the reading of the clocks is called
 *
 * Return: 0, or -1 with errno.
 */
int info_begin(int info, const struct settings *settings, const char *when);

/**
 * info_end() - write what is known at the end: clocks, modules
 * @info: the folder
 *
 * A recording without these is good, too: an error is only said.
 */
void info_end(int info);

/**
 * info_give() - give a part what its recording has, and what is known at its end
 * @dir: the directory of the recording
 * @part: that of the part
 *
 * The symbols are the same file, if the file system has links: that of the recording gets those of
 * modules that come later, too.
 *
 * Return: 0, or -1 with errno.
 */
int info_give(int dir, int part);

/**
 * info_remove() - remove the folder
 * @dir: the directory of the recording, or of a part
 *
 * If somebody else has a file there, it stays.
 */
void info_remove(int dir);

#endif /* _MARKERS_INFO_H */
