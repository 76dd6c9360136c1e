// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "control.h"

const char *control_instance;

static char path[PATH_MAX];
static int dir = -1;	/* of the recording that is used */
static int top = -1;	/* of markers.ko */

char *control_mount(const char *wanted)
{
	char line[PATH_MAX + 256], *where, *type, *found = NULL;
	FILE *mounts;

	mounts = fopen("/proc/mounts", "re");
	if (!mounts)
		return NULL;
	while (!found && fgets(line, sizeof(line), mounts)) {
		strtok(line, " ");
		where = strtok(NULL, " ");
		type = strtok(NULL, " ");
		if (type && !strcmp(type, wanted))
			found = need_memory(strdup(where));
	}
	fclose(mounts);
	return found;
}

/* Into path[]. */
static bool find_debugfs(void)
{
	char *where = control_mount("debugfs");

	if (!where)
		return false;
	snprintf(path, sizeof(path), "%.*s/markers", PATH_MAX - 16, where);
	free(where);
	return true;
}

const char *control_find(void)
{
	const char *given = getenv("MARKERS_DIR");

	if (given && *given) {
		snprintf(path, sizeof(path), "%s", given);
		return path;
	}
	return find_debugfs() ? path : NULL;
}

/* Their names, each after a blank, to be freed. */
static char *list_instances(void)
{
	int fd = openat(top, "instances", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	char *names = NULL;
	size_t size;
	FILE *out = need_memory(open_memstream(&names, &size));

	while (list && (entry = readdir(list)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "make") &&
		    strcmp(entry->d_name, "remove"))
			fprintf(out, " %s", entry->d_name);
	if (list)
		closedir(list);
	fclose(out);
	return names;
}

static int open_instance(const char *name)
{
	char *below, *names;
	int fd;

	if (faccessat(top, "instances", F_OK, 0))
		return say("--instance %s: %s has no instances", name, path);
	below = format_text("instances/%s", name);
	fd = strchr(name, '/') || *name == '.' ? -1 :
	     openat(top, below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(below);
	if (fd >= 0) {
		control_switch(fd, name);
		return STATUS_OK;
	}
	names = list_instances();
	say("there is no instance \"%s\"%s%s", name, *names ? "; there are:" : ", and no other; make it: ",
	    *names ? names : "echo NAME >/sys/kernel/debug/markers/instances/make");
	free(names);
	return STATUS_FAILED;
}

int control_open(void)
{
	if (!control_find())
		return say("debugfs is not mounted: mount -t debugfs none /sys/kernel/debug");
	top = dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0)
		return control_instance ? open_instance(control_instance) : STATUS_OK;
	if (errno == ENOENT)
		return say("%s is not there: load markers.ko; \"markers doctor\" says more", path);
	if (errno == EACCES)
		return say("%s: Permission denied: become root", path);
	return say_errno("%s", path);
}

void control_switch(int fd, const char *name)
{
	size_t used = strlen(path);

	dir = fd;
	snprintf(path + used, sizeof(path) - used, "/instances/%s", name);
}

int control_fd(void)
{
	return dir;
}

int control_top(void)
{
	return top;
}

const char *control_path(void)
{
	return path;
}

bool control_has(const char *file)
{
	return !faccessat(dir, file, F_OK, 0);
}

char *control_marker_path(const char *marker, const char *file)
{
	char *name = format_text("events/%s", marker), *whole;
	const char *more = "";
	struct stat status;

	name[strcspn(name, ":")] = '/';
	if (!fstatat(dir, name, &status, 0) && !S_ISDIR(status.st_mode))
		more = ".d";
	whole = format_text("%s%s/%s", name, more, file);
	free(name);
	return whole;
}

/* Does somebody keep us from a lock? Of a shared one, only control_lock() does. */
static bool is_refused(int lock)
{
	return flock(dir, lock | LOCK_NB) && errno == EWOULDBLOCK;
}

int control_lock(void)
{
	const struct timespec moment = { .tv_nsec = 1000 * 1000 };

	/* control_is_locked() of another command holds a shared lock for a moment */
	while (is_refused(LOCK_EX)) {
		if (is_refused(LOCK_SH))
			return say("another \"markers\" is recording or changes settings");
		flock(dir, LOCK_UN);
		nanosleep(&moment, NULL);
	}
	return flock(dir, LOCK_EX | LOCK_NB) ? say_errno("%s: flock", path) : STATUS_OK;
}

bool control_is_locked(void)
{
	bool locked = is_refused(LOCK_SH);

	flock(dir, LOCK_UN);
	return locked;
}

/* Lockdown for confidentiality lets nobody open a file. */
static void say_file(const char *file)
{
	if (errno == EPERM)
		say("%s/%s: %s: \"markers doctor\" says more", path, file, strerror(errno));
	else
		say_errno("%s/%s", path, file);
}

char *control_read(const char *file)
{
	char *text = file_read(dir, file, NULL);

	if (!text)
		say_file(file);
	return text;
}

/* The last message of error_log. It points into @log. */
static const char *last_message(char *log)
{
	char *message = log, *at;

	for (at = log; at; at = strstr(at, "\n[")) {
		at += *at == '\n';
		message = at;
	}
	return message;
}

void control_say_refused(const char *file, const char *before)
{
	int err = errno;
	char *log;

	log = file_read(top, "error_log", NULL);
	if (log && *log && (!before || strcmp(before, log))) {
		const char *message = last_message(log);
		const char *text = strstr(message, "] ");

		message = text ? text + 2 : message;
		log[strlen(log) - (log[strlen(log) - 1] == '\n')] = '\0';
		say("%s: %s: %s", file, strerror(err), message);
	} else {
		errno = err;
		say_file(file);
	}
	free(log);
}

char *control_rules(void)
{
	/* only the directory at the top, which the parameter is about, has this file */
	return control_has("error_log") ? file_read(AT_FDCWD, "/sys/module/markers/parameters/enable", NULL) : NULL;
}

int control_try(const char *file, int flags, const char *text)
{
	return file_write(dir, file, flags, text);
}

int control_write_top(const char *file, const char *text)
{
	char *before = file_read(top, "error_log", NULL);
	int status = STATUS_OK, err;

	if (file_write(top, file, 0, text)) {
		err = errno;
		control_say_refused(file, before);
		errno = err;
		status = STATUS_FAILED;
	}
	free(before);
	return status;
}

int control_write(const char *file, int flags, const char *text)
{
	char *before = file_read(top, "error_log", NULL);
	int status = STATUS_OK, err;

	if (control_try(file, flags, text)) {
		err = errno;
		control_say_refused(file, before);
		errno = err;
		status = STATUS_FAILED;
	}
	free(before);
	return status;
}

int control_open_file(const char *file, int flags)
{
	char *before = file_read(top, "error_log", NULL);
	int fd = openat(dir, file, flags | O_CLOEXEC);

	if (fd < 0)
		control_say_refused(file, before);
	free(before);
	return fd;
}

int control_names(const char *file, struct names *names)
{
	char *text = control_read(file);

	*names = (struct names){};
	if (!text)
		return STATUS_FAILED;
	names_parse(names, text);
	return STATUS_OK;
}

static int compare_cpus(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int control_cpus(int **cpus)
{
	struct dirent *entry;
	int nr = 0, cpu, fd;
	DIR *list;

	*cpus = NULL;
	fd = openat(dir, "per_cpu", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	list = fd < 0 ? NULL : fdopendir(fd);
	if (!list) {
		say_errno("%s/per_cpu", path);
		return 0;
	}
	while ((entry = readdir(list))) {
		if (sscanf(entry->d_name, "cpu%d", &cpu) != 1)
			continue;
		*cpus = need_memory(realloc(*cpus, (nr + 1) * sizeof(**cpus)));
		(*cpus)[nr++] = cpu;
	}
	closedir(list);
	if (nr)
		qsort(*cpus, nr, sizeof(**cpus), compare_cpus);
	return nr;
}

int control_stats(int cpu, struct cpu_stats *stats)
{
	unsigned long long number;
	char name[64], *text, *at;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/stats", cpu);
	text = control_read(name);
	if (!text)
		return STATUS_FAILED;
	memset(stats, 0, sizeof(*stats));
	for (at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		if (sscanf(at, "%63[^:]: %llu", name, &number) != 2)
			continue;
		if (!strcmp(name, "written"))
			stats->written = number;
		else if (!strcmp(name, "read"))
			stats->read = number;
		else if (!strcmp(name, "unread"))
			stats->unread = number;
		else if (!strcmp(name, "open"))
			stats->open = number;
		else if (!strcmp(name, "lost"))
			stats->lost = number;
	}
	free(text);
	return STATUS_OK;
}

bool control_has_events(void)
{
	struct cpu_stats stats;
	bool has = false;
	int i, nr, *cpus;

	nr = control_cpus(&cpus);
	for (i = 0; i < nr && !has; i++)
		has = control_stats(cpus[i], &stats) || stats.unread + stats.open;
	free(cpus);
	return has;
}

void control_look_for_others(void)
{
	char *names = control_instance || control_has_events() ? NULL : list_instances();

	if (names && *names)
		say("the recording at the top has no events; --instance is for one of:%s", names);
	free(names);
}
