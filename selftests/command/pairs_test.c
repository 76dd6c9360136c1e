// SPDX-License-Identifier: GPL-2.0
/*
 * Pairs of events, and the rows of their slices.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pairs.h"
#include "shown.h"
#include "tap.h"
#include "tracks.h"

enum { BEGIN, END, BOTH };

static const struct kind kinds[] = {
	{ .name = "disk:begin", .marker = "begin", .number = 0 },
	{ .name = "disk:end", .marker = "end", .number = 1 },
	{ .name = "disk:both", .marker = "both", .number = 2 },
};

static const struct field fields[] = {
	{ .name = "id", .type = VALUE_UNSIGNED },
	{ .name = "tid", .type = VALUE_SIGNED },
};

/* Return: how long it took, or -1: it does not end anything. */
static long give(struct pairs *pairs, unsigned int kind, uint64_t time, unsigned int cpu, int tid,
		 uint64_t id)
{
	static struct event event;
	struct pair pair;

	event.kind = &kinds[kind];
	event.time = time;
	event.cpu = cpu;
	event.nr_contexts = tid >= 0;
	event.context[0] = (struct value){ &fields[1], .number = tid };
	event.nr_values = 1;
	event.value[0] = (struct value){ &fields[0], .number = id };
	return pairs_event(pairs, &event, &pair) ? (long)(pair.end - pair.begin) : -1;
}

static void test_pairs(void)
{
	struct pairs *pairs = pairs_create("begin", "disk:end", "id");
	struct pairs_count count;

	is_int(give(pairs, END, 5, 0, 1, 7), -1, "the end of nothing");
	give(pairs, BEGIN, 10, 0, 1, 7);
	give(pairs, BEGIN, 20, 0, 1, 8);
	is_int(give(pairs, END, 25, 1, 2, 7), 15, "on another CPU, in another thread");
	give(pairs, BEGIN, 30, 0, 1, 8);
	is_int(give(pairs, END, 31, 0, 1, 8), 1, "it began again");
	give(pairs, BEGIN, 40, 0, 1, 9);
	pairs_loss(pairs);
	is_int(give(pairs, END, 50, 0, 1, 9), -1, "a loss between them");
	give(pairs, BEGIN, 60, 0, 1, 10);
	count = pairs_end(pairs);
	is_int(count.unbegun, 2, "ends of nothing");
	is_int(count.unended, 2, "what did not end");
	is_int(count.lost, 1, "what was open at the loss");
	pairs_destroy(pairs);

	pairs = pairs_create("both", "both", NULL);
	is_int(give(pairs, BOTH, 1, 0, 1, 0), -1, "the first of a row");
	is_int(give(pairs, BOTH, 4, 1, 1, 0), 3, "the next one of its thread");
	is_int(give(pairs, BOTH, 5, 1, 2, 0), -1, "of another thread");
	pairs_destroy(pairs);

	pairs = pairs_create("both", "both", "nosuch");
	give(pairs, BOTH, 1, 0, 1, 0);
	give(pairs, BOTH, 2, 0, 1, 0);
	is_int(pairs_end(pairs).keyless, 2, "each without the field of the key counts once");
	pairs_destroy(pairs);

	pairs = pairs_create("begin", "end", NULL);
	give(pairs, BEGIN, 1, 0, 0, 0);
	give(pairs, BEGIN, 2, 1, 0, 0);
	is_int(give(pairs, END, 4, 1, 0, 0), 2, "the idle task of a CPU");
	is_int(give(pairs, END, 5, 0, 0, 0), 4, "and that of another");
	give(pairs, BEGIN, 6, 3, -1, 0);
	is_int(give(pairs, END, 8, 2, -1, 0), -1, "without threads, by CPU");
	is_int(give(pairs, END, 9, 3, -1, 0), 3, "and on the same");
	pairs_destroy(pairs);
}

static int group_of(void *ctx, const struct event *event)
{
	(void)ctx;
	return event->value[0].number % 2 ? -1 : (int)event->value[0].number;
}

static void test_choose(void)
{
	struct pairs *pairs = pairs_create("begin", "end", NULL);
	struct pairs_count count;

	pairs_choose(pairs, group_of, NULL);
	give(pairs, BEGIN, 1, 0, 5, 2);
	is_int(give(pairs, END, 2, 0, 5, 1), 1, "a chosen begin, with any end");
	give(pairs, BEGIN, 3, 0, 5, 1);
	is_int(give(pairs, END, 4, 0, 5, 2), -1, "a begin that is not chosen");
	give(pairs, BEGIN, 5, 0, 5, 2);
	give(pairs, BEGIN, 6, 0, 5, 3);
	is_int(give(pairs, END, 7, 0, 5, 2), -1, "the end belongs to the last begin");
	give(pairs, BEGIN, 8, 0, 5, 3);
	give(pairs, BEGIN, 8, 0, 6, 4);
	pairs_loss(pairs);
	give(pairs, BEGIN, 9, 0, 5, 3);
	give(pairs, BEGIN, 9, 0, 6, 4);
	count = pairs_end(pairs);
	is_int(count.unbegun, 0, "no end without a begin");
	is_int(count.lost, 1, "chosen ones that were open at the loss");
	is_int(count.unended, 2, "chosen ones that did not end");
	pairs_destroy(pairs);
}

static void test_many(void)
{
	struct pairs *pairs = pairs_create("begin", "end", "id");
	unsigned int i, bad = 0;

	for (i = 0; i < 100000; i++)
		give(pairs, BEGIN, i, 0, 1, i * 2654435761u);
	for (i = 0; i < 100000; i++)
		bad += give(pairs, END, 200000, 0, 1, i * 2654435761u) != 200000 - (long)i;
	is_int(bad, 0, "100000 at a time");
	is_int(pairs_end(pairs).unended, 0, "all have ended");
	pairs_destroy(pairs);
}

static void test_too_many(void)
{
	struct pairs *pairs = pairs_create("begin", "end", "id");
	struct pairs_count count;
	unsigned int i;

	for (i = 0; i < MAX_OPEN + 3; i++)
		give(pairs, BEGIN, 10, 0, 1, i);
	is_int(give(pairs, END, 12, 0, 1, 7), 2, "one of MAX_OPEN");
	for (i = MAX_OPEN; i < MAX_OPEN + 4; i++)
		give(pairs, END, 13, 0, 1, i);
	give(pairs, BEGIN, 14, 0, 1, i);
	is_int(give(pairs, END, 17, 0, 1, i), 3, "there is room again");
	count = pairs_end(pairs);
	is_int(count.dropped, 3, "begins that had no room");
	is_int(count.unbegun, 1, "their ends had a begin");
	is_int(count.unended, MAX_OPEN - 1, "those that had room did not end");
	pairs_destroy(pairs);
}

/* Give a text as the key. Return: as give(). */
static long give_key(struct pairs *pairs, unsigned int kind, uint64_t time, const char *key)
{
	static const struct field field = { .name = "id", .type = VALUE_TEXT };
	static struct event event;
	struct pair pair;

	event.kind = &kinds[kind];
	event.time = time;
	event.nr_contexts = 1;
	event.context[0] = (struct value){ &fields[1], .number = 5 };
	event.nr_values = 1;
	event.value[0] = (struct value){ &field, .text = key, .size = strlen(key) };
	return pairs_event(pairs, &event, &pair) ? (long)(pair.end - pair.begin) : -1;
}

/* Texts that have one hash in FNV-1a. */
static void test_hash(void)
{
	static const char one[] = "8yn0iYCKYHlIj4-BwPqk", other[] = "GReLUrM4wMqfg9yzV3KQ";
	static const char *const keys[] = { "id", "tid,id" };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct pairs *pairs = pairs_create("begin", "end", keys[i]);

		give_key(pairs, BEGIN, 1, one);
		give_key(pairs, BEGIN, 10, other);
		is_int(give_key(pairs, END, 12, other), 2, "%s: keys are compared, not their hashes", keys[i]);
		is_int(give_key(pairs, END, 15, one), 14, "%s: the other one is open, too", keys[i]);
		is_int(give_key(pairs, END, 16, one), -1, "%s: and ends once", keys[i]);
		pairs_destroy(pairs);
	}
}

/* Give an event of both, whose field has a text of some size. Return: the pair that it ends. */
static const struct pair *give_text(struct pairs *pairs, uint64_t tid, char letter, size_t size)
{
	static const struct field text_field = { .name = "text", .type = VALUE_TEXT };
	static char text[1 << 20];
	static struct event event;
	static struct pair pair;

	memset(text, letter, size);
	text[size] = '\0';
	event.kind = &kinds[BOTH];
	event.nr_contexts = 1;
	event.context[0] = (struct value){ &fields[1], .number = tid };
	event.nr_values = 2;
	event.value[0] = (struct value){ &fields[0], .number = letter };
	event.value[1] = (struct value){ &text_field, .text = text, .size = size };
	return pairs_event(pairs, &event, &pair) ? &pair : NULL;
}

static char shown[64];

static void show(void *ctx, const char *name, const struct value *value, uint64_t time)
{
	size_t at = strlen(shown);

	(void)ctx;
	snprintf(shown + at, sizeof(shown) - at, "%s=%" PRIu64 "@%" PRIu64 " ", name, value->number, time);
}

/* Return: what is shown of an end with this id. */
static const char *show_end(const struct event_copy *begin, uint64_t id)
{
	static struct event event = { .time = 9, .nr_values = 1 };

	event.value[0] = (struct value){ &fields[0], .number = id };
	*shown = '\0';
	shown_end(begin, &event, show, NULL);
	return shown;
}

static void test_values(void)
{
	struct pairs *pairs = pairs_create("both", "both", NULL);
	const size_t large = (1 << 20) - 1;
	const struct event_copy *values;
	unsigned int i, nr;

	give_text(pairs, 1, 'a', 3);
	ok(!give_text(pairs, 1, 'b', 3)->values, "fields are kept on demand");
	pairs_keep(pairs, true, MAX_KEPT);
	give_text(pairs, 2, 'a', 3);
	give_text(pairs, 3, 'x', 100);
	give_text(pairs, 2, 'b', 5);
	values = give_text(pairs, 2, 'c', 4)->values;
	is_int(values->nr, 2, "fields of the begin");
	is_int(values->value[0].number, 'b', "their number");
	is_str(values->value[1].text, "bbbbb", "their text");
	is_int(event_copy_context(values, "tid")->number, 2, "its thread");
	ok(!event_copy_context(values, "pid"), "no context that it did not have");
	is_str(show_end(values, 'b'), "", "the same at the end is not shown again");
	is_str(show_end(values, 'c'), "end.id=99@9 ", "another value is");
	is_str(show_end(NULL, 'b'), "id=98@9 ", "and one of the end only");
	is_str(give_text(pairs, 3, 'y', 1)->values->value[1].text + 99, "x", "those of another thread");
	pairs_loss(pairs);
	ok(!give_text(pairs, 2, 'd', 3), "a loss forgets them");
	for (i = 10; i < 10 + 2 * MAX_KEPT / large; i++)
		give_text(pairs, i, 'l', large);
	for (i = 10, nr = 0; i < 10 + 2 * MAX_KEPT / large; i++)
		nr += give_text(pairs, i, 'm', 1)->values != NULL;
	is_int(nr, MAX_KEPT / large - 1, "fields that fit in MAX_KEPT bytes are kept");
	for (i = 0; i < 100; i++) {
		give_text(pairs, 5, 'n', 1);
		give_text(pairs, 5, 'n', 1);
	}
	ok(give_text(pairs, 5, 'o', 1), "room is used again");
	pairs_destroy(pairs);
}

/* Values of a name in events of several kinds, which have it in several places or not at all. */
static void test_places(void)
{
	static const struct field others[] = { { .name = "x" }, { .name = "id" }, { .name = "tid" } };
	static struct event event;
	struct value_place place = {};
	unsigned int i, wrong = 0;

	event.context[0] = (struct value){ &fields[1], .number = 100 };
	for (i = 0; i < 64; i++) {
		const char *name = i < 32 ? "id" : "tid";

		if (i == 32)
			place = (struct value_place){};
		event.kind = &kinds[i / 2 % 3];
		event.nr_contexts = i % 4 != 3;
		event.nr_values = i / 2 % 3 ? 3 : 1;
		event.value[0] = (struct value){ i / 2 % 3 ? &others[0] : &fields[0], .number = i };
		event.value[1] = (struct value){ &others[i / 2 % 3 == 1 ? 1 : 2], .number = i };
		event.value[2] = (struct value){ &others[0], .number = i };
		wrong += place_value(&place, &event, name) != event_value(&event, name);
	}
	is_int(wrong, 0, "a value is found again, wherever it is");
}

static unsigned int described;

static void describe(FILE *out, struct track *track)
{
	(void)out;
	(void)track;
	described++;
}

static void test_tracks(void)
{
	static const struct drawing drawing = { .track = describe };
	struct tracks *tracks = tracks_create(&drawing, NULL);
	struct track *track = tracks_get(tracks, TRACK_THREAD, 5, 0, "sh");
	unsigned int i, bad = 0;
	static struct event event = { .nr_values = 1 };
	struct open_slice slice;

	ok(tracks_get(tracks, TRACK_THREAD, 5, 0, "cat") == track, "a thread with another name");
	is_str(track->name, "cat", "the new name");
	is_int(described, 2, "it is told");
	ok(tracks_get(tracks, TRACK_NAMED, 5, 0, "cat") != track, "another kind of track");
	ok(tracks_get(tracks, TRACK_THREAD, 5, 5, "cat") != track, "another process with a thread of that number");
	ok(tracks_get(tracks, TRACK_THREAD, 5, 0, "cat") == track, "and the first one again");

	ok(track_take(track, 10, 20), "a slice");
	ok(track_take(track, 20, 30), "one after it");
	ok(!track_take(track, 25, 35), "one that overlaps");
	ok(!track_take(track, 20, 40), "one that begins with another");
	ok(track_take(track, 5, 40), "one around them");
	ok(!track_take(track, 10, 50), "one that overlaps that");
	for (i = 0; i < 1000; i++)
		bad += !track_take(track, 100 + 2 * i, 101 + 2 * i);
	is_int(bad, 0, "many beside each other");
	ok(!track_take(track, 200, 3000), "one that begins among old ones, of which little is known");
	ok(!track_take(track, 2096, 3000), "one that begins inside of a late one");
	ok(track_take(track, 2095, 3000), "one between late ones");
	ok(track_take(track, 4, 4000), "one around all");

	event.value[0] = (struct value){ &fields[0], .number = 7 };
	for (i = 0; i < 40; i++)
		track_open(track, i == 31 ? "known" : "slice", &event);
	ok(!track_take(track, 5000, 6000), "a row of slices whose ends are not known");
	for (bad = 0; i > 32; i--)
		bad += !track_close(track, &slice) || slice.name || slice.values;
	is_int(bad, 0, "slices that are too deep");
	track_close(track, &slice);
	is_str(slice.name, "known", "the name of what ends");
	is_int(slice.values->value[0].number, 7, "and the fields of its begin");
	track_free(&slice);
	while (track_close(track, &slice))
		track_free(&slice);
	ok(!track_close(track, &slice), "the end of nothing");
	tracks_destroy(tracks);
}

static struct track *take(struct tracks *tracks, const struct track *lane, const char *name,
			  uint64_t begin, uint64_t end)
{
	return tracks_take_row(tracks, tracks_get_row(tracks, lane, name), begin, end);
}

static void test_rows(void)
{
	static const struct drawing drawing = { .track = describe };
	struct tracks *tracks = tracks_create(&drawing, NULL);
	struct track *lane = tracks_get(tracks, TRACK_THREAD, 5, 0, "sh");
	struct track *first = take(tracks, lane, "pair", 10, 20), *second, *last;
	unsigned int i, nr = described;

	ok(first->lane == lane, "a row below a lane");
	ok(take(tracks, lane, "pair", 20, 30) == first, "a slice after another");
	second = take(tracks, lane, "pair", 25, 35);
	ok(second != first && second->lane == lane, "one that overlaps");
	is_int(described, nr + 1, "each row is told");
	ok(take(tracks, lane, "pair", 31, 40) == first, "the first row that is free");
	ok(take(tracks, lane, "other", 31, 40) != first, "another name");
	ok(!take(tracks, NULL, "pair", 31, 40)->lane, "no lane");
	ok(tracks_get(tracks, TRACK_NAMED, 0, 0, "pair") != first, "a row of this name is no lane");
	is_int(tracks_nr_overlaps(tracks), 0, "no slice overlaps another in its row");
	for (i = 0; i < 2 * MAX_ROWS; i++)
		last = take(tracks, NULL, "many", 0, 100 + i);
	ok(take(tracks, NULL, "many", 0, 1000) == last, "the last row has what is too much");
	is_int(described, nr + 3 + MAX_ROWS, "so many rows and no more");
	is_int(tracks_nr_overlaps(tracks), MAX_ROWS + 1, "those are counted");
	tracks_destroy(tracks);
}

int main(void)
{
	test_pairs();
	test_choose();
	test_many();
	test_too_many();
	test_hash();
	test_values();
	test_places();
	test_tracks();
	test_rows();
	return tap_done();
}
