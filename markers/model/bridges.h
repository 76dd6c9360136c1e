/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bridges of optional clients: modules with markers that load without markers.ko.
 */
#ifndef _MARKERS_BRIDGES_H
#define _MARKERS_BRIDGES_H

#include <linux/types.h>

struct marker_module;

/**
 * marker_bridges_read() - find the bridges of a module, and the sites that need them
 * @module:	its struct module is COMING or LIVE; may have sites
 * @quiet:	a message about it has been written before
 *
 * Sets the bridges of @module, and adds to its sites; both arrays are for kvfree(), also after an
 * error.  The markers of a LIVE module are reset: what an earlier
 * markers.ko left there is gone.
 *
 * Context: Process context; sleeps.
 * Return: 0, also if it is no optional client; -ENOEXEC: it cannot be connected, error_log says
 * why; -ENOMEM.
 */
int marker_bridges_read(struct marker_module *module, bool quiet);

/**
 * marker_bridges_open() - let hits pass
 * @module:	none of its sites is enabled
 *
 * Context: Process context; sleeps.  cpus_read_lock() and the registry mutex held.
 * Return: 0; -ENOMEM; -EBUSY: the code has been changed from outside.
 */
int marker_bridges_open(struct marker_module *module);

/**
 * marker_bridges_close() - let hits return at once
 * @module:	of marker_bridges_open(), if that failed, too
 *
 * Tasks may still be behind the bridge.
 *
 * Context: as marker_bridges_open().
 * Return: 0; -ENOMEM: nothing has changed.
 */
int marker_bridges_close(struct marker_module *module);

/**
 * marker_bridges_forget() - no trap comes from these bridges any more
 * @module:	of marker_bridges_open(), if that failed, too
 *
 * As marker_patcher_forget_gone().
 *
 * Context: Process context; registry mutex held.
 */
void marker_bridges_forget(struct marker_module *module);

#endif /* _MARKERS_BRIDGES_H */
