/* SPDX-License-Identifier: GPL-2.0 */
/* Force-included: a kernel without dynamic debug, for the size of its statements. */
#undef CONFIG_DYNAMIC_DEBUG
#undef CONFIG_DYNAMIC_DEBUG_CORE
