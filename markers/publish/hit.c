// SPDX-License-Identifier: GPL-2.0
/*
 * From a hit of a published marker to an entry of the kernel's own tracing.
 *
 * The kernel has put one function of ours into the tracepoint for each user: for an instance of
 * ftrace, for all of perf and BPF programs with it, for a BPF program at the raw tracepoint.
 * What varies in length is read once, to the stack, so that its size is known when room is
 * reserved.
 *
 * Context of all: any, NMI too; preemption off.
 */
#include "published.h"

#if MARKER_CAN_PUBLISH

#include <linux/perf_event.h>

#include <markers/arch/caller.h>
#include <markers/arch/valist.h>
#include <markers/compat/uninitialized.h>
#include <markers/format/quick_tail.h>
#include <markers/format/serialize.h>

/**
 * struct varying - the fields of a hit that vary in length
 * @size:	their bytes
 * @is_quick:	they are in @tail, else @lengths has their lengths
 * @cut:	a bit for each string that did not fit
 * @loc:	what readers find them by: length and offset in the entry
 * @tail:	their bytes
 * @lengths:	for serialize.c
 */
struct varying {
	u32 size;
	bool is_quick;
	u32 cut;
	u32 loc[MARKER_MAX_ARGS];
	union {
		struct quick_tail tail;
		struct marker_lengths lengths;
	};
};

static __always_inline bool get_quick_one(struct quick_tail *tail, u64 *at,
					  const struct publish_step *step, const u64 *args,
					  struct quick_bits bits)
{
	const char *from = (const char *)(uintptr_t)args[step->arg];
	int len;

	if (likely(step->kind == MARKER_STEP_TEXT))
		return quick_get_text(tail, at, from, bits);
	if (step->kind == MARKER_STEP_LIMITED)
		return quick_get_limited(tail, at, from, step->limit, bits);
	/* a negative one is left to serialize.c */
	len = (int)args[step->len_arg];
	if (step->kind == MARKER_STEP_LIMITED_BY_ARG)
		return quick_get_limited(tail, at, from, (u32)len, bits);
	return quick_get_sequence(tail, at, from, min_t(int, len, step->limit));
}

/* The first step of those that vary. */
static __always_inline const struct publish_step *
first_varying(const struct publish_layout *layout)
{
	return layout->step + layout->nr_wide + layout->nr_narrow + layout->nr_bytes;
}

static __always_inline bool get_quick(struct varying *varying,
				      const struct publish_layout *layout, const u64 *args)
{
	const struct publish_step *step = first_varying(layout);
	const struct publish_step *end = step + layout->nr_varying;
	const struct quick_bits bits = quick_load_bits();
	u32 *loc = varying->loc;
	u64 at = 0, begin;

	if (unlikely(!layout->is_quick))
		return false;
	do {
		begin = at;
		if (unlikely(!get_quick_one(&varying->tail, &at, step, args, bits)))
			return false;
		if (unlikely(step->kind == MARKER_STEP_SEQUENCE))
			begin += sizeof(u16);
		*loc++ = (at - begin) << 16 | (layout->size + begin);
	} while (++step < end);
	varying->size = at;
	varying->is_quick = true;
	return true;
}

/* Cut the longest strings, so that the entry fits. All else does: see bitmap_max() in layout.c. */
static void cut(struct varying *varying, const struct marker_format *variable, u32 room)
{
	u32 i, each, nr_strings = 0;

	for (i = 0; i < variable->nr_fields; i++) {
		if (variable->field[i].type == MARKER_FIELD_STRING)
			nr_strings++;
		else
			room -= sizeof(u16) + varying->lengths.of[i].len;
	}
	/* serialize.c has the text of a short string, but only if it has measured one */
	BUILD_BUG_ON(PUBLISH_LEAST <= MARKER_SHORT_SIZE);
	each = room / max(nr_strings, 1u);
	for (i = 0; i < variable->nr_fields; i++) {
		if (variable->field[i].type != MARKER_FIELD_STRING ||
		    varying->lengths.of[i].len <= each)
			continue;
		varying->lengths.of[i].len = each;
		varying->cut |= BIT(i);
	}
}
NOKPROBE_SYMBOL(cut);

/* The general way, for all formats. */
static noinline void get_slowly(struct varying *varying,
				const struct marker_published *published, const u64 *args)
{
	const struct publish_layout *layout = &published->layout;
	const u32 nr = layout->nr_varying;
	const struct publish_step *step = first_varying(layout);
	u32 i, at = layout->size;

	varying->is_quick = false;
	varying->cut = 0;
	if (unlikely(marker_serialize_size(published->variable, args, &varying->lengths) >
		     PUBLISH_MOST - layout->size))
		cut(varying, published->variable, PUBLISH_MOST - layout->size);
	for (i = 0; i < nr; i++) {
		const u32 len = varying->lengths.of[i].len;

		if (step[i].kind == MARKER_STEP_SEQUENCE)
			at += sizeof(u16);
		varying->loc[i] = len << 16 | at;
		at += len;
	}
	varying->size = at - layout->size;
}
NOKPROBE_SYMBOL(get_slowly);

static __always_inline u32 get_varying(struct varying *varying,
				       const struct marker_published *published, const u64 *args)
{
	const struct publish_layout *layout = &published->layout;

	if (!layout->nr_varying)
		return layout->size;
	if (unlikely(!get_quick(varying, layout, args)))
		get_slowly(varying, published, args);
	return layout->size + varying->size;
}

/* A string that was cut says so. */
static void mark_cut(u8 *entry, const struct varying *varying)
{
	u32 i;

	for (i = 0; varying->cut >> i; i++) {
		if (varying->cut & BIT(i))
			memcpy(entry + (varying->loc[i] & 0xffff) + (varying->loc[i] >> 16) - 4,
			       "...", 4);
	}
}
NOKPROBE_SYMBOL(mark_cut);

static noinline void put_slowly(u8 *entry, const struct marker_published *published,
				const u64 *args, const struct varying *varying)
{
	marker_serialize(entry + published->layout.size, published->variable, args,
			 &varying->lengths);
	if (unlikely(varying->cut))
		mark_cut(entry, varying);
}
NOKPROBE_SYMBOL(put_slowly);

static noinline void put_bytes(u8 *entry, const struct publish_step *step, u32 nr,
			       const u64 *args)
{
	for (; nr; nr--, step++)
		quick_put_bytes(entry + step->offset, (const char *)(uintptr_t)args[step->arg],
				step->size);
}
NOKPROBE_SYMBOL(put_bytes);

static __always_inline void put_varying(u8 *entry, const struct marker_published *published,
					const struct publish_step *step, const u64 *args,
					const struct varying *varying)
{
	const struct publish_layout *layout = &published->layout;
	const u32 *loc = varying->loc;
	u32 nr = layout->nr_varying;

	do {
		put32(entry + step->offset, *loc);
		step++;
		loc++;
	} while (unlikely(--nr));
	if (likely(varying->is_quick))
		quick_put_tail(entry + layout->size, &varying->tail, varying->size);
	else
		put_slowly(entry, published, args, varying);
}

static __always_inline void put_entry(u8 *entry, const struct marker_published *published,
				      const u64 *args, const struct varying *varying)
{
	const struct publish_layout *layout = &published->layout;
	const struct publish_step *step = layout->step;
	u32 nr;

	for (nr = layout->nr_wide; likely(nr); nr--, step++)
		put64(entry + step->offset, args[step->arg]);
	for (nr = layout->nr_narrow; unlikely(nr); nr--, step++)
		quick_put_int(entry + step->offset, args[step->arg], step->size);
	if (unlikely(layout->nr_bytes)) {
		put_bytes(entry, step, layout->nr_bytes, args);
		step += layout->nr_bytes;
	}
	if (layout->nr_varying)
		put_varying(entry, published, step, args, varying);
}

void marker_published_ftrace(void *data, const struct marker_published *published,
			     const u64 *args)
{
	struct varying varying __marker_uninitialized;
	struct trace_event_buffer buffer __marker_uninitialized;
	struct trace_event_file *file = data;
	struct pt_regs regs __marker_uninitialized;
	u8 *entry;

	if (trace_trigger_soft_disabled(file))
		return;
	entry = trace_event_buffer_reserve(&buffer, file, get_varying(&varying, published, args));
	if (!entry)
		return;
	put_entry(entry, published, args, &varying);
	/* so that a stack begins at the function with the marker */
	if (marker_caller(&regs, published->event, args, false))
		buffer.regs = &regs;
	trace_event_buffer_commit(&buffer);
}
NOKPROBE_SYMBOL(marker_published_ftrace);

#ifdef CONFIG_PERF_EVENTS

/* Bytes that belong to no field: an older entry may have left something there. */
static __always_inline void clear_holes(u8 *entry, u32 size)
{
	u32 at;

	for (at = sizeof(struct trace_entry); at < size; at += sizeof(u32))
		put32(entry + at, 0);
}

void marker_published_perf(void *data, const struct marker_published *published,
			   const u64 *args)
{
	struct varying varying __marker_uninitialized;
	struct trace_event_call *call = data;
	struct hlist_head *head = this_cpu_ptr(call->perf_events);
	struct pt_regs *regs;
	u8 *entry;
	int rctx;
	u32 size;

	if (!bpf_prog_array_valid(call) && hlist_empty(head))
		return;
	size = published->layout.perf_size;
	if (published->layout.nr_varying)
		size = publish_perf_size(get_varying(&varying, published, args));
	entry = perf_trace_buf_alloc(size, &regs, &rctx);
	if (!entry)
		return;
	if (!marker_caller(regs, published->event, args, true))
		perf_fetch_caller_regs(regs);
	if (published->layout.has_holes)
		clear_holes(entry, published->layout.size);
	put_entry(entry, published, args, &varying);
	perf_trace_run_bpf_submit(entry, size, rctx, call, 1, regs, head, NULL);
}
NOKPROBE_SYMBOL(marker_published_perf);

#endif /* CONFIG_PERF_EVENTS */

#ifdef CONFIG_BPF_EVENTS

void marker_published_raw(void *data, const struct marker_published *published,
			  const u64 *args)
{
#define A(n) args[n]
	switch (published->event->format.nr_args) {
	case 0:
		bpf_trace_run1(data, 0);
		break;
	case 1:
		bpf_trace_run1(data, A(0));
		break;
	case 2:
		bpf_trace_run2(data, A(0), A(1));
		break;
	case 3:
		bpf_trace_run3(data, A(0), A(1), A(2));
		break;
	case 4:
		bpf_trace_run4(data, A(0), A(1), A(2), A(3));
		break;
	case 5:
		bpf_trace_run5(data, A(0), A(1), A(2), A(3), A(4));
		break;
	case 6:
		bpf_trace_run6(data, A(0), A(1), A(2), A(3), A(4), A(5));
		break;
	case 7:
		bpf_trace_run7(data, A(0), A(1), A(2), A(3), A(4), A(5), A(6));
		break;
	case 8:
		bpf_trace_run8(data, A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7));
		break;
	case 9:
		bpf_trace_run9(data, A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8));
		break;
	case 10:
		bpf_trace_run10(data, A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9));
		break;
	case 11:
		bpf_trace_run11(data, A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9),
				A(10));
		break;
	default:
		bpf_trace_run12(data, A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9),
				A(10), A(11));
		break;
	}
#undef A
}
NOKPROBE_SYMBOL(marker_published_raw);

#endif /* CONFIG_BPF_EVENTS */

/*
 * The users of an event
 */

typedef void hit_func(void *data, const struct marker_published *published, const u64 *args);

/* The two that are frequent are called directly. */
static __always_inline void call_user(const struct tracepoint_func *it,
				      const struct marker_published *published, const u64 *args)
{
	hit_func *func = READ_ONCE(it->func);

	if (func == marker_published_ftrace)
		marker_published_ftrace(it->data, published, args);
#ifdef CONFIG_PERF_EVENTS
	else if (func == marker_published_perf)
		marker_published_perf(it->data, published, args);
#endif
	else
		func(it->data, published, args);
}

static noinline void call_users(const struct tracepoint_func *it,
				const struct marker_published *published, const u64 *args)
{
	do {
		call_user(it, published, args);
	} while ((++it)->func);
}
NOKPROBE_SYMBOL(call_users);

/* Mostly there is one user: nothing is left to do after that. */
void marker_published_hit(void *private, void *call_private, const char *fmt,
			  va_list *list)
{
	const struct marker_published *published = private;
	const u64 *args = marker_va_list_args(list);
	const struct tracepoint_func *it;

	MARKER_TRACEPOINT_READER;
	it = rcu_dereference_raw(published->tp.funcs);
	if (unlikely(!it))
		return;
	if (likely(!it[1].func))
		call_user(it, published, args);
	else
		call_users(it, published, args);
}
NOKPROBE_SYMBOL(marker_published_hit);

#endif /* MARKER_CAN_PUBLISH */
