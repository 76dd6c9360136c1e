// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of markers.ko once more, for raw.c.
 */
#include "../../markers/clock.c"
#include "../../markers/packet.c"
#include "../../markers/ring.c"
#include "../../markers/ring_read.c"
#include "../../markers/ring_write.c"
