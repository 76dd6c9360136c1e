/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the place of markers/base.h for vmcore-to-ctf: the parts of the kernel that recover.c and
 * the parsers below it use. The build force-includes it.
 */
#ifndef _VMCORE_BASE_H
#define _VMCORE_BASE_H

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#include "../check-formats/base.h"

typedef unsigned int gfp_t;

#define PAGE_SIZE		4096UL
#define GFP_KERNEL		0
#define __GFP_NORETRY		0
#define __GFP_NOWARN		0

#define READ_ONCE(x)		(x)

#define ALIGN(x, a)		(((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define is_power_of_2(n)	((n) && !((n) & ((n) - 1)))
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
