// SPDX-License-Identifier: GPL-2.0
#define BENCH_SIZE_TRACEPOINT
#include "size.c"
