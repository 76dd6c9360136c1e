/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A flight recorder: the buffers have the newest events, and are saved when a condition comes, as
 * traces snapshot-1, snapshot-2 and so on; with what came after, snapshot-1-after.
 */
#ifndef _MARKERS_FLIGHT_H
#define _MARKERS_FLIGHT_H

#include "condition.h"

struct kallsyms;

/**
 * struct flight - a flight recorder
 * @nr: number of conditions
 * @condition: what it waits for; none: it is no flight recorder
 * @after: nanoseconds to save after a condition has come
 * @max: number of snapshots that it takes
 * @output: path of the recording
 * @kallsyms: its symbols
 * @snapshots: number of snapshots that it has taken
 * @status: of all of them together
 * @parts: traces of the last one: what came before, and what came after
 * @pending: the condition whose time after is not over, or NULL
 * @deadline: when it will be, in nanoseconds of the monotonic clock
 * @wait: nanoseconds to wait after a snapshot that failed; 0: the last one was good
 * @again: when that wait ends, as @deadline
 */
struct flight {
	unsigned int nr;
	struct condition *condition;
	uint64_t after;
	uint64_t max;
	const char *output;
	struct kallsyms *kallsyms;
	unsigned int snapshots;
	int status;
	unsigned int parts;
	const struct condition *pending;
	uint64_t deadline;
	uint64_t wait;
	uint64_t again;
};

/**
 * flight_add() - add a condition
 * @flight: all zero at first
 * @text: for condition_parse()
 *
 * Return: whether @text is a condition.
 */
bool flight_add(struct flight *flight, const char *text);

/**
 * flight_has() - does it wait for a condition of this kind?
 * @flight: the flight recorder
 * @kind: the kind
 *
 * Return: whether it does.
 */
bool flight_has(const struct flight *flight, enum condition_kind kind);

/**
 * flight_open() - begin to watch the kernel's log
 * @flight: the flight recorder
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int flight_open(struct flight *flight);

/**
 * flight_arm() - arm the conditions that the kernel watches
 * @flight: the flight recorder
 * @own: it has an instance of its own, so that triggers are in nobody's way
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int flight_arm(struct flight *flight, bool own);

/**
 * flight_look() - look which conditions have come, and take snapshots
 * @flight: the flight recorder
 */
void flight_look(struct flight *flight);

/**
 * flight_take() - a condition of this kind has come
 * @flight: the flight recorder
 * @kind: the kind
 */
void flight_take(struct flight *flight, enum condition_kind kind);

/**
 * flight_goes_on() - is there more to save?
 * @flight: the flight recorder
 * @ending: the command has ended
 *
 * Return: whether it waits for the end of the time after a condition, or, without @ending, for
 * another condition.
 */
bool flight_goes_on(const struct flight *flight, bool ending);

/**
 * flight_end() - save what came after the last condition so far
 * @flight: the flight recorder
 *
 * Return: STATUS_OK; STATUS_FIRED, if a condition came; STATUS_FAILED, if one could not be saved.
 */
int flight_end(struct flight *flight);

#endif /* _MARKERS_FLIGHT_H */
