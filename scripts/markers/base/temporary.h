/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Temporary files and directories. They do not outlast the program, unless SIGKILL or a fault, such as
 * SIGSEGV, ends it.
 */
#ifndef _MARKERS_TEMPORARY_H
#define _MARKERS_TEMPORARY_H

/**
 * temporary_open() - create a file that is to stay when it is complete
 * @path: the file
 * @flags: for open(), O_WRONLY or O_RDWR at least; O_CREAT and O_EXCL are added
 *
 * The file is removed when the program ends before temporary_keep().
 *
 * Return: the file descriptor; or -1 with errno.
 */
int temporary_open(const char *path, int flags);

/**
 * temporary_mkdir() - make a directory that is to stay when it is complete
 * @path: the directory
 *
 * As temporary_open(). What is made in it is announced with temporary_file().
 *
 * Return: 0; or -1 with errno.
 */
int temporary_mkdir(const char *path);

/**
 * temporary_keep() - what we made is complete, so it stays
 * @path: as in temporary_open() or temporary_mkdir(); with all that is in it
 */
void temporary_keep(const char *path);

/**
 * temporary_file() - announce a file in a temporary directory
 * @dir: from temporary_mkdir()
 * @name: the file, which the caller then creates
 *
 * Return: its path, to be freed.
 */
char *temporary_file(const char *dir, const char *name);

/**
 * temporary_remove() - remove a directory with the files that were announced
 * @dir: a copy of what temporary_mkdir() got, or NULL; freed
 */
void temporary_remove(char *dir);

#endif /* _MARKERS_TEMPORARY_H */
