// SPDX-License-Identifier: GPL-2.0
/*
 * Writes bytes into text.  patch.c calls it in process context, under the registry mutex.
 */
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/sync_core.h>

#include "text.h"

void text_write(struct text_alias *alias, unsigned int *cursor,
		unsigned long addr, const u8 *bytes, unsigned int len)
{
	memcpy(text_view(alias, cursor, addr), bytes, len);
}

static void sync_this_cpu(void *unused)
{
	sync_core();
}

void text_sync(void)
{
	on_each_cpu(sync_this_cpu, NULL, 1);
}
