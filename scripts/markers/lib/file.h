/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whole files, for those of debugfs and procfs, which tell no size.
 */
#ifndef _MARKERS_FILE_H
#define _MARKERS_FILE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * file_read() - read a file to its end
 * @dir: file descriptor of the directory, or AT_FDCWD
 * @name: the file
 * @size: is set to the number of bytes; may be NULL
 *
 * Return: the bytes and a NUL, to be freed; or NULL, with errno.
 */
char *file_read(int dir, const char *name, size_t *size);

/**
 * file_write() - make a file with this text, or write it to one
 * @dir: file descriptor of the directory, or AT_FDCWD
 * @name: the file
 * @flags: O_TRUNC, O_APPEND, O_CREAT; only its owner can read a new file
 * @text: what is written: with one write(), unless the file takes less at a time
 *
 * Return: 0, or -1 with errno.
 */
int file_write(int dir, const char *name, int flags, const char *text);

/**
 * file_replace() - put a new file in the place of one, whole or not at all
 * @dir: file descriptor of the directory
 * @name: the file, which need not be there; anybody may read the new one
 * @text: all that it will have
 *
 * Return: 0, or -1 with errno; then the file is what it was.
 */
int file_replace(int dir, const char *name, const char *text);

/**
 * file_copy() - copy a file to its end
 * @from_dir: directory of @from, or AT_FDCWD
 * @from: the file
 * @to_dir: directory of @to, or AT_FDCWD
 * @to: the copy, which only its owner can read; replaces one that is there when it is
 *	whole, not before
 *
 * Return: 0, or -1 with errno; then there is no new file @to.
 */
int file_copy(int from_dir, const char *from, int to_dir, const char *to);

/**
 * struct names - words of a file, one in a line
 * @nr: how many
 * @name: the words
 * @mark: what each has after a "#" in the word, or ""
 * @sorted: the words in another order, for names_have()
 */
struct names {
	size_t nr;
	char **name;
	char **mark;
	char **sorted;
};

/**
 * names_parse() - take the lines of a text apart
 * @names: is filled
 * @text: changed, and has to stay: @names points into it. Empty lines and what
 *	follows a "#" at the beginning of a word are left out.
 */
void names_parse(struct names *names, char *text);

/**
 * names_have() - is a word among them?
 * @names: the words
 * @name: the word
 *
 * Return: whether it is.
 */
bool names_have(const struct names *names, const char *name);

void names_free(struct names *names);

#endif /* _MARKERS_FILE_H */
