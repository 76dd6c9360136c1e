/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands that read a recording; each is in a file of its name.
 */
#ifndef _MARKERS_CONVERT_COMMANDS_H
#define _MARKERS_CONVERT_COMMANDS_H

#include "../lib/program.h"

extern const struct command command_report;
extern const struct command command_check;
extern const struct command command_latency;
extern const struct command command_export;

#endif /* _MARKERS_CONVERT_COMMANDS_H */
