/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The metadata of a trace before its events: which machine, which clock, which contexts.
 */
#ifndef _MARKERS_ENV_H
#define _MARKERS_ENV_H

#include <markers/format/metadata.h>
#include "buffer.h"

/**
 * marker_env_header() - marker_metadata_header() for a buffer
 * @out:	where the text goes
 * @buffer:	whose trace
 *
 * Context: That of @out->emit; does not sleep by itself.
 */
void marker_env_header(const struct marker_metadata_out *out,
		       const struct marker_buffer *buffer);

#endif /* _MARKERS_ENV_H */
