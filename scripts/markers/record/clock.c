// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include <time.h>

#include "clock.h"

uint64_t clock_read(const char *name)
{
	struct timespec now;

	if (!name)
		return 0;
#ifdef __x86_64__
	if (!strcmp(name, "tsc"))
		return __builtin_ia32_rdtsc();
#endif
#ifdef __aarch64__
	if (!strcmp(name, "cntvct")) {
		uint64_t ticks;

		__asm__ volatile("mrs %0, cntvct_el0" : "=r" (ticks));
		return ticks;
	}
#endif
	if (!strcmp(name, "mono"))
		clock_gettime(CLOCK_MONOTONIC, &now);
	else if (!strcmp(name, "boot"))
		clock_gettime(CLOCK_BOOTTIME, &now);
	else
		return 0;
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}
