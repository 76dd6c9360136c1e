/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads and writes whole files. Files of debugfs and procfs do not tell their size.
 */
#ifndef _MARKERS_FILE_H
#define _MARKERS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/**
 * file_read() - read a file to its end
 * @dir: file descriptor of the directory, or AT_FDCWD
 * @name: the file
 * @size: set to the number of bytes; may be NULL
 *
 * Return: the bytes and a NUL, to be freed; or NULL with errno.
 */
char *file_read(int dir, const char *name, size_t *size);

/**
 * file_open_regular() - open a file of a recording for reading
 * @dir: file descriptor of the directory, or AT_FDCWD
 * @name: the file
 *
 * Never waits, as open() does for the other end of a pipe.
 *
 * Return: file descriptor; or -1 with errno, which is EINVAL if it is no regular file.
 */
int file_open_regular(int dir, const char *name);

/* file_read() of what file_open_regular() opens. */
char *file_read_regular(int dir, const char *name, size_t *size);

/**
 * file_write() - write a text to a file
 * @dir: file descriptor of the directory, or AT_FDCWD
 * @name: the file
 * @flags: O_TRUNC, O_APPEND, O_CREAT; only the owner can read a new file
 * @text: the text; one write() takes it all, unless the file accepts less at a time
 *
 * Return: 0, or -1 with errno.
 */
int file_write(int dir, const char *name, int flags, const char *text);

/**
 * file_replace() - replace a file atomically
 * @dir: file descriptor of the directory
 * @name: the file, which may not exist; everybody may read the new one
 * @text: the new contents
 *
 * Return: 0; or -1 with errno, then the file is unchanged.
 */
int file_replace(int dir, const char *name, const char *text);

/**
 * file_copy() - copy a file to its end
 * @from_dir: the directory of @from, or AT_FDCWD
 * @from: the file
 * @to_dir: the directory of @to, or AT_FDCWD
 * @to: the copy, which only its owner can read; an existing file is replaced once the
 *	copy is complete
 *
 * Return: 0; or -1 with errno, then there is no new file @to.
 */
int file_copy(int from_dir, const char *from, int to_dir, const char *to);

/**
 * file_temporary() - open a file without a name for reading and writing
 * @beside: a file; the new one is in the same directory, if its file system can do that, and
 *	otherwise in /tmp
 *
 * Return: the file, which is gone when it is closed; or NULL with errno.
 */
FILE *file_temporary(const char *beside);

/**
 * file_append() - copy the next bytes of a file to another one
 * @to: file descriptor
 * @from: file descriptor
 * @size: number of bytes
 *
 * Lets the kernel copy them where it can.
 *
 * Return: 0; or -1 with errno, which is 0 if @from is too short.
 */
int file_append(int to, int from, off_t size);

/**
 * file_write_behind() - keep a long file that is being written out of the page cache
 * @fd: file descriptor of the file
 * @begin: offset of what was just written
 * @end: offset of its end
 *
 * Every 32 MiB, it starts to write them to the disk, waits for those before them, and drops them.
 * New pages cost more than the disk does where memory is not free, and other programs keep
 * theirs. Leaves the first 256 MiB there. Does nothing if the file system cannot.
 *
 * Return: 0; or -1 with errno if the disk has an error or no room.
 */
int file_write_behind(int fd, off_t begin, off_t end);

/**
 * file_allow_many() - allow this program as many open files as it may have
 *
 * A recording of many parts or CPUs needs more than a program usually may have.
 */
void file_allow_many(void);

/**
 * file_allow_as_found() - undo file_allow_many(), for another program
 *
 * Context: a new process, before it runs the program, which may not bear higher descriptors.
 */
void file_allow_as_found(void);

/**
 * file_disk_is_full() - is there no room, on the disk or in the quota?
 * @err: errno of what failed
 *
 * Return: whether it may succeed when something is removed.
 */
bool file_disk_is_full(int err);

/**
 * file_write_more() - let stdout take more at once than the C library gives it to a pipe
 *
 * Call it before a large output. A terminal still gets each line at its end.
 */
void file_write_more(void);

/**
 * file_insert() - make room at the beginning of a file
 * @fd: file descriptor, for reading and writing
 * @room: bytes to insert, a multiple of 4096; what they contain is not defined
 *
 * A long file does not move if the file system can insert blocks.
 *
 * Return: 0; or -1 with errno, then the file is no longer usable.
 */
int file_insert(int fd, off_t room);

#endif /* _MARKERS_FILE_H */
