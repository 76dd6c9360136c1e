// SPDX-License-Identifier: GPL-2.0
/*
 * The table of sites by address, which traps read without a lock, and the step from
 * "these sites, in any order" to the sorted vector that the architecture patches.
 * modules.c and switch.c call this in process context, under the registry mutex.
 */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include <markers/log.h>
#include <markers/marker_types.h>
#include "patcher.h"

/*
 * A hash table with open addressing: a site whose place is taken goes to the next free
 * one.  At most half of the places are used.  A module that is loaded adds its sites.  When
 * there is no room for them, a larger table replaces this one, which is freed after a
 * grace period.
 */
struct site_index {
	struct rcu_head rcu;
	unsigned int used;		/* places that are not NULL */
	unsigned long mask;		/* of a place */
	struct marker_site *place[];
};

static struct site_index __rcu *site_index;

/* Takes the place of a site that traps must not read any more. */
static struct marker_site forgotten;

/* The caller holds the registry mutex. */
static struct site_index *current_index(void)
{
	return rcu_dereference_protected(site_index, true);
}

/* The first place to look at. */
static __always_inline unsigned long place_of(unsigned long addr,
					      unsigned long mask)
{
	return addr * GOLDEN_RATIO_32 >> 32 & mask;
}

/* The next place, after one that another site has. */
static noinline struct marker_site *
find_on(const struct site_index *index, unsigned long i, unsigned long addr)
{
	struct marker_site *site;

	do {
		i = (i + 1) & index->mask;
		site = READ_ONCE(index->place[i]);
	} while (site && site->addr != addr);
	return site;
}
NOKPROBE_SYMBOL(find_on);

struct marker_site *marker_arch_find_site(unsigned long addr)
{
	struct site_index *index = rcu_dereference_raw(site_index);
	struct marker_site *site;
	unsigned long i;

	if (unlikely(!index))
		return NULL;
	i = place_of(addr, index->mask);
	site = READ_ONCE(index->place[i]);
	if (!site || likely(site->addr == addr))
		return site;
	return find_on(index, i, addr);
}
NOKPROBE_SYMBOL(marker_arch_find_site);

/* Room for @nr sites, or more: the number of places is a power of two. */
static struct site_index *index_alloc(unsigned int nr)
{
	size_t places = roundup_pow_of_two(2UL * nr + 1);
	struct site_index *index;

	index = kvzalloc(struct_size(index, place, places), GFP_KERNEL);
	if (index)
		index->mask = places - 1;
	return index;
}

/* Traps may be looking at @index. */
static void index_add(struct site_index *index, struct marker_site *site)
{
	unsigned long i = place_of(site->addr, index->mask);

	while (index->place[i] && index->place[i] != &forgotten)
		i = (i + 1) & index->mask;
	index->used += !index->place[i];
	/* what the trap reads of the site was written before */
	smp_store_release(&index->place[i], site);
}

/* The next site from place @i on, or NULL. */
static struct marker_site *index_next(const struct site_index *index, unsigned long *i)
{
	struct marker_site *site;

	while (*i <= index->mask) {
		site = index->place[(*i)++];
		if (site && site != &forgotten)
			return site;
	}
	return NULL;
}

/* A table with the sites of the one in use, and room for @nr more. */
static struct site_index *index_grow(unsigned int nr)
{
	struct site_index *old = current_index(), *index;
	struct marker_site *site;
	unsigned long i = 0;

	while (old && index_next(old, &i))
		nr++;
	index = index_alloc(nr);
	for (i = 0; index && old && (site = index_next(old, &i));)
		index_add(index, site);
	return index;
}

/* A trap at one of @sites reads the table after int3 was written there: INT3(patch:A). */
int marker_patcher_add(struct marker_site *sites, unsigned int nr)
{
	struct site_index *old = current_index(), *index = old;
	unsigned int i;

	if (!old || 2UL * (old->used + nr) > old->mask) {
		index = index_grow(nr);
		if (!index)
			return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		if (sites[i].state == MARKER_SITE_NOP)
			index_add(index, &sites[i]);
	}
	if (index == old)
		return 0;
	rcu_assign_pointer(site_index, index);
	/* a trap runs with interrupts off: a grace period waits for it */
	if (old)
		kvfree_rcu(old, rcu);
	return 0;
}

/* Forgetting must not fail, so it allocates nothing and changes the table in use. */
static void index_forget(struct site_index *index, const struct marker_site *site)
{
	unsigned long i = place_of(site->addr, index->mask);

	for (; index->place[i]; i = (i + 1) & index->mask) {
		if (index->place[i] == site) {
			WRITE_ONCE(index->place[i], &forgotten);
			return;
		}
	}
}

void marker_patcher_forget_gone(const struct marker_site *sites, unsigned int nr)
{
	struct site_index *index = current_index();
	unsigned int i;

	for (i = 0; index && i < nr; i++) {
		if (sites[i].addr && sites[i].state == MARKER_SITE_GONE)
			index_forget(index, &sites[i]);
	}
}

static int compare_sites(const void *a, const void *b)
{
	const struct marker_site *x = *(const struct marker_site **)a;
	const struct marker_site *y = *(const struct marker_site **)b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static bool is_sorted(struct marker_site **sites, unsigned int nr)
{
	unsigned int i;

	for (i = 1; i < nr; i++) {
		if (sites[i - 1]->addr > sites[i]->addr)
			return false;
	}
	return true;
}

static void report_quarantine(const struct marker_site *site)
{
	u8 expected[MARKER_SITE_MAX_SIZE];

	marker_arch_expect(site, site->was, expected);
	marker_log_refused(NULL, 0, "marker %s at %pS quarantined: found %*ph, wanted %*ph; write its enable again when that is undone",
			   site->marker->name, (void *)site->addr,
			   marker_arch_site_size, site->found,
			   marker_arch_site_size, expected);
}

static void report_fallback(const struct marker_site *site)
{
	marker_log("marker %s at %pS: another NOP is there, %*ph: armed by a breakpoint, not by a jump",
		   site->marker->name, (void *)site->addr,
		   marker_arch_site_size, site->found);
}

/* @patch: marker_arch_patch(), or the same for bridges */
static int apply(struct marker_site **sites, unsigned int nr,
		 int (*patch)(struct marker_site **sites, unsigned int nr))
{
	unsigned int i;
	int err;

	if (!nr)
		return 0;
	/* sites that are switched module by module are often sorted already */
	if (!is_sorted(sites, nr))
		sort(sites, nr, sizeof(*sites), compare_sites, NULL);
	for (i = 0; i < nr; i++)
		sites[i]->was = sites[i]->state;
	err = patch(sites, nr);
	for (i = 0; i < nr; i++) {
		if (sites[i]->state == MARKER_SITE_QUARANTINED)
			report_quarantine(sites[i]);
		else if (sites[i]->foreign_tail &&
			 sites[i]->state == MARKER_SITE_BREAKPOINT)
			report_fallback(sites[i]);
	}
	return err;
}

int marker_patcher_apply(struct marker_site **sites, unsigned int nr)
{
	return apply(sites, nr, marker_arch_patch);
}

int marker_patcher_apply_bridges(struct marker_site **bridges, unsigned int nr)
{
	return apply(bridges, nr, marker_arch_switch_bridges);
}

void __marker_patcher_recover(struct marker_site *site)
{
	static const u8 ours[] = {
		MARKER_SITE_NOP, MARKER_SITE_JUMP, MARKER_SITE_BREAKPOINT,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ours); i++) {
		if (!marker_arch_fits(site, ours[i], (const u8 *)site->addr))
			continue;
		/* a breakpoint that we did not write is not ours */
		if (ours[i] == MARKER_SITE_BREAKPOINT &&
		    site->trap == MARKER_TRAP_NONE)
			continue;
		/* in this order: see trap_site_late() of arch/x86/trap.h */
		WRITE_ONCE(site->state, ours[i]);
		WRITE_ONCE(site->trap, ours[i] == MARKER_SITE_BREAKPOINT ?
			   MARKER_TRAP_FIRE : MARKER_TRAP_NONE);
		return;
	}
}

/* All modules with sites are gone. */
void marker_patcher_exit(void)
{
	kvfree(current_index());
}
