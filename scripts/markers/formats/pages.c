// SPDX-License-Identifier: GPL-2.0
/*
 * An event begins with a word: 5 bits hold its length in words, 27 bits the time since the
 * previous event. A longer event has its length in the next word. One special length means that
 * the next word holds the high bits of a longer time. A flag marks the page after a loss; the
 * count of lost events follows its last event.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "../base/file.h"
#include "pages.h"

#define TIME_BITS	27
#define LENGTH_BITS	5
#define MAX_WORDS	28u	/* the largest length that fits in the first word */
#define TIME_EXTEND	30u
#define LOST		(1u << 31)
#define HAS_COUNT	(1u << 30)

static void put(struct pages *pages, const void *data, size_t size)
{
	memcpy(pages->page[pages->nr] + PAGE_HEADER + pages->used, data, size);
	pages->used += size;
}

static void put_word(struct pages *pages, uint32_t word)
{
	put(pages, &word, sizeof(word));
}

static void put_zeros(struct pages *pages, size_t size)
{
	memset(pages->page[pages->nr] + PAGE_HEADER + pages->used, 0, size);
	pages->used += size;
}

static void write_pages(struct pages *pages)
{
	if (fwrite(pages->page, PAGE_BYTES, pages->nr, pages->file) < pages->nr ||
	    file_write_behind(fileno(pages->file), pages->size - pages->nr * PAGE_BYTES,
			      pages->size))
		pages->error = pages->error ?: errno;
	pages->nr = 0;
}

static void end_page(struct pages *pages)
{
	uint64_t header[2] = { pages->begin, pages->used };

	if (!pages->used)
		return;
	if (pages->lost) {
		header[1] |= LOST | HAS_COUNT;
		put(pages, &pages->lost, sizeof(pages->lost));
		pages->lost = 0;
	}
	memcpy(pages->page[pages->nr], header, sizeof(header));
	put_zeros(pages, PAGE_DATA - pages->used);
	pages->used = 0;
	pages->size += PAGE_BYTES;
	if (++pages->nr == NR_PAGES)
		write_pages(pages);
}

void pages_flush(struct pages *pages)
{
	end_page(pages);
	write_pages(pages);
}

void pages_add(struct pages *pages, uint64_t time, const void *data, size_t size)
{
	size_t padded = (size + 3) & ~(size_t)3;
	uint64_t delta;

	/* times go back only from page to page */
	if (pages->used + 3 * sizeof(uint64_t) + padded > PAGE_DATA || time < pages->last)
		end_page(pages);
	if (!pages->used)
		pages->begin = pages->last = time;
	delta = time - pages->last;
	pages->last = time;
	if (delta >> TIME_BITS) {
		put_word(pages, TIME_EXTEND | (uint32_t)delta << LENGTH_BITS);
		put_word(pages, delta >> TIME_BITS);
		delta = 0;
	}
	if (padded && padded / 4 <= MAX_WORDS) {
		put_word(pages, padded / 4 | (uint32_t)delta << LENGTH_BITS);
	} else {
		put_word(pages, (uint32_t)delta << LENGTH_BITS);
		put_word(pages, padded + sizeof(uint32_t));
	}
	put(pages, data, size);
	put_zeros(pages, padded - size);
}

void pages_lose(struct pages *pages, uint64_t count)
{
	end_page(pages);
	pages->lost += count;
}
