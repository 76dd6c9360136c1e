/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the place of markers/base.h in user space: the words of the kernel that need nothing of
 * it. The build force-includes it, and its guard is that of markers/base.h, so the real one is
 * skipped. check-formats needs no more; the command, vmcore-to-ctf and the unit tests add to it.
 */
#ifndef _MARKERS_BASE_H
#define _MARKERS_BASE_H

#include <ctype.h>
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
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX
#define MAX_ERRNO		4095

#define fallthrough		__attribute__((fallthrough))
#define notrace
#define noinline		__attribute__((noinline))
#define __noclone		__attribute__((__noclone__))
#undef __always_inline			/* libc has one, too */
#define __always_inline		inline __attribute__((always_inline))
#define __aligned(n)		__attribute__((aligned(n)))
#define __maybe_unused		__attribute__((unused))
#define __packed		__attribute__((packed))
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define BUILD_BUG_ON(c)		_Static_assert(!(c), #c)

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define BIT(n)			(1UL << (n))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define min(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a < _b ? _a : _b; })
#define min_t(t, a, b)		min((t)(a), (t)(b))
#define max(a, b)		({ typeof(a) _c = (a); typeof(b) _d = (b); _c > _d ? _c : _d; })
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define clamp(v, lo, hi)	min(max(v, lo), hi)
#define swap(a, b)		do { typeof(a) _s = (a); (a) = (b); (b) = _s; } while (0)
#define container_of(p, t, m)	((t *)((char *)(p) - offsetof(t, m)))

#endif /* _MARKERS_BASE_H */
