/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A marker's format string, parsed once into a field table.
 *
 * The table is the only description of an event: the bytes in the buffer
 * (serialize.c), the metadata (metadata.c) and the text (print.c) are walks
 * of it, so they cannot disagree.  Only print.c looks at the format string
 * again: it prints the words between the fields.
 *
 * The hot path wants less than that: its plan is boiled down from the field table at the
 * end of the parse.
 *
 * Pure: no allocation, no lock, any context, user space too.
 */
#ifndef _MARKERS_FORMAT_H
#define _MARKERS_FORMAT_H

#include <markers/base.h>

#define MARKER_MAX_ARGS		16	/* values after the format string */
#define MARKER_MAX_FIELD_NAME	48	/* bytes with the NUL */
#define MARKER_MAX_FORMAT	1024	/* bytes of a format string with the NUL */
#define MARKER_MAX_STRING	1024	/* bytes of a recorded string with the NUL */
#define MARKER_MAX_SEQUENCE	64	/* bytes of a %*ph, as in printk; of %*pE */
#define MARKER_MAX_SOCKADDR	28	/* bytes of a struct sockaddr_in6 */
#define MARKER_MAX_BITMAP	1024	/* bytes of a %*pb: 8192 CPUs */
#define MARKER_MAX_WIDTH	4095	/* what C promises for width, precision */
#define MARKER_MAX_FIXED_TAIL	128	/* bytes of a plan's tail without strings */
#define MARKER_FEW_INTS		4	/* written without a loop, if a string follows */

/* Bytes in the buffer, for each type. */
enum marker_field_type {
	MARKER_FIELD_INT,	/* @size bytes, native order */
	MARKER_FIELD_STRING,	/* bytes and a NUL */
	MARKER_FIELD_BYTES,	/* @size bytes behind a pointer: %pM %pI4 %4ph ... */
	MARKER_FIELD_SEQUENCE,	/* u16 length, and as many bytes: %*ph */
};

/*
 * What a %p extension says about the memory behind its pointer.
 *
 * Up to MARKER_OBJECT_TIME the bytes are recorded as they lie there (or, of
 * MARKER_OBJECT_ERROR, the argument itself), and only metadata.c and print.c ask
 * what they mean.  The others have to be searched for: object.c does that.
 */
enum marker_object {
	MARKER_OBJECT_NONE,
	MARKER_OBJECT_ERROR,	/* %pe: an error pointer, INT */
	MARKER_OBJECT_NUMBER,	/* %pa %pNF ...: one unsigned integer, BYTES */
	MARKER_OBJECT_SECONDS,	/* %ptT: a time64_t, BYTES */
	MARKER_OBJECT_RESOURCE,	/* %pR: the start of a struct resource, BYTES */
	MARKER_OBJECT_TIME,	/* %ptR: a struct rtc_time, BYTES */
	MARKER_OBJECT_SOCKADDR,	/* %pIS: as long as its family says, SEQUENCE */
	MARKER_OBJECT_BITMAP,	/* %*pbl: whole bytes of bits, SEQUENCE */
	MARKER_OBJECT_DENTRY,	/* %pd: the last names of a path, STRING */
	MARKER_OBJECT_FILE,	/* %pD: those of an open file, STRING */
	MARKER_OBJECT_NODE,	/* %pOF: a path in the device tree, STRING */
	MARKER_OBJECT_NODE_NAME,	/* %pOFn: without its unit address, STRING */
	MARKER_OBJECT_NODE_UNIT,	/* %pOFP: with it, STRING */
	MARKER_OBJECT_DISK,	/* %pg: a block device's name, STRING */
	MARKER_OBJECT_NESTED,	/* %pV: a format string with arguments, STRING */
};

#define MARKER_RESOURCE_SIZE	32	/* start, end, name, flags */
#define MARKER_TIME_SIZE	36	/* the nine int of a struct rtc_time */

/* Does object.c find the bytes? */
#define marker_object_is_fetched(object)	((object) > MARKER_OBJECT_TIME)

/*
 * A kernel's printf knows what "%pI4" is.  User space builds have a substitute
 * (selftests/unit/extension.h).
 */
#ifndef marker_print_extension
#define marker_print_extension	snprintf
#endif

/* The last one of include/linux/errno.h; "%pe" has names for most up to it. */
#define MARKER_LAST_ERROR	530

#define MARKER_NO_ARG		0xff

/**
 * struct marker_field - one field of an event
 * @name:	as in the format string; a C identifier of less than
 *		MARKER_MAX_FIELD_NAME bytes; no two names of an event clash, see
 *		marker_format_names_clash()
 * @type:	which bytes it takes
 * @size:	bytes of INT (1, 2, 4, 8) and BYTES; 0 for the others
 * @arg:	which argument has the value or the pointer, from 0
 * @len_arg:	which argument has the length of "%.*s" and "%*ph", or
 *		MARKER_NO_ARG
 * @base:	how a person wants it: 10, 8 or 16
 * @is_signed:	INT: two's complement
 * @is_char:	INT from %c: a character
 * @object:	enum marker_object
 * @depth:	MARKER_OBJECT_DENTRY, _FILE: how many names
 * @max:	STRING: most bytes recorded, with the NUL (from the precision);
 *		SEQUENCE: most bytes recorded
 * @lit_plain:	the words before the conversion print as they are
 * @lit:	offset in the format string of the words before the conversion
 * @lit_len:	how many bytes of them; "%%" is still doubled in them
 * @spec:	offset of the conversion, at its '%'
 * @spec_len:	bytes of the conversion, with '%' and what belongs to %p
 */
struct marker_field {
	const char *name;
	u8 type;
	u8 size;
	u8 arg;
	u8 len_arg;
	u8 base;
	bool is_signed;
	bool is_char;
	u8 object;
	u8 depth;
	bool lit_plain;
	u16 max;
	u16 lit;
	u16 lit_len;
	u16 spec;
	u16 spec_len;
};

/* How quick.h reads a field of the tail. */
enum marker_step_kind {
	MARKER_STEP_END,	/* after the last one */
	MARKER_STEP_INT,	/* an integer */
	MARKER_STEP_TEXT,	/* "%s" */
	MARKER_STEP_LIMITED,	/* "%.5s" */
	MARKER_STEP_LIMITED_BY_ARG, /* "%.*s", an argument more */
	MARKER_STEP_BYTES,	/* bytes behind a pointer */
	MARKER_STEP_SEQUENCE,	/* "%*ph", an argument more */
};

/**
 * struct marker_step - a field of the tail
 * @kind:	enum marker_step_kind
 * @size:	bytes of an integer, or behind a pointer
 * @limit:	characters, or bytes of a sequence, at most
 */
struct marker_step {
	u8 kind;
	u8 size;
	u16 limit;
};

/* Which way records an event of this format. */
enum marker_way {
	MARKER_WAY_GENERAL,	/* serialize.c, for all formats */
	MARKER_WAY_NONE,	/* there are no fields */
	MARKER_WAY_INTS,	/* a front and no tail; at least four bytes */
	MARKER_WAY_FIXED,	/* a front, which may be empty, and a tail without strings */
	MARKER_WAY_STRING,	/* MARKER_FEW_INTS integers at most, and one "%s" */
	MARKER_WAY_MIXED,	/* a front and any tail; either may be empty */
};

/**
 * struct marker_plan - what the quick way (quick.h) does for an event
 * @way:	enum marker_way; with MARKER_WAY_GENERAL, the rest says nothing
 * @nr_front:	how many integers the format begins with: the front
 * @nr_wide:	how many of them have eight bytes of integers from their first byte on,
 *		counting their successors: stored as words they overwrite nothing else
 * @has_narrow:	are there others?
 * @overhang:	if that many bytes follow the front, all integers, and a header of at
 *		least four bytes before them, may be stored as words
 * @at:		offset of each integer of the front, and of the first byte after it: from
 *		the first field, or after marker_plan_place(), from the record's header
 * @size:	bytes of each integer of the front
 * @tail:	how to read the fields after the front, and MARKER_STEP_END; a copy of a format has
 *		room for those only
 */
struct marker_plan {
	u8 way;
	u8 nr_front;
	u8 nr_wide;
	bool has_narrow;
	u8 overhang;
	u8 at[MARKER_MAX_ARGS + 1];
	u8 size[MARKER_MAX_ARGS];
	struct marker_step tail[MARKER_MAX_ARGS + 1];
};

/**
 * struct marker_format - a parsed format string
 * @text:	the format string; belongs to the caller and must outlive this
 * @nr_fields:	fields in the buffer
 * @nr_args:	arguments that the conversions take: nr_fields and the lengths
 * @fixed_size:	bytes of all INT and BYTES fields
 * @nr_variable: how many STRING and SEQUENCE fields
 * @is_foreign:	its events are another kernel's, whose addresses have no symbols here; set by
 *		the owner
 * @tail:	offset in @text of the words after the last conversion
 * @field:	the fields in the order of the format string: @fields, or what a copy has there
 * @plan:	for the hot path
 * @fields:	room for MARKER_MAX_ARGS fields
 * @names:	their names, one after the other
 */
struct marker_format {
	const char *text;
	u8 nr_fields;
	u8 nr_args;
	u16 fixed_size;
	u8 nr_variable;
	bool is_foreign;
	u16 tail;
	struct marker_field *field;
	struct marker_plan plan;
	struct marker_field fields[MARKER_MAX_ARGS];
	char names[MARKER_MAX_ARGS * MARKER_MAX_FIELD_NAME];
};

/**
 * struct marker_format_error - why and where a format string was refused
 * @column:	offset in the format string, from 0
 * @why:	a constant string, such as "floating point cannot be recorded"
 */
struct marker_format_error {
	unsigned int column;
	const char *why;
};

/**
 * marker_format_refuse() - say what is wrong, and where
 * @error:	filled in
 * @column:	offset in the text, from 0
 * @why:	a constant string
 *
 * Context: Any.
 * Return: -EINVAL.
 */
static inline int marker_format_refuse(struct marker_format_error *error, unsigned int column,
				       const char *why)
{
	error->column = column;
	error->why = why;
	return -EINVAL;
}

/**
 * marker_format_parse() - turn a format string into a field table
 * @format:	where to put the table; undefined after a failure
 * @text:	the format string; @format keeps pointing to it
 * @error:	filled in on failure
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: 0, or -EINVAL with @error set.
 */
int marker_format_parse(struct marker_format *format, const char *text,
			struct marker_format_error *error);

/**
 * marker_format_check_args() - has a marker the arguments that its format takes?
 * @format:	from marker_format_parse()
 * @nr_args:	how many arguments it has
 * @error:	filled in on failure
 *
 * Context: Any.
 * Return: 0, or -EINVAL with @error set.
 */
int marker_format_check_args(const struct marker_format *format, unsigned int nr_args,
			     struct marker_format_error *error);

/**
 * marker_format_size() - how many bytes a copy takes
 * @format:	from marker_format_parse()
 *
 * Context: Any.
 * Return: the bytes that marker_format_copy() writes.
 */
size_t marker_format_size(const struct marker_format *format);

/**
 * marker_format_copy() - copy a format without its unused steps and fields
 * @to:		room for marker_format_size() bytes: the last step of the plan is followed by the
 *		fields, and these by their names
 * @from:	from marker_format_parse()
 *
 * Context: Any.
 */
void marker_format_copy(struct marker_format *to, const struct marker_format *from);

/**
 * marker_format_names_clash() - can two fields of an event not have these names?
 * @a:		a field's name
 * @b:		another one's
 *
 * In the metadata a name has one more underscore in front.  babeltrace2 takes
 * it off, but looks for duplicates before it does (2.0.4): "x" is refused when
 * there was a "_x".
 *
 * Context: Any.
 * Return: whether they are equal, or differ in one leading underscore.
 */
bool marker_format_names_clash(const char *a, const char *b);

/**
 * marker_plan_place() - say where the fields of a record begin
 * @plan:	from marker_format_parse()
 * @header_size: bytes before the first field
 *
 * Context: Any; once.
 */
void marker_plan_place(struct marker_plan *plan, u32 header_size);

/* Flags of a conversion, as in printf. */
#define MARKER_FLAG_LEFT	BIT(0)	/* '-' */
#define MARKER_FLAG_PLUS	BIT(1)	/* '+' */
#define MARKER_FLAG_SPACE	BIT(2)	/* ' ' */
#define MARKER_FLAG_ALT		BIT(3)	/* '#' */
#define MARKER_FLAG_ZERO	BIT(4)	/* '0' */

#define MARKER_NOT_GIVEN	(-1)	/* no width, no precision */
#define MARKER_FROM_ARG		(-2)	/* width or precision is a '*' */

/**
 * struct marker_conversion - one conversion taken apart, '%' to its last byte
 * @type:	the enum marker_field_type that records it
 * @size:	as in struct marker_field
 * @letter:	what it is: d u x X o c s p; %i counts as %d
 * @is_symbol:	%pS and the like: an address that prints as a symbol
 * @object:	enum marker_object
 * @depth:	as in struct marker_field
 * @flags:	MARKER_FLAG_*
 * @width:	or MARKER_NOT_GIVEN, MARKER_FROM_ARG
 * @precision:	or MARKER_NOT_GIVEN, MARKER_FROM_ARG
 * @extension:	offset in the format string of what belongs to %p
 * @end:	offset in the format string of the first byte after it
 */
struct marker_conversion {
	u8 type;
	u8 size;
	char letter;
	bool is_symbol;
	u8 object;
	u8 depth;
	u8 flags;
	int width;
	int precision;
	u16 extension;
	u16 end;
};

/**
 * marker_format_parse_conversion() - take one conversion apart
 * @conv:	where to put the parts; undefined after a failure
 * @text:	the format string
 * @at:		offset of the '%' in it
 * @error:	filled in on failure
 *
 * For format.c, and for print.c, which puts it together again.
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: 0, or -EINVAL with @error set.
 */
int marker_format_parse_conversion(struct marker_conversion *conv, const char *text,
				   unsigned int at, struct marker_format_error *error);

/**
 * marker_is_decimal() - is this a digit?
 * @c:		a character
 *
 * ASCII, whatever the locale says, so not that of ctype.h.
 *
 * Context: Any.
 * Return: true if it is one of 0 to 9.
 */
static inline bool marker_is_decimal(char c)
{
	return c >= '0' && c <= '9';
}

/**
 * marker_is_alnum() - is this a letter or a digit?
 * @c:		a character
 *
 * As marker_is_decimal().
 *
 * Context: Any.
 * Return: true if it is one.
 */
static inline bool marker_is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marker_is_decimal(c);
}

/**
 * marker_format_name_fields() - give each field a name
 * @format:	all of its fields are there, without names
 *
 * Only for marker_format_parse().  A field is named after the nearest word before it; before the
 * first word, it is the "prefix"; and in a text without words, "arg" and its number.
 *
 * Context: Any; takes no lock and allocates nothing.
 */
void marker_format_name_fields(struct marker_format *format);

/**
 * marker_format_parse_pointer() - find out what follows a %p
 * @conv:	its type, size, is_symbol, object, depth, extension and end are set
 * @text:	the format string
 * @at:		offset of the first byte after the 'p'
 *
 * Only for marker_format_parse_conversion().
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: NULL, or why this extension cannot be recorded.
 */
const char *marker_format_parse_pointer(struct marker_conversion *conv, const char *text,
					unsigned int at);

#endif /* _MARKERS_FORMAT_H */
