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

#define MARKER_DUMP_EVENTS	100	/* of each CPU, unless a trigger says how many */

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
 * marker_last_words_prepare() - get ready for marker_last_words_claim()
 *
 * Context: Process context; allocates.
 * Return: 0, or -ENOMEM.
 */
int marker_last_words_prepare(void);

/**
 * marker_last_words_claim() - be the only hit that asks for a dump
 * @recording:	of this recording
 * @nr:		events of each CPU, up to MARKER_DUMP_MAX; 0: MARKER_DUMP_EVENTS
 *
 * Context: Any, NMI too; in the dispatcher.
 * Return: false: there is one under way, or there was one in the last second; true: the caller
 * calls marker_last_words_ask() or marker_last_words_unclaim().
 */
bool marker_last_words_claim(struct marker_recording *recording, unsigned int nr);

/**
 * marker_last_words_unclaim() - undo marker_last_words_claim()
 *
 * Context: Any, NMI too; in the dispatcher.
 */
void marker_last_words_unclaim(void);

/**
 * marker_last_words_ask() - print the last events soon, by a task; they were claimed
 *
 * Recording goes on.
 *
 * Context: Any, NMI too; in the dispatcher.
 */
void marker_last_words_ask(void);

#endif /* _MARKERS_LAST_WORDS_H */
