/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What trace_mark() is where code is not patched: a load, a test and a branch,
 * and an ordinary call in a cold block.  Any 64-bit architecture whose va_list
 * valist.h knows; on x86 with MARKERS_FORCE_GENERIC=1.
 */
#ifndef _MARKERS_ARCH_SITE_H
#define _MARKERS_ARCH_SITE_H

struct marker;

/**
 * marker_dispatch() - a marker was hit
 * @marker:	the marker
 * @args:	its arguments, one for each argument
 *
 * Context: Any, NMI too, where RCU is watching.
 */
void marker_dispatch(struct marker *marker, const u64 *args);

/* What a cold block calls; in an optional client, if its struct marker_client has it. */
#define __MARKER_SCHEME		0x10000
#ifdef MARKERS_OPTIONAL
#define __MARKER_BRIDGE
#define __MARKER_BRIDGE_OFF	"0"
extern struct marker_client __marker_client;
#define __marker_dispatch(m, slots)					\
do {									\
	typeof(marker_dispatch) *__bridge =				\
		(void *)READ_ONCE(__marker_client.bridge);		\
									\
	if (__bridge)							\
		__bridge(m, slots);					\
} while (0)
#else
#define __marker_dispatch(m, slots)	marker_dispatch(m, slots)
#endif

/* There is nothing to patch: all of them are _trace_mark(). */
#define __MARKER_KIND_SITE		MARKER_KIND_BRANCH
#define __marker_site(m, fire)		__marker_branch(m, fire)
#define __MARKER_KIND_READ		MARKER_KIND_BRANCH
#define __marker_read(m, fire)		__marker_branch(m, fire)

/* Run the marker, from a cold block; n is the number of arguments. */
#define __marker_fire(n, m, args...)					\
do {									\
	__MARKER_BIND_##n(args)						\
	const u64 __slots[] = { __MARKER_SLOTS_##n };			\
									\
	__marker_dispatch(m, __slots);					\
} while (0)

#endif /* _MARKERS_ARCH_SITE_H */
