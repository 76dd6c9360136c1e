/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes info/symbols of a recording: names for the addresses of functions. Modules come and
 * go while it is recorded, and one may get the addresses of another. So the file says when:
 *
 *	ADDRESS TYPE NAME		as /proc/kallsyms has them when the recording begins,
 *	ADDRESS TYPE NAME	[MODULE]	with those of loaded modules
 *	# came TIME MODULE		not loaded before TIME; its symbols follow
 *	# gone TIME MODULE		not loaded after TIME
 *
 * TIME is of the trace clock, or 0 if a program cannot read that clock. A module that was gone
 * before its symbols could be read is not there, nor is one during its init function.
 *
 * The kernel's messages to udev say that a module comes or goes. Where there are none, the file
 * has the symbols of the kernel only.
 */
#ifndef _MARKERS_KALLSYMS_H
#define _MARKERS_KALLSYMS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct kallsyms_module;

/**
 * struct kallsyms - the symbols of a recording that goes on
 * @mutex: protects the rest
 * @fd: the kernel's messages, or -1; when it is readable, call kallsyms_update()
 * @info: the folder of the file
 * @clock: name of the trace clock
 * @seen: what came and went before this time is known
 * @nr: number of modules
 * @module: modules that are loaded, or are about to be
 * @left: what could not be written yet; or NULL
 * @said: that was said
 */
struct kallsyms {
	pthread_mutex_t mutex;
	int fd;
	int info;
	char *clock;
	uint64_t seen;
	unsigned int nr;
	struct kallsyms_module *module;
	char *left;
	bool said;
};

/**
 * kallsyms_copy() - write the symbols of the kernel and of all loaded modules
 * @info: the folder
 *
 * Return: 0, or -1 with errno. If /proc/kallsyms hides the addresses, the file is empty.
 */
int kallsyms_copy(int info);

/**
 * kallsyms_begin() - write the symbols of this moment, and watch for modules
 * @kallsyms: gets the state
 * @dir: the directory of the recording, with the folder "info"; it must stay open
 * @clock: the trace clock
 *
 * A recording without symbols is good, too: an error is only said.
 */
void kallsyms_begin(struct kallsyms *kallsyms, int dir, const char *clock);

/**
 * kallsyms_update() - write which modules have come and gone
 * @kallsyms: from kallsyms_begin(); call it a few times a second at least
 *
 * Any thread may call it.
 *
 * Return: whether one has come.
 */
bool kallsyms_update(struct kallsyms *kallsyms);

/**
 * kallsyms_give() - copy the file as it is now
 * @kallsyms: from kallsyms_begin()
 * @to: the folder of the copy; nothing changes there if kallsyms_begin() could not write the file
 *
 * Return: 0, or -1 with errno.
 */
int kallsyms_give(struct kallsyms *kallsyms, int to);

/**
 * kallsyms_end() - the last kallsyms_update(), after the last event
 * @kallsyms: from kallsyms_begin(), or zeroed with @fd -1
 */
void kallsyms_end(struct kallsyms *kallsyms);

#endif /* _MARKERS_KALLSYMS_H */
