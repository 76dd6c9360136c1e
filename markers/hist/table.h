/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a reader makes of a map: one row for each key, with the sums of all CPUs, sorted,
 * and as text.
 *
 * Pure.
 */
#ifndef _MARKERS_TABLE_H
#define _MARKERS_TABLE_H

#include "hist.h"
#include "map.h"

/**
 * struct marker_table - the rows of a map at a moment
 * @nr:		how many
 * @words:	of a row: the hits, the key, the sums
 * @hits:	of all rows
 * @dropped:	hits that found no bucket
 * @row:	the rows
 */
struct marker_table {
	u32 nr;
	u32 words;
	u64 hits;
	u64 dropped;
	u64 row[];
};

/* Room for one row as text, with escapes; names of symbols are longest. */
#define MARKER_TABLE_LINE	8192

/**
 * marker_table_fits() - can a map be read, however full it is?
 * @hist:	what is in the map
 *
 * Context: Process context.
 * Return: false: marker_table_read() could fail, with 2 GiB of rows.
 */
bool marker_table_fits(const struct marker_hist *hist);

/**
 * marker_table_read() - copy a map
 * @hist:	what is in the map
 * @map:	the map; hits may go on
 *
 * The rows are those of all CPUs, in no order: marker_table_sort() makes a table of them.
 * That takes longer, and no longer needs the map.
 *
 * Context: Process context; sleeps.
 * Return: the table, for kvfree(), or NULL: there is no memory, or it would take 2 GiB.
 */
struct marker_table *marker_table_read(const struct marker_hist *hist,
				       const struct marker_map *map);

/**
 * marker_table_sort() - add up the rows of equal keys, and sort them
 * @table:	from marker_table_read()
 * @hist:	the same
 *
 * Context: Process context; sleeps.  With millions of rows it takes seconds: no lock held.
 */
void marker_table_sort(struct marker_table *table, const struct marker_hist *hist);

/**
 * marker_table_row() - a row of a table
 * @table:	the table
 * @nr:		which row
 *
 * Context: Any.
 * Return: its words.
 */
static inline const u64 *marker_table_row(const struct marker_table *table, u32 nr)
{
	return table->row + (size_t)nr * table->words;
}

/**
 * marker_table_print() - a row as ftrace prints one
 * @to:		room for the text, MARKER_TABLE_LINE bytes
 * @hist:	what is in the row
 * @row:	the row
 *
 * Context: Process context.
 * Return: @to.
 */
char *marker_table_print(char *to, const struct marker_hist *hist, const u64 *row);

/**
 * marker_table_tsv_head() - names of columns, with tabs between them
 * @to:		room for the text, MARKER_TABLE_LINE bytes
 * @hist:	what is in the rows
 *
 * Context: Process context.
 * Return: @to.
 */
char *marker_table_tsv_head(char *to, const struct marker_hist *hist);

/**
 * marker_table_tsv() - a row as columns with tabs between them
 * @to:		room for the text, MARKER_TABLE_LINE bytes
 * @hist:	what is in the row
 * @row:	the row
 *
 * A byte of a string that would end a column or a line, and a backslash, is written as
 * "\t", "\n", "\\".
 *
 * Context: Process context.
 * Return: @to.
 */
char *marker_table_tsv(char *to, const struct marker_hist *hist, const u64 *row);

#endif /* _MARKERS_TABLE_H */
