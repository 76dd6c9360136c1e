/* SPDX-License-Identifier: GPL-2.0 */
/* What the objects of test_debug share: a statement that is in each of them. */
#ifndef _TEST_DEBUG_H
#define _TEST_DEBUG_H

#include <linux/printk.h>

static noinline __maybe_unused void debug_shared(int value)
{
	pr_debug("shared value %d\n", value);
}

void debug_other(void);
void debug_third(void);
void debug_kernel(void);

#endif /* _TEST_DEBUG_H */
