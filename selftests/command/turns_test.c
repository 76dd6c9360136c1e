// SPDX-License-Identifier: GPL-2.0
/*
 * A text that several threads write in turns: each part is there once, in order, whoever has it; and
 * all of them end if the output fails.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "tap.h"
#include "turns.h"

#define THREADS	5
#define PARTS	2000

static struct turns *turns;
static unsigned int next;
static int failed[THREADS];

static void *write_parts(void *arg)
{
	const unsigned int thread = (uintptr_t)arg;
	FILE *out = turns_enter(turns, thread);
	unsigned int part;

	while (!failed[thread] && (part = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < PARTS) {
		fprintf(out, "%0*d\n", (int)(part * 7 % 900), (int)part);
		failed[thread] = !turns_next(turns, thread, part);
	}
	return NULL;
}

/* Return: what turns_end() does. */
static int write_text(FILE *out, unsigned int nr)
{
	pthread_t id[THREADS];
	unsigned int i;

	next = 0;
	turns = turns_begin(out, nr);
	for (i = 0; i < nr; i++)
		pthread_create(&id[i], NULL, write_parts, (void *)(uintptr_t)i);
	for (i = 0; i < nr; i++)
		pthread_join(id[i], NULL);
	return turns_end(turns);
}

/* Return: how many parts of the text are where they have to be. */
static unsigned int count_parts(char *text)
{
	unsigned int nr = 0, part;
	char *line = strtok(text, "\n");

	for (part = 0; part < PARTS && line; part++) {
		nr += atoi(line) == (int)part && strlen(line) >= part * 7 % 900;
		line = strtok(NULL, "\n");
	}
	return line ? 0 : nr;
}

static void test_threads(unsigned int nr, const char *what)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	is_int(write_text(out, nr), 0, "%s: no error", what);
	fclose(out);
	is_int(count_parts(text), PARTS, "%s: all parts, in order", what);
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
	setvbuf(full, NULL, _IONBF, 0);
	is_int(write_text(full, THREADS), ENOSPC, "a failure: its error");
	for (i = 0; i < THREADS; i++)
		nr += failed[i];
	is_int(nr, THREADS, "a failure: all threads know of it");
	fclose(full);
}

int main(void)
{
	test_threads(THREADS, "five threads");
	test_threads(2, "two threads");
	test_threads(1, "one alone");
	turns_end(NULL);
	test_failure();
	return tap_done();
}
