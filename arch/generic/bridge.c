// SPDX-License-Identifier: GPL-2.0
/*
 * The bridges of optional clients: a pointer in the struct marker_client, which cold blocks test
 * and call.  Its symbol is not one of text, so once a module is live the kernel has it only with
 * CONFIG_KALLSYMS_ALL.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "../../markers/arch.h"
#include "../../markers/marker_types.h"
#include <markers/arch/site.h>

const struct marker_arch_bridge marker_arch_bridges[] = {
	{ "__marker_client", (unsigned long)marker_dispatch },
};

const unsigned int marker_arch_nr_bridges = ARRAY_SIZE(marker_arch_bridges);

struct marker_client *marker_arch_client(unsigned long addr)
{
	struct marker_client *client = (struct marker_client *)addr;

	return READ_ONCE(client->bridge) ? NULL : client;
}

int marker_arch_switch_bridges(struct marker_site **bridges, unsigned int nr)
{
	struct marker_client *client;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		client = (struct marker_client *)bridges[i]->addr;
		WRITE_ONCE(client->bridge, bridges[i]->goal == MARKER_SITE_JUMP ?
			   bridges[i]->target : 0);
		bridges[i]->state = bridges[i]->goal;
	}
	return 0;
}
