// SPDX-License-Identifier: GPL-2.0
/*
 * CTF packets: markers/ring/packet.c on a ring, and its iterator on whole packets and on
 * garbage.
 */
#include <markers/ring/packet.h>
#include <markers/ring/packet_read.h>
#include "new_ring.h"
#include "tap.h"

static u8 uuid[CTF_UUID_SIZE] = "0123456789abcdef";

static struct ring *new_ring(enum ring_mode mode)
{
	return unit_new_ring(4096, 4, mode, &packet_ring_ops, uuid);
}

static bool put(struct ring *ring, u32 id, u32 len)
{
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record rec;
	u8 *p;

	if (!packet_reserve(rc, &rec, id, len))
		return false;
	p = packet_event_header(&rec, id);
	memset(p, id, len);
	ring_commit(rc, &rec);
	return p + len == rec.data + rec.len;
}

static const struct {
	u32 id;
	u64 gap;
	u32 len, header;
} events[] = {
	{ 0, 0, 0, CTF_COMPACT_SIZE },
	{ 1, 0, 1, CTF_COMPACT_SIZE },
	{ 29, 5, 2, CTF_COMPACT_SIZE },
	{ 30, 5, 2, CTF_MEDIUM_SIZE },
	{ 31, 5, 3, CTF_MEDIUM_SIZE },
	{ 32, 0, 0, CTF_MEDIUM_SIZE },
	{ 65535, RING_TIME_STEP - 1, 0, CTF_MEDIUM_SIZE },
	{ 65535, RING_TIME_STEP, 0, CTF_EXTENDED_SIZE },
	{ 65536, 1, 7, CTF_EXTENDED_SIZE },
	{ 0xffffffff, 1, 7, CTF_EXTENDED_SIZE },
	{ 2, RING_TIME_STEP - 1, 0, CTF_COMPACT_SIZE },
	{ 2, RING_TIME_STEP - 1, 0, CTF_COMPACT_SIZE },
	{ 2, RING_TIME_STEP, 0, CTF_EXTENDED_SIZE },
	{ 3, RING_TIME_STEP / 2, 0, CTF_COMPACT_SIZE },
	{ 3, 1ull << 32, 9, CTF_EXTENDED_SIZE },
	{ 3, 1, 9, CTF_COMPACT_SIZE },
	{ 3, (1ull << 50) + 12345, 9, CTF_EXTENDED_SIZE },
	{ 4, 0, 100, CTF_COMPACT_SIZE },
};

static void test_events(u64 start)
{
	struct ring *ring = new_ring(RING_DISCARD);
	u64 ts, want_ts, begin, end;
	struct ctf_packet_header *h;
	struct packet_iter iter;
	struct ring_packet packet;
	const u8 *payload;
	u32 id, avail, size = sizeof(*h);
	size_t i;

	unit_cpu = 5;
	unit_time_ns = start;
	begin = start + events[0].gap;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		unit_time_ns += events[i].gap;
		if (!put(ring, events[i].id, events[i].len))
			break;
		size += events[i].header + events[i].len;
	}
	is_int(i, ARRAY_SIZE(events), "events: written");
	unit_time_ns += 77;
	end = unit_time_ns;
	ring_flush(ring, 5);
	ring_reader_lock(ring, 5);
	is_int(ring_get(ring, 5, &packet), 0, "events: a packet");

	h = packet.data;
	ok(h->magic == CTF_MAGIC && !memcmp(h->uuid, uuid, sizeof(uuid)) &&
	   !memcmp(&h->stream_id, uuid, sizeof(h->stream_id)),
	   "header: magic, uuid, stream");
	is_int(h->timestamp_begin, begin, "header: begin");
	is_int(h->timestamp_end, end, "header: end");
	is_int(h->content_size, size * 8, "header: content");
	is_int(h->packet_size, (size + 7) / 8 * 64, "header: size, in whole words");
	is_int(packet.size, h->packet_size / 8, "header: and that is what a reader gets");
	is_int(h->packet_seq_num, 0, "header: sequence number");
	is_int(h->cpu_id, 5, "header: cpu");
	is_int(h->nr_events, ARRAY_SIZE(events), "header: events");

	is_int(packet_iter_init(&iter, packet.data, packet.size), 0, "iter: valid");
	want_ts = start;
	for (i = 0; !packet_iter_next(&iter, &id, &ts, &payload, &avail); i++) {
		u32 used = events[i].len;

		want_ts += events[i].gap;
		ok(id == events[i].id && ts == want_ts && avail >= used &&
		   payload[-(long)events[i].header] % 32 ==
			(events[i].header == CTF_EXTENDED_SIZE ? 31 :
			 events[i].header == CTF_MEDIUM_SIZE ? 30 : id) &&
		   (!used || (payload[0] == (u8)id && payload[used - 1] == (u8)id)),
		   "iter: event %zu, id %u", i, id);
		if (packet_iter_advance(&iter, used))
			break;
	}
	is_int(i, ARRAY_SIZE(events), "iter: all of them");
	is_int(packet_iter_next(&iter, &id, &ts, &payload, &avail), -ENODATA, "iter: the end");
	is_int(packet_iter_advance(&iter, 1), -EINVAL, "iter: not beyond");
	ring_put(ring, 5, &packet);
	ring_reader_unlock(ring, 5);
	ring_destroy(ring);
	unit_cpu = 0;
}

/* A packet ends at a multiple of 8 bytes: nothing of an older one is behind its content. */
static void test_padding(void)
{
	const u32 header = sizeof(struct ctf_packet_header);
	u8 data[128] __attribute__((aligned(8)));
	u32 used, size, at;
	bool good = true;

	for (used = header; used <= header + 8; used++) {
		memset(data, 0xff, sizeof(data));
		size = packet_ring_ops.close(data, used, 1);
		good = good && size >= used && size < used + 8 && size % 8 == 0;
		for (at = used; at < size; at++)
			good = good && !data[at];
		good = good && data[size] == 0xff;
	}
	ok(good, "padding: zeros, up to the end of the packet");
}

static void test_stream(void)
{
	struct ring *ring = new_ring(RING_DISCARD);
	u64 last = 0, lost = 0, told = 0, seen = 0, ts;
	struct packet_iter iter;
	struct ring_packet packet;
	const u8 *payload;
	u32 id, avail, kept = 0;
	int i, bad = 0, n = 0;

	for (i = 0; i < 20000; i++) {
		unit_time_ns += i % 7;
		if (put(ring, i % 40, i % 50))
			kept++;
		else
			lost++;
		if (i % 1000 != 999)
			continue;
		ring_flush(ring, 0);
		ring_reader_lock(ring, 0);
		while (!ring_get(ring, 0, &packet)) {
			bad += packet_iter_init(&iter, packet.data, packet.size) != 0;
			bad += iter.header.timestamp_begin < last;
			bad += iter.header.packet_seq_num != (u64)n++;
			bad += packet.lost_before < told || packet.lost < packet.lost_before;
			told = packet.lost;
			while (!packet_iter_next(&iter, &id, &ts, &payload, &avail)) {
				/* The id is part of the payload, but not of its length. */
				u32 len = 0;

				while (len < avail && len < 50 && payload[len] == (u8)id)
					len++;
				bad += ts < last || ts > iter.header.timestamp_end;
				last = ts;
				seen++;
				iter.end = iter.at;	/* the first one will do */
			}
			seen += packet.nr_events - 1;
			last = iter.header.timestamp_end;
			ring_put(ring, 0, &packet);
		}
		bad += told != lost;
		ring_reader_unlock(ring, 0);
	}
	ok(lost > 0, "stream: events were lost");
	is_int(bad, 0, "stream: order, numbers, and losses are right");
	is_int(seen, kept, "stream: all others are there");
	ring_destroy(ring);
}

static void set_header(u8 *data, u32 content, u32 size)
{
	struct ctf_packet_header h = {
		.magic = CTF_MAGIC,
		.timestamp_begin = 1000,
		.timestamp_end = 1ull << 40,
		.content_size = (u64)content * 8,
		.packet_size = (u64)size * 8,
	};

	memcpy(data, &h, sizeof(h));
}

static int try(const u8 *data, size_t size)
{
	struct packet_iter iter;

	return packet_iter_init(&iter, data, size);
}

static void test_bad_headers(void)
{
	struct ctf_packet_header h, good;
	u8 data[256] = { 0 };

	set_header(data, 100, 104);
	memcpy(&good, data, sizeof(good));
	is_int(try(data, 104), 0, "bad: this one is good");
	is_int(try(data, 103), -EINVAL, "bad: packet larger than the data");
	is_int(try(data, 79), -EINVAL, "bad: no header");
	is_int(try(data, 0), -EINVAL, "bad: nothing");

#define BAD(field, value, what) do {					\
	h = good;							\
	h.field = (value);						\
	memcpy(data, &h, sizeof(h));					\
	is_int(try(data, sizeof(data)), -EINVAL, "bad: " what);		\
} while (0)
	BAD(magic, 0x1fc1fc1c, "magic");
	BAD(stream_id, 1, "stream");
	BAD(content_size, 79 * 8, "content without header");
	BAD(content_size, 801, "content not of bytes");
	BAD(content_size, 105 * 8, "content larger than packet");
	BAD(packet_size, 833, "packet not of bytes");
	BAD(packet_size, ~7ull, "packet huge");
	BAD(timestamp_end, 999, "ends before it begins");
#undef BAD
}

/* Every header at every place near the end; and time that goes back. */
static void test_truncated(void)
{
	struct packet_iter iter;
	u32 id, avail, i;
	const u8 *payload;
	u8 *data;
	u64 ts;

	for (i = 80; i < 100; i++) {
		int want = i == 80 ? -ENODATA : i < 93 ? -EINVAL : 0;

		data = malloc(i);
		memset(data, 0, i);
		set_header(data, i, i);
		if (i > 80)
			data[80] = 31;
		if (i >= 93)
			data[80 + 5 + 1] = 4;	/* ts = 1024 */
		packet_iter_init(&iter, data, i);
		is_int(packet_iter_next(&iter, &id, &ts, &payload, &avail), want,
		       "truncated: extended, %u bytes", i - 80);
		if (!want)
			ok(ts == 1024 && avail == i - 93, "truncated: what is left");
		free(data);
	}
	data = calloc(1, 200);
	set_header(data, 93, 93);
	data[80] = 31;
	packet_iter_init(&iter, data, 200);
	is_int(packet_iter_next(&iter, &id, &ts, &payload, &avail), -EINVAL,
	       "time: before the packet");
	data[80] = 31 | 32;
	is_int(packet_iter_next(&iter, &id, &ts, &payload, &avail), -EINVAL,
	       "bits that must be zero");
	data[80] = 31;
	data[80 + 12] = 1;
	is_int(packet_iter_next(&iter, &id, &ts, &payload, &avail), -EINVAL,
	       "time: after the packet");
	set_header(data, 83, 96);
	packet_iter_init(&iter, data, 200);
	is_int(packet_iter_next(&iter, &id, &ts, &payload, &avail), -EINVAL,
	       "truncated: compact");
	set_header(data, 85, 96);
	data[80] = 30;
	packet_iter_init(&iter, data, 200);
	is_int(packet_iter_next(&iter, &id, &ts, &payload, &avail), -EINVAL,
	       "truncated: medium");
	set_header(data, 86, 96);
	data[81] = 0x80;	/* ts = 1024 */
	data[84] = 0x34;
	data[85] = 0x12;
	packet_iter_init(&iter, data, 200);
	is_int(packet_iter_next(&iter, &id, &ts, &payload, &avail), 0, "medium: whole");
	ok(id == 0x1234 && ts == 1024 && !avail, "medium: id, time, end");
	free(data);
}

static u32 state = 1;

static u32 rnd(void)
{
	state = state * 1664525 + 1013904223;
	return state >> 8;
}

/* The sanitizer sees a read out of bounds: the allocation ends with the packet. */
static void test_fuzz(void)
{
	u32 id, avail, n, i, rounds = 0, events = 0, refused = 0;
	const u8 *payload;
	struct packet_iter iter;
	u64 ts, last;

	for (n = 0; n < 200000; n++) {
		u32 size = rnd() % 400;
		u8 *data = malloc(size + !size);

		for (i = 0; i < size; i++)
			data[i] = rnd() % 3 ? rnd() : 31;
		if (size >= 80 && rnd() % 8)
			set_header(data, 80 + rnd() % (size - 79), size);
		if (size && !(rnd() % 4))
			data[rnd() % size] = rnd();
		if (packet_iter_init(&iter, data, size)) {
			refused++;
			free(data);
			continue;
		}
		rounds++;
		last = 0;
		while (!packet_iter_next(&iter, &id, &ts, &payload, &avail)) {
			u32 len = rnd() % 20;

			assert(payload >= data + 80 && payload + avail <= data + size);
			assert(ts >= last && ts <= iter.header.timestamp_end);
			last = ts;
			events++;
			if (packet_iter_advance(&iter, len))
				assert(len > avail);
		}
		free(data);
	}
	ok(rounds > 1000 && events > 1000 && refused > 1000,
	   "fuzz: %u packets, %u refused, %u events", rounds, refused, events);
}

static void test_clock(void)
{
	struct marker_clock saved = marker_clock;
	u64 f, t, bad = 0;

	unit_time_ns = 5000;
	is_int(clock_read(&marker_clock), 5000, "clock: mono");
	is_int(clock_init("none"), -EINVAL, "clock: no such clock");
	is_int(clock_init("tsc"), -EINVAL, "clock: frequency unknown");
	is_int(clock_ns(&marker_clock, ~0ull), -1, "clock: nanoseconds are nanoseconds");

	for (f = 1000; f < 1ull << 34; f = f * 3 + 1)
		for (t = 1; t < 1ull << 60; t = t * 5 + 3) {
			unsigned __int128 ns = (unsigned __int128)t * 1000000000 / f;

			marker_clock.frequency = f;
			if (!(ns >> 64))
				bad += clock_ns(&marker_clock, t) != (u64)ns;
		}
	is_int(bad, 0, "clock: ticks to nanoseconds");
	marker_clock = saved;
	ok(marker_clock.offset < marker_clock.frequency, "clock: offset below a second");
	ok(marker_clock.offset_s > 1600000000, "clock: tick 0 is not so long ago");
}

int main(void)
{
	unit_time_ns = 1000;
	clock_init(NULL);
	ring_init();
	test_clock();
	test_events(10000);
	test_events((1ull << 60) - 100);
	test_padding();
	test_stream();
	test_bad_headers();
	test_truncated();
	test_fuzz();
	ring_exit();
	return tap_done();
}
