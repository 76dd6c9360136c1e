// SPDX-License-Identifier: GPL-2.0
/*
 * From the memory of a dead kernel to its trace; when the module is loaded, in process context.
 *
 * First the notes: pages that begin with a magic text, and whose checksum is right.  Then the
 * packets: pages that begin with the uuid of the notes.  Their bytes have no checksum, since
 * a hit would have to compute it.  So each packet is walked from event to event, and is cut
 * where there is none.
 */
#include <linux/crc32.h>
#include <linux/err.h>
#include <linux/sizes.h>

#include <markers/format/context.h>
#include <markers/format/serialize.h>
#include <markers/ring/packet.h>
#include "crash_notes.h"
#include "item.h"
#include "recover.h"

#define TEXT_SIZE	(PAGE_SIZE - sizeof(struct marker_note_page))
#define MAX_TRIES	8		/* with older notes, if newer ones are not complete */
/* No kernel has more; memory may say anything. */
#define MAX_PAGES	(SZ_16M / PAGE_SIZE)
#define MAX_CPUS	8192
#define MAX_EVENTS	65536
#define MAX_TITLE	1024
#define GFP_QUIET	(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN)

/**
 * struct words - what a CPU's ring said of itself
 * @cpu:	the CPU
 * @seq:	the packet that was open, if @used is not 0
 * @used:	its bytes
 * @last:	the time of the last event
 * @commit:	the physical address of its first slot's, or 0
 * @stride:	from there to the next one's
 * @lost:	events that were not recorded
 * @overwritten: events that were overwritten
 */
struct words {
	u32 cpu;
	u64 seq;
	u32 used;
	u64 last;
	u64 commit;
	u32 stride;
	u64 lost;
	u64 overwritten;
};

/**
 * struct recovery - the work
 * @memory:	the region
 * @size:	its bytes
 * @phys:	its physical address
 * @uuid:	of the trace
 * @subbuf_size: of the ring
 * @nr_subbufs:	of the ring
 * @nr_words:	CPUs that the notes know
 * @words:	of these
 * @trace:	the result
 * @room:	bytes of its data
 */
struct recovery {
	const u8 *memory;
	size_t size;
	u64 phys;
	u8 uuid[CTF_UUID_SIZE];
	u32 subbuf_size;
	u32 nr_subbufs;
	u32 nr_words;
	struct words *words;
	struct marker_recovered *trace;
	size_t room;
};

/*
 * The notes
 */

/**
 * struct note - a page of the notes
 * @head:	a copy of what it begins with: the region may change after all
 * @at:		its place; the text is there
 * @is_there:	it was found
 */
struct note {
	struct marker_note_page head;
	size_t at;
	bool is_there;
};

static u32 text_crc(const struct marker_note_page *head, const u8 *text)
{
	u32 crc = crc32_le(~0, (const u8 *)&head->phys,
			   sizeof(*head) - offsetof(struct marker_note_page, phys));

	return ~crc32_le(crc, text, head->size);
}

/* Is there one at @at? */
static bool note_at(const struct recovery *r, size_t at, struct note *note)
{
	const struct marker_note_page *head = &note->head;

	cond_resched();
	note->at = at;
	memcpy(&note->head, r->memory + at, sizeof(note->head));
	return !memcmp(head->magic, MARKER_NOTE_MAGIC, sizeof(head->magic)) &&
	       head->size <= TEXT_SIZE && head->phys == r->phys + at &&
	       head->number < head->total && head->total <= MAX_PAGES &&
	       head->crc == text_crc(head, r->memory + at + sizeof(*head));
}

/* The newest notes of those that are older than @below.  Return: false: there are none. */
static bool find_newest(const struct recovery *r, u64 below, struct note *newest)
{
	bool found = false;
	struct note note;
	size_t at;

	for (at = 0; at < r->size; at += PAGE_SIZE) {
		if (!note_at(r, at, &note) || note.head.generation >= below ||
		    (found && note.head.generation <= newest->head.generation))
			continue;
		*newest = note;
		found = true;
	}
	return found;
}

/* The pages of the notes that @one belongs to.  Return: how many were found. */
static u32 find_pages(const struct recovery *r, const struct marker_note_page *one,
		      struct note *pages)
{
	struct note note;
	u32 found = 0;
	size_t at;

	for (at = 0; at < r->size; at += PAGE_SIZE) {
		if (!note_at(r, at, &note) || note.head.generation != one->generation ||
		    note.head.total != one->total ||
		    memcmp(note.head.uuid, one->uuid, sizeof(one->uuid)) ||
		    pages[note.head.number].is_there)
			continue;
		note.is_there = true;
		pages[note.head.number] = note;
		found++;
	}
	return found;
}

/* Return: the text; NULL: it has changed meanwhile; ERR_PTR(-ENOMEM). */
static char *join_text(const struct recovery *r, const struct note *pages, u32 nr)
{
	char *text = kvmalloc(nr * TEXT_SIZE + 1, GFP_QUIET);
	const struct marker_note_page *head;
	size_t at = 0;
	u32 i;

	if (!text)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < nr; i++) {
		head = &pages[i].head;
		memcpy(text + at, r->memory + pages[i].at + sizeof(*head), head->size);
		if (head->crc != text_crc(head, (u8 *)text + at)) {
			kvfree(text);
			return NULL;
		}
		at += head->size;
	}
	text[at] = '\0';
	return text;
}

static int read_notes(struct recovery *r, const struct marker_note_page *one)
{
	struct note *pages;
	char *text = NULL;

	pages = kvzalloc(array_size(one->total, sizeof(*pages)), GFP_QUIET);
	if (!pages)
		return -ENOMEM;
	if (find_pages(r, one, pages) == one->total)
		text = join_text(r, pages, one->total);
	kvfree(pages);
	if (IS_ERR(text))
		return PTR_ERR(text);
	memcpy(r->uuid, one->uuid, sizeof(r->uuid));
	r->trace->text = text;
	return 0;
}

/* Of another version, or damaged? */
static bool has_other_notes(const struct recovery *r)
{
	size_t at;

	for (at = 0; at < r->size; at += PAGE_SIZE) {
		if (!memcmp(r->memory + at, MARKER_NOTE_MAGIC, MARKER_NOTE_MAGIC_SAME))
			return true;
	}
	return false;
}

static int find_notes(struct recovery *r, const char **why)
{
	u64 below = U64_MAX;
	struct note one;
	int tries, err;

	for (tries = 0; tries < MAX_TRIES; tries++) {
		if (!find_newest(r, below, &one))
			break;
		err = read_notes(r, &one.head);
		if (err || r->trace->text)
			return err;
		below = one.head.generation;
	}
	if (has_other_notes(r)) {
		*why = "its notes are damaged, or of another version";
		return -EINVAL;
	}
	*why = "there is none";
	return -ENODATA;
}

/*
 * The lines of the notes
 */

/* The next line, without its newline; NULL: there is none before the empty line. */
static char *next_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');

	if (!end || end == line)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

/* Go past a word and a blank.  Return: false: it is another word. */
static bool skip_word(char **at, const char *word)
{
	const size_t len = strlen(word);

	if (strncmp(*at, word, len) || (*at)[len] != ' ')
		return false;
	*at += len + 1;
	return true;
}

/* Go past a number and the blank after it. */
static bool get_number(char **at, u64 *number)
{
	char *p = *at;
	u64 n = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (n > (U64_MAX - 9) / 10)
			return false;
		n = n * 10 + (*p - '0');
	}
	if (*p && *p != ' ')
		return false;
	*at = *p ? p + 1 : p;
	*number = n;
	return true;
}

/* A number from @least to @most. */
static bool get_u32(char **at, u32 least, u32 most, u32 *number)
{
	u64 n;

	if (!get_number(at, &n) || n < least || n > most)
		return false;
	*number = n;
	return true;
}

static bool get_power(char *at, u32 least, u32 most, u32 *number)
{
	return get_u32(&at, least, most, number) && is_power_of_2(*number);
}

static bool get_contexts(char *at, u32 *tag)
{
	u32 set;

	if (!get_u32(&at, 0, MARKER_CONTEXT_ALL, &set))
		return false;
	*tag = marker_context_tag(set);
	return true;
}

static bool get_clock(char *at, struct marker_clock *clock)
{
	char *end = strchr(at, ' ');
	bool is_negative;
	u64 offset_s;

	if (!end)
		return false;
	*end = '\0';
	clock->name = at;
	at = end + 1;
	if (!get_number(&at, &clock->frequency))
		return false;
	is_negative = *at == '-';
	at += is_negative;
	if (!get_number(&at, &offset_s) || !get_number(&at, &clock->offset))
		return false;
	clock->offset_s = is_negative ? -offset_s : offset_s;
	return clock->frequency && clock->frequency < 1ull << 34;
}

static bool read_word(const struct recovery *r, u64 phys, u64 *word)
{
	if (phys < r->phys || phys - r->phys > r->size - sizeof(*word) || phys % sizeof(*word))
		return false;
	memcpy(word, r->memory + (phys - r->phys), sizeof(*word));
	return true;
}

static bool get_words(const struct recovery *r, char *at, struct words *words)
{
	u64 offset, last, lost, overwritten, word, sum = 0;
	int i;

	if (!get_u32(&at, 0, MAX_CPUS - 1, &words->cpu) || !get_number(&at, &offset) ||
	    !get_number(&at, &last) || !get_number(&at, &words->commit) ||
	    !get_u32(&at, 0, U32_MAX, &words->stride) || !get_number(&at, &lost) ||
	    !get_number(&at, &overwritten))
		return false;
	for (i = 0; i < RING_NR_LOST; i++, sum += word) {
		if (!read_word(r, lost + i * sizeof(word), &word))
			return false;
	}
	words->lost = sum;
	if (!read_word(r, offset, &offset) || !read_word(r, last, &words->last) ||
	    !read_word(r, overwritten, &words->overwritten))
		return false;
	words->seq = offset / r->subbuf_size - r->nr_subbufs;
	words->used = offset % r->subbuf_size;
	return true;
}

/* In place: octal digits to characters. */
static bool unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text != '\\') {
			*to++ = *text;
			continue;
		}
		if (text[1] < '0' || text[1] > '3' || text[2] < '0' || text[2] > '7' ||
		    text[3] < '0' || text[3] > '7')
			return false;
		*to = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
		if (!*to++)
			return false;
		text += 3;
	}
	*to = '\0';
	return true;
}

/* It goes to a terminal as it is. */
static bool is_title(const char *title)
{
	const char *p;

	for (p = title; *p > ' ' && *p < '\x7f'; p++)
		;
	return !*p && p - title < MAX_TITLE;
}

static bool get_event(char *at, struct marker_recovered_event *event)
{
	struct marker_format_error error;
	char *format = strchr(at, ' ');

	if (!format)
		return false;
	*format++ = '\0';
	if (!unescape(at) || !is_title(at) || !unescape(format) ||
	    marker_format_parse(&event->format, format, &error))
		return false;
	event->title = at;
	event->format.is_foreign = true;
	return true;
}

static bool read_line(struct recovery *r, char *line)
{
	struct marker_recovered *trace = r->trace;

	if (skip_word(&line, "subbuf_size"))
		return get_power(line, PAGE_SIZE, RING_SUBBUF_SIZE_MAX, &r->subbuf_size);
	if (skip_word(&line, "nr_subbufs"))
		return get_power(line, 2, RING_NR_SUBBUFS_MAX, &r->nr_subbufs);
	if (skip_word(&line, "contexts"))
		return get_contexts(line, &trace->contexts);
	if (skip_word(&line, "clock"))
		return get_clock(line, &trace->clock);
	/* it needs the numbers above */
	if (skip_word(&line, "cpu"))
		return r->subbuf_size && r->nr_subbufs &&
		       get_words(r, line, &r->words[r->nr_words++]);
	if (skip_word(&line, "event"))
		return get_event(line, &trace->known[trace->nr_known++]);
	return false;
}

/* How many lines begin with @word, or with one like it? */
static size_t count_lines(const char *text, const char *word)
{
	size_t nr = 0;

	while (*text && *text != '\n') {
		nr += !strncmp(text, word, strlen(word));
		text = strchr(text, '\n');
		if (!text)
			break;
		text++;
	}
	return nr;
}

static int read_lines(struct recovery *r, const char **why)
{
	struct marker_recovered *trace = r->trace;
	char *at = trace->text, *line;

	const size_t nr_cpus = count_lines(at, "cpu ");
	const size_t nr_events = count_lines(at, "event ");

	*why = "its notes cannot be understood";
	if (nr_cpus > MAX_CPUS || nr_events > MAX_EVENTS)
		return -EINVAL;
	r->words = kvzalloc(array_size(nr_cpus + 1, sizeof(*r->words)), GFP_QUIET);
	trace->known = kvzalloc(array_size(nr_events + 1, sizeof(*trace->known)), GFP_QUIET);
	if (!r->words || !trace->known)
		return -ENOMEM;
	while ((line = next_line(&at))) {
		if (!read_line(r, line))
			return -EINVAL;
	}
	if (*at != '\n' || !r->subbuf_size || !r->nr_subbufs || !trace->clock.name)
		return -EINVAL;
	trace->metadata = at + 1;
	return 0;
}

/*
 * Packets
 */

static bool header_at(const struct recovery *r, size_t at, struct ctf_packet_header *header)
{
	memcpy(header, r->memory + at, sizeof(*header));
	return header->magic == CTF_MAGIC && !memcmp(header->uuid, r->uuid, CTF_UUID_SIZE) &&
	       header->stream_id == ctf_stream_id(r->uuid) && header->cpu_id < MAX_CPUS;
}

static int compare_packets(const void *a, const void *b)
{
	const struct marker_recovered_packet *one = a, *other = b;

	if (one->cpu != other->cpu)
		return one->cpu < other->cpu ? -1 : 1;
	if (one->seq != other->seq)
		return one->seq < other->seq ? -1 : 1;
	return one->at < other->at ? -1 : 1;
}

/* A list of them, with their places in the region. */
static int find_packets(struct recovery *r)
{
	struct marker_recovered *trace = r->trace;
	struct ctf_packet_header header;
	size_t at, nr = 0;

	for (at = 0; at < r->size; at += PAGE_SIZE)
		nr += header_at(r, at, &header);
	trace->packet = kvzalloc(array_size(nr + 1, sizeof(*trace->packet)), GFP_QUIET);
	trace->cpu = kvzalloc(array_size(min_t(size_t, nr, MAX_CPUS) + 1, sizeof(*trace->cpu)),
			      GFP_QUIET);
	if (!trace->packet || !trace->cpu)
		return -ENOMEM;
	for (at = 0; at < r->size; at += PAGE_SIZE) {
		if (!header_at(r, at, &header) || trace->nr_packets == nr)
			continue;
		trace->packet[trace->nr_packets].cpu = header.cpu_id;
		trace->packet[trace->nr_packets].seq = header.packet_seq_num;
		trace->packet[trace->nr_packets++].at = at;
		/* As the most that all of them can have. */
		r->room += min_t(size_t, r->subbuf_size, r->size - at);
	}
	r->room = min(r->room, r->size);
	sort(trace->packet, trace->nr_packets, sizeof(*trace->packet), compare_packets, NULL);
	return 0;
}

static const struct words *words_of(const struct recovery *r, u32 cpu)
{
	u32 i;

	for (i = 0; i < r->nr_words; i++) {
		if (r->words[i].cpu == cpu)
			return &r->words[i];
	}
	return NULL;
}

/* How many bytes are complete of a packet that was not delivered; 0: it was, or not known. */
static u32 complete_bytes(const struct recovery *r, const struct words *words, u64 seq)
{
	const u64 slot = (seq + r->nr_subbufs) % r->nr_subbufs;
	u64 commit;

	if (!words->commit ||
	    !read_word(r, words->commit + slot * words->stride, &commit))
		return 0;
	return r->subbuf_size + (u32)(commit >> RING_BYTES_SHIFT);
}

static bool is_closed(const struct ctf_packet_header *header, u32 most)
{
	return header->content_size % 8 == 0 && header->content_size / 8 <= most &&
	       header->content_size / 8 >= sizeof(*header) &&
	       header->packet_size / 8 == ALIGN(header->content_size / 8, 8) &&
	       header->timestamp_begin <= header->timestamp_end;
}

/**
 * struct extent - how much of a packet is there
 * @used:	bytes that were reserved
 * @hole:	of these, so many are not complete
 * @last:	no event is later
 * @end:	the packet ends then, or with its last event
 * @is_closed:	@hole is only likely
 */
struct extent {
	u32 used;
	u32 hole;
	u64 last;
	u64 end;
	bool is_closed;
};

/*
 * A packet is open, or closed, or was about to be closed: then it has the end of a lap before,
 * and what is complete is at its beginning.  A closed one may have a hole, too: its writer was
 * interrupted by others that went on to later packets.
 */
static bool measure(const struct recovery *r, const struct words *words,
		    const struct marker_recovered_packet *packet,
		    const struct ctf_packet_header *header, struct extent *extent)
{
	const u32 most = min_t(size_t, r->subbuf_size, r->size - packet->at);
	u32 complete = 0, reserved = r->subbuf_size;

	*extent = (struct extent) { };
	if (words && packet->seq <= words->seq && words->seq - packet->seq < r->nr_subbufs)
		complete = complete_bytes(r, words, packet->seq);
	if (words && words->used && packet->seq == words->seq) {
		reserved = words->used;
		extent->used = words->used;
		extent->last = words->last;
		extent->end = words->last;
	} else if (is_closed(header, most)) {
		extent->used = header->content_size / 8;
		extent->last = header->timestamp_end;
		extent->end = header->timestamp_end;
		extent->is_closed = true;
	} else if (!complete && header->timestamp_begin <= header->timestamp_end) {
		/* It was closed, and its size is damaged: up to where there is no event. */
		extent->used = most;
		extent->last = header->timestamp_end;
		extent->end = header->timestamp_end;
	} else {
		reserved = complete;
		extent->used = complete;
		extent->last = words ? words->last : 0;
	}
	if (complete >= sizeof(*header) && complete < reserved &&
	    reserved - complete <= extent->used - sizeof(*header))
		extent->hole = reserved - complete;
	return extent->used >= sizeof(*header) && extent->used <= most;
}

int marker_recovered_parse(const struct marker_recovered *trace, struct packet_iter *iter,
			   struct marker_item *item)
{
	u32 id;
	int err = marker_item_begin(iter, &id, item);

	if (err)
		return err;
	if (id >= trace->nr_known)
		return -EINVAL;
	item->title = trace->known[id].title;
	item->format = &trace->known[id].format;
	return marker_item_end(iter, trace->contexts, item);
}

/* Go from event to event up to @end.  Return: where there is none. */
static u32 walk(const struct recovery *r, const u8 *data, u32 at, u32 end, u64 last,
		u64 *ts, u32 *nr_events)
{
	struct packet_iter iter = {
		.header.timestamp_end = last,
		.data = data,
		.at = at,
		.end = end,
		.ts = *ts,
	};
	struct marker_item item;

	while (!marker_recovered_parse(r->trace, &iter, &item)) {
		at = iter.at;
		*ts = item.ts;
		++*nr_events;
	}
	return at;
}

/*
 * Take out the bytes that were reserved and not written: at the end, or events of interrupts
 * follow.  Return: the bytes that are left.
 */
static u32 cut(const struct recovery *r, u8 *data, const struct extent *extent,
	       struct marker_recovered_packet *packet, u64 *ts, u32 *nr_events)
{
	const u32 begin = sizeof(struct ctf_packet_header);
	const u32 complete = extent->used - extent->hole;
	u64 later = *ts;
	u32 at, more = 0;

	if (extent->is_closed && extent->hole &&
	    walk(r, data, begin, extent->used, extent->last, &later, &more) == extent->used) {
		*ts = later;
		*nr_events = more;
		return extent->used;
	}
	at = walk(r, data, begin, complete, extent->last, ts, nr_events);
	packet->hole = extent->hole;
	if (at == complete)
		return complete;
	later = *ts;
	more = 0;
	if (extent->hole &&
	    walk(r, data, at + extent->hole, extent->used, extent->last, &later, &more) ==
	    extent->used) {
		memmove(data + at, data + at + extent->hole, complete - at);
		*ts = later;
		*nr_events += more;
		return complete;
	}
	packet->is_cut = true;
	return at;
}

/* Copy a packet to @data; its last event is at @last.  Return: true: it has events. */
static bool copy_packet(const struct recovery *r, const struct words *words,
			struct marker_recovered_packet *packet, u8 *data, size_t room,
			u64 *last)
{
	struct ctf_packet_header header;
	struct extent extent;
	u32 used, nr_events = 0;
	u64 ts;

	if (!header_at(r, packet->at, &header) ||
	    !measure(r, words, packet, &header, &extent) || ALIGN(extent.used, 8) > room)
		return false;
	memcpy(data, r->memory + packet->at, extent.used);
	ts = header.timestamp_begin;
	used = cut(r, data, &extent, packet, &ts, &nr_events);
	packet->size = ALIGN(used, 8);
	memset(data + used, 0, packet->size - used);
	header.timestamp_end = max(ts, extent.end);
	header.content_size = (u64)used * 8;
	header.packet_size = (u64)packet->size * 8;
	header.nr_events = nr_events;
	header.events_discarded = words ? words->overwritten : 0;
	memcpy(data, &header, sizeof(header));
	*last = ts;
	return nr_events;
}

/* The packets of @cpu, that is those from @from on.  Return: after its last one. */
static u32 copy_cpu(struct recovery *r, u32 from, u32 cpu, size_t *at)
{
	const struct words *words = words_of(r, cpu);
	struct marker_recovered *trace = r->trace;
	struct marker_recovered_packet packet;
	struct ctf_packet_header header;
	const u32 first = trace->nr_packets;
	u64 next = 0, end = 0, last = 0, this_last;
	struct ctf_packet_header *before = NULL;
	u32 i;

	for (i = from; trace->packet[i].at != SIZE_MAX && trace->packet[i].cpu == cpu; i++) {
		cond_resched();
		packet = trace->packet[i];
		if (trace->nr_packets > first && packet.seq < next) {
			trace->nr_bad++;
			continue;
		}
		if (!copy_packet(r, words, &packet, trace->data + *at, r->room - *at,
				 &this_last)) {
			/* It may be open, and have nothing yet. */
			trace->nr_bad += !words || packet.seq != words->seq;
			continue;
		}
		memcpy(&header, trace->data + *at, sizeof(header));
		if (header.timestamp_begin < last) {
			trace->nr_bad++;
			continue;
		}
		/* The end of the one before is damaged: it is that of its last event. */
		if (header.timestamp_begin < end)
			before->timestamp_end = last;
		packet.is_after_gap = trace->nr_packets > first && packet.seq != next;
		next = packet.seq + 1;
		end = header.timestamp_end;
		last = this_last;
		before = (void *)(trace->data + *at);
		packet.at = *at;
		*at += packet.size;
		trace->nr_events += header.nr_events;
		/* never beyond what was read of the list */
		trace->packet[trace->nr_packets++] = packet;
	}
	if (words)
		trace->nr_lost += words->lost + words->overwritten;
	if (trace->nr_packets == first)
		return i;
	if (words)
		packet_set_discarded(trace->data + trace->packet[trace->nr_packets - 1].at,
				     words->lost + words->overwritten);
	trace->cpu[trace->nr_cpus++] = (struct marker_recovered_cpu) {
		.cpu = cpu,
		.from = first,
		.to = trace->nr_packets,
	};
	return i;
}

static int copy_packets(struct recovery *r)
{
	struct marker_recovered *trace = r->trace;
	const u32 nr = trace->nr_packets;
	size_t at = 0;
	u32 i = 0;

	trace->data = kvmalloc(r->room + 1, GFP_QUIET);
	if (!trace->data)
		return -ENOMEM;
	/* the end of the list */
	trace->packet[nr].at = SIZE_MAX;
	trace->nr_packets = 0;
	while (i < nr)
		i = copy_cpu(r, i, trace->packet[i].cpu, &at);
	return 0;
}

static int recover(struct recovery *r, const char **why)
{
	int err = find_notes(r, why);

	if (!err)
		err = read_lines(r, why);
	if (!err)
		err = find_packets(r);
	if (!err)
		err = copy_packets(r);
	if (!err && !r->trace->nr_packets) {
		*why = "there are no events in it";
		err = -ENODATA;
	}
	return err;
}

int marker_recover(const void *memory, size_t size, u64 phys, struct marker_recovered **trace,
		   const char **why)
{
	struct recovery r = { .memory = memory, .size = size, .phys = phys };
	int err;

	r.trace = kvzalloc(sizeof(*r.trace), GFP_KERNEL);
	if (!r.trace)
		return -ENOMEM;
	err = recover(&r, why);
	kvfree(r.words);
	if (err) {
		marker_recovered_free(r.trace);
		return err;
	}
	*trace = r.trace;
	return 0;
}

void marker_recovered_free(struct marker_recovered *trace)
{
	if (!trace)
		return;
	kvfree(trace->data);
	kvfree(trace->cpu);
	kvfree(trace->packet);
	kvfree(trace->known);
	kvfree(trace->text);
	kvfree(trace);
}
