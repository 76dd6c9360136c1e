// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/temporary.h"
#include "../reader/opened.h"
#include "../reader/packet_file.h"
#include "../reader/pieces.h"
#include "../reader/trace.h"
#include "join.h"
#include "output.h"

static int make_directory(const char *path)
{
	if (!temporary_mkdir(path))
		return STATUS_OK;
	return errno == EEXIST ? say("%s exists: remove it, or say with -o which directory to make", path) :
	       say_errno("%s", path);
}

/* Copy each packet once. Return: STATUS_OK; or STATUS_FAILED, and says why. */
static int copy_packets(struct pieces *pieces, const struct opened_stream *stream, FILE *out,
			const char *path, const struct join_work *work)
{
	struct packet_file *file;
	off_t size = 0;
	size_t n;

	for (; (file = pieces_next(pieces)); size += n) {
		if (packet_file_load(file))
			return STATUS_FAILED;
		if (work->packet)
			work->packet(work->ctx, stream, file);
		n = file->header.packet_size / 8;
		if (fwrite(file->packet, 1, n, out) < n ||
		    file_write_behind(fileno(out), size, size + n))
			return say_errno("%s", path);
	}
	return fflush(out) ? say_errno("%s", path) : STATUS_OK;
}

static int write_stream(struct pieces *pieces, const struct opened_stream *stream, const char *path,
			const struct join_work *work)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), status;
	FILE *out = fd < 0 ? NULL : need_memory(fdopen(fd, "w"));

	if (!out)
		return say_errno("%s", path);
	status = copy_packets(pieces, stream, out, path, work);
	if (fclose(out) && !status)
		status = say_errno("%s", path);
	return status;
}

/* Join the pieces of a CPU, from @stream on. */
static int join_stream(const struct opened *opened, size_t stream, const char *output,
		       const struct join_work *work, struct joined *joined)
{
	struct pieces pieces;
	char *name = format_text("stream_%ld", opened->stream[stream].stream->cpu);
	char *path = temporary_file(output, name);
	size_t at = 0;
	int status;

	pieces_begin(&pieces, opened, stream);
	status = write_stream(&pieces, &opened->stream[stream], path, work);
	while (!status && pieces_damaged(&pieces, &at))
		joined->damaged = true;
	joined->packets += pieces.packets;
	joined->doubles += pieces.doubles;
	joined->gaps += pieces.gaps;
	joined->lost += pieces.lost;
	pieces_end(&pieces);
	free(path);
	free(name);
	return status;
}

static int write_text(const char *dir, const char *name, const char *text)
{
	char *path = temporary_file(dir, name);
	int status = STATUS_OK;

	if (file_write(AT_FDCWD, path, O_CREAT | O_TRUNC, text))
		status = say_errno("%s", path);
	free(path);
	return status;
}

/* The file, and the name that it has until it is complete. Return: its path, to be freed. */
static char *announce(const char *to, const char *name)
{
	char *new = format_text(".%s.new", name);

	free(temporary_file(to, new));
	free(new);
	return temporary_file(to, name);
}

/* Copy the files of one folder info. Those of a later piece know more. */
static int copy_info(const char *part, const char *output)
{
	char *from = format_text("%s/info", part), *to = format_text("%s/info", output), *path;
	DIR *list = opendir(from);
	struct dirent *entry;
	struct stat file;
	int status = STATUS_OK, dir = -1;

	if (list && access(to, F_OK))
		status = make_directory(to);
	if (list && !status)
		dir = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (dir >= 0 && !status && (entry = readdir(list))) {
		if (*entry->d_name == '.' || fstatat(dirfd(list), entry->d_name, &file, 0) ||
		    !S_ISREG(file.st_mode))
			continue;
		path = announce(to, entry->d_name);
		if (file_copy(dirfd(list), entry->d_name, dir, entry->d_name))
			status = say_errno("%s", path);
		free(path);
	}
	if (list)
		closedir(list);
	if (dir >= 0)
		close(dir);
	free(from);
	free(to);
	return status;
}

/* Are metadata those of this trace? They may be shorter. */
static bool is_of(const struct trace_part *part, const char *metadata)
{
	return !strncmp(part->metadata, metadata, part->metadata_size);
}

/* The longest metadata of the trace that has a stream. */
static const char *find_metadata(const struct trace_files *files, const struct trace_stream *stream)
{
	const struct trace_part *of = NULL, *part;

	for (part = files->part; part < files->part + files->nr; part++)
		if (stream >= part->stream && stream < part->stream + part->nr_streams)
			of = part;
	for (part = files->part; part < files->part + files->nr; part++)
		if (part->metadata_size > of->metadata_size && is_of(of, part->metadata))
			of = part;
	return of->metadata;
}

/* Return: number of the first stream of a trace; or that of all streams. */
static size_t find_stream(const struct opened *opened, size_t trace)
{
	size_t i = 0;

	while (i < opened->nr_streams && opened->stream[i].trace != trace)
		i++;
	return i;
}

/* Join the streams of one trace. */
static int join_streams(const struct opened *opened, size_t trace, const char *output,
			const struct join_work *work, struct joined *joined)
{
	int status = STATUS_OK;
	size_t i;

	for (i = 0; i < opened->nr_streams && !status; i += pieces_count(opened, i))
		if (opened->stream[i].trace == trace)
			status = join_stream(opened, i, output, work, joined);
	return status;
}

static int write_metadata(const struct trace_files *files, const struct opened *opened, size_t trace,
			  const char *output, const struct join_work *work)
{
	const char *metadata = find_metadata(files, opened->stream[find_stream(opened, trace)].stream);
	char *text = work->metadata ? work->metadata(work->ctx, metadata) : need_memory(strdup(metadata));
	int status = write_text(output, "metadata", text);
	size_t i;

	for (i = 0; i < files->nr && !work->no_info && !status; i++)
		if (is_of(&files->part[i], metadata))
			status = copy_info(files->part[i].path, output);
	free(text);
	return status;
}

/* Join all traces that have streams; the directory of one is @output itself. */
static int join_traces(const struct trace_files *files, const struct opened *opened, const char *output,
		       const struct join_work *work, struct joined *joined)
{
	char **to = need_memory(calloc(opened->nr_descriptions + 1, sizeof(*to)));
	unsigned int nr = 0, number = 0;
	int status = STATUS_OK;
	size_t i;

	for (i = 0; i < opened->nr_descriptions; i++)
		nr += find_stream(opened, i) < opened->nr_streams;
	for (i = 0; i < opened->nr_descriptions && !status; i++) {
		if (find_stream(opened, i) == opened->nr_streams)
			continue;
		to[i] = nr > 1 ? format_text("%s/%06u", output, ++number) : need_memory(strdup(output));
		status = nr > 1 ? make_directory(to[i]) : STATUS_OK;
		status = status ?: join_streams(opened, i, to[i], work, joined);
	}
	for (i = 0; i < opened->nr_descriptions; i++) {
		if (to[i] && !status)
			status = write_metadata(files, opened, i, to[i], work);
		free(to[i]);
	}
	free(to);
	return status;
}

static int join_files(const struct trace_files *files, const char *output, const struct join_work *work,
		      struct joined *joined)
{
	struct opened opened = {};
	int status = opened_begin(&opened, files);

	joined->damaged = opened.damaged || files->damaged;
	status = status ?: make_directory(output);
	if (!status) {
		status = join_traces(files, &opened, output, work, joined);
		if (status)
			temporary_remove(need_memory(strdup(output)));
		else
			temporary_keep(output);
	}
	opened_end(&opened);
	return status;
}

int join(const char *path, const char *output, const struct join_work *work, struct joined *joined)
{
	struct trace_files files;
	int status = trace_open(&files, path);

	*joined = (struct joined){};
	if (status)
		return status;
	status = output_is_apart(output, path) ? join_files(&files, output, work, joined) : STATUS_FAILED;
	trace_files_close(&files);
	return status;
}
