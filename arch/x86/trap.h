/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a breakpoint of ours does.  Pure: the kernel's int3 and a process's
 * SIGTRAP go by it alike.
 */
#ifndef _MARKERS_ARCH_X86_TRAP_H
#define _MARKERS_ARCH_X86_TRAP_H

#include "../../markers/base.h"
#include "../../markers/arch.h"
#include "insn.h"

/**
 * site_trap() - where to go on after a breakpoint
 * @site:	of marker_site_find(), for the address of the breakpoint
 * @ip:		instruction pointer; set on success
 *
 * Context: Any, NMI too.
 * Return: false if the breakpoint is not ours.
 */
static __always_inline bool site_trap(const struct marker_site *site,
				      unsigned long *ip)
{
	/* INT3(trap:A) pairs with INT3(patch:A) and INT3(patch:B). */
	switch (READ_ONCE(site->trap)) {
	case MARKER_TRAP_SKIP:
		*ip = site->addr + SITE_SIZE;
		return true;
	case MARKER_TRAP_FIRE:
		*ip = site->target;
		return true;
	}
	return false;
}

#endif /* _MARKERS_ARCH_X86_TRAP_H */
