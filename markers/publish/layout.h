/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the fields of an event lie in an entry of the kernel's own tracing, and what readers are
 * told about them: each field has the type of its C argument, where readers expect it.
 *
 *	common fields | integers and bytes, aligned; __data_loc of what varies | what varies
 *
 * Pure: a walk of the field table, without a kernel.
 */
#ifndef _MARKERS_PUBLISH_LAYOUT_H
#define _MARKERS_PUBLISH_LAYOUT_H

#include <markers/format/format.h>

#define PUBLISH_TYPE_SIZE	24	/* "__data_loc u8[]", "unsigned short", with the NUL */
#define PUBLISH_NAME_SIZE	(MARKER_MAX_FIELD_NAME + 4)
#define PUBLISH_FMT_SIZE	8192	/* bytes of a print_fmt, with the NUL */
#define PUBLISH_LEAST		64	/* bytes that a string keeps, whatever else an entry has */

/**
 * struct publish_field - what the file format says of a field
 * @type:	a type of C, or "__data_loc char[]", "__data_loc u8[]"
 * @name:	as in the format; a keyword of C has one more "_" at its end
 * @offset:	in the entry, in bytes
 * @size:	bytes there
 * @align:	a power of two
 * @len:	elements of an array; 0: it is none
 * @is_signed:	for a number
 */
struct publish_field {
	char type[PUBLISH_TYPE_SIZE];
	char name[PUBLISH_NAME_SIZE];
	u16 offset;
	u16 size;
	u8 align;
	u8 len;
	bool is_signed;
};

/**
 * struct publish_step - how a hit fills in a field
 * @offset:	of the field in the entry
 * @limit:	characters of a string, or bytes of a sequence, at most
 * @kind:	enum marker_step_kind
 * @size:	bytes of an integer, or behind a pointer
 * @arg:	the argument with the value or the pointer
 * @len_arg:	the argument with the length, or MARKER_NO_ARG
 */
struct publish_step {
	u16 offset;
	u16 limit;
	u8 kind;
	u8 size;
	u8 arg;
	u8 len_arg;
};

/**
 * struct publish_layout - an entry
 * @size:	bytes of the part whose size is known, with the common fields
 * @perf_size:	publish_perf_size() of that
 * @bitmap_max:	bytes of a bitmap, at most
 * @nr_wide:	how many of @step are integers with eight bytes of that part from their first byte
 *		on: these come first.  Stored as words, in their order and before all others, they
 *		overwrite nothing else, and fill what is between them and the next field.
 * @nr_narrow:	how many after these are other integers
 * @nr_bytes:	after these, bytes behind pointers
 * @nr_varying:	after these, fields that vary, in their order
 * @has_holes:	some other bytes of that part belong to no field
 * @is_quick:	what varies is plain strings and %*ph, which quick_tail.h can read
 * @step:	one for each field
 */
struct publish_layout {
	u16 size;
	u16 perf_size;
	u16 bitmap_max;
	u8 nr_wide;
	u8 nr_narrow;
	u8 nr_bytes;
	u8 nr_varying;
	bool has_holes;
	bool is_quick;
	struct publish_step step[MARKER_MAX_ARGS];
};

/**
 * publish_perf_size() - bytes that perf wants for an entry
 * @size:	of the entry
 *
 * It puts a u32 before it, and wants words of 8 bytes.
 *
 * Context: Any.
 * Return: bytes.
 */
static inline u32 publish_perf_size(u32 size)
{
	return ALIGN(size + sizeof(u32), sizeof(u64)) - sizeof(u32);
}

/**
 * marker_publish_layout() - lay the fields of an event out
 * @layout:	filled in
 * @fields:	room for @format->nr_fields; filled in
 * @format:	the field table
 * @start:	bytes of the common fields
 * @most:	bytes of an entry
 *
 * Context: Any.
 */
void marker_publish_layout(struct publish_layout *layout, struct publish_field *fields,
			   const struct marker_format *format, u32 start, u32 most);

/**
 * publish_is_short() - ask whether a field is a bitmap that may be cut
 * @layout:	of the event
 * @field:	one of its fields
 *
 * Context: Any.
 * Return: whether it is. One that fills all of @layout->bitmap_max may have been cut.
 */
static inline bool publish_is_short(const struct publish_layout *layout,
				    const struct marker_field *field)
{
	return field->object == MARKER_OBJECT_BITMAP && field->type == MARKER_FIELD_SEQUENCE &&
	       layout->bitmap_max < MARKER_MAX_BITMAP;
}

/**
 * marker_publish_print_fmt() - say how user space prints an entry
 * @text:	room for PUBLISH_FMT_SIZE bytes
 * @format:	the field table
 * @fields:	from marker_publish_layout()
 * @layout:	from there, too
 *
 * For libtraceevent: what it cannot print as we do is printed as a number, or as bytes.
 *
 * Context: Any.
 * Return: 0, or -E2BIG: it does not fit.
 */
int marker_publish_print_fmt(char *text, const struct marker_format *format,
			     const struct publish_field *fields,
			     const struct publish_layout *layout);

#endif /* _MARKERS_PUBLISH_LAYOUT_H */
