/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registry's data about a marker of a module: all that a hit needs, and all that a
 * reader of the trace needs, even long after the module was unloaded.
 */
#ifndef _MARKERS_EVENT_H
#define _MARKERS_EVENT_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include <markers/format/filter.h>
#include <markers/format/format.h>
#include <markers/marker.h>

struct marker_action;
struct marker_counts;
struct marker_event;
struct marker_module;
struct marker_published;
struct marker_recording;
struct ring_cpu;

/* How the sites of a marker are armed. */
enum marker_mode {
	MARKER_MODE_DEFAULT,	/* as marker_switch_default_mode says */
	MARKER_MODE_JUMP,
	MARKER_MODE_BREAKPOINT,
	NR_MARKER_MODES
};

/* A function that markers call, and its private data: the two identify a probe. */
struct marker_probe {
	marker_probe_func *func;
	void *private;
};

/**
 * struct marker_event_filter - what a hit must look like to be recorded, RCU-protected
 * @rcu:	for kfree_rcu()
 * @refs:	of takes; registry mutex
 * @text:	as the operator wrote it
 * @error:	why and where it does not fit the fields of the event; @error.why is NULL: it
 *		does
 * @cost:	marker_filter_cost(); 0 if it does not fit
 * @program:	cut off after the last cell; if it does not fit, one that nothing passes
 */
struct marker_event_filter {
	struct rcu_head rcu;
	unsigned int refs;
	const char *text;
	struct marker_format_error error;
	u32 cost;
	struct marker_filter program;
};

/**
 * struct marker_take - what one recording wants of an event
 * @recording:	where hits go
 * @ring:	its ring that is written, for each CPU: one load less for a hit
 * @filter:	what hits must look like, or NULL; the take has a reference
 * @counts:	how often the event was hit; NULL: it does not count that
 * @asked:	MARKER_ASK_*; 0: only @filter is kept, or a site is enabled alone
 */
struct marker_take {
	struct marker_recording *recording;
	struct ring_cpu * __percpu *ring;
	struct marker_event_filter *filter;
	struct marker_counts __percpu *counts;
	u32 asked;
};

/**
 * struct marker_program - what hits of an event do, RCU-protected
 * @ring:	if one recording takes all hits: its ring; else a ring that is stopped
 * @call:	the only probe; if there are several, a function that calls them; if there is
 *		none, one that does nothing
 * @then:	the state in which a hit goes on that passes @gate
 * @nr:		takes that record hits
 * @nr_waiting:	after these: those that do not, as their filter does not fit, or as nothing is
 *		to be recorded
 * @has_actions: before @take there is a struct marker_actions
 * @take:	all of them
 * @rcu:	for kfree_rcu()
 * @gate:	if there is one take and it has a filter: that; else a test that holds
 *
 * One piece of memory: @gate is followed by the actions' struct, the takes, pointers to the
 * actions, and the probes.
 *
 * Never changes once hits can find it.  Whatever state led a hit here, it can run any program: each
 * has a gate, a ring, takes and a call.
 */
struct marker_program {
	struct ring_cpu * __percpu *ring;
	struct marker_probe call;
	u32 then;
	u16 nr;
	u16 nr_waiting : 15;
	u16 has_actions : 1;
	struct marker_take *take;
	struct rcu_head rcu;
	union marker_filter_cell gate[];
};

/**
 * struct marker_event - all trace_mark() of one name and format in one module
 * @id:		in the stream, from 0; never used again for another event
 * @record:	how it is recorded: MARKER_RECORD, or one of MARKER_RECORD_* for an id of
 *		16 bits and a format with a plan
 * @header_size: bytes of its header
 * @nr_alone:	sites that are enabled alone, see struct marker_site; registry mutex
 * @header:	packet_header_bits() of @id
 * @front:	bytes in the buffer of the shortest header for @id and of the format's front
 * @least:	bytes in the buffer, with that header and empty strings
 * @most:	the same with as many bytes of strings as the quick way reads at once; with
 *		MARKER_RECORD more than there ever is room for
 * @own_probe:	one of this event alone, which its programs have, too; or NULL.  Registry mutex
 * @published:	the event of the kernel's own tracing that was made for it, or NULL; belongs to
 *		publish/.  Registry mutex
 * @counts:	those of the recording at the top, for the quick way; NULL until it counts the
 *		event.  counts.c sets it once, under the registry mutex.
 * @gate:	the first test of its program; see marker_program_of().  Written under the
 *		registry mutex, read by hits under RCU.
 * @next_program: during a change: the one to come, then the one that was; else NULL
 * @next:	the event that was made after this one, or NULL; registry mutex
 * @node:	in the registry's hash of names
 * @change:	in a list of events that are being changed; registry mutex
 * @module_name: a copy, which outlives the module; one for all that were made together
 * @name:	the end of @title
 * @title:	"module:name"
 * @module:	while it is loaded, else NULL; registry mutex
 * @marker:	one of its markers, while its module is loaded; registry mutex
 * @first_site:	in the module's table
 * @nr_sites:	how many
 * @mode:	enum marker_mode; registry mutex, as all that follow
 * @guard_on:	counted among those that need the guard page unmapped
 * @format:	the field table, without room for unused fields
 *
 * The registry makes an event when a module with an unknown marker is loaded.  Its id,
 * names and format never change, and it is freed when markers.ko is unloaded.  A module
 * that is loaded again finds its events again; a marker that then has another format is
 * another event, so an id in a trace always means the same.
 */
struct marker_event {
	u32 id;
	u32 record;
	u32 header_size;
	unsigned int nr_alone;
	u64 header;
	u64 front;
	u64 least;
	u64 most;
	const struct marker_probe *own_probe;
	struct marker_published *published;
	struct marker_counts __percpu *counts;
	const struct marker_filter_test __rcu *gate;
	struct marker_program *next_program;
	struct marker_event *next;
	struct hlist_node node;
	struct list_head change;
	const char *module_name;
	char *name;
	char *title;
	struct marker_module *module;
	const struct marker *marker;
	unsigned int first_site;
	unsigned int nr_sites;
	u8 mode;
	bool guard_on;
	struct marker_format format;
};

/**
 * marker_program_of() - the program that hits of an event run
 * @event:	the event
 *
 * The event points to the gate, which the most frequent hits begin with.
 *
 * Context: Any, NMI too; preemption off, or registry mutex held.
 * Return: the program.
 */
static __always_inline const struct marker_program *
marker_program_of(const struct marker_event *event)
{
	return container_of(rcu_dereference_raw(event->gate), struct marker_program,
			    gate[0].test);
}

#endif /* _MARKERS_EVENT_H */
