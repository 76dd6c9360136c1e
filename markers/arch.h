/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract of an architecture: it brings the code of a batch of sites from one
 * state into another.
 *
 * An architecture has a site.h (the code of a marker) and a patch.c (the functions
 * below).
 */
#ifndef _MARKERS_ARCH_H
#define _MARKERS_ARCH_H

#include "base.h"

struct marker;

/* The bytes at a site. */
enum marker_site_state {
	MARKER_SITE_NOP,		/* disabled */
	MARKER_SITE_BREAKPOINT,		/* enabled by a breakpoint that stays */
	MARKER_SITE_JUMP,		/* enabled by a jump */
	MARKER_SITE_BRANCH,		/* has no code to patch: load and branch */
	MARKER_SITE_GUARD,		/* has none either: reads the guard page */
	MARKER_SITE_QUARANTINED,	/* foreign bytes: never written */
	MARKER_SITE_GONE,		/* was init text, which is freed */
	NR_MARKER_SITE_STATES
};

#define MARKER_SITE_MAX_SIZE	8

/**
 * struct marker_site - one place in a module's code
 * @addr:	of its instruction; 0 for MARKER_SITE_BRANCH
 * @target:	the cold block
 * @marker:	the marker
 * @state:	the bytes in the text, unless other code changed them.  Under the
 *		registry mutex.
 * @goal:	the state that marker_arch_patch() gives it; the same lock
 * @was:	@state before the last marker_arch_patch(), for messages; the same lock
 * @trap:	what a breakpoint of ours at @addr does, enum marker_site_trap.
 *		Written by marker_arch_patch(), read in traps without a lock.
 * @alone:	enabled alone, even if its event is not; the same lock
 * @foreign_tail: the bytes after the first are not ours, but do no harm as long
 *		as only the first is changed; the same lock
 * @found:	the bytes at the last attempt to patch it
 * @init:	in text that is freed when the module goes live
 */
struct marker_site {
	unsigned long addr;
	unsigned long target;
	struct marker *marker;
	u8 state;
	u8 goal;
	u8 was;
	u8 trap;
	bool init;
	bool alone;
	bool foreign_tail;
	u8 found[MARKER_SITE_MAX_SIZE];
};

/* struct marker_site.trap */
enum marker_site_trap {
	MARKER_TRAP_NONE,	/* no breakpoint of ours can be there */
	MARKER_TRAP_SKIP,	/* go on after the site */
	MARKER_TRAP_FIRE,	/* go to the cold block */
	MARKER_TRAP_FOREIGN,	/* quarantined: ours only if the old bytes are back */
};

/**
 * marker_arch_patch() - bring sites from @state to @goal
 * @sites:	sites sorted by address, each once, all with @state and @goal one
 *		of NOP, BREAKPOINT, JUMP and different from each other
 * @nr:		how many
 *
 * Each site is either done (@state == @goal afterwards) or quarantined because
 * its bytes are not those of @state (@found has them, nothing was written), which
 * does not affect the others.  If only the first byte may be written, a @goal of
 * JUMP becomes BREAKPOINT (and @foreign_tail is set).
 *
 * Context: Process context; sleeps.  cpus_read_lock() and the registry mutex
 * held.  The sites must be in marker_arch_find_site()'s table already.
 * Return: 0; -ENOMEM, or -EFAULT if a site is in no page: nothing was changed.
 */
int marker_arch_patch(struct marker_site **sites, unsigned int nr);

/**
 * marker_arch_expect() - the bytes of a site in a state
 * @site:	the site
 * @state:	NOP, BREAKPOINT or JUMP
 * @bytes:	marker_arch_site_size bytes
 *
 * Context: Any.
 */
void marker_arch_expect(const struct marker_site *site, u8 state, u8 *bytes);

/**
 * marker_arch_fits() - could we have left these bytes at a site?
 * @site:	the site
 * @state:	NOP, BREAKPOINT or JUMP
 * @bytes:	marker_arch_site_size bytes
 *
 * Context: Any.
 * Return: true if they are those of @state, or another tool's NOP, of which we change the first
 * byte only.
 */
bool marker_arch_fits(const struct marker_site *site, u8 state, const u8 *bytes);

/* Bytes of a site's instruction; 0 where nothing is patched. */
extern const unsigned int marker_arch_site_size;

/* False: no @goal of marker_arch_patch() may be MARKER_SITE_BREAKPOINT. */
extern const bool marker_arch_has_breakpoint;

/* The cold blocks call it: a module that imports it has markers. */
extern const char *const marker_arch_fire_symbol;

/**
 * marker_arch_guard_page() - unmap the guard page, or map it again
 * @armed:	unmap it
 *
 * Context: Process context; sleeps.  cpus_read_lock() and the registry mutex
 * held.
 * Return: 0; -EOPNOTSUPP if this machine's page tables do not allow it.
 */
int marker_arch_guard_page(bool armed);

/**
 * struct marker_arch_bridge - a function in optional clients, through which their hits come
 * @symbol:	its name there
 * @target:	where it leads to, if the client is connected
 */
struct marker_arch_bridge {
	const char *symbol;
	unsigned long target;
};

/* All of them; the first is in each object with markers. */
extern const struct marker_arch_bridge marker_arch_bridges[];
extern const unsigned int marker_arch_nr_bridges;

/**
 * marker_arch_client() - the entries of an object, by its bridge
 * @addr:	of the first bridge, in a module that is loaded
 *
 * Context: Any.
 * Return: them; NULL if this is no bridge as markers.ko knows it, or an open one.
 */
struct marker_client *marker_arch_client(unsigned long addr);

/**
 * marker_arch_switch_bridges() - bring bridges from @state to @goal
 * @bridges:	as the sites of marker_arch_patch(), with NOP and JUMP alone
 * @nr:		how many
 *
 * Context: as marker_arch_patch().
 * Return: as marker_arch_patch().
 */
int marker_arch_switch_bridges(struct marker_site **bridges, unsigned int nr);

int __init marker_arch_init(void);
void marker_arch_exit(void);

/**
 * marker_arch_find_site() - the site at an address
 * @addr:	the address of a breakpoint
 *
 * The patcher has it, the trap side calls it.
 *
 * Context: Any, NMI too.  RCU must watch, preemption be off.
 * Return: the site, or NULL.
 */
struct marker_site *marker_arch_find_site(unsigned long addr);

#endif /* _MARKERS_ARCH_H */
