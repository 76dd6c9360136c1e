// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "../base/message.h"
#include "turns.h"

/**
 * struct writer - a thread
 * @out: writes to @text
 * @text: its part, and what is left of longer ones
 * @size: of @text
 * @used: bytes of the part
 */
struct writer {
	FILE *out;
	char *text;
	size_t size;
	size_t used;
};

/**
 * struct turns - the text
 * @out: gets it
 * @mutex: protects @out and what follows
 * @change: it has changed
 * @turn: the part that is next
 * @error: errno with which the output failed
 * @nr: number of @writer
 * @writer: the threads
 */
struct turns {
	FILE *out;
	pthread_mutex_t mutex;
	pthread_cond_t change;
	uint64_t turn;
	int error;
	unsigned int nr;
	struct writer writer[];
};

struct turns *turns_begin(FILE *out, unsigned int nr)
{
	struct turns *turns = need_memory(calloc(1, sizeof(*turns) + nr * sizeof(*turns->writer)));

	turns->out = out;
	turns->nr = nr;
	pthread_mutex_init(&turns->mutex, NULL);
	pthread_cond_init(&turns->change, NULL);
	return turns;
}

FILE *turns_enter(struct turns *turns, unsigned int thread)
{
	struct writer *writer = &turns->writer[thread];

	if (turns->nr == 1)
		return turns->out;
	writer->out = need_memory(open_memstream(&writer->text, &writer->size));
	return writer->out;
}

/* Under the mutex. */
static void put(struct turns *turns, const struct writer *writer, uint64_t part)
{
	while (turns->turn != part && !turns->error)
		pthread_cond_wait(&turns->change, &turns->mutex);
	if (!turns->error && fwrite_unlocked(writer->text, 1, writer->used, turns->out) != writer->used)
		turns->error = errno;
	turns->turn = part + 1;
	pthread_cond_broadcast(&turns->change);
}

bool turns_next(struct turns *turns, unsigned int thread, uint64_t part)
{
	struct writer *writer = &turns->writer[thread];
	long used;
	bool good;

	if (turns->nr == 1)
		return !ferror_unlocked(turns->out);
	used = ftell(writer->out);
	good = !fflush(writer->out) && used >= 0;
	pthread_mutex_lock(&turns->mutex);
	if (!good)
		turns->error = turns->error ?: ENOMEM;
	writer->used = used;
	put(turns, writer, part);
	good = !turns->error;
	pthread_mutex_unlock(&turns->mutex);
	rewind(writer->out);
	return good;
}

int turns_end(struct turns *turns)
{
	struct writer *writer;
	int error;

	if (!turns)
		return 0;
	for (writer = turns->writer; writer < turns->writer + turns->nr; writer++) {
		if (writer->out)
			fclose(writer->out);
		free(writer->text);
	}
	pthread_mutex_destroy(&turns->mutex);
	pthread_cond_destroy(&turns->change);
	error = turns->error;
	free(turns);
	return error;
}
