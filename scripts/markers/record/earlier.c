// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../ctf/trace_dir.h"
#include "earlier.h"
#include "info.h"
#include "parts.h"

#define LOCK_TRIES	100	/* while the guard of the last start completes its recording */
#define LOCK_US		100000
#define ROOM		".room"

/* Compare with "markers-00000000-000000", or one with a number behind it. Return: what follows, or NULL. */
static const char *behind_date(const char *name)
{
	const char *like;

	for (like = "markers-00000000-000000"; *like; like++, name++)
		if (*like == '0' ? !isdigit((unsigned char)*name) : *like != *name)
			return NULL;
	return name;
}

static int is_start(const struct dirent *entry)
{
	const char *rest = behind_date(entry->d_name);

	return rest && (!*rest || (*rest == '-' && rest[1] && !rest[1 + strspn(rest + 1, "0123456789")]));
}

static void free_list(struct dirent **list, int nr)
{
	while (nr > 0)
		free(list[--nr]);
	free(list);
}

/* List the starts before this one, the oldest first. Return: their number. */
static int list_starts(const struct earlier *earlier, struct dirent ***list)
{
	int nr = scandirat(earlier->dir, ".", list, is_start, versionsort);

	if (nr < 0) {
		*list = NULL;
		return 0;
	}
	while (nr > 0 && earlier->own && strverscmp((*list)[nr - 1]->d_name, earlier->own) >= 0)
		free((*list)[--nr]);
	return nr;
}

/* Does a recorder without --below write there, which does not know that lock? */
static bool is_taken(int dir)
{
	int fd = openat(dir, TRACE_DIR_RESERVE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool taken = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return taken;
}

/* Return: the directory of a start that has ended, or -1. */
static int open_start(const struct earlier *earlier, const char *name)
{
	int dir = openat(earlier->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir < 0 || !is_taken(dir))
		return dir;
	close(dir);
	return -1;
}

/* Has it nothing but facts, and hidden files as the state of a sender? */
static bool is_empty(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	bool empty = list;
	struct dirent *entry;

	while (empty && (entry = readdir(list)))
		empty = *entry->d_name == '.' || !strcmp(entry->d_name, "info");
	if (list)
		closedir(list);
	return empty;
}

static void remove_hidden(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (*entry->d_name == '.')
			unlinkat(dir, entry->d_name, 0);	/* no directory */
	if (list)
		closedir(list);
}

/* Remove a recording without parts, unless there is something else in it. */
static void remove_start(const struct earlier *earlier, const char *name, int dir)
{
	if (!is_empty(dir))
		return;
	info_remove(dir);
	remove_hidden(dir);
	unlinkat(earlier->dir, name, AT_REMOVEDIR);
}

/* Could a part of a start not be removed? @part: its name, or "" for any */
static bool is_stuck(const struct earlier *earlier, const char *start, const char *part)
{
	char *path = format_text("%s/%s", start, part);
	size_t size = strlen(path) + (*part != '\0');	/* with the end of the text */
	unsigned int i;

	for (i = 0; i < earlier->nr_stuck && strncmp(earlier->stuck[i], path, size); i++)
		;
	free(path);
	return i < earlier->nr_stuck;
}

/* A part cannot be removed, and errno says why. Those of a start are told once. */
static void leave_part(struct earlier *earlier, const char *start, const char *part)
{
	if (!is_stuck(earlier, start, ""))
		say_errno("%s/%s/%s is not removed, so the limits leave it out",
			  earlier->path, start, part);
	earlier->stuck = need_memory(realloc(earlier->stuck, (earlier->nr_stuck + 1) *
					     sizeof(*earlier->stuck)));
	earlier->stuck[earlier->nr_stuck++] = format_text("%s/%s", start, part);
}

/* List the parts of a start that count, the oldest first. Return: their number. */
static int list_parts(const struct earlier *earlier, const char *start, int dir,
		      struct dirent ***list)
{
	int all = parts_list(dir, list), nr = 0, i;

	for (i = 0; i < all; i++) {
		if (is_stuck(earlier, start, (*list)[i]->d_name))
			free((*list)[i]);
		else
			(*list)[nr++] = (*list)[i];
	}
	return nr;
}

static void count_start(struct earlier *earlier, const char *name, int dir)
{
	struct dirent **list;
	int nr = list_parts(earlier, name, dir, &list), i;

	for (i = 0; i < nr; i++)
		earlier->bytes += parts_size(dir, list[i]->d_name);
	if (nr)
		earlier->bytes += parts_info_size(dir);
	earlier->parts += nr;
	free_list(list, nr);
}

void earlier_count(struct earlier *earlier)
{
	struct dirent **list;
	int nr, i, dir;

	if (!earlier->path)
		return;
	nr = list_starts(earlier, &list);
	earlier->parts = 0;
	earlier->bytes = 0;
	for (i = 0; i < nr; i++) {
		dir = open_start(earlier, list[i]->d_name);
		if (dir < 0)
			continue;
		count_start(earlier, list[i]->d_name, dir);
		close(dir);
	}
	free_list(list, nr);
}

void earlier_look(struct earlier *earlier)
{
	struct stat now;

	if (!earlier->path || fstat(earlier->dir, &now) ||
	    (now.st_mtim.tv_sec == earlier->counted.tv_sec &&
	     now.st_mtim.tv_nsec == earlier->counted.tv_nsec))
		return;
	earlier->counted = now.st_mtim;
	earlier_count(earlier);
}

/* Nobody writes there any more. What was killed may have left something. */
static void tidy(const struct earlier *earlier)
{
	struct dirent **list;
	int nr = list_starts(earlier, &list), i, dir;

	for (i = 0; i < nr; i++) {
		dir = open_start(earlier, list[i]->d_name);
		if (dir < 0)
			continue;
		parts_tidy(dir);
		unlinkat(dir, TRACE_DIR_RESERVE, 0);
		remove_start(earlier, list[i]->d_name, dir);
		close(dir);
	}
	free_list(list, nr);
}

/* Return: whether there is more room. */
static bool remove_part(struct earlier *earlier, const char *start, int dir, const char *part)
{
	uint64_t size = parts_size(dir, part), left = 0;
	int err = parts_remove_one(dir, part);

	if (err && errno == ENOENT) {
		/* somebody has moved it away */
		earlier_count(earlier);
		return false;
	}
	if (err) {
		leave_part(earlier, start, part);
		left = parts_size(dir, part);
	} else {
		earlier->nr_removed++;
	}
	earlier->parts -= earlier->parts > 0;
	earlier->bytes -= size < earlier->bytes ? size : earlier->bytes;
	return !err || left < size;
}

/* Return: whether it has a part that counts. */
static bool remove_from(struct earlier *earlier, const char *name, bool *freed)
{
	int dir = open_start(earlier, name), nr;
	struct dirent **list;

	if (dir < 0)
		return false;
	nr = list_parts(earlier, name, dir, &list);
	if (nr) {
		*freed = remove_part(earlier, name, dir, list[0]->d_name);
		remove_start(earlier, name, dir);
	}
	free_list(list, nr);
	close(dir);
	return nr;
}

bool earlier_remove(struct earlier *earlier, bool *freed)
{
	struct dirent **list;
	bool found = false;
	int nr, i;

	*freed = false;
	if (!earlier->path)
		return false;
	nr = list_starts(earlier, &list);
	for (i = 0; i < nr && !found; i++)
		found = remove_from(earlier, list[i]->d_name, freed);
	free_list(list, nr);
	if (!found) {
		earlier->parts = 0;
		earlier->bytes = 0;
	}
	return found;
}

void earlier_make_room(struct earlier *earlier, size_t size)
{
	bool freed;
	int fd, err;

	if (!earlier->path)
		return;
	do {
		fd = openat(earlier->dir, ROOM, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		err = fd < 0 || fallocate(fd, 0, 0, size) ? errno : 0;
		if (fd >= 0)
			close(fd);
		unlinkat(earlier->dir, ROOM, 0);
	} while (file_disk_is_full(err) && earlier_remove(earlier, &freed));
}

static int lock(const struct earlier *earlier)
{
	int tries = LOCK_TRIES;

	while (flock(earlier->dir, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return say_errno("%s", earlier->path);
		if (!tries--)
			return say("%s: another \"markers record --below\" is recording there; name another directory",
				   earlier->path);
		usleep(LOCK_US);
	}
	return STATUS_OK;
}

/* Return: a name behind that of the last start, to be freed. */
static char *next_name(const struct earlier *earlier, const char *name)
{
	struct dirent **list;
	int nr = list_starts(earlier, &list);
	const char *last = nr ? list[nr - 1]->d_name : "", *rest;
	char *next;

	if (strverscmp(name, last) > 0) {
		next = need_memory(strdup(name));
	} else {
		rest = behind_date(last);
		next = format_text("%.*s-%lu", (int)(rest - last), last,
				   *rest ? strtoul(rest + 1, NULL, 10) + 1 : 2);
	}
	free_list(list, nr);
	return next;
}

char *earlier_open(struct earlier *earlier, const char *path, const char *name)
{
	*earlier = (struct earlier){ .path = path, .dir = -1 };
	if (mkdir(path, 0700) && errno != EEXIST) {
		say_errno("%s", path);
		return NULL;
	}
	earlier->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (earlier->dir < 0) {
		say_errno("%s", path);
		return NULL;
	}
	if (lock(earlier))
		return NULL;
	tidy(earlier);
	earlier->own = next_name(earlier, name);
	return format_text("%s/%s", path, earlier->own);
}
