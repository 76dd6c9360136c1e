// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "../base/message.h"
#include "packet_file.h"
#include "packet_index.h"

static uint64_t index_ns(const struct packet_index *index, size_t stream, uint64_t ticks)
{
	return opened_ns(index->opened, &index->opened->stream[stream], ticks);
}

static void add_place(struct packet_index *index, size_t stream, const struct packet_file *file)
{
	const struct ctf_packet_header *header = &file->header;
	const uint64_t begin = index_ns(index, stream, header->timestamp_begin);
	const uint64_t end = index_ns(index, stream, header->timestamp_end);
	size_t nr = index->nr[stream]++;
	struct packet_place *place;

	/* a power of two: double the memory */
	if (!(nr & (nr - 1)))
		index->place[stream] = need_memory(realloc(index->place[stream], (nr ? 2 * nr : 1) *
							   sizeof(*place)));
	place = &index->place[stream][nr];
	*place = (struct packet_place){ file->at, header->timestamp_begin, header->timestamp_end };
	if (nr && place[-1].end > place->end)
		place->end = place[-1].end;
	index->events += header->nr_events;
	if (begin < index->begin)
		index->begin = begin;
	if (end > index->end)
		index->end = end;
}

/*
 * The counts of a CPU grow from packet to packet, and of pieces that have the same packets, too.
 * Those with the greatest number are no packets of the ring.
 */
static void add_lost(struct packet_index *index, size_t trace, const struct ctf_packet_header *header,
		     uint64_t *known)
{
	if (header->packet_seq_num == UINT64_MAX || header->events_discarded <= *known)
		return;
	index->lost += header->events_discarded - *known;
	index->lost_of[trace] += header->events_discarded - *known;
	*known = header->events_discarded;
}

/* @known: the count of lost events of the same CPU and trace, as far as it was read. */
static void add_stream(struct packet_index *index, size_t stream, uint64_t *known)
{
	struct packet_file file = {
		.stream = index->opened->stream[stream].stream,
		.uuid = index->opened->stream[stream].description->uuid,
	};
	struct packet_place *place;
	size_t i;

	for (packet_file_begin(&file); packet_file_has(&file); packet_file_next(&file)) {
		add_place(index, stream, &file);
		add_lost(index, index->opened->stream[stream].trace, &file.header, known);
	}
	index->damaged |= file.damaged;
	place = index->place[stream];
	for (i = index->nr[stream]; i-- > 1;)
		if (place[i - 1].begin > place[i].begin)
			place[i - 1].begin = place[i].begin;
}

void packet_index_begin(struct packet_index *index, const struct opened *opened)
{
	const struct opened_stream *stream = opened->stream;
	uint64_t known = 0;
	size_t i;

	*index = (struct packet_index){ .opened = opened, .begin = UINT64_MAX };
	index->nr = need_memory(calloc(opened->nr_streams + 1, sizeof(*index->nr)));
	index->place = need_memory(calloc(opened->nr_streams + 1, sizeof(*index->place)));
	index->lost_of = need_memory(calloc(opened->nr_descriptions + 1, sizeof(*index->lost_of)));
	for (i = 0; i < opened->nr_streams; i++) {
		if (i && (stream[i].stream->cpu != stream[i - 1].stream->cpu ||
			  stream[i].trace != stream[i - 1].trace))
			known = 0;
		add_stream(index, i, &known);
	}
}

off_t packet_index_find(const struct packet_index *index, size_t stream, uint64_t ns)
{
	const struct packet_place *place = index->place[stream];
	size_t low = 0, high = index->nr[stream];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index_ns(index, stream, place[middle].end) < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low < index->nr[stream] ? place[low].at : -1;
}

void packet_index_end(struct packet_index *index)
{
	size_t i;

	for (i = 0; i < index->opened->nr_streams; i++)
		free(index->place[i]);
	free(index->place);
	free(index->nr);
	free(index->lost_of);
}
