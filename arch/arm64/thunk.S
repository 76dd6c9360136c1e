/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a cold block to the dispatcher, with every register preserved that the block has not
 * kept itself: <markers/arch/site.h> has what is on the stack.  The C functions may clobber the
 * caller-saved registers, so those are kept here; flags are not (the asm clobbers them).
 *
 * Nobody jumps here through a pointer but a veneer of the module loader.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>

#include "../../markers/marker_types.h"
#include <markers/arch/frame.h>

/* struct marker.event; read after the state, which is 0 until it is set */
#define MARKER_EVENT	8

/*
 * Our frame: the frame record, where marker_caller() finds it, x0 to x15, x18, and a va_list of
 * 32 bytes.
 */
#define FRAME_LIST	160
.if FRAME_LIST + 32 != MARKER_THUNK_FRAME
.error "the va_list is the end of the frame"
.endif

#define FILTERED_BIT	16
.if (MARKER_FILTERED & ~MARKER_MORE) != (1 << FILTERED_BIT)
.error "FILTERED_BIT is the bit of MARKER_FILTERED"
.endif

	.text

/*
 * One test of the state, and of what is on at all (marker_top.live), decides most cases:
 *
 *	positive	to be recorded, and no more
 *	zero		disabled; or tracing_on=0, no probes, and not counted
 *	bit 0		probed, and no more
 *	negative	any of that, by other recordings, with a filter, or counted
 *
 * A filter tests tracing_on separately, since its sign is always on.
 *
 * The load of the state is an acquire: event, program and ring are read after it.
 */
SYM_FUNC_START(marker_thunk)
	ldr	x16, [sp, #MARKER_BLOCK_MARKER]
	ldar	w17, [x16]			/* struct marker.state */
	ldr_l	w16, marker_top, x16
	tst	w17, w16
	b.eq	.Lnothing

	stp	x29, x30, [sp, #-MARKER_THUNK_FRAME]!
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	stp	x8, x9, [sp, #80]
	stp	x10, x11, [sp, #96]
	stp	x12, x13, [sp, #112]
	stp	x14, x15, [sp, #128]
	/* with a shadow call stack x18 points to it, and returns as it was */
#ifndef CONFIG_SHADOW_CALL_STACK
	str	x18, [sp, #144]
#endif
	ldr	x0, [sp, #MARKER_THUNK_FRAME + MARKER_BLOCK_MARKER]
	ldr	x0, [x0, #MARKER_EVENT]
	add	x1, sp, #MARKER_THUNK_FRAME + MARKER_BLOCK_ARGS
	mov	w2, w17
	b.le	.Lnot_recorded
	bl	marker_dispatch_recorded

.Lrestore:
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldp	x8, x9, [sp, #80]
	ldp	x10, x11, [sp, #96]
	ldp	x12, x13, [sp, #112]
	ldp	x14, x15, [sp, #128]
#ifndef CONFIG_SHADOW_CALL_STACK
	ldr	x18, [sp, #144]
#endif
	ldp	x29, x30, [sp], #MARKER_THUNK_FRAME
.Lnothing:
	ret

.Lnot_recorded:
	and	w16, w16, w17
	tbnz	w16, #0, .Lprobed
	mov	w3, #MARKER_FILTERED
	cmp	w17, w3
	b.ne	.Lany
	tbz	w16, #FILTERED_BIT, .Lrestore
	bl	marker_dispatch_filtered
	b	.Lrestore
.Lany:
	bl	marker_dispatch_any
	b	.Lrestore
.Lprobed:
	/* marker_va_list(): all registers are used up, the arguments are on the stack */
	add	x3, sp, #FRAME_LIST
	stp	x1, xzr, [x3]
	stp	xzr, xzr, [x3, #16]
	bl	marker_dispatch_probed
	b	.Lrestore
SYM_FUNC_END(marker_thunk)

/* A kprobe here would fire in every marker, the ones in NMIs too. */
NOKPROBE(marker_thunk)
