/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What trace_mark() puts into x86-64 code: one 5-byte NOP in the hot path and a
 * cold block after the function that disturbs nothing.
 *
 * The NOP is one instruction, so a preempted thread never stands inside it.  A
 * NOP does not fault either: its exception table entry is inert, and is there
 * because objtool follows it.  So the cold block counts as reachable and gets
 * its unwind data, and the registry finds it there (mod->extable is sorted),
 * without a second pointer to text in our own table.
 *
 * The cold block does not call C.  It pushes the arguments, the last one first,
 * and the marker, and calls a thunk that preserves every register: with up to eight
 * arguments the compiler sees no call, a leaf function stays a leaf.  The pushed values
 * are the array of arguments, in order.  The pushes have no "m" operands: one
 * relative to rsp would move under them.  For the same reason no operand may be rsp itself,
 * which gcc 16 takes for the address of what lies at the top of the stack: "l" is "r"
 * without it.
 *
 * There is no "memory" clobber either, or the hot path could not keep a loaded value in
 * a register across a disabled marker.  Instead, the memory behind a pointer argument
 * is an input, so that the compiler has written it before the recorder reads it.
 */
#ifndef _MARKERS_ARCH_SITE_H
#define _MARKERS_ARCH_SITE_H

#include <linux/linkage.h>
#include <asm/asm.h>
#include <asm/bug.h>
#ifdef __CHECKER__
/* sparse sees no site, and cannot parse __has_include() */
#elif __has_include(<linux/annotate.h>)
#include <linux/annotate.h>
#elif __has_include(<linux/objtool.h>)
#include <linux/objtool.h>
#endif

/* Kernels without indirect branch tracking have nothing to annotate. */
#ifndef ANNOTATE_NOENDBR
#define ANNOTATE_NOENDBR
#endif

#ifndef ASM_FUNC_ALIGN		/* before v6.2 */
#define ASM_FUNC_ALIGN	".balign 16"
#endif

struct marker;

#ifdef MARKERS_OPTIONAL
#define __MARKER_MANY_NAME	__asm__("__marker_bridge_many")
#else
#define __MARKER_MANY_NAME
#endif

/* The page that the sites of trace_mark_guard() read. */
extern const char marker_guard_page[];

/**
 * marker_thunk() - call marker_dispatch() and change no register
 * @marker:	the marker; on the stack, with up to 8 arguments above it
 *
 * Not a C function: it is in arch/x86/thunk.S, and only the asm below calls it.  The
 * parameter puts the layout of struct marker into its version checksum (MODVERSIONS).
 *
 * Context: Any, NMI too.
 */
void marker_thunk(struct marker *marker);

/**
 * marker_thunk_many() - marker_thunk() for more than 8 arguments
 * @marker:	the marker
 * @rsi:	the marker, to fill the register; so are @rdx, @rcx, @r8 and @r9
 * @rdx:	see @rsi
 * @rcx:	see @rsi
 * @r8:		see @rsi
 * @r9:		see @rsi
 *
 * All arguments of the marker come after these six, so they are on the stack.  gcc does
 * not know of a caller that every register survives, clang does.
 *
 * Context: Any, NMI too.
 * Return: nothing of use; only a function with a value can be pure.
 */
__pure __no_caller_saved_registers
u64 marker_thunk_many(struct marker *marker, struct marker *rsi, struct marker *rdx,
		      struct marker *rcx, struct marker *r8, struct marker *r9,
		      ...) __MARKER_MANY_NAME;

/*
 * What the cold blocks of an optional client call: a NOP, which the patcher makes a jump to the
 * thunk.  The second NOP says where the struct marker_client is.
 */
#define __MARKER_SCHEME		0
#ifdef MARKERS_OPTIONAL
#define __MARKER_BRIDGE_TO(name)					\
	".pushsection .text.marker_bridge, \"ax\"\n\t"			\
	ASM_FUNC_ALIGN "\n\t"						\
	".type " name ", @function\n"					\
	name ":\n\t"							\
	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n\t"			\
	"nopl __marker_client(%%rip)\n\t"				\
	ASM_RET								\
	".size " name ", . - " name "\n\t"				\
	".popsection\n\t"						\
	__MARKER_BRIDGE_NO_KPROBE(name)
#define __MARKER_BRIDGE		__MARKER_BRIDGE_TO("__marker_bridge")
#define __MARKER_BRIDGE_OFF	"0"
#define __MARKER_BRIDGE_MANY						\
	".ifndef __marker_bridge_many\n\t"				\
	__MARKER_BRIDGE_TO("__marker_bridge_many")			\
	".endif\n\t"
#define __MARKER_THUNK		"__marker_bridge"
#else
#define __MARKER_BRIDGE_MANY	""
#define __MARKER_THUNK		"marker_thunk"
#endif

/*
 * An entry in the module's table of BUG()s, for the address of the site.  No BUG()
 * ever uses it, because a site never is an undefined instruction.  But because of it
 * the kernel refuses a kprobe there, as it does on its own jump labels.  A kprobe would
 * restore the first byte that it saw when it was registered, even if we have changed
 * the instruction since.
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

/* An instruction @insn that may go to @fire, and its entry. */
#define __marker_insn(insn, extra, m, fire)				\
	asm_inline goto(ANNOTATE_NOENDBR "\n"					\
		 "1: " insn "\n\t"					\
		 extra							\
		 __MARKER_ENTRY("1b - .")				\
		 _ASM_EXTABLE(1b, %l[fire])				\
		 : : "i" (m), "i" (__MARKER_BUG_ENTRY_SIZE) : : fire)

/* While it is a NOP the code goes on; as a jump it goes to @fire. */
#define __MARKER_KIND_SITE	MARKER_KIND_PATCH
#define __marker_site(m, fire)						\
	__marker_insn(".byte 0x0f, 0x1f, 0x44, 0x00, 0x00",		\
		      __MARKER_NO_KPROBE, m, fire)

/*
 * Reads a byte; if the page is unmapped, the page fault goes to @fire.  The page is in markers.ko,
 * so an optional client has a load and a branch.
 */
#ifdef MARKERS_OPTIONAL
#define __MARKER_KIND_READ	MARKER_KIND_BRANCH
#define __marker_read(m, fire)	__marker_branch(m, fire)
#else
#define __MARKER_KIND_READ	MARKER_KIND_GUARD
#define __marker_read(m, fire)						\
	__marker_insn("testb %%al, marker_guard_page(%%rip)", "", m, fire)
#endif

/*
 * One asm pushes up to eight arguments.  It needs all of them in registers at the same
 * time, and changes no other register.
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
 * The memory that the recorder reads through argument n, if that is a pointer; else the
 * marker.  Its size is not known: gcc accepts an incomplete type, clang needs a number.
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
	, [a##n] "le" ((u64)(__arg##n)), "m" (__MARKER_TARGET(m, n))
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
		     "call " __MARKER_THUNK "\n\t"			\
		     "leaq 8 * (" #n " + 1)(%%rsp), %%rsp"		\
		     : ASM_CALL_CONSTRAINT				\
		     : [m] "i" (mark) __MARKER_IN_##n(mark));			\
} while (0)

/*
 * More than eight: a call, for which the compiler pushes one argument after the other
 * in the cold block.  Only the compiler may do so, since it must know of every byte
 * that the stack grows by.  The marker takes the six registers of a call, so all
 * arguments lie on the stack, in order.  The call reads memory and writes none, and
 * no two of them are the same, so none is moved or dropped.
 */
#define __marker_call(n, mark, args...)					\
do {									\
	struct marker *__m = ({						\
		struct marker *__same = (mark);				\
									\
		asm volatile(__MARKER_BRIDGE_MANY : "+r" (__same));	\
		__same;							\
	});								\
	__MARKER_BIND_##n(args)						\
	asm volatile("" : : "r" (marker_thunk_many(__m, __m, __m, __m,	\
						   __m, __m,		\
						   __MARKER_SLOTS_##n))); \
} while (0)

/* Without optimization, the compiler does not find enough registers for the pushes. */
#ifdef __OPTIMIZE__
#define __marker_few(n, m, args...)	__marker_push(n, m, ##args)
#else
#define __marker_few(n, m, args...)	__marker_call(n, m, ##args)
#endif

#define __marker_fire_0(m, args...)	__marker_push(0, m, ##args)
#define __marker_fire_1(m, args...)	__marker_few(1, m, ##args)
#define __marker_fire_2(m, args...)	__marker_few(2, m, ##args)
#define __marker_fire_3(m, args...)	__marker_few(3, m, ##args)
#define __marker_fire_4(m, args...)	__marker_few(4, m, ##args)
#define __marker_fire_5(m, args...)	__marker_few(5, m, ##args)
#define __marker_fire_6(m, args...)	__marker_few(6, m, ##args)
#define __marker_fire_7(m, args...)	__marker_few(7, m, ##args)
#define __marker_fire_8(m, args...)	__marker_few(8, m, ##args)
#define __marker_fire_9(m, args...)	__marker_call(9, m, ##args)
#define __marker_fire_10(m, args...)	__marker_call(10, m, ##args)
#define __marker_fire_11(m, args...)	__marker_call(11, m, ##args)
#define __marker_fire_12(m, args...)	__marker_call(12, m, ##args)
#define __marker_fire_13(m, args...)	__marker_call(13, m, ##args)
#define __marker_fire_14(m, args...)	__marker_call(14, m, ##args)
#define __marker_fire_15(m, args...)	__marker_call(15, m, ##args)
#define __marker_fire_16(m, args...)	__marker_call(16, m, ##args)
/* more than 16: marker.h has an error for them */
#define __marker_fire_17(m, args...)	do { } while (0)

/* Run the marker, from a cold block; n is the number of arguments. */
#define __marker_fire(n, m, args...)	__marker_fire_##n(m, ##args)

#endif /* _MARKERS_ARCH_SITE_H */
