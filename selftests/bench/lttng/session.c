// SPDX-License-Identifier: GPL-2.0
/*
 * The part of the benchmark that makes a session of LTTng, by the ioctls of
 * /proc/lttng, and runs an operation of bench in it: a flight recorder of 4 x
 * 256 KiB for each CPU. Then it checks the trace, which must have all numbers in
 * sequence, from the begin of the oldest packet to the last event.
 *
 *	session EVENT OP COUNT REPEAT	count, least and median ticks, 0 interrupts,
 *					bytes of an event in the buffer
 *	session -s EVENT OP COUNT REPEAT	the same with the kernel's call stack; it
 *					checks only the last two events
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lttng/abi.h>

/* From <ringbuffer/vfs.h>, which programs cannot include. */
#define SNAPSHOT		_IO(0xF6, 0x00)
#define SNAPSHOT_GET_CONSUMED	_IOR(0xF6, 0x01, unsigned long)
#define SNAPSHOT_GET_PRODUCED	_IOR(0xF6, 0x02, unsigned long)
#define GET_SUBBUF		_IOW(0xF6, 0x03, unsigned long)
#define PUT_SUBBUF		_IO(0xF6, 0x04)
#define GET_MMAP_LEN		_IOR(0xF6, 0x0A, unsigned long)
#define GET_MMAP_READ_OFFSET	_IOR(0xF6, 0x0B, unsigned long)
#define FLUSH			_IO(0xF6, 0x0C)

#define SUBBUF_SIZE	(256UL << 10)
#define NR_SUBBUFS	4

#define TEXT		"hello-world"

/* The sizes of a packet's header and of an event's header. */
#define PACKET_HEADER	84
#define EVENT_HEADER	4
#define EVENT_ID	31	/* these bits, 0 for the first event of a session */

/* The header of the first event of a trace, or after a pause, is longer by this. */
#define LONGER		12

static void die(const char *what)
{
	fprintf(stderr, "session: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void wrong(const char *what)
{
	fprintf(stderr, "session: %s\n", what);
	exit(1);
}

static int ioctl_or_die(int fd, unsigned long request, void *arg, const char *what)
{
	int ret = ioctl(fd, request, arg);

	if (ret < 0)
		die(what);
	return ret;
}

static unsigned long get(int fd, unsigned long request, const char *what)
{
	unsigned long number;

	ioctl_or_die(fd, request, &number, what);
	return number;
}

struct session {
	int session, event, stream;	/* the stream is CPU 0's */
	const char *map;
};

static void session_create(struct session *s, const char *name, bool stack)
{
	struct lttng_kernel_abi_context context = {
		.ctx = LTTNG_KERNEL_ABI_CONTEXT_CALLSTACK_KERNEL,
	};
	struct lttng_kernel_abi_channel config = {
		.subbuf_size = SUBBUF_SIZE,
		.num_subbuf = NR_SUBBUFS,
		.output = LTTNG_KERNEL_ABI_MMAP,
		.overwrite = 1,
	};
	struct lttng_kernel_abi_event event = {
		.instrumentation = LTTNG_KERNEL_ABI_TRACEPOINT,
	};
	int lttng, channel;
	unsigned long len;

	lttng = open("/proc/lttng", O_RDWR);
	if (lttng < 0)
		die("/proc/lttng");
	s->session = ioctl_or_die(lttng, LTTNG_KERNEL_ABI_SESSION, NULL, "session");
	channel = ioctl_or_die(s->session, LTTNG_KERNEL_ABI_CHANNEL, &config, "channel");
	if (stack)
		ioctl_or_die(channel, LTTNG_KERNEL_ABI_CONTEXT, &context, "call stack");
	s->stream = ioctl_or_die(channel, LTTNG_KERNEL_ABI_STREAM, NULL, "stream");
	len = get(s->stream, GET_MMAP_LEN, "mmap length");
	s->map = mmap(NULL, len, PROT_READ, MAP_SHARED, s->stream, 0);
	if (s->map == MAP_FAILED)
		die("mmap");
	strncpy(event.name, name, sizeof(event.name) - 1);
	s->event = ioctl_or_die(channel, LTTNG_KERNEL_ABI_EVENT, &event, "event");
	ioctl_or_die(s->event, LTTNG_KERNEL_ABI_ENABLE, NULL, "enable");
	ioctl_or_die(s->session, LTTNG_KERNEL_ABI_SESSION_START, NULL, "start");
}

static void run(const char *op, unsigned long count, unsigned int repeat, char *result, size_t size)
{
	char text[128];
	ssize_t len;
	int fd = open("/proc/bench", O_RDWR);

	if (fd < 0)
		die("/proc/bench");
	len = snprintf(text, sizeof(text), "%s %lu %u", op, count, repeat);
	if (write(fd, text, len) != len)
		die(op);
	len = pread(fd, result, size - 1, 0);
	if (len <= 0)
		die(op);
	result[len - 1] = '\0';
	close(fd);
}

/* The expected events of a packet, from the last one backwards. */
struct expect {
	size_t size;		/* of an event */
	unsigned long count;	/* numbers go from this to 1, again and again */
	unsigned long number;	/* of the last checked event; 0: none */
};

static int event_is(const char *at, struct expect *e)
{
	unsigned long next = e->number % e->count + 1;
	unsigned long long big;
	int number;

	e->number = next;
	if (e->size == EVENT_HEADER)
		return 1;
	memcpy(&number, at + EVENT_HEADER, sizeof(number));
	memcpy(&big, at + EVENT_HEADER + sizeof(number), sizeof(big));
	return (unsigned int)number == next && big == next &&
	       (e->size == EVENT_HEADER + 12 || !strcmp(at + EVENT_HEADER + 12, TEXT));
}

/* The number of events in a packet. */
static unsigned long packet_events(const char *packet, size_t len, struct expect *e)
{
	unsigned long events = 0;

	while (len >= PACKET_HEADER + e->size) {
		len -= e->size;
		if (!event_is(packet + len, e) ||
		    (len > PACKET_HEADER + LONGER && packet[len] & EVENT_ID))
			wrong("an event does not read as it was written");
		events++;
	}
	if (len > PACKET_HEADER + LONGER)
		wrong("there is something else in a packet");
	return events;
}

static void check(struct session *s, struct expect *e, unsigned long total, double *bytes)
{
	unsigned long from, to, at, offset, content = 0, seq = 0, events, all = 0, most = 0;
	int fd = s->stream;

	ioctl_or_die(fd, FLUSH, NULL, "flush");
	ioctl_or_die(fd, SNAPSHOT, NULL, "snapshot");
	from = get(fd, SNAPSHOT_GET_CONSUMED, "consumed");
	to = get(fd, SNAPSHOT_GET_PRODUCED, "produced");
	for (at = to; at != from;) {
		at -= SUBBUF_SIZE;
		ioctl_or_die(fd, GET_SUBBUF, &at, "packet");
		offset = get(fd, GET_MMAP_READ_OFFSET, "offset");
		content = get(fd, LTTNG_KERNEL_ABI_RING_BUFFER_GET_CONTENT_SIZE, "size") / 8;
		seq = get(fd, LTTNG_KERNEL_ABI_RING_BUFFER_GET_SEQ_NUM, "number");
		if (get(fd, LTTNG_KERNEL_ABI_RING_BUFFER_GET_EVENTS_DISCARDED, "discarded"))
			wrong("events were discarded");
		events = packet_events(s->map + offset, content, e);
		if (events > most)
			most = events;
		all += events;
		ioctl_or_die(fd, PUT_SUBBUF, NULL, "put");
	}
	/* overwritten packets had about as many events as the fullest one */
	all += seq * most;
	if (!most || all > total + 4 * (seq + 1) || all + 4 * (seq + 1) < total) {
		fprintf(stderr, "session: %lu events, not %lu\n", all, total);
		exit(1);
	}
	*bytes = (double)SUBBUF_SIZE / most;
}

/* The newest packet ends with the last two events: how far are they apart? */
static void check_stacks(struct session *s, struct expect *e, double *bytes)
{
	const size_t fields = e->size - EVENT_HEADER;
	unsigned long at, content, offset, from;
	const char *packet;
	int fd = s->stream;

	ioctl_or_die(fd, FLUSH, NULL, "flush");
	ioctl_or_die(fd, SNAPSHOT, NULL, "snapshot");
	at = get(fd, SNAPSHOT_GET_PRODUCED, "produced") - SUBBUF_SIZE;
	ioctl_or_die(fd, GET_SUBBUF, &at, "packet");
	offset = get(fd, GET_MMAP_READ_OFFSET, "offset");
	content = get(fd, LTTNG_KERNEL_ABI_RING_BUFFER_GET_CONTENT_SIZE, "size") / 8;
	packet = s->map + offset;
	from = content - e->size;
	if (!event_is(packet + from, e))
		wrong("the last event does not read as it was written");
	for (at = from - fields; at > PACKET_HEADER; at--) {
		e->number = 1;
		if (event_is(packet + at, e))
			break;
	}
	if (at <= PACKET_HEADER)
		wrong("there is no event before the last one");
	*bytes = from - at;
}

int main(int argc, char **argv)
{
	struct expect expect = { };
	struct session session;
	unsigned int repeat;
	char result[128];
	double bytes;
	bool stack;

	stack = argc == 6 && !strcmp(argv[1], "-s");
	argc -= stack;
	argv += stack;
	if (argc != 5)
		return 2;
	expect.count = atol(argv[3]);
	repeat = atoi(argv[4]);
	expect.size = EVENT_HEADER;
	if (strcmp(argv[1], "bench_none"))
		expect.size += 12;
	if (!strcmp(argv[1], "bench_event"))
		expect.size += sizeof(TEXT);
	session_create(&session, argv[1], stack);
	run(argv[2], expect.count, repeat, result, sizeof(result));
	ioctl_or_die(session.session, LTTNG_KERNEL_ABI_SESSION_STOP, NULL, "stop");
	if (stack)
		check_stacks(&session, &expect, &bytes);
	else
		check(&session, &expect, expect.count * repeat, &bytes);
	printf("%s 0 %.2f\n", result, bytes);
	return 0;
}
