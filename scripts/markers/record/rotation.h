/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which parts a recording has: when the next one begins, when one is complete, and which go. A
 * thread completes and removes them, so those that move packets do not wait for the disk.
 */
#ifndef _MARKERS_ROTATION_H
#define _MARKERS_ROTATION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct earlier;
struct kallsyms;

/**
 * struct rotation_limits - what the user wants; a zero is no limit
 * @size: bytes after which the next part begins
 * @time: nanoseconds after which it does
 * @keep: number of parts to keep, with that which is being written
 * @limit: bytes of all parts together
 * @earlier: recordings whose parts count as well, and go first; or NULL
 */
struct rotation_limits {
	uint64_t size;
	uint64_t time;
	unsigned int keep;
	uint64_t limit;
	struct earlier *earlier;
};

/* What a part has. @is_away: somebody has moved it away, so it counts no more. */
struct totals {
	uint64_t events;
	uint64_t bytes;
	uint64_t on_disk;
	bool is_away;
};

/* Of a stream: it is in no part. */
#define NO_PART	UINT32_MAX

/**
 * struct rotation - the parts of a recording
 * @dir: the directory of the recording
 * @limits: what the user wants; @size is never 0
 * @kallsyms: the symbols of the recording, or NULL
 * @nr: number of streams
 * @turn: of each stream an eventfd; when it is readable, another part has begun
 * @of: of each stream, the part that it is in
 * @mutex: protects @of and what follows
 * @part: number of the current part; read without the mutex, too
 * @complete: number of the last part that is complete
 * @closing: number of the last part that is complete or becomes so: no stream is in it
 * @synced: number of the last part whose metadata are on the disk
 * @removed: number of the last part that is removed, or was not there
 * @nr_removed: number of removed parts
 * @totals: what the parts after @removed have
 * @gone: what the removed parts had
 * @bytes: bytes written to the current part; read without the mutex, too
 * @began: when it began, in nanoseconds of the monotonic clock
 * @wanted: how often a stream has asked for room on the disk
 * @answered: how often that was answered
 * @was_freed: the last answer
 * @answer: @answered has changed
 * @wake: an eventfd, for the thread
 * @thread: completes parts
 * @running: the thread exists
 * @begun: the recording has begun, so the limits hold
 * @ending: it is to end
 * @error: errno that ended it, or 0
 */
struct rotation {
	int dir;
	struct rotation_limits limits;
	struct kallsyms *kallsyms;
	int nr;
	int *turn;
	uint32_t *of;
	pthread_mutex_t mutex;
	atomic_uint part;
	unsigned int complete;
	unsigned int closing;
	unsigned int synced;
	unsigned int removed;
	unsigned int nr_removed;
	struct totals *totals;
	struct totals gone;
	atomic_uint_fast64_t bytes;
	atomic_uint_fast64_t began;
	unsigned int wanted;
	unsigned int answered;
	bool was_freed;
	pthread_cond_t answer;
	int wake;
	pthread_t thread;
	bool running;
	atomic_bool begun;
	atomic_bool ending;
	atomic_int error;
};

/**
 * rotation_open() - make the first part
 * @rotation: gets the state, for rotation_close(), even after a failure
 * @dir: the directory of the recording
 * @limits: what the user wants
 * @kallsyms: the symbols of the recording, or NULL
 * @nr: number of streams
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int rotation_open(struct rotation *rotation, int dir, const struct rotation_limits *limits,
		  struct kallsyms *kallsyms, int nr);

/**
 * rotation_start() - start the thread
 * @rotation: from rotation_open()
 *
 * Return: 0, or an errno.
 */
int rotation_start(struct rotation *rotation);

/**
 * rotation_begun() - the recording has begun: remove what is too much
 * @rotation: from rotation_open(), after rotation_start()
 *
 * Before that, only a full disk lets parts go, as a recording that cannot begin needs no room.
 */
void rotation_begun(struct rotation *rotation);

/**
 * rotation_enter() - a stream goes on in the current part
 * @rotation: from rotation_open()
 * @stream: its index
 *
 * Return: the number of the part.
 */
unsigned int rotation_enter(struct rotation *rotation, int stream);

/**
 * rotation_leave() - a stream has closed its file in a part
 * @rotation: from rotation_open()
 * @stream: its index; it is in no part then
 * @events: events that it has written there
 * @bytes: bytes
 */
void rotation_leave(struct rotation *rotation, int stream, uint64_t events, uint64_t bytes);

/**
 * rotation_turn() - is it time for another part?
 * @rotation: from rotation_open()
 * @part: the part that a stream is in
 *
 * Begins the next one, if the current one is full or old. All streams are to go on there.
 *
 * Return: 1 if the stream is to go on in another part; 0; -1 with errno.
 */
int rotation_turn(struct rotation *rotation, unsigned int part);

/**
 * rotation_make_room() - the disk is full: remove the oldest complete part
 * @rotation: from rotation_open()
 *
 * Only if the user lets parts go. Waits for the thread. Leaves errno as it is.
 *
 * Return: whether there is more room.
 */
bool rotation_make_room(struct rotation *rotation);

/**
 * rotation_describe() - describe markers that are new in the parts that are open
 * @rotation: from rotation_open()
 *
 * So that their events can be read even if nothing here ends as it should.
 */
void rotation_describe(struct rotation *rotation);

/**
 * rotation_end() - end the thread, after it has completed what it can
 * @rotation: from rotation_open()
 */
void rotation_end(struct rotation *rotation);

void rotation_close(struct rotation *rotation);

#endif /* _MARKERS_ROTATION_H */
