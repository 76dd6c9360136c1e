/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last messages about what was refused: the file error_log.  The hot path does not
 * write here, it counts.
 */
#ifndef _MARKERS_LOG_H
#define _MARKERS_LOG_H

#include <linux/compiler.h>
#include <linux/seq_file.h>

/**
 * marker_log() - add a message to error_log
 * @fmt:	one line: what and where
 *
 * Context: Process context; takes the innermost mutex.
 */
__printf(1, 2) void marker_log(const char *fmt, ...);

/**
 * marker_log_at() - add a message with a caret under the place
 * @text:	what the user wrote; one line of it is shown
 * @column:	offset in @text
 * @fmt:	one line: what
 *
 * Context: Process context; takes the innermost mutex.
 */
__printf(3, 4) void marker_log_at(const char *text, unsigned int column,
				  const char *fmt, ...);

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
