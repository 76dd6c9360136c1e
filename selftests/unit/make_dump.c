// SPDX-License-Identifier: GPL-2.0
/*
 * make_dump KIND FILE: a memory dump of a kernel that has recorded 4,000 events on two CPUs. For
 * selftests/command/vmcore.sh.
 *
 * The memory is in two pieces, the upper one first in the file, at any offset. KIND:
 *
 *	good	a whole one
 *	hole	a writer on CPU 0 was in the middle of an event, which others interrupted
 *	gap	without the page that says how far the CPUs are
 *	none	without notes
 *	version	with notes of another version
 *	header	the file ends in the header of a packet
 */
#include <elf.h>

#include "recover_kit.h"

#define HEADERS	300	/* bytes of the file before the memory */

static FILE *file;
static Elf64_Phdr heads[4] = { { .p_type = PT_NOTE, .p_offset = HEADERS } };
static unsigned int nr_heads = 1;
static u64 file_end = HEADERS;

/* [@from, @to) of the memory comes next in the file. */
static void add_piece(size_t from, size_t to)
{
	if (from >= to)
		return;
	heads[nr_heads++] = (Elf64_Phdr) {
		.p_type = PT_LOAD,
		.p_offset = file_end,
		.p_paddr = PHYS + from,
		.p_filesz = to - from,
		.p_memsz = to - from,
	};
	assert(nr_heads <= ARRAY_SIZE(heads));
	fseek(file, file_end, SEEK_SET);
	fwrite(dead + from, 1, to - from, file);
	file_end += to - from;
}

static void add_headers(void)
{
	Elf64_Ehdr elf = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE,
		.e_phoff = sizeof(elf),
		.e_phentsize = sizeof(heads[0]),
		.e_phnum = nr_heads,
	};

	rewind(file);
	fwrite(&elf, 1, sizeof(elf), file);
	fwrite(heads, sizeof(heads[0]), nr_heads, file);
}

static void change_notes(const char *magic)
{
	size_t at;

	for (at = 0; at < BYTES; at += PAGE_SIZE) {
		if (!memcmp(dead + at, MARKER_NOTE_MAGIC, 16))
			memcpy(dead + at, magic, 16);
	}
}

/* The last page that begins with a packet. */
static size_t last_packet(void)
{
	const u32 magic = CTF_MAGIC;
	size_t at = BYTES - PAGE_SIZE;

	while (memcmp(dead + at, &magic, sizeof(magic)))
		at -= PAGE_SIZE;
	return at;
}

int main(int argc, char **argv)
{
	struct ring_record outer = { };
	struct ring_words words;
	size_t half, gap;
	unsigned int i;

	assert(argc == 3);
	start_recover_tests();
	boot(16, RING_DISCARD);
	record_many(1900);
	if (!strcmp(argv[1], "hole")) {
		assert(reserve(&outer));
		memset(outer.data, 0xff, outer.len);
	}
	record_many(100);
	for (i = 0; i < 2000; i++)
		record(1);
	assert(ring_view_words(buffer->ring, 1, &words));
	gap = ((u8 *)words.offset - memory) / PAGE_SIZE * PAGE_SIZE;
	die();
	if (!strcmp(argv[1], "none"))
		change_notes("nothing to see  ");
	if (!strcmp(argv[1], "version"))
		change_notes("markers notes 9\n");
	file = fopen(argv[2], "w");
	assert(file);
	half = BYTES / 2 / PAGE_SIZE * PAGE_SIZE;
	if (!strcmp(argv[1], "gap")) {
		add_piece(gap + PAGE_SIZE, BYTES);
		add_piece(0, gap);
	} else if (!strcmp(argv[1], "header")) {
		add_piece(last_packet() + PAGE_SIZE, BYTES);
		add_piece(0, last_packet() + 40);
		heads[nr_heads - 1].p_filesz += PAGE_SIZE - 40;
	} else {
		add_piece(half, BYTES);
		add_piece(0, half);
	}
	add_headers();
	return fclose(file);
}
