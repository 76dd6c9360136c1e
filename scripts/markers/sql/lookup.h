/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the events that have given values in some columns. A join by a key looks for its other
 * side once for each event: SQLite makes no index of a virtual table, so we do, when the first
 * one is looked for. An event takes 40 bytes of it.
 */
#ifndef _MARKERS_SQL_LOOKUP_H
#define _MARKERS_SQL_LOOKUP_H

#include "scan.h"
#include "tables.h"

#define MAX_KEYS	4	/* columns of a key */

/**
 * struct key - the columns of a key, and their values
 * @nr: number of columns
 * @column: their numbers
 * @hash: what the values have become, with key_add_number() and key_add_text()
 */
struct key {
	unsigned int nr;
	unsigned int column[MAX_KEYS];
	uint64_t hash;
};

void key_add_number(struct key *key, uint64_t number);
void key_add_text(struct key *key, const char *text, size_t size);

/**
 * struct found - an event that was found
 * @hash: the hash of its key
 * @recording: number of its recording
 * @place: where it is
 */
struct found {
	uint64_t hash;
	uint32_t recording;
	struct event_place place;
};

struct lookup;

/**
 * lookup_find() - find events
 * @table: the table
 * @key: the columns and their values
 * @range: if it is of one recording, the events are of this one, and not before it begins
 * @nr: set to the number of events; those with another hash follow
 *
 * Other values may have the same hash: the caller compares them, and all else of @range.
 *
 * Return: the events, in the order of recordings and times.
 */
const struct found *lookup_find(struct table *table, const struct key *key,
				const struct range *range, size_t *nr);

void lookups_free(struct lookup *lookups);

#endif /* _MARKERS_SQL_LOOKUP_H */
