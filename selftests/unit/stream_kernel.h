/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What markers/read/stream.c and markers/record/buffer.c use of the kernel besides kernel.h, in
 * user space: force-included after base.h.  The headers that they include are empty.
 *
 * The registry has one event.  The test sets the CPU's counter.
 */
#ifndef _UNIT_STREAM_KERNEL_H
#define _UNIT_STREAM_KERNEL_H

#include <stdarg.h>

#define num_possible_cpus()	NR_CPUS
#define struct_size(p, member, n) (sizeof(*(p)) + sizeof((p)->member[0]) * (n))
/* Bytes allocated so far; a sub-buffer without __GFP_NORETRY is an error. */
__unit_weak size_t unit_kvmalloced;

static inline void *kvmalloc(size_t size, gfp_t gfp)
{
	assert(gfp & __GFP_NORETRY);
	unit_kvmalloced += size;
	return unit_zalloc(64, size);
}

#define cpu_relax()			do { } while (0)

/* Without a check of the format: a u64 is a long here. */
static inline size_t scnprintf(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	size_t len;

	va_start(args, format);
	len = vsnprintf(buf, size, format, args);
	va_end(args);
	return len < size ? len : size ? size - 1 : 0;
}

static inline u64 div_u64_rem(u64 a, u32 b, u32 *rem)
{
	*rem = a % b;
	return a / b;
}

/* Called after each checksum, if not NULL. */
__unit_weak void (*unit_after_crc)(void);

static inline u32 crc32_le(u32 crc, const u8 *p, size_t len)
{
	int i;

	while (len--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	if (unit_after_crc)
		unit_after_crc();
	return crc;
}

/* In place of event.h and registry.h. */
#define _MARKERS_EVENT_H
#define _MARKERS_REGISTRY_H

#include <markers/format/format.h>

struct marker_event {
	char *title;
	struct marker_format format;
};

struct marker_event *marker_registry_by_id(u32 id);

/* The counter, and how far each CPU is ahead of it. */
__unit_weak u64 unit_cycles;
__unit_weak u64 unit_cycles_ahead[NR_CPUS];

static inline u64 unit_get_cycles(void)
{
	return ++unit_cycles + unit_cycles_ahead[unit_cpu];
}

#define get_cycles		unit_get_cycles

#endif /* _UNIT_STREAM_KERNEL_H */
