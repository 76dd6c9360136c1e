// SPDX-License-Identifier: GPL-2.0
/*
 * From the memory of a dead kernel to its trace; when the module is loaded, in process context.
 *
 * First the notes: recover_notes.c.  Then the packets: pages that begin with the uuid of the
 * notes.  Their bytes have no checksum, since
 * a hit would have to compute it.  So each packet is walked from event to event, and is cut
 * where there is none.
 */
#include <markers/base.h>
#include <markers/read/walk.h>
#include "recover_internal.h"

/* The end of a piece may have only the beginning of it, so that something is missing. */
static bool header_at(const struct recovery *r, u64 at, struct ctf_packet_header *header)
{
	memset(header, 0, sizeof(*header));
	recover_copy(r, at, header, sizeof(*header));
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

static const struct words *words_of(const struct recovery *r, u32 cpu)
{
	u32 i;

	for (i = 0; i < r->nr_words; i++) {
		if (r->words[i].cpu == cpu)
			return &r->words[i];
	}
	return NULL;
}

/*
 * How many bytes, and events, are complete of a packet that was not delivered; 0: it was, or not
 * known.
 */
static u32 complete_bytes(const struct recovery *r, const struct words *words, u64 seq,
			  u32 *nr_events)
{
	const u64 slot = (seq + r->nr_subbufs) % r->nr_subbufs;
	u64 commit;

	if (!words->commit ||
	    !read_word(r, words->commit + slot * words->stride, &commit))
		return 0;
	*nr_events = commit;
	return r->subbuf_size + (u32)(commit >> MARKER_NOTE_BYTES_SHIFT);
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
 * @hole:	how many of these are not complete
 * @nr_events:	how many events are, if there is a hole
 * @last:	no event is later
 * @end:	the packet ends then, or with its last event
 * @is_closed:	@hole is only likely
 */
struct extent {
	u32 used;
	u32 hole;
	u32 nr_events;
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
	const u32 most = r->subbuf_size;
	u32 complete = 0, reserved = r->subbuf_size;

	*extent = (struct extent) { };
	if (words && packet->seq <= words->seq && words->seq - packet->seq < r->nr_subbufs)
		complete = complete_bytes(r, words, packet->seq, &extent->nr_events);
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

/* A list of them, with their places in the region. */
static int find_packets(struct recovery *r)
{
	struct marker_recovered *trace = r->trace;
	struct marker_recovered_packet *packet;
	struct ctf_packet_header header;
	struct extent extent;
	size_t nr = 0;
	u64 at;
	u32 i;

	for_each_page(r, i, at)
		nr += header_at(r, at, &header);
	trace->packet = kvzalloc(array_size(nr + 1, sizeof(*trace->packet)), GFP_QUIET);
	trace->cpu = kvzalloc(array_size(min_t(size_t, nr, MAX_CPUS) + 1, sizeof(*trace->cpu)),
			      GFP_QUIET);
	if (!trace->packet || !trace->cpu)
		return -ENOMEM;
	for_each_page(r, i, at) {
		if (!header_at(r, at, &header) || trace->nr_packets == nr)
			continue;
		packet = &trace->packet[trace->nr_packets++];
		packet->cpu = header.cpu_id;
		packet->seq = header.packet_seq_num;
		packet->at = at;
		if (measure(r, words_of(r, packet->cpu), packet, &header, &extent))
			r->room += ALIGN(extent.used, 8);
		cond_resched();
	}
	r->room = min(r->room, r->size);
	sort(trace->packet, trace->nr_packets, sizeof(*trace->packet), compare_packets, NULL);
	return 0;
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
	if (!trace->known[id])
		return -ENOENT;
	item->title = trace->known[id]->title;
	item->format = &trace->known[id]->format;
	return marker_item_end(iter, trace->contexts, item);
}

/**
 * struct packet_walk - a walk over a copy of a packet
 * @walk:	the walk
 * @iter:	where it is
 * @r:		knows the events
 */
struct packet_walk {
	struct marker_walk walk;
	struct packet_iter iter;
	const struct recovery *r;
};

static int next_event(struct marker_walk *walk)
{
	struct packet_walk *p = container_of(walk, struct packet_walk, walk);
	struct marker_item item;
	int err;

	p->iter.at = walk->at;
	p->iter.ts = walk->ts;
	err = marker_recovered_parse(p->r->trace, &p->iter, &item);
	if (err)
		return err;
	walk->end = p->iter.at;
	walk->ts = item.ts;
	return 0;
}

/* From @at, after an event at @ts, up to @end. */
static struct packet_walk walk_from(const struct recovery *r, const u8 *data,
				    const struct extent *extent, u32 at, u32 end, u64 ts)
{
	return (struct packet_walk) {
		.walk = { .next = next_event, .at = at, .ts = ts },
		.iter = { .header.timestamp_end = extent->last, .data = data, .end = end },
		.r = r,
	};
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
	struct packet_walk some, rest;
	u32 hole = 0;
	int err;

	some = walk_from(r, data, extent, begin, extent->used, *ts);
	if (extent->is_closed && extent->hole && marker_walk(&some.walk) == -ENODATA) {
		*ts = some.walk.ts;
		*nr_events = some.walk.nr_events;
		return extent->used;
	}
	packet->hole = extent->hole;
	if (extent->hole) {
		some = walk_from(r, data, extent, begin, extent->used, *ts);
		hole = marker_walk_hole(&some.walk, extent->hole, extent->nr_events);
	}
	if (hole)
		memmove(data + hole, data + hole + extent->hole, complete - hole);
	some = walk_from(r, data, extent, begin, complete, *ts);
	err = marker_walk(&some.walk);
	*ts = some.walk.ts;
	*nr_events = some.walk.nr_events;
	if (err == -ENODATA)
		return complete;
	rest = walk_from(r, data, extent, some.walk.at + extent->hole, extent->used, *ts);
	if (extent->hole && !hole && marker_walk(&rest.walk) == -ENODATA) {
		memmove(data + some.walk.at, data + some.walk.at + extent->hole,
			complete - some.walk.at);
		*ts = rest.walk.ts;
		*nr_events += rest.walk.nr_events;
		return complete;
	}
	packet->is_cut = true;
	packet->is_unknown = err == -ENOENT;
	return some.walk.at;
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
	    !measure(r, words, packet, &header, &extent) || ALIGN(extent.used, 8) > room ||
	    recover_copy(r, packet->at, data, extent.used) < extent.used)
		return false;
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
	int err = marker_recover_notes(r, why);

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

int marker_recover(const struct marker_memory *memory, u32 nr, struct marker_recovered **trace,
		   const char **why)
{
	struct recovery r = { .memory = memory, .nr = nr };
	int err;
	u32 i;

	for (i = 0; i < nr; i++)
		r.size += memory[i].size;

	r.trace = kvzalloc(sizeof(*r.trace), GFP_KERNEL);
	if (!r.trace)
		return -ENOMEM;
	err = recover(&r, why);
	kvfree(r.words);
	kfree(r.parsed);
	if (err) {
		marker_recovered_free(r.trace);
		return err;
	}
	*trace = r.trace;
	return 0;
}

void marker_recovered_free(struct marker_recovered *trace)
{
	u32 id;

	if (!trace)
		return;
	for (id = 0; id < trace->nr_known; id++)
		kfree(trace->known[id]);
	kvfree(trace->data);
	kvfree(trace->cpu);
	kvfree(trace->packet);
	kvfree(trace->known);
	kvfree(trace->strings);
	kvfree(trace->text);
	kvfree(trace);
}
