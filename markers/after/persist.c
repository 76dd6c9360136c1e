// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the memory that persist= names, and maps it, when the module is loaded.  Process context.
 *
 * The range has to be reserved in the kernel's map of memory, or to have a name there.  That keeps
 * the kernel's own memory safe; but firmware's is "reserved", too, and a name may have another
 * user: the operator has to know.
 *
 * Nothing is written to it before all else of the load has succeeded: a load that fails
 * leaves the last boot's trace where it is.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/crash_dump.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include <markers/compat/reserve_mem.h>
#include <markers/record/record.h>
#include <markers/ring/region.h>
#include "crash_notes.h"
#include "last_boot.h"
#include "persist.h"
#include "recover.h"

#define MAX_SIZE	SZ_1G

/**
 * struct reserved - physical memory
 * @start:	its address
 * @size:	bytes
 * @is_requested: it is ours in /proc/iomem
 */
struct reserved {
	phys_addr_t start;
	phys_addr_t size;
	bool is_requested;
};

static struct reserved range;
static void *memory;
static struct ring_region *region;

/* "ADDRESS:SIZE" */
static bool __init parse_range(const char *where, struct reserved *to)
{
	char *end;

	to->start = memparse(where, &end);
	if (end == where || *end != ':')
		return false;
	where = end + 1;
	to->size = memparse(where, &end);
	return end != where && !*end;
}

static int __init refuse(const char *where, const char *why)
{
	pr_err("persist=%s: %s\n", where, why);
	return -EINVAL;
}

static int __init request_range(const char *where)
{
	if (region_intersects(range.start, range.size, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) == REGION_INTERSECTS) {
		pr_err("persist=%s: this memory is not reserved: boot with memmap=%lluK$0x%llx\n",
		       where, (u64)range.size / 1024, (u64)range.start);
		return -EINVAL;
	}
	if (region_intersects(range.start, range.size, IORESOURCE_MEM, IORES_DESC_RESERVED) !=
	    REGION_INTERSECTS) {
		pr_err("persist=%s: not all of it is reserved memory, see /proc/iomem\n", where);
		return -EINVAL;
	}
	if (!request_mem_region(range.start, range.size, "markers")) {
		pr_err("persist=%s: not in one reserved range, or a driver uses it, see /proc/iomem\n",
		       where);
		return -EBUSY;
	}
	range.is_requested = true;
	return 0;
}

static int __init find_range(const char *where)
{
	const bool has_name = reserve_mem_find_by_name(where, &range.start, &range.size);

	if (!has_name && !parse_range(where, &range))
		return refuse(where, "neither ADDRESS:SIZE, as 0x30000000:16M, nor the name of a reserve_mem= range");
	if (!PAGE_ALIGNED(range.start) || !PAGE_ALIGNED(range.size))
		return refuse(where, "not whole pages");
	if (range.size < SZ_64K || range.size > MAX_SIZE ||
	    range.start + range.size < range.start)
		return refuse(where, "the size must be 64K to 1G");
	return has_name ? 0 : request_range(where);
}

static int __init find_last_boot(void)
{
	const struct marker_memory piece = {
		.phys = range.start, .data = memory, .size = range.size,
	};
	struct marker_recovered *trace = NULL;
	const char *why = NULL;
	int err;

	err = marker_recover(&piece, 1, &trace, &why);
	if (err == -ENOMEM) {
		pr_err("persist: no memory for a copy of the last boot's trace, which stays where it is\n");
		return err;
	}
	if (trace)
		pr_info("persist: the last boot's trace has %llu events of %u CPU%s%s\n",
			trace->nr_events, trace->nr_cpus, trace->nr_cpus == 1 ? "" : "s",
			trace->nr_bad || trace->nr_missing ? "; some of it is damaged" : "");
	else if (err == -ENODATA)
		pr_info("persist: no trace of the last boot: %s\n", why);
	else
		pr_warn("persist: no trace of the last boot: %s\n", why);
	err = marker_last_boot_init(trace, why);
	if (err)
		marker_recovered_free(trace);
	return err;
}

static int __init map_range(const char *where)
{
	memory = memremap(range.start, range.size, MEMREMAP_WB);
	if (!memory) {
		pr_err("persist=%s: this memory cannot be mapped\n", where);
		return -EINVAL;
	}
	region = ring_region_create(memory, range.size, range.start);
	return region ? 0 : -ENOMEM;
}

int __init marker_persist_init(const char *where)
{
	int err;

	if (!*where)
		return 0;
	/* It is there to save what is in memory, with the parameters of the kernel that died. */
	if (is_kdump_kernel()) {
		pr_info("persist: not in a kernel of kdump: the region stays as it is\n");
		return 0;
	}
	err = find_range(where);
	if (!err)
		err = map_range(where);
	if (!err)
		err = find_last_boot();
	if (err)
		marker_persist_exit();
	return err;
}

int __init marker_persist_check(void)
{
	size_t full, most;

	if (!region)
		return 0;
	most = marker_recording_region_kb(region, &full);
	if (most == full)
		return 0;
	if (most)
		pr_err("persist: no room for %zu KiB of buffer on each of %u CPUs in %llu KiB: buffer_size_kb can be at most %zu\n",
		       full, num_online_cpus(), (u64)range.size / 1024, most);
	else
		pr_err("persist: no room for two sub-buffers on each of %u CPUs in %llu KiB: make the range larger, or subbuf_size_kb smaller\n",
		       num_online_cpus(), (u64)range.size / 1024);
	return -ENOMEM;
}

void __init marker_persist_begin(void)
{
	int err;

	if (!region)
		return;
	err = marker_recording_use_region(region);
	/* wipe old notes: the next boot would take them for ours */
	ring_region_wipe(region);
	if (!err)
		marker_crash_notes_on(region);
	else	/* Do not fail: only our memory has the last boot's trace now. */
		pr_err("persist: no memory for buffers in the region: recording elsewhere, the next boot will not find it\n");
}

bool marker_persist_is_used(void)
{
	return region;
}

void marker_persist_exit(void)
{
	marker_last_boot_exit();
	ring_region_destroy(region);
	region = NULL;
	if (memory)
		memunmap(memory);
	memory = NULL;
	if (range.is_requested)
		release_mem_region(range.start, range.size);
	range.is_requested = false;
}
