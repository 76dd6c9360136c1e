/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data that a marker leaves in its module, and nothing else: no logic, so
 * that the header every client includes stays light.
 */
#ifndef _MARKERS_MARKER_TYPES_H
#define _MARKERS_MARKER_TYPES_H

/*
 * What a client and markers.ko must agree on without a function's prototype to say
 * so: the structs and the kinds below, the labels and sections that marker.h makes,
 * and what a cold block hands to the thunk.  Add one whenever one of these changes.
 * markers.ko refuses to let a client in that was built for another layout.
 */
#define MARKER_LAYOUT		4

/*
 * struct marker.state: what a hit has to do; 0 = disabled.  To the ring buffer, one of
 * the first six, by how the hit records it (enum marker_way of format.h).
 */
#define MARKER_RECORD_NONE	0x100	/* no fields */
#define MARKER_RECORD_INTS	0x200	/* integers */
#define MARKER_RECORD_STRING	0x400	/* integers, and a string after them */
#define MARKER_RECORD_FIXED	0x800	/* integers and bytes behind pointers */
#define MARKER_RECORD_MIXED	0x1000	/* the quick way, but none of these */
#define MARKER_RECORD		0x2000	/* the general way */
/*
 * The sign, for the thunk: with one of the ways, to the one recording that takes all hits and
 * is not the one at the top; else also one of these.
 */
#define MARKER_MORE		0x80000000
#define MARKER_COUNTED		(MARKER_MORE | 0x4000)	/* to the counts of its event */
#define MARKER_PROBED		(MARKER_MORE | 0x8000)	/* to the registered probes */
#define MARKER_FILTERED		(MARKER_MORE | 0x10000)	/* to one ring, if it passes the filter */
#define MARKER_ACTED		(MARKER_MORE | 0x20000)	/* to the actions of its triggers */
#define MARKER_SHARED		(MARKER_MORE | 0x40000)	/* to the takes of its program */
#define MARKER_NOT_TOP		(MARKER_MORE | 0x80000)	/* but not to the one of the top */
/* Probes only: the one state with bit 0 set; the thunk tests parity. */
#define MARKER_ONLY_PROBED	(MARKER_PROBED | 1)

#define MARKER_MAX_NAME		128	/* bytes of a marker's name with the NUL */

#ifndef __ASSEMBLY__

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct marker_event;

/* struct marker.kind: how its sites are switched */
enum marker_kind {
	MARKER_KIND_PATCH,	/* by writing to their code */
	MARKER_KIND_BRANCH,	/* by a load of @state, a test and a branch */
	MARKER_KIND_GUARD,	/* by a page that they read and that is taken away */
};

/**
 * struct marker - one trace_mark(), or one debug statement, in the source
 * @state:	MARKER_* bits; first, for the thunk.  Written by the registry under
 *		its mutex, read by every hit without a lock.
 * @kind:	enum marker_kind; constant, as all below but @event
 * @nr_args:	how many arguments it has; its format must take as many
 * @by_line:	a debug statement (debug.h): @name is its function, and the registry adds
 *		the line
 * @line:	where it is in @file
 * @event:	what the registry knows about it.  Set once, when the module
 *		comes and before @state can be anything but 0; NULL if the
 *		marker was refused.
 * @name:	as written in the source
 * @format:	the format string
 * @file:	the source file, as the compiler was given it
 *
 * Lives in section __markers of the client, so a marker inlined into ten
 * places is one of these with ten sites.
 */
struct marker {
	u32 state;
	u32 kind : 2;
	u32 nr_args : 5;
	u32 by_line : 1;
	u32 line : 24;
	struct marker_event *event;
	const char *name;
	const char *format;
	const char *file;
};

/**
 * struct marker_site_entry - one site, in section __marker_sites of the client
 * @code:	offset from here to the site's instruction, or 0 if the site is a
 *		load and a branch
 * @marker:	offset from &marker to the struct marker
 *
 * The asm of a site (<markers/arch/site.h>) writes it, model/sites.c reads it.
 */
struct marker_site_entry {
	s32 code;
	s32 marker;
};

/**
 * struct marker_client - an object of an optional client, in section __marker_optional
 * @layout:	MARKER_LAYOUT that it was built with, plus __MARKER_SCHEME of <markers/arch/site.h>;
 *		always the first
 * @end:	offset from here to the end of its entries, which follow
 * @bridge:	where its bridge leads to, on architectures that do not write that into its text
 *
 * The asm of a site writes it, model/bridges.c finds it.
 */
struct marker_client {
	u32 layout;
	s32 end;
	unsigned long bridge;
};

/*
 * If this fails, add one to MARKER_LAYOUT, and write the new values here and in
 * scripts/check-formats/check-formats.c and model/sites.c.
 */
static_assert(MARKER_LAYOUT == 4 &&
	      sizeof(struct marker) == 40 &&
	      offsetof(struct marker, state) == 0 &&
	      offsetof(struct marker, event) == 8 &&
	      offsetof(struct marker, name) == 16 &&
	      offsetof(struct marker, format) == 24 &&
	      offsetof(struct marker, file) == 32 &&
	      MARKER_KIND_PATCH == 0 && MARKER_KIND_BRANCH == 1 &&
	      MARKER_KIND_GUARD == 2 &&
	      sizeof(struct marker_client) == 16 &&
	      offsetof(struct marker_client, end) == 4 &&
	      offsetof(struct marker_client, bridge) == 8 &&
	      sizeof(struct marker_site_entry) == 8 &&
	      offsetof(struct marker_site_entry, marker) == 4);

#endif /* !__ASSEMBLY__ */

#endif /* _MARKERS_MARKER_TYPES_H */
