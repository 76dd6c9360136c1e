/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Contexts: facts about the task and the CPU, recorded with each event.  A recording has
 * a set of them.  They are between the header of an event and its fields, in the order
 * of enum marker_context, byte aligned.
 *
 * Pure.  hit/context.h writes them.
 */
#ifndef _MARKERS_FORMAT_CONTEXT_H
#define _MARKERS_FORMAT_CONTEXT_H

#include <markers/base.h>
#include <markers/uapi/ctf.h>

/* A set is a word with BIT() of each of its contexts. */
enum marker_context {
	MARKER_CONTEXT_TID,		/* CTF_TASK_SIZE bytes, signed */
	MARKER_CONTEXT_FLAGS,		/* u16: CTF_FLAG_* */
	MARKER_CONTEXT_PROCNAME,	/* CTF_PROCNAME_SIZE bytes, no NUL if all are used */
	MARKER_CONTEXT_PID,		/* as tid */
	MARKER_CONTEXT_VTID,		/* as tid */
	MARKER_CONTEXT_VPID,		/* as tid */
	MARKER_CONTEXT_PRIO,		/* s8 */
	MARKER_CONTEXT_CGROUP_ID,	/* u64 */
	MARKER_CONTEXT_CALLSTACK,	/* the last: a u8, and as many u64: return addresses */
	MARKER_NR_CONTEXTS
};

#define MARKER_CALLSTACK_MAX	32	/* return addresses */

/*
 * A ring carries a tag for its writers: a set, and the bytes that it takes in an event at
 * least, so that a hit gets both with one load.
 */
#define MARKER_CONTEXT_SIZE_BITS	8
#define MARKER_CONTEXT_TAG(set, size)	((set) << MARKER_CONTEXT_SIZE_BITS | (size))

/* The default set: tid, flags, procname. */
#define MARKER_CONTEXT_USUAL_SIZE	(CTF_TASK_SIZE + 2 + CTF_PROCNAME_SIZE)
#define MARKER_CONTEXT_USUAL		MARKER_CONTEXT_TAG(7u, MARKER_CONTEXT_USUAL_SIZE)

/* All of them; room for marker_context_list(). */
#define MARKER_CONTEXT_ALL		(BIT(MARKER_NR_CONTEXTS) - 1)
#define MARKER_CONTEXT_LIST_SIZE	96

/* Kinds of writers, for struct ring_config: what they add to an event. */
enum marker_writer {
	MARKER_WRITER_PLAIN,	/* nothing */
	MARKER_WRITER_USUAL,	/* MARKER_CONTEXT_USUAL */
	MARKER_WRITER_ANY,	/* any other set */
};

/**
 * marker_context_set() - the contexts of a tag
 * @tag:	MARKER_CONTEXT_TAG()
 *
 * Context: Any.
 * Return: a set.
 */
static __always_inline u32 marker_context_set(u32 tag)
{
	return tag >> MARKER_CONTEXT_SIZE_BITS;
}

/**
 * marker_context_size() - the bytes of a tag
 * @tag:	MARKER_CONTEXT_TAG()
 *
 * Context: Any.
 * Return: the bytes of its contexts in each event, without return addresses.
 */
static __always_inline u32 marker_context_size(u32 tag)
{
	return tag & (BIT(MARKER_CONTEXT_SIZE_BITS) - 1);
}

/**
 * marker_context_has() - is this one in the set?
 * @set:	the contexts
 * @context:	one
 *
 * Context: Any.
 * Return: true if it is.
 */
static __always_inline bool marker_context_has(u32 set, enum marker_context context)
{
	return set & BIT(context);
}

/**
 * marker_context_tag() - the tag of a set
 * @set:	the contexts
 *
 * Context: Any.
 * Return: the set and its bytes.
 */
u32 marker_context_tag(u32 set);

/**
 * marker_context_parse() - a list of names to a set
 * @text:	names with blanks, newlines or commas between them; none: no context
 * @set:	the result; untouched after a failure
 * @column:	after a failure, the offset in @text of the unknown name
 *
 * Context: Any.
 * Return: 0, or -EINVAL.
 */
int marker_context_parse(const char *text, u32 *set, unsigned int *column);

/**
 * marker_context_list() - a set to a list of names
 * @text:	room for it, MARKER_CONTEXT_LIST_SIZE bytes
 * @set:	the contexts
 *
 * Context: Any.
 * Return: @text: names with blanks between them, which marker_context_parse() reads.
 */
const char *marker_context_list(char *text, u32 set);

/**
 * marker_context_type() - the type of one, in TSDL
 * @context:	which one
 * @before:	the result: the part before the name
 * @after:	the result: the part after it
 *
 * Context: Any.
 * Return: the name.
 */
const char *marker_context_type(enum marker_context context, const char **before,
				const char **after);

/**
 * struct marker_contexts - the contexts of an event
 * @set:	which of the following are valid
 * @tid:	the task that ran, or was interrupted; as init's namespace numbers it
 * @pid:	the process of that thread
 * @vtid:	the task as its own namespace numbers it
 * @vpid:	the process of that thread
 * @flags:	CTF_FLAG_*
 * @prio:	its priority: -101 deadline, -100 to -1 real time, 0 to 39 others
 * @cgroup_id:	its group in the unified hierarchy: the inode of the directory
 * @procname:	its name, with a NUL
 * @nr_frames:	return addresses on its kernel stack
 * @frames:	them, the innermost first: u64 each, no alignment; in the event
 */
struct marker_contexts {
	u32 set;
	s32 tid;
	s32 pid;
	s32 vtid;
	s32 vpid;
	u16 flags;
	s8 prio;
	u64 cgroup_id;
	char procname[CTF_PROCNAME_SIZE + 1];
	u8 nr_frames;
	const u8 *frames;
};

/**
 * marker_context_length() - the bytes of the contexts of one event
 * @tag:	of the recording
 * @from:	their first byte
 * @avail:	bytes that may be looked at
 *
 * Context: Any.
 * Return: the bytes, or -EINVAL if they do not end within @avail.
 */
int marker_context_length(u32 tag, const u8 *from, u32 avail);

/**
 * marker_context_read() - read the contexts of an event
 * @contexts:	the result
 * @set:	of the recording
 * @from:	their first byte; there are as many as marker_context_length() says
 *
 * Context: Any.
 */
void marker_context_read(struct marker_contexts *contexts, u32 set, const u8 *from);

#endif /* _MARKERS_FORMAT_CONTEXT_H */
