// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/file.h"
#include "../base/message.h"
#include "control.h"
#include "filters.h"
#include "settings.h"

/*
 * In the order of restoring. Recording goes off first, because overwrite needs that. Settings
 * that discard the buffers come before settings that fill them.
 */
static const char *const files[NR_SETTINGS] = {
	"subbuf_size_kb", "buffer_size_kb", "trace_clock", "contexts", "overwrite",
	"buffer_percent", "tracing_on",
};

#define TRACING_ON	(NR_SETTINGS - 1)

char *setting_read(const char *file)
{
	char *text = file_read(control_fd(), file, NULL);
	char *chosen, *end;

	if (!text)
		return NULL;
	chosen = strchr(text, '[');
	end = chosen ? strchr(chosen, ']') : NULL;
	if (end)
		memmove(text, chosen + 1, end - chosen);
	text[strcspn(text, "]\n")] = '\0';
	return text;
}

int settings_save(struct settings *settings)
{
	int i;

	for (i = 0; i < NR_SETTINGS; i++)
		settings->value[i] = setting_read(files[i]);
	settings->rules = control_rules();
	settings->filters = file_read(control_fd(), "filters", NULL);
	settings->enabled = file_read(control_fd(), "set_marker", NULL);
	if (!settings->enabled)
		return say_errno("%s/set_marker", control_path());
	if (*settings->enabled == '\n')
		*settings->enabled = '\0';
	return STATUS_OK;
}

void settings_free(struct settings *settings)
{
	int i;

	for (i = 0; i < NR_SETTINGS; i++)
		free(settings->value[i]);
	free(settings->rules);
	free(settings->filters);
	free(settings->enabled);
}

/* As long as a reader keeps the file busy (EBUSY), try again, for five seconds at most. */
static int restore_file(const char *file, int flags, const char *value)
{
	struct timespec moment = { .tv_nsec = 10 * 1000 * 1000 };
	int i;

	for (i = 0; i < 500; i++) {
		if (!control_try(file, flags, value))
			return STATUS_OK;
		if (errno != EBUSY)
			break;
		nanosleep(&moment, NULL);
	}
	return control_write(file, flags, value);
}

static int restore_setting(const struct settings *settings, int i)
{
	int status = STATUS_OK;
	char *now;

	now = setting_read(files[i]);
	if (now && settings->value[i] && strcmp(now, settings->value[i]))
		status = restore_file(files[i], 0, *settings->value[i] ? settings->value[i] : "\n");
	free(now);
	return status;
}

/*
 * The lines of set_marker without comments and marks, with filters: for one write(). With a mark,
 * the kernel accepts a filter that does not fit.
 */
static char *plain_lines(const char *text)
{
	struct word word;
	char *lines = NULL;
	size_t size;
	FILE *out = need_memory(open_memstream(&lines, &size));

	while (word_next(&text, &word))
		fprintf(out, "%.*s%s%.*s\n", word.filter_size ? word.whole : word.size, word.text,
			word.filter_size ? " " : "", word.filter_size, word.filter);
	fclose(out);
	return lines;
}

char *settings_rules(const struct settings *settings)
{
	return settings->rules ? need_memory(strdup(settings->rules)) : plain_lines(settings->enabled);
}

static bool differ(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : a != b;
}

/* A module that was loaded meanwhile may make a rule invalid: then without the rules. */
static int restore_rules(const struct settings *settings)
{
	int status = STATUS_FAILED;
	char *text;

	if (settings->rules) {
		text = format_text("%s\n", settings->rules);
		status = control_try("set_marker", O_TRUNC, text);
		free(text);
	}
	if (!status)
		return status;
	text = plain_lines(settings->enabled);
	status = restore_file("set_marker", O_TRUNC, text);
	free(text);
	return status;
}

static int restore_enabled(const struct settings *settings)
{
	int status = STATUS_OK;
	char *now, *rules;

	now = file_read(control_fd(), "set_marker", NULL);
	rules = control_rules();
	if (!now || strcmp(now, settings->enabled) || differ(rules, settings->rules))
		status = restore_rules(settings);
	free(rules);
	free(now);
	return status;
}

/* Return: the filter of a marker, to be freed; "0": it has none. */
static char *filter_of(const struct filters *filters, const char *marker)
{
	return filters_find(filters, marker) ?: need_memory(strdup("0"));
}

/* Give the markers that @list has the filters that were found. */
static int restore_listed(const struct filters *list, const struct filters *found,
			  const struct filters *now)
{
	int status = STATUS_OK;
	size_t i;

	for (i = 0; i < list->names.nr; i++) {
		const char *marker = list->names.name[i];
		char *path = control_marker_path(marker, "filter");
		char *was = filter_of(found, marker), *is = filter_of(now, marker);

		/* with a mark, it does not fit, or waits for a module */
		if (!*list->names.mark[i] && strcmp(was, is) && control_has(path))
			status |= control_write(path, 0, was);
		free(was);
		free(is);
		free(path);
	}
	return status;
}

/* set_marker does not have the filters of markers that are not enabled, and drops them. */
static int restore_filters(const struct settings *settings)
{
	char *text = file_read(control_fd(), "filters", NULL);
	struct filters found, now;
	int status = STATUS_OK;

	if (text && settings->filters && strcmp(text, settings->filters)) {
		filters_parse(&found, settings->filters);
		filters_parse(&now, text);
		status = restore_listed(&found, &found, &now);
		status |= restore_listed(&now, &found, &now);
		filters_free(&found);
		filters_free(&now);
	}
	free(text);
	return status;
}

int settings_restore(const struct settings *settings)
{
	int status, i;

	status = restore_enabled(settings) | restore_filters(settings);
	if (control_write(files[TRACING_ON], 0, "0"))
		return STATUS_FAILED;
	for (i = 0; i < NR_SETTINGS; i++)
		status |= restore_setting(settings, i);
	return status;
}

int settings_write_file(const struct settings *settings, int dir, const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *out;
	int i, err;

	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < NR_SETTINGS; i++)
		if (settings->value[i])
			fprintf(out, "%s: %s\n", files[i], settings->value[i]);
	fprintf(out, "set_marker:\n%s", settings->enabled);
	fclose(out);
	err = file_write(dir, name, O_CREAT | O_TRUNC, text);
	free(text);
	return err;
}
