/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space stand-in for markers/base.h: same guard, so that the pure files
 * compile unchanged.  Force-included (-include base.h) before anything else.
 */
#ifndef _UNIT_BASE_H
#define _UNIT_BASE_H

#include <assert.h>
#include <ctype.h>

/* The part that the parser of formats needs, and the guard of markers/base.h. */
#include "../../scripts/check-formats/base.h"

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define notrace
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#undef __always_inline			/* libc has one as well */
#define __always_inline		inline __attribute__((always_inline))
#define __aligned(n)		__attribute__((aligned(n)))
#define noinline		__attribute__((noinline))
#define __maybe_unused		__attribute__((unused))
#define __packed		__attribute__((packed))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "=r"(v) : "0"(v))
#define barrier()		__asm__ __volatile__("" : : : "memory")

#define MAX_ERRNO		4095
#define clamp(v, lo, hi)	min(max(v, lo), hi)
#define max(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define swap(a, b)		do { typeof(a) _s = (a); (a) = (b); (b) = _s; } while (0)
#define container_of(p, t, m)	((t *)((char *)(p) - offsetof(t, m)))
#define BUILD_BUG_ON(c)		_Static_assert(!(c), #c)
#define NOKPROBE_SYMBOL(s)	static const void *unit_nokprobe_##s __maybe_unused = (s)

#ifdef __SANITIZE_THREAD__	/* treats a volatile access as a plain one */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#else
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile typeof(x) *)&(x) = (v))
#endif

/* The kernel services that the ring and the clock use. */
#include "kernel.h"

#endif /* _UNIT_BASE_H */
