/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notes: events that user space writes, beside those of markers.
 */
#ifndef _MARKERS_NOTE_H
#define _MARKERS_NOTE_H

#include <linux/types.h>

#include <markers/format/format.h>

#define MARKER_NOTE_TEXT	(MARKER_MAX_STRING - 1)	/* bytes of a note without the NUL */
#define MARKER_NOTE_RAW		MARKER_MAX_SEQUENCE	/* bytes after the id of a raw one */

struct marker_recording;

/**
 * marker_note_text() - record a text
 * @recording:	in this recording
 * @text:	up to MARKER_NOTE_TEXT bytes; a longer one is cut
 *
 * The event is "markers:note" with the field text.  The first note ever makes the event.
 *
 * Context: Process context; may take the registry mutex, allocate, and wait while a command
 * changes the clock.
 * Return: 0; -EBADF while tracing_on is 0, as ftrace says it; -ENOSPC if there is no room in
 * the buffer, which counts the note as lost; -ENOMEM.
 */
int marker_note_text(struct marker_recording *recording, const char *text);

/**
 * marker_note_raw() - record bytes that a program knows how to read
 * @recording:	in this recording
 * @id:		tells it what they are
 * @data:	the bytes
 * @len:	how many: up to MARKER_NOTE_RAW
 *
 * The event is "markers:note_raw" with the fields id and data.
 *
 * Context: as marker_note_text().
 * Return: as marker_note_text().
 */
int marker_note_raw(struct marker_recording *recording, u32 id, const u8 *data, size_t len);

#endif /* _MARKERS_NOTE_H */
