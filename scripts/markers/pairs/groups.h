/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of pairs: those whose begins have the same values of some fields. Each has a distribution
 * of durations.
 */
#ifndef _MARKERS_GROUPS_H
#define _MARKERS_GROUPS_H

#include "../events/event.h"
#include "histogram.h"

#define MAX_GROUPS	128	/* the last one has what all further ones would have */

/**
 * struct group - a group
 * @name: the values of the fields
 * @histogram: its durations
 */
struct group {
	char *name;
	struct histogram histogram;
};

struct groups;

/**
 * groups_create() - begin without a group
 * @by: "FIELD,..."
 *
 * Return: the groups, for groups_destroy(); NULL if @by is not valid.
 */
struct groups *groups_create(const char *by);

void groups_destroy(struct groups *groups);

/**
 * groups_find() - find the group of an event, or make it
 * @groups: from groups_create()
 * @event: an event that begins a pair
 *
 * Events that lack one of the fields are in the group "-".
 *
 * Return: its number, from 0.
 */
unsigned int groups_find(struct groups *groups, const struct event *event);

/**
 * groups_get() - get a group
 * @groups: from groups_create()
 * @i: its number
 *
 * Return: the group, valid until groups_destroy(); NULL: there are not as many.
 */
struct group *groups_get(struct groups *groups, unsigned int i);

#endif /* _MARKERS_GROUPS_H */
