/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers as events of the kernel's own tracing, in tracefs: events/MODULE/MARKER, with typed
 * fields, for ftrace, perf and BPF.  Patterns of an operator say which; they wait for modules and
 * survive them, and so do the events.
 */
#ifndef _MARKERS_PUBLISH_H
#define _MARKERS_PUBLISH_H

#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include <markers/model/registry.h>
#include <markers/model/rules.h>

#define MARKER_MAX_PUBLISHED	16384	/* events: the kernel has numbers for 65,535 in all */

/* What is published, MARKER_ASK_RECORD, or not, 0; registry mutex. */
extern struct marker_rules marker_publish_rules;

/**
 * marker_publish_init() - before Linux 6.1, begin to look at modules that come and go
 *
 * Context: Process context; sleeps.
 * Return: 0 or an error.
 */
int __init marker_publish_init(void);

/**
 * marker_publish_set() - publish markers by patterns, or take them back
 * @text:	as marker_rules_parse() takes it, without options and filters
 * @clear:	drop all earlier patterns first
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL, -ENOENT as marker_control_set_patterns(); -EBUSY: an event that would go
 * has users; -EOPNOTSUPP: this kernel has no such events; -ENOSPC, -ENOMEM; nothing was changed
 * then, and error_log says why.
 */
int marker_publish_set(const char *text, bool clear);

/**
 * marker_publish_module_coming() - publish what the rules say of a module
 * @module:	its markers are ready
 *
 * What goes wrong is in error_log; the module is loaded in any case.
 *
 * Context: Process context; sleeps.
 */
void marker_publish_module_coming(struct marker_module *module);

/**
 * marker_publish_show() - print a line about an event in the file published
 * @seq:	where to
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 */
void marker_publish_show(struct seq_file *seq, const struct marker_event *event);

/**
 * marker_publish_exit() - remove all events
 *
 * Nobody uses them, or this module would not go; no module with markers is loaded.
 *
 * Context: Process context; sleeps.
 */
void marker_publish_exit(void);

#endif /* _MARKERS_PUBLISH_H */
