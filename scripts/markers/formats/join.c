// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/packed.h"
#include "../base/temporary.h"
#include "../ctf/trace_dir.h"
#include "../reader/opened.h"
#include "../reader/packet_file.h"
#include "../reader/trace.h"
#include "join.h"

/**
 * struct joined - what was joined
 * @packets: number of packets
 * @doubles: packets that were there more than once
 * @gaps: places where packets are missing
 * @damaged: files of which something is left out that is in no other piece, and parts that are left out
 */
struct joined {
	uint64_t packets;
	uint64_t doubles;
	uint64_t gaps;
	unsigned int damaged;
};

/* A piece of the stream of a CPU. */
struct piece {
	struct packet_file file;
	uint64_t last;		/* packet_seq_num of the last packet */
	bool has;
};

static int make_directory(const char *path)
{
	if (!temporary_mkdir(path))
		return STATUS_OK;
	return errno == EEXIST ? say("%s exists: remove it, or say with -o which directory to make", path) :
	       say_errno("%s", path);
}

/* Return: a file descriptor; -1, and says why. */
static int create(const char *dir, const char *name)
{
	char *path = temporary_file(dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		say_errno("%s", path);
	free(path);
	return fd;
}

/* Go on to the next packet of a piece; those for viewers are left out. */
static void settle(struct piece *piece)
{
	while (packet_file_has(&piece->file) && piece->file.header.packet_seq_num == UINT64_MAX)
		packet_file_next(&piece->file);
}

static void pass(struct piece *piece)
{
	piece->last = piece->file.header.packet_seq_num;
	piece->has = true;
	packet_file_next(&piece->file);
	settle(piece);
}

/* Find the piece with the first packet; of one that is in several, the longest. */
static struct piece *find_first(struct piece *piece, size_t nr)
{
	struct piece *first = NULL;
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct ctf_packet_header *header = &piece[i].file.header;

		if (packet_file_has(&piece[i].file) &&
		    (!first || header->packet_seq_num < first->file.header.packet_seq_num ||
		     (header->packet_seq_num == first->file.header.packet_seq_num &&
		      header->content_size > first->file.header.content_size)))
			first = &piece[i];
	}
	return first;
}

static int write_packet(int fd, const struct packet_file *file)
{
	const size_t size = file->header.packet_size / 8;
	size_t done;
	ssize_t n;

	for (done = 0; done < size; done += n) {
		n = write(fd, (const char *)file->packet + done, size - done);
		if (n <= 0)
			return -1;
	}
	return 0;
}

/* Copy each packet once. Return: STATUS_OK; or STATUS_FAILED, and says why. */
static int copy_packets(struct piece *piece, size_t nr, int fd, struct joined *joined)
{
	uint64_t last = 0, gaps = joined->gaps;
	struct piece *first;
	bool began = false;
	size_t i;

	while ((first = find_first(piece, nr))) {
		const uint64_t seq = first->file.header.packet_seq_num;

		if (packet_file_load(&first->file))
			return STATUS_FAILED;
		if (write_packet(fd, &first->file))
			return say_errno("the new stream");
		joined->gaps += began && seq != last + 1;
		joined->packets++;
		last = seq;
		began = true;
		pass(first);
		for (i = 0; i < nr; i++)
			while (packet_file_has(&piece[i].file) &&
			       piece[i].file.header.packet_seq_num <= seq) {
				joined->doubles++;
				pass(&piece[i]);
			}
	}
	for (i = 0; i < nr; i++)
		if (piece[i].file.damaged && (joined->gaps != gaps || !began || !piece[i].has ||
					      piece[i].last == last)) {
			say("%s: is damaged, and no other piece has what is left out", piece[i].file.stream->path);
			joined->damaged++;
		}
	return STATUS_OK;
}

/* Join the pieces of a CPU, which are @nr streams. */
static int join_stream(const struct opened_stream *stream, size_t nr, const char *output,
		       struct joined *joined)
{
	struct piece *piece = need_memory(calloc(nr, sizeof(*piece)));
	char *name = format_text("stream_%ld", stream->stream->cpu);
	int fd = create(output, name), status;
	size_t i;

	for (i = 0; i < nr; i++) {
		piece[i].file = (struct packet_file){
			.stream = stream[i].stream, .uuid = stream->description->uuid, .quiet = true,
		};
		packet_file_begin(&piece[i].file);
		settle(&piece[i]);
	}
	status = fd < 0 ? STATUS_FAILED : copy_packets(piece, nr, fd, joined);
	if (fd >= 0 && close(fd))
		status = say_errno("%s/%s", output, name);
	for (i = 0; i < nr; i++)
		packet_file_release(&piece[i].file);
	free(piece);
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

/* Copy the files of one folder info. Those of a later piece know more. */
static int copy_info(const char *part, const char *output)
{
	char *from = format_text("%s/info", part), *to = format_text("%s/info", output), *path;
	DIR *list = opendir(from);
	struct dirent *entry;
	int status = STATUS_OK, dir = -1;

	if (list && access(to, F_OK))
		status = make_directory(to);
	if (list && !status)
		dir = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (dir >= 0 && !status && (entry = readdir(list))) {
		if (*entry->d_name == '.' || !strcmp(entry->d_name, "index"))
			continue;
		path = temporary_file(to, entry->d_name);
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

/* The longest metadata. */
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

/* Join the streams of one trace. */
static int join_trace(const struct trace_files *files, const struct opened *opened, size_t trace,
		      const char *output, struct joined *joined)
{
	struct opened_stream *stream = need_memory(calloc(opened->nr_streams + 1, sizeof(*stream)));
	size_t nr = 0, i, end;
	const char *metadata;
	int status = STATUS_OK;

	for (i = 0; i < opened->nr_streams; i++)
		if (opened->stream[i].trace == trace)
			stream[nr++] = opened->stream[i];
	for (i = 0; i < nr && !status; i = end) {
		for (end = i + 1; end < nr && stream[end].stream->cpu == stream[i].stream->cpu; end++)
			;
		status = join_stream(&stream[i], end - i, output, joined);
	}
	metadata = find_metadata(files, stream->stream);
	for (i = 0; i < files->nr && !status; i++)
		if (is_of(&files->part[i], metadata))
			status = copy_info(files->part[i].path, output);
	free(stream);
	return status ?: write_text(output, "metadata", metadata);
}

static bool has_stream(const struct opened *opened, size_t trace)
{
	size_t i = 0;

	while (i < opened->nr_streams && opened->stream[i].trace != trace)
		i++;
	return i < opened->nr_streams;
}

static int join_all(const struct trace_files *files, const char *output, struct joined *joined)
{
	struct opened opened = {};
	unsigned int nr = 0, number = 0;
	int status = opened_begin(&opened, files);
	size_t i;

	joined->damaged += opened.damaged || files->damaged;
	for (i = 0; i < opened.nr_descriptions && !status; i++)
		nr += has_stream(&opened, i);
	for (i = 0; i < opened.nr_descriptions && !status; i++) {
		char *to = nr > 1 ? format_text("%s/%06u", output, ++number) : need_memory(strdup(output));

		if (has_stream(&opened, i)) {
			status = nr > 1 ? make_directory(to) : STATUS_OK;
			status = status ?: join_trace(files, &opened, i, to, joined);
		} else {
			number--;
		}
		free(to);
	}
	opened_end(&opened);
	return status;
}

static void say_joined(const struct joined *joined, const char *output)
{
	say("%" PRIu64 " packets in %s; %" PRIu64 " were there again", joined->packets, output,
	    joined->doubles);
	if (joined->gaps)
		say("packets are missing in %" PRIu64 " places: they were overwritten in the buffer, or not sent",
		    joined->gaps);
}

static int join_files(const struct trace_files *files, const char *output, struct joined *joined)
{
	int status = make_directory(output);

	if (status)
		return status;
	status = join_all(files, output, joined);
	if (status)
		temporary_remove(need_memory(strdup(output)));
	else
		temporary_keep(output);
	return status;
}

int join(const char *path, const char *output)
{
	struct joined joined = {};
	struct trace_files files;
	int status = trace_open(&files, path);

	if (status)
		return status;
	status = join_files(&files, output, &joined);
	if (!status)
		say_joined(&joined, output);
	if (joined.damaged)
		status = STATUS_FAILED;
	trace_files_close(&files);
	return status;
}

/* Are there several traces of a collector? */
static bool has_pieces(const struct trace_files *files)
{
	size_t i;

	for (i = 0; i < files->nr && files->nr > 1; i++) {
		const char *name = strrchr(files->part[i].path, '/');

		if (name && !strcmp(name + 1, TRACE_DIR_SENT))
			return true;
	}
	return false;
}

int join_pieces(const char *path, const char **joined)
{
	struct joined found = {};
	struct trace_files files;
	int status = trace_files_find(&files, path);
	char *dir = NULL;

	*joined = path;
	if (!status && has_pieces(&files)) {
		dir = packed_directory();
		status = dir ? trace_files_check(&files) : say_errno("%s: TMPDIR names a directory to join it in", path);
	}
	if (!status && dir) {
		*joined = format_text("%s/joined", dir);
		status = join_files(&files, *joined, &found);
	}
	trace_files_close(&files);
	free(dir);
	if (status)
		*joined = NULL;
	return found.damaged ? STATUS_FAILED : status;
}
