// SPDX-License-Identifier: GPL-2.0
/*
 * The table of sites by address, which traps look at without a lock, and the way
 * from "these sites, in any order" to the architecture's "this sorted vector".
 * Called by the registry in process context, under its mutex.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "log.h"
#include "marker_types.h"
#include "patcher.h"

/* Sorted by address.  Replaced as a whole, freed after a grace period. */
struct site_index {
	unsigned int nr;
	struct {
		unsigned long addr;
		struct marker_site *site;
	} entry[];
};

static struct site_index __rcu *site_index;

/* The lock is the caller's: registry mutex. */
static struct site_index *current_index(void)
{
	return rcu_dereference_protected(site_index, true);
}

notrace struct marker_site *marker_site_find(unsigned long addr)
{
	struct site_index *index = rcu_dereference_raw(site_index);
	unsigned int lo = 0, hi, mid;

	if (!index)
		return NULL;
	for (hi = index->nr; lo < hi; ) {
		mid = lo + (hi - lo) / 2;
		if (index->entry[mid].addr == addr)
			return READ_ONCE(index->entry[mid].site);
		if (index->entry[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}
NOKPROBE_SYMBOL(marker_site_find);

static struct site_index *index_alloc(unsigned int nr)
{
	return kvmalloc(struct_size((struct site_index *)NULL, entry, nr),
			GFP_KERNEL);
}

static void index_publish(struct site_index *index)
{
	struct site_index *old = current_index();

	rcu_assign_pointer(site_index, index);
	/* A trap runs with interrupts off: a grace period waits for it. */
	synchronize_rcu();
	kvfree(old);
}

static int compare_entries(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a;
	unsigned long y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

static bool is_gone(const struct marker_site *site)
{
	return !site || site->state == MARKER_SITE_GONE;
}

int marker_patcher_add(struct marker_site *sites, unsigned int nr)
{
	struct site_index *old = current_index();
	unsigned int nr_old = old ? old->nr : 0;
	struct site_index *index;
	unsigned int i;

	index = index_alloc(nr_old + nr);
	if (!index)
		return -ENOMEM;
	if (nr_old)
		memcpy(index->entry, old->entry, nr_old * sizeof(*old->entry));
	index->nr = nr_old;
	for (i = 0; i < nr; i++) {
		if (sites[i].state != MARKER_SITE_NOP)
			continue;
		index->entry[index->nr].addr = sites[i].addr;
		index->entry[index->nr].site = &sites[i];
		index->nr++;
	}
	BUILD_BUG_ON(offsetof(typeof(index->entry[0]), addr));
	sort(index->entry, index->nr, sizeof(*index->entry), compare_entries,
	     NULL);
	index_publish(index);
	return 0;
}

/*
 * Forgetting must not fail, so without memory for a smaller table the one in use
 * is changed in place: an entry without a site is as good as none.
 */
static void forget_in_place(struct site_index *index)
{
	unsigned int i;

	for (i = 0; i < index->nr; i++) {
		if (is_gone(index->entry[i].site))
			WRITE_ONCE(index->entry[i].site, NULL);
	}
	synchronize_rcu();
}

void marker_patcher_forget_gone(void)
{
	struct site_index *old = current_index();
	struct site_index *index;
	unsigned int i;

	if (!old)
		return;
	index = index_alloc(old->nr);
	if (!index) {
		forget_in_place(old);
		return;
	}
	index->nr = 0;
	for (i = 0; i < old->nr; i++) {
		if (!is_gone(old->entry[i].site))
			index->entry[index->nr++] = old->entry[i];
	}
	index_publish(index);
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

static void report_quarantine(const struct marker_site *site, u8 was)
{
	u8 want[MARKER_SITE_MAX_SIZE];

	marker_arch_expect(site, was, want);
	marker_log("marker %s at %pS quarantined: found %*ph, wanted %*ph; write its enable again when that is undone",
		   site->marker->name, (void *)site->addr,
		   marker_arch_site_size, site->found,
		   marker_arch_site_size, want);
	pr_warn("marker %s at %pS quarantined: foreign code, left alone\n",
		site->marker->name, (void *)site->addr);
}

static void report_fallback(const struct marker_site *site)
{
	marker_log("marker %s at %pS: another NOP is there, %*ph: armed by a breakpoint, not by a jump",
		   site->marker->name, (void *)site->addr,
		   marker_arch_site_size, site->found);
}

int marker_patcher_apply(struct marker_site **sites, unsigned int nr)
{
	unsigned int i;
	u8 *was;
	int err;

	if (!nr)
		return 0;
	/* what is asked for module by module often is in order */
	if (!is_sorted(sites, nr))
		sort(sites, nr, sizeof(*sites), compare_sites, NULL);
	was = kvmalloc(nr, GFP_KERNEL);
	if (!was)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		was[i] = sites[i]->state;
	err = marker_arch_patch(sites, nr);
	for (i = 0; i < nr; i++) {
		if (sites[i]->state == MARKER_SITE_QUARANTINED)
			report_quarantine(sites[i], was[i]);
		else if (sites[i]->foreign_tail &&
			 sites[i]->state == MARKER_SITE_INT3)
			report_fallback(sites[i]);
	}
	kvfree(was);
	return err;
}

void marker_patcher_recover(struct marker_site *site)
{
	static const u8 ours[] = {
		MARKER_SITE_NOP, MARKER_SITE_JUMP, MARKER_SITE_INT3,
	};
	u8 want[MARKER_SITE_MAX_SIZE];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ours); i++) {
		marker_arch_expect(site, ours[i], want);
		if (memcmp((void *)site->addr, want, marker_arch_site_size))
			continue;
		site->state = ours[i];
		return;
	}
}

/* All modules with sites are gone. */
void marker_patcher_exit(void)
{
	kvfree(current_index());
}
