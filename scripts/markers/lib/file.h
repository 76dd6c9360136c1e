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
 * file_move() - copy a file as file_append() does, and free its room on the way
 * @to: file descriptor
 * @from: file descriptor, at the start of a file that nobody needs any more
 * @size: number of bytes
 *
 * Return: as file_append().
 */
int file_move(int to, int from, off_t size);

/**
 * file_temporary() - make a file that has no name
 * @beside: a file. If it is a regular one, and its file system can hold nameless files, the new
 *	file is there, too: a file system with room for one should have room for the other.
 *
 * Return: the file, for reading and writing; or NULL with errno.
 */
FILE *file_temporary(const char *beside);

/**
 * struct names - the words of a file, one on each line
 * @nr: number of words
 * @name: the words
 * @mark: for each word, what follows a "#" in it, or ""
 * @sorted: the words in sorted order, for names_have()
 */
struct names {
	size_t nr;
	char **name;
	char **mark;
	char **sorted;
};

/**
 * names_parse() - split a text into words
 * @names: gets the words
 * @text: modified; must outlive @names, which points into it. Empty lines and comments
 *	(a "#" at the beginning of a word) are left out.
 */
void names_parse(struct names *names, char *text);

/**
 * names_have() - is this one of the words?
 * @names: the words
 * @name: the word
 *
 * Return: whether it is.
 */
bool names_have(const struct names *names, const char *name);

void names_free(struct names *names);

#endif /* _MARKERS_FILE_H */
