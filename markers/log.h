/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last things that went wrong, for the one who caused them: debugfs file
 * error_log.  Not for what happens on the hot path; that is counted.
 */
#ifndef _MARKERS_LOG_H
#define _MARKERS_LOG_H

#include <linux/compiler.h>
#include <linux/seq_file.h>

/**
 * marker_log() - note an error in error_log
 * @fmt:	one line: what and where
 *
 * Context: Process context; takes a mutex.
 */
__printf(1, 2) void marker_log(const char *fmt, ...);

/**
 * marker_log_at() - note an error, with a caret under the place
 * @text:	what the user wrote; one line of it is shown
 * @column:	offset in @text
 * @fmt:	one line: what
 *
 * Context: Process context; takes a mutex.
 */
__printf(3, 4) void marker_log_at(const char *text, unsigned int column,
				  const char *fmt, ...);

void marker_log_show(struct seq_file *seq);
void marker_log_clear(void);

#endif /* _MARKERS_LOG_H */
