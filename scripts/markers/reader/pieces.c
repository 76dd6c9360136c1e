// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../ctf/trace_dir.h"
#include "pieces.h"

/**
 * struct piece - a file of the stream
 * @file: the place in it
 * @has: it has had a packet
 * @hole: bytes that are left out between that and the packet at @file
 * @known: bytes of all pieces' packets up to that
 * @lacks: more was left out than other pieces have there
 */
struct piece {
	struct packet_file file;
	bool has;
	uint64_t hole;
	uint64_t known;
	bool lacks;
};

bool pieces_are_in(const struct trace_files *files)
{
	size_t i;

	for (i = 0; i < files->nr && files->nr > 1; i++) {
		const char *name = strrchr(files->part[i].path, '/');

		if (name && !strcmp(name + 1, TRACE_DIR_SENT))
			return true;
	}
	return false;
}

static uint64_t size_of(const struct piece *piece)
{
	return piece->file.header.packet_size / 8;
}

static void next_packet(struct piece *piece)
{
	const uint64_t at = piece->file.at + size_of(piece);

	packet_file_next(&piece->file);
	piece->hole += piece->file.at - at;
}

/* Go on to the next packet of a piece; those for viewers are left out. */
static void settle(struct piece *piece)
{
	while (packet_file_has(&piece->file) && piece->file.header.packet_seq_num == UINT64_MAX)
		next_packet(piece);
}

/* Is the hole larger than what other pieces had there? */
static bool has_hole(const struct pieces *pieces, const struct piece *piece)
{
	return piece->hole && piece->known + piece->hole > pieces->bytes;
}

/* @size: of the packet, in the piece that has most of it. */
static void pass(const struct pieces *pieces, struct piece *piece, uint64_t size)
{
	piece->lacks |= has_hole(pieces, piece);
	piece->known = pieces->bytes + size;
	piece->hole = 0;
	piece->has = true;
	next_packet(piece);
	settle(piece);
}

size_t pieces_count(const struct opened *opened, size_t stream)
{
	const struct opened_stream *first = &opened->stream[stream];
	size_t i = stream;

	while (i < opened->nr_streams && opened->stream[i].trace == first->trace &&
	       opened->stream[i].stream->cpu == first->stream->cpu)
		i++;
	return i - stream;
}

void pieces_begin(struct pieces *pieces, const struct opened *opened, size_t stream)
{
	size_t i;

	*pieces = (struct pieces){ .nr = pieces_count(opened, stream) };
	pieces->piece = need_memory(calloc(pieces->nr, sizeof(*pieces->piece)));
	for (i = 0; i < pieces->nr; i++) {
		const struct opened_stream *of = &opened->stream[stream + i];

		pieces->piece[i].file = (struct packet_file){
			.stream = of->stream, .uuid = of->description->uuid, .quiet = true,
		};
		packet_file_begin(&pieces->piece[i].file);
		pieces->piece[i].hole = pieces->piece[i].file.at;
		settle(&pieces->piece[i]);
	}
}

/* Find the piece with the first packet; of one that is in several, the longest. */
static struct piece *find_first(const struct pieces *pieces)
{
	struct piece *first = NULL;
	size_t i;

	for (i = 0; i < pieces->nr; i++) {
		const struct ctf_packet_header *header = &pieces->piece[i].file.header;

		if (packet_file_has(&pieces->piece[i].file) &&
		    (!first || header->packet_seq_num < first->file.header.packet_seq_num ||
		     (header->packet_seq_num == first->file.header.packet_seq_num &&
		      header->content_size > first->file.header.content_size)))
			first = &pieces->piece[i];
	}
	return first;
}

/* Leave the packet behind, in all pieces that have it. */
static void pass_all(struct pieces *pieces)
{
	const uint64_t size = size_of(pieces->first);
	struct piece *piece;

	pass(pieces, pieces->first, size);
	for (piece = pieces->piece; piece < pieces->piece + pieces->nr; piece++)
		while (piece != pieces->first && packet_file_has(&piece->file) &&
		       piece->file.header.packet_seq_num <= pieces->last) {
			pieces->doubles++;
			pass(pieces, piece, size);
		}
	pieces->bytes += size;
}

struct packet_file *pieces_next(struct pieces *pieces)
{
	const struct ctf_packet_header *header;

	if (pieces->first)
		pass_all(pieces);
	pieces->first = find_first(pieces);
	if (!pieces->first)
		return NULL;
	header = &pieces->first->file.header;
	pieces->gaps += pieces->has && header->packet_seq_num != pieces->last + 1;
	if (header->events_discarded > pieces->lost)
		pieces->lost = header->events_discarded;
	pieces->last = header->packet_seq_num;
	pieces->has = true;
	pieces->packets++;
	return &pieces->first->file;
}

/* Is what a damaged piece lacks in no other one? Where numbers are missing, it may be that. */
static bool is_missing(const struct pieces *pieces, const struct piece *piece)
{
	return pieces->gaps || !piece->has || piece->lacks || has_hole(pieces, piece);
}

static void say_damage(const struct packet_file *file)
{
	struct packet_file again = { .stream = file->stream, .uuid = file->uuid };

	for (packet_file_begin(&again); packet_file_has(&again);)
		packet_file_next(&again);
}

const struct trace_stream *pieces_damaged(struct pieces *pieces, size_t *at)
{
	while (*at < pieces->nr) {
		const struct piece *piece = &pieces->piece[(*at)++];

		if (!piece->file.damaged || !is_missing(pieces, piece))
			continue;
		say_damage(&piece->file);
		return piece->file.stream;
	}
	return NULL;
}

void pieces_end(struct pieces *pieces)
{
	size_t i;

	for (i = 0; i < pieces->nr; i++)
		packet_file_release(&pieces->piece[i].file);
	free(pieces->piece);
}
