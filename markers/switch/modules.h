/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modules that come and go with their markers.
 */
#ifndef _MARKERS_MODULES_H
#define _MARKERS_MODULES_H

#include <linux/init.h>

#include "registry.h"

/**
 * struct marker_modules_ops - what else happens when a module comes or goes
 * @coming:	the module's markers are ready to be switched
 * @going:	the module goes; its struct is freed after this
 *
 * Context: Process context, no lock of ours held: both may wait for users of
 * debugfs files, and those take the registry mutex.
 */
struct marker_modules_ops {
	void (*coming)(struct marker_module *module);
	void (*going)(struct marker_module *module);
};

/**
 * marker_modules_init() - look at each module that comes from now on
 * @ops:	called for each that has markers; stays
 *
 * Context: Process context; sleeps.
 * Return: 0, or an error of register_module_notifier().
 */
int __init marker_modules_init(const struct marker_modules_ops *ops);
void marker_modules_exit(void);

#endif /* _MARKERS_MODULES_H */
