// SPDX-License-Identifier: GPL-2.0
/*
 * The sites of a module are in section __marker_sites, but the loader does not know
 * that section.  marker.h puts a local label at the begin and at the end of each
 * translation unit's part of it; the loader keeps all symbols until init has run, so
 * the labels are in mod->kallsyms.  Another symbol there gives the MARKER_LAYOUT that
 * the unit was built with.  The cold block of a site is in the module's exception
 * table, which the loader has sorted.
 *
 * modules.c calls this in process context, without a lock: the module is not running
 * yet.
 */
#include <linux/extable.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/log.h>
#include <markers/marker_types.h>
#include "sites.h"

/* Its name says the layout: client.mk looks for it in Module.symvers. */
const char marker_layout_4;
EXPORT_SYMBOL_GPL(marker_layout_4);
static_assert(MARKER_LAYOUT == 4);

/**
 * struct table - the values of a module's symbols
 * @begin:	lowest label at the begin of a unit's entries
 * @end:	highest label at their end; NULL: there is none
 * @layout:	MARKER_LAYOUT of the units, or of one that has another; 0: no symbol
 */
struct table {
	const struct marker_site_entry *begin;
	const struct marker_site_entry *end;
	unsigned long layout;
};

static void *follow_offset(const s32 *offset)
{
	return (void *)((unsigned long)offset + *offset);
}

static struct table find_table(const struct module *mod)
{
	struct table table = { .begin = (void *)ULONG_MAX };
	const struct mod_kallsyms *syms;
	const char *name;
	unsigned int i;
	void *value;

	/* it does not change while the module is coming */
	syms = rcu_dereference_raw(mod->kallsyms);
	for (i = 0; i < syms->num_symtab; i++) {
		name = syms->strtab + syms->symtab[i].st_name;
		value = (void *)syms->symtab[i].st_value;
		if (!strcmp(name, "__marker_layout") &&
		    (!table.layout || table.layout == MARKER_LAYOUT))
			table.layout = (unsigned long)value;
		if (strncmp(name, "__marker_sites_", 15))
			continue;
		if (!strcmp(name + 15, "begin"))
			table.begin = min_t(void *, (void *)table.begin, value);
		else if (!strcmp(name + 15, "end"))
			table.end = max_t(void *, (void *)table.end, value);
	}
	return table;
}

/* The fixup of the exception table entry for @addr, or 0. */
static unsigned long find_target(const struct module *mod, unsigned long addr)
{
	unsigned int lo = 0, hi = mod->num_exentries, mid;
	const struct exception_table_entry *entry;
	unsigned long insn;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		entry = &mod->extable[mid];
		insn = (unsigned long)follow_offset(&entry->insn);
		if (insn == addr)
			return (unsigned long)follow_offset(&entry->fixup);
		if (insn < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

static const u8 state_of_kind[] = {
	[MARKER_KIND_PATCH] = MARKER_SITE_NOP,
	[MARKER_KIND_BRANCH] = MARKER_SITE_BRANCH,
	[MARKER_KIND_GUARD] = MARKER_SITE_GUARD,
};

bool marker_sites_read_one(const struct module *mod, const struct marker_site_entry *entry,
			   struct marker_site *site)
{
	memset(site, 0, sizeof(*site));
	site->marker = follow_offset(&entry->marker);
	if (site->marker->kind >= ARRAY_SIZE(state_of_kind)) {
		marker_log_refused(NULL, 0, "%s: marker of an unknown kind: built with another marker.h?",
				   mod->name);
		return false;
	}
	site->state = state_of_kind[site->marker->kind];
	if (!entry->code)
		return true;

	site->addr = (unsigned long)follow_offset(&entry->code);
	site->target = find_target(mod, site->addr);
	site->init = within_module_init(site->addr, mod);
	if (site->target)
		return true;
	marker_log_refused(NULL, 0, "%s: no exception table entry for marker %s at %pS: not usable",
			   mod->name, site->marker->name, (void *)site->addr);
	return false;
}

/* Nothing in a module with another layout can be trusted. */
static int check_layout(const struct module *mod, const struct table *table)
{
	if (table->layout == MARKER_LAYOUT || (!table->layout && !table->end))
		return 0;
	marker_log_refused(NULL, 0, "%s refused: built for marker layout %lu, this markers.ko has %u: build it again with the headers of this markers.ko",
			   mod->name, table->layout, MARKER_LAYOUT);
	return -ENOEXEC;
}

/* Without the labels, the markers of a module cannot be found. */
static void warn_if_stripped(const struct module *mod)
{
	const struct mod_kallsyms *syms = rcu_dereference_raw(mod->kallsyms);
	unsigned int i;

	for (i = 0; i < syms->num_symtab; i++) {
		if (syms->symtab[i].st_shndx != SHN_UNDEF ||
		    strcmp(syms->strtab + syms->symtab[i].st_name,
			   marker_arch_fire_symbol))
			continue;
		marker_log_refused(NULL, 0, "%s: markers not found, was it stripped of its local symbols? use strip --strip-debug",
				   mod->name);
		return;
	}
}

int marker_sites_read(struct module *mod, struct marker_site **sites,
		      unsigned int *nr)
{
	struct table table = find_table(mod);
	const struct marker_site_entry *entry;
	int err;

	*nr = 0;
	*sites = NULL;
	err = check_layout(mod, &table);
	if (err)
		return err;
	if (table.begin >= table.end) {
		if (!table.end)
			warn_if_stripped(mod);
		return 0;
	}
	*sites = kvcalloc(table.end - table.begin, sizeof(**sites), GFP_KERNEL);
	if (!*sites)
		return -ENOMEM;
	for (entry = table.begin; entry < table.end; entry++) {
		if (marker_sites_read_one(mod, entry, &(*sites)[*nr]))
			(*nr)++;
	}
	return 0;
}
