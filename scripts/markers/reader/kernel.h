/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the place of markers/base.h, and of other kernel headers, in the command: what the files
 * of the module need that it shares with the command. The build force-includes it.
 */
#ifndef _MARKERS_READER_KERNEL_H
#define _MARKERS_READER_KERNEL_H

#include "../../check-formats/base.h"

#include <ctype.h>

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define notrace
#undef __always_inline			/* libc has one, too */
#define __always_inline		inline __attribute__((always_inline))
#define __aligned(n)		__attribute__((aligned(n)))
#define __maybe_unused		__attribute__((unused))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define BUILD_BUG_ON(c)		_Static_assert(!(c), #c)

#define MAX_ERRNO		4095
#define U32_MAX			UINT32_MAX
#define max(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define clamp(v, lo, hi)	min(max(v, lo), hi)

/**
 * reader_print_extension() - print what a %p extension of the kernel's printf stands for
 * @buf: where to
 * @size: bytes there
 * @spec: the conversion
 * @ptr: the object, or for "%pe" a number
 *
 * Return: as snprintf().
 */
int reader_print_extension(char *buf, size_t size, const char *spec, const void *ptr);

#define marker_print_extension	reader_print_extension

#endif /* _MARKERS_READER_KERNEL_H */
