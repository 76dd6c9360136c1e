/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stream of a CPU that is in several pieces, as a collector has them, or in the parts of a
 * recording: each packet once, in order, from the piece that has most of it.
 */
#ifndef _MARKERS_READER_PIECES_H
#define _MARKERS_READER_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opened.h"
#include "packet_file.h"

struct piece;

/**
 * struct pieces - a place in the stream
 * @nr: number of pieces
 * @piece: the pieces
 * @first: the one that has the packet, or NULL
 * @has: there was a packet
 * @last: packet_seq_num of the last one
 * @bytes: bytes of the packets before @first
 * @packets: number of packets
 * @doubles: packets that were there again
 * @gaps: places where packets are missing
 * @lost: events that the CPU lost, by the counts in the packets
 */
struct pieces {
	size_t nr;
	struct piece *piece;
	struct piece *first;
	bool has;
	uint64_t last;
	uint64_t bytes;
	uint64_t packets;
	uint64_t doubles;
	uint64_t gaps;
	uint64_t lost;
};

/**
 * pieces_are_in() - are there several traces of a collector?
 * @files: the directories
 *
 * Return: whether there are.
 */
bool pieces_are_in(const struct trace_files *files);

/**
 * pieces_count() - count the pieces of a stream
 * @opened: the trace
 * @stream: number of the first piece
 *
 * Return: their number; the next stream is of another CPU or trace.
 */
size_t pieces_count(const struct opened *opened, size_t stream);

/**
 * pieces_begin() - begin with the stream of a CPU
 * @pieces: gets the pieces
 * @opened: the trace
 * @stream: number of the first piece
 *
 * What is damaged is not told, as another piece may have it: pieces_damaged() does.
 */
void pieces_begin(struct pieces *pieces, const struct opened *opened, size_t stream);

/**
 * pieces_next() - go on to the next packet
 * @pieces: the pieces
 *
 * Return: the file that has it, up to the next call; not loaded. NULL at the end.
 */
struct packet_file *pieces_next(struct pieces *pieces);

/**
 * pieces_damaged() - find a piece with damage that no other one makes good, and say where that is
 * @pieces: the pieces, at their end
 * @at: number of the piece from which on to look; set to that of the next one
 *
 * Return: its stream; NULL if there is none.
 */
const struct trace_stream *pieces_damaged(struct pieces *pieces, size_t *at);

/**
 * pieces_end() - free the pieces
 * @pieces: the pieces
 */
void pieces_end(struct pieces *pieces);

#endif /* _MARKERS_READER_PIECES_H */
