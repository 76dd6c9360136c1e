// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/message.h"
#include "description.h"
#include "wall.h"

#define SECOND		1000000000ll
#define MAX_RATE	0.001	/* a worse clock was set meanwhile */

/* Clocks that were read together, in nanoseconds. */
struct reading {
	uint64_t trace;
	uint64_t real;
};

static uint64_t to_ns(const struct wall *wall, uint64_t ticks)
{
	const uint64_t second = SECOND;

	return ticks / wall->frequency * second + ticks % wall->frequency * second / wall->frequency;
}

void wall_begin(struct wall *wall, const struct description *description)
{
	*wall = (struct wall){ .frequency = description->frequency, .real = description->offset };
}

/* Find "WHEN: clock=NAME before=TICKS after=TICKS realtime=SECONDS.NANOSECONDS ..." */
static bool find_reading(const struct wall *wall, const char *text, const char *when, struct reading *reading)
{
	uint64_t before, after, seconds, nanoseconds;
	const char *line = strstr(text, when);

	if (!line || sscanf(line + strlen(when), " clock=%*s before=%" SCNu64 " after=%" SCNu64
			    " realtime=%" SCNu64 ".%" SCNu64, &before, &after, &seconds, &nanoseconds) != 4 ||
	    !before || after < before)
		return false;
	reading->trace = to_ns(wall, before + (after - before) / 2);
	reading->real = seconds * SECOND + nanoseconds;
	return true;
}

static void take(struct wall *wall, const char *text)
{
	struct reading begin, end;
	bool has_begin = find_reading(wall, text, "begin:", &begin);
	bool has_end = find_reading(wall, text, "end:", &end);
	double rate = 0;

	if (!has_begin && !has_end)
		return;
	if (has_begin && has_end && end.trace > begin.trace)
		rate = (double)(int64_t)(end.real - begin.real - (end.trace - begin.trace)) / (end.trace - begin.trace);
	wall->from = has_begin ? begin.trace : end.trace;
	wall->real = has_begin ? begin.real : end.real;
	wall->rate = rate > -MAX_RATE && rate < MAX_RATE ? rate : 0;
	wall->is_read = true;
}

void wall_read(struct wall *wall, const char *path)
{
	static const char *const places[] = { "info/clock", "../info/clock" };
	char *name, *text = NULL;
	size_t i;

	for (i = 0; i < 2 && !text && !wall->is_read; i++) {
		name = format_text("%s/%s", path, places[i]);
		text = file_read_regular(AT_FDCWD, name, NULL);
		free(name);
	}
	if (text)
		take(wall, text);
	free(text);
}

uint64_t wall_of(const struct wall *wall, uint64_t ns)
{
	const uint64_t since = ns - wall->from;

	return wall->real + since + (int64_t)((int64_t)since * wall->rate);
}

uint64_t wall_ns(const struct wall *wall, uint64_t ticks)
{
	return wall_of(wall, to_ns(wall, ticks));
}

bool wall_is_known(const char *clock)
{
	return !clock || strncmp(clock, "no time", 7);
}
