// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/temporary.h"
#include "layout.h"
#include "packets.h"
#include "trace_dir.h"
#include "trace_files.h"

#define MAX_STRAYS	3	/* files that we name */

#define tell(files, ...)	((files)->quiet ? STATUS_FAILED : say(__VA_ARGS__))

/* Is it the path of a chunk of a recording made with --rotate? */
static bool is_chunk(const char *path)
{
	const char *slash = strrchr(path, '/');

	return trace_dir_is_part(slash ? slash + 1 : path);
}

/* Return: whether it has metadata; if not, errno says why. */
static bool has_metadata(const char *path)
{
	char *metadata = format_text("%s/metadata", path);
	bool has = !access(metadata, F_OK);

	free(metadata);
	return has;
}

/* Return: the path as a word for the shell, to be freed. */
static char *quote(const char *path)
{
	char *word = need_memory(malloc(4 * strlen(path) + sizeof("''"))), *at = word;

	*at++ = '\'';
	for (; *path; path++) {
		if (*path == '\'')
			at = stpcpy(at, "'\\'");
		*at++ = *path;
	}
	strcpy(at, "'");
	return word;
}

/*
 * May the user be told to take this directory? The root directory and those in it are the
 * system's, such as /root and /lost+found. If we cannot see metadata, we know a recording of
 * root by the names of its chunks, or guess it by its mode.
 */
static bool is_recording(const char *dir, bool known)
{
	char *whole = realpath(dir, NULL);
	struct stat file;
	bool is;

	is = whole && strrchr(whole, '/') != whole &&
	     (known || (!stat(dir, &file) && S_ISDIR(file.st_mode) &&
			(file.st_mode & 0777) == 0700));
	free(whole);
	return is;
}

/* Recordings of root are for root only. @path is the directory of a trace, @what is in it. */
static int say_refused(const struct trace_files *files, const char *path, const char *what)
{
	const char *dir = is_chunk(path) ? files->root : path;
	int error = errno, status;
	char *word;

	if (error != EACCES || !is_recording(dir, is_chunk(path) || has_metadata(path))) {
		errno = error;
		return say_errno("%s", what);
	}
	word = quote(dir);
	status = say("%s: Permission denied; if it is a recording, make it yours: sudo chown -R $USER %s",
		     what, word);
	free(word);
	return status;
}

static int check_access(const struct trace_files *files, const char *path)
{
	char *metadata = format_text("%s/metadata", path);
	int status = STATUS_OK;

	if (access(path, R_OK | X_OK))
		status = say_refused(files, path, path);
	else if (access(metadata, R_OK))
		status = say_refused(files, path, metadata);
	free(metadata);
	return status;
}

static void add(struct trace_files *files, char *path)
{
	files->path = need_memory(realloc(files->path, (files->nr + 1) * sizeof(*files->path)));
	files->temporary = need_memory(realloc(files->temporary,
					       (files->nr + 1) * sizeof(*files->temporary)));
	files->temporary[files->nr] = NULL;
	files->path[files->nr++] = path;
}

/* Does a stream lie beside its metadata? */
static bool has_stream(const char *path)
{
	struct dirent *entry;
	DIR *list = opendir(path);
	bool has = !list;	/* check_access() says why it cannot be read */

	while (!has && (entry = readdir(list)))
		has = trace_dir_stream(entry->d_name) >= 0;
	if (list)
		closedir(list);
	return has;
}

/*
 * Add the parts of a recording: those of --rotate, or the snapshots of --snapshot-on. Return:
 * false if one has got another name meanwhile, or is gone.
 */
static bool add_parts(struct trace_files *files, const char *path)
{
	struct dirent **entry;
	bool same = true;
	int i, nr;

	nr = scandir(path, &entry, NULL, versionsort);
	for (i = 0; i < nr; i++) {
		char *part = format_text("%s/%s", path, entry[i]->d_name);

		if (entry[i]->d_name[0] != '.' &&
		    (has_metadata(part) || (errno == EACCES && is_chunk(part)))) {
			add(files, part);
		} else {
			if (is_chunk(part) && access(part, F_OK) && errno == ENOENT) {
				same = false;
			} else if (is_chunk(part) && has_stream(part)) {
				say("%s: is left out: it has no file \"metadata\"", part);
				files->damaged = true;
			}
			free(part);
		}
		free(entry[i]);
	}
	if (nr >= 0)
		free(entry);
	return same;
}

/*
 * Measure the complete packets at the beginning of a stream, and tell the user what is wrong
 * with the rest. Return: their bytes; -1 if the stream cannot be opened.
 */
static off_t good_size(const struct trace_files *files, const char *path, const char *shown,
		       long cpu, off_t size)
{
	struct packets packets = {};
	const char *wrong;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		say_errno("%s", shown);
		return -1;
	}
	wrong = packets_walk(&packets, fd, size);
	close(fd);
	if (packets.whole && packets.cpu != cpu) {
		tell(files, "%s: its events are of CPU %u, so they are left out", shown, packets.cpu);
		return 0;
	}
	if (wrong)
		tell(files, "%s: at byte %lld: %s", shown, (long long)packets.whole, wrong);
	else if (packets.whole != size)
		tell(files, "%s: at byte %lld: a packet is cut off", shown, (long long)packets.whole);
	return packets.whole;
}

/* @shown: the file that @in is */
static int copy_part(int in, const char *shown, const char *to, off_t size)
{
	int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	int status = STATUS_OK;

	errno = 0;
	if (in < 0 || out < 0 || file_append(out, in, size))
		status = errno ? say_errno("%s: cannot copy its good part to %s", shown, to) :
			 say("%s: it changed while it was read", shown);
	if (out >= 0)
		close(out);
	return status;
}

/* Is it the name of a file of a trace? */
static bool is_part(const char *name)
{
	return !strcmp(name, "metadata") || trace_dir_stream(name) >= 0;
}

static int make_link(const char *path, const char *dir, const char *name)
{
	char *from = format_text("%s/%s", path, name), *to = temporary_file(dir, name);
	int status = symlink(from, to);

	free(from);
	free(to);
	return status;
}

/*
 * Make a directory of links to the files of a trace, so that we can replace some of them.
 * Return: NULL, and says why, if not all are there.
 */
static char *make_links(const char *path, struct dirent **entry, int nr)
{
	char *whole = realpath(path, NULL), *dir;
	int i, status = STATUS_OK;

	if (!whole) {
		say_errno("%s", path);
		return NULL;
	}
	dir = temporary_create();
	for (i = 0; i < nr && dir && !status; i++)
		if (is_part(entry[i]->d_name) && make_link(whole, dir, entry[i]->d_name))
			status = say_errno("%s/%s: cannot link to it in %s", path,
					   entry[i]->d_name, dir);
	free(whole);
	if (!status)
		return dir;
	temporary_remove(dir);
	return NULL;
}

static int replace(const char *dir, const char *name, const char *from, const char *shown,
		   off_t size)
{
	char *to = format_text("%s/%s", dir, name);
	int status = STATUS_OK, in = open(from, O_RDONLY | O_CLOEXEC);

	unlink(to);
	if (size > 0)
		status = copy_part(in, shown, to, size);
	if (in >= 0)
		close(in);
	free(to);
	return status;
}

/* libbabeltrace2 opens each stream, too, and so do we to find losses. */
static bool is_too_many(int fd)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) && (rlim_t)fd > limit.rlim_cur / 4;
}

/* Link to a file that stays open, whatever becomes of its name. Return: 0, or -1 with errno. */
static int keep_open(int part, const char *dir, const char *name)
{
	int fd = openat(part, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC), err;
	char link[32], *to;

	if (fd < 0)
		return -1;
	if (is_too_many(fd)) {
		close(fd);
		errno = EMFILE;
		return -1;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	to = temporary_file(dir, name);
	err = symlink(link, to);
	free(to);
	return err;
}

/*
 * A recording that goes on gives its parts other names, and removes some. So read the files that
 * a part has now, which stay open until the program ends. Return: the substitute; or NULL with
 * errno, and the part is read where it is.
 */
static char *keep_part(const char *path)
{
	int part = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *list = part < 0 ? NULL : fdopendir(part);
	struct dirent *entry;
	char *dir;

	if (!list)
		return NULL;
	dir = temporary_create();
	if (!dir)
		err = EIO;	/* the part is read where it is */
	while (!err && (entry = readdir(list)))
		if (*entry->d_name != '.' && keep_open(part, dir, entry->d_name))
			err = errno;
	closedir(list);
	if (!err)
		return dir;
	temporary_remove(dir);
	errno = err;
	return NULL;
}

/* Return: false if a part has got another name since it was found, or is gone. */
static bool keep_parts(struct trace_files *files)
{
	bool is_open = false;
	size_t i;

	for (i = 0; i < files->nr; i++)
		is_open |= is_chunk(files->path[i]) && strchr(strrchr(files->path[i], '/'), '.');
	for (i = 0; i < files->nr && is_open; i++) {
		files->temporary[i] = keep_part(files->path[i]);
		if (!files->temporary[i] && errno == ENOENT)
			return false;
	}
	return true;
}

/*
 * Find what to replace: a damaged stream, and files that libbabeltrace2 would take for a
 * stream. Return: whether the substitute has to differ, by @size bytes of that stream.
 */
static bool is_wrong(struct trace_files *files, const char *path, const char *shown,
		     const char *name, off_t *size)
{
	long cpu = trace_dir_stream(name);
	struct stat file;

	*size = 0;
	if (*name == '.' || !strcmp(name, "metadata") || stat(path, &file) ||
	    !S_ISREG(file.st_mode))
		return false;
	if (cpu < 0) {
		if (files->nr_strays++ < MAX_STRAYS)
			tell(files, "%s: " NO_STREAM, shown);
		return true;
	}
	*size = good_size(files, path, shown, cpu, file.st_size);
	if (*size == file.st_size)
		return false;
	files->damaged = true;
	return true;
}

/*
 * Another tracer's streams have other names: say so before we leave them all out. And say what
 * aborts libbabeltrace2.
 */
static int check_metadata(const struct trace_files *files, size_t i)
{
	char *path = format_text("%s/metadata", trace_files_path(files, i)), *text, *wrong;
	char *metadata = format_text("%s/metadata", files->path[i]);
	int status = STATUS_OK;
	size_t size;

	text = file_read(AT_FDCWD, path, &size);
	wrong = text ? layout_check_tracer(text, size) ?: layout_check_names(text, size) : NULL;
	if (!text)
		status = say_errno("%s", metadata);
	else if (wrong)
		status = tell(files, "%s: %s", metadata, wrong);
	free(wrong);
	free(text);
	free(metadata);
	free(path);
	return status;
}

static int check_streams(struct trace_files *files, size_t i)
{
	const char *dir = trace_files_path(files, i);	/* it may get a substitute */
	struct dirent **entry;
	int n, nr, status = STATUS_OK;
	off_t size;

	nr = scandir(dir, &entry, NULL, alphasort);
	if (nr < 0)
		return say_errno("%s", files->path[i]);
	for (n = 0; n < nr && !status; n++) {
		char *path = format_text("%s/%s", dir, entry[n]->d_name);
		char *shown = format_text("%s/%s", files->path[i], entry[n]->d_name);

		if (is_wrong(files, path, shown, entry[n]->d_name, &size)) {
			if (!files->temporary[i])
				files->temporary[i] = make_links(files->path[i], entry, nr);
			status = files->temporary[i] ?
				 replace(files->temporary[i], entry[n]->d_name, path, shown, size) :
				 STATUS_FAILED;
		}
		free(shown);
		free(path);
	}
	while (nr)
		free(entry[--nr]);
	free(entry);
	return status;
}

/* No trace is here, and none in a directory below. */
static int say_none(const char *path)
{
	char *info = format_text("%s/info/clock", path);
	bool recorded = !access(info, F_OK);

	free(info);
	if (access(path, R_OK))
		return say_errno("%s", path);
	return recorded ? say("%s: no trace is in this recording: it has no parts or snapshots", path) :
	       say("%s: not a recording: it has no file \"metadata\"", path);
}

#define TRIES	10	/* to list parts while others come and go */

int trace_files_find(struct trace_files *files, const char *path)
{
	bool refused = !has_metadata(path) && errno == EACCES;
	bool has = !refused && has_metadata(path);
	int status = STATUS_OK, try = 0;
	size_t i;

	memset(files, 0, sizeof(*files));
	files->root = path;
	/* metadata without a stream describes nothing, and may stand beside parts */
	if (!refused && !(has && has_stream(path)))
		while (!(add_parts(files, path) && keep_parts(files)) && ++try < TRIES) {
			trace_files_close(files);
			memset(files, 0, sizeof(*files));
			files->root = path;
		}
	if (!files->nr && (refused || has))
		add(files, need_memory(strdup(path)));
	if (!files->nr)
		return say_none(path);
	for (i = 0; i < files->nr && !status; i++)
		if (!files->temporary[i])
			status = check_access(files, files->path[i]);
	return status;
}

int trace_files_check(struct trace_files *files)
{
	int status = STATUS_OK;
	size_t i;

	for (i = 0; i < files->nr && !status; i++)
		status = check_metadata(files, i) ?: check_streams(files, i);
	if (files->nr_strays > MAX_STRAYS)
		tell(files, "%s: %u such files in all", files->root, files->nr_strays);
	return status;
}

int trace_files_open(struct trace_files *files, const char *path)
{
	int status = trace_files_find(files, path);

	if (!status)
		status = trace_files_check(files);
	if (status)
		trace_files_close(files);
	return status;
}

void trace_files_close(struct trace_files *files)
{
	size_t i;

	for (i = 0; i < files->nr; i++) {
		temporary_remove(files->temporary[i]);
		free(files->path[i]);
	}
	free(files->temporary);
	free(files->path);
	files->nr = 0;
}

bool trace_files_have_stream(const struct trace_files *files)
{
	size_t i = 0;

	while (i < files->nr && !has_stream(trace_files_path(files, i)))
		i++;
	return i < files->nr;
}

const char *trace_files_path(const struct trace_files *files, size_t i)
{
	return files->temporary[i] ? files->temporary[i] : files->path[i];
}

char *trace_files_text(const struct trace_files *files, const char *text)
{
	char *known = need_memory(strdup(text)), *at, *new;
	size_t i;

	for (i = 0; i < files->nr; i++) {
		while (files->temporary[i] && (at = strstr(known, files->temporary[i]))) {
			new = format_text("%.*s%s%s", (int)(at - known), known, files->path[i],
					  at + strlen(files->temporary[i]));
			free(known);
			known = new;
		}
	}
	return known;
}
