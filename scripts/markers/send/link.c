// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../base/message.h"
#include "../base/number.h"
#include "link.h"
#include "protocol.h"

#define CONNECT_MS	5000
#define TRANSFER_MS	30000

/* Take ":PORT". Return: whether there is nothing, or a port. */
static bool take_port(const char **text, unsigned int *port)
{
	uint64_t number;

	if (!**text)
		return true;
	if (*(*text)++ != ':' || !number_take(text, &number) || !number || number > 65535)
		return false;
	*port = number;
	return true;
}

bool collector_parse(struct collector *collector, const char *text)
{
	const char *end;

	*collector = (struct collector){ .name = text, .control = RELAY_PORT };
	if (*text == '[') {
		end = strchr(++text, ']');
		if (!end)
			return false;
		collector->host = need_memory(strndup(text, end++ - text));
	} else {
		end = text + strcspn(text, ":");
		collector->host = need_memory(strndup(text, end - text));
	}
	if (!*collector->host || !take_port(&end, &collector->control))
		return false;
	collector->data = collector->control + 1;
	return take_port(&end, &collector->data) && !*end && collector->data < 65536;
}

int link_wrong(struct link *link, const char *fmt, ...)
{
	va_list args;
	char *why;

	va_start(args, fmt);
	if (vasprintf(&why, fmt, args) < 0)
		why = NULL;
	va_end(args);
	free(link->why);
	link->why = need_memory(why);
	return -1;
}

/* connect() for a limited time. Return: 0; -1 with errno. */
static int connect_in_time(int fd, const struct sockaddr *to, socklen_t size)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };
	socklen_t length = sizeof(int);
	int err = 0, n;

	if (!connect(fd, to, size))
		return 0;
	if (errno != EINPROGRESS)
		return -1;
	do
		n = poll(&poll_fd, 1, CONNECT_MS);
	while (n < 0 && errno == EINTR);
	if (!n)
		err = ETIMEDOUT;
	else if (n < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &length))
		return -1;
	errno = err;
	return err ? -1 : 0;
}

static void set(int fd, int level, int option, int value)
{
	setsockopt(fd, level, option, &value, sizeof(value));
}

/* Return: a connection that blocks; -1 with errno. */
static int connect_to(const struct sockaddr *to, socklen_t size)
{
	const struct timeval patience = { .tv_sec = TRANSFER_MS / 1000 };
	int fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), err;

	if (fd < 0)
		return -1;
	if (connect_in_time(fd, to, size)) {
		err = errno;
		close(fd);
		errno = err;
		return -1;
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, TRANSFER_MS);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	return fd;
}

#ifdef MARKERS_STATIC
/* The C library looks names up with shared libraries, which a static program does not have. */
static int connect_by_name(struct link *link, unsigned int port)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons(port) };
	const char *host = strcmp(link->collector->host, "localhost") ? link->collector->host : "127.0.0.1";
	int fd;

	if (inet_pton(AF_INET, host, &four.sin_addr) == 1) {
		fd = connect_to((void *)&four, sizeof(four));
	} else if (inet_pton(AF_INET6, host, &six.sin6_addr) == 1) {
		fd = connect_to((void *)&six, sizeof(six));
	} else {
		link->is_vain = true;
		return link_wrong(link, "%s: this static program needs the address of the collector", host);
	}
	return fd >= 0 ? fd : link_wrong(link, "%s, port %u: %m", host, port);
}
#else
static int connect_by_name(struct link *link, unsigned int port)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	const char *host = link->collector->host;
	struct addrinfo *found, *this;
	char service[16];
	int fd = -1, err;

	snprintf(service, sizeof(service), "%u", port);
	err = getaddrinfo(host, service, &hints, &found);
	if (err)
		return link_wrong(link, "%s: %s", host, err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err));
	for (this = found; this && fd < 0; this = this->ai_next)
		fd = connect_to(this->ai_addr, this->ai_addrlen);
	err = errno;
	freeaddrinfo(found);
	errno = err;
	return fd >= 0 ? fd : link_wrong(link, "%s, port %u: %m%s", host, port, errno == ECONNREFUSED ?
					 ": does lttng-relayd run there, with this port?" : "");
}
#endif

int link_open(struct link *link)
{
	free(link->why);
	link->why = NULL;
	link->control = connect_by_name(link, link->collector->control);
	if (link->control < 0)
		return -1;
	link->data = connect_by_name(link, link->collector->data);
	return link->data < 0 ? -1 : 0;
}

void link_close(struct link *link)
{
	if (link->control >= 0)
		close(link->control);
	if (link->data >= 0)
		close(link->data);
	link->control = -1;
	link->data = -1;
}

static int gone(struct link *link, ssize_t n)
{
	if (n && errno != EAGAIN && errno != ECONNRESET && errno != EPIPE)
		return link_wrong(link, "%s: %m", link->collector->name);
	if (n && errno == EAGAIN)
		return link_wrong(link, "%s: no answer for %d s", link->collector->name, TRANSFER_MS / 1000);
	return link_wrong(link, "%s: the collector closed the connection: its log says why; is its disk full?",
			  link->collector->name);
}

int link_put(struct link *link, int fd, struct iovec *part, int nr)
{
	struct msghdr message = {};
	ssize_t n;

	while (nr) {
		message.msg_iov = part;
		message.msg_iovlen = nr < IOV_MAX ? nr : IOV_MAX;
		n = sendmsg(fd, &message, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return gone(link, -1);
		for (; nr && (size_t)n >= part->iov_len; part++, nr--)
			n -= part->iov_len;
		if (n) {
			part->iov_base = (char *)part->iov_base + n;
			part->iov_len -= n;
		}
	}
	return 0;
}

int link_get(struct link *link, void *to, size_t size)
{
	ssize_t n;

	for (; size; size -= n, to = (char *)to + n) {
		/* relayd waits with a reply until the one before is acknowledged */
		set(link->control, IPPROTO_TCP, TCP_QUICKACK, 1);
		n = recv(link->control, to, size, 0);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return gone(link, n);
	}
	return 0;
}

bool link_has_reply(const struct link *link)
{
	struct pollfd poll_fd = { .fd = link->control, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0;
}
