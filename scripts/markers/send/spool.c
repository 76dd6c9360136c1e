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
#include "../ctf/metadata.h"
#include "../ctf/packets.h"
#include "../ctf/trace_dir.h"
#include "spool.h"

#define WINDOW	(1 << 20)
#define START	24	/* bytes at the beginning of a packet that are the same in all of a trace */

static bool is_there(int dir, const char *name)
{
	return !faccessat(dir, name, F_OK, 0);
}

/* The name of a part, while it is written and later. */
static bool strip_open(char *name)
{
	size_t size = strlen(name), end = strlen(TRACE_DIR_OPEN);

	if (size <= end || strcmp(name + size - end, TRACE_DIR_OPEN))
		return false;
	name[size - end] = '\0';
	return true;
}

int spool_open(struct spool *spool, const char *path)
{
	*spool = (struct spool){ .path = path, .trace = -1 };
	spool->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (spool->dir < 0)
		return errno == EACCES ?
			say("%s: Permission denied; send as the user who recorded, or as root", path) :
			say_errno("%s", path);
	return STATUS_OK;
}

/* Leave the trace; its packets are no more in memory. */
static void leave(struct spool *spool)
{
	size_t i;

	for (i = 0; i < spool->nr; i++) {
		struct spool_stream *stream = &spool->stream[i];

		if (stream->fd >= 0)
			close(stream->fd);
		stream->fd = -1;
		stream->at = 0;
		stream->size = 0;
	}
	if (spool->trace >= 0 && spool->trace != spool->dir)
		close(spool->trace);
	spool->trace = -1;
	free(spool->metadata);
	spool->metadata = NULL;
	spool->metadata_size = 0;
}

void spool_close(struct spool *spool)
{
	size_t i;

	leave(spool);
	for (i = 0; i < spool->nr; i++)
		free(spool->stream[i].window);
	free(spool->stream);
	close(spool->dir);
}

bool spool_has_ended(const struct spool *spool)
{
	char *clock;
	bool ended;

	if (spool->is_whole)
		return true;
	clock = file_read_regular(spool->dir, "info/clock", NULL);
	ended = !clock || !strncmp(clock, "end:", 4) || strstr(clock, "\nend:");
	free(clock);
	return ended;
}

bool spool_is_removed(const struct spool *spool)
{
	struct stat file;

	return !fstat(spool->dir, &file) && !file.st_nlink;
}

static bool is_open(const struct spool *spool)
{
	char *open_name = format_text("%s" TRACE_DIR_OPEN, spool->name);
	bool is = is_there(spool->dir, open_name);

	free(open_name);
	return is;
}

bool spool_is_parts(const struct spool *spool)
{
	return strcmp(spool->name, ".");
}

bool spool_is_complete(const struct spool *spool)
{
	if (!spool_is_parts(spool))
		return spool_has_ended(spool);
	/* it may have been removed since; snapshots get their metadata last */
	return !is_open(spool) || spool_has_ended(spool);
}

/*
 * The uuid is in the text as "uuid = "2a010203-...";". Return: whether it is there.
 */
static bool find_uuid(const char *text, uint8_t *uuid)
{
	static const char key[] = "\n\tuuid = \"";
	const char *at = strstr(text, key);
	unsigned int i, byte;

	if (!at)
		return false;
	at += strlen(key);
	for (i = 0; i < CTF_UUID_SIZE; i++) {
		if (sscanf(at, "%2x", &byte) != 1)
			return false;
		uuid[i] = byte;
		at += 2;
		at += *at == '-';
	}
	return true;
}

static int open_trace(const struct spool *spool, const char *name)
{
	char *open_name = format_text("%s" TRACE_DIR_OPEN, name);
	int fd, tries;

	/* it may get its name meanwhile */
	for (tries = 0; tries < 2; tries++) {
		fd = openat(spool->dir, open_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			fd = openat(spool->dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0)
			break;
	}
	free(open_name);
	return fd;
}

static struct spool_stream *find_stream(struct spool *spool, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < spool->nr; i++)
		if (spool->stream[i].cpu == cpu)
			return &spool->stream[i];
	spool->stream = need_memory(realloc(spool->stream, (spool->nr + 1) * sizeof(*spool->stream)));
	spool->stream[spool->nr] = (struct spool_stream){ .cpu = cpu, .fd = -1 };
	return &spool->stream[spool->nr++];
}

static void find_streams(struct spool *spool)
{
	int fd = openat(spool->trace, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct spool_stream *stream;
	struct dirent *entry;
	struct stat file;
	long cpu;

	while (list && (entry = readdir(list))) {
		cpu = trace_dir_stream(entry->d_name);
		stream = cpu < 0 ? NULL : find_stream(spool, cpu);
		if (!stream || stream->fd >= 0)
			continue;
		stream->fd = openat(spool->trace, entry->d_name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (stream->fd < 0) {
			say_errno("%s/%s/%s: is left out", spool->path, spool->name, entry->d_name);
			spool->missing = true;
		} else if (fstat(stream->fd, &file) || !S_ISREG(file.st_mode)) {
			close(stream->fd);
			stream->fd = -1;
		}
	}
	if (list)
		closedir(list);
}

static int compare_streams(const void *a, const void *b)
{
	const struct spool_stream *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* Take metadata that continue those that we have. Return: whether they are longer. */
static bool take_metadata(struct spool *spool)
{
	bool in_packets, is_longer = false;
	struct stat file;
	char *text;
	size_t size;

	if (fstatat(spool->trace, "metadata", &file, 0) ||
	    (spool->metadata && file.st_mtim.tv_sec == spool->changed.tv_sec &&
	     file.st_mtim.tv_nsec == spool->changed.tv_nsec && (size_t)file.st_size == spool->metadata_size))
		return false;
	text = metadata_read(spool->trace, "metadata", &size, &in_packets);
	if (!text)
		return false;
	spool->changed = file.st_mtim;
	if (!spool->metadata) {
		is_longer = find_uuid(text, spool->uuid);
	} else if (size > spool->metadata_size &&
		   !memcmp(text, spool->metadata, spool->metadata_size)) {
		is_longer = true;
	}
	if (is_longer) {
		free(spool->metadata);
		spool->metadata = text;
		spool->metadata_size = size;
	} else {
		free(text);
	}
	return is_longer;
}

bool spool_go(struct spool *spool, const char *name)
{
	leave(spool);
	spool->trace = !strcmp(name, ".") ? spool->dir : open_trace(spool, name);
	if (spool->trace < 0)
		return false;
	if (!take_metadata(spool)) {
		leave(spool);
		return false;
	}
	snprintf(spool->name, sizeof(spool->name), "%s", name);
	find_streams(spool);
	if (spool->nr)
		qsort(spool->stream, spool->nr, sizeof(*spool->stream), compare_streams);
	return true;
}

/* Does a stream lie beside the metadata? If not, there may be parts. */
static bool is_trace(const struct spool *spool)
{
	DIR *list = opendir(spool->path);
	struct dirent *entry;
	bool has = false;

	while (list && !has && (entry = readdir(list)))
		has = trace_dir_stream(entry->d_name) >= 0;
	if (list)
		closedir(list);
	return has && is_there(spool->dir, "metadata");
}

/* Find the first trace behind the present one. */
static bool find_next(const struct spool *spool, char *next, size_t room)
{
	DIR *list = opendir(spool->path);
	struct dirent *entry;
	bool found = false;

	while (list && (entry = readdir(list))) {
		char *metadata = format_text("%s/metadata", entry->d_name), *name = entry->d_name;

		if (*name != '.' && is_there(spool->dir, metadata)) {
			strip_open(name);
			if (strverscmp(name, spool->name) > 0 && (!found || strverscmp(name, next) < 0)) {
				snprintf(next, room, "%s", name);
				found = true;
			}
		}
		free(metadata);
	}
	if (list)
		closedir(list);
	return found;
}

/* Parts that record --keep-parts removed before they were sent. */
static void check_gap(struct spool *spool, const char *next)
{
	unsigned long last = strtoul(spool->name, NULL, 10), nr = strtoul(next, NULL, 10);

	if (!trace_dir_is_part(spool->name) || !trace_dir_is_part(next) || nr <= last + 1)
		return;
	spool->missing = true;
	say("%s: %06lu to %06lu were removed before they were sent: keep more parts", spool->path,
	    last + 1, nr - 1);
}

/* The oldest part goes first: is the present one among those that went? */
static bool is_gone(const struct spool *spool)
{
	/* in this order: it may get its name meanwhile */
	return spool->trace >= 0 && trace_dir_is_part(spool->name) && !is_open(spool) &&
	       !is_there(spool->dir, spool->name);
}

bool spool_next(struct spool *spool)
{
	char next[sizeof(spool->name)];
	bool gone;

	if (!*spool->name && is_trace(spool))
		return spool_go(spool, ".");
	if (!strcmp(spool->name, "."))
		return false;
	/* before the look for others: the next one is there before this one goes */
	gone = is_gone(spool);
	if (find_next(spool, next, sizeof(next))) {
		check_gap(spool, next);
		return spool_go(spool, next);
	}
	if (gone && !spool->gone) {
		spool->gone = true;
		spool->missing = true;
		say("%s: what comes after %s was removed before it was sent: keep more parts", spool->path,
		    spool->name);
	}
	return false;
}

bool spool_refresh(struct spool *spool)
{
	find_streams(spool);
	return take_metadata(spool);
}

/* Read at @at of a stream, at least @size bytes. Return: bytes that are there. */
static size_t fill(struct spool_stream *stream, size_t size)
{
	ssize_t n;

	if (size > stream->room) {
		stream->room = size < WINDOW ? WINDOW : size;
		stream->window = need_memory(realloc(stream->window, stream->room));
	}
	stream->begin = stream->at;
	stream->size = 0;
	while (stream->size < stream->room) {
		n = pread(stream->fd, stream->window + stream->size, stream->room - stream->size,
			  stream->begin + stream->size);
		if (n <= 0)
			break;
		stream->size += n;
	}
	return stream->size;
}

static size_t in_window(const struct spool_stream *stream)
{
	const off_t left = stream->begin + (off_t)stream->size - stream->at;

	return stream->at >= stream->begin && left > 0 ? left : 0;
}

/* Return: how many of @size bytes at @at are in memory, after reading them. */
static size_t have(struct spool_stream *stream, size_t size)
{
	const size_t has = in_window(stream);

	return has >= size ? has : fill(stream, size);
}

bool spool_is_in_memory(const struct spool_stream *stream)
{
	const size_t has = in_window(stream);
	const struct ctf_packet_header *header =
		(const void *)(stream->window + (stream->at - stream->begin));

	return has >= sizeof(*header) && has >= header->packet_size / 8;
}

static const char *check(const struct spool *spool, const struct spool_stream *stream,
			 const struct ctf_packet_header *header)
{
	const char *wrong = packet_check(header);

	if (wrong)
		return wrong;
	if (memcmp(header->uuid, spool->uuid, CTF_UUID_SIZE))
		return "the packet is of another trace";
	return header->cpu_id == stream->cpu ? NULL : "it is of another CPU than its file";
}

/* Go behind a damage. Return: whether a packet of the trace begins there. */
static bool search(const struct spool *spool, struct spool_stream *stream)
{
	const struct ctf_packet_header like = {
		.magic = CTF_MAGIC, .stream_id = ctf_stream_id(spool->uuid),
	};
	char start[START], *found;
	size_t has;

	memcpy(start, &like, START);
	memcpy(start + offsetof(struct ctf_packet_header, uuid), spool->uuid, CTF_UUID_SIZE);
	for (stream->at++; (has = fill(stream, WINDOW)) >= START; stream->at += has - START + 1) {
		found = memmem(stream->window, has, start, START);
		if (!found)
			continue;
		stream->at += found - stream->window;
		return true;
	}
	stream->at = stream->begin + has;
	return false;
}

static void say_damage(struct spool *spool, const struct spool_stream *stream, const char *wrong,
		       off_t to)
{
	spool->missing = true;
	say("%s/%s/stream_%u: at byte %lld: %s; %lld bytes are not sent", spool->path, spool->name,
	    stream->cpu, (long long)stream->at, wrong, (long long)(to - stream->at));
}

const struct ctf_packet_header *spool_packet(struct spool *spool, struct spool_stream *stream,
					     bool is_complete, size_t *size)
{
	const struct ctf_packet_header *header;
	struct spool_stream damaged;
	const char *wrong;
	size_t has;

	for (;;) {
		has = stream->fd < 0 ? 0 : have(stream, sizeof(*header));
		header = (const void *)(stream->window + (stream->at - stream->begin));
		wrong = has < sizeof(*header) ? "a packet is cut off" : check(spool, stream, header);
		if (!wrong) {
			*size = header->packet_size / 8;
			has = have(stream, *size);
			if (has >= *size)
				return (const void *)(stream->window + (stream->at - stream->begin));
			wrong = "a packet is cut off";
		}
		if (!has || !is_complete)
			return NULL;
		damaged = *stream;
		search(spool, stream);
		say_damage(spool, &damaged, wrong, stream->at);
	}
}
