/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that control how events are recorded: on or off, sizes, clock; and error_log.
 */
#ifndef _MARKERS_DEBUGFS_SETTINGS_H
#define _MARKERS_DEBUGFS_SETTINGS_H

#include <markers/record/record.h>
#include "command.h"
#include "file.h"

/* Of a recording; of the module. */
extern const struct marker_file marker_settings_files[];
extern const struct marker_file marker_log_files[];

/**
 * struct marker_setting - a number that is a file and a parameter
 * @name:	its name, for error_log
 * @get:	returns its value
 * @set:	changes it; returns 0, or an error that is in error_log
 * @range:	for @set; NULL: a truth value, so "on" and "off" are understood, too
 */
struct marker_setting {
	const char *name;
	size_t (*get)(struct marker_recording *recording);
	int (*set)(struct marker_recording *recording, unsigned int value);
	const struct marker_range *range;
};

extern const struct marker_setting marker_setting_tracing_on;
extern const struct marker_setting marker_setting_overwrite;
extern const struct marker_setting marker_setting_buffer_percent;
extern const struct marker_setting marker_setting_dump_on_oops;
extern const struct marker_setting marker_setting_buffer_size_kb;
extern const struct marker_setting marker_setting_subbuf_size_kb;

/**
 * marker_setting_parse() - a value for a setting, from text
 * @setting:	which one
 * @text:	blanks around it are cut off
 * @value:	is set
 *
 * Context: Process context; takes a mutex.
 * Return: 0, or -EINVAL, noted in error_log.
 */
int marker_setting_parse(const struct marker_setting *setting, char *text,
			 unsigned int *value);

/**
 * marker_settings_set_clock() - record times of the clock that a text names
 * @recording:	of this recording
 * @text:	blanks around the name are cut off
 *
 * Context: Process context; sleeps.
 * Return: 0, or an error as marker_recording_set_clock(), noted in error_log.
 */
int marker_settings_set_clock(struct marker_recording *recording, char *text);

/**
 * marker_settings_set_contexts() - record the contexts that a text names
 * @recording:	of this recording
 * @text:	as marker_context_parse() takes it
 *
 * Context: Process context; sleeps.
 * Return: 0, or an error as marker_recording_set_contexts(), noted in error_log.
 */
int marker_settings_set_contexts(struct marker_recording *recording, const char *text);

#endif /* _MARKERS_DEBUGFS_SETTINGS_H */
