/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The columns of an event up to its time, by the code that writes the file "trace".
 */
#ifndef _MARKERS_READER_COLUMNS_H
#define _MARKERS_READER_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

struct event;

/**
 * columns_text() - the columns of an event
 * @event: the event, raw or not
 * @shown: the contexts that are shown, a bit for each of them, if the recording has them
 * @size: set to the bytes of the text
 *
 * The texts of the last tasks are kept: most events are of one that had another on the same CPU.
 *
 * Return: the text, up to the next call by this thread.
 */
const char *columns_text(const struct event *event, uint32_t shown, size_t *size);

#endif /* _MARKERS_READER_COLUMNS_H */
