// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "earlier.h"
#include "kallsyms.h"
#include "parts.h"
#include "rotation.h"

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static bool may_remove(const struct rotation *rotation)
{
	return rotation->limits.keep || rotation->limits.limit;
}

static struct totals *totals_of(struct rotation *rotation, unsigned int nr)
{
	return &rotation->totals[nr - rotation->removed - 1];
}

static void signal_thread(struct rotation *rotation)
{
	eventfd_write(rotation->wake, 1);
}

/* Call it with the mutex held, or before there are threads. */
static int begin_part(struct rotation *rotation, unsigned int nr)
{
	if (part_begin(rotation->dir, nr))
		return -1;
	rotation->totals = need_memory(realloc(rotation->totals, (nr - rotation->removed) *
					       sizeof(*rotation->totals)));
	memset(totals_of(rotation, nr), 0, sizeof(*rotation->totals));
	rotation->bytes = 0;
	rotation->began = now();
	rotation->part = nr;
	return 0;
}

/* The first part that a stream may still be written to. */
static unsigned int first_open(const struct rotation *rotation)
{
	unsigned int first = rotation->part;
	int i;

	for (i = 0; i < rotation->nr; i++)
		if (rotation->of[i] < first)
			first = rotation->of[i];
	return first;
}

unsigned int rotation_enter(struct rotation *rotation, int stream)
{
	unsigned int part;

	pthread_mutex_lock(&rotation->mutex);
	part = rotation->of[stream] = rotation->part;
	pthread_mutex_unlock(&rotation->mutex);
	/* The first part waits for a stream that comes when another one has turned. */
	if (part > 1)
		signal_thread(rotation);
	return part;
}

void rotation_leave(struct rotation *rotation, int stream, uint64_t events, uint64_t bytes)
{
	struct totals *totals;

	pthread_mutex_lock(&rotation->mutex);
	totals = totals_of(rotation, rotation->of[stream]);
	totals->events += events;
	totals->bytes += bytes;
	rotation->of[stream] = NO_PART;
	pthread_mutex_unlock(&rotation->mutex);
	signal_thread(rotation);
}

static bool is_due(const struct rotation *rotation)
{
	return rotation->bytes >= rotation->limits.size ||
	       (rotation->limits.time && rotation->bytes &&
		now() - rotation->began >= rotation->limits.time);
}

/* Begin the next part, unless another thread has begun it. Return: 0, or -1 with errno. */
static int begin_next(struct rotation *rotation, unsigned int old)
{
	int err = 0, i;

	pthread_mutex_lock(&rotation->mutex);
	if (rotation->part == old) {
		err = begin_part(rotation, old + 1);
		for (i = 0; i < rotation->nr && !err; i++)
			eventfd_write(rotation->turn[i], 1);
	}
	pthread_mutex_unlock(&rotation->mutex);
	return err;
}

int rotation_turn(struct rotation *rotation, unsigned int part)
{
	while (rotation->part == part && is_due(rotation) && begin_next(rotation, part))
		if (!file_disk_is_full(errno) || !rotation_make_room(rotation)) {
			errno = errno ?: ENOSPC;
			return -1;
		}
	return rotation->part != part;
}

bool rotation_make_room(struct rotation *rotation)
{
	unsigned int mine;
	int err = errno;
	bool freed;

	if (!may_remove(rotation))
		return false;
	pthread_mutex_lock(&rotation->mutex);
	mine = ++rotation->wanted;
	signal_thread(rotation);
	while (rotation->answered < mine && !rotation->error)
		pthread_cond_wait(&rotation->answer, &rotation->mutex);
	freed = rotation->was_freed && !rotation->error;
	pthread_mutex_unlock(&rotation->mutex);
	errno = err;
	return freed;
}

void rotation_describe(struct rotation *rotation)
{
	unsigned int nr;

	/* Completing a part describes it, too, and nobody has hit a marker of a later module in it. */
	pthread_mutex_lock(&rotation->mutex);
	for (nr = rotation->closing + 1; nr <= rotation->part; nr++)
		part_describe(rotation->dir, nr);
	if (rotation->synced > rotation->closing)
		rotation->synced = rotation->closing;
	pthread_mutex_unlock(&rotation->mutex);
	signal_thread(rotation);
}

/* One that somebody has moved away is not there any more. Return: whether there is more room. */
static bool remove_own(struct rotation *rotation)
{
	unsigned int nr = rotation->removed + 1;
	bool removed;
	int err;

	removed = !part_remove(rotation->dir, nr);
	err = errno;
	if (!removed && err != ENOENT)
		say_errno("part %06u is not removed", nr);
	pthread_mutex_lock(&rotation->mutex);
	if (removed) {
		rotation->nr_removed++;
		rotation->gone.events += rotation->totals[0].events;
		rotation->gone.bytes += rotation->totals[0].bytes;
	}
	rotation->removed = nr;
	memmove(rotation->totals, rotation->totals + 1,
		(rotation->part - nr) * sizeof(*rotation->totals));
	pthread_mutex_unlock(&rotation->mutex);
	return removed;
}

/* Remove the oldest part. @freed: whether there is more room. Return: whether there was one. */
static bool remove_next(struct rotation *rotation, bool *freed)
{
	if (rotation->limits.earlier && earlier_remove(rotation->limits.earlier, freed))
		return true;
	if (rotation->removed == rotation->complete)
		return false;
	*freed = remove_own(rotation);
	return true;
}

/* Return: whether there is more room. */
static bool make_room(struct rotation *rotation)
{
	bool freed;

	while (remove_next(rotation, &freed))
		if (freed)
			return true;
	return false;
}

/* Are there more parts than the user wants, if the current one gets as large as it may? */
static bool is_too_much(struct rotation *rotation)
{
	static const struct earlier none;
	const struct rotation_limits *limits = &rotation->limits;
	const struct earlier *earlier = limits->earlier ?: &none;
	uint64_t bytes = limits->size, parts = 1;
	const struct totals *totals;
	unsigned int nr;

	if (limits->earlier)
		earlier_look(limits->earlier);
	parts += earlier->parts;
	bytes += earlier->bytes;
	pthread_mutex_lock(&rotation->mutex);
	for (nr = rotation->removed + 1; nr < rotation->part; nr++) {
		totals = totals_of(rotation, nr);
		if (totals->is_away)
			continue;
		parts++;
		bytes += nr > rotation->complete ? totals->bytes : totals->on_disk;
	}
	pthread_mutex_unlock(&rotation->mutex);
	return (limits->keep && parts > limits->keep) || (limits->limit && bytes > limits->limit);
}

/* Somebody may have moved complete parts away. */
static void look_what_is_there(struct rotation *rotation)
{
	unsigned int nr;
	bool is_away;

	if (rotation->limits.earlier)
		earlier_count(rotation->limits.earlier);
	for (nr = rotation->removed + 1; nr <= rotation->complete; nr++) {
		is_away = !part_is_there(rotation->dir, nr);
		pthread_mutex_lock(&rotation->mutex);
		totals_of(rotation, nr)->is_away = is_away;
		pthread_mutex_unlock(&rotation->mutex);
	}
}

static int complete_next(struct rotation *rotation)
{
	unsigned int nr = rotation->complete + 1;
	uint64_t size;
	int err;

	pthread_mutex_lock(&rotation->mutex);
	rotation->closing = nr;
	pthread_mutex_unlock(&rotation->mutex);
	if (rotation->kallsyms)
		kallsyms_update(rotation->kallsyms);
	while (part_complete(rotation->dir, nr)) {
		err = errno;
		if (!file_disk_is_full(err) || !may_remove(rotation) || !make_room(rotation)) {
			errno = err;
			return -1;
		}
	}
	size = part_size(rotation->dir, nr);
	pthread_mutex_lock(&rotation->mutex);
	totals_of(rotation, nr)->on_disk = size;
	rotation->complete = nr;
	pthread_mutex_unlock(&rotation->mutex);
	return 0;
}

/* Bring the metadata of parts that began to the disk. No stream waits for that. */
static void sync_parts(struct rotation *rotation)
{
	unsigned int nr, last;

	pthread_mutex_lock(&rotation->mutex);
	nr = rotation->synced > rotation->closing ? rotation->synced : rotation->closing;
	last = rotation->synced = rotation->part;
	pthread_mutex_unlock(&rotation->mutex);
	while (nr++ < last)
		part_sync(rotation->dir, nr);
}

static void prune(struct rotation *rotation)
{
	bool freed;

	if (!rotation->begun || !is_too_much(rotation))
		return;
	look_what_is_there(rotation);
	while (is_too_much(rotation) && remove_next(rotation, &freed))
		;
}

/* Complete what all streams have left, and remove what is too much. */
static int work(struct rotation *rotation)
{
	unsigned int first;

	pthread_mutex_lock(&rotation->mutex);
	first = first_open(rotation);
	pthread_mutex_unlock(&rotation->mutex);
	while (rotation->complete + 1 < first) {
		if (complete_next(rotation))
			return -1;
		prune(rotation);
	}
	return 0;
}

/* Those that have asked before share an answer. */
static void answer(struct rotation *rotation)
{
	unsigned int wanted;
	bool freed;

	pthread_mutex_lock(&rotation->mutex);
	wanted = rotation->wanted;
	pthread_mutex_unlock(&rotation->mutex);
	if (wanted == rotation->answered)
		return;
	freed = make_room(rotation);
	pthread_mutex_lock(&rotation->mutex);
	rotation->answered = wanted;
	rotation->was_freed = freed;
	pthread_cond_broadcast(&rotation->answer);
	pthread_mutex_unlock(&rotation->mutex);
}

static void *rotation_main(void *arg)
{
	struct rotation *rotation = arg;
	bool ending, begun = false;
	eventfd_t times;

	do {
		eventfd_read(rotation->wake, &times);
		ending = rotation->ending;
		sync_parts(rotation);
		/* the limits may be others than those of the last start */
		if (!begun && rotation->begun) {
			begun = true;
			prune(rotation);
		}
		if (work(rotation)) {
			rotation->error = errno ?: EIO;
			pthread_mutex_lock(&rotation->mutex);
			pthread_cond_broadcast(&rotation->answer);
			pthread_mutex_unlock(&rotation->mutex);
			return NULL;
		}
		answer(rotation);
	} while (!ending);
	return NULL;
}

int rotation_open(struct rotation *rotation, int dir, const struct rotation_limits *limits,
		  struct kallsyms *kallsyms, int nr)
{
	int i;

	*rotation = (struct rotation){
		.dir = dir, .limits = *limits, .kallsyms = kallsyms, .nr = nr,
		.wake = eventfd(0, EFD_CLOEXEC),
	};
	pthread_mutex_init(&rotation->mutex, NULL);
	pthread_cond_init(&rotation->answer, NULL);
	rotation->turn = need_memory(malloc((nr + 1) * sizeof(*rotation->turn)));
	rotation->of = need_memory(malloc((nr + 1) * sizeof(*rotation->of)));
	for (i = 0; i < nr; i++) {
		rotation->turn[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		rotation->of[i] = 1;	/* until it enters one */
	}
	for (i = 0; i < nr; i++)
		if (rotation->turn[i] < 0)
			return say_errno("eventfd");
	if (rotation->wake < 0)
		return say_errno("eventfd");
	if (begin_part(rotation, 1))
		return say_errno("the first part");
	part_sync(dir, 1);
	rotation->synced = 1;
	return STATUS_OK;
}

int rotation_start(struct rotation *rotation)
{
	int err = pthread_create(&rotation->thread, NULL, rotation_main, rotation);

	rotation->running = !err;
	return err;
}

void rotation_begun(struct rotation *rotation)
{
	rotation->begun = true;
	signal_thread(rotation);
}

void rotation_end(struct rotation *rotation)
{
	if (!rotation->running)
		return;
	rotation->ending = true;
	signal_thread(rotation);
	pthread_join(rotation->thread, NULL);
	rotation->running = false;
}

void rotation_close(struct rotation *rotation)
{
	int i;

	rotation_end(rotation);
	for (i = 0; i < rotation->nr; i++)
		if (rotation->turn[i] >= 0)
			close(rotation->turn[i]);
	if (rotation->turn && rotation->wake >= 0)
		close(rotation->wake);
	free(rotation->turn);
	free(rotation->of);
	free(rotation->totals);
	rotation->turn = NULL;
	rotation->of = NULL;
	rotation->totals = NULL;
	rotation->nr = 0;
}
