/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When "markers record --snapshot-on" takes a snapshot.
 */
#ifndef _MARKERS_CONDITION_H
#define _MARKERS_CONDITION_H

#include <stdbool.h>

enum condition_kind {
	CONDITION_NONE,
	CONDITION_FAIL,		/* the command that was run has failed */
	CONDITION_SIGNAL,	/* SIGUSR1 has come */
	CONDITION_KMSG,		/* the kernel's log has a line with a text */
};

/**
 * struct condition - what is waited for
 * @kind: see above
 * @text: for CONDITION_KMSG
 * @fd: of /dev/kmsg, or -1; to be polled
 */
struct condition {
	enum condition_kind kind;
	const char *text;
	int fd;
};

/**
 * condition_parse() - "fail", "signal" or "kmsg:TEXT"
 * @condition: is filled
 * @text: of the option
 *
 * Return: whether it is a condition.
 */
bool condition_parse(struct condition *condition, const char *text);

/**
 * condition_open() - begin to watch; what happened before does not count
 * @condition: of condition_parse()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int condition_open(struct condition *condition);

/**
 * condition_read() - look at what is new in the kernel's log
 * @condition: whose @fd may be readable
 *
 * Return: whether the text is in it.
 */
bool condition_read(struct condition *condition);

#endif /* _MARKERS_CONDITION_H */
