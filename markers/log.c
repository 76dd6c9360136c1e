// SPDX-License-Identifier: GPL-2.0
/*
 * error_log: a ring of the last messages.  The code that refuses something writes one,
 * in process context; debugfs reads them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "log.h"

#define LOG_ENTRIES	32

struct log_entry {
	u64 time_ns;
	const struct task_struct *task;	/* whose message it is, for a comparison */
	char what[MARKER_LOG_LINE];
	char text[MARKER_LOG_LINE];
	int column;		/* in @text; -1: there is no text */
};

static DEFINE_MUTEX(log_mutex);		/* innermost */
static struct log_entry log_entry[LOG_ENTRIES];
static unsigned int log_next;		/* counts up; entry is the remainder */
static unsigned int log_first;		/* the oldest that was not cleared */
static LIST_HEAD(log_scopes);		/* few at a time; log_mutex */
static bool log_to_kernel;		/* the kernel's log has all of them, too */

unsigned int marker_log_window(char *line, const char *text, unsigned int column)
{
	unsigned int start, end, i;

	for (start = column; start && text[start - 1] != '\n'; start--)
		;
	if (column - start > MARKER_LOG_LINE / 2)
		start = column - MARKER_LOG_LINE / 2;
	for (end = start; text[end] && text[end] != '\n' &&
	     end - start < MARKER_LOG_LINE - 1; end++)
		;
	for (i = start; i < end; i++)
		line[i - start] = isprint(text[i]) ? text[i] : ' ';
	line[end - start] = '\0';
	return column - start;
}

void marker_log_enter(struct marker_log_scope *scope, const char *instance)
{
	scope->instance = instance;
	scope->since = READ_ONCE(log_next);
	if (!instance)
		return;
	scope->task = current;
	mutex_lock(&log_mutex);
	list_add(&scope->list, &log_scopes);
	mutex_unlock(&log_mutex);
}

void marker_log_leave(struct marker_log_scope *scope)
{
	if (!scope->instance)
		return;
	mutex_lock(&log_mutex);
	list_del(&scope->list);
	mutex_unlock(&log_mutex);
}

bool marker_log_has_message(const struct marker_log_scope *scope)
{
	unsigned int next;
	bool found = false;

	mutex_lock(&log_mutex);
	for (next = log_next; next != scope->since && log_next - next < LOG_ENTRIES; next--)
		found |= log_entry[(next - 1) % LOG_ENTRIES].task == current;
	mutex_unlock(&log_mutex);
	return found;
}

/* Begin a line with the instance that it is about, if any; return the length. */
static unsigned int put_instance(char *line)
{
	const struct marker_log_scope *scope;

	list_for_each_entry(scope, &log_scopes, list) {
		if (scope->task == current)
			return snprintf(line, MARKER_LOG_LINE, "instance %s: ", scope->instance);
	}
	return 0;
}

/* A task can have any name, and a terminal obeys some characters. */
static void replace_unprintable(char *line)
{
	for (; *line; line++) {
		if (!isprint(*line))
			*line = '?';
	}
}

/* A text has a column only in error_log, under it. */
static void print_to_kernel(const struct log_entry *entry, bool with_column,
			    unsigned int column)
{
	if (entry->column >= 0 && with_column)
		pr_warn("%s, column %u: \"%s\"\n", entry->what, column, entry->text);
	else if (entry->column >= 0)
		pr_warn("%s: \"%s\"\n", entry->what, entry->text);
	else
		pr_warn("%s\n", entry->what);
}

static __printf(4, 0) void log_append(bool kernel_too, const char *text,
				      unsigned int column, const char *fmt,
				      va_list args)
{
	struct log_entry *entry;
	unsigned int start;

	mutex_lock(&log_mutex);
	entry = &log_entry[log_next % LOG_ENTRIES];
	WRITE_ONCE(log_next, log_next + 1);
	if (log_next - log_first > LOG_ENTRIES)
		log_first = log_next - LOG_ENTRIES;
	entry->time_ns = ktime_get_boottime_ns();
	entry->task = current;
	start = put_instance(entry->what);
	vsnprintf(entry->what + start, sizeof(entry->what) - start, fmt, args);
	replace_unprintable(entry->what);
	entry->column = -1;
	if (text)
		entry->column = marker_log_window(entry->text, text, column);
	if (kernel_too || log_to_kernel)
		print_to_kernel(entry, log_to_kernel, column);
	mutex_unlock(&log_mutex);
}

void marker_log_to_kernel(bool too)
{
	log_to_kernel = too;
}

void marker_log(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_append(false, NULL, 0, fmt, args);
	va_end(args);
}

void marker_log_at(const char *text, unsigned int column, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_append(false, text, column, fmt, args);
	va_end(args);
}

void marker_log_refused(const char *text, unsigned int column, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_append(true, text, column, fmt, args);
	va_end(args);
}

void marker_log_show(struct seq_file *seq)
{
	struct log_entry *entry;
	unsigned int i;

	mutex_lock(&log_mutex);
	for (i = log_first; i != log_next; i++) {
		entry = &log_entry[i % LOG_ENTRIES];
		seq_printf(seq, "[%5llu.%06llu] error: %s\n",
			   entry->time_ns / NSEC_PER_SEC,
			   entry->time_ns % NSEC_PER_SEC / NSEC_PER_USEC,
			   entry->what);
		if (entry->column >= 0)
			seq_printf(seq, "  %s\n  %*s\n", entry->text,
				   entry->column + 1, "^");
	}
	mutex_unlock(&log_mutex);
}

void marker_log_clear(void)
{
	mutex_lock(&log_mutex);
	log_first = log_next;
	mutex_unlock(&log_mutex);
}
