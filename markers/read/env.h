/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The metadata of a trace before its events: which machine, which clock, which contexts.
 */
#ifndef _MARKERS_ENV_H
#define _MARKERS_ENV_H

#include <markers/format/metadata.h>
#include <markers/ring/clock.h>

/**
 * marker_env_header() - marker_metadata_header() for a trace of this machine
 * @out:	where the text goes
 * @uuid:	of the trace
 * @clock:	of its times
 * @contexts:	of each event: MARKER_CONTEXT_TAG()
 *
 * Context: That of @out->emit; does not sleep by itself.
 */
void marker_env_header(const struct marker_metadata_out *out, const u8 *uuid,
		       const struct marker_clock *clock, u32 contexts);

#endif /* _MARKERS_ENV_H */
