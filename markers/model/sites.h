/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finding the sites of a module that is being loaded.
 */
#ifndef _MARKERS_SITES_H
#define _MARKERS_SITES_H

#include <markers/arch.h>

struct module;

extern const char marker_layout_4;

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
