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
#define BRIDGE_BRANCH	12
#define BRIDGE_OFF	16
#define BRIDGE_CLIENT	24

const struct marker_arch_bridge marker_arch_bridges[] = {
	{ "__marker_bridge", (unsigned long)marker_thunk },
};

const unsigned int marker_arch_nr_bridges = ARRAY_SIZE(marker_arch_bridges);

/* The adrp and the ldr between are relocated, and changed for errata. */
#define INSN_BTI_C	0xd503245f
#define INSN_BR_X16	0xd61f0200
#define INSN_RET	0xd65f03c0

static struct marker_client *client_of(unsigned long addr)
{
	s32 offset;

	addr += BRIDGE_CLIENT;
	memcpy(&offset, (void *)addr, sizeof(offset));
	return (struct marker_client *)(addr + offset);
}

/* The place of the entries is what it seems only in such a bridge: compare before that is read. */
static bool is_bridge(unsigned long addr)
{
	static const __le32 first = cpu_to_le32(INSN_BTI_C);
	static const __le32 last[] = {
		cpu_to_le32(INSN_BR_X16), cpu_to_le32(INSN_BTI_C), cpu_to_le32(INSN_RET),
	};

	return !memcmp((void *)addr, &first, sizeof(first)) &&
	       !memcmp((void *)(addr + BRIDGE_BRANCH), last, sizeof(last));
}

struct marker_client *marker_arch_client(unsigned long addr)
{
	struct marker_client *client;

	if (!is_bridge(addr))
		return NULL;
	client = client_of(addr);
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
