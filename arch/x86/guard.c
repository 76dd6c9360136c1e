// SPDX-License-Identifier: GPL-2.0
/*
 * The guard page: the sites of trace_mark_guard() read a byte of it.  Armed, its
 * page table entry is empty, and the page fault handler finds the sites' cold
 * blocks in the exception tables of their modules.  switch.c calls this in process
 * context, with cpus_read_lock() and the registry mutex held.
 *
 * Idea: Konstantin Belousov, "zero-cost SDT probes", freebsd-arch, 2015-11-23.
 *
 * Between the change of the entry and the flush on the last CPU a hit may be
 * seen or not, as with any switch.
 */
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/linkage.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/smp.h>
#include <asm/cpufeature.h>
#include <asm/pgtable_types.h>

#include "../../markers/arch.h"
#include <markers/arch/site.h>

/*
 * Never written: only the page table entry changes.  It is const, because kmemleak reads
 * all writable data of a module.
 */
const char marker_guard_page[PAGE_SIZE] __aligned(PAGE_SIZE) = "";
EXPORT_SYMBOL_GPL(marker_guard_page);

static bool guard_armed;
static pte_t guard_pte;		/* the page's entry while it is armed */

/*
 * With page table isolation the page may be cached for address spaces other than
 * the current one, which invlpg leaves alone.  Changing CR4.PGE drops all of
 * them.  Source: Intel SDM volume 3, section 4.10.4.1.
 */
static void flush_this_cpu(void *unused)
{
	unsigned long flags, cr4;

	local_irq_save(flags);
	asm volatile("mov %%cr4, %0" : "=r" (cr4) : : "memory");
	asm volatile("mov %0, %%cr4" : : "r" (cr4 ^ X86_CR4_PGE) : "memory");
	asm volatile("mov %0, %%cr4" : : "r" (cr4) : "memory");
	local_irq_restore(flags);
}

/*
 * Clear the whole entry.  If only _PAGE_PRESENT were cleared, a kernel entry, which has
 * _PAGE_GLOBAL, would look like one of PROT_NONE: pte_present() would hold, and code that
 * copies kernel memory by its page tables, as /proc/kcore does, would get the page of an
 * inverted frame number.
 */
static void replace_entry(pte_t *pte, bool armed)
{
	if (armed) {
		guard_pte = *pte;
		set_pte(pte, __pte(0));
	} else {
		set_pte(pte, guard_pte);
	}
}

int marker_arch_guard_page(bool armed)
{
	unsigned int level;
	pte_t *pte;

	if (armed == guard_armed)
		return 0;
	pte = lookup_address((unsigned long)marker_guard_page, &level);
	if (!pte || level != PG_LEVEL_4K)
		return -EOPNOTSUPP;
	replace_entry(pte, armed);
	on_each_cpu(flush_this_cpu, NULL, 1);
	guard_armed = armed;
	return 0;
}
