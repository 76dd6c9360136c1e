/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a cold block to marker_dispatch(), with every register preserved.
 *
 * Called by the code of <markers/arch/site.h> with the marker and the arguments on
 * the stack, in the order of an array.  The C function may clobber the
 * caller-saved registers, so those are kept here; flags are not (the compiler
 * takes them for clobbered by any asm).  The kernel is compiled for a stack that
 * is aligned to 8 bytes, and whatever the function in which the marker stands
 * had pushed, it is.
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

/* From the stack pointer to the return address; to the marker: 8 more. */
#define SAVED	(9 * 8 + FRAME_OFFSET)

/* What a hit is for, whether tracing_on is 1 or not. */
#define MARKER_ALWAYS	(MARKER_PROBED | MARKER_COUNTED)

/*
 * With tracing_on=0, a marker without probes that is not counted is done.  The flags may
 * be changed, the one register that this takes is given back.
 */
.macro MARKER_RETURN_IF_OFF
	cmpb	$0, marker_recording(%rip)
	jne	1f
	pushq	%rdi
	movq	16(%rsp), %rdi
	testl	$MARKER_ALWAYS, (%rdi)	/* struct marker.state */
	popq	%rdi
	jne	1f
	RET
1:
.endm

.macro MARKER_SAVE
	FRAME_BEGIN
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%rax
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
.endm

.macro MARKER_RESTORE
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rax
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	FRAME_END
.endm

	.text

/* stack: return address, marker, argument 0, argument 1 ... */
SYM_FUNC_START(marker_thunk)
	NOT_BY_POINTER
	MARKER_RETURN_IF_OFF
	MARKER_SAVE
	movq	SAVED+8(%rsp), %rdi
	leaq	SAVED+16(%rsp), %rsi
	call	marker_dispatch
	MARKER_RESTORE
	RET
SYM_FUNC_END(marker_thunk)

/* rdi: marker; stack: return address, argument 0, argument 1 ... */
SYM_FUNC_START(marker_thunk_many)
	NOT_BY_POINTER
	cmpb	$0, marker_recording(%rip)
	jne	1f
	testl	$MARKER_ALWAYS, (%rdi)
	jne	1f
	RET
1:
	MARKER_SAVE
	leaq	SAVED+8(%rsp), %rsi
	call	marker_dispatch
	MARKER_RESTORE
	RET
SYM_FUNC_END(marker_thunk_many)

/* A kprobe here would fire in every marker, the ones in NMIs too. */
_ASM_NOKPROBE(marker_thunk)
_ASM_NOKPROBE(marker_thunk_many)
