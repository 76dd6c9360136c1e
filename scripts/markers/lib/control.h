/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of markers.ko in debugfs. A message about a write that the kernel refuses has
 * what error_log says about it.
 */
#ifndef _MARKERS_CONTROL_H
#define _MARKERS_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

/**
 * control_open() - find the directory of markers.ko
 *
 * It is the one that MARKERS_DIR in the environment names, else "markers" where
 * debugfs is mounted. Call it before all others.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why and what to do.
 */
int control_open(void);

/**
 * control_find() - as control_open(), and says nothing
 *
 * Return: the path of the directory, which need not exist; NULL if debugfs is not
 *	mounted.
 */
const char *control_find(void);

int control_fd(void);
const char *control_path(void);
bool control_has(const char *file);

/**
 * control_marker_path() - where a file of a marker is
 * @marker: MODULE:NAME
 * @file: its name
 *
 * Return: a path below the directory, to be freed.
 */
char *control_marker_path(const char *marker, const char *file);

/**
 * control_lock() - let no other command of ours change settings, until we end
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says so.
 */
int control_lock(void);

/**
 * control_read() - read a file
 * @file: below the directory
 *
 * Return: its text, to be freed; or NULL, and says why.
 */
char *control_read(const char *file);

/**
 * control_write() - write to a file, or in lockdown to the parameter that is the same
 * @file: below the directory
 * @flags: 0, O_TRUNC or O_APPEND
 * @text: what is written: with one write(), unless the file takes less at a time
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why; errno is that of the write.
 */
int control_write(const char *file, int flags, const char *text);

/**
 * control_open_file() - open a file
 * @file: below the directory
 * @flags: of open()
 *
 * Return: a file descriptor; or -1, and says why.
 */
int control_open_file(const char *file, int flags);

/**
 * control_names() - the lines of a file that has names of markers
 * @file: available_markers or set_marker
 * @names: is filled; has to be freed, and what is returned after it
 *
 * Return: the text that @names points into; or NULL, and says why.
 */
char *control_names(const char *file, struct names *names);

/**
 * control_cpus() - the CPUs that have a directory
 * @cpus: is set to their numbers, in order, to be freed
 *
 * Return: how many there are.
 */
int control_cpus(int **cpus);

/* What the file stats of a CPU says. */
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
 * @stats: is filled
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int control_stats(int cpu, struct cpu_stats *stats);

#endif /* _MARKERS_CONTROL_H */
