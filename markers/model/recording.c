// SPDX-License-Identifier: GPL-2.0
/* See recording.h. */
#include "recording.h"

DEFINE_PER_CPU(struct ring_cpu *, marker_ring_cpu);

LIST_HEAD(marker_recordings);

struct marker_recording marker_top ____cacheline_aligned = {
	.live = MARKER_LIVE_OFF,
	.ring = &marker_ring_cpu,
	.triggers = LIST_HEAD_INIT(marker_top.triggers),
	.rules = MARKER_RULES_INIT(marker_top.rules),
};

void marker_recording_init(struct marker_recording *recording, const char *name)
{
	recording->live = MARKER_LIVE_OFF;
	recording->name = name;
	INIT_LIST_HEAD(&recording->triggers);
	INIT_LIST_HEAD(&recording->rules.list);
	INIT_LIST_HEAD(&recording->rules.globs);
	recording->rules.changes = 1;
}
