/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When "markers record --snapshot-on" takes a snapshot.
 */
#ifndef _MARKERS_CONDITION_H
#define _MARKERS_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

enum condition_kind {
	CONDITION_FAIL,		/* the command fails */
	CONDITION_SIGNAL,	/* SIGUSR1 arrives */
	CONDITION_KMSG,		/* the kernel logs a line that contains @word */
	CONDITION_MARKER,	/* a marker is hit, and its hit passes a filter */
	CONDITION_LATENCY,	/* the pair @word takes longer than @ns */
};

/**
 * struct condition - what we wait for
 * @kind: see above
 * @text: as the user wrote it
 * @word: the text of CONDITION_KMSG, as /dev/kmsg shows it, or the pair of CONDITION_LATENCY, to be freed
 * @ns: of CONDITION_LATENCY, in nanoseconds
 * @fd: /dev/kmsg, for poll(); or -1
 * @triggers: lines of the file triggers with which the kernel takes the snapshot; or NULL
 * @armed: it will take one
 */
struct condition {
	enum condition_kind kind;
	const char *text;
	char *word;
	uint64_t ns;
	int fd;
	char *triggers;
	bool armed;
};

/**
 * condition_parse() - parse "fail", "signal", "kmsg:TEXT", "latency NAME > 5ms", "MARKER if FILTER"
 * @condition: gets the result
 * @text: the value of the option; the string must outlive @condition
 *
 * A marker without a filter has its module: "module:marker". So other words are typing errors.
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

/**
 * condition_arm() - let the kernel take a snapshot at the next hit that the condition means
 * @condition: from condition_parse()
 *
 * The first time, it gives the instance that is used the pair of CONDITION_LATENCY, which is known
 * at the top.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int condition_arm(struct condition *condition);

/**
 * condition_came() - has the kernel taken the snapshot?
 * @condition: from condition_arm()
 * @triggers: what the file triggers has now
 * @failed: set to whether it has failed to do so
 *
 * Return: whether it has, or has failed.
 */
bool condition_came(const struct condition *condition, const char *triggers, bool *failed);

/**
 * condition_is_due() - will the kernel take a snapshot in a moment?
 * @condition: from condition_arm()
 * @triggers: what the file triggers has now
 *
 * Return: whether there was a hit, and the snapshot is still to come.
 */
bool condition_is_due(const struct condition *condition, const char *triggers);

#endif /* _MARKERS_CONDITION_H */
