// SPDX-License-Identifier: GPL-2.0
/*
 * The bridges of optional clients: a branch to where the struct marker_client says, see
 * <markers/arch/site.h>.  A B would not reach each module from here.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../../markers/arch.h"
#include "../../markers/marker_types.h"
#include <markers/arch/site.h>

/* From the bridge: the end that it has itself, and the place of the entries. */
#define BRIDGE_OFF	12
#define BRIDGE_CLIENT	20

const struct marker_arch_bridge marker_arch_bridges[] = {
	{ "__marker_bridge", (unsigned long)marker_thunk },
};

const unsigned int marker_arch_nr_bridges = ARRAY_SIZE(marker_arch_bridges);

static struct marker_client *client_of(unsigned long addr)
{
	s32 offset;

	addr += BRIDGE_CLIENT;
	memcpy(&offset, (void *)addr, sizeof(offset));
	return (struct marker_client *)(addr + offset);
}

struct marker_client *marker_arch_client(unsigned long addr)
{
	struct marker_client *client = client_of(addr);

	return READ_ONCE(client->bridge) == addr + BRIDGE_OFF ? client : NULL;
}

int marker_arch_switch_bridges(struct marker_site **bridges, unsigned int nr)
{
	struct marker_site *bridge;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		bridge = bridges[i];
		WRITE_ONCE(client_of(bridge->addr)->bridge, bridge->goal == MARKER_SITE_JUMP ?
			   bridge->target : bridge->addr + BRIDGE_OFF);
		bridge->state = bridge->goal;
	}
	return 0;
}
