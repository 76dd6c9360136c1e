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

#include "../base/message.h"
#include "../ctf/trace_dir.h"
#include "earlier.h"
#include "info.h"
#include "parts.h"

#define LOCK_TRIES	100	/* while the guard of the last start completes its recording */
#define LOCK_US		100000
#define ROOM		".room"
#define ROOM_SIZE	(16 << 20)	/* for the symbols of the kernel, and what each recording has */

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

static int open_start(const struct earlier *earlier, const char *name)
{
	return openat(earlier->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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
		earlier->parts += parts_size(dir, &earlier->bytes);
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

/* Return: 0, or -1 with errno, which is ENOENT if it has none. */
static int remove_from(struct earlier *earlier, const char *name)
{
	int dir = open_start(earlier, name), err = 0;
	uint64_t size;

	if (dir < 0 || parts_remove_oldest(dir, &size))
		err = errno;
	if (!err) {
		earlier->parts -= earlier->parts > 0;
		earlier->bytes -= size < earlier->bytes ? size : earlier->bytes;
		earlier->nr_removed++;
		remove_start(earlier, name, dir);
	}
	if (dir >= 0)
		close(dir);
	errno = err;
	return err ? -1 : 0;
}

bool earlier_remove(struct earlier *earlier)
{
	struct dirent **list;
	bool removed = false;
	int nr, i;

	if (!earlier->path)
		return false;
	nr = list_starts(earlier, &list);
	for (i = 0; i < nr && !removed; i++) {
		removed = !remove_from(earlier, list[i]->d_name);
		if (!removed && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
			say_errno("%s/%s: its oldest part is not removed, so the limit is that of this recording alone",
				  earlier->path, list[i]->d_name);
			earlier->path = NULL;
			break;
		}
	}
	free_list(list, nr);
	if (!removed) {
		earlier->parts = 0;
		earlier->bytes = 0;
	}
	return removed;
}

void earlier_make_room(struct earlier *earlier)
{
	int fd, err;

	if (!earlier->path)
		return;
	do {
		fd = openat(earlier->dir, ROOM, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		err = fd < 0 || fallocate(fd, 0, 0, ROOM_SIZE) ? errno : 0;
		if (fd >= 0)
			close(fd);
		unlinkat(earlier->dir, ROOM, 0);
	} while ((err == ENOSPC || err == EDQUOT) && earlier_remove(earlier));
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
