// SPDX-License-Identifier: GPL-2.0
/*
 * The metadata of a trace before its events, for the files (reader_ctf.c) and for memory
 * dumps (crash_notes.c).
 */
#include <linux/string.h>
#include <linux/utsname.h>

#include <markers/version.h>
#include "env.h"

void marker_env_header(const struct marker_metadata_out *out, const u8 *uuid,
		       const struct marker_clock *clock, u32 contexts)
{
	struct marker_metadata_env env = {
		.hostname = init_utsname()->nodename,
		.kernel_release = init_utsname()->release,
		.kernel_version = init_utsname()->version,
		.tracer_major = MARKERS_VERSION_MAJOR,
		.tracer_minor = MARKERS_VERSION_MINOR,
		.clock_name = clock->name,
		.clock_description = clock->description,
		.clock_freq = clock->frequency,
		.clock_offset_s = clock->offset_s,
		.clock_offset = clock->offset,
		.contexts = marker_context_set(contexts),
	};

	memcpy(env.uuid, uuid, sizeof(env.uuid));
	marker_metadata_header(out, &env);
}
