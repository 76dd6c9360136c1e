/* SPDX-License-Identifier: GPL-2.0 */
/* Two words as one of 128 bits: no instruction shifts them by a register. */
#include <arch/generic/include/markers/arch/words.h>
