// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../control/control.h"
#include "../control/settings.h"
#include "../ctf/trace_dir.h"
#include "info.h"
#include "kallsyms.h"
#include "parts.h"
#include "recording.h"

#define RESERVE_SIZE	(256 * 1024)

char *recording_name(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[64];

	localtime_r(&now, &tm);
	strftime(text, sizeof(text), "markers-%Y%m%d-%H%M%S", &tm);
	return need_memory(strdup(text));
}

/* Is the directory empty, apart from hidden files? */
static bool is_empty(int dir)
{
	struct dirent *entry;
	bool empty = true;
	DIR *list;
	int fd;

	fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	list = fd < 0 ? NULL : fdopendir(fd);
	while (list && empty && (entry = readdir(list)))
		empty = entry->d_name[0] == '.';
	if (list)
		closedir(list);
	return empty;
}

/* A place that cannot be written to, and errno says why. */
static int say_place(const char *path)
{
	return say("%s: %s; %s-o names another directory", path, strerror(errno),
		   file_disk_is_full(errno) ? "make room, or " : "");
}

static int say_not_empty(const char *path)
{
	return say("%s: is not empty; -o names another directory", path);
}

static int open_dir(struct recording *recording, const char *path)
{
	recording->path = path;
	recording->reserve = -1;
	recording->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (recording->dir < 0)
		return say_place(path);
	if (faccessat(recording->dir, ".", W_OK | X_OK, AT_EACCESS)) {
		say_place(path);
		close(recording->dir);
		return STATUS_FAILED;
	}
	if (!is_empty(recording->dir)) {
		close(recording->dir);
		return say_not_empty(path);
	}
	return STATUS_OK;
}

int recording_create(struct recording *recording, const char *path)
{
	recording->made = !mkdir(path, 0700);
	if (!recording->made && errno != EEXIST)
		return say_place(path);
	return open_dir(recording, path);
}

int recording_create_new(struct recording *recording, char **path)
{
	char *name = recording_name();
	unsigned int nr = 1;

	*path = need_memory(strdup(name));
	/* somebody else may begin in the same second */
	while (mkdir(*path, 0700)) {
		if (errno != EEXIST)
			return say_place(*path);
		free(*path);
		*path = format_text("%s-%u", name, ++nr);
	}
	free(name);
	recording->made = true;
	return open_dir(recording, *path);
}

#define LOCK_TRIES	10	/* while a recorder with --below looks whether somebody has the lock */
#define LOCK_US		10000

/* Lock it. Return: whether another recorder writes there. */
static bool is_taken(const struct recording *recording)
{
	int tries = LOCK_TRIES;

	while (flock(recording->reserve, LOCK_EX | LOCK_NB)) {
		/* without locks nobody else knows, and the recording is good, too */
		if (errno != EWOULDBLOCK)
			return false;
		if (!tries--)
			return true;
		usleep(LOCK_US);
	}
	return false;
}

static bool has_begun(const struct recording *recording)
{
	struct stat file;

	return !fstat(recording->reserve, &file) && file.st_size;
}

int recording_take(struct recording *recording)
{
	recording->reserve = openat(recording->dir, TRACE_DIR_RESERVE,
				    O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (recording->reserve < 0) {
		say_place(recording->path);
		recording_remove(recording);
		return STATUS_FAILED;
	}
	if (is_taken(recording))
		return say("another recorder writes to %s; -o names another directory", recording->path);
	/* one that had the lock until now may have left a recording */
	if (!is_empty(recording->dir)) {
		if (!has_begun(recording))
			unlinkat(recording->dir, TRACE_DIR_RESERVE, 0);
		return say_not_empty(recording->path);
	}
	return STATUS_OK;
}

static int reserve_room(const struct recording *recording)
{
	errno = posix_fallocate(recording->reserve, 0, RESERVE_SIZE);
	return errno ? -1 : 0;
}

/* If @size is 0, there is nothing to complete. */
static void give_room(const struct recording *recording, off_t size)
{
	if (ftruncate(recording->reserve, size))
		unlinkat(recording->dir, TRACE_DIR_RESERVE, 0);
}

int recording_begin(const struct recording *recording, const struct settings *settings)
{
	int dir = recording->dir, info = info_open(dir), err;

	err = info < 0 || info_begin(info, settings, "begin") || reserve_room(recording);
	if (err) {
		say_place(recording->path);
		give_room(recording, 0);
	}
	if (info >= 0)
		close(info);
	if (err)
		return STATUS_FAILED;
	return recording->parts ? STATUS_OK : parts_metadata(dir, "ctf/metadata");
}

static int complete(const struct recording *recording)
{
	int dir = recording->dir, status, info;

	status = recording->parts ? parts_complete(dir) : parts_metadata(dir, "ctf/metadata");
	info = info_open(dir);
	if (info < 0)
		return say_errno("info of the recording");
	info_end(info);
	close(info);
	return status;
}

int recording_end(const struct recording *recording)
{
	int status = STATUS_OK;

	if (has_begun(recording)) {
		/* if we are killed, another process completes it */
		give_room(recording, 1);
		status = complete(recording);
	}
	/* until here nobody else may take it for one that has ended */
	unlinkat(recording->dir, TRACE_DIR_RESERVE, 0);
	return status;
}

void recording_remove(struct recording *recording)
{
	int dir = recording->dir;

	unlinkat(dir, TRACE_DIR_RESERVE, 0);
	info_remove(dir);
	parts_remove(dir);
	trace_dir_clear(dir);
	if (recording->made)
		rmdir(recording->path);
}

/* @revoked: set if the kernel took a buffer away, because another trace began */
static int copy_streams(int dir, const char *from, bool *revoked)
{
	int nr, i, *cpus, status = STATUS_OK;
	struct stat stat;

	nr = control_cpus(&cpus);
	for (i = 0; i < nr && !status && !*revoked; i++) {
		char *source = format_text("%s/stream_%d", from, cpus[i]);
		const char *name = strchr(source, '/') + 1;

		if (!file_copy(control_fd(), source, dir, name))
			errno = 0;
		if (errno == ESTALE)
			*revoked = true;
		else if (errno)
			status = say_errno("%s", source);
		else if (!fstatat(dir, name, &stat, 0) && !stat.st_size)
			unlinkat(dir, name, 0);
		free(source);
	}
	free(cpus);
	return nr ? status : STATUS_FAILED;
}

/* Are both of one trace? Metadata get longer while modules come, but not another uuid. */
static bool is_same_trace(const char *a, const char *b)
{
	static const char key[] = "uuid = \"";

	a = strstr(a, key);
	b = strstr(b, key);
	return a && b ? !strncmp(a, b, strcspn(a, ";")) : a == b;
}

/* Copy streams and metadata once. @same: set to whether they are of one trace. */
static int try_copy(int dir, const char *from, const char *metadata, bool *same)
{
	char *before = control_read(metadata), *after = NULL;
	bool revoked = false;
	int status = before ? copy_streams(dir, from, &revoked) : STATUS_FAILED;

	/* Copy the metadata last, so that it describes all events of the streams. */
	if (!status && !revoked) {
		status = parts_metadata(dir, metadata);
		after = status ? NULL : file_read(dir, "metadata", NULL);
		if (!status && !after)
			status = say_errno("metadata of the recording");
	}
	*same = after && is_same_trace(before, after);
	free(before);
	free(after);
	return status;
}

#define TRIES	5	/* to copy a trace while others begin */

static int copy_trace(int dir, const char *from)
{
	char *metadata = format_text("%s/metadata", from);
	int status, try = 0;
	bool same;

	do {
		status = try_copy(dir, from, metadata, &same);
	} while (!status && !same && ++try < TRIES);
	if (!status && !same)
		status = say("%s/%s: another trace began during each of %d copies: try again when no snapshots are taken, and sizes, the clock and the contexts stay",
			     control_path(), from, TRIES);
	free(metadata);
	return status;
}

static int fill(const struct recording *recording, const char *from)
{
	int dir = recording->dir, info = info_open(dir), status;
	struct settings settings;

	status = settings_save(&settings);
	if (!status && (info < 0 || info_begin(info, &settings, "end")))
		status = say_errno("%s/info", recording->path);
	settings_free(&settings);
	if (!status)
		status = copy_trace(dir, from);
	if (!status && (file_copy(AT_FDCWD, "/proc/modules", info, "modules") ||
			kallsyms_copy(info)))
		say_errno("%s/info/symbols are left out", recording->path);
	if (info >= 0)
		close(info);
	return status;
}

/* Remove an incomplete recording: it would block the next one. */
static int fill_or_remove(struct recording *recording, const char *from)
{
	int status = fill(recording, from);

	if (status)
		recording_remove(recording);
	else
		close(recording->dir);
	return status;
}

int recording_copy(const char *path, const char *from)
{
	struct recording recording;

	if (recording_create(&recording, path))
		return STATUS_FAILED;
	return fill_or_remove(&recording, from);
}

int recording_snapshot(const char *path)
{
	struct recording recording;

	if (recording_create(&recording, path))
		return STATUS_FAILED;
	if (control_write("snapshot", 0, "1")) {
		recording_remove(&recording);
		return STATUS_FAILED;
	}
	if (!fill_or_remove(&recording, "snapshot_ctf"))
		return STATUS_OK;
	return say("the snapshot stays in memory: \"markers snapshot --keep\" copies it");
}
