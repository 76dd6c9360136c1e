/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file that an export writes. A write may fail long before the file is closed, so its error
 * is kept.
 */
#ifndef _MARKERS_OUTPUT_H
#define _MARKERS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct output - an output file
 * @path: its name, to be freed; "-" is stdout
 * @is_default: nobody chose the name: it must not replace a file
 * @file: the file; NULL before output_open() and after output_close()
 * @error: errno of the first failure, or 0
 */
struct output {
	char *path;
	bool is_default;
	FILE *file;
	int error;
};

enum output_use {
	OUTPUT_BINARY	= 1,	/* a terminal cannot show it */
	OUTPUT_SEEK	= 2,	/* it is not written from the begin to the end */
};

/**
 * output_name() - choose a name beside the recording, unless there is one
 * @output: gets it
 * @recording: path of the recording
 * @suffix: of the format, with the point
 */
void output_name(struct output *output, const char *recording, const char *suffix);

/**
 * output_is_apart() - is what is to be written not in the recording?
 * @path: the file or directory, or "-"
 * @recording: path of the recording
 *
 * Return: true; or false, and says why.
 */
bool output_is_apart(const char *path, const char *recording);

/**
 * output_open() - open the file, and make it empty
 * @output: has the name
 * @recording: path of the recording, in which it writes nothing
 * @use: flags of enum output_use
 *
 * Return: true; or false, and says why.
 */
bool output_open(struct output *output, const char *recording, unsigned int use);

/**
 * output_check() - keep the error of a file
 * @output: the output
 * @file: the output's file, or another one that it needs
 *
 * To be called soon after the write, while errno is that of a write that failed.
 *
 * Return: whether nothing has failed up to now.
 */
bool output_check(struct output *output, FILE *file);

/**
 * output_temporary() - open a file for what is put into the output later
 * @output: the output, open
 *
 * Return: file_temporary(); or NULL, then output_close() says why.
 */
FILE *output_temporary(struct output *output);

/**
 * output_append() - copy a file to the end of the output
 * @output: the output, opened with OUTPUT_SEEK
 * @from: the file, at its end
 *
 * Return: true; or false with errno.
 */
bool output_append(struct output *output, FILE *from);

/**
 * output_close() - write the rest
 * @output: the output
 *
 * After a failure it says why, and removes the file if it is a regular one.
 *
 * Return: STATUS_OK or STATUS_FAILED.
 */
int output_close(struct output *output);

#endif /* _MARKERS_OUTPUT_H */
