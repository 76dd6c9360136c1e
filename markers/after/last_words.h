/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When the last events go to the kernel's log: at an oops, at a panic, and when a trigger asks
 * for it.
 */
#ifndef _MARKERS_LAST_WORDS_H
#define _MARKERS_LAST_WORDS_H

#include <linux/init.h>
#include <linux/types.h>

struct marker_recording;

/**
 * marker_last_words_init() - wait for oopses and panics
 * @nr:		as for marker_last_words_set()
 *
 * Context: Process context; allocates.
 * Return: 0, or -ENOMEM.
 */
int __init marker_last_words_init(unsigned int nr);

/**
 * marker_last_words_exit() - undo marker_last_words_init()
 *
 * Context: Process context; sleeps.  There are no more hits.
 */
void marker_last_words_exit(void);

/**
 * marker_last_words_set() - dump_on_oops
 * @nr:		events of each CPU that an oops or a panic prints, up to MARKER_DUMP_MAX;
 *		0: none
 *
 * The next oops prints, even if one did before.
 *
 * Context: Process context; allocates.
 * Return: 0; -ENOMEM, with a message in error_log.
 */
int marker_last_words_set(unsigned int nr);

/**
 * marker_last_words_get() - the value of dump_on_oops
 *
 * Context: Any.
 * Return: events of each CPU.
 */
unsigned int marker_last_words_get(void);

/**
 * marker_last_words_flush() - wait for a dump that a hit has asked for
 *
 * Context: Process context; sleeps until it is complete.
 */
void marker_last_words_flush(void);

/**
 * marker_last_words_rearm() - an operator has started recording: the next oops prints
 *
 * Context: Any.
 */
void marker_last_words_rearm(void);

/**
 * marker_last_words_prepare() - get ready for hits that ask for a dump
 *
 * Context: Process context; allocates.
 * Return: 0, or -ENOMEM.
 */
int marker_last_words_prepare(void);

#endif /* _MARKERS_LAST_WORDS_H */
