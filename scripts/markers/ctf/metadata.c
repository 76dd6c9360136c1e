// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

#include "../base/file.h"
#include "../base/message.h"
#include "metadata.h"

#define FOREIGN		"; babeltrace2 reads it"	/* what to do with it */

/* Move the texts of the packets to the begin. Return: their bytes. */
static size_t unpack(char *text, size_t size)
{
	struct metadata_packet packet;
	size_t at = 0, nr = 0, content;

	while (size - at >= sizeof(packet)) {
		memcpy(&packet, text + at, sizeof(packet));
		content = packet.content_size / 8;
		if (packet.magic != METADATA_MAGIC || content < sizeof(packet) ||
		    packet.packet_size / 8 < content || packet.packet_size / 8 > size - at ||
		    packet.compression || packet.encryption)
			break;
		memmove(text + nr, text + at + sizeof(packet), content - sizeof(packet));
		nr += content - sizeof(packet);
		at += packet.packet_size / 8;
	}
	text[nr] = '\0';
	return nr;
}

char *metadata_read(int dir, const char *name, size_t *size, bool *in_packets)
{
	char *text = file_read_regular(dir, name, size);
	const uint32_t magic = METADATA_MAGIC;

	*in_packets = text && *size >= sizeof(magic) && !memcmp(text, &magic, sizeof(magic));
	if (*in_packets)
		*size = unpack(text, *size);
	return text;
}

unsigned int metadata_line(const char *metadata, const char *at)
{
	unsigned int line = 1;

	while ((metadata = memchr(metadata, '\n', at - metadata))) {
		metadata++;
		line++;
	}
	return line;
}

/* The streams come after the name of the tracer. */
static bool is_cut(const char *metadata, size_t size)
{
	static const char sign[] = "/* CTF 1.8 */", stream[] = "\nstream {";
	const size_t begin = size < strlen(sign) ? size : strlen(sign);

	return !memcmp(metadata, sign, begin) && !memmem(metadata, size, stream, strlen(stream));
}

/* May a message have it? It is not the end of the name, and does nothing to a terminal. */
static bool is_shown(char c)
{
	return c >= ' ' && c <= '~' && c != '"';
}

char *metadata_check_tracer(const char *metadata, size_t size)
{
	static const char key[] = "tracer_name = \"", ours[] = "markers\"";
	const char *name = memmem(metadata, size, key, strlen(key));
	size_t left, length;

	if (!size)
		return format_text("it is empty");
	if (!name && is_cut(metadata, size))
		return format_text("it is cut off at byte %zu, before the name of its tracer", size);
	if (!name)
		return format_text("it does not name its tracer" FOREIGN);
	name += strlen(key);
	left = metadata + size - name;
	if (left >= strlen(ours) && !memcmp(name, ours, strlen(ours)))
		return NULL;
	for (length = 0; length < left && is_shown(name[length]); length++)
		;
	return format_text("line %u: tracer_name is \"%.*s\", not \"markers\"" FOREIGN,
			   metadata_line(metadata, name), (int)length, name);
}
