// SPDX-License-Identifier: GPL-2.0
/*
 * A week of "record --rotate 100M --limit 1G" at 10 MB/s, with a 250th of the bytes: as many
 * parts begin, become complete and go. A pipe stands for trace_pipe_raw. It is as fast as parts
 * become complete. Sixty times this looks at the directory and at the memory of this process.
 *
 * usage: week DIR [PARTS]
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"
#include "streams.h"
#include "tap.h"

#define SECONDS		(7 * 86400ull)
#define PACKET		16384
#define PART		(24ull * PACKET)
#define LIMIT		(10 * PART)

static struct {
	union {
		struct ctf_packet_header header;
		char data[PACKET];
	};
} packet = {
	.header = {
		.magic = CTF_MAGIC, .uuid = { 1, 2, 3, 4 }, .stream_id = 0x04030201,
		.content_size = 8 * PACKET, .packet_size = 8 * PACKET, .nr_events = 3,
	},
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

/* KiB of this process, without files. */
static long memory(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long size = 0;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "RssAnon: %ld", &size);
	if (file)
		fclose(file);
	return size;
}

/* Bytes of the streams below a directory; @parts: directories in it. */
static uint64_t disk(const char *path, unsigned int *parts)
{
	char name[4096];
	struct dirent *entry;
	struct stat file;
	uint64_t size = 0;
	unsigned int below;
	DIR *list = opendir(path);

	*parts = 0;
	while (list && (entry = readdir(list))) {
		if (*entry->d_name == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (lstat(name, &file))
			continue;	/* it has got its other name, or is gone */
		if (S_ISDIR(file.st_mode)) {
			++*parts;
			size += disk(name, &below);
		} else if (file.st_nlink == 1) {
			size += file.st_size;
		}
	}
	if (list)
		closedir(list);
	return size;
}

static void run(unsigned int nr_parts)
{
	const struct rotation_limits limits = { .size = PART, .limit = LIMIT };
	uint64_t packets = (uint64_t)nr_parts * PART / PACKET, i, size, most = 0;
	unsigned int parts, most_parts = 0, looks = 0;
	int dir = open("recording", O_RDONLY | O_DIRECTORY), out;
	long first = 0, last = 0;
	struct streams streams;

	ok(!streams_open(&streams, dir, &limits, NULL), "open");
	out = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	ok(!streams_start(&streams), "start");
	rotation_begun(&streams.rotation);
	for (i = 0; i < packets && !streams_failed(&streams); i++) {
		if (write(out, &packet, PACKET) != PACKET)
			break;
		/* at 10 MB/s, a part takes ten seconds */
		while (streams.rotation.part > streams.rotation.complete + 2 &&
		       !streams_failed(&streams))
			usleep(100);
		if (i % (packets / 60 ?: 1))
			continue;
		size = disk("recording", &parts);
		most = size > most ? size : most;
		most_parts = parts > most_parts ? parts : most_parts;
		last = memory();
		if (++looks == 6)
			first = last;
	}
	is_int(i, packets, "packets");
	streams_drain(&streams);
	is_int(streams_failed(&streams), 0, "errors");
	is_int(streams.stream[0].events, 3 * packets, "events");
	ok(streams.rotation.part > nr_parts * 3 / 4, "there were %u parts", streams.rotation.part);
	/* the limit holds to the part */
	ok(most <= LIMIT + PART, "the directory had %llu bytes at most, of %llu",
	   (unsigned long long)most, (unsigned long long)LIMIT);
	ok(most_parts <= LIMIT / PART + 2, "and %u parts", most_parts);
	/* what it remembers of each part that is gone would be more */
	ok(last <= first + 256, "memory: %ld KiB after a tenth, %ld KiB at the end", first, last);
	streams_close(&streams);
	close(out);
	close(dir);
}

int main(int argc, char **argv)
{
	unsigned int parts = argc > 2 ? strtoul(argv[2], NULL, 10) : SECONDS * 10 / 100;

	if (argc < 2 || chdir(argv[1]) || !ok(!mkdir("recording", 0700) && !mkdir("fake", 0700) &&
	    !mkdir("fake/ctf", 0700) && !mkdir("fake/per_cpu", 0700) &&
	    !mkdir("fake/per_cpu/cpu0", 0700) &&
	    !mkfifo("fake/per_cpu/cpu0/trace_pipe_raw", 0600), "that of markers.ko"))
		return 1;
	write_text("fake/per_cpu/cpu0/stats", "unread: 0\nopen: 0\n");
	write_text("fake/ctf/metadata", "metadata");
	setenv("MARKERS_DIR", "fake", 1);
	ok(!control_open(), "it is found");
	run(parts);
	return tap_done();
}
