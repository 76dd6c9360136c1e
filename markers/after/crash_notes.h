/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages that tell a reader of a dead kernel's memory where the trace is, and what it means.
 * There are two readers: scripts/vmcore of a memory dump (kdump), and recover.c of a
 * region that has survived a reboot, when the module is loaded again.
 *
 * The reader has no debug information of the kernel, and does not know where modules are.  So
 * the pages are found by what they begin with, and all addresses in them are physical ones.
 * Their layout, and what metadata.c writes of an event, changes only together with the number in
 * @magic.
 */
#ifndef _MARKERS_CRASH_NOTES_H
#define _MARKERS_CRASH_NOTES_H

#include <markers/base.h>
#include <markers/uapi/ctf.h>

struct ring_region;

#define MARKER_NOTE_MAGIC	"markers notes 4\n"	/* 16 bytes */
#define MARKER_NOTE_MAGIC_SAME	14			/* of these, in all versions */

/* What a reader must know of rings. */
#define MARKER_NOTE_BYTES_SHIFT	32		/* in a word of "commit" */
#define MARKER_NOTE_NR_LOST	3		/* words of "lost" */
#define MARKER_NOTE_MAX_SUBBUF	(4u << 20)	/* bytes */
#define MARKER_NOTE_MAX_SUBBUFS	(1u << 15)

#define MARKER_NOTES_MAX_ADDED	64	/* notes that continue others */

/**
 * struct marker_note_page - a page of the notes
 * @magic:	MARKER_NOTE_MAGIC, without a NUL
 * @crc:	the CRC-32 of all that follows @size
 * @size:	bytes of @text
 * @phys:	the page's own physical address: no copy of it has the right one
 * @generation:	of these notes; a later one is higher
 * @base:	the generation of the notes that these continue; their own: they begin a trace.  Of
 *		several that do, the latest that are complete count
 * @uuid:	of the trace, as in its packets
 * @number:	of the page, from 0
 * @total:	pages of these notes
 * @text:	a part of the text: lines, then an empty line, then the metadata of the trace
 *
 * The lines: "subbuf_size BYTES", "nr_subbufs NUMBER", "contexts SET" (format/context.h), "clock
 * NAME FREQUENCY OFFSET_S OFFSET" (struct marker_clock); and for each CPU that may come "cpu
 * NUMBER OFFSET LAST COMMIT STRIDE LOST OVERWRITTEN". The events are described in the metadata, by
 * id from 0; a reader takes their titles and formats from there.
 *
 * Notes that continue others have "from ID", the id of their first event, an empty line, and the
 * metadata of the events from there on.  Those with an ID for which others are missing, and all
 * after them, do not count.
 *
 * In a "cpu" line, all but NUMBER and STRIDE are the physical addresses of 64-bit words.
 * OFFSET: the bytes that were ever reserved.  OFFSET / subbuf_size - nr_subbufs is the sequence
 * number of the packet that is open, if the remainder is not 0; that many bytes of it are used.
 * LAST: the time of the last event.  COMMIT: of slot 0; that of slot i is i * STRIDE bytes
 * further, and the open packet is in slot OFFSET / subbuf_size % nr_subbufs.  Its upper half is
 * the number of bytes that are complete, less subbuf_size.  An address of 0: not known,
 * as that of a CPU that came up after the notes were written.  LOST:
 * three words, the events that were not recorded.  OVERWRITTEN: those that were, and were
 * overwritten before anybody read them.
 */
struct marker_note_page {
	char magic[16];
	u32 crc;
	u32 size;
	u64 phys;
	u64 generation;
	u64 base;
	u8 uuid[CTF_UUID_SIZE];
	u32 number;
	u32 total;
	u8 text[];
};

/**
 * marker_note_crc() - what the checksum of a page must be
 * @page:	with a size that fits
 *
 * Context: Any.
 * Return: the CRC-32.
 */
static inline u32 marker_note_crc(const struct marker_note_page *page)
{
	return ~crc32_le(~0, (const u8 *)&page->phys,
			 sizeof(*page) - offsetof(struct marker_note_page, phys) + page->size);
}

/**
 * marker_crash_notes_init() - become the keeper
 *
 * Context: Process context, before there are buffers.
 */
void marker_crash_notes_init(void);

/**
 * marker_crash_notes_on() - keep notes from now on
 * @region:	in pages of this one; NULL: anywhere
 *
 * Context: Process context, before there are markers.
 */
void marker_crash_notes_on(struct ring_region *region);

/**
 * marker_crash_notes_update() - there is another buffer, or an event: write what is new
 *
 * Without memory, the notes stay as they are, and error_log and the kernel's log say so.
 *
 * Context: Process context; allocates.
 */
void marker_crash_notes_update(void);

/**
 * marker_crash_notes_try() - as marker_crash_notes_update(), and say nothing
 *
 * For a change that frees memory next, and calls marker_crash_notes_retry() then.
 *
 * Context: Process context; allocates.
 * Return: 0; -ENOMEM: the notes stay as they are.
 */
int marker_crash_notes_try(void);

/**
 * marker_crash_notes_retry() - update them if the last time there was no memory
 *
 * Context: Process context; allocates.
 */
void marker_crash_notes_retry(void);

/**
 * marker_crash_notes_needed() - how much of a region must be free for the notes?
 *
 * Context: Process context; there is a recording at the top.
 * Return: bytes, in whole pages; with room for the next ones.
 */
size_t marker_crash_notes_needed(void);

/**
 * marker_crash_notes_exit() - free the notes
 *
 * Context: Process context; nobody updates them any more, the task of deferred.c included.
 */
void marker_crash_notes_exit(void);

#endif /* _MARKERS_CRASH_NOTES_H */
