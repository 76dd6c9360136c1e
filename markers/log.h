/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last messages about refusals: the file error_log.  The hot path writes none, it
 * counts.
 */
#ifndef _MARKERS_LOG_H
#define _MARKERS_LOG_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/types.h>

/**
 * marker_log() - add a message to error_log
 * @fmt:	one line: what and where
 *
 * Context: Process context; takes the innermost mutex.
 */
__printf(1, 2) void marker_log(const char *fmt, ...);

/**
 * marker_log_at() - add a message with a caret under the place
 * @text:	the text that the user wrote; the message has one line of it
 * @column:	offset in @text
 * @fmt:	one line: what
 *
 * Context: Process context; takes the innermost mutex.
 */
__printf(3, 4) void marker_log_at(const char *text, unsigned int column,
				  const char *fmt, ...);

/**
 * marker_log_refused() - add a message about a module, also to the kernel's log
 * @text:	the line of the error, as for marker_log_at(), or NULL
 * @column:	offset in @text
 * @fmt:	one line: what, and why; the same in both logs
 *
 * For events that are no command: a module is loaded, other code changed a site.
 *
 * Context: Process context; takes the innermost mutex.
 */
__printf(3, 4) void marker_log_refused(const char *text, unsigned int column,
				       const char *fmt, ...);

/**
 * marker_log_to_kernel() - add all messages to the kernel's log, too
 * @too:	begin, or end
 *
 * While the module is loaded: if that fails, there is no error_log.
 *
 * Context: Init of the module.
 */
void marker_log_to_kernel(bool too);

/**
 * struct marker_log_scope - what the messages of a task are about
 * @list:	in the list of all
 * @task:	the task
 * @instance:	the name of the instance, or NULL
 * @since:	the number of messages before it
 */
struct marker_log_scope {
	struct list_head list;
	const struct task_struct *task;
	const char *instance;
	unsigned int since;
};

/**
 * marker_log_enter() - from here on, messages of this task name an instance
 * @scope:	for marker_log_leave(), in the same function
 * @instance:	its name, which stays until then; NULL: none, or that of an outer scope
 *
 * Context: Process context; takes the innermost mutex.
 */
void marker_log_enter(struct marker_log_scope *scope, const char *instance);

/**
 * marker_log_leave() - undo marker_log_enter()
 * @scope:	the same
 *
 * Context: Process context; takes the innermost mutex.
 */
void marker_log_leave(struct marker_log_scope *scope);

/**
 * marker_log_has_message() - has this task added a message since?
 * @scope:	from marker_log_enter()
 *
 * Context: Process context; takes the innermost mutex.
 * Return: whether one is left of those that it has added.
 */
bool marker_log_has_message(const struct marker_log_scope *scope);

#define MARKER_LOG_LINE	256	/* bytes of a line in error_log, with the NUL */

/**
 * marker_log_window() - cut out the part of a text around a column
 * @line:	the result, MARKER_LOG_LINE bytes: one line, without characters that would
 *		move a caret
 * @text:	the text
 * @column:	offset in @text
 *
 * Context: Any.
 * Return: the offset in @line.
 */
unsigned int marker_log_window(char *line, const char *text, unsigned int column);

/**
 * marker_log_show() - print the messages, the oldest first
 * @seq:	where to
 *
 * Context: Process context; takes the innermost mutex.
 */
void marker_log_show(struct seq_file *seq);

/**
 * marker_log_clear() - forget the messages
 *
 * Context: Process context; takes the innermost mutex.
 */
void marker_log_clear(void);

#endif /* _MARKERS_LOG_H */
