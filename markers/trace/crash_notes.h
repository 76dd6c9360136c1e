/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages that tell a reader of a memory dump (kdump) where the trace is, and what it means.
 * scripts/vmcore-to-ctf is that reader.
 *
 * The reader has no debug information of the kernel, and does not know where modules are.  So
 * the pages are found by what they begin with, and all addresses in them are physical ones.
 * Their layout changes only together with the number in @magic.
 */
#ifndef _MARKERS_CRASH_NOTES_H
#define _MARKERS_CRASH_NOTES_H

#include <linux/types.h>

#include <markers/uapi/ctf.h>

#define MARKER_NOTE_MAGIC	"markers notes 1\n"	/* 16 bytes */

/**
 * struct marker_note_page - a page of the notes
 * @magic:	MARKER_NOTE_MAGIC, without a NUL
 * @phys:	the page's own physical address: no copy of it has the right one
 * @generation:	of several notes of a trace, the highest one that is complete counts
 * @uuid:	of the trace, as in its packets
 * @number:	of the page, from 0
 * @total:	pages of these notes
 * @size:	bytes of @text
 * @sum:	all bytes of @text added up
 * @text:	a part of the text: first lines "NAME NUMBER...", then an empty line, then the
 *		metadata of the trace
 *
 * The lines: "subbuf_size BYTES", "nr_subbufs NUMBER", and for each CPU with a buffer "cpu
 * NUMBER OFFSET LAST COMMIT STRIDE", where the first three are the physical addresses of
 * 64-bit words.  OFFSET: the bytes that were ever reserved.  OFFSET / subbuf_size - nr_subbufs
 * is the sequence number of the packet that is open, if the remainder is not 0; that many
 * bytes of it are used.  LAST: the time of the last event.  COMMIT: of slot 0; that of slot i is
 * i * STRIDE bytes further, and the open packet is in slot OFFSET / subbuf_size % nr_subbufs.
 * Its upper half is the number of bytes that are complete, less subbuf_size.  An address of 0:
 * not known.
 */
struct marker_note_page {
	char magic[16];
	u64 phys;
	u64 generation;
	u8 uuid[CTF_UUID_SIZE];
	u32 number;
	u32 total;
	u32 size;
	u32 sum;
	u8 text[];
};

/**
 * marker_crash_notes_on() - keep notes from now on
 *
 * Context: Process context, before there are markers.
 */
void marker_crash_notes_on(void);

/**
 * marker_crash_notes_update() - write the notes again: there is another buffer, or an event
 *
 * Without memory, the notes stay as they are, and error_log says so.
 *
 * Context: Process context; allocates.
 */
void marker_crash_notes_update(void);

/**
 * marker_crash_notes_exit() - free the notes
 *
 * Context: Process context; nobody updates them any more, the task of deferred.c included.
 */
void marker_crash_notes_exit(void);

#endif /* _MARKERS_CRASH_NOTES_H */
