/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a breakpoint of ours does.  Pure: the kernel's int3 and a process's SIGTRAP
 * both use it.
 */
#ifndef _MARKERS_ARCH_X86_TRAP_H
#define _MARKERS_ARCH_X86_TRAP_H

#include "../../markers/base.h"
#include "../../markers/arch.h"
#include "insn.h"

/**
 * trap_site_late() - a breakpoint at a site where we have none
 * @site:	the site
 *
 * No CPU executes a breakpoint after the sync that followed its removal, but an
 * emulator may, see write_again() in patch.c.  So if the text has no breakpoint any
 * more, the trap acts as the present instruction would.
 *
 * Context: Any, NMI too.
 * Return: an enum marker_site_trap.
 */
static __always_inline u8 trap_site_late(const struct marker_site *site)
{
	u8 first = READ_ONCE(*(const u8 *)site->addr);
	u8 state = READ_ONCE(site->state);

	if (first == NOP_OPCODE && state == MARKER_SITE_NOP)
		return MARKER_TRAP_SKIP;
	if (first == JMP32_OPCODE && state == MARKER_SITE_JUMP)
		return MARKER_TRAP_FIRE;
	/* INT3(trap:A): a new one, written after we looked, or not ours at all. */
	smp_rmb();
	return READ_ONCE(site->trap);
}

/**
 * trap_site_foreign() - a breakpoint at a site in quarantine
 * @site:	the site
 *
 * Foreign code had overwritten a breakpoint of ours, and may have put it back.  If it
 * has, what follows the breakpoint is the tail of a NOP again.
 *
 * Context: Any, NMI too.
 * Return: MARKER_TRAP_FIRE if the breakpoint is ours, else MARKER_TRAP_NONE.
 */
static __always_inline u8 trap_site_foreign(const struct marker_site *site)
{
	return insn_tail_is_nop((const u8 *)site->addr) ? MARKER_TRAP_FIRE :
							  MARKER_TRAP_NONE;
}

/**
 * trap_site() - where to go on after a breakpoint
 * @site:	of marker_arch_find_site(), for the address of the breakpoint
 * @ip:		instruction pointer; set on success
 *
 * Context: Any, NMI too.
 * Return: false if the breakpoint is not ours.
 */
static __always_inline bool trap_site(const struct marker_site *site,
				      unsigned long *ip)
{
	/* INT3(trap:A) pairs with INT3(patch:A) and INT3(patch:B). */
	u8 trap = READ_ONCE(site->trap);

	/* one test for what is frequent */
	if (unlikely(trap != MARKER_TRAP_FIRE)) {
		if (trap == MARKER_TRAP_NONE)
			trap = trap_site_late(site);
		if (unlikely(trap == MARKER_TRAP_FOREIGN))
			trap = trap_site_foreign(site);
	}
	if (likely(trap == MARKER_TRAP_FIRE)) {
		*ip = site->target;
		return true;
	}
	if (trap == MARKER_TRAP_SKIP) {
		*ip = site->addr + SITE_SIZE;
		return true;
	}
	return false;
}

/**
 * trap_gone() - a breakpoint at a place that is no site of ours any more
 * @ip:		instruction pointer after the breakpoint; set on success
 *
 * A trap that is late, see trap_site_late(), may find that its site has gone: a module that goes
 * has its breakpoints taken out just before that, and code of it may still run.  So if the text
 * has a NOP or a jump as a site has it, and no breakpoint any more, act as that does.  To execute
 * it would not do: an emulator that keeps an old breakpoint has it there for good.
 *
 * Interrupts are off, so nobody who writes text in order gets from one instruction to another while
 * this reads.
 *
 * Context: Any, NMI too.
 * Return: false if the breakpoint is not ours.
 */
static __always_inline bool trap_gone(unsigned long *ip)
{
	const u8 *text = (const u8 *)(*ip - INT3_SIZE);
	u8 first = READ_ONCE(*text);

	if (first == JMP32_OPCODE)
		*ip = insn_jump_target(text, (unsigned long)text);
	else if (first == NOP_OPCODE && insn_tail_is_nop(text))
		*ip = (unsigned long)text + SITE_SIZE;
	else
		return false;
	return true;
}

/**
 * trap_handle() - where to go on after a breakpoint anywhere
 * @site:	of marker_arch_find_site(), or NULL; it may be MARKER_SITE_GONE
 * @ip:		instruction pointer after the breakpoint; set on success
 *
 * Context: Any, NMI too.
 * Return: false if the breakpoint is not ours.
 */
static __always_inline bool trap_handle(const struct marker_site *site, unsigned long *ip)
{
	return (likely(site) && trap_site(site, ip)) || trap_gone(ip);
}

#endif /* _MARKERS_ARCH_X86_TRAP_H */
