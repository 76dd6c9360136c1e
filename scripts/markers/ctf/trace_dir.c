// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <markers/uapi/ctf.h>

#include "../base/number.h"
#include "packets.h"
#include "trace_dir.h"

long trace_dir_stream(const char *name)
{
	const char *number = name + strlen("stream_");
	uint64_t cpu;

	if (strncmp(name, "stream_", strlen("stream_")) || (number[0] == '0' && number[1]))
		return -1;
	return number_parse(number, 0, MAX_CPU, &cpu) ? (long)cpu : -1;
}

bool trace_dir_is_part(const char *name)
{
	size_t digits = strspn(name, "0123456789");

	return digits >= strlen("000001") && digits < 10 &&
	       (!name[digits] || !strcmp(name + digits, TRACE_DIR_OPEN));
}

/* Is it a file of a trace? A copy that was killed leaves the temporary name of file_copy(). */
static bool is_of_trace(const char *name)
{
	return !strcmp(name, "metadata") || !strcmp(name, ".metadata.new") ||
	       !strcmp(name, TRACE_DIR_UNWRITTEN) || trace_dir_stream(name) >= 0;
}

int trace_dir_clear(int dir)
{
	DIR *list = fdopendir(dir);
	struct dirent *entry;

	if (!list)
		return -1;
	while ((entry = readdir(list)))
		if (is_of_trace(entry->d_name))
			unlinkat(dir, entry->d_name, 0);
	closedir(list);
	return 0;
}
