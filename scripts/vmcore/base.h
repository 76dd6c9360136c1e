/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the place of markers/base.h for vmcore-to-ctf: the parts of the kernel that recover.c and
 * the parsers below it use. The build force-includes it.
 */
#ifndef _VMCORE_BASE_H
#define _VMCORE_BASE_H

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

/* The part that the parser of formats needs, and the guard of markers/base.h. */
#include "../check-formats/base.h"

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned int gfp_t;

#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX
#define PAGE_SIZE		4096UL
#define MAX_ERRNO		4095
#define GFP_KERNEL		0
#define __GFP_NORETRY		0
#define __GFP_NOWARN		0

#define notrace
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#define READ_ONCE(x)		(x)

#define ALIGN(x, a)		(((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define max(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define BUILD_BUG_ON(c)		_Static_assert(!(c), #c)
#define is_power_of_2(n)	((n) && !((n) & ((n) - 1)))
#define container_of(p, t, m)	((t *)((char *)(p) - offsetof(t, m)))
#define array_size(a, b)	((size_t)(a) * (b))

#define ERR_PTR(err)		((void *)(long)(err))
#define IS_ERR(p)		((unsigned long)(p) >= (unsigned long)-MAX_ERRNO)
#define IS_ERR_OR_NULL(p)	(!(p) || IS_ERR(p))
#define PTR_ERR(p)		((long)(p))
#define PTR_ERR_OR_ZERO(p)	(IS_ERR(p) ? PTR_ERR(p) : 0)

#define kmalloc(size, gfp)	((void)(gfp), malloc(size))
#define kvmalloc(size, gfp)	kmalloc(size, gfp)
#define kvzalloc(size, gfp)	((void)(gfp), calloc(1, size))
#define kfree(p)		free(p)
#define kvfree(p)		free(p)
#define cond_resched()		do { } while (0)
#define sort(base, nr, size, compare, swap) ((void)(swap), qsort(base, nr, size, compare))

/* No clock is read here. */
#define get_cycles()		0

static inline u32 crc32_le(u32 crc, const u8 *p, size_t len)
{
	int i;

	while (len--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

#endif /* _VMCORE_BASE_H */
