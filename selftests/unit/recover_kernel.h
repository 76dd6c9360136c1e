/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What markers/trace/crash_notes.c, recover.c and last_boot.c use of the kernel besides
 * stream_kernel.h, in user space: force-included after that.
 */
#ifndef _UNIT_RECOVER_KERNEL_H
#define _UNIT_RECOVER_KERNEL_H

#include <limits.h>

#define SZ_16M			0x1000000
#define offset_in_page(p)	((unsigned long)(p) % PAGE_SIZE)
#define is_vmalloc_addr(p)	((void)(p), false)
#define vmalloc_to_page(p)	((void *)(p))
#define page_to_phys(p)		((u64)(p))
#define virt_to_phys(p)		((u64)(p))
#define get_zeroed_page(gfp)	((unsigned long)unit_zalloc(PAGE_SIZE, PAGE_SIZE))
#define free_page(p)		free((void *)(p))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define DEFINE_MUTEX(name)	struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define refcount_inc(r)		((void)(r)->refs++)
#define sort(base, nr, size, compare, swap) ((void)(swap), qsort(base, nr, size, compare))

static inline int vscnprintf(char *buf, size_t size, const char *format, va_list args)
{
	int len = vsnprintf(buf, size, format, args);

	return len < (int)size ? len : (int)size - 1;
}

/* In place of log.h and channel.h. */
#define _MARKERS_LOG_H
#define _MARKERS_CHANNEL_H

#include <markers/trace/buffer.h>

struct marker_recording {
	struct marker_buffer *live;
};

extern struct marker_recording marker_top;

struct marker_buffer *marker_channel_get(struct marker_recording *recording, bool snapshot);
void marker_log_refused(const char *text, unsigned int column, const char *format, ...);

#endif /* _UNIT_RECOVER_KERNEL_H */
