// SPDX-License-Identifier: GPL-2.0
/*
 * A text that several threads write in turns: each part is there once, in order, also if one of
 * them ends early; and all of them end if the output fails.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "tap.h"
#include "turns.h"

#define THREADS	5
#define PARTS	2000

static struct turns *turns;
static unsigned int threads, stops_at;
static int failed[THREADS];

static void *write_parts(void *arg)
{
	const unsigned int thread = (uintptr_t)arg;
	FILE *out = turns_enter(turns, thread);
	uint64_t part;

	for (part = thread; part < PARTS && !failed[thread]; part += threads) {
		/* the second one finds less than the others */
		if (thread == 1 && part > stops_at)
			break;
		fprintf(out, "%0*d\n", (int)(part * 7 % 900), (int)part);
		failed[thread] = !turns_next(turns, part);
	}
	turns_leave(turns, thread);
	return NULL;
}

/* Return: what turns_end() does. */
static int write_text(FILE *out, unsigned int nr)
{
	pthread_t id[THREADS];
	unsigned int i;

	threads = nr;
	turns = turns_begin(out, nr);
	for (i = 0; i < nr; i++)
		pthread_create(&id[i], NULL, write_parts, (void *)(uintptr_t)i);
	for (i = 0; i < nr; i++)
		pthread_join(id[i], NULL);
	return turns_end(turns);
}

/* Return: how many parts of the text are where they have to be. */
static unsigned int count_parts(char *text, unsigned int stop)
{
	unsigned int nr = 0, part;
	char *line = strtok(text, "\n");

	for (part = 0; part < PARTS && line; part++) {
		if (part % threads == 1 && part > stop)
			continue;
		nr += atoi(line) == (int)part && strlen(line) >= part * 7 % 900;
		line = strtok(NULL, "\n");
	}
	return line ? 0 : nr;
}

static void test_threads(unsigned int nr, unsigned int stop, unsigned int parts, const char *what)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	stops_at = stop;
	is_int(write_text(out, nr), 0, "%s: no error", what);
	fclose(out);
	is_int(count_parts(text, stop), parts, "%s: all parts, in order", what);
	free(text);
}

static void test_failure(void)
{
	FILE *full = fopen("/dev/full", "w");
	unsigned int i, nr = 0;

	if (!full) {
		skip("no /dev/full", "a failure");
		return;
	}
	stops_at = PARTS;
	setvbuf(full, NULL, _IONBF, 0);
	is_int(write_text(full, THREADS), ENOSPC, "a failure: its error");
	for (i = 0; i < THREADS; i++)
		nr += failed[i];
	is_int(nr, THREADS, "a failure: all threads know of it");
	fclose(full);
}

int main(void)
{
	test_threads(THREADS, PARTS, PARTS, "five threads");
	test_threads(2, PARTS, PARTS, "two threads");
	test_threads(THREADS, 501, PARTS - 299, "one that ends early");
	test_threads(1, PARTS, PARTS, "one alone");
	turns_end(NULL);
	test_failure();
	return tap_done();
}
