/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands. Each has a file of its name.
 */
#ifndef _MARKERS_COMMANDS_H
#define _MARKERS_COMMANDS_H

#include "../base/program.h"

extern const struct command command_list;
extern const struct command command_enable;
extern const struct command command_disable;
extern const struct command command_publish;
extern const struct command command_unpublish;
extern const struct command command_status;
extern const struct command command_reset;
extern const struct command command_record;
extern const struct command command_snapshot;
extern const struct command command_extract;
extern const struct command command_live;
extern const struct command command_top;
extern const struct command command_doctor;
extern const struct command command_boot;

/* Those that read a recording. */
extern const struct command command_report;
extern const struct command command_check;
extern const struct command command_latency;
extern const struct command command_export;
extern const struct command command_query;
extern const struct command command_send;
extern const struct command command_join;
extern const struct command command_pack;

/* The directory that "markers boot" writes to and modprobe reads. */
#define BOOT_DIR	"/etc/modprobe.d"
#define BOOT_FILE	"markers.conf"

#endif /* _MARKERS_COMMANDS_H */
