/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What markers/after/crash_notes.c, recover.c, last_boot.c and persist.c use of the kernel
 * besides stream_kernel.h, in user space: force-included after that.
 */
#ifndef _UNIT_RECOVER_KERNEL_H
#define _UNIT_RECOVER_KERNEL_H

#include <limits.h>

#define kmalloc(size, gfp)	unit_zalloc(8, size)
#define is_vmalloc_addr(p)	((void)(p), false)
#define vmalloc_to_page(p)	((void *)(p))
#define page_to_phys(p)		((u64)(p))
#define virt_to_phys(p)		((u64)(p))
#define get_zeroed_page(gfp)	((unsigned long)unit_zalloc(PAGE_SIZE, PAGE_SIZE))
#define free_page(p)		free((void *)(p))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define DEFINE_MUTEX(name)	struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define sort(base, nr, size, compare, swap) ((void)(swap), qsort(base, nr, size, compare))

static inline int vscnprintf(char *buf, size_t size, const char *format, va_list args)
{
	int len = vsnprintf(buf, size, format, args);

	return len < (int)size ? len : (int)size - 1;
}

#define KBUILD_MODNAME		"markers"
#define SZ_64K			0x10000
#define SZ_1G			0x40000000
#define PAGE_ALIGNED(n)		(!((n) % PAGE_SIZE))
#define num_online_cpus()	NR_CPUS
/* the last message */
__unit_weak char unit_said[200];
#define pr_err(...)		scnprintf(unit_said, sizeof(unit_said), __VA_ARGS__)
#define pr_info(...)		pr_err(__VA_ARGS__)
#undef pr_warn
#define pr_warn(...)		pr_err(__VA_ARGS__)

typedef u64 phys_addr_t;

/* All memory is reserved, and each mapping of it is unit_region. */
__unit_weak void *unit_region;
__unit_weak int unit_mapped, unit_requested;
__unit_weak bool unit_is_kdump;

enum { IORESOURCE_SYSTEM_RAM, IORESOURCE_MEM, IORES_DESC_NONE, IORES_DESC_RESERVED };
enum { REGION_DISJOINT, REGION_INTERSECTS };

#define is_kdump_kernel()	unit_is_kdump
#define region_intersects(start, size, flags, desc) \
	((flags) == IORESOURCE_MEM ? REGION_INTERSECTS : REGION_DISJOINT)
#define request_mem_region(start, size, name)	(++unit_requested)
#define release_mem_region(start, size)		((void)(unit_requested -= 1))
#define memremap(start, size, flags)		(unit_mapped++, unit_region)
#define memunmap(memory)			((void)(unit_mapped -= 1))

static inline u64 memparse(const char *text, char **end)
{
	return strtoull(text, end, 0);
}

/* In place of compat/reserve_mem.h. */
#define _MARKERS_COMPAT_RESERVE_MEM_H
#define reserve_mem_find_by_name(name, start, size)	0

/* In place of log.h and record.h. */
#define _MARKERS_LOG_H
#define _MARKERS_RECORD_H

#include <markers/record/buffer.h>

struct marker_recording {
	struct marker_buffer *buffer;
};

extern struct marker_recording marker_top;

struct marker_buffer *marker_recording_get(struct marker_recording *recording, bool snapshot);
int marker_recording_use_region(struct ring_region *region);
size_t marker_recording_region_kb(struct ring_region *region, size_t *full);
void marker_log_refused(const char *text, unsigned int column, const char *format, ...);

#endif /* _UNIT_RECOVER_KERNEL_H */
