/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of markers and clocks, for SQLite.
 */
#ifndef _MARKERS_SQL_LIST_TABLE_H
#define _MARKERS_SQL_LIST_TABLE_H

#include <sqlite3.h>

/* The client data of the module is a struct table. */
extern const sqlite3_module list_table_module;

#endif /* _MARKERS_SQL_LIST_TABLE_H */
