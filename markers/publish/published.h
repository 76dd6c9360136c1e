/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event of the kernel's own tracing that stands for a marker.  For the files of this room.
 *
 *	hit.c		from a hit to an entry, for ftrace, perf and BPF
 *	call.c		what tracing knows about it: fields, text, on and off
 *	raw.c		for BPF programs at raw tracepoints
 *	tracefs.c	tells tracing about it; lend.c: before Linux 6.1
 *	publish.c	which markers are published
 */
#ifndef _MARKERS_PUBLISH_PUBLISHED_H
#define _MARKERS_PUBLISH_PUBLISHED_H

#include <linux/list.h>
#include <linux/workqueue.h>

#include <markers/compat/tracing.h>
#include <markers/model/registry.h>
#include "layout.h"

#if MARKER_CAN_PUBLISH

/* Bytes of an entry: no more than perf takes, and a line of text has room for them. */
#define PUBLISH_MOST	min_t(u32, PERF_MAX_TRACE_SIZE - 16, 3072)

#define PUBLISH_WHY	64	/* bytes of a reason */
#define PUBLISH_NO_NUMBER	"the kernel has no number left for an event"
#define PUBLISH_NO_FILES	"tracefs made no files for it: no memory, or lockdown"
#define PUBLISH_IS_USED		"the event of its earlier format is in use"

/**
 * struct marker_published - a published marker
 * @layout:	of its entries
 * @variable:	the fields that vary, as a format of their own, for serialize.c; NULL: none
 * @tp:		a tracepoint without a site: the kernel keeps the functions of users there
 * @event:	of the marker
 * @probe:	what a hit calls while it has users
 * @call:	the event; tracing knows it by this address
 * @class:	of this event alone
 * @other_fields: while tracing has the event, fields of it that nobody has seen; while it has not,
 *		those that users have seen, see marker_published_hide_fields()
 * @kernel_fields: the fields for the kernel, which point to @fields; behind the struct
 * @fields:	the fields; behind these
 * @list:	in the list of all
 * @change:	in a list of those to be added or removed
 * @system:	name of the module
 * @name:	name of the marker
 * @is_raw:	it has an entry for raw tracepoints
 * @carrier:	of lend.c: the module that it comes with just now, or goes with
 * @is_added:	tracing knows it
 * @is_partial:	of lend.c: tracing could not make all of it, so it gets no user, and goes
 * @was_added:	tracing has known it: this is never freed, see marker_published_free()
 * @is_armed:	@probe is that of the marker
 * @why:	why it could not be published, or ""
 *
 * Made once for each event that is ever published, and kept until markers.ko goes: files that are
 * open in tracefs may lead here even after that.  Registry mutex, and @is_added, @change the
 * publish mutex.
 */
struct marker_published {
	struct publish_layout layout;
	struct marker_format *variable;
	struct tracepoint tp;
	struct marker_event *event;
	struct marker_probe probe;
	struct trace_event_call call;
	struct trace_event_class class;
	struct list_head other_fields;
	struct trace_event_fields *kernel_fields;
	struct publish_field *fields;
	struct list_head list;
	struct list_head change;
	char *system;
	char *name;
	bool is_raw;
	struct module *carrier;
	bool is_added;
	bool is_partial;
	bool was_added;
	bool is_armed;
	char why[PUBLISH_WHY];
};

/**
 * marker_published_hit() - what a hit of a published marker calls
 * @private:	the struct marker_published
 * @call_private: not used
 * @fmt:	not used
 * @args:	the arguments, by marker_va_list()
 *
 * Calls the functions that users have registered at its tracepoint.
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_published_hit(void *private, void *call_private, const char *fmt, va_list *args);

/**
 * marker_published_ftrace() - write an entry for ftrace
 * @data:	the file of the event in an instance of tracing
 * @published:	what was hit
 * @args:	the arguments of the hit
 *
 * The kernel registers it at the tracepoint for each user.
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_published_ftrace(void *data, const struct marker_published *published,
			     const u64 *args);

/**
 * marker_published_perf() - write an entry for perf, and for BPF programs at the tracepoint
 * @data:	not used
 * @published:	what was hit
 * @args:	the arguments of the hit
 *
 * The kernel registers it at the tracepoint for each user.
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_published_perf(void *data, const struct marker_published *published,
			   const u64 *args);

/**
 * marker_published_raw() - run a BPF program at the raw tracepoint
 * @data:	what the kernel has registered
 * @published:	what was hit
 * @args:	the arguments of the hit
 *
 * The kernel registers it at the tracepoint for each user.
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_published_raw(void *data, const struct marker_published *published,
			  const u64 *args);

/**
 * marker_published_create() - make what tracing needs for an event
 * @event:	the event
 *
 * Context: Process context; sleeps.
 * Return: it; ERR_PTR(-ENOMEM), or -E2BIG: its text is too long.
 */
struct marker_published *marker_published_create(struct marker_event *event);

/**
 * marker_published_free() - free what tracing does not know and has never known
 * @published:	it; otherwise only what hits need is freed
 *
 * A file "format" that is open leads to the fields and their texts, whether the event is still
 * there or not, and nothing tells us about it.
 *
 * Context: Process context; no hit can come any more.
 */
void marker_published_free(struct marker_published *published);

/**
 * marker_published_refuse() - say why an event is not published, once in both logs, and in @why
 * @published:	it
 * @why:	the reason
 *
 * Context: Process context.
 */
void marker_published_refuse(struct marker_published *published, const char *why);

/**
 * marker_published_refuse_name() - leave events of a name out of a change
 * @system:	name of a system of tracing
 * @name:	name of an event in it
 * @why:	the reason
 *
 * Context: Process context; publish mutex and registry mutex held.
 */
void marker_published_refuse_name(const char *system, const char *name, const char *why);

/**
 * marker_published_is_ours() - ask whether an event of tracing stands for a marker
 * @call:	the event
 *
 * Context: Any.
 * Return: whether it does.
 */
bool marker_published_is_ours(const struct trace_event_call *call);

/**
 * marker_published_begin() - make an event ready to be added, the first time or again
 * @published:	it
 *
 * Context: Process context.
 */
void marker_published_begin(struct marker_published *published);

/**
 * marker_published_hide_fields() - keep the fields of an event that tracing is about to remove
 * @published:	it
 *
 * An event probe that is not enabled is no user, but has pointers to the fields, which tracing
 * frees with the event. So they are kept as long as the event, and it gets them back when
 * tracing has it again.
 *
 * Context: Process context; event_mutex held.
 */
void marker_published_hide_fields(struct marker_published *published);

/**
 * marker_published_show_fields() - give an event the fields that it had before
 * @published:	one that tracing has made whole, or has not removed
 *
 * Context: Process context; event_mutex held.
 */
void marker_published_show_fields(struct marker_published *published);

/**
 * marker_published_users() - who uses an event
 * @published:	it
 * @text:	room for PUBLISH_WHY bytes: "ftrace perf bpf raw_bpf", or what there is of it
 *
 * Context: Process context.
 * Return: whether there is a user.
 */
bool marker_published_users(const struct marker_published *published, char *text);

/**
 * marker_published_update() - arm the marker if the event has users, or disarm it
 * @published:	it
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0 or -ENOMEM.
 */
int marker_published_update(struct marker_published *published);

/* An event whose module is gone has lost its last user: another format may wait for its name. */
extern struct work_struct marker_published_idle;

/* The list of all; changes under the publish mutex and the registry mutex. call.c */
extern struct list_head marker_published_all;

/**
 * marker_raw_update() - let BPF programs find the events that are there as raw tracepoints
 *
 * Those that are gone are found no more.
 *
 * Context: Process context; sleeps.  Publish mutex held, and not the registry mutex.
 */
void marker_raw_update(void);

/**
 * marker_raw_watch() - have a tracepoint tell raw.c of its first user, and of its last one
 * @tp:		the tracepoint, without users
 *
 * Context: Process context.
 */
void marker_raw_watch(struct tracepoint *tp);

/* Waits for what that has left to do. */
void marker_raw_exit(void);

/**
 * marker_tracefs_locked() - run a function while event_mutex is held
 * @func:	the function
 * @list:	its argument
 *
 * Context: Process context; sleeps.  Publish mutex held, and not the registry mutex.
 * Return: 0, or an error of tracing, which error_log has: the function did not run.
 */
int marker_tracefs_locked(void (*func)(struct list_head *list), struct list_head *list);

/**
 * marker_tracefs_refuse_taken() - take events whose names tracing has already out of a list
 * @list:	of struct marker_published, by @change: all that are in such a list
 *
 * Context: Process context; sleeps.  Called by marker_tracefs_locked().
 */
void marker_tracefs_refuse_taken(struct list_head *list);

/**
 * marker_tracefs_change() - add events to tracing, or remove them
 * @list:	of struct marker_published, by @change; empty on return
 * @add:	which of the two
 * @carrier:	before Linux 6.1: the module that is coming, or going; NULL: none is
 *
 * All at once.  An event that cannot be added, as its name is taken or tracing has no memory, says
 * why in @why; one that cannot be removed, as it has got a user, stays.  Before Linux 6.1, events
 * that have no carrier wait for one.
 *
 * Context: Process context; sleeps.  Publish mutex held, and not the registry mutex.
 * Return: 0, or -EBUSY: some were not removed; or an error of tracing, and nothing was done.
 */
int marker_tracefs_change(struct list_head *list, bool add, struct module *carrier);

/**
 * marker_tracefs_prepare() - make a new event one that tracing can take
 * @published:	it
 *
 * Context: Process context.
 */
void marker_tracefs_prepare(struct marker_published *published);

#if MARKER_PUBLISH_LENDS

/**
 * struct marker_carrier_ops - modules that carry events
 * @coming:	a module is coming, and tracing has not seen it: marker_tracefs_change() can add
 * @going:	a module is going, and tracing has not seen it: marker_tracefs_change() can remove
 * @seen:	tracing has seen it
 *
 * Context: Process context; sleeps.
 */
struct marker_carrier_ops {
	void (*coming)(struct module *mod);
	void (*going)(struct module *mod);
	void (*seen)(struct module *mod);
};

/**
 * marker_lend_init() - begin to look for carriers
 * @ops:	who is told about them
 *
 * Context: Process context; sleeps.
 * Return: 0 or an error.
 */
int marker_lend_init(const struct marker_carrier_ops *ops);

/* Ends that; waits for what it has begun. */
void marker_lend_exit(void);

/**
 * marker_lend_end() - note what tracing has done with the events that a module carries
 * @mod:	the module
 *
 * Context: Process context; sleeps.  Publish mutex held, and not the registry mutex.
 */
void marker_lend_end(struct module *mod);

#else

static inline void marker_lend_exit(void)
{
}

#endif

#endif /* MARKER_CAN_PUBLISH */

#endif /* _MARKERS_PUBLISH_PUBLISHED_H */
