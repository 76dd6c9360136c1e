// SPDX-License-Identifier: GPL-2.0
#define BENCH_SIZE_EVENT
#include "size.c"
