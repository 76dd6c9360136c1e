/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the place of markers/base.h on the machine that builds: the parts of the kernel that
 * format.c and pointer.c use. The build force-includes it, and its guard is that of
 * markers/base.h, so the real one is skipped. The unit tests add more to it.
 */
#ifndef _MARKERS_BASE_H
#define _MARKERS_BASE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define fallthrough		__attribute__((fallthrough))

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define BIT(n)			(1UL << (n))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define min(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a < _b ? _a : _b; })
#define min_t(t, a, b)		min((t)(a), (t)(b))

#endif /* _MARKERS_BASE_H */
