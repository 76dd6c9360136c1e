/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The layout of a trace in memory and on disk: CTF 1.8, little endian, every
 * field byte aligned, padding only at the end of a packet.
 *
 * A sub-buffer of the ring is a packet: the header below, then events up to
 * content_size, then padding up to packet_size.
 *
 * An event is a header in one of three forms, the contexts of the recording, which
 * may be none, and its fields one after another in the order of its format string.
 * The header:
 *
 *	compact		u32: bits 0-4 event id (0..29), bits 5-31 time
 *	medium		u32: bits 0-4 are 30, bits 5-31 time; u16 event id
 *	extended	u8 31 (bits 5-7 zero), u32 event id, u64 time
 *
 * The 27 bits are the low bits of the time; a reader keeps the high bits from
 * timestamp_begin or from the event before, and adds 2^27 when the low bits went
 * backwards.  The writer takes the first form that the id fits in, and the extended
 * one if the time since the event before may not fit.
 *
 * Source: Common Trace Format v1.8.3, sections 5 and 6.  markers/format/metadata.c
 * makes the text that describes exactly this: change both together.
 */
#ifndef _MARKERS_UAPI_CTF_H
#define _MARKERS_UAPI_CTF_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#endif

/*
 * The header of an event has bit-fields.  With big endian, CTF begins them at the other
 * end, which markers do not write.
 */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "markers: CTF traces are written and read on little-endian machines only"
#endif

#define CTF_MAGIC		0xC1FC1FC1u
#define CTF_UUID_SIZE		16

#define CTF_ID_BITS		5
#define CTF_ID_MEDIUM		30u	/* the id that says "medium": an id of 16 bits follows */
#define CTF_ID_EXTENDED		31u	/* the id that says "extended follows" */
#define CTF_MEDIUM_ID_MAX	0xffffu
#define CTF_TIME_BITS		27
#define CTF_COMPACT_SIZE	4u	/* bytes of a compact event header */
#define CTF_MEDIUM_SIZE		6u	/* bytes of a medium event header */
#define CTF_EXTENDED_SIZE	13u	/* bytes of an extended event header */

/*
 * The bytes of the contexts "tid", "pid", "vtid" and "vpid", which are signed.  Linux has no
 * task with a number of more than 22 bits.
 */
#define CTF_TASK_SIZE		3

/* A note: its field has a name that its format does not say. */
#define CTF_NOTE_FORMAT		"%s"
#define CTF_NOTE_FIELD		"text"

/* The context "procname": the name of a task, filled up with NULs; none if it is as long. */
#define CTF_PROCNAME_SIZE	15

/* The context "flags": the state of the CPU. */
#define CTF_FLAG_DEPTH		0x00ffu	/* how often preemption was switched off */
#define CTF_FLAG_SOFTIRQ	0x0100u	/* in a softirq */
#define CTF_FLAG_IRQS_OFF	0x0200u	/* interrupts are off */
#define CTF_FLAG_BH_OFF		0x0400u	/* softirqs are off */
#define CTF_FLAG_HARDIRQ	0x0800u	/* in an interrupt */
#define CTF_FLAG_NMI		0x1000u	/* in an NMI */
#define CTF_FLAG_RESCHED	0x2000u	/* a reschedule is due: the task's flag */
#define CTF_FLAG_PREEMPT_RESCHED 0x4000u /* the same: the CPU's flag, when preemption is on */
#define CTF_FLAG_LAZY_RESCHED	0x8000u	/* a reschedule is due, at a good moment */

/**
 * struct ctf_packet_header - the first bytes of every packet
 * @magic:		CTF_MAGIC
 * @uuid:		the trace, same as in the metadata
 * @stream_id:		the stream class, the only one: ctf_stream_id() of @uuid
 * @timestamp_begin:	time of the first event, in clock ticks
 * @timestamp_end:	time when the packet was closed, in clock ticks; not
 *			before its last event.  If events were lost after that, the
 *			last packet of a copy ends when the copy was begun
 * @content_size:	bits that are used, this header included
 * @packet_size:	bits to the next packet
 * @packet_seq_num:	counts the packets of this CPU, from 0, without a gap
 *			unless packets were lost
 * @events_discarded:	events of this CPU lost up to the end of this packet, and
 *			those in packets before it that were overwritten; set when
 *			the packet is read.  Counts from 0 when the buffer is new,
 *			or was cleared before the file was opened; never goes back
 *			in what is read from one open file
 * @cpu_id:		the CPU that wrote it
 * @nr_events:		events in this packet
 */
struct ctf_packet_header {
	uint32_t magic;
	uint8_t uuid[CTF_UUID_SIZE];
	uint32_t stream_id;
	uint64_t timestamp_begin;
	uint64_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t packet_seq_num;
	uint64_t events_discarded;
	uint32_t cpu_id;
	uint32_t nr_events;
};

/*
 * Not every reader compares uuids, but all look for the stream class of a packet.  So
 * its id is part of the uuid, and no reader takes files of two traces for one.
 */
static inline uint32_t ctf_stream_id(const uint8_t *uuid)
{
	return uuid[0] | uuid[1] << 8 | uuid[2] << 16 | (uint32_t)uuid[3] << 24;
}

_Static_assert(offsetof(struct ctf_packet_header, uuid) == 4, "uuid");
_Static_assert(offsetof(struct ctf_packet_header, stream_id) == 20, "stream_id");
_Static_assert(offsetof(struct ctf_packet_header, timestamp_begin) == 24, "begin");
_Static_assert(offsetof(struct ctf_packet_header, timestamp_end) == 32, "end");
_Static_assert(offsetof(struct ctf_packet_header, content_size) == 40, "content");
_Static_assert(offsetof(struct ctf_packet_header, packet_size) == 48, "packet");
_Static_assert(offsetof(struct ctf_packet_header, packet_seq_num) == 56, "seq");
_Static_assert(offsetof(struct ctf_packet_header, events_discarded) == 64, "discarded");
_Static_assert(offsetof(struct ctf_packet_header, cpu_id) == 72, "cpu_id");
_Static_assert(offsetof(struct ctf_packet_header, nr_events) == 76, "nr_events");
_Static_assert(sizeof(struct ctf_packet_header) == 80, "packet header");

#endif /* _MARKERS_UAPI_CTF_H */
