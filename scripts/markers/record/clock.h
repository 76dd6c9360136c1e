/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_CLOCK_H
#define _MARKERS_CLOCK_H

#include <stdint.h>

/**
 * clock_read() - read the trace clock
 * @name: its name, or NULL
 *
 * Return: as it is in the events; 0 if a program cannot read this clock.
 */
uint64_t clock_read(const char *name);

#endif /* _MARKERS_CLOCK_H */
