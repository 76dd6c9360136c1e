/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Saves the settings of markers.ko and restores them.
 */
#ifndef _MARKERS_SETTINGS_H
#define _MARKERS_SETTINGS_H

#define NR_SETTINGS	7

/**
 * struct settings - the saved settings
 * @value: the value of each file; NULL if there is no such file
 * @enabled: the text of set_marker
 * @rules: the rules that made it so, from the parameter "enable"; NULL if we cannot read that,
 *	it is longer than a page, or this is an instance
 * @filters: the text of the file filters, or NULL
 */
struct settings {
	char *value[NR_SETTINGS];
	char *enabled;
	char *rules;
	char *filters;
};

/**
 * setting_read() - read the value of a file
 * @file: its name; for a choice such as "a [b] c" the value is "b"
 *
 * Return: the value, to be freed; NULL if there is no such file.
 */
char *setting_read(const char *file);

/**
 * settings_save() - read all settings
 * @settings: gets them
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int settings_save(struct settings *settings);

/**
 * settings_free() - free what settings_save() read
 * @settings: from settings_save(), also if that failed
 */
void settings_free(struct settings *settings);

/**
 * settings_rules() - what is enabled, as text for set_marker
 * @settings: from settings_save()
 *
 * Return: the rules, or what they have enabled, to be freed.
 */
char *settings_rules(const struct settings *settings);

/**
 * settings_restore() - write back the settings that have changed
 * @settings: from settings_save()
 *
 * For each file that a reader keeps busy it waits, five seconds at most. Without @rules, a glob
 * in set_marker comes back as the markers that it matched.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says which settings it could not restore.
 */
int settings_restore(const struct settings *settings);

/**
 * settings_write_file() - write the settings to a file of the recording
 * @settings: from settings_save()
 * @dir: the directory
 * @name: the file
 *
 * Return: 0, or -1 with errno.
 */
int settings_write_file(const struct settings *settings, int dir, const char *name);

#endif /* _MARKERS_SETTINGS_H */
