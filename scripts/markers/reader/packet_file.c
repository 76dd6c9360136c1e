// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/message.h"
#include "../ctf/packets.h"
#include "packet_file.h"

#define WINDOW		65536	/* bytes to search at once */
#define START_SIZE	24	/* magic, uuid and stream_id of a packet */

/* Read @size bytes at @at. Return: whether they are all there; if not, errno is 0 or says why. */
static bool read_at(const struct packet_file *file, void *to, size_t size, off_t at)
{
	const int fd = trace_stream_open(file->stream);
	size_t done = 0;
	ssize_t n;

	if (fd < 0)
		return false;
	errno = 0;
	for (; done < size; done += n) {
		n = pread(fd, (char *)to + done, size - done, at + done);
		if (n <= 0)
			break;
	}
	trace_stream_close(file->stream, fd);
	return done == size;
}

const char *packet_file_header(struct packet_file *file)
{
	const off_t left = file->stream->size - file->at;
	const char *wrong;

	if (left < (off_t)sizeof(file->header))
		return "a packet is cut off";
	if (!read_at(file, &file->header, sizeof(file->header), file->at))
		return "cannot be read";
	wrong = packet_check(&file->header);
	if (!wrong && (off_t)(file->header.packet_size / 8) > left)
		wrong = "a packet is cut off";
	return wrong;
}

/* Read and check the header at @at. Return: NULL, or what is wrong with it. */
static const char *read_header(struct packet_file *file)
{
	const struct ctf_packet_header *header = &file->header;
	const char *wrong = packet_file_header(file);

	if (!wrong && memcmp(header->uuid, file->uuid, sizeof(header->uuid)))
		wrong = "the packet is of another trace";
	if (!wrong && header->cpu_id != file->stream->cpu)
		wrong = "it is of another CPU than its file";
	return wrong;
}

off_t packet_file_search(const struct packet_file *file)
{
	off_t at = file->at;
	const uint32_t magic = CTF_MAGIC, id = ctf_stream_id(file->uuid);
	char start[START_SIZE], *window = need_memory(malloc(WINDOW)), *found = NULL;
	size_t size;

	memcpy(start, &magic, sizeof(magic));
	memcpy(start + 4, file->uuid, CTF_UUID_SIZE);
	memcpy(start + 20, &id, sizeof(id));
	for (at++; !found && at < file->stream->size; at += found ? found - window : WINDOW - START_SIZE + 1) {
		size = file->stream->size - at < WINDOW ? file->stream->size - at : WINDOW;
		if (!read_at(file, window, size, at))
			break;
		found = memmem(window, size, start, START_SIZE);
	}
	free(window);
	return found ? at : file->stream->size;
}

void packet_file_say(const struct packet_file *file, off_t at, const char *wrong)
{
	say("%s: at byte %lld: %s", file->stream->path, (long long)at, wrong);
}

/* Find the packet at @at, or the first one behind damage there. */
static void find_packet(struct packet_file *file)
{
	const off_t begin = file->at;
	const char *wrong = NULL, *why;

	while (file->at < file->stream->size) {
		why = read_header(file);
		if (!why)
			break;
		wrong = wrong ?: why;
		file->at = packet_file_search(file);
	}
	if (!wrong)
		return;
	if (file->defers && file->at >= file->stream->size) {
		file->cut = wrong;
		file->cut_at = begin;
		return;
	}
	file->damaged = true;
	if (file->quiet)
		return;
	if (file->at < file->stream->size)
		say("%s: at byte %lld: %s; what follows is left out, up to the packet at byte %lld",
		    file->stream->path, (long long)begin, wrong, (long long)file->at);
	else
		packet_file_say(file, begin, wrong);
}

/* Is it the stream of another CPU, under a wrong name? */
static bool is_of_other_cpu(struct packet_file *file)
{
	const struct ctf_packet_header *header = &file->header;

	return file->stream->size >= (off_t)sizeof(*header) &&
	       read_at(file, &file->header, sizeof(*header), 0) && !packet_check(header) &&
	       header->cpu_id != file->stream->cpu;
}

void packet_file_go(struct packet_file *file, off_t at)
{
	file->at = at;
	find_packet(file);
}

void packet_file_begin(struct packet_file *file)
{
	file->at = 0;
	if (!is_of_other_cpu(file)) {
		find_packet(file);
		return;
	}
	file->at = file->stream->size;
	file->damaged = true;
	if (!file->quiet)
		say("%s: its events are of CPU %u, so they are left out", file->stream->path,
		    file->header.cpu_id);
}

const char *packet_file_read(struct packet_file *file)
{
	const size_t size = file->header.packet_size / 8;

	if (size > file->room) {
		free(file->packet);
		file->packet = need_memory(malloc(size));
		file->room = size;
	}
	if (read_at(file, file->packet, size, file->at))
		return NULL;
	file->damaged = true;
	return errno ? strerror(errno) : "it changed while it was read";
}

int packet_file_load(struct packet_file *file)
{
	const char *wrong = packet_file_read(file);

	if (!wrong)
		return STATUS_OK;
	packet_file_say(file, file->at, wrong);
	return STATUS_FAILED;
}

void packet_file_damaged(struct packet_file *file, const void *at, const char *wrong, bool quiet)
{
	file->damaged = true;
	if (!quiet)
		say("%s: packet at byte %lld, event at byte %lld: %s; the rest of the packet is left out",
		    file->stream->path, (long long)file->at,
		    (long long)(file->at + ((const char *)at - (const char *)file->packet)), wrong);
}

void packet_file_next(struct packet_file *file)
{
	file->at += file->header.packet_size / 8;
	find_packet(file);
}

void packet_file_release(struct packet_file *file)
{
	free(file->packet);
	file->packet = NULL;
	file->room = 0;
}
