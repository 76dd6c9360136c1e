// SPDX-License-Identifier: GPL-2.0
/*
 * The trace of a kernel that died: whatever has become of the memory, no read leaves it, and no
 * event is made up.
 */
#include "recover_kit.h"

static u64 seed = 1;

static u32 random_below(u32 n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % n;
}

/* Most of it where it matters: at the beginning of a page. */
static void damage(u8 *data)
{
	const u32 at = random_below(nr_pages) * PAGE_SIZE;
	const u32 in = random_below(2) ? random_below(128) : random_below(PAGE_SIZE);

	switch (random_below(6)) {
	case 0:
		data[at + in] = random_below(256);
		break;
	case 1:
		memset(data + at, random_below(2) ? 0xff : 0, PAGE_SIZE);
		break;
	case 2:
		memcpy(data + at, data + random_below(nr_pages) * PAGE_SIZE, PAGE_SIZE);
		break;
	case 3:
		memset(data + at + in, random_below(256), min(PAGE_SIZE - in, 64ul));
		break;
	default:
		data[at + in] ^= 1 << random_below(8);
		break;
	}
}

/* Let the text of damaged notes have the right checksum, so that it is read. */
static void sign_notes(void)
{
	struct marker_note_page *page;
	size_t at;

	for (at = 0; at < BYTES; at += PAGE_SIZE) {
		page = (void *)(dead + at);
		if (memcmp(page->magic, MARKER_NOTE_MAGIC, 16))
			continue;
		page->size = min_t(u32, page->size, PAGE_SIZE - sizeof(*page));
		page->crc = marker_note_crc(page);
	}
}

static void damage_text(void)
{
	static const char chars[] = "0123456789 -\n\\%eventcpu\"\t{};\0";
	struct marker_note_page *page = NULL;
	u32 at = random_below(nr_pages) * PAGE_SIZE;
	int i;

	for (i = 0; i < nr_pages; i++, at = (at + PAGE_SIZE) % BYTES) {
		page = (void *)(dead + at);
		if (!memcmp(page->magic, MARKER_NOTE_MAGIC, 16) && !page->number)
			break;
	}
	for (i = random_below(4); i >= 0; i--)
		page->text[random_below(random_below(2) ? 500 : PAGE_SIZE - sizeof(*page))] = chars[random_below(sizeof(chars))];
}

static void test_damage(int rounds)
{
	u32 none = 0, whole = 0, some = 0, refused = 0, more = 0;
	struct found found;
	u64 all;
	int i, n;

	boot(8, RING_OVERWRITE);
	for (i = 0; i < 12000; i++)
		record(i % 3);
	die();
	found = find();
	all = found.events;
	has_events(&found, 12000 - all, 11999, "before the damage");
	for (n = 0; n < rounds; n++) {
		die();
		for (i = random_below(20); i >= 0; i--)
			damage(dead);
		if (n % 2) {
			damage_text();
			sign_notes();
		}
		found = find();
		more += found.events > all + 100;
		none += found.err == -ENODATA;
		refused += found.err == -EINVAL;
		whole += !found.err && found.events == all;
		some += !found.err && found.events != all;
	}
	ok(none + refused + whole + some == (u32)rounds && !more,
	   "damaged %d times: %u with all, %u with some, %u refused, %u nothing", rounds, whole,
	   some, refused, none);
	shut_down();
	for (n = 0; n < 50; n++) {
		for (i = 0; i < (int)BYTES; i++)
			dead[i] = random_below(256);
		if (n % 2) {
			memcpy(dead + random_below(nr_pages) * PAGE_SIZE, MARKER_NOTE_MAGIC, 16);
			sign_notes();
		}
		found = find();
		if (!found.err)
			break;
	}
	is_int(n, 50, "random memory has no trace");
}

int main(void)
{
	const char *rounds = getenv("RECOVER_ROUNDS");

	start_recover_tests();
	test_damage(rounds ? atoi(rounds) : 400);
	return recover_tests_done();
}
