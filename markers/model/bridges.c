// SPDX-License-Identifier: GPL-2.0
/*
 * An optional client imports nothing from markers.ko.  Its cold blocks call bridges in its own
 * text, one or two in each object with markers.  A closed bridge returns; an open one leads to the
 * thunk.  The symbols of text stay in mod->kallsyms as long as the module is loaded, so bridges
 * are found also when markers.ko comes later; a bridge says where the struct marker_client of its
 * object is, and the entries follow that.
 *
 * Process context.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/log.h>
#include <markers/marker.h>
#include "bridges.h"
#include "patcher.h"
#include "registry.h"
#include "sites.h"

#define LAYOUT	(MARKER_LAYOUT + __MARKER_SCHEME)

/* For messages. */
static struct marker bridge_marker = { .name = "(bridge)" };

static const struct marker_arch_bridge *bridge_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < marker_arch_nr_bridges; i++) {
		if (!strcmp(name, marker_arch_bridges[i].symbol))
			return &marker_arch_bridges[i];
	}
	return NULL;
}

/* Up to @room of them go to @bridges.  @is_other: it has objects, but not such bridges. */
static unsigned int find_bridges(const struct module *mod, struct marker_site *bridges,
				 unsigned int room, bool *is_other)
{
	const struct marker_arch_bridge *bridge;
	const struct mod_kallsyms *syms;
	bool has_objects = false;
	unsigned int i, nr = 0;
	const char *name;

	/* the table is another one after init */
	rcu_read_lock();
	syms = rcu_dereference_raw(mod->kallsyms);
	for (i = 0; i < syms->num_symtab; i++) {
		name = syms->strtab + syms->symtab[i].st_name;
		if (strncmp(name, "__marker_", 9) || syms->symtab[i].st_shndx == SHN_UNDEF)
			continue;
		has_objects |= !strcmp(name, "__marker_client");
		bridge = bridge_named(name);
		if (!bridge)
			continue;
		if (nr < room) {
			bridges[nr].addr = syms->symtab[i].st_value;
			bridges[nr].target = bridge->target;
			bridges[nr].marker = &bridge_marker;
		}
		nr++;
	}
	rcu_read_unlock();
	*is_other = !nr && has_objects;
	return nr;
}

static void stay_off(const struct marker_module *module, bool quiet, const char *why)
{
	if (!quiet)
		marker_log_refused(NULL, 0, "%s: its markers stay off: %s", module->name, why);
}

/* Is the bridge the one that leads to the entries of its object? */
static bool has_entries(const struct marker_site *bridge)
{
	return bridge->target == marker_arch_bridges[0].target;
}

static const struct marker_site_entry *entries(struct marker_client *client, unsigned int *nr)
{
	const struct marker_site_entry *first = (void *)(client + 1), *end;

	end = (void *)((char *)client + client->end);
	*nr = end - first;
	return first;
}

/* Are all objects such that markers.ko can read them?  @nr: their entries */
static int check_objects(const struct marker_module *module, bool quiet, unsigned int *nr)
{
	struct marker_client *client;
	unsigned int i, more;
	char why[96];

	*nr = 0;
	if (test_bit(TAINT_PROPRIETARY_MODULE, &module->mod->taints)) {
		stay_off(module, quiet, "its license is not compatible with the GPL");
		return -ENOEXEC;
	}
	for (i = 0; i < module->nr_bridges; i++) {
		if (!has_entries(&module->bridge[i]))
			continue;
		client = marker_arch_client(module->bridge[i].addr);
		if (!client) {
			stay_off(module, quiet, "its code has been changed from outside, or is of another marker.h: load it again, or build it again");
			return -ENOEXEC;
		}
		if (client->layout != LAYOUT) {
			snprintf(why, sizeof(why), "built for marker layout %u, this markers.ko has %u: build it again",
				 client->layout, LAYOUT);
			stay_off(module, quiet, why);
			return -ENOEXEC;
		}
		entries(client, &more);
		*nr += more;
	}
	return 0;
}

/* Was the site in init text that has been freed, or is going to be? */
static bool is_freed(const struct module *mod, const struct marker_site_entry *entry)
{
	unsigned long addr = (unsigned long)&entry->code + entry->code;

	return entry->code && mod->state == MODULE_STATE_LIVE && !within_module_core(addr, mod);
}

static void read_object(struct marker_module *module, struct marker_client *client)
{
	const struct marker_site_entry *entry;
	struct marker_site *site;
	unsigned int nr;

	for (entry = entries(client, &nr); nr; nr--, entry++) {
		site = &module->site[module->nr_sites];
		if (is_freed(module->mod, entry) ||
		    !marker_sites_read_one(module->mod, entry, site))
			continue;
		site->marker->event = NULL;
		module->nr_sites++;
	}
}

/* For the rare module that has objects of both kinds, keep the sites it has. */
static int make_room(struct marker_module *module, unsigned int nr)
{
	struct marker_site *sites;

	sites = kvcalloc(module->nr_sites + nr, sizeof(*sites), GFP_KERNEL);
	if (!sites)
		return -ENOMEM;
	if (module->nr_sites)
		memcpy(sites, module->site, module->nr_sites * sizeof(*sites));
	kvfree(module->site);
	module->site = sites;
	return 0;
}

int marker_bridges_read(struct marker_module *module, bool quiet)
{
	unsigned int i, nr;
	bool is_other;
	int err;

	nr = find_bridges(module->mod, NULL, 0, &is_other);
	if (is_other) {
		stay_off(module, quiet, "it or markers.ko was built with MARKERS_FORCE_GENERIC=1: build both with it or both without");
		return -ENOEXEC;
	}
	if (!nr)
		return 0;
	module->bridge = kvcalloc(nr, sizeof(*module->bridge), GFP_KERNEL);
	if (!module->bridge)
		return -ENOMEM;
	module->nr_bridges = min(nr, find_bridges(module->mod, module->bridge, nr, &is_other));
	err = check_objects(module, quiet, &nr);
	if (err)
		return err;
	err = make_room(module, nr);
	if (err)
		return err;
	for (i = 0; i < module->nr_bridges; i++) {
		if (has_entries(&module->bridge[i]))
			read_object(module, marker_arch_client(module->bridge[i].addr));
	}
	return 0;
}

static int switch_bridges(struct marker_module *module, u8 goal)
{
	struct marker_site **bridges, *bridge;
	unsigned int i, nr = 0;
	u8 state;
	int err;

	bridges = kvmalloc_array(module->nr_bridges, sizeof(*bridges), GFP_KERNEL);
	if (!bridges)
		return -ENOMEM;
	for (i = 0; i < module->nr_bridges; i++) {
		bridge = &module->bridge[i];
		state = marker_patcher_state(bridge);
		if (state == goal || state == MARKER_SITE_QUARANTINED)
			continue;
		bridge->goal = goal;
		bridges[nr++] = bridge;
	}
	err = marker_patcher_apply_bridges(bridges, nr);
	kvfree(bridges);
	return err;
}

int marker_bridges_open(struct marker_module *module)
{
	unsigned int i;
	int err;

	if (!module->nr_bridges)
		return 0;
	err = marker_patcher_add(module->bridge, module->nr_bridges) ?:
	      switch_bridges(module, MARKER_SITE_JUMP);
	for (i = 0; !err && i < module->nr_bridges; i++) {
		if (module->bridge[i].state != MARKER_SITE_JUMP)
			err = -EBUSY;
	}
	return err;
}

int marker_bridges_close(struct marker_module *module)
{
	return module->nr_bridges ? switch_bridges(module, MARKER_SITE_NOP) : 0;
}

void marker_bridges_forget(struct marker_module *module)
{
	unsigned int i;

	for (i = 0; i < module->nr_bridges; i++)
		module->bridge[i].state = MARKER_SITE_GONE;
	marker_patcher_forget_gone(module->bridge, module->nr_bridges);
}
