/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The metadata of a trace: TSDL text (CTF 1.8) made from field tables.
 *
 * It emits the text piece by piece, into a file, a buffer or a count of bytes.
 */
#ifndef _MARKERS_METADATA_H
#define _MARKERS_METADATA_H

#include <markers/uapi/ctf.h>
#include "context.h"
#include "format.h"

/* Begins the line with the format of an event: a comment, so other readers pass over it. */
#define MARKER_METADATA_FORMAT	"\t/* format \""

/**
 * struct marker_metadata_out - where the text goes
 * @emit:	called for each piece, in order; no NUL at its end
 * @ctx:	given to @emit
 */
struct marker_metadata_out {
	void (*emit)(void *ctx, const char *text, size_t len);
	void *ctx;
};

/**
 * struct marker_metadata_env - data about a trace other than its events
 * @uuid:		the trace, same as in the packet headers
 * @hostname:		where it was recorded
 * @kernel_release:	as uname -r
 * @kernel_version:	as uname -v
 * @tracer_major:	version of the module
 * @tracer_minor:	version of the module
 * @clock_name:		a C identifier, such as "monotonic"
 * @clock_description:	one line about the clock
 * @clock_freq:		ticks in a second
 * @clock_offset_s:	seconds to add to the clock for the time since 1970; may be
 *			negative
 * @clock_offset:	ticks to add, less than @clock_freq
 * @contexts:		the contexts of each event: a set
 *
 * The strings are escaped, and none may be NULL.
 */
struct marker_metadata_env {
	u8 uuid[CTF_UUID_SIZE];
	const char *hostname;
	const char *kernel_release;
	const char *kernel_version;
	unsigned int tracer_major;
	unsigned int tracer_minor;
	const char *clock_name;
	const char *clock_description;
	u64 clock_freq;
	s64 clock_offset_s;
	u64 clock_offset;
	u32 contexts;
};

/**
 * marker_metadata_header() - all before the first event
 * @out:	where the text goes
 * @env:	data about the trace
 *
 * Types, trace, environment, clock, and the only stream class, with the packet
 * and event headers of uapi/ctf.h, and the contexts of events.
 *
 * Context: That of @out->emit; does not sleep by itself.
 */
void marker_metadata_header(const struct marker_metadata_out *out,
			    const struct marker_metadata_env *env);

/**
 * marker_metadata_event() - one event class
 * @out:	where the text goes
 * @uuid:	the trace, as for marker_metadata_header()
 * @id:		the id in the event's headers, distinct in the trace
 * @name:	such as "module:marker"
 * @format:	its field table
 *
 * Context: That of @out->emit; does not sleep by itself.
 */
void marker_metadata_event(const struct marker_metadata_out *out,
			   const u8 *uuid, u32 id, const char *name,
			   const struct marker_format *format);

#endif /* _MARKERS_METADATA_H */
