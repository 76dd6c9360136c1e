/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages of ftrace's ring buffer, for one CPU, in a temporary file.
 */
#ifndef _MARKERS_PAGES_H
#define _MARKERS_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PAGE_BYTES	4096
#define PAGE_HEADER	16				/* time, bytes that are used */
#define PAGE_DATA	(PAGE_BYTES - PAGE_HEADER)
#define MAX_DATA	(PAGE_DATA - 3 * 8)		/* of an event: less headers and a count */

/**
 * struct pages - of a CPU; all zero in the beginning
 * @file: the pages that are full
 * @size: bytes in it
 * @used: bytes of @data
 * @begin: time of the page
 * @last: time of its last event
 * @lost: events that were lost before it
 * @data: of the page that is being filled
 */
struct pages {
	FILE *file;
	uint64_t size;
	size_t used;
	uint64_t begin;
	uint64_t last;
	uint64_t lost;
	uint8_t data[PAGE_DATA];
};

/**
 * pages_add() - add an event
 * @pages: of its CPU
 * @time: in nanoseconds
 * @data: of the event
 * @size: of @data, at most MAX_DATA
 */
void pages_add(struct pages *pages, uint64_t time, const void *data, size_t size);

/**
 * pages_lose() - events were lost
 * @pages: of their CPU
 * @count: how many
 */
void pages_lose(struct pages *pages, uint64_t count);

/**
 * pages_flush() - the last page is full as it is
 * @pages: of a CPU
 */
void pages_flush(struct pages *pages);

#endif /* _MARKERS_PAGES_H */
