/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_COMMANDS_QUERY_H
#define _MARKERS_COMMANDS_QUERY_H

enum { QUERY_TABLES = 256 };

#endif /* _MARKERS_COMMANDS_QUERY_H */
