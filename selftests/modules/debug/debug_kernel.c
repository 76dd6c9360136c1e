// SPDX-License-Identifier: GPL-2.0
/* test_debug: a file whose statements its Kbuild file leaves to the kernel. */
#include <linux/kernel.h>

#include "debug.h"

void debug_kernel(void)
{
	pr_debug("no marker\n");
}
