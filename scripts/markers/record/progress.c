// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../base/message.h"
#include "../base/number.h"
#include "../control/control.h"
#include "progress.h"

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - then->tv_sec + (now.tv_nsec - then->tv_nsec) / 1e9;
}

void progress_show(const struct streams *streams, const struct timespec *began)
{
	uint64_t events = 0, lost = 0, bytes = 0;
	struct cpu_stats stats;
	char line[160], size[32];
	int i, n, nr, *cpus;

	if (!isatty(STDERR_FILENO))
		return;
	nr = control_cpus(&cpus);
	for (i = 0; i < nr; i++) {
		if (control_stats(cpus[i], &stats))
			break;
		events += stats.written - stats.lost;
		lost += stats.lost;
	}
	for (i = 0; i < streams->nr; i++)
		bytes += streams->stream[i].bytes;
	free(cpus);
	n = snprintf(line, sizeof(line), "\r%llu events, %s saved, %llu lost, %.0f s \033[K",
		     (unsigned long long)events, size_text(bytes, size, sizeof(size)),
		     (unsigned long long)lost, seconds_since(began));
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}

void progress_clear(void)
{
	if (isatty(STDERR_FILENO) && write(STDERR_FILENO, "\r\033[K", 4) < 0)
		return;
}

uint64_t progress_summarize(const struct streams *streams, const char *output)
{
	const struct rotation *rotation = &streams->rotation;
	uint64_t events = 0, bytes = 0, lost = 0, missing;
	char *losses = NULL, size[32];
	struct cpu_stats stats;
	size_t room;
	FILE *out;
	int i;

	out = need_memory(open_memstream(&losses, &room));
	for (i = 0; i < streams->nr; i++) {
		const struct stream *stream = &streams->stream[i];

		events += stream->events;
		bytes += stream->bytes;
		if (control_stats(stream->cpu, &stats))
			continue;
		stats.written -= stream->before;
		missing = stats.written > stream->events ? stats.written - stream->events : 0;
		lost += missing;
		if (missing)
			fprintf(out, "%scpu%d %llu", ftell(out) ? ", " : " (", stream->cpu,
				(unsigned long long)missing);
	}
	fclose(out);
	events -= rotation->gone.events;
	bytes -= rotation->gone.bytes;
	if (rotation->nr_removed)
		say("the oldest %u parts, with %llu events, were removed",
		    rotation->nr_removed, (unsigned long long)rotation->gone.events);
	say("%llu events, %s in %s; lost %llu%s%s", (unsigned long long)events,
	    size_text(bytes, size, sizeof(size)), output,
	    (unsigned long long)lost, losses, *losses ? ")" : "");
	free(losses);
	return lost;
}
