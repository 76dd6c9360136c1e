/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of an event in a trace, for readers.
 *
 * Pure: no allocation, no lock, user space too.
 */
#ifndef _MARKERS_SERIALIZED_H
#define _MARKERS_SERIALIZED_H

#include "format.h"

/**
 * marker_serialized_size() - bytes that an event's fields take in a buffer
 * @format:	its field table
 * @from:	its first byte
 * @avail:	bytes that may be looked at
 *
 * For readers: walks the bytes, trusts nothing.
 *
 * Context: Any; does not sleep.
 * Return: the bytes, or -EINVAL if they do not end within @avail.
 */
int marker_serialized_size(const struct marker_format *format, const void *from,
			   u32 avail);

#endif /* _MARKERS_SERIALIZED_H */
