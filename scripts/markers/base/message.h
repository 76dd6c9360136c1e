/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The messages of a command on stderr, and its exit status.
 */
#ifndef _MARKERS_MESSAGE_H
#define _MARKERS_MESSAGE_H

enum exit_status {
	STATUS_OK	= 0,
	STATUS_FAILED	= 1,
	STATUS_USAGE	= 2,
	STATUS_LOST	= 3,	/* events were lost, and --strict was given */
	STATUS_FIRED	= 4,	/* a condition of --snapshot-on came */
};

/**
 * say() - print the line "markers: TEXT" to stderr
 * @fmt: format as for printf(), without a newline
 *
 * Return: STATUS_FAILED, so that a caller can print and return in one statement.
 */
__attribute__((format(printf, 1, 2)))
int say(const char *fmt, ...);

/**
 * say_errno() - say(), followed by the text for errno
 * @fmt: format as for printf()
 *
 * Return: STATUS_FAILED.
 */
__attribute__((format(printf, 1, 2)))
int say_errno(const char *fmt, ...);

/**
 * usage_error() - say(), followed by how to get the command's help
 * @command: name of the command, or NULL
 * @fmt: format as for printf()
 *
 * Return: STATUS_USAGE.
 */
__attribute__((format(printf, 2, 3)))
int usage_error(const char *command, const char *fmt, ...);

/**
 * format_text() - printf() into allocated memory
 * @fmt: format as for printf()
 *
 * Return: the text, to be freed. Ends the program if there is no memory.
 */
__attribute__((format(printf, 1, 2)))
char *format_text(const char *fmt, ...);

/**
 * need_memory() - end the program if an allocation failed
 * @memory: what malloc() or one of its relatives returned
 *
 * Return: @memory, which is not NULL.
 */
void *need_memory(void *memory);

#endif /* _MARKERS_MESSAGE_H */
