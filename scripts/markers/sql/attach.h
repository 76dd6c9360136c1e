/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives a database of SQLite the tables of recordings. In the shell of SQLite it is an extension:
 *
 *	.load DIR/mod_markers
 *	SELECT markers_open('before=DIR', 'after=DIR');
 */
#ifndef _MARKERS_SQL_ATTACH_H
#define _MARKERS_SQL_ATTACH_H

#include <sqlite3.h>

#include "tables.h"

/**
 * sqlite3_extension_init() - what SQLite calls when it loads us
 * @db: the database; gets the functions
 * @error: set to what is wrong, for sqlite3_free()
 * @api: SQLite's functions
 *
 * Return: SQLITE_OK, or an error of SQLite.
 */
__attribute__((visibility("default")))
int sqlite3_extension_init(struct sqlite3 *db, char **error, const struct sqlite3_api_routines *api);

/**
 * attach_recordings() - add tables, after sqlite3_extension_init()
 * @db: the database of SQLite; frees the tables when it is closed
 * @nr: number of recordings
 * @words: as for recording_open()
 *
 * Return: the tables; NULL, and says why.
 */
struct database *attach_recordings(struct sqlite3 *db, int nr, const char *const *words);

#endif /* _MARKERS_SQL_ATTACH_H */
