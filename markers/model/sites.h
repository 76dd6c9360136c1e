/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finding the sites of a module that is being loaded.
 */
#ifndef _MARKERS_SITES_H
#define _MARKERS_SITES_H

#include <markers/arch.h>

struct marker_site_entry;
struct module;

extern const char marker_layout_4;

/**
 * marker_sites_read_one() - read an entry
 * @mod:	of this module
 * @entry:	the entry
 * @site:	the site
 *
 * Context: Process context.
 * Return: false if it cannot be used; error_log says why.
 */
bool marker_sites_read_one(const struct module *mod, const struct marker_site_entry *entry,
			   struct marker_site *site);

/**
 * marker_sites_read() - make the table of a module's sites
 * @mod:	a module in state COMING
 * @sites:	the table, for kvfree(); NULL if there is none
 * @nr:		how many
 *
 * Context: Process context; sleeps.
 * Return: 0, also if the module has no markers; -ENOEXEC: it was built for another
 * MARKER_LAYOUT, error_log says so; -ENOMEM.
 */
int marker_sites_read(struct module *mod, struct marker_site **sites,
		      unsigned int *nr);

#endif /* _MARKERS_SITES_H */
