/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes pages in the format of ftrace's ring buffer.
 */
#ifndef _MARKERS_PAGES_H
#define _MARKERS_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PAGE_BYTES	4096
#define PAGE_HEADER	16				/* time, used bytes */
#define PAGE_DATA	(PAGE_BYTES - PAGE_HEADER)
#define MAX_DATA	(PAGE_DATA - 3 * 8)		/* leaves room for headers, count */
#define NR_PAGES	16				/* that one write takes */

/**
 * struct pages - the pages of a CPU, or of one after the other; the caller sets @file, and zeroes
 *	the rest
 * @file: the full pages
 * @size: bytes in @file and in full pages of @page
 * @error: the first errno of @file
 * @nr: full pages of @page
 * @used: used bytes of the current page, without its header
 * @begin: time of the current page
 * @last: time of its last event
 * @lost: events lost before it
 * @page: pages that are not in @file yet; the current one follows the full ones
 */
struct pages {
	FILE *file;
	uint64_t size;
	int error;
	unsigned int nr;
	size_t used;
	uint64_t begin;
	uint64_t last;
	uint64_t lost;
	uint8_t page[NR_PAGES][PAGE_BYTES];
};

/**
 * pages_add() - add an event
 * @pages: the pages of its CPU
 * @time: its time in nanoseconds
 * @data: its bytes
 * @size: bytes of @data, at most MAX_DATA
 */
void pages_add(struct pages *pages, uint64_t time, const void *data, size_t size);

/**
 * pages_lose() - note that events were lost
 * @pages: the pages of their CPU
 * @count: number of lost events
 */
void pages_lose(struct pages *pages, uint64_t count);

/**
 * pages_flush() - write all pages, even if the current one is not full
 * @pages: the pages of a CPU
 */
void pages_flush(struct pages *pages);

#endif /* _MARKERS_PAGES_H */
