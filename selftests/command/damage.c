// SPDX-License-Identifier: GPL-2.0
/*
 * damage FROM TO SEED: copies a trace of two streams, and damages the copy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_SIZE	(1 << 20)

static char bytes[MAX_SIZE];

static const char *const words[] = {
	"0", "1", "64", "65", "99999999999", "-1", "uint64_t", "hex8_t", "string", "struct", "};", "[",
	"_id", "", "\"", "module:", "enum", "align",
};

/* Replaces a word by another one, or doubles a line. */
static size_t damage_text(size_t size)
{
	size_t at = (size_t)rand() % size, n;
	const char *word = words[(size_t)rand() % (sizeof(words) / sizeof(*words))];

	while (at && bytes[at - 1] != ' ' && bytes[at - 1] != '\t')
		at--;
	if (rand() % 4) {
		n = strcspn(bytes + at, " ;\n");
		memmove(bytes + at + strlen(word), bytes + at + n, size - at - n);
		memcpy(bytes + at, word, strlen(word));
		return size + strlen(word) - n;
	}
	n = strcspn(bytes + at, "\n") + 1;
	memmove(bytes + at + n, bytes + at, size - at);
	return size + n;
}

/* Changes a number in a packet's header or in an event, or bytes anywhere. */
static size_t damage_stream(size_t size)
{
	static const unsigned char numbers[] = { 0, 1, 7, 8, 0x7f, 0x80, 0xff };
	size_t at = rand() % 2 ? (size_t)rand() % 100 : (size_t)rand() % size;

	if (rand() % 8 == 0)
		return (size_t)rand() % size;
	bytes[at % size] = rand() % 2 ? rand() : numbers[rand() % sizeof(numbers)];
	return size;
}

static void copy(const char *from, const char *to, const char *name, int times)
{
	char path[4096];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", from, name);
	file = fopen(path, "r");
	size = file ? fread(bytes, 1, MAX_SIZE / 2, file) : 0;
	if (file)
		fclose(file);
	bytes[size] = 0;
	for (; times && size > 1; times--)
		size = strcmp(name, "metadata") ? damage_stream(size) : damage_text(size);
	snprintf(path, sizeof(path), "%s/%s", to, name);
	file = fopen(path, "w");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
		perror(path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	int what;

	if (argc < 4)
		return 2;
	srand(atoi(argv[3]));
	mkdir(argv[2], 0755);
	what = rand() % 4;
	copy(argv[1], argv[2], "metadata", what == 0 ? 1 + rand() % 3 : 0);
	copy(argv[1], argv[2], "stream_0", what ? rand() % 4 : 0);
	copy(argv[1], argv[2], "stream_1", what == 2 ? 1 : 0);
	return 0;
}
