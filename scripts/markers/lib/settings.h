/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The settings of markers.ko, as they were found, to be restored.
 */
#ifndef _MARKERS_SETTINGS_H
#define _MARKERS_SETTINGS_H

#include <stdbool.h>

#define NR_SETTINGS	6

/**
 * struct settings - what was found
 * @value: of the files of settings; NULL if there is no such file
 * @enabled: what set_marker had
 */
struct settings {
	char *value[NR_SETTINGS];
	char *enabled;
};

/**
 * setting_read() - the value of a file
 * @file: its name; of a choice as "a [b] c" the chosen one is the value
 *
 * Return: the value, to be freed; NULL if there is no such file.
 */
char *setting_read(const char *file);

/**
 * settings_save() - read all of them
 * @settings: is filled
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int settings_save(struct settings *settings);

/**
 * settings_restore() - write those that differ now
 * @settings: from settings_save()
 *
 * Waits a moment for a reader that is about to end. A glob that was written to
 * set_marker comes back as the markers that it meant.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says which could not be restored.
 */
int settings_restore(const struct settings *settings);

/**
 * settings_write_file() - keep them for a reader of the recording
 * @settings: from settings_save()
 * @dir: the directory
 * @name: the file
 *
 * Return: 0, or -1 with errno.
 */
int settings_write_file(const struct settings *settings, int dir, const char *name);

#endif /* _MARKERS_SETTINGS_H */
