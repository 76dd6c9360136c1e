/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hists: a text such as "keys=dev,size.log2:vals=size" becomes a list of terms.  A hit runs
 * them on its arguments: they make a key, and the values to add up for it.
 *
 *	hist	= part { ":" part }
 *	part	= "keys=" key { "," key } | "vals=" name { "," name } |
 *		  "sort=" name [ ".descending" ] { "," ... } | "size=" number |
 *		  "pause" | "event"
 *	key	= name [ ".log2" | ".buckets=" number | ".hex" | ".sym" ] | "stack"
 *
 * A name is a field or a context, as in a filter; "hitcount" is the number of hits.
 *
 * A key is some words: one for an integer, more for a string, which is cut and padded with
 * NULs, or for a stack.  So two keys are equal if their words are.
 *
 * Pure: no allocation, no lock, user space too.
 */
#ifndef _MARKERS_HIST_H
#define _MARKERS_HIST_H

#include <markers/format/operand.h>

#define MARKER_MAX_HIST		512	/* bytes of a hist's text with the NUL */
#define MARKER_HIST_KEYS	4
#define MARKER_HIST_VALS	4	/* besides the hits */
#define MARKER_HIST_SORTS	4
#define MARKER_HIST_WORDS	32	/* of all keys together */
#define MARKER_HIST_CHARS	64	/* of a string in a key: without a NUL if it has as many */
#define MARKER_HIST_FRAMES	16	/* return addresses of a stack in a key */
#define MARKER_HIST_SIZE	2048	/* keys of each CPU by default */
#define MARKER_HIST_MIN_SIZE	16
#define MARKER_HIST_MAX_SIZE	131072

/* The contexts that only a hist has, after those of filters. */
enum {
	MARKER_HIST_STACK = MARKER_NR_FILTER_CONTEXTS,	/* address of MARKER_HIST_FRAMES words */
	MARKER_NR_HIST_CONTEXTS
};

/* What a hit reads for a term. */
enum marker_hist_kind {
	MARKER_HIST_KIND_INT,	/* an argument */
	MARKER_HIST_KIND_NUMBER, /* the integer that an argument points to */
	MARKER_HIST_KIND_STRING,
	MARKER_HIST_KIND_STACK,
};

/* How an integer is grouped or printed. */
enum marker_hist_form {
	MARKER_HIST_PLAIN,
	MARKER_HIST_HEX,
	MARKER_HIST_SYM,	/* an address as a symbol */
	MARKER_HIST_LOG2,	/* n stands for (2^(n-1), 2^n], -1 for all below 0 */
	MARKER_HIST_BUCKETS,	/* the first value of a group of @width, or S64_MIN */
};

/**
 * struct marker_hist_term - a part of a key, or a value
 * @name:	as it was written, without "$ctx."
 * @kind:	enum marker_hist_kind
 * @form:	enum marker_hist_form
 * @is_signed:	of an integer
 * @is_context:	it is a context
 * @arg:	which argument, or which context
 * @field:	if it is no context: which field
 * @len_arg:	of a string: the argument with its length, or MARKER_NO_ARG
 * @shift:	of an integer: bits of the argument that are not recorded
 * @bytes:	of an integer
 * @at:		of a key: its first word
 * @words:	of a key: how many
 * @max:	of a string: characters at most
 * @width:	of MARKER_HIST_BUCKETS: values in a group
 */
struct marker_hist_term {
	char name[MARKER_MAX_FIELD_NAME];
	u8 kind;
	u8 form;
	bool is_signed;
	bool is_context;
	u8 arg;
	u8 field;
	u8 len_arg;
	u8 shift;
	u8 bytes;
	u8 at;
	u8 words;
	u16 max;
	u32 width;
};

/**
 * struct marker_hist_sort - what lines are sorted by
 * @by:		number of a key; without @is_key, 0 for the hits, or 1 + the number of a
 *		value
 * @is_key:	it is a key
 * @descending:	the greatest first
 */
struct marker_hist_sort {
	u8 by;
	bool is_key;
	bool descending;
};

/**
 * struct marker_hist - a hist, parsed
 * @size:	keys of each CPU; a power of two
 * @nr_keys:	how many
 * @nr_vals:	how many
 * @nr_sorts:	how many, at least one
 * @key_words:	of all keys
 * @is_single:	there is one key, an integer of an argument that is taken as it is, and no
 *		value
 * @contexts:	what all terms need, enum marker_contexts_needed
 * @stack:	one is the stack
 * @latency:	one is the latency
 * @paused:	it starts paused
 * @event:	of a pair, which has no other parts but keys and a size: its end is an event
 * @key:	parts of the key
 * @val:	what is added up
 * @sort:	the order of the lines
 */
struct marker_hist {
	u32 size;
	u8 nr_keys;
	u8 nr_vals;
	u8 nr_sorts;
	u8 key_words;
	bool is_single;
	u8 contexts;
	bool stack;
	bool latency;
	bool paused;
	bool event;
	struct marker_hist_term key[MARKER_HIST_KEYS];
	struct marker_hist_term val[MARKER_HIST_VALS];
	struct marker_hist_sort sort[MARKER_HIST_SORTS];
};

/**
 * marker_hist_parse() - compile a hist
 * @hist:	the result; undefined after a failure
 * @text:	the hist, without the word "hist:" in front
 * @format:	of the event, or NULL: only look if it is a hist at all
 * @error:	filled in on failure
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: 0, or -EINVAL with @error set.
 */
int marker_hist_parse(struct marker_hist *hist, const char *text,
		      const struct marker_format *format,
		      struct marker_format_error *error);

/**
 * marker_hist_parse_pair() - compile the keys of a pair of markers
 * @hist:	the result; undefined after a failure
 * @text:	as that of a hist; if "keys=" is missing, the key is "tid", in which the
 *		caller tells the idle tasks apart
 * @format:	of the event, or NULL: only look if it is one at all
 * @error:	filled in on failure
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: 0, or -EINVAL with @error set.
 */
int marker_hist_parse_pair(struct marker_hist *hist, const char *text,
			   const struct marker_format *format,
			   struct marker_format_error *error);

/**
 * marker_hist_int() - the integer in an argument
 * @term:	which is of MARKER_HIST_KIND_INT
 * @arg:	an argument or a context
 *
 * Context: Any, NMI too.
 * Return: what is recorded of it, extended by its sign.
 */
static __always_inline u64 marker_hist_int(const struct marker_hist_term *term, u64 arg)
{
	arg <<= term->shift;
	return term->is_signed ? (u64)((s64)arg >> term->shift) : arg >> term->shift;
}

/**
 * marker_hist_rest() - where in its group an integer is
 * @term:	with MARKER_HIST_BUCKETS
 * @value:	from marker_hist_int()
 * @negative:	it is below zero; then it is the bitwise complement that is divided
 *
 * Context: Any, NMI too.
 * Return: how far it is from the end of the group that is nearest to zero.
 */
static __always_inline u64 marker_hist_rest(const struct marker_hist_term *term, u64 value,
					    bool negative)
{
	u64 rest;

	div64_u64_rem(negative ? ~value : value, term->width, &rest);
	return rest;
}

/**
 * marker_hist_key() - make the key of a hit
 * @hist:	the hist
 * @key:	room for hist->key_words
 * @args:	the arguments of the event
 * @contexts:	MARKER_NR_HIST_CONTEXTS of them; not looked at without hist->contexts
 *
 * Reads memory behind pointers, fault-safe: a string that cannot be read is "(efault)".
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_hist_key(const struct marker_hist *hist, u64 *key, const u64 *args,
		     const u64 *contexts);

/**
 * marker_hist_val() - what a hit adds to a value
 * @hist:	the hist
 * @nr:		which value
 * @args:	the arguments of the event
 * @contexts:	as for marker_hist_key()
 *
 * Context: Any, NMI too; preemption off.
 * Return: the integer, extended by its sign.
 */
u64 marker_hist_val(const struct marker_hist *hist, unsigned int nr, const u64 *args,
		    const u64 *contexts);

#endif /* _MARKERS_HIST_H */
