/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing to a module's text, which is mapped read-only, through a writable
 * alias of the same pages.
 */
#ifndef _MARKERS_ARCH_X86_TEXT_H
#define _MARKERS_ARCH_X86_TEXT_H

#include "../../markers/arch.h"

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
 * text_write() - change bytes of a site
 * @alias:	of text_alias_create()
 * @cursor:	index into @alias->page, 0 before the first call of a pass; the
 *		calls of a pass go up in addresses
 * @addr:	where, in the module's own mapping
 * @bytes:	what
 * @len:	up to MARKER_SITE_MAX_SIZE
 *
 * Context: Process context.
 */
void text_write(struct text_alias *alias, unsigned int *cursor,
		unsigned long addr, const u8 *bytes, unsigned int len);

/**
 * text_sync() - make all CPUs discard the instructions that they have fetched
 *
 * One interprocessor interrupt to each other CPU.  When it returns, every CPU
 * has executed a serialising instruction, and no CPU still handles a trap that the
 * old bytes caused.
 *
 * Context: Process context; sleeps.  cpus_read_lock() held.
 */
void text_sync(void);

#endif /* _MARKERS_ARCH_X86_TEXT_H */
