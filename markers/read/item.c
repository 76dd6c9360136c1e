// SPDX-License-Identifier: GPL-2.0
/*
 * Items of a trace: from the bytes of a packet, and to text.  For readers (stream.c), and for
 * the last words of a dying kernel (dump.c), so in any context: no lock, no allocation.
 */
#include <markers/format/print.h>
#include <markers/model/registry.h>
#include <markers/ring/clock.h>
#include <markers/ring/packet_read.h>
#include "item.h"

int marker_item_parse(struct packet_iter *iter, u32 tag, struct marker_item *item)
{
	const struct marker_event *event;
	u32 id;
	int err = marker_item_begin(iter, &id, item);

	if (err)
		return err;
	event = marker_registry_by_id(id);
	if (!event)
		return -EINVAL;
	item->title = event->title;
	item->format = &event->format;
	return marker_item_end(iter, tag, item);
}

size_t marker_item_print_event(const struct marker_clock *clock, u32 tag,
			       const struct marker_item *item, char *buf, size_t size)
{
	struct marker_contexts contexts;
	size_t len, text;
	u32 ns;
	u64 s;

	s = div_u64_rem(clock_ns(clock, item->ts), NSEC_PER_SEC, &ns);
	marker_context_read(&contexts, marker_context_set(tag), item->contexts);
	len = marker_print_heading(buf, size, &contexts, item->cpu, s, ns,
				   item->title);
	/* a blank before the text; none if there is no text */
	if (len + 2 < size) {
		text = marker_print_event(buf + len + 1, size - len - 1,
					  item->format, item->payload);
		if (text) {
			buf[len] = ' ';
			len += text + 1;
		}
	}
	if (len + 1 < size) {
		buf[len++] = '\n';
		buf[len] = '\0';
	}
	if (contexts.nr_frames)
		len += marker_print_callstack(buf + len, size - len, &contexts,
					      item->format->is_foreign);
	return len;
}

size_t marker_item_print(const struct marker_buffer *buffer, const struct marker_item *item,
			 char *buf, size_t size)
{
	switch (item->kind) {
	case MARKER_ITEM_EVENT:
		return marker_item_print_event(&buffer->clock, marker_buffer_contexts(buffer),
					       item, buf, size);
	case MARKER_ITEM_LOST:
		return scnprintf(buf, size, "[%03d] *** lost %llu events ***\n",
				 item->cpu, item->lost);
	case MARKER_ITEM_DAMAGED:
		break;
	}
	return scnprintf(buf, size, "[%03d] *** rest of a packet is damaged ***\n",
			 item->cpu);
}
