/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing to a module's text, and what makes other CPUs see it.
 */
#ifndef _MARKERS_ARCH_X86_TEXT_H
#define _MARKERS_ARCH_X86_TEXT_H

#include "../text.h"

/**
 * text_write() - change bytes of a site
 * @alias:	of text_alias_create()
 * @cursor:	index into @alias->page, 0 before the first call of a pass; the
 *		calls of a pass go up in addresses
 * @addr:	where, in the module's own mapping
 * @bytes:	what
 * @len:	a constant, up to MARKER_SITE_MAX_SIZE
 *
 * Context: Process context.
 */
static __always_inline void text_write(const struct text_alias *alias, unsigned int *cursor,
				       unsigned long addr, const u8 *bytes, unsigned int len)
{
	memcpy(text_view(alias, cursor, addr), bytes, len);
}

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
