// SPDX-License-Identifier: GPL-2.0
/*
 * Items of a trace: from the bytes of a packet, and to text.  For readers (stream.c), and for
 * the last words of a dying kernel (dump.c), so in any context: no lock, no allocation.
 */
#include <markers/format/print.h>
#include <markers/format/serialize.h>
#include <markers/ring/clock.h>
#include <markers/ring/packet.h>
#include <markers/switch/registry.h>
#include "item.h"

int marker_item_parse(struct packet_iter *iter, u32 tag, struct marker_item *item)
{
	int err, contexts, size;
	u32 id, avail;

	err = packet_iter_next(iter, &id, &item->ts, &item->contexts, &avail);
	if (err)
		return err;
	item->event = marker_registry_by_id(id);
	if (!item->event)
		return -EINVAL;
	contexts = marker_context_length(tag, item->contexts, avail);
	if (contexts < 0)
		return contexts;
	item->payload = item->contexts + contexts;
	size = marker_serialized_size(&item->event->format, item->payload,
				      avail - contexts);
	if (size < 0)
		return size;
	item->kind = MARKER_ITEM_EVENT;
	item->size = size;
	return packet_iter_advance(iter, contexts + size);
}

static size_t print_event(const struct marker_buffer *buffer,
			  const struct marker_item *item, char *buf, size_t size)
{
	struct marker_contexts contexts;
	size_t len;
	int text;
	u32 ns;
	u64 s;

	s = div_u64_rem(clock_ns(&buffer->clock, item->ts), NSEC_PER_SEC, &ns);
	marker_context_read(&contexts, marker_context_set(marker_buffer_contexts(buffer)),
			    item->contexts);
	len = marker_print_heading(buf, size, &contexts, item->cpu, s, ns,
				   item->event->title);
	/* a blank before the text; none if there is no text */
	if (len + 2 < size) {
		text = marker_print_event(buf + len + 1, size - len - 1,
					  &item->event->format, item->payload,
					  item->size);
		if (text > 0) {
			buf[len] = ' ';
			len += text + 1;
		}
	}
	if (len + 1 < size) {
		buf[len++] = '\n';
		buf[len] = '\0';
		len += marker_print_callstack(buf + len, size - len, &contexts);
	}
	return len;
}

size_t marker_item_print(const struct marker_buffer *buffer, const struct marker_item *item,
			 char *buf, size_t size)
{
	switch (item->kind) {
	case MARKER_ITEM_EVENT:
		return print_event(buffer, item, buf, size);
	case MARKER_ITEM_LOST:
		return scnprintf(buf, size, "[%03d] *** lost %llu events ***\n",
				 item->cpu, item->lost);
	case MARKER_ITEM_DAMAGED:
		break;
	}
	return scnprintf(buf, size, "[%03d] *** rest of a packet is damaged ***\n",
			 item->cpu);
}
