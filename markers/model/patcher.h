/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All patchable sites of all modules, and changing some of them in one batch.
 *
 * Call everything here under the registry mutex, which serialises patching; the log's
 * is the only lock inside it.
 */
#ifndef _MARKERS_PATCHER_H
#define _MARKERS_PATCHER_H

#include <markers/arch.h>

/**
 * marker_patcher_add() - add a module's sites to the table of the trap side
 * @sites:	the module's table; must stay until all its sites are gone and forgotten
 * @nr:		how many; sites that are not patched are left out
 *
 * Context: Process context; sleeps.
 * Return: 0, or an error of marker_arch_patch().
 */
int marker_patcher_add(struct marker_site *sites, unsigned int nr);

/**
 * marker_patcher_forget_gone() - forget the sites that are MARKER_SITE_GONE
 * @sites:	sites that marker_patcher_add() was given, or some of them
 * @nr:		how many
 *
 * A grace period later no trap is looking at them: the caller waits for it without
 * the mutex.  Never fails.
 *
 * Context: Process context.
 */
void marker_patcher_forget_gone(const struct marker_site *sites, unsigned int nr);

/**
 * marker_patcher_apply() - bring sites to their goals
 * @sites:	sites whose goal is not their state, in any order; sorted on return
 * @nr:		how many
 *
 * Quarantines sites with foreign bytes, with a message.
 *
 * Context: Process context; sleeps.  cpus_read_lock() held.
 * Return: 0, or an error of marker_arch_patch(): nothing was changed.
 */
int marker_patcher_apply(struct marker_site **sites, unsigned int nr);

/**
 * marker_patcher_apply_bridges() - marker_patcher_apply() for bridges
 * @bridges:	bridges whose goal is not their state, in any order; sorted on return
 * @nr:		how many
 *
 * Context: as marker_patcher_apply().
 * Return: as marker_patcher_apply().
 */
int marker_patcher_apply_bridges(struct marker_site **bridges, unsigned int nr);

/**
 * __marker_patcher_recover() - look again at a site in quarantine
 * @site:	the site, or a bridge
 *
 * Only for marker_patcher_state().
 *
 * Context: Process context, under the registry mutex.
 */
void __marker_patcher_recover(struct marker_site *site);

/**
 * marker_patcher_state() - the state of a site, before it is chosen for a change
 * @site:	the site, or a bridge
 *
 * Looks again at a site in quarantine, and ends that if the bytes are one of our three patterns
 * again: a breakpoint of ours that was put back must not stay when its client leaves, or we do.
 *
 * Context: Process context, under the registry mutex.
 * Return: @site->state
 */
static inline u8 marker_patcher_state(struct marker_site *site)
{
	if (site->state == MARKER_SITE_QUARANTINED)
		__marker_patcher_recover(site);
	return site->state;
}

void marker_patcher_exit(void);

#endif /* _MARKERS_PATCHER_H */
