/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recordings that a database has.
 */
#ifndef _MARKERS_SQL_RECORDING_H
#define _MARKERS_SQL_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "../ctf/trace_files.h"
#include "../reader/merge.h"
#include "../reader/opened.h"
#include "../reader/packet_index.h"

/**
 * struct recording - a recording
 * @name: its name in the column "recording"
 * @path: its directory
 * @files: its files
 * @opened: its metadata
 * @index: its packets
 * @told: what is known to be damaged
 * @symbols: its functions, read when a name is asked for
 * @has_symbols: @symbols was read
 * @counts: for each kind, the number of its events; NULL: not counted yet
 * @damaged: some of what was read is left out
 */
struct recording {
	char *name;
	char *path;
	struct trace_files files;
	struct opened opened;
	struct packet_index index;
	struct told told;
	struct symbols *symbols;
	bool has_symbols;
	uint64_t *counts;
	bool damaged;
};

/**
 * recording_open() - open a recording
 * @word: DIR or NAME=DIR; without a name, the last part of DIR is the name
 *
 * Return: the recording; NULL, and says why.
 */
struct recording *recording_open(const char *word);

/**
 * recording_close() - free a recording
 * @recording: the recording, or NULL
 */
void recording_close(struct recording *recording);

/**
 * recording_ns() - convert a time
 * @recording: the recording
 * @stream: number of its stream
 * @ticks: the time in ticks
 *
 * Return: in nanoseconds, as in events.
 */
static inline uint64_t recording_ns(const struct recording *recording, size_t stream, uint64_t ticks)
{
	return opened_ns(&recording->opened, &recording->opened.stream[stream], ticks);
}

/**
 * recording_use_symbols() - from now on, names of functions are those of this recording
 * @recording: the recording; one of several hosts has none
 */
void recording_use_symbols(struct recording *recording);

/**
 * recording_count() - how many events of a kind are there?
 * @recording: the recording, which is read once for this
 * @kind: number of the kind
 *
 * Return: their number.
 */
uint64_t recording_count(struct recording *recording, unsigned int kind);

/**
 * recording_say_lost() - tell the user of events that were lost
 * @recording: the recording
 *
 * Return: whether there are some.
 */
bool recording_say_lost(const struct recording *recording);

/**
 * recording_is_damaged() - is some of it left out, as far as it was read?
 * @recording: the recording
 *
 * Return: whether it is; the user was told.
 */
bool recording_is_damaged(const struct recording *recording);

#endif /* _MARKERS_SQL_RECORDING_H */
