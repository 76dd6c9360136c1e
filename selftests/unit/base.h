/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User space stand-in for markers/base.h: same guard, so that the pure files
 * compile unchanged.  Force-included (-include base.h) before anything else.
 */
#ifndef _UNIT_BASE_H
#define _UNIT_BASE_H

#include <assert.h>

#include "../../scripts/check-formats/base.h"

#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "=r"(v) : "0"(v))
#define barrier()		__asm__ __volatile__("" : : : "memory")

#define NOKPROBE_SYMBOL(s)	static const void *unit_nokprobe_##s __maybe_unused = (s)

#ifdef __SANITIZE_THREAD__	/* treats a volatile access as a plain one */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#else
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile typeof(x) *)&(x) = (v))
#endif

/* The kernel services that the ring and the clock use. */
#include "kernel.h"

#endif /* _UNIT_BASE_H */
