// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	struct stat file;

	if (access(path, R_OK | X_OK)) {
		status = say_refused(files, path, path);
	} else if (access(metadata, R_OK)) {
		status = say_refused(files, path, metadata);
	} else if (!stat(metadata, &file) && !S_ISREG(file.st_mode)) {
		status = say("%s: it is %s", metadata, S_ISDIR(file.st_mode) ? "a directory" : "not a file");
		errno = EINVAL;
	}
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

	return strcmp(name, "info") && strcmp(name, "index") && strcmp(name, "lost+found") &&
	       !trace_dir_is_part(name) && !lstat(path, &file) && S_ISDIR(file.st_mode);
}

/* A folder cannot be searched, and errno says why. */
static void leave_out(struct trace_files *files, const char *path)
{
	if (files->nr_closed++ < MAX_STRAYS)
		tell(files, "%s: is left out: %s", path, strerror(errno));
	files->damaged = true;
}

/* Are there not too many folders before this one? */
static bool may_look(struct trace_files *files, const char *path)
{
	if (files->looks == MAX_LOOKS) {
		tell(files, "%s: is left out with what follows: no more than %d folders are searched; give the path of some of them",
		     path, MAX_LOOKS);
		files->damaged = true;
	}
	return files->looks++ < MAX_LOOKS;
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

	nr = level && access(path, R_OK | X_OK) ? -1 : scandir(path, &entry, NULL, versionsort);
	if (level && nr < 0 && errno != ENOENT)
		leave_out(files, path);
	for (i = 0; i < nr; i++) {
		char *part = format_text("%s/%s", path, entry[i]->d_name);

		if (!is_hidden(entry[i]->d_name) &&
		    (!level || is_named_trace(entry[i]->d_name)) &&
		    ((has_metadata(part) && !(is_chunk(part) && is_empty(part))) ||
		     (errno == EACCES && is_chunk(part)))) {
			add(files, part);
		} else if (level < files->levels && !is_hidden(entry[i]->d_name) &&
			   is_folder(part, entry[i]->d_name)) {
			if (may_look(files, part))
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
			} else if (is_named_trace(entry[i]->d_name) && !has_metadata(part) &&
				   errno == EACCES) {
				leave_out(files, part);
			}
			free(part);
		}
		free(entry[i]);
	}
	if (nr >= 0)
		free(entry);
	return same;
}

/* Return: STATUS_OK; STATUS_FAILED, and says why; or -1 if a part has another name now, or none. */
static int open_parts(struct trace_files *files)
{
	struct trace_part *part;

	for (part = files->part; part < files->part + files->nr; part++) {
		if (check_access(files, part->path) && errno != ENOENT)
			return STATUS_FAILED;
		if (!trace_part_open(part))
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
 * Is it the chunk of a collector that a sender writes to, after the first one: BEGIN-NUMBER/markers?
 * One that is complete is BEGIN-END-NUMBER/markers.
 */
static bool is_open_chunk(const char *path)
{
	const char *last = strrchr(path, '/'), *before = last ? memrchr(path, '/', last - path) : NULL;
	const char *name = before ? before + 1 : path;
	int end = 0;

	if (sscanf(name, "%*8[0-9]T%*6[0-9]%*1[+-]%*4[0-9]-%*[0-9]/" TRACE_DIR_SENT "%n", &end) == EOF)
		return false;
	return end && !name[end];
}

/* A collector or a sender that was killed has made the files of the next chunk, and not written to them. */
static bool is_next_chunk(const struct trace_part *part)
{
	unsigned int i;

	for (i = 0; i < part->nr_streams; i++)
		if (part->stream[i].size)
			return false;
	return !part->metadata_size && (strstr(part->path, "/.tmp_") || is_open_chunk(part->path));
}

/*
 * Another tracer's streams have other names: say so before we leave them all out. Return: whether
 * the part can be read.
 */
static bool check_part(struct trace_files *files, const struct trace_part *part)
{
	/* a sender that was killed had no time to say what the trace is */
	const bool is_needed = (part->nr_streams && !is_next_chunk(part)) || part->nr_unread || files->nr == 1;
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

int trace_files_check(struct trace_files *files)
{
	size_t i, nr = 0;

	for (i = 0; i < files->nr; i++)
		if (check_part(files, &files->part[i]))
			files->part[nr++] = files->part[i];
		else
			trace_part_close(&files->part[i]);
	if (files->nr_strays > MAX_STRAYS)
		tell(files, "%s: %u such files in all", files->root, files->nr_strays);
	if (files->nr_unread > MAX_STRAYS)
		tell(files, "%s: %u such streams in all", files->root, files->nr_unread);
	if (files->nr_closed > MAX_STRAYS)
		tell(files, "%s: %u such folders in all", files->root, files->nr_closed);
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
		trace_part_close(&files->part[--files->nr]);
	free(files->part);
	files->part = NULL;
}

int trace_files_check_stream(const struct trace_files *files, const char *path)
{
	size_t i = 0;

	while (i < files->nr && !files->part[i].nr_streams)
		i++;
	return i < files->nr ? STATUS_OK :
	       say("%s: there is no stream in it: no event was recorded, or the files stream_N are missing",
		   path);
}
