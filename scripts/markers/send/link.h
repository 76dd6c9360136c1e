/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two connections to a collector.
 */
#ifndef _MARKERS_SEND_LINK_H
#define _MARKERS_SEND_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

/**
 * struct collector - where lttng-relayd listens
 * @name: as the user wrote it
 * @host: name or address of the machine
 * @control: the port of requests
 * @data: the port of packets
 */
struct collector {
	const char *name;
	char *host;
	unsigned int control;
	unsigned int data;
};

/**
 * collector_parse() - parse "HOST[:PORT[:PORT]]", or "[ADDRESS]:PORT" for IPv6
 * @collector: gets it
 * @text: the text, which outlives @collector
 *
 * Return: whether it is one.
 */
bool collector_parse(struct collector *collector, const char *text);

/**
 * struct link - the connections; all zero but the file descriptors, which are -1, at first
 * @collector: the other side
 * @control: for requests and replies
 * @data: for packets
 * @why: what went wrong, or NULL
 * @is_vain: another try cannot help
 */
struct link {
	const struct collector *collector;
	int control;
	int data;
	char *why;
	bool is_vain;
};

/**
 * link_open() - connect
 * @link: the connections, which are closed
 *
 * A connection or a transfer that does not move for 30 s fails.
 *
 * Return: 0; or -1, and @why.
 */
int link_open(struct link *link);

/**
 * link_close() - close the connections
 * @link: the connections
 */
void link_close(struct link *link);

/**
 * link_wrong() - note what went wrong
 * @link: the connections
 * @fmt: format as for printf()
 *
 * Return: -1.
 */
__attribute__((format(printf, 2, 3)))
int link_wrong(struct link *link, const char *fmt, ...);

/**
 * link_put() - send all bytes
 * @link: the connections
 * @fd: one of them
 * @part: where the bytes are; changed
 * @nr: number of parts
 *
 * Return: 0; or -1, and @why.
 */
int link_put(struct link *link, int fd, struct iovec *part, int nr);

/**
 * link_get() - take bytes of a reply
 * @link: the connections
 * @to: gets them
 * @size: number of bytes
 *
 * Return: 0; or -1, and @why.
 */
int link_get(struct link *link, void *to, size_t size);

/**
 * link_has_reply() - has a part of a reply come?
 * @link: the connections
 *
 * Return: whether it has, or the connection is gone.
 */
bool link_has_reply(const struct link *link);

#endif /* _MARKERS_SEND_LINK_H */
