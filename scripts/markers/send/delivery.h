/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session of the collector: one trace, its streams, and the folder info at its end.
 */
#ifndef _MARKERS_SEND_DELIVERY_H
#define _MARKERS_SEND_DELIVERY_H

#include "sender.h"

/**
 * delivery_open() - begin a session without a stream
 * @sender: the connection is new
 *
 * Return: 0; or -1, and the link says why.
 */
int delivery_open(struct sender *sender);

/**
 * delivery_begin() - begin a session for the trace of the spool
 * @sender: the connection is new
 *
 * Return: 0; or -1, and the link says why.
 */
int delivery_begin(struct sender *sender);

/**
 * delivery_stream() - find the stream of a CPU, or add it
 * @sender: the session
 * @cpu: the CPU
 * @stream: set to the stream, until the next call
 *
 * Return: 0; or -1, and the link says why.
 */
int delivery_stream(struct sender *sender, unsigned int cpu, struct sender_stream **stream);

/**
 * delivery_metadata() - send what the metadata have grown by
 * @sender: the session
 *
 * Return: 0; or -1, and the link says why.
 */
int delivery_metadata(struct sender *sender);

/**
 * delivery_ask() - ask what the collector has written, and save that
 * @sender: the session
 * @most: wait until no more bytes than these are not written, unless it stops for 30 s, and longer if much
 *        is under way
 *
 * Return: 0; or -1, and the link says why.
 */
int delivery_ask(struct sender *sender, uint64_t most);

/**
 * delivery_info() - send the folder info of a part that has its own
 * @sender: the session; the part is complete
 *
 * Return: 0; or -1, and the link says why.
 */
int delivery_info(struct sender *sender);

/**
 * delivery_part() - the trace goes on in the next part
 * @sender: the session; all of the part before is written
 *
 * Return: 0; or -1, and the link says why.
 */
int delivery_part(struct sender *sender);

/**
 * delivery_end() - send the folder info, unless the last part had its own, and end the session
 * @sender: the session; all packets are written
 *
 * Return: 0; or -1, and the link says why.
 */
int delivery_end(struct sender *sender);

#endif /* _MARKERS_SEND_DELIVERY_H */
