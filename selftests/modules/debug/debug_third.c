// SPDX-License-Identifier: GPL-2.0
/* test_debug: the statement of debug.h once more, with the prefix of debug_main.c. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>

#include "debug.h"

void debug_third(void)
{
	debug_shared(3);
}
