/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the units of test_sites.
 */
#ifndef _SELFTESTS_SITES_H
#define _SELFTESTS_SITES_H

#include <markers/marker.h>

void sites_args(const int *even, const long long *odd);
void sites_types(void);
void sites_header_here(void);

/* Inlined into two units, twice into one of them. */
static inline void sites_header(const char *where)
{
	trace_mark(sites_header, "where %s", where);
}

#endif /* _SELFTESTS_SITES_H */
