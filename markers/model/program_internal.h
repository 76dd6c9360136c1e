/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For program.c, which puts programs into force, and those that make them: program_create.c, and
 * program_actions.c for the actions in them.
 */
#ifndef _MARKERS_PROGRAM_INTERNAL_H
#define _MARKERS_PROGRAM_INTERNAL_H

#include "program.h"

/**
 * struct marker_edit - what is to be another in a program
 * @kind:	what, and which of the rest is set
 * @part:	any of these
 * @take:	instead of the one of the same recording
 * @action:	comes, or goes
 * @probe:	the same
 */
struct marker_edit {
	enum marker_edit_kind kind;
	union {
		const void *part;
		const struct marker_take *take;
		struct marker_action *action;
		const struct marker_probe *probe;
	};
};

/**
 * marker_program_takes() - how many takes a program has
 * @program:	the program
 *
 * Context: Process context; registry mutex held.
 * Return: the number, with those that wait.
 */
static inline unsigned int marker_program_takes(const struct marker_program *program)
{
	return program->nr + program->nr_waiting;
}

/**
 * marker_program_create() - make a program of another one
 * @event:	the event
 * @from:	the other one
 * @edit:	what is not as in @from
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: the program, which has a reference to each of its filters; maybe a common one: that of
 * an event that nobody wants, or of a recording.  NULL: no memory, which is not possible for an
 * edit that takes something away.
 */
struct marker_program *marker_program_create(const struct marker_event *event,
					     const struct marker_program *from,
					     const struct marker_edit *edit);

/**
 * marker_program_create_whole() - make the program of events that one recording takes
 * @recording:	takes all hits, and nothing else is done
 *
 * Context: Process context; sleeps.
 * Return: the program, or NULL: no memory.
 */
struct marker_program *marker_program_create_whole(struct marker_recording *recording);

/**
 * marker_actions_fill() - fill the actions of a new program
 * @actions:	zeroes, with room in @actions->action
 * @from:	the actions of another program, or NULL
 * @more:	an action that comes after these, or NULL
 * @less:	one of @from that does not come, or NULL
 *
 * Context: Process context; registry mutex held.
 */
void marker_actions_fill(struct marker_actions *actions, const struct marker_actions *from,
			 struct marker_action *more, const struct marker_action *less);

#endif /* _MARKERS_PROGRAM_INTERNAL_H */
