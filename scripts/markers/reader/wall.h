/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time since 1970 of the events of a trace. The clocks of several machines have it in common.
 */
#ifndef _MARKERS_WALL_H
#define _MARKERS_WALL_H

#include <stdbool.h>
#include <stdint.h>

struct description;

/**
 * struct wall - how to convert times of a trace clock
 * @frequency: ticks of the trace clock in a second
 * @from: a time of the trace clock, in nanoseconds
 * @real: the time since 1970 then, in nanoseconds
 * @rate: nanoseconds by which the trace clock is too slow, in each of its own
 * @is_read: the times are those that were read together in info/clock
 */
struct wall {
	uint64_t frequency;
	uint64_t from;
	uint64_t real;
	double rate;
	bool is_read;
};

/**
 * wall_begin() - begin with the offset that the metadata have
 * @wall: gets it
 * @description: the metadata
 */
void wall_begin(struct wall *wall, const struct description *description);

/**
 * wall_read() - take the clocks that record read together
 * @wall: after wall_begin()
 * @path: directory of the trace, or a part of it; info is there or above it
 *
 * Without info/clock nothing changes.
 */
void wall_read(struct wall *wall, const char *path);

/**
 * wall_ns() - convert a time
 * @wall: the clock
 * @ticks: the time, in ticks
 *
 * Return: nanoseconds since 1970.
 */
uint64_t wall_ns(const struct wall *wall, uint64_t ticks);

/**
 * wall_of() - convert a time in nanoseconds
 * @wall: the clock
 * @ns: the time of the trace clock, in nanoseconds
 *
 * Return: nanoseconds since 1970.
 */
uint64_t wall_of(const struct wall *wall, uint64_t ns);

/**
 * wall_is_known() - is there a time since 1970?
 * @clock: what the metadata say about the trace clock, or NULL
 *
 * Return: false for the clock "counter", which counts events.
 */
bool wall_is_known(const char *clock);

#endif /* _MARKERS_WALL_H */
