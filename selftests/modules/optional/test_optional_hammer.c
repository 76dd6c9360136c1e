// SPDX-License-Identifier: GPL-2.0
/* test_optional_hammer: test_hammer, but it needs no markers.ko. */
#include "../test_hammer.c"
