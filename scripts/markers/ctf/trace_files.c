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

#include "../base/message.h"
#include "../base/packed.h"
#include "metadata.h"
#include "trace_dir.h"
#include "trace_files.h"

#define MAX_STRAYS	3	/* files that we name */
#define MAX_LEVELS	4	/* above the traces of a collector: HOST/SESSION/archives/CHUNK */
#define MAX_LOOKS	20000	/* directories: more of them are no recording */

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

/* Nothing was written to the metadata, or the machine crashed before that was on the disk. */
static bool is_empty(const char *path)
{
	char *metadata = format_text("%s/metadata", path);
	struct stat file;
	bool is = !stat(metadata, &file) && S_ISREG(file.st_mode) && !file.st_size;

	free(metadata);
	errno = 0;
	return is;
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
	files->part = need_memory(realloc(files->part, (files->nr + 1) * sizeof(*files->part)));
	files->part[files->nr++] = (struct trace_part){ .path = path };
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

/* Is it a trace by its name, below the folders of a collector or of a user? */
static bool is_named_trace(const char *name)
{
	return !strcmp(name, TRACE_DIR_SENT) || trace_dir_is_part(name) ||
	       !strncmp(name, "snapshot-", strlen("snapshot-"));
}

/*
 * Not for readers. But where a collector was killed while it moved a chunk to its archives, the chunk is
 * in .tmp_old_chunk, or in .tmp_new_chunk.
 */
static bool is_hidden(const char *name)
{
	return *name == '.' && strncmp(name, ".tmp_", strlen(".tmp_"));
}

/* May traces lie in it? Those of a recording lie in itself. */
static bool is_folder(const char *path, const char *name)
{
	struct stat file;

	return strcmp(name, "info") && strcmp(name, "index") && !trace_dir_is_part(name) &&
	       !lstat(path, &file) && S_ISDIR(file.st_mode);
}

/*
 * Add the parts of a recording: those of --rotate, the snapshots of --snapshot-on, or what a
 * collector has in its folders. Return: false if one has got another name meanwhile, or is gone.
 */
static bool add_parts(struct trace_files *files, const char *path, unsigned int level)
{
	struct dirent **entry;
	bool same = true;
	int i, nr;

	nr = scandir(path, &entry, NULL, versionsort);
	for (i = 0; i < nr; i++) {
		char *part = format_text("%s/%s", path, entry[i]->d_name);

		if (!is_hidden(entry[i]->d_name) &&
		    (!level || is_named_trace(entry[i]->d_name)) &&
		    ((has_metadata(part) && !(is_chunk(part) && is_empty(part))) ||
		     (errno == EACCES && is_chunk(part)))) {
			add(files, part);
		} else if (level < files->levels && !is_hidden(entry[i]->d_name) && files->looks < MAX_LOOKS &&
			   is_folder(part, entry[i]->d_name)) {
			files->looks++;
			same &= add_parts(files, part, level + 1);
			free(part);
		} else {
			if (is_chunk(part) && access(part, F_OK) && errno == ENOENT) {
				same = false;
			} else if (is_chunk(part) && has_stream(part)) {
				tell(files, "%s: is left out: %s", part, has_metadata(part) ?
				     "its file \"metadata\" is empty" :
				     "it has no file \"metadata\"");
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

/* The others are for what a command writes. */
static bool is_too_many(int fd)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) && (rlim_t)fd > limit.rlim_cur / 2;
}

int trace_stream_open(const struct trace_stream *stream)
{
	return stream->fd >= 0 ? stream->fd : open(stream->path, O_RDONLY | O_CLOEXEC);
}

void trace_stream_close(const struct trace_stream *stream, int fd)
{
	int saved = errno;

	if (fd >= 0 && fd != stream->fd)
		close(fd);
	errno = saved;
}

static void add_unread(struct trace_part *part, const char *name, const char *why)
{
	part->unread = need_memory(realloc(part->unread, (part->nr_unread + 1) * sizeof(*part->unread)));
	part->unread[part->nr_unread++] = format_text("%s/%s: is left out: %s", part->path, name, why);
}

/*
 * A stream cannot be opened. If it is gone, its part is gone or has another name; if it is there,
 * the others can be read. Return: 0, or -1 with errno.
 */
static int pass_over(struct trace_part *part, int dir, const char *name)
{
	const int error = errno;
	struct stat file;

	if (error == ENOENT && fstatat(dir, name, &file, AT_SYMLINK_NOFOLLOW))
		return -1;
	add_unread(part, name, strerror(error));
	return 0;
}

/* Open a stream, which stays open, unless there are too many. Return: 0, or -1 with errno. */
static int open_stream(struct trace_part *part, int dir, const char *name, long cpu)
{
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);	/* it may be a pipe */
	struct stat file;

	if (fd < 0)
		return pass_over(part, dir, name);
	if (fstat(fd, &file)) {
		add_unread(part, name, strerror(errno));
		close(fd);
		return 0;
	}
	if (!S_ISREG(file.st_mode)) {
		close(fd);
		add_unread(part, name, S_ISDIR(file.st_mode) ? "it is a directory" : "it is not a file");
		return 0;
	}
	if (is_too_many(fd)) {
		close(fd);
		fd = -1;
	}
	part->stream = need_memory(realloc(part->stream,
					   (part->nr_streams + 1) * sizeof(*part->stream)));
	part->stream[part->nr_streams++] = (struct trace_stream){
		.path = format_text("%s/%s", part->path, name), .cpu = cpu, .fd = fd,
		.size = file.st_size,
	};
	return 0;
}

static int open_file(struct trace_part *part, int dir, const char *name)
{
	const long cpu = trace_dir_stream(name);
	struct stat file;

	if (cpu >= 0)
		return open_stream(part, dir, name, cpu);
	if (*name == '.' || !strcmp(name, "metadata") || fstatat(dir, name, &file, 0) ||
	    !S_ISREG(file.st_mode))
		return 0;
	part->stray = need_memory(realloc(part->stray, (part->nr_strays + 1) * sizeof(*part->stray)));
	part->stray[part->nr_strays++] = format_text("%s/%s", part->path, name);
	return 0;
}

static int open_files(struct trace_part *part, int dir)
{
	struct dirent **entry;
	int i, nr, err = 0, saved;

	nr = scandirat(dir, ".", &entry, NULL, alphasort);
	if (nr < 0)
		return -1;
	for (i = 0; i < nr; i++) {
		err = err ?: open_file(part, dir, entry[i]->d_name);
		saved = errno;
		free(entry[i]);
		errno = saved;
	}
	free(entry);
	return err;
}

/*
 * A recording that goes on gives its parts other names, and removes some. So all files of a part
 * are opened at once, and stay open. Return: 0, or -1 with errno.
 */
static int open_part(struct trace_part *part)
{
	int dir = open(part->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err, saved;

	if (dir < 0)
		return -1;
	part->metadata = metadata_read(dir, "metadata", &part->metadata_size, &part->in_packets);
	err = part->metadata ? open_files(part, dir) : -1;
	saved = errno;
	close(dir);
	errno = saved;
	return err;
}

/* Return: STATUS_OK; STATUS_FAILED, and says why; or -1 if a part has another name now, or none. */
static int open_parts(struct trace_files *files)
{
	struct trace_part *part;

	for (part = files->part; part < files->part + files->nr; part++) {
		if (check_access(files, part->path) && errno != ENOENT)
			return STATUS_FAILED;
		if (!open_part(part))
			continue;
		return is_chunk(part->path) && errno == ENOENT ? -1 : say_errno("%s", part->path);
	}
	return STATUS_OK;
}

static bool is_recorded(const char *path)
{
	char *info = format_text("%s/info/clock", path);
	bool is = !access(info, F_OK);

	free(info);
	return is;
}

/* No trace is here, and none in a directory below. */
static int say_none(const char *path)
{
	if (access(path, R_OK))
		return say_errno("%s", path);
	return is_recorded(path) ? say("%s: no trace is in this recording: it has no parts or snapshots", path) :
	       say("%s: not a recording: it has no file \"metadata\"", path);
}

/* The root directory is no recording. */
static bool is_root(const char *path)
{
	char *whole = realpath(path, NULL);
	bool is = whole && !strcmp(whole, "/");

	free(whole);
	return is;
}

#define TRIES	10	/* to list parts while others come and go */

static int find(struct trace_files *files, const char *path)
{
	bool refused = !has_metadata(path) && errno == EACCES;
	bool has = !refused && has_metadata(path), same = true;

	memset(files, 0, sizeof(*files));
	files->root = path;
	files->levels = is_recorded(path) || is_root(path) ? 0 : MAX_LEVELS;
	/* metadata without a stream describes nothing, and may stand beside parts */
	if (!refused && !(has && has_stream(path)))
		same = add_parts(files, path, 0);
	if (!same)
		return -1;
	if (!files->nr && (refused || has))
		add(files, need_memory(strdup(path)));
	return files->nr ? open_parts(files) : say_none(path);
}

int trace_files_find(struct trace_files *files, const char *path)
{
	int status, try = 0;

	memset(files, 0, sizeof(*files));
	path = packed_path(path);
	if (!path)
		return STATUS_FAILED;
	while ((status = find(files, path)) < 0 && ++try < TRIES)
		trace_files_close(files);
	return status < 0 ? say("%s: its parts come and go faster than they can be read", path) : status;
}

/* Say what is left out of a part: files that are no streams, and streams that cannot be opened. */
static void check_streams(struct trace_files *files, const struct trace_part *part)
{
	unsigned int i;

	for (i = 0; i < part->nr_strays; i++)
		if (files->nr_strays++ < MAX_STRAYS)
			tell(files, "%s: " NO_STREAM, part->stray[i]);
	for (i = 0; i < part->nr_unread; i++)
		if (files->nr_unread++ < MAX_STRAYS)
			tell(files, "%s", part->unread[i]);
	files->damaged |= part->nr_unread;
}

/*
 * Another tracer's streams have other names: say so before we leave them all out. Return: whether
 * the part can be read.
 */
static bool check_part(struct trace_files *files, const struct trace_part *part)
{
	/* a sender that was killed had no time to say what the trace is */
	const bool is_needed = part->nr_streams || part->nr_unread || files->nr == 1;
	char *wrong = metadata_check_tracer(part->metadata, part->metadata_size);

	if (!wrong) {
		check_streams(files, part);
		return true;
	}
	if (is_needed && files->nr_refused++ < MAX_STRAYS)
		tell(files, "%s/metadata: %s", part->path, wrong);
	files->damaged |= is_needed;
	free(wrong);
	return false;
}

static void close_part(struct trace_part *part)
{
	while (part->nr_streams) {
		if (part->stream[--part->nr_streams].fd >= 0)
			close(part->stream[part->nr_streams].fd);
		free(part->stream[part->nr_streams].path);
	}
	while (part->nr_strays)
		free(part->stray[--part->nr_strays]);
	while (part->nr_unread)
		free(part->unread[--part->nr_unread]);
	free(part->unread);
	free(part->stream);
	free(part->stray);
	free(part->metadata);
	free(part->path);
}

int trace_files_check(struct trace_files *files)
{
	size_t i, nr = 0;

	for (i = 0; i < files->nr; i++)
		if (check_part(files, &files->part[i]))
			files->part[nr++] = files->part[i];
		else
			close_part(&files->part[i]);
	if (files->nr_strays > MAX_STRAYS)
		tell(files, "%s: %u such files in all", files->root, files->nr_strays);
	if (files->nr_unread > MAX_STRAYS)
		tell(files, "%s: %u such streams in all", files->root, files->nr_unread);
	if (files->nr_refused > MAX_STRAYS)
		tell(files, "%s: %u such parts in all", files->root, files->nr_refused);
	if (!nr && !files->nr_refused)
		tell(files, "%s: no metadata in it say what was recorded", files->root);
	files->nr = nr;
	return nr ? STATUS_OK : STATUS_FAILED;
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
	while (files->nr)
		close_part(&files->part[--files->nr]);
	free(files->part);
	files->part = NULL;
}

bool trace_files_have_stream(const struct trace_files *files)
{
	size_t i = 0;

	while (i < files->nr && !files->part[i].nr_streams)
		i++;
	return i < files->nr;
}
