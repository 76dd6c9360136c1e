/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The loading and unloading of modules with markers.
 */
#ifndef _MARKERS_MODULES_H
#define _MARKERS_MODULES_H

#include <linux/init.h>

#include <markers/model/registry.h>

/**
 * struct marker_modules_ops - calls for the loading and unloading of modules
 * @coming:	the module's markers are ready to be switched
 * @going:	the module goes next, and has is_going
 * @gone:	its markers are gone; its struct is freed after this call
 *
 * Context: Process context, no lock of ours held: both may wait for users of
 * debugfs files, and those take the registry mutex.
 */
struct marker_modules_ops {
	void (*coming)(struct marker_module *module);
	void (*going)(struct marker_module *module);
	void (*gone)(struct marker_module *module);
};

/**
 * marker_modules_init() - handle each module that is loaded from now on
 * @ops:	called for each module with markers; must stay
 *
 * Context: Process context; sleeps.
 * Return: 0, or an error of register_module_notifier().
 */
int __init marker_modules_init(const struct marker_modules_ops *ops);
void marker_modules_exit(void);

/**
 * marker_modules_preview() - before Linux 6.1, look at the events that a coming module will have
 * @mod:	the module, which was not connected yet
 * @func:	called for each of them, perhaps several times; registry mutex held
 *
 * Context: Process context; sleeps.
 */
void marker_modules_preview(struct module *mod, bool (*func)(struct marker_event *event));

/**
 * marker_modules_add() - something that is no module has a marker
 * @module:	with sites that have no code (MARKER_SITE_BRANCH), and no @module->mod
 *
 * It gets no directory; otherwise its markers are as those of a module.  One that is refused
 * has no event then.
 *
 * Context: Process context; sleeps.  Registry mutex held, not within a command.
 * Return: 0; or an error, and nothing was changed.
 */
int marker_modules_add(struct marker_module *module);

/**
 * marker_modules_remove() - its markers are hit no more
 * @module:	from marker_modules_add()
 *
 * Context: Process context; sleeps.  Registry mutex held; no hit can come any more.
 */
void marker_modules_remove(struct marker_module *module);

#endif /* _MARKERS_MODULES_H */
