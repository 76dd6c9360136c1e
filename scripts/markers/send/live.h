/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session that viewers follow. A viewer shows an event when it knows that no CPU has an earlier
 * one. So each CPU gets an empty packet first, and a beacon when it is idle: it has no event up to
 * a time. A packet that comes after a beacon that said otherwise is left out, and counted, and so
 * is what the connection is too slow for. The recording has all of it.
 */
#ifndef _MARKERS_SEND_LIVE_H
#define _MARKERS_SEND_LIVE_H

#include "sender.h"

/**
 * live_session() - send the newest trace, and those that follow, for viewers
 * @sender: the connection is new
 *
 * Return: what to do next; after NEXT_FAILED the link says why.
 */
enum sender_next live_session(struct sender *sender);

#endif /* _MARKERS_SEND_LIVE_H */
