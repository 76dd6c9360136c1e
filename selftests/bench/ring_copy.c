// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of markers.ko once more, for raw.c.
 */
#include "../../markers/ring/clock.c"
#include "../../markers/ring/packet.c"
#include "../../markers/ring/region.c"
#include "../../markers/ring/ring.c"
#include "../../markers/ring/ring_read.c"
#include "../../markers/ring/ring_write.c"
