// SPDX-License-Identifier: GPL-2.0
/*
 * The ring under load: writer threads, each on a CPU of its own.  Signals that write
 * interrupt them, and other signals that write interrupt those.  Reader threads get,
 * peek, steal, flush and wait.
 *
 *	task	the writer thread
 *	irq	SIGUSR1, at random times; and SIGURG, the inter-processor call
 *	nmi	SIGUSR2, at random times, in either of them
 *
 * Each event has its writer (CPU, context), its number in that context, and a checksum
 * over all, so the test can tell torn, duplicated, lost and misplaced events apart.
 * In the end, the ring must have counted exactly the missing events.
 *
 * RING_STRESS_SECONDS (default 2.4), RING_STRESS_WRITERS (default 2).  With
 * RING_STRESS_EVENTS ("make soak"), each mode goes on until the readers have verified that
 * many events, in a ring that is large enough for most of them; the seconds are then the
 * limit for an event that does not come.
 *
 * With ThreadSanitizer ("make tsan") the writers interrupt themselves, by function calls in
 * the right places.  It checks what goes on between threads, which is the same.
 */
#include <markers/ring/packet.h>
#include <markers/ring/packet_read.h>
#include "new_ring.h"
#include "tap.h"
#include "thread_cpus.h"

#define SUBBUF_SIZE_MAX	16384

enum context { TASK, IRQ, NMI, NR_CONTEXTS };

struct event {
	u8 cpu;
	u8 context;
	u16 len;
	u32 number;
	u32 sum;
} __attribute__((packed));

/* What a CPU did, by its own counts.  [context]: each context has its own. */
struct cpu {
	u32 offered[NR_CONTEXTS];
	u64 kept[NR_CONTEXTS];
	u64 nested;		/* another reserve interrupted this one */
	u64 in_reserve;
	u32 random[NR_CONTEXTS];

	/* The reader. */
	u32 next[NR_CONTEXTS];
	u64 received;
	u64 missing;
	u64 last_ts;
	u64 next_seq;
	u64 seq_gaps;
	u64 lost;
	u64 packets, peeked, counted, stolen;
};

static struct cpu cpus[MAX_WRITERS];
static struct ring *ring;
static bool stop;
static u64 wanted_events;	/* to be read; 0: as many as come */
static u64 nr_received;		/* of all CPUs, for the main thread, which waits */
static u32 subbuf_size = 4096;
static u32 nr_subbufs = 4;
static u32 calm = 1;		/* divides the rate of signals and pauses */
static u32 burst = 500;		/* events: more than fit into the ring */
static enum ring_mode mode;
static int errors;
static int awaited_cpu;		/* by the reader; or RING_ALL_CPUS */
static u8 uuid[CTF_UUID_SIZE];

static void bad(const char *what, int cpu, u64 got, u64 wanted)
{
	if (__atomic_fetch_add(&errors, 1, __ATOMIC_RELAXED) < 10)
		printf("# cpu %d: %s: got %llu, wanted %llu\n", cpu, what,
		       (unsigned long long)got, (unsigned long long)wanted);
}

static u32 rnd(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static u32 checksum(const struct event *e, const u8 *data)
{
	u32 sum = e->cpu + (e->context << 8) + (e->len << 16) + e->number * 31;
	u32 i;

	for (i = 0; i < e->len; i++)
		sum = sum * 31 + data[i];
	return sum;
}

static u32 id_of(u32 number)
{
	return number % 7 ? number % 31 : number % 3 ? 31 : 65536;
}

static void on_irq(int sig);
static void on_nmi(int sig);

/* In place of signals. */
static void interrupt(enum context context)
{
	static __thread u32 random = 1;
	u32 r = rnd(&random);

	if (context < IRQ)
		on_call(0);
	if (context < IRQ && r % 16 == 0)
		on_irq(0);
	if (context < NMI && r % 16 == 1)
		on_nmi(0);
}

static void write_event(enum context context)
{
	struct cpu *c = &cpus[unit_cpu];
	struct event e = { .cpu = unit_cpu, .context = context };
	struct ring_cpu *rc = ring_this_cpu(ring);
	u32 r = rnd(&c->random[context]);
	struct ring_record rec;
	u64 in_reserve;
	u8 data[SUBBUF_SIZE_MAX], *p;
	u32 i;

	e.number = c->offered[context]++;
	e.len = r % 64 ? r % 120 : r % 2500;
	if (r % 8192 == 1)
		e.len = subbuf_size - 6;	/* does not fit */
	for (i = 0; i < e.len; i++)
		data[i] = e.number + i;
	e.sum = checksum(&e, data);

	in_reserve = c->in_reserve;
	c->in_reserve = context + 1;
	if (!packet_reserve(rc, &rec, id_of(e.number), sizeof(e) + e.len)) {
		c->in_reserve = in_reserve;
		return;
	}
	p = packet_event_header(&rec, id_of(e.number));
	memcpy(p, &e, sizeof(e));
	for (i = 0; i < r % 100; i++)	/* time for an interrupt */
		barrier();
	if (!SIGNALS)
		interrupt(context);
	memcpy(p + sizeof(e), data, e.len);
	ring_commit(rc, &rec);
	c->in_reserve = in_reserve;
	if (in_reserve)
		c->nested++;
	WRITE_ONCE(c->kept[context], c->kept[context] + 1);
}

static void on_irq(int sig)
{
	int saved = errno;
	u32 n = rnd(&cpus[unit_cpu].random[IRQ]);

	(void)sig;
	/* Now and then, more than fits into the whole ring. */
	n = n % (64 * calm) ? n % 8 : burst;
	while (n--)
		write_event(IRQ);
	errno = saved;
}

static void on_nmi(int sig)
{
	int saved = errno;
	u32 n = rnd(&cpus[unit_cpu].random[NMI]);

	(void)sig;
	n = n % (64 * calm) ? n % 4 : burst * 4 / 5;
	while (n--)
		write_event(NMI);
	errno = saved;
}

static void *writer(void *arg)
{
	struct cpu *c = arg;
	timer_t irq = NULL, nmi = NULL;
	u32 r;

	unit_cpu = c - cpus;
	if (SIGNALS) {
		set_signals(SIG_UNBLOCK);
		irq = start_timer(SIG_IRQ, (53000 + 1000 * unit_cpu) * calm);
		nmi = start_timer(SIG_NMI, (31000 + 1000 * unit_cpu) * calm);
	}

	while (!READ_ONCE(stop)) {
		write_event(TASK);
		r = rnd(&c->random[TASK]);
		if (!(r % (256 * calm)))
			usleep(r % 100);
		if (!SIGNALS)
			on_call(0);
	}

	if (SIGNALS) {
		timer_delete(irq);
		timer_delete(nmi);
	}
	stop_cpu(unit_cpu);
	return NULL;
}

/* Check the events of a packet.  @order: it comes after the previous packet. */
static void check_packet(int cpu, const struct ring_packet *packet, bool order)
{
	struct cpu *c = &cpus[cpu];
	u32 id, avail, n = 0;
	struct packet_iter iter;
	const u8 *payload;
	struct event e;
	u64 ts, last = 0;

	if (packet_iter_init(&iter, packet->data, packet->size)) {
		bad("packet header", cpu, 0, 0);
		return;
	}
	last = iter.header.timestamp_begin;
	if (iter.header.cpu_id != (u32)cpu)
		bad("packet's cpu", cpu, iter.header.cpu_id, cpu);
	if (iter.header.packet_seq_num != packet->seq)
		bad("packet's number", cpu, iter.header.packet_seq_num, packet->seq);
	if (packet->lost < packet->lost_before)
		bad("lost", cpu, packet->lost, packet->lost_before);
	if (order) {
		if (last < c->last_ts)
			bad("time of packet", cpu, last, c->last_ts);
		if (packet->seq < c->next_seq || (mode == RING_DISCARD && packet->seq != c->next_seq))
			bad("sequence", cpu, packet->seq, c->next_seq);
		if (packet->lost_before < c->lost)
			bad("lost before", cpu, packet->lost_before, c->lost);
		c->seq_gaps += packet->seq - c->next_seq;
		c->next_seq = packet->seq + 1;
		c->lost = packet->lost;
		c->last_ts = iter.header.timestamp_end;
	}

	while (!packet_iter_next(&iter, &id, &ts, &payload, &avail)) {
		if (ts < last)
			bad("time", cpu, ts, last);
		last = ts;
		if (avail < sizeof(e))
			break;
		memcpy(&e, payload, sizeof(e));
		if (avail < sizeof(e) + e.len || e.sum != checksum(&e, payload + sizeof(e)) ||
		    e.cpu != cpu || e.context >= NR_CONTEXTS || id != id_of(e.number)) {
			bad("torn event", cpu, n, packet->nr_events);
			return;
		}
		if (order) {
			if (e.number < c->next[e.context])
				bad("order", cpu, e.number, c->next[e.context]);
			c->missing += e.number - c->next[e.context];
			c->next[e.context] = e.number + 1;
			c->received++;
		}
		n++;
		packet_iter_advance(&iter, sizeof(e) + e.len);
	}
	if (iter.at != iter.end)
		bad("bytes left", cpu, iter.end - iter.at, 0);
	/* By then, the ring must have counted any loss that shows in the numbers. */
	if (order && mode == RING_DISCARD && c->missing > c->lost)
		bad("missing", cpu, c->lost, c->missing);
	if (n != packet->nr_events || n != iter.header.nr_events)
		bad("number of events", cpu, n, packet->nr_events);
}

/* Keep the memory of a packet, and give the ring other memory for it. */
static bool steal(int cpu, struct ring_packet *packet)
{
	void *data = ring_subbuf_alloc(subbuf_size, cpu, 0);

	if (!data)
		return false;
	ring_exchange(ring, cpu, packet, data);
	return true;
}

static void read_cpu(int cpu, u32 *random)
{
	struct cpu *c = &cpus[cpu];
	struct ring_packet packet;

	ring_reader_lock(ring, cpu);
	while (!ring_get(ring, cpu, &packet)) {
		c->packets++;
		check_packet(cpu, &packet, true);
		if (rnd(random) % 8 == 0 && steal(cpu, &packet)) {
			ring_subbuf_free(packet.data, subbuf_size);
			c->stolen++;
			continue;
		}
		ring_put(ring, cpu, &packet);
	}
	ring_reader_unlock(ring, cpu);
}

/*
 * Each event of a task, for that has interrupted none: all that came before it on its CPU is
 * complete.
 */
static u64 count_tasks_events(void)
{
	u64 events = 0;
	int cpu;

	for (cpu = 0; cpu < nr_writers; cpu++) {
		if (awaited_cpu == RING_ALL_CPUS || awaited_cpu == cpu)
			events += READ_ONCE(cpus[cpu].kept[TASK]);
	}
	return events;
}

static void *reader(void *arg)
{
	u32 random = 5;
	u64 received;
	int cpu;

	(void)arg;
	unit_cpu = NR_CPUS - 1;
	while (!READ_ONCE(stop)) {
		u32 r = rnd(&random);

		/* Sometimes eager, sometimes too late. */
		awaited_cpu = r % 2 ? RING_ALL_CPUS : (int)(r / 2 % nr_writers);
		ring_wait(ring, awaited_cpu);
		if (r % 4 == 0 || wanted_events)
			usleep(rnd(&random) % 1000);
		received = 0;
		for (cpu = 0; cpu < nr_writers; cpu++) {
			read_cpu(cpu, &random);
			received += cpus[cpu].received;
		}
		WRITE_ONCE(nr_received, received);
	}
	return NULL;
}

/* In discard mode, events up to a position were read or are there; the caller has the lock. */
static void check_position(int cpu, const struct ring_position *mark, void *copy)
{
	struct ring_packet packet;
	u64 seq = 0, events = 0;

	if (mark->recorded == U64_MAX)
		return;
	while (!ring_peek(ring, cpu, &seq, mark, copy, &packet))
		events = (events ?: packet.gone) + packet.nr_events;
	if (events && events != mark->recorded)
		bad("events up to a position", cpu, events, mark->recorded);
	cpus[cpu].counted += !!events;
}

static void *peeker(void *arg)
{
	static u8 copy[SUBBUF_SIZE_MAX];
	u64 seq[MAX_WRITERS] = { 0 };
	struct ring_packet packet;
	struct ring_position mark;
	u32 random = 6;
	int cpu;

	(void)arg;
	unit_cpu = NR_CPUS - 2;
	while (!READ_ONCE(stop)) {
		cpu = rnd(&random) % nr_writers;
		if (rnd(&random) % 16 == 0)
			ring_flush(ring, cpu);
		ring_position(ring, cpu, &mark);
		ring_reader_lock(ring, cpu);
		if (mode == RING_DISCARD)
			check_position(cpu, &mark, copy);
		while (!ring_peek(ring, cpu, &seq[cpu], &mark, copy, &packet)) {
			check_packet(cpu, &packet, false);
			cpus[cpu].peeked++;
		}
		ring_reader_unlock(ring, cpu);
		usleep(rnd(&random) % 300);
	}
	return NULL;
}

static void check_cpu(int cpu, const char *name, struct ring_stats *sum)
{
	struct cpu *c = &cpus[cpu];
	u64 offered = 0, kept = 0, lost, missing = c->missing;
	struct ring_stats s;
	int i;

	ring_stats(ring, cpu, &s);
	for (i = 0; i < NR_CONTEXTS; i++) {
		offered += c->offered[i];
		kept += c->kept[i];
		missing += c->offered[i] - c->next[i];
	}
	lost = s.lost[RING_LOST_FULL] + s.lost[RING_LOST_BIG] + s.lost[RING_LOST_NO_BUFFER];
	printf("# %s, cpu %d: %llu events (%u irq, %u nmi, %llu nested), %llu read, %llu lost, %llu big, %llu overwritten, %llu packets, %llu stolen, %llu peeked, %llu counted\n",
	       name, cpu, (unsigned long long)offered, c->offered[IRQ], c->offered[NMI],
	       (unsigned long long)c->nested, (unsigned long long)c->received,
	       (unsigned long long)s.lost[RING_LOST_FULL],
	       (unsigned long long)s.lost[RING_LOST_BIG],
	       (unsigned long long)s.overwritten, (unsigned long long)c->packets,
	       (unsigned long long)c->stolen, (unsigned long long)c->peeked,
	       (unsigned long long)c->counted);
	is_int(s.written, offered, "%s: cpu %d: written is what was offered", name, cpu);
	is_int(s.delivered, kept, "%s: cpu %d: delivered is what was kept", name, cpu);
	is_int(s.read, c->received, "%s: cpu %d: read is what was received", name, cpu);
	is_int(s.unread + s.open, 0, "%s: cpu %d: nothing is left", name, cpu);
	is_int(missing, lost + s.overwritten, "%s: cpu %d: what is missing was counted", name, cpu);
	is_int(s.read + lost + s.overwritten, s.written, "%s: cpu %d: balanced", name, cpu);
	if (mode == RING_DISCARD)
		ok(!s.overwritten && !c->seq_gaps, "%s: cpu %d: nothing is overwritten", name, cpu);
	sum->written += s.written;
	sum->read += s.read;
	sum->lost[0] += lost;
	sum->overwritten += s.overwritten;
}

/* Wait for the wanted events, or until none comes for @seconds; else just for @seconds. */
static void wait_for_events(double seconds)
{
	u64 last = 0, received;
	double idle = 0;

	if (!wanted_events) {
		usleep(seconds * 1e6);
		return;
	}
	while ((received = READ_ONCE(nr_received)) < wanted_events && idle < seconds) {
		idle = received == last ? idle + 0.01 : 0;
		last = received;
		usleep(10000);
	}
}

static void phase(const char *name, enum ring_mode m, bool counter, double seconds)
{
	pthread_t reader_thread, peeker_thread;
	struct ring_stats sum = { };
	u64 nested = 0, began;
	int cpu;

	mode = m;
	marker_clock.counter = counter;
	errors = 0;
	unit_wait_timeouts = 0;
	WRITE_ONCE(stop, false);
	WRITE_ONCE(nr_received, 0);
	began = ktime_get_real_ns();
	memset(cpus, 0, sizeof(cpus));
	ring = unit_new_ring(subbuf_size, nr_subbufs, m, &packet_ring_ops, uuid);

	for (cpu = 0; cpu < nr_writers; cpu++) {
		struct cpu *c = &cpus[cpu];

		c->random[TASK] = cpu * 3 + 1;
		c->random[IRQ] = cpu * 3 + 2;
		c->random[NMI] = cpu * 3 + 3;
		start_cpu(cpu, writer, c);
	}
	pthread_create(&reader_thread, NULL, reader, NULL);
	pthread_create(&peeker_thread, NULL, peeker, NULL);

	wait_for_events(seconds);
	WRITE_ONCE(stop, true);
	for (cpu = 0; cpu < nr_writers; cpu++)
		pthread_join(thread_cpus[cpu].thread, NULL);
	/* The reader may wait for an event that does not come any more. */
	while (pthread_tryjoin_np(reader_thread, NULL)) {
		ring_wakeup(ring);
		usleep(1000);
	}
	pthread_join(peeker_thread, NULL);

	ring_flush(ring, RING_ALL_CPUS);
	for (cpu = 0; cpu < nr_writers; cpu++) {
		u32 random = 1;

		read_cpu(cpu, &random);
		check_cpu(cpu, name, &sum);
		nested += cpus[cpu].nested;
	}
	printf("# %s: %llu written, %llu read and verified one by one, %llu lost, %llu overwritten; %llu inside of another; %.1f s\n",
	       name, (unsigned long long)sum.written, (unsigned long long)sum.read,
	       (unsigned long long)sum.lost[0], (unsigned long long)sum.overwritten,
	       (unsigned long long)nested, (ktime_get_real_ns() - began) / 1e9);
	is_int(errors, 0, "%s: every packet is in order", name);
	if (wanted_events)
		ok(sum.read >= wanted_events, "%s: %llu events went all the way", name,
		   (unsigned long long)sum.read);
	is_int(unit_wait_timeouts, 0, "%s: no wake-up was lost", name);
	ring_destroy(ring);
}

int main(void)
{
	const char *env = getenv("RING_STRESS_SECONDS");
	double seconds = env ? atof(env) : 2.4;
	long pages = unit_pages;

	env = getenv("RING_STRESS_WRITERS");
	if (env)
		nr_writers = max(1, min(MAX_WRITERS, atoi(env)));

	init_cpus(on_irq, on_nmi);
	unit_progress = count_tasks_events;
	clock_init("mono");
	ring_init();

	env = getenv("RING_STRESS_EVENTS");
	if (env) {
		wanted_events = strtoull(env, NULL, 10);
		subbuf_size = SUBBUF_SIZE_MAX;
		nr_subbufs = 16;
		calm = 4;
		burst = 6000;
	}

	phase("discard", RING_DISCARD, true, seconds / 4);
	phase("overwrite", RING_OVERWRITE, true, seconds / 4);
	if (!wanted_events) {
		phase("discard, mono", RING_DISCARD, false, seconds / 4);
		phase("overwrite, mono", RING_OVERWRITE, false, seconds / 4);
	}

	ring_exit();
	is_int(unit_pages, pages, "no page is left");
	return tap_done();
}
