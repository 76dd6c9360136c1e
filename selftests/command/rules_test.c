// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of "markers check" on a trace with all kinds of damage: they never read beyond
 * the trace.
 */
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"
#include "rules.h"

#define ROUNDS	3000	/* or what ROUNDS of the environment says */

static unsigned int complaints;

static void complain(enum rule rule, const char *text)
{
	complaints += rule < NR_RULES && *text;
}

static char *read_all(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *bytes = malloc(1 << 20);

	*size = fread(bytes, 1, 1 << 20, file);
	fclose(file);
	return bytes;
}

static void write_all(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	fwrite(bytes, 1, size, file);
	fclose(file);
}

/* Return: whether the trace could be read. */
static bool check(const char *dir)
{
	struct rules rules = { .complain = complain };
	struct trace_files files;
	int status = trace_files_find(&files, dir);

	if (!status)
		status = rules_check(&rules, files.part);
	rules_free(&rules);
	trace_files_close(&files);
	return !status;
}

static void damage(const char *dir, const char *name, unsigned int rounds)
{
	char path[512], *good, *bad;
	unsigned int i, n, read = 0;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	good = read_all(path, &size);
	bad = malloc(size);
	srand(1);
	for (i = 0; i < rounds; i++) {
		memcpy(bad, good, size);
		for (n = 0; n < 1 + i % 4; n++)
			bad[i % 2 ? (size_t)rand() % size : (size_t)rand() % 120] = rand();
		write_all(path, bad, i % 5 ? size : (size_t)rand() % size);
		read += check(dir);
	}
	is_int(read, rounds, "%s, damaged", name);
	ok(complaints, "and that is seen, %u times", complaints);
	write_all(path, good, size);
	complaints = 0;
	ok(check(dir) && !complaints, "as it was: no complaint");
	free(good);
	free(bad);
}

int main(int argc, char **argv)
{
	const char *rounds = getenv("ROUNDS");
	char dir[256], command[600];
	unsigned int nr = rounds ? atoi(rounds) : ROUNDS;

	snprintf(dir, sizeof(dir), "%s/rules", argc > 1 ? argv[1] : ".");
	snprintf(command, sizeof(command), "rm -rf %s && %s/make_trace %s 300 lost", dir, argv[1],
		 dir);
	ok(!system(command), "a trace");
	damage(dir, "stream_0", nr);
	damage(dir, "metadata", nr);
	return tap_done();
}
