/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of markers.ko in debugfs. If the kernel refuses a write, our message quotes
 * error_log.
 */
#ifndef _MARKERS_CONTROL_H
#define _MARKERS_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "marker_names.h"

/* Name of the instance that control_open() opens; NULL: the recording at the top. */
extern const char *control_instance;

/* An entry for the table of options of each command that opens it. */
#define CONTROL_OPTION_INSTANCE \
	{ 3000, "instance", "NAME", "Use this instance, which exists, and not the recording at the top.", \
	  NULL, &control_instance }

/**
 * control_open() - find the directory of markers.ko
 *
 * The environment variable MARKERS_DIR names it. Without the variable it is "markers" at
 * the mount point of debugfs. Call this function before all others.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why and what to do.
 */
int control_open(void);

/**
 * control_find() - as control_open(), but print no message
 *
 * Return: the path of the directory, which may not exist; NULL if debugfs is not
 *	mounted.
 */
const char *control_find(void);

/**
 * control_mount() - find where a file system is mounted
 * @wanted: its type: "debugfs", "tracefs"
 *
 * Return: the first one of /proc/mounts, to be freed; NULL: it is not mounted.
 */
char *control_mount(const char *wanted);

int control_fd(void);
int control_top(void);	/* the directory of markers.ko itself */
const char *control_path(void);

/**
 * control_switch() - from now on use the directory of an instance
 * @fd: file descriptor of the directory; the functions here own it
 * @name: name of the instance
 */
void control_switch(int fd, const char *name);

/**
 * control_write_top() - control_write() to a file at the top
 * @file: below the directory of markers.ko
 * @text: what to write
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int control_write_top(const char *file, const char *text);

bool control_has(const char *file);

/**
 * control_marker_path() - the path of a file of a marker
 * @marker: MODULE:NAME
 * @file: its name
 *
 * Return: a path below the directory, to be freed.
 */
char *control_marker_path(const char *marker, const char *file);

/**
 * control_lock() - keep other markers commands from changing settings until we exit
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int control_lock(void);

/**
 * control_is_locked() - does another markers command keep us from changing settings?
 *
 * Return: whether one does, as by control_lock().
 */
bool control_is_locked(void);

/**
 * control_read() - read a file
 * @file: below the directory
 *
 * Return: its text, to be freed; or NULL, and says why.
 */
char *control_read(const char *file);

/**
 * control_rules() - read the patterns that are in force, with globs and "!"
 *
 * Return: the text, to be freed; or NULL: they do not fit into a page, only root can read
 * them, or an instance has none to read.
 */
char *control_rules(void);

/**
 * control_try() - control_write() without a message
 * @file: its name
 * @flags: as for it
 * @text: what to write
 *
 * Return: 0, or -1 with errno.
 */
int control_try(const char *file, int flags, const char *text);

/**
 * control_write() - write to a file
 * @file: below the directory
 * @flags: 0, O_TRUNC or O_APPEND
 * @text: the text; one write() takes it all, unless the file accepts less at a time
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why; errno comes from the write.
 */
int control_write(const char *file, int flags, const char *text);

/**
 * control_say_refused() - say why the kernel has refused a write
 * @file: what was written to
 * @before: error_log before that, or NULL
 *
 * Prints the last message of error_log if the log has changed; otherwise errno.
 */
void control_say_refused(const char *file, const char *before);

/**
 * control_open_file() - open a file
 * @file: below the directory
 * @flags: for open()
 *
 * Return: a file descriptor; or -1, and says why.
 */
int control_open_file(const char *file, int flags);

/**
 * control_names() - read a file that lists markers
 * @file: available_markers or set_marker
 * @names: gets the names, for names_free()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why; then there are none.
 */
int control_names(const char *file, struct names *names);

/**
 * control_cpus() - list the CPUs that have a directory
 * @cpus: set to their numbers, in ascending order, to be freed
 *
 * Return: the number of CPUs.
 */
int control_cpus(int **cpus);

/* The contents of per_cpu/cpuN/stats. */
struct cpu_stats {
	uint64_t written;
	uint64_t read;
	uint64_t unread;
	uint64_t open;
	uint64_t lost;
};

/**
 * control_stats() - read per_cpu/cpuN/stats
 * @cpu: the CPU
 * @stats: gets the numbers
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int control_stats(int cpu, struct cpu_stats *stats);

/**
 * control_has_events() - are events in the buffers?
 *
 * Return: whether there are; also true, and says why, if that cannot be known.
 */
bool control_has_events(void);

/**
 * control_look_for_others() - name the instances if the recording at the top has no events
 *
 * The user may mean one of them. Prints nothing with --instance.
 */
void control_look_for_others(void);

#endif /* _MARKERS_CONTROL_H */
