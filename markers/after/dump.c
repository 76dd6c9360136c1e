// SPDX-License-Identifier: GPL-2.0
/*
 * The last events of each CPU as text, in any context: no lock, no allocation, nothing
 * that waits for another CPU.
 *
 * Records can be read forwards only, so each CPU has a cursor that goes back by whole
 * packets, and skips the events that are too many.  Then the cursors are merged by time, as in
 * stream.c.
 *
 * A packet is read where it lies, and its bytes may change.  So a part of it is copied into
 * the window, by reads that may fault, and the ring is asked if the packet was still there.
 * The window is larger than any record.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/compat/nofault.h>
#include <markers/format/format.h>
#include <markers/read/item.h>
#include <markers/ring/packet_read.h>
#include "dump.h"

#define MAX_CONTEXTS	512
#define MAX_RECORD	(CTF_EXTENDED_SIZE + MAX_CONTEXTS + \
			 MARKER_MAX_ARGS * (sizeof(u16) + MARKER_MAX_STRING))
#define WINDOW_SIZE	(MAX_RECORD + 4096)
#define TEXT_SIZE	8192
#define LINE_SIZE	960
#define LINE_EXTRA	3	/* what printk() adds: its level and a line feed */
#define MIN_LINE	32	/* no event is shorter */
#define OTHER_LINES	256	/* the room for those that are no events */

static const char not_complete[] = "an event is not complete: it was being written";

/**
 * struct cursor - where the dump is on one CPU
 * @cpu:	the CPU
 * @seq:	the next packet
 * @end:	after the last one
 * @skip:	events of the first packet that are not printed
 * @has_packet:	it is in the middle of @view
 * @view:	the packet
 * @at:		bytes of it that were read
 * @size:	bytes that can be read
 * @hole:	the record there is not complete, although it reads as an event; 0: none
 * @ts:		time of the event before @at
 * @ts_end:	no event is later
 * @words:	there is no event at @at: what to say instead; NULL: there is one
 * @has_item:	@item_ts and the next two are valid
 * @item_ts:	time of what comes next
 * @item_end:	the end of that event
 */
struct cursor {
	int cpu;
	u64 seq;
	u64 end;
	u64 skip;
	bool has_packet;
	struct ring_view view;
	u32 at;
	u32 size;
	u32 hole;
	u64 ts;
	u64 ts_end;
	const char *words;
	bool has_item;
	u64 item_ts;
	u32 item_end;
};

/**
 * struct marker_dump - all that a dump needs
 * @put:	takes a line
 * @buffer:	whose events
 * @owner:	the window has bytes of its packet; NULL: it has none
 * @from:	the first of them
 * @len:	how many
 * @window:	the bytes
 * @text:	of an event
 * @is_measured: @excess grows by what would be printed, and nothing is printed
 * @excess:	bytes of text that do not fit: of the next events, which are not printed
 * @nr:		cursors
 * @cursor:	one for each CPU
 */
struct marker_dump {
	void (*put)(const char *line);
	const struct marker_buffer *buffer;
	const struct cursor *owner;
	u32 from;
	u32 len;
	u8 window[WINDOW_SIZE];
	char text[TEXT_SIZE];
	bool is_measured;
	s64 excess;
	unsigned int nr;
	struct cursor cursor[];
};

#define for_each_cursor(dump, c)					\
	for ((c) = (dump)->cursor;					\
	     (c) < (dump)->cursor + (dump)->nr; (c)++)

/*
 * The window
 */

static bool copy_nofault(u8 *to, const u8 *from, u32 len)
{
	u64 word;

	if (!marker_nofault_may_read(from))
		return false;
	for (; len >= sizeof(word); len -= sizeof(word)) {
		if (!marker_nofault_read_word(&word, from))
			return false;
		memcpy(to, &word, sizeof(word));
		to += sizeof(word);
		from += sizeof(word);
	}
	for (; len; len--) {
		if (!marker_nofault_read_byte(to++, from++))
			return false;
	}
	return true;
}

/* Let the window have the bytes from @c->at on.  Return: false: they are gone. */
static bool fill_window(struct marker_dump *dump, const struct cursor *c)
{
	dump->owner = NULL;
	dump->from = c->at;
	dump->len = min_t(u32, c->size - c->at, WINDOW_SIZE);
	if (!copy_nofault(dump->window, c->view.data + c->at, dump->len) ||
	    !ring_view_holds(dump->buffer->ring, c->cpu, &c->view))
		return false;
	dump->owner = c;
	return true;
}

/* Does the window have the record at @c->at? */
static bool is_in_window(const struct marker_dump *dump, const struct cursor *c)
{
	const u32 end = dump->from + dump->len;

	return dump->owner == c && c->at >= dump->from && c->at <= end &&
	       (end == c->size || end - c->at >= MAX_RECORD);
}

/*
 * Packets and events
 */

/* Is it the header of this packet, and not of one that was there a lap before? */
static bool is_own(const struct ctf_packet_header *header, const struct cursor *c)
{
	return header->packet_seq_num == c->seq - 1 && header->cpu_id == (u32)c->cpu;
}

/*
 * A packet that a writer was about to close still has the end of a lap before.  Then all that
 * is complete is at its beginning, unless there is a hole, too.
 */
static int begin_packet(struct marker_dump *dump, struct cursor *c, struct packet_iter *iter)
{
	u32 complete = c->size - c->view.incomplete;

	if (c->view.is_open)
		return packet_iter_init_open(iter, dump->window, c->size, c->view.ts);
	if (!packet_iter_init(iter, dump->window, c->size))
		return 0;
	if (!c->view.incomplete)
		return -EINVAL;
	c->view.incomplete = 0;
	return packet_iter_init_open(iter, dump->window, complete, c->view.ts);
}

/* Return: 0, -ENODATA at the end of the packet, -EINVAL for garbage, -ESTALE if it is gone. */
static int parse_event(struct marker_dump *dump, const struct cursor *c,
		       struct marker_item *item, u32 *end)
{
	const u32 tag = marker_buffer_contexts(dump->buffer);
	struct packet_iter iter = {
		.header.timestamp_end = c->ts_end,
		.ts = c->ts,
	};
	int err;

	if (!is_in_window(dump, c) && !fill_window(dump, c))
		return -ESTALE;
	iter.data = dump->window;
	iter.at = c->at - dump->from;
	iter.end = dump->len;
	err = marker_item_parse(&iter, tag, item);
	item->cpu = c->cpu;
	*end = dump->from + iter.at;
	return err;
}

/**
 * struct dump_walk - a walk ahead of a cursor
 * @walk:	the walk
 * @dump:	has the window
 * @try:	a copy of the cursor
 */
struct dump_walk {
	struct marker_walk walk;
	struct marker_dump *dump;
	struct cursor try;
};

static int next_try(struct marker_walk *walk)
{
	struct dump_walk *w = container_of(walk, struct dump_walk, walk);
	struct marker_item item;
	int err;

	w->try.at = walk->at;
	w->try.ts = walk->ts;
	err = parse_event(w->dump, &w->try, &item, &walk->end);
	if (!err)
		walk->ts = item.ts;
	return err;
}

/* From @at on.  The window is nobody's before and after. */
static struct dump_walk walk_from(struct marker_dump *dump, const struct cursor *c, u32 at)
{
	dump->owner = NULL;
	return (struct dump_walk) {
		.walk = { .next = next_try, .at = at, .ts = c->ts },
		.dump = dump,
		.try = *c,
	};
}

static u32 find_hole(struct marker_dump *dump, const struct cursor *c)
{
	struct dump_walk w = walk_from(dump, c, c->at);
	u32 hole;

	if (!c->view.incomplete)
		return 0;
	hole = marker_walk_hole(&w.walk, c->view.incomplete, c->view.nr_events);
	/* Or the header is written, but not committed: it and the first record are the hole. */
	if (!hole && c->view.is_open && c->view.incomplete > c->at) {
		w = walk_from(dump, c, c->at);
		if (marker_walk_hole(&w.walk, c->view.incomplete - c->at, c->view.nr_events))
			hole = c->at;
	}
	dump->owner = NULL;
	return hole;
}

/* Would the events from @at on end where the packet does? */
static bool fits_at(struct marker_dump *dump, const struct cursor *c, u32 at)
{
	struct dump_walk w = walk_from(dump, c, at);
	int err = marker_walk(&w.walk);

	dump->owner = NULL;
	return err == -ENODATA;
}

static int read_header(struct marker_dump *dump, struct cursor *c)
{
	struct packet_iter iter;
	int err;

	c->at = 0;
	c->size = c->view.size;
	if (!fill_window(dump, c))
		return -ESTALE;
	err = begin_packet(dump, c, &iter);
	/* The window may reach beyond the contents. */
	dump->owner = NULL;
	if (err)
		return err;
	if (!is_own(&iter.header, c))
		return -EINVAL;
	c->at = iter.at;
	c->size = iter.end;
	c->ts = iter.ts;
	c->ts_end = iter.header.timestamp_end;
	c->hole = find_hole(dump, c);
	return 0;
}

/* Was the writer that opens the packet stopped in the middle of its header?  Then @c->at is 0. */
static bool may_lack_header(struct cursor *c)
{
	if (!c->view.is_open || c->view.incomplete < sizeof(struct ctf_packet_header))
		return false;
	c->at = 0;
	c->size = c->view.size;
	c->hole = 0;
	return true;
}

/* The next packet, if there is one. */
static bool open_packet(struct marker_dump *dump, struct cursor *c)
{
	while (c->seq < c->end) {
		if (!ring_view(dump->buffer->ring, c->cpu, c->seq++, &c->view))
			continue;
		c->words = "a packet is damaged";
		if (c->view.incomplete == c->view.size)
			c->words = not_complete;
		else if (!read_header(dump, c) || may_lack_header(c))
			c->words = NULL;
		if (c->words) {
			/* Let its end be next, and skip nothing of others. */
			c->skip = 0;
			c->at = 0;
			c->size = 0;
		}
		return true;
	}
	return false;
}

/*
 * Is the hole the header and the first record?  The header has no time then: let short times be
 * less than a turn before the last one.
 */
static bool lacks_header(struct marker_dump *dump, struct cursor *c)
{
	const u64 turn = 1ull << CTF_TIME_BITS;
	struct cursor try = *c;

	if (c->at > sizeof(struct ctf_packet_header) || !may_lack_header(&try))
		return false;
	try.ts_end = c->view.ts;
	try.ts = try.ts_end < turn ? 0 : try.ts_end - turn + 1;
	if (!fits_at(dump, &try, c->view.incomplete))
		return false;
	*c = try;
	c->item_ts = c->ts;
	return true;
}

/*
 * There is no event at @c->at.  A writer that was stopped in the middle of a record has left
 * a hole there.  If records of interrupts follow, go on after it.
 */
static void explain(struct marker_dump *dump, struct cursor *c, int err)
{
	const u32 hole = c->view.incomplete;

	c->words = err == -ESTALE ? "overwritten meanwhile" : "rest of a packet is damaged";
	c->item_end = c->size;
	/* More may be gone than should have been skipped. */
	c->skip = 0;
	if (err == -ESTALE || !hole)
		return;
	if ((hole <= c->size - c->at && fits_at(dump, c, c->at + hole)) ||
	    lacks_header(dump, c)) {
		c->view.incomplete = 0;
		c->words = not_complete;
		c->item_end = c->at + hole;
	}
}

/*
 * As parse_event(), but where a hole is likely, or the header should be, there is none.  If all but
 * the unused rest of the packet is complete, a writer was about to add the rest: there is no hole.
 */
static int next_event(struct marker_dump *dump, struct cursor *c, struct marker_item *item)
{
	if (c->at == c->size)
		return -ENODATA;
	if (!c->at || (c->hole && c->at == c->hole))
		return -EINVAL;
	if (c->size - c->at == c->view.incomplete &&
	    c->size + c->view.incomplete != c->view.size)
		return -EINVAL;
	return parse_event(dump, c, item, &c->item_end);
}

static void advance(struct cursor *c)
{
	c->at = c->item_end;
	c->ts = c->item_ts;
	c->words = NULL;
}

/* Find what comes next in a packet: an event or words.  Return: false: nothing. */
static bool find_item(struct marker_dump *dump, struct cursor *c)
{
	struct marker_item item;
	int err;

	c->item_ts = c->ts;
	c->item_end = c->size;
	if (c->words)
		return true;
	while (!(err = next_event(dump, c, &item))) {
		c->item_ts = item.ts;
		if (!c->skip)
			return true;
		c->skip--;
		advance(c);
	}
	if (err == -ENODATA)
		return false;
	explain(dump, c, err);
	return true;
}

/* Find what comes next on a CPU. */
static void step_dump(struct marker_dump *dump, struct cursor *c)
{
	c->has_item = false;
	while (c->has_packet || open_packet(dump, c)) {
		c->has_item = find_item(dump, c);
		c->has_packet = c->has_item;
		if (c->has_item)
			return;
	}
}

/* Go back by packets, until there are enough events. */
static void begin_cursor(struct marker_dump *dump, struct cursor *c, unsigned int nr)
{
	struct ring_view view;
	u64 found = 0;

	c->end = ring_view_end(dump->buffer->ring, c->cpu);
	for (c->seq = c->end; c->seq && found < nr; c->seq--) {
		if (!ring_view(dump->buffer->ring, c->cpu, c->seq - 1, &view))
			break;
		found += view.nr_events;
	}
	c->skip = found > nr ? found - nr : 0;
	c->has_packet = false;
	c->words = NULL;
	c->ts = 0;
	step_dump(dump, c);
}

/*
 * Text
 */

/* Each line by itself, and cut: the kernel's log cuts lines as well. */
static void put_lines(struct marker_dump *dump, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		if (!*line)
			continue;
		if (strlen(line) >= LINE_SIZE)
			memcpy(line + LINE_SIZE - 4, "...", 4);
		dump->put(line);
	}
}

static void put_heading(struct marker_dump *dump, const char *name, unsigned int nr)
{
	const struct marker_buffer *buffer = dump->buffer;
	struct ring_stats stats;
	const struct cursor *c;
	u64 lost = 0;
	int i;

	for_each_cursor(dump, c) {
		ring_stats(buffer->ring, c->cpu, &stats);
		lost += stats.overwritten;
		for (i = 0; i < RING_NR_LOST; i++)
			lost += stats.lost[i];
	}
	scnprintf(dump->text, TEXT_SIZE,
		  "markers: the last events%s%s, %u of each CPU; lost: %llu; clock: %s\n",
		  name ? " of instance " : "", name ?: "", nr, lost, buffer->clock.name);
	put_lines(dump, dump->text);
}

/* Does the room begin after this text? */
static bool is_excess(struct marker_dump *dump, const char *text)
{
	u32 size = 0;

	if (!dump->is_measured && dump->excess <= 0)
		return false;
	for (; *text; text++)
		size += *text == '\n' ? LINE_EXTRA : 1;
	dump->excess += dump->is_measured ? size : -(s64)size;
	return true;
}

static void put_item(struct marker_dump *dump, struct cursor *c)
{
	struct marker_item item;
	u32 end;

	if (c->words || parse_event(dump, c, &item, &end))
		scnprintf(dump->text, TEXT_SIZE, "[%03d] *** %s ***\n", c->cpu,
			  c->words ?: "overwritten meanwhile");
	else
		marker_item_print(dump->buffer, &item, dump->text, TEXT_SIZE);
	if (!is_excess(dump, dump->text))
		put_lines(dump, dump->text);
	advance(c);
}

static struct cursor *find_oldest(struct marker_dump *dump)
{
	struct cursor *c, *oldest = NULL;

	for_each_cursor(dump, c) {
		if (c->has_item && (!oldest || c->item_ts < oldest->item_ts))
			oldest = c;
	}
	return oldest;
}

static void put_items(struct marker_dump *dump, unsigned int nr)
{
	struct cursor *c;

	for_each_cursor(dump, c)
		begin_cursor(dump, c, nr);
	while ((c = find_oldest(dump))) {
		put_item(dump, c);
		step_dump(dump, c);
	}
}

/*
 * How many events of each CPU fit?  The newest ones of all CPUs would not do: a CPU that dies in
 * an NMI may have been slower than the others.
 */
static unsigned int fitting(struct marker_dump *dump, unsigned int nr, u32 room)
{
	const s64 budget = (s64)room - OTHER_LINES;

	nr = max_t(s64, min_t(s64, nr, budget / MIN_LINE), 1);
	for (;;) {
		dump->excess = -budget;
		dump->is_measured = true;
		put_items(dump, nr);
		dump->is_measured = false;
		if (dump->excess <= 0 || nr == 1 || budget <= 0)
			return nr;
		/* Markers need 64 bits, so they may divide them. */
		nr = max_t(s64, nr * budget / (budget + dump->excess), 1);
	}
}

void marker_dump_print(struct marker_dump *dump, const char *name,
		       const struct marker_buffer *buffer, unsigned int nr, u32 room)
{
	unsigned int asked = nr;

	dump->buffer = buffer;
	dump->owner = NULL;
	dump->excess = 0;
	if (room != U32_MAX)
		nr = fitting(dump, nr, room);
	put_heading(dump, name, nr);
	if (nr < asked || dump->excess > 0)
		dump->put("markers: older events are left out: printk() has no room");
	put_items(dump, nr);
	dump->put("markers: end of the events");
}

struct marker_dump *marker_dump_create(void (*put)(const char *line))
{
	struct marker_dump *dump;
	int cpu;

	dump = kvzalloc(struct_size(dump, cursor, num_possible_cpus()), GFP_KERNEL);
	if (!dump)
		return NULL;
	dump->put = put;
	for_each_possible_cpu(cpu)
		dump->cursor[dump->nr++].cpu = cpu;
	return dump;
}

void marker_dump_destroy(struct marker_dump *dump)
{
	kvfree(dump);
}
