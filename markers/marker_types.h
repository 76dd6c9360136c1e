/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data that a marker leaves in its module, and nothing else: no logic, so
 * that the header every client includes stays light.
 */
#ifndef _MARKERS_MARKER_TYPES_H
#define _MARKERS_MARKER_TYPES_H

/* struct marker.state: what a hit has to do; 0 = disabled */
#define MARKER_RECORD		1	/* into the ring buffer: one of these three, */
#define MARKER_RECORD_INTS	2	/* as it has integers only, */
#define MARKER_RECORD_STRING	4	/* or a string behind them */
#define MARKER_PROBED		8	/* to the registered probes */

#ifndef __ASSEMBLY__

#include <linux/compiler.h>
#include <linux/types.h>

struct marker_event;

/* struct marker.kind: how its sites are switched */
enum marker_kind {
	MARKER_KIND_PATCH,	/* by writing to their code */
	MARKER_KIND_BRANCH,	/* by a load of @state, a test and a branch */
	MARKER_KIND_GUARD,	/* by a page that they read and that is taken away */
};

/**
 * struct marker - one trace_mark() in the source
 * @state:	MARKER_* bits; first, for the thunk.  Written by the registry under
 *		its mutex, read by every hit without a lock.
 * @kind:	enum marker_kind; constant
 * @event:	what the registry knows about it.  Set once, when the module
 *		comes and before @state can be anything but 0; NULL if the
 *		marker was refused.
 * @name:	as written in the source
 * @format:	the format string
 *
 * Lives in section __markers of the client, so a marker inlined into ten
 * places is one of these with ten sites.
 */
struct marker {
	u32 state;
	u32 kind;
	struct marker_event *event;
	const char *name;
	const char *format;
};

/**
 * struct marker_site_record - where a marker's code is, in section __marker_sites
 * @code:	offset from here to the site's instruction, or 0 if the site is a
 *		load and a branch
 * @marker:	offset from &marker to the struct marker
 *
 * Written by the assembler (arch/<arch>/site.h), read by the registry.
 */
struct marker_site_record {
	s32 code;
	s32 marker;
};

#endif /* !__ASSEMBLY__ */

#endif /* _MARKERS_MARKER_TYPES_H */
