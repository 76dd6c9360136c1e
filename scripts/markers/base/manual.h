/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints what users read about commands: help, man pages, completion. All of it comes from
 * struct command. Only program.c calls it.
 */
#ifndef _MARKERS_MANUAL_H
#define _MARKERS_MANUAL_H

#include <stdio.h>

struct command;

void manual_help(const struct command *command, FILE *out);
void manual_head(FILE *out);
void manual_list(const struct command *const commands[], FILE *out);
void manual_foot(FILE *out);
void manual_names(const struct command *const commands[], FILE *out);

void manual_man(const struct command *command, FILE *out);
void manual_man_begin(FILE *out);
void manual_man_commands(const struct command *const commands[], FILE *out);
void manual_man_end(FILE *out);

void manual_completion_begin(FILE *out);
void manual_cases(const struct command *const commands[], FILE *out);
void manual_completion_end(FILE *out);

#endif /* _MARKERS_MANUAL_H */
