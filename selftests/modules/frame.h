/* SPDX-License-Identifier: GPL-2.0 */
/*
 * keep_frame() gives a function a frame record on arm64, where one that calls nothing has none:
 * an unwinder would not find its caller.  On x86 none needs one, and a stack of a published marker
 * ends at a function that has one.
 */
#ifndef _SELFTESTS_FRAME_H
#define _SELFTESTS_FRAME_H

#ifdef CONFIG_ARM64
#define keep_frame()	asm volatile("" : : "r" (__builtin_frame_address(0)))
#else
#define keep_frame()	do { } while (0)
#endif

#endif /* _SELFTESTS_FRAME_H */
