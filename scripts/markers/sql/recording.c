// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../events/symbols.h"
#include "../reader/trace.h"
#include "recording.h"

/* Return: the last part of a path, to be freed. */
static char *last_part(const char *path)
{
	char *whole = realpath(path, NULL), *name;
	const char *slash;

	if (!whole)
		whole = need_memory(strdup(path));
	slash = strrchr(whole, '/');
	name = need_memory(strdup(slash ? slash + 1 : whole));
	free(whole);
	return name;
}

/* "NAME=DIR": a name has no slash. */
static void parse(struct recording *recording, const char *word)
{
	const char *equals = strchr(word, '=');

	if (equals && equals > word && !memchr(word, '/', equals - word)) {
		recording->name = need_memory(strndup(word, equals - word));
		word = equals + 1;
	} else {
		recording->name = last_part(word);
	}
	recording->path = need_memory(strdup(word));
}

struct recording *recording_open(const char *word)
{
	struct recording *recording = need_memory(calloc(1, sizeof(*recording)));

	parse(recording, word);
	if (!trace_open(&recording->files, recording->path)) {
		if (!opened_begin(&recording->opened, &recording->files)) {
			packet_index_begin(&recording->index, &recording->opened);
			return recording;
		}
		opened_end(&recording->opened);
		trace_files_close(&recording->files);
	}
	free(recording->path);
	free(recording->name);
	free(recording);
	return NULL;
}

void recording_close(struct recording *recording)
{
	if (!recording)
		return;
	packet_index_end(&recording->index);
	opened_end(&recording->opened);
	trace_files_close(&recording->files);
	symbols_free(recording->symbols);
	free(recording->told.packet);
	free(recording->counts);
	free(recording->path);
	free(recording->name);
	free(recording);
}

void recording_use_symbols(struct recording *recording)
{
	if (recording->has_symbols) {
		symbols_use(recording->symbols);
		return;
	}
	symbols_use(NULL);	/* another recording has these */
	if (recording->opened.info.is_joint)
		say("%s: addresses of functions stay numbers: the recordings are of several hosts or boots",
		    recording->path);
	else
		symbols_begin(recording->path, &recording->opened.info);
	recording->symbols = symbols_use(NULL);
	symbols_use(recording->symbols);
	recording->has_symbols = true;
}

static void count(struct recording *recording)
{
	const struct opened *opened = &recording->opened;
	const struct opened_stream *stream;
	struct merge merge;
	enum merge_at at;
	size_t i;

	recording->counts = need_memory(calloc(opened->info.nr_kinds + 1, sizeof(*recording->counts)));
	merge_begin(&merge, opened, true);
	merge.told = &recording->told;
	for (i = 0; i < opened->nr_streams; i++)
		merge_add(&merge, i, 0, UINT64_MAX);
	while ((at = merge_next(&merge)) != MERGE_END)
		if (at == MERGE_EVENT)
			recording->counts[opened_kind(opened, merge_record(&merge, &stream)->class)->number]++;
	if (merge_end(&merge))
		recording->damaged = true;
}

uint64_t recording_count(struct recording *recording, unsigned int kind)
{
	if (!recording->counts)
		count(recording);
	return recording->counts[kind];
}

bool recording_is_damaged(const struct recording *recording)
{
	return recording->files.damaged || recording->opened.damaged || recording->index.damaged || recording->damaged;
}

bool recording_say_lost(const struct recording *recording)
{
	if (recording->index.lost)
		say("%s: %" PRIu64 " event%s lost: the table \"loss\" says when", recording->path,
		    recording->index.lost, recording->index.lost == 1 ? " was" : "s were");
	return recording->index.lost;
}
