// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "state.h"

#define HEAD	"markers send 1\n"

static int say_access(const char *path)
{
	if (errno == EINVAL || errno == EISDIR)
		return say("%s: is not a file; --state names one, or a new one", path);
	return errno == EACCES || errno == EROFS || errno == EPERM ?
		say("%s: %s; --state names a file that can be written", path, strerror(errno)) :
		say_errno("%s", path);
}

/*
 * Lock the file that has the name: meanwhile another sender may have replaced it. Return: 0; or
 * -1 with errno.
 */
static int lock(struct state *state)
{
	struct stat ours, named;

	for (;;) {
		state->lock = open(state->path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0600);
		if (state->lock < 0)
			return -1;
		if (fstat(state->lock, &ours))
			return -1;
		if (!S_ISREG(ours.st_mode)) {
			errno = EINVAL;
			return -1;
		}
		if (flock(state->lock, LOCK_EX | LOCK_NB))
			return -1;
		if (!stat(state->path, &named) &&
		    ours.st_ino == named.st_ino && ours.st_dev == named.st_dev)
			return 0;
		close(state->lock);
	}
}

static bool parse_uuid(struct state *state, const char *text)
{
	unsigned int i, byte;

	for (i = 0; i < CTF_UUID_SIZE; i++, text += 2) {
		if (sscanf(text, "%2x", &byte) != 1)
			return false;
		state->uuid[i] = byte;
	}
	return true;
}

static bool parse_line(struct state *state, const char *line)
{
	struct state_stream stream = { .has = true };
	long long at;
	char all;

	if (sscanf(line, "cpu %u at %lld seq %" SCNu64, &stream.cpu, &at, &stream.seq) == 3) {
		stream.at = at;
		*state_stream(state, stream.cpu) = stream;
		return at >= 0;
	}
	if (!strncmp(line, "uuid ", 5))
		return parse_uuid(state, line + 5);
	if (sscanf(line, "packets %" SCNu64, &state->packets) == 1)
		return true;
	if (sscanf(line, "al%c", &all) == 1) {
		state->is_all = true;
		return true;
	}
	return sscanf(line, "trace %255[^\n]", state->name) == 1;
}

static bool parse(struct state *state, char *text)
{
	char *line;

	if (!*text)
		return true;	/* new */
	if (strncmp(text, HEAD, strlen(HEAD)))
		return false;
	text += strlen(HEAD);
	while ((line = strsep(&text, "\n")))
		if (*line && !parse_line(state, line))
			return false;
	return true;
}

int state_open(struct state *state, char *path)
{
	char *text;
	bool good;

	*state = (struct state){ .path = path, .lock = -1 };
	if (lock(state))
		return errno == EWOULDBLOCK ?
			say("%s: another \"markers send\" sends this recording to that collector", path) :
			say_access(path);
	text = file_read(AT_FDCWD, path, NULL);
	good = text && parse(state, text);
	free(text);
	return good ? STATUS_OK :
	       say("%s: is not what \"markers send\" writes; remove it to send all again", path);
}

struct state_stream *state_stream(struct state *state, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < state->nr; i++)
		if (state->stream[i].cpu == cpu)
			return &state->stream[i];
	state->stream = need_memory(realloc(state->stream, (state->nr + 1) * sizeof(*state->stream)));
	state->stream[state->nr] = (struct state_stream){ .cpu = cpu };
	return &state->stream[state->nr++];
}

void state_begin(struct state *state, const char *name, const uint8_t *uuid)
{
	snprintf(state->name, sizeof(state->name), "%s", name);
	memcpy(state->uuid, uuid, CTF_UUID_SIZE);
	state->is_all = false;
	state->nr = 0;
}

static char *text_of(const struct state *state)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = need_memory(open_memstream(&text, &size));

	fprintf(out, HEAD "packets %" PRIu64 "\n", state->packets);
	if (*state->name) {
		fprintf(out, "trace %s\nuuid ", state->name);
		for (i = 0; i < CTF_UUID_SIZE; i++)
			fprintf(out, "%02x", state->uuid[i]);
		putc('\n', out);
	}
	for (i = 0; i < state->nr; i++)
		if (state->stream[i].has)
			fprintf(out, "cpu %u at %lld seq %" PRIu64 "\n", state->stream[i].cpu,
				(long long)state->stream[i].at, state->stream[i].seq);
	if (state->is_all)
		fputs("all\n", out);
	fclose(out);
	return need_memory(text);
}

/* The new file is locked before it gets the name. Return: its descriptor; -1 with errno. */
static int write_new(const char *path, const char *text)
{
	const size_t size = strlen(text);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, size);
	if (n == (ssize_t)size && !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	if (n >= 0)
		errno = ENOSPC;
	close(fd);
	return -1;
}

int state_save(struct state *state)
{
	char *new = format_text("%s.new", state->path), *text = text_of(state);
	int fd = write_new(new, text), status = STATUS_OK;

	if (fd < 0 || rename(new, state->path)) {
		status = say_access(new);
		if (fd >= 0)
			close(fd);
	} else {
		close(state->lock);
		state->lock = fd;
	}
	free(text);
	free(new);
	return status;
}

void state_close(struct state *state)
{
	if (state->lock >= 0)
		close(state->lock);
	free(state->stream);
	free(state->path);
}
