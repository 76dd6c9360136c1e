/* SPDX-License-Identifier: GPL-2.0 */
/* Not known here: stacks begin at our functions. */
#include <arch/generic/include/markers/arch/caller.h>
