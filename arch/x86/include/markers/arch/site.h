/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What trace_mark() puts into x86-64 code: one 5-byte NOP in the hot path and a
 * cold block behind the function that disturbs nothing.
 *
 * The NOP is one instruction, so a preempted thread never stands inside it.  A
 * NOP does not fault either: its exception table entry is inert, and is there
 * because objtool follows it.  So the cold block counts as reachable and gets
 * its unwind data, and the registry finds it there (mod->extable is sorted),
 * without a second pointer to text in our own table.
 *
 * The cold block does not call C.  It pushes the arguments, the last one first,
 * and the marker, and calls a thunk that preserves every register: the compiler
 * sees no call, a leaf function stays a leaf.  What lies on the stack then is
 * the array of argument slots, in order.  "m" is no operand for the pushes: one
 * relative to rsp would move under them.
 *
 * No "memory" clobber either, or the hot path could not keep a loaded value in a
 * register across a disabled marker.  What is behind a pointer argument is named
 * as an input instead, so that it is in memory when the recorder reads it.
 */
#ifndef _MARKERS_ARCH_SITE_H
#define _MARKERS_ARCH_SITE_H

#include <asm/asm.h>
#include <linux/bug.h>
#if __has_include(<linux/annotate.h>)
#include <linux/annotate.h>
#elif __has_include(<linux/objtool.h>)
#include <linux/objtool.h>
#endif

/* Kernels without indirect branch tracking have nothing to annotate. */
#ifndef ANNOTATE_NOENDBR
#define ANNOTATE_NOENDBR
#endif

struct marker;

/* The page that the sites of trace_mark_guard() read. */
extern const char marker_guard_page[];

/*
 * arch/x86/thunk.S; not C functions, only the asm below calls them.  The parameter
 * puts the layout of struct marker into their version checksums (MODVERSIONS).
 */
void marker_thunk(struct marker *marker);
void marker_thunk_array(struct marker *marker);

/*
 * An entry in the module's table of BUG()s, for the address of the site.  It is
 * never looked up for what it is, since a site never is an undefined
 * instruction; but the kernel refuses to put a kprobe there, as it does on its
 * own jump labels.  A kprobe would restore the first byte that it saw when it
 * was being registered, whatever has become of the instruction since.
 */
#ifdef CONFIG_GENERIC_BUG
#define __MARKER_NO_KPROBE						\
	".pushsection __bug_table, \"aw\"\n"				\
	"2:\t.long 1b - 2b\n\t"						\
	".org 2b + %c1\n\t"						\
	".popsection\n\t"
#define __MARKER_BUG_ENTRY_SIZE	sizeof(struct bug_entry)
#else
#define __MARKER_NO_KPROBE	""
#define __MARKER_BUG_ENTRY_SIZE	0
#endif

/* An instruction @insn that may go to @fire, and the record of it. */
#define __marker_insn(insn, extra, m, fire)				\
	asm_inline goto(ANNOTATE_NOENDBR "\n"					\
		 "1: " insn "\n\t"					\
		 extra							\
		 __MARKER_RECORD("1b - .")				\
		 _ASM_EXTABLE(1b, %l[fire])				\
		 : : "i" (m), "i" (__MARKER_BUG_ENTRY_SIZE) : : fire)

/* While it is a NOP the code goes on; as a jump it goes to @fire. */
#define __MARKER_KIND_SITE	MARKER_KIND_PATCH
#define __marker_site(m, fire)						\
	__marker_insn(".byte 0x0f, 0x1f, 0x44, 0x00, 0x00",		\
		      __MARKER_NO_KPROBE, m, fire)

/* Reads a byte; goes to @fire by way of a page fault when it cannot. */
#define __MARKER_KIND_READ	MARKER_KIND_GUARD
#define __marker_read(m, fire)						\
	__marker_insn("testb %%al, marker_guard_page(%%rip)", "", m, fire)

/*
 * All operands of one asm want a register at the same time, so up to eight
 * arguments are pushed; more go through an array in the caller's frame.  There is
 * no way without: the compiler must know of every byte that the stack grows by
 * between two asms, and an interrupt overwrites what is below the stack pointer.
 */
#define __MARKER_PUSH(n)	"pushq %[a" #n "]\n\t"
#define __MARKER_PUSH_0
#define __MARKER_PUSH_1		__MARKER_PUSH(0) __MARKER_PUSH_0
#define __MARKER_PUSH_2		__MARKER_PUSH(1) __MARKER_PUSH_1
#define __MARKER_PUSH_3		__MARKER_PUSH(2) __MARKER_PUSH_2
#define __MARKER_PUSH_4		__MARKER_PUSH(3) __MARKER_PUSH_3
#define __MARKER_PUSH_5		__MARKER_PUSH(4) __MARKER_PUSH_4
#define __MARKER_PUSH_6		__MARKER_PUSH(5) __MARKER_PUSH_5
#define __MARKER_PUSH_7		__MARKER_PUSH(6) __MARKER_PUSH_6
#define __MARKER_PUSH_8		__MARKER_PUSH(7) __MARKER_PUSH_7

/*
 * What asm reads through argument n, if that is a pointer; else the marker.  How
 * much is not known, which gcc takes for an answer; clang wants a number.
 */
#ifdef __clang__
#define __MARKER_TARGET_SIZE	65536
#else
#define __MARKER_TARGET_SIZE
#endif
#define __MARKER_TARGET(m, n)						\
	(*(const char (*)[__MARKER_TARGET_SIZE])__builtin_choose_expr(	\
		__MARKER_IS_POINTER(__arg##n), __arg##n, (m)))

#define __MARKER_IN(m, n)						\
	, [a##n] "re" ((u64)(__arg##n)), "m" (__MARKER_TARGET(m, n))
#define __MARKER_IN_0(m)
#define __MARKER_IN_1(m)	__MARKER_IN_0(m) __MARKER_IN(m, 0)
#define __MARKER_IN_2(m)	__MARKER_IN_1(m) __MARKER_IN(m, 1)
#define __MARKER_IN_3(m)	__MARKER_IN_2(m) __MARKER_IN(m, 2)
#define __MARKER_IN_4(m)	__MARKER_IN_3(m) __MARKER_IN(m, 3)
#define __MARKER_IN_5(m)	__MARKER_IN_4(m) __MARKER_IN(m, 4)
#define __MARKER_IN_6(m)	__MARKER_IN_5(m) __MARKER_IN(m, 5)
#define __MARKER_IN_7(m)	__MARKER_IN_6(m) __MARKER_IN(m, 6)
#define __MARKER_IN_8(m)	__MARKER_IN_7(m) __MARKER_IN(m, 7)

#define __marker_push(n, mark, args...)					\
do {									\
	__MARKER_BIND_##n(args)						\
	asm volatile(__MARKER_PUSH_##n					\
		     "pushq %[m]\n\t"					\
		     "call marker_thunk\n\t"				\
		     "leaq 8 * (" #n " + 1)(%%rsp), %%rsp"		\
		     : ASM_CALL_CONSTRAINT				\
		     : [m] "i" (mark) __MARKER_IN_##n(mark));			\
} while (0)

/* Before this, what is behind pointer arguments is written; after it, not again. */
#define __MARKER_IN_MEMORY(m, n)					\
	asm volatile("" : : "m" (__MARKER_TARGET(m, n)));
#define __MARKER_ALL_IN_MEMORY_8(m)					\
	__MARKER_IN_MEMORY(m, 0) __MARKER_IN_MEMORY(m, 1)		\
	__MARKER_IN_MEMORY(m, 2) __MARKER_IN_MEMORY(m, 3)		\
	__MARKER_IN_MEMORY(m, 4) __MARKER_IN_MEMORY(m, 5)		\
	__MARKER_IN_MEMORY(m, 6) __MARKER_IN_MEMORY(m, 7)
#define __MARKER_ALL_IN_MEMORY_9(m)					\
	__MARKER_ALL_IN_MEMORY_8(m) __MARKER_IN_MEMORY(m, 8)
#define __MARKER_ALL_IN_MEMORY_10(m)					\
	__MARKER_ALL_IN_MEMORY_9(m) __MARKER_IN_MEMORY(m, 9)
#define __MARKER_ALL_IN_MEMORY_11(m)					\
	__MARKER_ALL_IN_MEMORY_10(m) __MARKER_IN_MEMORY(m, 10)
#define __MARKER_ALL_IN_MEMORY_12(m)					\
	__MARKER_ALL_IN_MEMORY_11(m) __MARKER_IN_MEMORY(m, 11)
#define __MARKER_ALL_IN_MEMORY_13(m)					\
	__MARKER_ALL_IN_MEMORY_12(m) __MARKER_IN_MEMORY(m, 12)
#define __MARKER_ALL_IN_MEMORY_14(m)					\
	__MARKER_ALL_IN_MEMORY_13(m) __MARKER_IN_MEMORY(m, 13)
#define __MARKER_ALL_IN_MEMORY_15(m)					\
	__MARKER_ALL_IN_MEMORY_14(m) __MARKER_IN_MEMORY(m, 14)
#define __MARKER_ALL_IN_MEMORY_16(m)					\
	__MARKER_ALL_IN_MEMORY_15(m) __MARKER_IN_MEMORY(m, 15)

#define __marker_array(n, mark, args...)					\
do {									\
	__MARKER_BIND_##n(args)						\
	const u64 __slots[] __aligned(8) = { __MARKER_SLOTS_##n };	\
									\
	__MARKER_ALL_IN_MEMORY_##n(mark)				\
	asm volatile("pushq %[slots]\n\t"				\
		     "pushq %[m]\n\t"					\
		     "call marker_thunk_array\n\t"			\
		     "leaq 16(%%rsp), %%rsp"				\
		     : ASM_CALL_CONSTRAINT				\
		     : [m] "i" (mark), [slots] "r" (__slots), "m" (__slots)); \
	__MARKER_ALL_IN_MEMORY_##n(mark)				\
} while (0)

#define __marker_fire_0(m, args...)	__marker_push(0, m, ##args)
#define __marker_fire_1(m, args...)	__marker_push(1, m, ##args)
#define __marker_fire_2(m, args...)	__marker_push(2, m, ##args)
#define __marker_fire_3(m, args...)	__marker_push(3, m, ##args)
#define __marker_fire_4(m, args...)	__marker_push(4, m, ##args)
#define __marker_fire_5(m, args...)	__marker_push(5, m, ##args)
#define __marker_fire_6(m, args...)	__marker_push(6, m, ##args)
#define __marker_fire_7(m, args...)	__marker_push(7, m, ##args)
#define __marker_fire_8(m, args...)	__marker_push(8, m, ##args)
#define __marker_fire_9(m, args...)	__marker_array(9, m, ##args)
#define __marker_fire_10(m, args...)	__marker_array(10, m, ##args)
#define __marker_fire_11(m, args...)	__marker_array(11, m, ##args)
#define __marker_fire_12(m, args...)	__marker_array(12, m, ##args)
#define __marker_fire_13(m, args...)	__marker_array(13, m, ##args)
#define __marker_fire_14(m, args...)	__marker_array(14, m, ##args)
#define __marker_fire_15(m, args...)	__marker_array(15, m, ##args)
#define __marker_fire_16(m, args...)	__marker_array(16, m, ##args)
/* more than 16: marker.h has an error for them */
#define __marker_fire_17(m, args...)	do { } while (0)

/* Run the marker, from a cold block; n is the number of arguments. */
#define __marker_fire(n, m, args...)	__marker_fire_##n(m, ##args)

#endif /* _MARKERS_ARCH_SITE_H */
