/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace that a dead kernel has left in a region: found by the notes there (crash_notes.h),
 * and copied.
 *
 * The memory may have anything in it: after a reboot some of it may be lost, and it may be
 * another program's.  Nothing is believed before it is checked, and what is wrong is left
 * out, and told.
 */
#ifndef _MARKERS_RECOVER_H
#define _MARKERS_RECOVER_H

#include <markers/format/format.h>
#include <markers/ring/clock.h>
#include "recover_memory.h"

struct packet_iter;
struct marker_item;

/**
 * struct marker_recovered_packet - a packet
 * @seq:	its number on its CPU
 * @cpu:	the CPU
 * @hole:	bytes in it that a writer had reserved and not written; they are taken out
 * @is_cut:	the rest of it is not there: it makes no sense
 * @is_unknown:	it is cut before an event whose description is not understood
 * @is_after_gap: others of this CPU are missing before it
 * @at:		where it is in @data of struct marker_recovered
 * @size:	bytes
 */
struct marker_recovered_packet {
	u64 seq;
	u32 cpu;
	u32 hole;
	bool is_cut;
	bool is_unknown;
	bool is_after_gap;
	size_t at;
	u32 size;
};

/**
 * struct marker_recovered_cpu - the packets of a CPU
 * @cpu:	its number, which this kernel may not have
 * @from:	its first packet
 * @to:		after its last one
 */
struct marker_recovered_cpu {
	u32 cpu;
	u32 from;
	u32 to;
};

/**
 * struct marker_recovered_event - what is known about an event
 * @title:	"module:marker"
 * @format:	its fields; marker_format_size() bytes of it are there
 */
struct marker_recovered_event {
	const char *title;
	struct marker_format format;
};

/**
 * struct marker_recovered - a trace
 * @text:	of the notes; @metadata and the clock's name point into it
 * @strings:	the titles and formats of events, without the escapes of the metadata
 * @metadata:	of the trace, a string
 * @clock:	its name, frequency and offsets
 * @contexts:	of each event: MARKER_CONTEXT_TAG()
 * @nr_known:	events that are described
 * @known:	them, by id; NULL: this module would not describe it so
 * @nr_events:	events in all packets
 * @nr_lost:	events that the writers lost, as far as it is known
 * @nr_bad:	packets that were left out
 * @nr_missing:	CPUs whose rings are not in the memory, so that it is not known what they lost, nor
 *		how far their last packets are complete
 * @nr_packets:	packets, by CPU, then by number
 * @packet:	them
 * @nr_cpus:	CPUs that have packets
 * @cpu:	them
 * @data:	the packets, one after another, as CTF has them
 */
struct marker_recovered {
	char *text;
	char *strings;
	const char *metadata;
	struct marker_clock clock;
	u32 contexts;
	u32 nr_known;
	struct marker_recovered_event **known;
	u64 nr_events;
	u64 nr_lost;
	u32 nr_bad;
	u32 nr_missing;
	u32 nr_packets;
	struct marker_recovered_packet *packet;
	u32 nr_cpus;
	struct marker_recovered_cpu *cpu;
	u8 *data;
};

/**
 * marker_recover() - find the trace in the memory of a dead kernel
 * @memory:	the pieces, by address
 * @nr:		how many
 * @trace:	the result, for marker_recovered_free()
 * @why:	why there is none: a constant string
 *
 * Context: Process context; sleeps, allocates.
 * Return: 0; -ENODATA: there are no notes; -EINVAL: there are some that cannot be used;
 * -ENOMEM.
 */
int marker_recover(const struct marker_memory *memory, u32 nr, struct marker_recovered **trace,
		   const char **why);

/**
 * marker_recovered_free() - free a trace
 * @trace:	from marker_recover(), or NULL
 *
 * Context: Process context.
 */
void marker_recovered_free(struct marker_recovered *trace);

/**
 * marker_recovered_parse() - the next event of a packet
 * @trace:	the trace
 * @iter:	the place in a packet of it
 * @item:	the result, but for its CPU
 *
 * Context: Any.
 * Return: as marker_item_parse(); -ENOENT: its description is not understood.
 */
int marker_recovered_parse(const struct marker_recovered *trace, struct packet_iter *iter,
			   struct marker_item *item);

#endif /* _MARKERS_RECOVER_H */
