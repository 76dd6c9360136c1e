// SPDX-License-Identifier: GPL-2.0
/*
 * The format of POSIX, "ustar": a header of one block, the member, zeroes to fill its block.
 */
#include <string.h>

#include "tar.h"

#define BLOCK	512

/* Zeroes fill the rest of the block. */
struct header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char checksum[8];
	char type;
	char link[100];
	char magic[8];
};

long tar_begin(FILE *out, const char *name)
{
	char block[BLOCK] = "";

	snprintf(block, sizeof(((struct header *)0)->name), "%s", name);
	fwrite(block, 1, sizeof(block), out);
	return ftell(out);
}

static void pad(FILE *out, size_t size)
{
	static const char zero[2 * BLOCK];

	fwrite(zero, 1, size, out);
}

/* A size from 8 GiB on needs more digits than there are: use GNU's binary form then. */
static void put_size(struct header *header, unsigned long long size)
{
	int i;

	if (size < 1ull << 33) {
		snprintf(header->size, sizeof(header->size), "%011llo", size);
		return;
	}
	for (i = sizeof(header->size) - 1; i > 0; i--, size >>= 8)
		header->size[i] = size;
	header->size[0] = (char)0x80;
}

static void fill_header(char block[BLOCK], unsigned long long size)
{
	struct header *header = (struct header *)block;
	unsigned int i, sum = 0;

	strcpy(header->mode, "0000644");
	strcpy(header->uid, "0000000");
	strcpy(header->gid, "0000000");
	strcpy(header->mtime, "00000000000");
	put_size(header, size);
	header->type = '0';
	memcpy(header->magic, "ustar\00000", sizeof(header->magic));
	memset(header->checksum, ' ', sizeof(header->checksum));
	for (i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	snprintf(header->checksum, sizeof(header->checksum), "%06o", sum);
}

bool tar_end(FILE *out, long begin)
{
	long end = ftell(out);
	char block[BLOCK];

	pad(out, -(end - begin) & (BLOCK - 1));
	if (fseek(out, begin - BLOCK, SEEK_SET) || fread(block, 1, BLOCK, out) != BLOCK)
		return false;
	fill_header(block, end - begin);
	return !fseek(out, begin - BLOCK, SEEK_SET) && fwrite(block, 1, BLOCK, out) == BLOCK &&
	       !fseek(out, 0, SEEK_END);
}

void tar_finish(FILE *out)
{
	pad(out, 2 * BLOCK);
}
