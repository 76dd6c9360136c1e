/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands of operators, whichever file or parameter they come from.
 */
#ifndef _MARKERS_CONTROL_H
#define _MARKERS_CONTROL_H

#include <markers/model/registry.h>
#include <markers/model/recording.h>

/**
 * marker_control_set_patterns() - enable and disable by patterns
 * @recording:	the recording
 * @text:	as marker_rules_parse() takes it
 * @clear:	drop all earlier patterns first, which disables all markers
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL, also if a filter fits none of the markers, or for stacks that are not
 * allowed; -ENOENT for a "!" that matches nothing, or the name of a loaded module in place
 * of a marker's; -ENODEV: the instance has ended; -ENOMEM; nothing was changed then, and
 * error_log says why.
 */
int marker_control_set_patterns(struct marker_recording *recording, const char *text, bool clear);

/**
 * marker_control_end() - drop all patterns of an instance, which accepts no more
 * @recording:	the instance, after marker_recording_end()
 *
 * Context: Process context; sleeps.
 */
void marker_control_end(struct marker_recording *recording);

/**
 * marker_control_set() - enable or disable some markers
 * @recording:	the recording
 * @module:	glob for the module
 * @name:	glob for the marker
 * @asked:	MARKER_ASK_*
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL for stacks that are not allowed, with a message; -ENOMEM; nothing was
 * changed then.
 */
int marker_control_set(struct marker_recording *recording, const char *module, const char *name,
		       u32 asked);

/**
 * marker_control_ask() - marker_control_set(), if it is not so already
 * @recording:	the recording
 * @module:	glob for the module
 * @name:	glob for the marker
 * @asked:	MARKER_ASK_*
 * @log:	note in error_log why it is refused
 * @changes:	set to @recording->rules.changes; nothing undoes it while that stays the same
 *
 * Context: Process context; sleeps.
 * Return: as marker_control_set().
 */
int marker_control_ask(struct marker_recording *recording, const char *module, const char *name,
		       u32 asked, bool log, unsigned long *changes);

/**
 * marker_control_set_filter() - say what hits of some markers must look like
 * @recording:	to be recorded by this one
 * @module:	glob for the module
 * @name:	glob for the marker
 * @filter:	a filter; NULL: all hits are recorded
 *
 * Holds for markers that come later, too.
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL for what is no filter, or fits none of the markers; -ENOMEM; nothing
 * was changed then, and error_log says why.
 */
int marker_control_set_filter(struct marker_recording *recording, const char *module,
			      const char *name, const char *filter);

/**
 * marker_control_next_match() - the next marker of a loaded module that a rule matches
 * @rule:	the rule
 * @event:	the one before, or NULL for the first
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: its event, or NULL.
 */
struct marker_event *marker_control_next_match(const struct marker_rule *rule,
					       struct marker_event *event);

/**
 * marker_control_check_match() - may a rule of a command match nothing?
 * @rules:	those in force
 * @rule:	the rule, which matches no loaded marker
 * @command:	all rules of the command
 * @clear:	@rules do not count
 *
 * One that disables must match something: an enabling rule, earlier or in the same command.  One
 * that enables may name a marker that comes later, but not a module.
 *
 * Context: Process context; registry mutex held.
 * Return: 0, or -ENOENT, noted in error_log.
 */
int marker_control_check_match(const struct marker_rules *rules, const struct marker_rule *rule,
			       const struct list_head *command, bool clear);

/**
 * marker_control_is_pending() - does a rule enable, or filter, and nothing matches it?
 * @rule:	the rule
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: true if no marker of a loaded module matches it, not even a refused one.
 */
bool marker_control_is_pending(const struct marker_rule *rule);

/**
 * marker_control_get() - are the markers recorded?
 * @recording:	by this one
 * @module:	look at the markers of this module only; NULL for all
 *
 * Context: Process context; takes the registry mutex.
 * Return: '0' for none, '1' for all, 'X' for some.
 */
char marker_control_get(const struct marker_recording *recording,
			const struct marker_module *module);

#endif /* _MARKERS_CONTROL_H */
