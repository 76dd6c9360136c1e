// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the CPUs see text that was written.  patch.c calls it in process context, under the
 * registry mutex.
 */
#include <linux/smp.h>
#include <asm/sync_core.h>

#include "text.h"

static void sync_this_cpu(void *unused)
{
	sync_core();
}

void text_sync(void)
{
	on_each_cpu(sync_this_cpu, NULL, 1);
}
