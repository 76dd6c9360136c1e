// SPDX-License-Identifier: GPL-2.0
#define BENCH_SIZE_NONE
#include "size.c"
