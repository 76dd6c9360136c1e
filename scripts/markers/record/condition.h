/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When "markers record --snapshot-on" takes a snapshot.
 */
#ifndef _MARKERS_CONDITION_H
#define _MARKERS_CONDITION_H

#include <stdbool.h>

enum condition_kind {
	CONDITION_NONE,
	CONDITION_FAIL,		/* the command fails */
	CONDITION_SIGNAL,	/* SIGUSR1 arrives */
	CONDITION_KMSG,		/* the kernel logs a line that contains @text */
};

/**
 * struct condition - what we wait for
 * @kind: see above
 * @text: the text of CONDITION_KMSG
 * @fd: /dev/kmsg, for poll(); or -1
 */
struct condition {
	enum condition_kind kind;
	const char *text;
	int fd;
};

/**
 * condition_parse() - parse "fail", "signal" or "kmsg:TEXT"
 * @condition: gets the result
 * @text: the value of the option
 *
 * Return: whether @text is a condition.
 */
bool condition_parse(struct condition *condition, const char *text);

/**
 * condition_open() - begin to watch; ignore what the kernel logged before
 * @condition: from condition_parse()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int condition_open(struct condition *condition);

/**
 * condition_read() - read the new lines of the kernel's log
 * @condition: its @fd may be readable
 *
 * Return: whether one of the lines contains the text.
 */
bool condition_read(struct condition *condition);

#endif /* _MARKERS_CONDITION_H */
