// SPDX-License-Identifier: GPL-2.0
/*
 * A recording with --rotate and --keep-parts, which goes on while it is read. And many folders.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "tap.h"
#include "trace_files.h"

static bool completes;	/* a part is completed when the directory has been listed */
static int repeats;	/* how often the first folder of "wide" is there */

/* Copy the entry behind "." and "..". */
static int repeat(struct dirent ***list, int nr)
{
	int i;

	*list = realloc(*list, (nr + repeats) * sizeof(**list));
	memmove(*list + 2 + repeats, *list + 2, (nr - 2) * sizeof(**list));
	for (i = 2; i < 2 + repeats; i++) {
		(*list)[i] = calloc(1, sizeof(***list));
		strcpy((*list)[i]->d_name, (*list)[2 + repeats]->d_name);
	}
	return nr + repeats;
}

/* Replaces the function of the C library. */
int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	int (*real)(const char *path, struct dirent ***list,
		    int (*filter)(const struct dirent *),
		    int (*compare)(const struct dirent **, const struct dirent **));
	int nr;

	real = (__typeof__(real))dlsym(RTLD_NEXT, "scandir");
	nr = real(path, list, filter, compare);
	if (completes)
		rename("days/000002.open", "days/000002");
	completes = false;
	return strcmp(path, "wide") ? nr : repeat(list, nr);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static void make_part(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "days/%s", name);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "days/%s/metadata", name);
	write_text(path, "/* CTF 1.8 */\nenv {\n\ttracer_name = \"markers\";\n};\n");
	snprintf(path, sizeof(path), "days/%s/stream_0", name);
	write_text(path, "");
}

static bool is_empty(const struct trace_stream *stream)
{
	int fd = trace_stream_open(stream);
	bool empty;
	char byte;

	empty = fd >= 0 && !read(fd, &byte, 1);
	trace_stream_close(stream, fd);
	return empty;
}

/* Are the metadata and the stream of all parts open, or can be opened? */
static bool can_read(const struct trace_files *files)
{
	size_t i;

	for (i = 0; i < files->nr; i++)
		if (!files->part[i].metadata || files->part[i].nr_streams != 1 ||
		    !is_empty(files->part[i].stream))
			return false;
	return true;
}

int main(void)
{
	char work[] = "/tmp/files-XXXXXX", command[64];
	const struct rlimit few = { .rlim_cur = 12, .rlim_max = 12 };
	struct trace_files files;

	if (!ok(mkdtemp(work) && !chdir(work) && !mkdir("days", 0700), "a directory"))
		return tap_done();
	make_part("000001");
	make_part("000002.open");
	completes = true;
	ok(!trace_files_find(&files, "days"), "a part is completed while we look for parts");
	is_int(files.nr, 2, "both are found");
	is_str(files.part[1].path, "days/000002", "by the new name");
	ok(can_read(&files), "and can be read");
	trace_files_close(&files);

	make_part("000003.open");
	ok(!trace_files_find(&files, "days"), "later there are three");
	is_int(files.nr, 3, "which are found");
	rename("days/000003.open", "days/000003");
	ok(!system("rm -r days/000001"), "one is completed, and the oldest is removed");
	ok(!trace_files_check(&files) && can_read(&files), "what was found can be read");
	ok(!files.damaged, "and is whole");
	trace_files_close(&files);

	make_part("000004");
	make_part("000005.open");
	setrlimit(RLIMIT_NOFILE, &few);
	ok(!trace_files_find(&files, "days"), "more files than can be open at a time");
	is_int(files.nr, 4, "are found");
	ok(files.part[0].stream[0].fd >= 0 && files.part[3].stream[0].fd < 0 && can_read(&files), "the last ones are read where they are");
	trace_files_close(&files);

	repeats = 19998;
	ok(!system("mkdir -p wide/a wide/b && cp -r days/000004 wide/b/markers"), "20000 folders");
	ok(!trace_files_find(&files, "wide"), "the last one has a trace");
	is_int(files.nr, 1, "which is found");
	ok(!files.damaged, "and it is all there is");
	trace_files_close(&files);
	repeats++;
	ok(trace_files_find(&files, "wide"), "one more: it is left out");
	ok(files.damaged, "which is no secret");
	trace_files_close(&files);
	snprintf(command, sizeof(command), "rm -r %s", work);
	ok(!system(command), "removed");
	return tap_done();
}
