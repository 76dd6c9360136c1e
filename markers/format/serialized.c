// SPDX-License-Identifier: GPL-2.0
/*
 * Where the fields of an event end.  The bytes may be garbage.
 */
#include "serialized.h"

/* Bytes of one field at @from, or -EINVAL if it does not end in @avail. */
static int field_size(const struct marker_field *field, const char *from,
		      u32 avail)
{
	const char *nul;
	u16 len;

	switch (field->type) {
	case MARKER_FIELD_STRING:
		nul = memchr(from, '\0', avail);
		return nul ? nul - from + 1 : -EINVAL;
	case MARKER_FIELD_SEQUENCE:
		if (avail < sizeof(len))
			return -EINVAL;
		memcpy(&len, from, sizeof(len));
		return len <= field->max ? (int)sizeof(len) + len : -EINVAL;
	default:
		return field->size;
	}
}

int marker_serialized_size(const struct marker_format *format, const void *from,
			   u32 avail)
{
	unsigned int i;
	u32 done = 0;
	int size;

	if (!format->nr_variable)
		return format->fixed_size <= avail ? format->fixed_size : -EINVAL;
	for (i = 0; i < format->nr_fields; i++) {
		size = field_size(&format->field[i],
				  (const char *)from + done, avail - done);
		if (size < 0 || (u32)size > avail - done)
			return -EINVAL;
		done += size;
	}
	return done;
}
