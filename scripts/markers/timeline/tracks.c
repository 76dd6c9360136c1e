// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "tracks.h"

/* What tells a track from all others; the names of CPUs and threads do not. */
struct identity {
	enum track_type type;
	int number;
	int pid;
	const struct track *lane;
	const char *name;
};

/**
 * struct tracks - a hash table of tracks
 * @drawing: the format
 * @out: the output file, the first argument of its functions
 * @nr: number of tracks
 * @room: entries of @track, a power of two
 * @nr_overlaps: slices that overlap others in their row
 * @track: the table; it has pointers because a track must not move
 */
struct tracks {
	const struct drawing *drawing;
	FILE *out;
	size_t nr;
	size_t room;
	uint64_t nr_overlaps;
	struct track **track;
};

struct tracks *tracks_create(const struct drawing *drawing, FILE *out)
{
	struct tracks *tracks = need_memory(calloc(1, sizeof(*tracks)));

	tracks->drawing = drawing;
	tracks->out = out;
	tracks->room = 64;
	tracks->track = need_memory(calloc(tracks->room, sizeof(*tracks->track)));
	return tracks;
}

static void destroy(struct track *track)
{
	struct open_slice slice;

	while (track_close(track, &slice))
		track_free(&slice);
	free(track->taken);
	free(track->name);
	free(track->text);
	free(track);
}

void tracks_destroy(struct tracks *tracks)
{
	struct track *track, *next;
	size_t i;

	for (i = 0; i < tracks->room; i++)
		for (track = tracks->track[i]; track; track = next) {
			next = track->next;
			destroy(track);
		}
	free(tracks->track);
	free(tracks);
}

/* Is a track identified by its name? CPUs and threads are not: a thread's name may change. */
static bool has_name(enum track_type type)
{
	return type == TRACK_NAMED || type == TRACK_COUNTER;
}

static bool is_same(const struct track *a, const struct identity *b)
{
	return a->type == b->type && a->number == b->number && a->pid == b->pid && a->lane == b->lane &&
	       (!has_name(a->type) || !strcmp(a->name, b->name));
}

static struct track **find(struct tracks *tracks, const struct identity *what)
{
	const struct track *lane = what->lane;
	uint64_t hash = (uint64_t)(lane ? lane->id : 0) << 32 ^ (uint64_t)what->number << 2 ^ what->type;
	struct track **at;
	const char *p;
	size_t i;

	for (p = what->name; has_name(what->type) && *p; p++)
		hash = hash * 31 + (unsigned char)*p;
	i = (hash * 0x9e3779b97f4a7c15u) >> 32;
	for (;; i++) {
		at = &tracks->track[i & (tracks->room - 1)];
		if (!*at || is_same(*at, what))
			return at;
	}
}

static void grow(struct tracks *tracks)
{
	struct track **old = tracks->track, *track;
	size_t i, room = tracks->room;

	tracks->room = 2 * room;
	tracks->track = need_memory(calloc(tracks->room, sizeof(*old)));
	for (i = 0; i < room; i++) {
		track = old[i];
		if (track)
			*find(tracks, &(struct identity){ track->type, track->number, track->pid,
							  track->lane, track->name }) = track;
	}
	free(old);
}

static struct track *make(struct tracks *tracks, const struct identity *what)
{
	struct track *track = need_memory(calloc(1, sizeof(*track)));

	track->type = what->type;
	track->lane = what->lane;
	track->number = what->number;
	track->pid = what->pid;
	track->id = ++tracks->nr;
	track->name = need_memory(strdup(what->name));
	tracks->drawing->track(tracks->out, track);
	return track;
}

static struct track *get(struct tracks *tracks, const struct identity *what)
{
	struct track **at = find(tracks, what);
	struct track *track = *at;

	if (track)
		return track;
	track = *at = make(tracks, what);
	if (2 * tracks->nr > tracks->room)
		grow(tracks);
	return track;
}

struct track *tracks_get(struct tracks *tracks, enum track_type type, int number, int pid,
			 const char *name)
{
	struct track *track = get(tracks, &(struct identity){ type, number, pid, NULL, name });

	if (strcmp(track->name, name)) {	/* viewers show the last name of a thread */
		free(track->name);
		track->name = need_memory(strdup(name));
		tracks->drawing->track(tracks->out, track);
	}
	return track;
}

struct track *tracks_get_cpu(struct tracks *tracks, unsigned int cpu)
{
	struct track *track = *find(tracks, &(struct identity){ .type = TRACK_CPU, .number = cpu });
	char name[32];

	if (track)
		return track;
	snprintf(name, sizeof(name), "CPU %u", cpu);
	return tracks_get(tracks, TRACK_CPU, cpu, 0, name);
}

struct track *tracks_get_row(struct tracks *tracks, const struct track *lane, const char *name)
{
	return get(tracks, &(struct identity){ .type = TRACK_NAMED, .lane = lane, .name = name });
}

struct track *tracks_take_row(struct tracks *tracks, struct track *row, uint64_t begin, uint64_t end)
{
	const struct identity what = { .type = TRACK_NAMED, .lane = row->lane, .name = row->name };
	unsigned int nr = 1;

	for (; row->covered > begin && nr < MAX_ROWS; nr++) {
		if (!row->next)
			row->next = make(tracks, &what);
		row = row->next;
	}
	tracks->nr_overlaps += row->covered > begin;
	row->covered = end;
	return row;
}

uint64_t tracks_nr_overlaps(const struct tracks *tracks)
{
	return tracks->nr_overlaps;
}

struct track *tracks_find_open(const struct tracks *tracks, size_t *at)
{
	struct track *track;

	for (; *at < tracks->room; ++*at) {
		track = tracks->track[*at];
		if (track && track->depth)
			return track;
	}
	return NULL;
}

void track_open(struct track *track, const char *name, const struct event *event)
{
	size_t size = event_copy_size(event, event->nr_contexts);
	struct open_slice *slice;

	track->has_begins = true;
	if (track->depth++ >= MAX_DEPTH)
		return;
	slice = &track->open[track->depth - 1];
	slice->name = need_memory(strdup(name));
	slice->values = size <= MAX_OPEN_VALUES ? need_memory(malloc(size)) : NULL;
	if (slice->values)
		event_copy_fill(slice->values, event, event->nr_contexts);
}

bool track_close(struct track *track, struct open_slice *slice)
{
	*slice = (struct open_slice){};
	if (!track->depth)
		return false;
	if (--track->depth < MAX_DEPTH)
		*slice = track->open[track->depth];
	return true;
}

void track_free(struct open_slice *slice)
{
	free(slice->name);
	free(slice->values);
}

bool track_take(struct track *track, uint64_t begin, uint64_t end)
{
	unsigned int nr = track->nr_taken;

	if (track->has_begins)
		return false;	/* the ends of those slices are unknown */
	if (!track->taken)
		track->taken = need_memory(calloc(MAX_TAKEN, sizeof(*track->taken)));
	while (nr && track->taken[nr - 1].begin > begin)
		nr--;		/* this slice lies inside the new one */
	if (nr && track->taken[nr - 1].end > begin)
		return false;
	if (nr == MAX_TAKEN) {	/* merge the oldest two */
		track->taken[1].begin = track->taken[0].begin;
		nr--;
		memmove(track->taken, track->taken + 1, nr * sizeof(*track->taken));
	}
	track->taken[nr] = (struct taken){ begin, end };
	track->nr_taken = nr + 1;
	return true;
}
