/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A writable alias of the pages that a module's text is in, which is mapped read-only.
 */
#ifndef _MARKERS_ARCH_TEXT_H
#define _MARKERS_ARCH_TEXT_H

#include "../markers/arch.h"

/**
 * struct text_alias - a writable view of the pages that some sites are in
 * @map:	the view; its pages are those of @page, in order
 * @page:	address of each page in the module, ascending
 * @nr:		how many
 */
struct text_alias {
	u8 *map;
	unsigned long *page;
	unsigned int nr;
};

/**
 * text_alias_create() - map the pages of sites writable
 * @alias:	filled in
 * @sites:	sites sorted by address, at least one
 * @nr:		how many
 *
 * Context: Process context; sleeps.
 * Return: 0, -ENOMEM, or -EFAULT if a site is in no page of vmalloc space.
 */
int text_alias_create(struct text_alias *alias, struct marker_site **sites,
		      unsigned int nr);

/**
 * text_alias_destroy() - unmap the pages
 * @alias:	of text_alias_create()
 *
 * Context: Process context; sleeps.
 */
void text_alias_destroy(struct text_alias *alias);

/**
 * text_view() - where bytes of a site can be written
 * @alias:	of text_alias_create()
 * @cursor:	index into @alias->page, 0 before the first call of a pass; the
 *		calls of a pass go up in addresses
 * @addr:	in the module's own mapping
 *
 * Context: Process context.
 * Return: the place of @addr in the view.
 */
static inline u8 *text_view(const struct text_alias *alias, unsigned int *cursor,
			    unsigned long addr)
{
	while (alias->page[*cursor] != (addr & PAGE_MASK))
		(*cursor)++;
	/* the next page of the text is the next page of the view */
	return alias->map + *cursor * PAGE_SIZE + offset_in_page(addr);
}

#endif /* _MARKERS_ARCH_TEXT_H */
