/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last boot's trace, for the files of last_boot/: who reads it, and its events in the order
 * of time.
 */
#ifndef _MARKERS_LAST_BOOT_H
#define _MARKERS_LAST_BOOT_H

#include <linux/types.h>

struct marker_last_boot;
struct marker_last_boot_reader;
struct marker_recovered;

/**
 * marker_last_boot_init() - keep a trace
 * @trace:	the trace, which is freed with its last reader; or NULL
 * @why:	if it is NULL, why: a constant string
 *
 * Context: Process context.
 * Return: 0 or -ENOMEM.
 */
int marker_last_boot_init(struct marker_recovered *trace, const char *why);

/**
 * marker_last_boot_exit() - forget it, and the reason
 *
 * Context: Process context.
 */
void marker_last_boot_exit(void);

/**
 * marker_last_boot_drop() - free it when its last reader is done
 *
 * Context: Process context.
 */
void marker_last_boot_drop(void);

/**
 * marker_last_boot_get() - take a reference
 * @why:	the result: if there is none, why; or NULL
 *
 * Context: Process context.
 * Return: it, for marker_last_boot_put(), or NULL.
 */
struct marker_last_boot *marker_last_boot_get(const char **why);

/**
 * marker_last_boot_put() - drop the reference
 * @boot:	from marker_last_boot_get(), or NULL
 *
 * Context: Process context.
 */
void marker_last_boot_put(struct marker_last_boot *boot);

/**
 * marker_last_boot_trace() - the trace itself
 * @boot:	from marker_last_boot_get()
 *
 * Context: Any.
 * Return: the trace, which does not change.
 */
const struct marker_recovered *marker_last_boot_trace(const struct marker_last_boot *boot);

/**
 * marker_last_boot_read() - begin to read its text
 * @trace:	of this trace, which stays as long as the reader
 *
 * Context: Process context; allocates.
 * Return: a reader at the first line, for kvfree(), or NULL.
 */
struct marker_last_boot_reader *marker_last_boot_read(const struct marker_recovered *trace);

/**
 * marker_last_boot_rewind() - go back to the first line
 * @reader:	from marker_last_boot_read()
 *
 * Context: Process context.
 */
void marker_last_boot_rewind(struct marker_last_boot_reader *reader);

/**
 * marker_last_boot_more() - is there another line?
 * @reader:	from marker_last_boot_read()
 *
 * Context: Process context.
 * Return: true if there is.
 */
bool marker_last_boot_more(const struct marker_last_boot_reader *reader);

/**
 * marker_last_boot_next() - go past a line
 * @reader:	one that has more
 *
 * Context: Process context.
 */
void marker_last_boot_next(struct marker_last_boot_reader *reader);

/**
 * marker_last_boot_print() - the line, its stack in lines after that
 * @reader:	one that has more
 * @buf:	where to
 * @size:	bytes there
 *
 * Context: Process context.
 * Return: as marker_item_print().
 */
size_t marker_last_boot_print(const struct marker_last_boot_reader *reader, char *buf,
			      size_t size);

#endif /* _MARKERS_LAST_BOOT_H */
