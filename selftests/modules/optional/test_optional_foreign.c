// SPDX-License-Identifier: GPL-2.0
/* test_optional_foreign: test_foreign, but it needs no markers.ko. */
#include "../test_foreign.c"
