/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a site.  Pure: user space too.
 *
 *	NOP	0f 1f 44 00 00		nopl 0(%rax,%rax,1)
 *	INT3	cc 1f 44 00 00		a NOP with its first byte replaced
 *	JUMP	e9 rel32		jmp to the cold block
 *
 * Source: Intel SDM volume 2, NOP (recommended multi-byte sequence of five
 * bytes), INT n/INT3, JMP (E9 cd).
 */
#ifndef _MARKERS_ARCH_X86_INSN_H
#define _MARKERS_ARCH_X86_INSN_H

#include "../../markers/base.h"

#define SITE_SIZE	5
#define INT3_SIZE	1
#define INT3_OPCODE	0xcc
#define JMP32_OPCODE	0xe9
#define NOP_OPCODE	0x0f	/* the first byte of it */

/**
 * insn_nop() - the bytes of a disabled site
 * @to:		SITE_SIZE bytes
 *
 * Context: Any.
 */
static inline void insn_nop(u8 *to)
{
	static const u8 nop[SITE_SIZE] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

	memcpy(to, nop, SITE_SIZE);
}

/**
 * insn_breakpoint() - the bytes of a site with a breakpoint
 * @to:		SITE_SIZE bytes
 *
 * Context: Any.
 */
static inline void insn_breakpoint(u8 *to)
{
	insn_nop(to);
	to[0] = INT3_OPCODE;
}

/**
 * insn_tail_is_nop() - could the bytes after the first one complete a NOP?
 * @bytes:	SITE_SIZE bytes; the first one may be a breakpoint
 *
 * The operand of the NOP does not matter: assemblers and kernels choose different ones.
 *
 * Context: Any.
 * Return: true if writing NOP_OPCODE to the first byte makes a NOP of SITE_SIZE bytes.
 */
static __always_inline bool insn_tail_is_nop(const u8 *bytes)
{
	return bytes[1] == 0x1f && bytes[2] == 0x44;
}

/**
 * insn_jump() - the bytes of an enabled site
 * @to:		SITE_SIZE bytes
 * @from:	address of the site
 * @target:	address of the cold block; less than 2 GiB away, since both are in
 *		one module
 *
 * Context: Any.
 */
static inline void insn_jump(u8 *to, unsigned long from, unsigned long target)
{
	s32 rel = (s32)(target - (from + SITE_SIZE));

	to[0] = JMP32_OPCODE;
	memcpy(to + 1, &rel, sizeof(rel));
}

/**
 * insn_jump_target() - where a jump goes
 * @bytes:	SITE_SIZE bytes, of insn_jump()
 * @from:	address of the jump
 *
 * Context: Any, NMI too.
 * Return: the address.
 */
static __always_inline unsigned long insn_jump_target(const u8 *bytes, unsigned long from)
{
	s32 rel;

	memcpy(&rel, bytes + 1, sizeof(rel));
	return from + SITE_SIZE + (long)rel;
}

#endif /* _MARKERS_ARCH_X86_INSN_H */
