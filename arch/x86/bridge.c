// SPDX-License-Identifier: GPL-2.0
/*
 * The bridges of optional clients: two NOPs and a return, see <markers/arch/site.h>.  A bridge
 * opens as a site does, by a jump in place of the first NOP; the second has the place of the
 * entries as its operand.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../../markers/arch.h"
#include "../../markers/marker_types.h"
#include "insn.h"
#include <markers/arch/site.h>

const struct marker_arch_bridge marker_arch_bridges[] = {
	{ "__marker_bridge", (unsigned long)marker_thunk },
	{ "__marker_bridge_many", (unsigned long)marker_thunk_many },
};

const unsigned int marker_arch_nr_bridges = ARRAY_SIZE(marker_arch_bridges);

struct marker_client *marker_arch_client(unsigned long addr)
{
	/* nopl OFFSET(%rip) */
	static const u8 nop_of_place[] = { 0x0f, 0x1f, 0x05 };
	u8 nop[SITE_SIZE];
	s32 offset;

	insn_nop(nop);
	if (memcmp((void *)addr, nop, SITE_SIZE))
		return NULL;
	addr += SITE_SIZE;
	if (memcmp((void *)addr, nop_of_place, sizeof(nop_of_place)))
		return NULL;
	addr += sizeof(nop_of_place);
	memcpy(&offset, (void *)addr, sizeof(offset));
	return (struct marker_client *)(addr + sizeof(offset) + offset);
}

int marker_arch_switch_bridges(struct marker_site **bridges, unsigned int nr)
{
	return marker_arch_patch(bridges, nr);
}
