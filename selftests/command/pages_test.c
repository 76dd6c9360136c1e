// SPDX-License-Identifier: GPL-2.0
/*
 * Pages of ftrace's ring buffer: the test reads back the events that it wrote.
 */
#include <stdlib.h>

#include "pages.h"
#include "tap.h"

#define NR	50000

static size_t size_of(unsigned int i)
{
	return i % 1000 ? i % 150 : MAX_DATA - i % 4;
}

/* Now and then, a time that takes more than 27 bits; once, it goes back. */
static uint64_t time_of(unsigned int i)
{
	return (uint64_t)i * 1000 + i / 777 * ((1ull << 27) + 5) - (i >= 40000 ? 1000000 : 0);
}

static unsigned int wrong, found, lost;

static void read_page(const uint8_t *page)
{
	uint64_t time, used, count;
	uint32_t word, words;
	size_t at, end;

	memcpy(&time, page, 8);
	memcpy(&used, page + 8, 8);
	end = PAGE_HEADER + (used & 0xfffff);
	if (used >> 30 & 1) {
		memcpy(&count, page + end, 8);
		lost += count;
		wrong += !(used >> 31) || found != 30000;
	}
	for (at = PAGE_HEADER; at < end; at += words, found++) {
		memcpy(&word, page + at, 4);
		time += word >> 5;
		if ((word & 31) == 30) {
			memcpy(&word, page + at + 4, 4);
			time += (uint64_t)word << 27;
			at += 8;
			memcpy(&word, page + at, 4);
		}
		at += 4;
		words = (word & 31) * 4;
		if (!words) {
			memcpy(&words, page + at, 4);
			words -= 4;
			at += 4;
		}
		wrong += time != time_of(found) || words != ((size_of(found) + 3) & ~3u) ||
			 (size_of(found) && page[at] != (uint8_t)found);
	}
	wrong += at != end;
}

int main(void)
{
	static uint8_t data[PAGE_BYTES], page[PAGE_BYTES];
	static struct pages pages;
	unsigned int i;

	pages.file = tmpfile();
	pages_flush(&pages);
	is_int(pages.size, 0, "a CPU without events has no page");
	for (i = 0; i < NR; i++) {
		if (i == 30000)
			pages_lose(&pages, 12345);
		memset(data, i, sizeof(data));
		pages_add(&pages, time_of(i), data, size_of(i));
	}
	pages_flush(&pages);
	is_int(pages.size, ftell(pages.file), "its size");
	rewind(pages.file);
	while (fread(page, sizeof(page), 1, pages.file))
		read_page(page);
	is_int(found, NR, "events");
	is_int(wrong, 0, "that are not what they were");
	is_int(lost, 12345, "lost, where it was");
	fclose(pages.file);
	return tap_done();
}
