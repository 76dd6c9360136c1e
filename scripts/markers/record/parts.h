/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of a recording that --rotate makes: directories 000001, 000002 and so on. Each of
 * them is a trace. While streams are written to a part, its name ends in ".open": a part without
 * that is complete: it describes all of its events, has the folder "info", and is on the disk.
 */
#ifndef _MARKERS_PARTS_H
#define _MARKERS_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dirent;

/**
 * parts_metadata() - copy the metadata of markers.ko
 * @dir: the directory of a trace
 * @from: the file, below the directory in debugfs
 *
 * Return: STATUS_OK; or STATUS_FAILED with errno, and says why.
 */
int parts_metadata(int dir, const char *from);

/**
 * part_stream() - name a stream of an open part
 * @nr: number of the part
 * @cpu: the CPU
 * @name: gets the path, below the directory of the recording
 * @room: bytes at @name
 */
void part_stream(unsigned int nr, int cpu, char *name, size_t room);

/**
 * part_begin() - make an open part, with the metadata that is known now
 * @dir: the directory of the recording
 * @nr: number of the part
 *
 * Return: 0; or -1 with errno, then there is no such part.
 */
int part_begin(int dir, unsigned int nr);

/**
 * part_sync() - bring the metadata of an open part to the disk, with its name
 * @dir: the directory of the recording
 * @nr: number of the part
 *
 * After a crash of the machine, its packets can be read as far as they are on the disk. Waits for
 * the disk. If the file system cannot do that, the part is as good as it can be.
 */
void part_sync(int dir, unsigned int nr);

/**
 * part_describe() - describe all events of an open part
 * @dir: the directory of the recording
 * @nr: number of the part
 *
 * An error leaves the metadata that it has.
 */
void part_describe(int dir, unsigned int nr);

/**
 * part_keep_open() - not all of an open part came to the disk, and errno says why
 * @dir: the directory of the recording
 * @nr: number of the part
 *
 * Says so. part_complete() fails from now on, in other processes, too.
 */
void part_keep_open(int dir, unsigned int nr);

/**
 * part_complete() - describe all events of an open part, and give it its name
 * @dir: the directory of the recording
 * @nr: number of the part; its streams are closed
 *
 * Its folder "info" is that of the recording, with the symbols, as they are now. Waits for the
 * disk, so that a part with that name is whole after a crash of the machine, too.
 *
 * Return: 0, or -1 with errno, which is EIO if not all of it came to the disk.
 */
int part_complete(int dir, unsigned int nr);

/**
 * part_size() - what a complete part takes on the disk
 * @dir: the directory of the recording
 * @nr: number of the part
 *
 * Return: bytes, without files that it shares with the recording.
 */
uint64_t part_size(int dir, unsigned int nr);

/**
 * part_is_there() - is a complete part still where it was?
 * @dir: the directory of the recording
 * @nr: number of the part
 *
 * Return: whether it is, as far as we can know; anybody may move it away.
 */
bool part_is_there(int dir, unsigned int nr);

/**
 * part_remove() - remove a complete part
 * @dir: the directory of the recording
 * @nr: number of the part
 *
 * It gets a hidden name first, so readers see all of it or nothing, also if this is killed. A part with
 * a file of somebody else stays, without its own.
 *
 * Return: 0; -1 with errno, which is ENOENT if it is not there.
 */
int part_remove(int dir, unsigned int nr);

/**
 * parts_complete() - complete all parts that are open
 * @dir: the directory of the recording
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int parts_complete(int dir);

/**
 * parts_remove() - remove all parts
 * @dir: the directory of the recording
 */
void parts_remove(int dir);

/**
 * parts_tidy() - remove what is left of parts whose removal was killed
 * @dir: the directory of the recording
 */
void parts_tidy(int dir);

/**
 * parts_list() - list the parts of a recording that has ended, the oldest first
 * @dir: its directory
 * @list: gets them, also those that are open; to be freed as that of scandir()
 *
 * Return: their number, or -1 with errno.
 */
int parts_list(int dir, struct dirent ***list);

/**
 * parts_size() - what a part of a recording that has ended takes on the disk
 * @dir: its directory
 * @name: the part, from parts_list()
 *
 * Return: bytes, without files that it shares with the recording.
 */
uint64_t parts_size(int dir, const char *name);

/**
 * parts_info_size() - what the folder "info" of a recording takes on the disk
 * @dir: its directory
 *
 * Return: bytes, also of files that its parts share.
 */
uint64_t parts_info_size(int dir);

/**
 * parts_remove_one() - remove a part of a recording that has ended
 * @dir: its directory
 * @name: the part, from parts_list()
 *
 * Return: as part_remove().
 */
int parts_remove_one(int dir, const char *name);

#endif /* _MARKERS_PARTS_H */
