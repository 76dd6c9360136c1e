/* SPDX-License-Identifier: GPL-2.0 */
/*
 * markers query, in the program markers-query.
 */
#ifndef _MARKERS_QUERY_RUN_H
#define _MARKERS_QUERY_RUN_H

#include "../base/program.h"

/**
 * query_run() - run the command
 * @args: its command line
 *
 * Return: the exit status.
 */
int query_run(struct arguments *args);

#endif /* _MARKERS_QUERY_RUN_H */
