// SPDX-License-Identifier: GPL-2.0
#include "kernel.h"

/* Only the names of errors are asked for, which the metadata have: none of our own. */
int reader_print_extension(char *buf, size_t size, const char *spec, const void *ptr)
{
	(void)spec;
	return snprintf(buf, size, "%ld", (long)(intptr_t)ptr);
}
