/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_SQL_DATABASE_H
#define _MARKERS_SQL_DATABASE_H

#include "tables.h"

/**
 * database_open() - open recordings
 * @nr: number of recordings
 * @words: as for recording_open()
 *
 * Return: the database; NULL, and says why.
 */
struct database *database_open(int nr, const char *const *words);

/**
 * database_close() - free a database
 * @database: the database, or NULL
 */
void database_close(struct database *database);

#endif /* _MARKERS_SQL_DATABASE_H */
