/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out which name was meant by one that is not there.
 */
#ifndef _MARKERS_NEAREST_H
#define _MARKERS_NEAREST_H

#include <stdbool.h>

#define MAX_OFFERED	8	/* names that a message has */

/**
 * struct nearest - the names that are there instead of a missing one
 * @missing: the missing name; all else is zero at first
 * @name: the one that looks most like it
 * @distance: how many letters differ
 * @nr: number of @offered
 * @offered: the first ones, without any that is there twice
 * @has_more: there are more
 */
struct nearest {
	const char *missing;
	const char *name;
	unsigned int distance;
	unsigned int nr;
	const char *offered[MAX_OFFERED];
	bool has_more;
};

/**
 * nearest_add() - add a name
 * @nearest: the names
 * @name: the name, which outlives @nearest
 */
void nearest_add(struct nearest *nearest, const char *name);

/**
 * nearest_advice() - say what to take instead
 * @nearest: the names
 *
 * Return: "; is it NAME?" or "; it has NAME, NAME", to be freed; empty if there are no names.
 */
char *nearest_advice(const struct nearest *nearest);

#endif /* _MARKERS_NEAREST_H */
