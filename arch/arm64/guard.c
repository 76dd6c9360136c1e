// SPDX-License-Identifier: GPL-2.0
/*
 * The guard page: the sites of trace_mark_guard() read a byte of it.  Armed, its
 * page table entry is empty, and the handler of data aborts finds the sites' cold
 * blocks in the exception tables of their modules.  switch.c calls this in process
 * context, with cpus_read_lock() and the registry mutex held.
 *
 * Between the change of the entry and the end of the flush a hit may be seen or not, as with
 * any switch.
 */
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include <asm/tlbflush.h>

#include "../../markers/arch.h"
#include <markers/arch/site.h>

/* Never written: only the page table entry changes. */
const char marker_guard_page[PAGE_SIZE] __aligned(PAGE_SIZE) = "";
EXPORT_SYMBOL_GPL(marker_guard_page);

static pte_t *guard_entry;	/* while it is armed: the page's entry */
static pte_t guard_pte;		/* and what was there */

/*
 * The kernel's page table is not exported, but the register says where it is.
 * Addresses of more than 48 bits have the upper ones in bits 2 to 5.
 */
static pgd_t *kernel_pgd(void)
{
	const u64 ttbr = read_sysreg(ttbr1_el1);
	phys_addr_t phys = ttbr & GENMASK_ULL(47, PAGE_SHIFT);

#ifdef CONFIG_ARM64_PA_BITS_52
	phys |= (ttbr & GENMASK_ULL(5, 2)) << 46;
#endif
	return __va(phys);
}

/* The entry of the page, or NULL where no entry is for it alone. */
static pte_t *find_entry(unsigned long addr)
{
	pgd_t *pgd = pgd_offset_pgd(kernel_pgd(), addr);
	p4d_t *p4d;
	pud_t *pud;
	pmd_t *pmd;
	pte_t *pte;

	if (pgd_none(READ_ONCE(*pgd)))
		return NULL;
	p4d = p4d_offset(pgd, addr);
	if (p4d_none(READ_ONCE(*p4d)))
		return NULL;
	pud = pud_offset(p4d, addr);
	if (pud_none(READ_ONCE(*pud)) || pud_sect(READ_ONCE(*pud)))
		return NULL;
	pmd = pmd_offset(pud, addr);
	if (pmd_none(READ_ONCE(*pmd)) || pmd_sect(READ_ONCE(*pmd)))
		return NULL;
	pte = pte_offset_kernel(pmd, addr);
	if (!pte_present(READ_ONCE(*pte)) || pte_cont(READ_ONCE(*pte)) ||
	    pte_pfn(READ_ONCE(*pte)) != vmalloc_to_pfn((void *)addr))
		return NULL;
	return pte;
}

static void write_entry(pte_t pte, unsigned long addr)
{
	WRITE_ONCE(*guard_entry, pte);
	dsb(ishst);
	isb();
	flush_tlb_kernel_range(addr, addr + PAGE_SIZE);
}

/*
 * Clear the whole entry: code that copies kernel memory by its page tables, as /proc/kcore
 * does, then finds no page.
 */
int marker_arch_guard_page(bool armed)
{
	const unsigned long addr = (unsigned long)marker_guard_page;

	if (armed == !!guard_entry)
		return 0;
	if (armed) {
		guard_entry = find_entry(addr);
		if (!guard_entry)
			return -EOPNOTSUPP;
		guard_pte = READ_ONCE(*guard_entry);
		write_entry(__pte(0), addr);
	} else {
		write_entry(guard_pte, addr);
		guard_entry = NULL;
	}
	return 0;
}
