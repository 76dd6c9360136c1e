// SPDX-License-Identifier: GPL-2.0
/*
 * The sheets form a ring. The reader fills the next empty one with records and hands it out;
 * threads take the sheets in this order, and the reader writes their texts in this order. When
 * no sheet is empty, it does the work of a thread.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../reader/record.h"
#include "crew.h"

#define MAX_ITEMS	2048
#define ROOM		(256 * 1024)	/* more than markers.ko records */

enum state { SHEET_EMPTY, SHEET_READY, SHEET_TAKEN, SHEET_DONE };

/**
 * struct item - an event or a loss
 * @kind: of the event; NULL: it is a loss
 * @description: the metadata of the event
 * @record: the event, in the room of its sheet
 * @cpu: of the event
 * @time: of the event
 * @since: passed on
 * @loss: the loss
 */
struct item {
	const struct kind *kind;
	const struct description *description;
	struct record record;
	unsigned int cpu;
	uint64_t time;
	uint64_t since;
	struct loss loss;
};

/**
 * struct sheet - items and their text
 * @state: what is to be done
 * @nr: number of @item
 * @item: the items
 * @used: bytes of @room that are used
 * @room: the records
 * @event: the event that is being written
 * @out: writes to @text
 * @text: the text
 * @size: its bytes
 */
struct sheet {
	enum state state;
	unsigned int nr;
	struct item item[MAX_ITEMS];
	size_t used;
	uint8_t room[ROOM];
	struct event event;
	FILE *out;
	char *text;
	size_t size;
};

/**
 * struct crew - the threads and the ring
 * @mutex: protects @state of the sheets, @take and @is_over
 * @change: one of them has changed
 * @nr: number of @sheet
 * @sheet: the ring
 * @fill: the sheet that the reader fills
 * @take: the next one to take
 * @write: the next one to write
 * @is_over: no sheet follows
 * @threads: number of @thread
 */
struct crew {
	const struct crew_work *work;
	void *ctx;
	FILE *out;
	pthread_mutex_t mutex;
	pthread_cond_t change;
	unsigned int nr;
	struct sheet *sheet;
	unsigned int fill;
	unsigned int take;
	unsigned int write;
	bool is_over;
	unsigned int threads;
	pthread_t *thread;
	struct event event;
};

static void write_item(const struct crew *crew, struct sheet *sheet, const struct item *item)
{
	if (!item->kind) {
		crew->work->lost(crew->ctx, sheet->out, &item->loss);
		return;
	}
	sheet->event.kind = item->kind;
	sheet->event.record = &item->record;
	sheet->event.description = item->description;
	sheet->event.cpu = item->cpu;
	sheet->event.time = item->time;
	crew->work->event(crew->ctx, sheet->out, &sheet->event, item->since);
}

static void write_sheet(const struct crew *crew, struct sheet *sheet)
{
	unsigned int i;

	rewind(sheet->out);
	for (i = 0; i < sheet->nr; i++)
		write_item(crew, sheet, &sheet->item[i]);
	sheet->size = ftell(sheet->out);
	fflush(sheet->out);
}

static unsigned int next_of(const struct crew *crew, unsigned int at)
{
	return (at + 1) % crew->nr;
}

/* Take a sheet and fill it with text, under the mutex. Return: false if none is ready. */
static bool do_one(struct crew *crew)
{
	struct sheet *sheet = &crew->sheet[crew->take];

	if (sheet->state != SHEET_READY)
		return false;
	sheet->state = SHEET_TAKEN;
	crew->take = next_of(crew, crew->take);
	pthread_mutex_unlock(&crew->mutex);
	write_sheet(crew, sheet);
	pthread_mutex_lock(&crew->mutex);
	sheet->state = SHEET_DONE;
	pthread_cond_broadcast(&crew->change);
	return true;
}

static void *thread_main(void *ctx)
{
	struct crew *crew = ctx;

	pthread_mutex_lock(&crew->mutex);
	while (do_one(crew) || !crew->is_over)
		if (crew->sheet[crew->take].state != SHEET_READY && !crew->is_over)
			pthread_cond_wait(&crew->change, &crew->mutex);
	pthread_mutex_unlock(&crew->mutex);
	return NULL;
}

/* Write the texts that are next, under the mutex. Return: whether there was one. */
static bool put_texts(struct crew *crew)
{
	struct sheet *sheet;
	bool any = false;

	for (;; any = true) {
		sheet = &crew->sheet[crew->write];
		if (sheet->state != SHEET_DONE)
			return any;
		pthread_mutex_unlock(&crew->mutex);
		fwrite_unlocked(sheet->text, 1, sheet->size, crew->out);
		pthread_mutex_lock(&crew->mutex);
		sheet->state = SHEET_EMPTY;
		crew->write = next_of(crew, crew->write);
	}
}

/* Under the mutex: until the sheet is empty. */
static void wait_for_empty(struct crew *crew, const struct sheet *sheet)
{
	while (sheet->state != SHEET_EMPTY)
		if (!put_texts(crew) && !do_one(crew))
			pthread_cond_wait(&crew->change, &crew->mutex);
}

/* Hand out the sheet that was filled. */
static void hand_out(struct crew *crew)
{
	pthread_mutex_lock(&crew->mutex);
	crew->sheet[crew->fill].state = SHEET_READY;
	pthread_cond_broadcast(&crew->change);
	crew->fill = next_of(crew, crew->fill);
	put_texts(crew);
	wait_for_empty(crew, &crew->sheet[crew->fill]);
	pthread_mutex_unlock(&crew->mutex);
	crew->sheet[crew->fill].nr = 0;
	crew->sheet[crew->fill].used = 0;
}

static struct item *new_item(struct crew *crew, size_t size)
{
	struct sheet *sheet = &crew->sheet[crew->fill];

	if (sheet->nr == MAX_ITEMS || sheet->used + size > ROOM) {
		hand_out(crew);
		sheet = &crew->sheet[crew->fill];
	}
	return &sheet->item[sheet->nr++];
}

/* Have all texts written; the sheet to fill is empty then. */
static void put_all(struct crew *crew)
{
	unsigned int i;

	hand_out(crew);
	pthread_mutex_lock(&crew->mutex);
	for (i = 0; i < crew->nr; i++)
		wait_for_empty(crew, &crew->sheet[(crew->fill + i) % crew->nr]);
	pthread_mutex_unlock(&crew->mutex);
}

bool crew_event(struct crew *crew, const struct event *event, uint64_t since)
{
	const struct record *record = event->record;
	const size_t size = record->end - record->contexts;
	struct sheet *sheet;
	struct item *item;
	uint8_t *to;

	if (crew->threads && size > ROOM)
		put_all(crew);
	if (!crew->threads || size > ROOM) {
		crew->event.kind = event->kind;
		crew->event.record = record;
		crew->event.description = event->description;
		crew->event.cpu = event->cpu;
		crew->event.time = event->time;
		crew->work->event(crew->ctx, crew->out, &crew->event, since);
		return !ferror_unlocked(crew->out);
	}
	item = new_item(crew, size);
	sheet = &crew->sheet[crew->fill];
	to = sheet->room + sheet->used;
	sheet->used += size;
	memcpy(to, record->contexts, size);
	item->kind = event->kind;
	item->description = event->description;
	item->cpu = event->cpu;
	item->time = event->time;
	item->since = since;
	item->record = *record;
	item->record.contexts = to;
	item->record.fields = to + (record->fields - record->contexts);
	item->record.end = to + size;
	return !ferror_unlocked(crew->out);
}

bool crew_lost(struct crew *crew, const struct loss *loss)
{
	struct item *item;

	if (!crew->threads) {
		crew->work->lost(crew->ctx, crew->out, loss);
	} else {
		item = new_item(crew, 0);
		item->kind = NULL;
		item->loss = *loss;
	}
	return !ferror_unlocked(crew->out);
}

static void add_sheets(struct crew *crew)
{
	unsigned int i;

	/* one is filled, the others wait for threads or for the reader */
	crew->nr = 2 * crew->threads + 2;
	crew->sheet = need_memory(calloc(crew->nr, sizeof(*crew->sheet)));
	for (i = 0; i < crew->nr; i++)
		crew->sheet[i].out = need_memory(open_memstream(&crew->sheet[i].text,
								&crew->sheet[i].size));
}

struct crew *crew_begin(unsigned int threads, FILE *out, const struct crew_work *work, void *ctx)
{
	struct crew *crew = need_memory(calloc(1, sizeof(*crew)));

	crew->work = work;
	crew->ctx = ctx;
	crew->out = out;
	pthread_mutex_init(&crew->mutex, NULL);
	pthread_cond_init(&crew->change, NULL);
	crew->thread = need_memory(calloc(threads, sizeof(*crew->thread)));
	crew->threads = threads - 1;
	if (!crew->threads)
		return crew;
	add_sheets(crew);
	/* with fewer, the reader does more */
	for (crew->threads = 0; crew->threads < threads - 1; crew->threads++)
		if (pthread_create(&crew->thread[crew->threads], NULL, thread_main, crew))
			break;
	return crew;
}

static void end_threads(struct crew *crew)
{
	unsigned int i;

	put_all(crew);
	pthread_mutex_lock(&crew->mutex);
	crew->is_over = true;
	pthread_cond_broadcast(&crew->change);
	pthread_mutex_unlock(&crew->mutex);
	for (i = 0; i < crew->threads; i++)
		pthread_join(crew->thread[i], NULL);
}

void crew_end(struct crew *crew)
{
	unsigned int i;

	if (!crew)
		return;
	if (crew->threads)
		end_threads(crew);
	for (i = 0; i < crew->nr; i++) {
		fclose(crew->sheet[i].out);
		free(crew->sheet[i].text);
	}
	pthread_mutex_destroy(&crew->mutex);
	pthread_cond_destroy(&crew->change);
	free(crew->sheet);
	free(crew->thread);
	free(crew);
}
