/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a cold block to the dispatcher, with every register preserved.
 *
 * Called by the code of <markers/arch/site.h> with the marker and the arguments on
 * the stack, in the order of an array.  The C function may clobber the
 * caller-saved registers, so those are kept here; flags are not (the compiler
 * takes them for clobbered by any asm).  The kernel's stack is 8-byte aligned; no
 * alignment is needed.
 *
 * Nobody jumps here through a pointer.
 */
#include <linux/linkage.h>
#include <linux/version.h>
#include <asm/asm.h>
#include <asm/frame.h>

#include "../../markers/marker_types.h"

/*
 * Since v6.15 SYM_FUNC_START() is for functions that are not called through a pointer:
 * it has no ENDBR.  An export is a pointer to objtool, so say that none is needed.
 * Before v6.15 this annotates what follows an ENDBR, which does no harm; before v5.18
 * there is no such annotation.
 */
#if __has_include(<linux/annotate.h>)
#include <linux/annotate.h>
#define NOT_BY_POINTER ANNOTATE_NOENDBR
#elif KERNEL_VERSION(5, 18, 0) <= LINUX_VERSION_CODE
#include <linux/objtool.h>
#define NOT_BY_POINTER ANNOTATE_NOENDBR
#else
#define NOT_BY_POINTER
#endif

#ifndef RET			/* before v5.17 */
#define RET	ret
#endif

/* struct marker.event; read after the state, which is 0 until it is set */
#define MARKER_EVENT	8

/* From the stack pointer to the return address; to the marker: 8 more. */
#define SAVED	(9 * 8 + FRAME_OFFSET)

/* The frame, and the two registers that the test of the state needs. */
.macro MARKER_SAVE_TWO
	FRAME_BEGIN
	pushq	%rdi
	pushq	%rdx
.endm

.macro MARKER_RESTORE_TWO
	popq	%rdx
	popq	%rdi
	FRAME_END
.endm

.macro MARKER_SAVE_REST
	pushq	%rsi
	pushq	%rcx
	pushq	%rax
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
.endm

.macro MARKER_RETURN
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rax
	popq	%rcx
	popq	%rsi
	MARKER_RESTORE_TWO
	RET
.endm

/* Call @function with the event of the marker (rdi), its arguments, and the state (edx). */
.macro MARKER_CALL function, args
	MARKER_SAVE_REST
	movq	MARKER_EVENT(%rdi), %rdi
	leaq	\args(%rsp), %rsi
	call	\function
	MARKER_RETURN
.endm

/*
 * One test of the state, and of what is on at all (marker_top.live), decides most cases:
 *
 *	positive	to be recorded, and no more
 *	odd parity	of the low byte: probed, and no more
 *	zero		disabled; or tracing_on=0, no probes, and not counted
 *	negative	any of that, by other recordings, with a filter, or counted
 *
 * A filter tests tracing_on separately, since its sign is always on.
 */
.macro MARKER_DISPATCH args
	movl	(%rdi), %edx			/* struct marker.state */
	testl	%edx, marker_top(%rip)
	jle	1f
	MARKER_CALL marker_dispatch_recorded, \args
1:	jnp	4f
	jz	3f
	cmpl	$MARKER_FILTERED, %edx
	jne	2f
	testl	$(MARKER_FILTERED & ~MARKER_MORE), marker_top(%rip)
	jz	3f
	MARKER_CALL marker_dispatch_filtered, \args
2:	MARKER_CALL marker_dispatch_any, \args
3:	MARKER_RESTORE_TWO
	RET
4:	MARKER_SAVE_REST
	movq	MARKER_EVENT(%rdi), %rdi
	/* marker_va_list(): only these two words of it are ever read */
	leaq	\args(%rsp), %rsi
	pushq	%rsi
	pushq	$48
	movq	%rsp, %rcx
	call	marker_dispatch_probed
	addq	$16, %rsp
	MARKER_RETURN
.endm

	.text

/* stack: return address, marker, argument 0, argument 1 ... */
SYM_FUNC_START(marker_thunk)
	NOT_BY_POINTER
	MARKER_SAVE_TWO
	movq	2*8+FRAME_OFFSET+8(%rsp), %rdi
	MARKER_DISPATCH SAVED+16
SYM_FUNC_END(marker_thunk)

/* rdi: marker; stack: return address, argument 0, argument 1 ... */
SYM_FUNC_START(marker_thunk_many)
	NOT_BY_POINTER
	MARKER_SAVE_TWO
	MARKER_DISPATCH SAVED+8
SYM_FUNC_END(marker_thunk_many)

/* A kprobe here would fire in every marker, the ones in NMIs too. */
_ASM_NOKPROBE(marker_thunk)
_ASM_NOKPROBE(marker_thunk_many)
