/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What trace_mark() puts into arm64 code: one NOP in the hot path and a cold block after the
 * function that disturbs nothing.
 *
 * The architecture lets NOP and B be changed into each other while other CPUs execute them, so
 * nothing is in between.  A NOP does not fault: its exception table entry is inert.  It is
 * where the registry finds the cold block, and it makes the kernel refuse a kprobe there.
 *
 * The cold block does not call C.  It makes room on the stack, keeps there what a BL clobbers -
 * x30, and x16 and x17, which a veneer of the module loader may use - stores the arguments and
 * the marker, and calls a thunk that preserves all other registers.  So the compiler sees no
 * call, a leaf function stays a leaf.  The stores have no "m" operands: one relative to sp
 * would move under them.
 *
 *	sp + 0	x16, x17
 *	  + 16	x30
 *	  + 24	the marker
 *	  + 32	the arguments, in the order of an array
 *
 * That is no frame record: in a function that has one, x30 may be any value here.  A function
 * without one is missing in a backtrace, or its caller, as where an interrupt hits it.
 *
 * There is no "memory" clobber either, or the hot path could not keep a loaded value in
 * a register across a disabled marker.  Instead, the memory behind a pointer argument
 * is an input, so that the compiler has written it before the recorder reads it.
 */
#ifndef _MARKERS_ARCH_SITE_H
#define _MARKERS_ARCH_SITE_H

#include <asm/asm-extable.h>

struct marker;

/* The page that the sites of trace_mark_guard() read. */
extern const char marker_guard_page[];

/**
 * marker_thunk() - call marker_dispatch() and change no register but x16, x17 and x30
 * @marker:	the marker; on the stack, as above
 *
 * Not a C function: it is in arch/arm64/thunk.S, and only the asm below calls it.  The
 * parameter puts the layout of struct marker into its version checksum (MODVERSIONS).
 *
 * Context: Any, NMI too.
 */
void marker_thunk(struct marker *marker);

/*
 * What the cold blocks of an optional client call: it goes on where the struct marker_client says,
 * which is to its end, or to the thunk.  A BR through x16 may go to a "bti c".
 */
#define __MARKER_SCHEME		0
#ifdef MARKERS_OPTIONAL
#define __MARKER_BRIDGE							\
	".pushsection .text.marker_bridge, \"ax\"\n\t"			\
	".balign 4\n\t"							\
	".type __marker_bridge, @function\n"				\
	"__marker_bridge:\n\t"						\
	"hint #34\n\t"		/* bti c: a veneer may lead here */	\
	"adrp x16, __marker_client + 8\n\t"				\
	"ldr x16, [x16, :lo12:__marker_client + 8]\n\t"			\
	"br x16\n"							\
	"__marker_bridge_off:\n\t"					\
	"hint #34\n\t"		/* bti c */				\
	"ret\n\t"							\
	".long __marker_client - .\n\t"					\
	".size __marker_bridge, . - __marker_bridge\n\t"		\
	".popsection\n\t"						\
	__MARKER_BRIDGE_NO_KPROBE("__marker_bridge")
#define __MARKER_BRIDGE_OFF	"__marker_bridge_off"
#define __MARKER_THUNK		"__marker_bridge"
#else
#define __MARKER_THUNK		"marker_thunk"
#endif

/* An instruction @insn that may go to @fire, and its entry; %1 is an operand of it. */
#define __marker_insn(insn, m, fire, operand...)			\
	asm goto("1: " insn "\n\t"					\
		 __MARKER_ENTRY("1b - .")				\
		 _ASM_EXTABLE_KACCESS_ERR_ZERO(1b, %l[fire], wzr, wzr)	\
		 : : "i" (m), ##operand : : fire)

/* While it is a NOP the code goes on; as a branch it goes to @fire. */
#define __MARKER_KIND_SITE	MARKER_KIND_PATCH
#define __marker_site(m, fire)						\
	__marker_insn("nop", m, fire)

/*
 * Reads a byte; if the page is unmapped, the data abort goes to @fire.  The page is in markers.ko,
 * so an optional client has a load and a branch.
 */
#ifdef MARKERS_OPTIONAL
#define __MARKER_KIND_READ	MARKER_KIND_BRANCH
#define __marker_read(m, fire)	__marker_branch(m, fire)
#else
#define __MARKER_KIND_READ	MARKER_KIND_GUARD
#define __marker_read(m, fire)						\
	__marker_insn("ldrb wzr, [%1]", m, fire, "r" (marker_guard_page))
#endif

/* Stores of arguments to their places, two at a time. */
#define __MARKER_ONE(n)		"str %x[a" #n "], [sp, 32 + 8 * " #n "]\n\t"
#define __MARKER_TWO(n, m)						\
	"stp %x[a" #n "], %x[a" #m "], [sp, 32 + 8 * " #n "]\n\t"
#define __MARKER_STORE_0
#define __MARKER_STORE_2	__MARKER_STORE_0 __MARKER_TWO(0, 1)
#define __MARKER_STORE_4	__MARKER_STORE_2 __MARKER_TWO(2, 3)
#define __MARKER_STORE_6	__MARKER_STORE_4 __MARKER_TWO(4, 5)
#define __MARKER_STORE_8	__MARKER_STORE_6 __MARKER_TWO(6, 7)
#define __MARKER_STORE_10	__MARKER_STORE_8 __MARKER_TWO(8, 9)
#define __MARKER_STORE_12	__MARKER_STORE_10 __MARKER_TWO(10, 11)
#define __MARKER_STORE_14	__MARKER_STORE_12 __MARKER_TWO(12, 13)
#define __MARKER_STORE_16	__MARKER_STORE_14 __MARKER_TWO(14, 15)
#define __MARKER_STORE_1	__MARKER_STORE_0 __MARKER_ONE(0)
#define __MARKER_STORE_3	__MARKER_STORE_2 __MARKER_ONE(2)
#define __MARKER_STORE_5	__MARKER_STORE_4 __MARKER_ONE(4)
#define __MARKER_STORE_7	__MARKER_STORE_6 __MARKER_ONE(6)
#define __MARKER_STORE_9	__MARKER_STORE_8 __MARKER_ONE(8)
#define __MARKER_STORE_11	__MARKER_STORE_10 __MARKER_ONE(10)
#define __MARKER_STORE_13	__MARKER_STORE_12 __MARKER_ONE(12)
#define __MARKER_STORE_15	__MARKER_STORE_14 __MARKER_ONE(14)

/* One asm stores all arguments: there are registers for sixteen. */
#define __MARKER_IN(n)							\
	[a##n] "rZ" ((u64)(__arg##n))
#define __MARKER_IN_0
#define __MARKER_IN_1		__MARKER_IN_0, __MARKER_IN(0)
#define __MARKER_IN_2		__MARKER_IN_1, __MARKER_IN(1)
#define __MARKER_IN_3		__MARKER_IN_2, __MARKER_IN(2)
#define __MARKER_IN_4		__MARKER_IN_3, __MARKER_IN(3)
#define __MARKER_IN_5		__MARKER_IN_4, __MARKER_IN(4)
#define __MARKER_IN_6		__MARKER_IN_5, __MARKER_IN(5)
#define __MARKER_IN_7		__MARKER_IN_6, __MARKER_IN(6)
#define __MARKER_IN_8		__MARKER_IN_7, __MARKER_IN(7)
#define __MARKER_IN_9		__MARKER_IN_8, __MARKER_IN(8)
#define __MARKER_IN_10		__MARKER_IN_9, __MARKER_IN(9)
#define __MARKER_IN_11		__MARKER_IN_10, __MARKER_IN(10)
#define __MARKER_IN_12		__MARKER_IN_11, __MARKER_IN(11)
#define __MARKER_IN_13		__MARKER_IN_12, __MARKER_IN(12)
#define __MARKER_IN_14		__MARKER_IN_13, __MARKER_IN(13)
#define __MARKER_IN_15		__MARKER_IN_14, __MARKER_IN(14)
#define __MARKER_IN_16		__MARKER_IN_15, __MARKER_IN(15)

/*
 * The memory that the recorder reads through argument n, if that is a pointer.  Each has an asm
 * of its own before the stores, because these may have no more than 30 operands.  Its size is
 * not known: gcc accepts an incomplete type, clang needs a number.
 */
#ifdef __clang__
#define __MARKER_TARGET_SIZE	65536
#else
#define __MARKER_TARGET_SIZE
#endif
#define __MARKER_TARGET(n)						\
	if (__MARKER_IS_POINTER(__arg##n))				\
		asm volatile("" : : "m"					\
			(*(const char (*)[__MARKER_TARGET_SIZE])	\
			 __builtin_choose_expr(__MARKER_IS_POINTER(__arg##n), \
					       __arg##n, NULL)));
#define __MARKER_TARGETS_0
#define __MARKER_TARGETS_1	__MARKER_TARGETS_0 __MARKER_TARGET(0)
#define __MARKER_TARGETS_2	__MARKER_TARGETS_1 __MARKER_TARGET(1)
#define __MARKER_TARGETS_3	__MARKER_TARGETS_2 __MARKER_TARGET(2)
#define __MARKER_TARGETS_4	__MARKER_TARGETS_3 __MARKER_TARGET(3)
#define __MARKER_TARGETS_5	__MARKER_TARGETS_4 __MARKER_TARGET(4)
#define __MARKER_TARGETS_6	__MARKER_TARGETS_5 __MARKER_TARGET(5)
#define __MARKER_TARGETS_7	__MARKER_TARGETS_6 __MARKER_TARGET(6)
#define __MARKER_TARGETS_8	__MARKER_TARGETS_7 __MARKER_TARGET(7)
#define __MARKER_TARGETS_9	__MARKER_TARGETS_8 __MARKER_TARGET(8)
#define __MARKER_TARGETS_10	__MARKER_TARGETS_9 __MARKER_TARGET(9)
#define __MARKER_TARGETS_11	__MARKER_TARGETS_10 __MARKER_TARGET(10)
#define __MARKER_TARGETS_12	__MARKER_TARGETS_11 __MARKER_TARGET(11)
#define __MARKER_TARGETS_13	__MARKER_TARGETS_12 __MARKER_TARGET(12)
#define __MARKER_TARGETS_14	__MARKER_TARGETS_13 __MARKER_TARGET(13)
#define __MARKER_TARGETS_15	__MARKER_TARGETS_14 __MARKER_TARGET(14)
#define __MARKER_TARGETS_16	__MARKER_TARGETS_15 __MARKER_TARGET(15)

/* more than 16: marker.h has an error for them */
#define __MARKER_STORE_17
#define __MARKER_IN_17
#define __MARKER_TARGETS_17

/* Bytes of the block on the stack; sp stays a multiple of 16. */
#define __MARKER_ROOM(n)	"((32 + 8 * " #n " + 15) / 16 * 16)"

/*
 * Run the marker, from a cold block; n is the number of arguments.  Its address is made in the
 * asm: gcc would make an operand of it before a loop, where the marker is disabled.
 */
#define __marker_fire_n(n, mark, args...)				\
do {									\
	__MARKER_BIND_##n(args)						\
	__MARKER_TARGETS_##n						\
	asm volatile("stp x16, x17, [sp, -" __MARKER_ROOM(n) "]!\n\t"	\
		     __MARKER_STORE_##n					\
		     "adrp x16, %c[m]\n\t"				\
		     "add x16, x16, :lo12:%c[m]\n\t"			\
		     "stp x30, x16, [sp, 16]\n\t"			\
		     "bl " __MARKER_THUNK "\n\t"			\
		     "ldr x30, [sp, 16]\n\t"				\
		     "ldp x16, x17, [sp], " __MARKER_ROOM(n)		\
		     : : [m] "S" (mark) __MARKER_IN_##n : "cc");	\
} while (0)
#define __marker_fire(n, m, args...)	__marker_fire_n(n, m, ##args)

#endif /* _MARKERS_ARCH_SITE_H */
