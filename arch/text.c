// SPDX-License-Identifier: GPL-2.0
/*
 * Makes text writable.  An architecture's patch.c calls it in process context, under the
 * registry mutex.
 *
 * The kernel's own functions for that are not exported, so the pages get a second,
 * writable mapping for the time of one batch.  One call of vm_map_ram() maps all pages
 * of a batch side by side; unlike vmap(), it seldom needs a new range of addresses for
 * few of them.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "text.h"

/* Append the page of @addr, unless it is the last one already. */
static void add_page(struct text_alias *alias, unsigned long addr)
{
	addr &= PAGE_MASK;
	if (!alias->nr || alias->page[alias->nr - 1] != addr)
		alias->page[alias->nr++] = addr;
}

static int map_pages(struct text_alias *alias, struct page **pages)
{
	unsigned int i;

	for (i = 0; i < alias->nr; i++) {
		pages[i] = vmalloc_to_page((void *)alias->page[i]);
		if (!pages[i])
			return -EFAULT;
	}
	alias->map = vm_map_ram(pages, alias->nr, NUMA_NO_NODE);
	return alias->map ? 0 : -ENOMEM;
}

int text_alias_create(struct text_alias *alias, struct marker_site **sites,
		      unsigned int nr)
{
	/* a site may lie across the border of two pages */
	const size_t most = 2 * (size_t)nr;
	struct page **pages;
	unsigned int i;
	int err;

	alias->page = kvmalloc_array(most, sizeof(*alias->page) + sizeof(*pages),
				     GFP_KERNEL);
	if (!alias->page)
		return -ENOMEM;
	pages = (struct page **)&alias->page[most];
	alias->nr = 0;
	for (i = 0; i < nr; i++) {
		add_page(alias, sites[i]->addr);
		add_page(alias, sites[i]->addr + marker_arch_site_size - 1);
	}
	err = map_pages(alias, pages);
	if (err)
		kvfree(alias->page);
	return err;
}

void text_alias_destroy(struct text_alias *alias)
{
	vm_unmap_ram(alias->map, alias->nr);
	kvfree(alias->page);
}
