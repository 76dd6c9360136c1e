// SPDX-License-Identifier: GPL-2.0
/*
 * The last boot's trace: its life, and its text.  Process context.
 *
 * Each CPU has a cursor that steps from event to event; the next line is that of the oldest
 * one.  The packets do not change, and were checked when they were copied.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/refcount.h>
#include <linux/slab.h>

#include <markers/read/item.h>
#include <markers/ring/packet_read.h>
#include "last_boot.h"
#include "recover.h"

/**
 * struct marker_last_boot - a trace and who uses it
 * @refs:	open files, and this file
 * @trace:	it
 */
struct marker_last_boot {
	refcount_t refs;
	struct marker_recovered *trace;
};

static DEFINE_MUTEX(last_boot_mutex);	/* protects the two below */
static struct marker_last_boot *last_boot;
static const char *missing;

/**
 * struct cursor - where a reader is on a CPU
 * @packet:	the packet, by its number in the trace
 * @end:	after the last one
 * @in_packet:	@iter is in the middle of it
 * @iter:	the place
 * @has_item:	the next two are valid
 * @words:	what to say instead of an event; NULL: there is one
 * @item:	its time; the event
 */
struct cursor {
	u32 packet;
	u32 end;
	bool in_packet;
	struct packet_iter iter;
	bool has_item;
	const char *words;
	struct marker_item item;
};

/**
 * struct marker_last_boot_reader - a reader of the text
 * @trace:	of this trace
 * @oldest:	the cursor with the next line, or NULL
 * @cursor:	one for each CPU
 */
struct marker_last_boot_reader {
	const struct marker_recovered *trace;
	struct cursor *oldest;
	struct cursor cursor[];
};

/*
 * Its life
 */

int marker_last_boot_init(struct marker_recovered *trace, const char *why)
{
	missing = why;
	if (!trace)
		return 0;
	last_boot = kzalloc(sizeof(*last_boot), GFP_KERNEL);
	if (!last_boot)
		return -ENOMEM;
	refcount_set(&last_boot->refs, 1);
	last_boot->trace = trace;
	return 0;
}

struct marker_last_boot *marker_last_boot_get(const char **why)
{
	struct marker_last_boot *boot;

	mutex_lock(&last_boot_mutex);
	boot = last_boot;
	*why = missing;
	if (boot)
		refcount_inc(&boot->refs);
	mutex_unlock(&last_boot_mutex);
	return boot;
}

void marker_last_boot_put(struct marker_last_boot *boot)
{
	if (!boot || !refcount_dec_and_test(&boot->refs))
		return;
	marker_recovered_free(boot->trace);
	kfree(boot);
}

void marker_last_boot_drop(void)
{
	struct marker_last_boot *boot;

	mutex_lock(&last_boot_mutex);
	boot = last_boot;
	if (boot)
		missing = "it was freed";
	last_boot = NULL;
	mutex_unlock(&last_boot_mutex);
	marker_last_boot_put(boot);
}

void marker_last_boot_exit(void)
{
	marker_last_boot_drop();
	missing = NULL;
}

const struct marker_recovered *marker_last_boot_trace(const struct marker_last_boot *boot)
{
	return boot->trace;
}

/*
 * Its text
 */

static void end_packet(const struct marker_recovered *trace, struct cursor *c)
{
	const struct marker_recovered_packet *packet = &trace->packet[c->packet++];

	if (packet->is_unknown)
		c->words = "rest of a packet: its notes on an event cannot be understood";
	else if (packet->is_cut)
		c->words = "rest of a packet is damaged";
	else if (packet->hole)
		c->words = "an event is not complete: it was being written";
	c->in_packet = false;
}

static void begin_packet(const struct marker_recovered *trace, struct cursor *c)
{
	const struct marker_recovered_packet *packet = &trace->packet[c->packet];

	/* the header is our own: this cannot fail */
	c->in_packet = !packet_iter_init(&c->iter, trace->data + packet->at, packet->size);
	if (WARN_ON_ONCE(!c->in_packet))
		c->packet = c->end;
	else if (packet->is_after_gap)
		c->words = "packets are missing: they were read, or are damaged";
}

/* Find what comes next on a CPU. */
static void step_last_boot(const struct marker_recovered *trace, struct cursor *c)
{
	c->has_item = true;
	while (c->packet < c->end) {
		c->words = NULL;
		if (c->in_packet && !marker_recovered_parse(trace, &c->iter, &c->item))
			return;
		if (c->in_packet)
			end_packet(trace, c);
		else
			begin_packet(trace, c);
		if (c->words) {
			c->item.ts = c->iter.ts;
			return;
		}
	}
	c->has_item = false;
}

static void choose_cursor(struct marker_last_boot_reader *reader)
{
	struct cursor *c = reader->cursor;
	u32 i;

	reader->oldest = NULL;
	for (i = 0; i < reader->trace->nr_cpus; i++, c++) {
		if (c->has_item && (!reader->oldest || c->item.ts < reader->oldest->item.ts))
			reader->oldest = c;
	}
}

void marker_last_boot_rewind(struct marker_last_boot_reader *reader)
{
	const struct marker_recovered *trace = reader->trace;
	struct cursor *c = reader->cursor;
	u32 i;

	for (i = 0; i < trace->nr_cpus; i++, c++) {
		c->packet = trace->cpu[i].from;
		c->end = trace->cpu[i].to;
		c->in_packet = false;
		c->item.cpu = trace->cpu[i].cpu;
		step_last_boot(trace, c);
	}
	choose_cursor(reader);
}

struct marker_last_boot_reader *marker_last_boot_read(const struct marker_recovered *trace)
{
	struct marker_last_boot_reader *reader;

	reader = kvzalloc(struct_size(reader, cursor, trace->nr_cpus), GFP_KERNEL_ACCOUNT);
	if (!reader)
		return NULL;
	reader->trace = trace;
	marker_last_boot_rewind(reader);
	return reader;
}

bool marker_last_boot_more(const struct marker_last_boot_reader *reader)
{
	return reader->oldest;
}

void marker_last_boot_next(struct marker_last_boot_reader *reader)
{
	step_last_boot(reader->trace, reader->oldest);
	choose_cursor(reader);
	cond_resched();
}

size_t marker_last_boot_print(const struct marker_last_boot_reader *reader, char *buf,
			      size_t size)
{
	const struct marker_recovered *trace = reader->trace;
	const struct cursor *c = reader->oldest;

	if (c->words)
		return scnprintf(buf, size, "[%03d] *** %s ***\n", c->item.cpu, c->words);
	return marker_item_print_event(&trace->clock, trace->contexts, &c->item, buf, size);
}
