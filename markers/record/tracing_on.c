// SPDX-License-Identifier: GPL-2.0
/*
 * On and off: recording->live says what is wanted, and the ring follows.  Tasks and hits
 * change it at the same time, even in NMI, so there is no lock.  Each writer sets the ring,
 * then reads it again and repeats if it has changed: so the last writer leaves the ring
 * in the state that is wanted.
 */

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include <markers/marker_types.h>
#include "record_internal.h"

void marker_recording_set_ring(struct ring *ring, u32 live)
{
	if (live == MARKER_LIVE_OFF)
		ring_stop(ring);
	else if (live == MARKER_LIVE_ENDING)
		ring_start_slow(ring);
	else
		ring_start(ring);
}

/*
 * All CPUs write the same ring, except while it is being replaced: then either we find the
 * new one here, or marker_recording_replace() finds what we want.
 */
void marker_recording_follow(const struct marker_recording *recording)
{
	struct ring_cpu *writer;
	u32 live;

	/* No preemption: a task must not set the ring by an old value later. */
	preempt_disable_notrace();
	do {
		live = READ_ONCE(recording->live);
		if (live == MARKER_LIVE_OFF || !READ_ONCE(recording->starts_held)) {
			writer = READ_ONCE(*raw_cpu_ptr(recording->ring));
			marker_recording_set_ring(writer->ring, live);
		}
		/* The ring is set before the second look. */
		smp_mb();
	} while (live != READ_ONCE(recording->live));
	preempt_enable_notrace();
}

static void set_live(struct marker_recording *recording, u32 live)
{
	WRITE_ONCE(recording->live, live);
	/* It is written before the ring and starts_held are read. */
	smp_mb();
	marker_recording_follow(recording);
}

void marker_recording_hit_on(struct marker_recording *recording)
{
	set_live(recording, MARKER_LIVE_ON);
}
NOKPROBE_SYMBOL(marker_recording_hit_on);

/*
 * While events are counted down, the ring shows the quick ways no room, so every event
 * takes the general way, which counts.  The quick ways need no test of their own.
 *
 * The state has no generation.  A hit here, and the event that counts the last number, take two
 * steps each.  If a traceon and the next traceoff:after=N run between the two, the recording
 * can end before N events.  It does end, and the file tracing_on shows that.
 */
void marker_recording_hit_off(struct marker_recording *recording, u32 after)
{
	long left;

	if (!after) {
		set_live(recording, MARKER_LIVE_OFF);
		return;
	}
	/*
	 * Set the number before the state, so no event counts an older one down.  If events
	 * count down the number of another hit, the exchange fails, and that number stays.
	 */
	do {
		left = atomic_long_read(&recording->events_left);
		/* load the number before the state */
		smp_rmb();
		if (!marker_recording_is_recording(recording))
			return;
	} while (atomic_long_cmpxchg(&recording->events_left, left, after) != left);
	if (cmpxchg(&recording->live, MARKER_LIVE_ON, MARKER_LIVE_ENDING) == MARKER_LIVE_ON)
		marker_recording_follow(recording);
}
NOKPROBE_SYMBOL(marker_recording_hit_off);

void marker_recording_count_down(struct marker_recording *recording)
{
	if (atomic_long_dec_if_positive(&recording->events_left) <= 0 &&
	    cmpxchg(&recording->live, MARKER_LIVE_ENDING, MARKER_LIVE_OFF) ==
	    MARKER_LIVE_ENDING)
		marker_recording_follow(recording);
}
NOKPROBE_SYMBOL(marker_recording_count_down);

void marker_recording_hold_starts(struct marker_recording *recording)
{
	WRITE_ONCE(recording->starts_held, true);
	/* wait for hits that have not seen it */
	synchronize_rcu();
}

void marker_recording_release_starts(struct marker_recording *recording)
{
	WRITE_ONCE(recording->starts_held, recording->is_loading);
	/* Either a hit sees the change, or we see what the hit wants. */
	smp_mb();
	marker_recording_follow(recording);
}

void marker_recording_set_on(struct marker_recording *recording, bool on)
{
	mutex_lock(&recording->lock);
	set_live(recording, on ? MARKER_LIVE_ON : MARKER_LIVE_OFF);
	mutex_unlock(&recording->lock);
}

bool marker_recording_is_on(const struct marker_recording *recording)
{
	return READ_ONCE(recording->live) != MARKER_LIVE_OFF;
}
