// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "control.h"
#include "instances.h"

static char *made;	/* the name of ours */

/* Tries, with 10 ms between them, as long as a reader keeps an instance busy. */
#define TRIES	500

static int try_remove(const char *name, int tries)
{
	const struct timespec moment = { .tv_nsec = 10 * 1000 * 1000 };
	int err;

	while ((err = file_write(control_top(), "instances/remove", 0, name)) &&
	       errno == EBUSY && --tries > 0)
		nanosleep(&moment, NULL);
	return err;
}

/* Is the directory of a command that was killed? Its lock went with the last of its processes. */
static bool is_dead(int instances, const char *name)
{
	int fd;
	bool dead;

	if (strncmp(name, INSTANCE_PREFIX, strlen(INSTANCE_PREFIX)))
		return false;
	fd = openat(instances, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	dead = !flock(fd, LOCK_EX | LOCK_NB);
	close(fd);
	return dead;
}

/* Those of other users may stay. */
static void remove_dead(int instances)
{
	int fd = openat(instances, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (is_dead(instances, entry->d_name) && !try_remove(entry->d_name, 1))
			say("the instance %s of a command that was killed is removed",
			    entry->d_name);
	if (list)
		closedir(list);
}

/* Two containers may have a process of the same number. Return: 0, or -1 with errno. */
static int make_named(void)
{
	unsigned int nr = 1;
	int err;

	do {
		free(made);
		made = nr == 1 ? format_text(INSTANCE_PREFIX "%d", getpid()) :
		       format_text(INSTANCE_PREFIX "%d.%u", getpid(), nr);
		err = file_write(control_top(), "instances/make", 0, made);
	} while (err && errno == EEXIST && nr++ < 100);
	return err;
}

/* @before: error_log before that */
static enum instance_made refused(const char *before)
{
	int err = errno;

	control_say_refused("instances/make", before);
	if (err == EACCES)
		say("--top uses the recording at the top, --instance NAME an instance that is there");
	return INSTANCE_FAILED;
}

static enum instance_made make_and_lock(int instances)
{
	char *before = file_read(control_top(), "error_log", NULL);
	enum instance_made status = INSTANCE_MADE;
	int fd;

	if (make_named()) {
		status = refused(before);
		free(made);
		made = NULL;
	}
	free(before);
	if (status != INSTANCE_MADE)
		return status;
	fd = openat(instances, made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB)) {
		say_errno("instances/%s", made);
		try_remove(made, 1);
		return INSTANCE_FAILED;
	}
	control_switch(fd, made);
	return status;
}

enum instance_made instance_make(void)
{
	int instances = openat(control_top(), "instances", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum instance_made status;

	/* an older markers.ko, or MARKERS_DIR is an instance */
	if (instances < 0 && errno == ENOENT)
		return INSTANCE_NONE;
	/* another command must not see ours before it is locked */
	if (instances < 0 || flock(instances, LOCK_EX)) {
		say_errno("%s/instances", control_path());
		return INSTANCE_FAILED;
	}
	remove_dead(instances);
	status = make_and_lock(instances);
	close(instances);
	return status;
}

const char *instance_name(void)
{
	return made;
}

int instance_remove(void)
{
	if (!try_remove(made, TRIES))
		return STATUS_OK;
	return control_write_top("instances/remove", made);
}
