// SPDX-License-Identifier: GPL-2.0
/*
 * From event to event of a packet.  For the console of a dying kernel (dump.c), and for the
 * memory of a dead one (recover.c), also on another machine (scripts/vmcore).
 */
#include <markers/format/context.h>
#include <markers/format/serialized.h>
#include "walk.h"

int marker_item_begin(struct packet_iter *iter, u32 *id, struct marker_item *item)
{
	/* until the other half, what may be looked at, which is all before the end */
	return packet_iter_next(iter, id, &item->ts, &item->contexts, &item->size);
}

int marker_item_end(struct packet_iter *iter, u32 tag, struct marker_item *item)
{
	const u32 avail = item->size;
	int contexts, size;

	contexts = marker_context_length(tag, item->contexts, avail);
	if (contexts < 0)
		return contexts;
	item->payload = item->contexts + contexts;
	size = marker_serialized_size(item->format, item->payload,
				      avail - contexts);
	if (size < 0)
		return size;
	item->kind = MARKER_ITEM_EVENT;
	item->size = size;
	return packet_iter_advance(iter, contexts + size);
}

int marker_walk(struct marker_walk *walk)
{
	int err;

	while (!(err = walk->next(walk))) {
		walk->at = walk->end;
		walk->nr_events++;
	}
	return err;
}

u32 marker_walk_hole(struct marker_walk *walk, u32 size, u32 nr_events)
{
	u32 hole = 0;
	int err;

	while (!(err = walk->next(walk))) {
		if (walk->end - walk->at == size)
			hole = walk->at;
		walk->at = walk->end;
		walk->nr_events++;
	}
	return err == -ENODATA && walk->nr_events == nr_events + 1 ? hole : 0;
}
