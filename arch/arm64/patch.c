// SPDX-License-Identifier: GPL-2.0
/*
 * The patch protocol: it changes instructions while other CPUs execute them.  The
 * patcher calls it in process context, with cpus_read_lock() and the registry mutex
 * held.
 *
 * NOP and B are two of the instructions that one CPU may write while another executes them: that
 * executes the old one or the new one (ARM ARM, "Concurrent modification and execution of
 * instructions").  So there is no breakpoint, and for all sites of a batch together, whatever
 * its size:
 *
 *	0  compare the instructions with those that we left there; quarantine the site if one is
 *	   not ours
 *	1  write the new ones, each in one store, and make the caches agree about it
 *	2  sync: one round of IPIs, after which every CPU has executed an ISB, and executes the
 *	   new instruction from then on
 */
#include <linux/export.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/byteorder.h>
#include <asm/cacheflush.h>

#include "../../markers/base.h"
#include "../../markers/arch.h"
#include "../../markers/marker_types.h"
#include "../text.h"
#include <markers/arch/site.h>

#define SITE_SIZE	4
#define INSN_NOP	0xd503201fu
#define INSN_B		0x14000000u
#define INSN_B_WORDS	GENMASK(25, 0)	/* the distance, in instructions */

/*
 * It is in thunk.S, but exported here, because the checksum of an export comes from a
 * prototype in C.  It must include struct marker, and not the structs that its members
 * point to.
 */
EXPORT_SYMBOL_GPL(marker_thunk);

const char *const marker_arch_fire_symbol = "marker_thunk";
const unsigned int marker_arch_site_size = SITE_SIZE;

/*
 * The kernel's table of breakpoints is closed to modules, and where it has no entry it reports
 * an error before it calls notifiers.
 */
const bool marker_arch_has_breakpoint;

/* A B reaches 128 MiB, and no module is as large.  Instructions are always little endian. */
static __le32 insn_of(const struct marker_site *site, u8 state)
{
	const long words = (long)(site->target - site->addr) / SITE_SIZE;

	if (state != MARKER_SITE_JUMP)
		return cpu_to_le32(INSN_NOP);
	return cpu_to_le32(INSN_B | ((u32)words & INSN_B_WORDS));
}

void marker_arch_expect(const struct marker_site *site, u8 state, u8 *bytes)
{
	const __le32 insn = insn_of(site, state);

	memcpy(bytes, &insn, SITE_SIZE);
}

bool marker_arch_fits(const struct marker_site *site, u8 state, const u8 *bytes)
{
	const __le32 insn = insn_of(site, state);

	return !memcmp(bytes, &insn, SITE_SIZE);
}

/* Step 0 */
static void check_site(struct marker_site *site)
{
	memcpy(site->found, (void *)site->addr, SITE_SIZE);
	if (!marker_arch_fits(site, site->state, site->found))
		site->state = MARKER_SITE_QUARANTINED;
}

/*
 * Step 1.  The address that is executed goes to the instruction caches; the data caches know no
 * difference between it and that of the view.
 */
static void write_site(struct text_alias *alias, unsigned int *cursor,
		       const struct marker_site *site)
{
	__le32 *to = (__le32 *)text_view(alias, cursor, site->addr);

	WRITE_ONCE(*to, insn_of(site, site->goal));
	caches_clean_inval_pou(site->addr, site->addr + SITE_SIZE);
}

/* Step 2.  Some CPUs can be told not to synchronize by an interrupt. */
static void sync_this_cpu(void *unused)
{
	isb();
}

int marker_arch_patch(struct marker_site **sites, unsigned int nr)
{
	struct text_alias alias;
	unsigned int cursor = 0;
	unsigned int i;
	int err;

	err = text_alias_create(&alias, sites, nr);
	if (err)
		return err;
	for (i = 0; i < nr; i++) {
		check_site(sites[i]);
		if (sites[i]->state != MARKER_SITE_QUARANTINED)
			write_site(&alias, &cursor, sites[i]);
	}
	on_each_cpu(sync_this_cpu, NULL, 1);
	for (i = 0; i < nr; i++) {
		if (sites[i]->state != MARKER_SITE_QUARANTINED)
			WRITE_ONCE(sites[i]->state, sites[i]->goal);
	}
	text_alias_destroy(&alias);
	return 0;
}

int __init marker_arch_init(void)
{
	return 0;
}

void marker_arch_exit(void)
{
}
