// SPDX-License-Identifier: GPL-2.0
/*
 * Optional clients that markers.ko finds when it comes, and leaves behind when it goes.
 *
 * The list of modules is not exported, but their directories in sysfs are in a kset, which each
 * module has a pointer to.  A kobject is a part of its struct module, and the kernel frees the
 * latter only when the last reference to the former is gone.
 *
 * To leave: no site leads to a cold block any more, no bridge to the thunk.  A task may have been
 * preempted behind the bridge, with the text of markers.ko on its stack.  It gives the CPU up by
 * itself only when it is out of there, so a grace period of RCU tasks waits for it.
 *
 * Process context.
 */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include <markers/marker_types.h>
#include <markers/model/bridges.h>
#include <markers/model/patcher.h>
#include <markers/model/registry.h>
#include "optional.h"

/* Without RCU tasks, synchronize_rcu_tasks() is synchronize_rcu(): enough without preemption. */
#define CAN_WAIT	(IS_ENABLED(CONFIG_TASKS_RCU) || !IS_ENABLED(CONFIG_PREEMPTION))

/* References to up to @room of the modules, the oldest first. */
static unsigned int get_modules(struct kset *all, struct kobject **modules, unsigned int room)
{
	struct kobject *kobj;
	unsigned int nr = 0;

	spin_lock(&all->list_lock);
	list_for_each_entry(kobj, &all->list, entry) {
		if (nr == room)
			break;
		if (kobject_get_unless_zero(kobj))
			modules[nr++] = kobj;
	}
	spin_unlock(&all->list_lock);
	return nr;
}

static unsigned int count_modules(struct kset *all)
{
	struct kobject *kobj;
	unsigned int nr = 0;

	spin_lock(&all->list_lock);
	list_for_each_entry(kobj, &all->list, entry)
		nr++;
	spin_unlock(&all->list_lock);
	return nr;
}

int marker_optional_find(void (*look)(struct module *mod))
{
	struct kset *all = THIS_MODULE->mkobj.kobj.kset;
	struct kobject **modules;
	unsigned int i, nr;
	struct module *mod;

	/* a kernel without sysfs */
	if (!all)
		return 0;
	/* more may come meanwhile, but those are COMING */
	nr = count_modules(all);
	modules = kvmalloc_array(nr, sizeof(*modules), GFP_KERNEL);
	if (!modules)
		return -ENOMEM;
	nr = get_modules(all, modules, nr);
	for (i = 0; i < nr; i++) {
		mod = container_of(modules[i], struct module_kobject, kobj)->mod;
		/* what is built into the kernel has none */
		if (mod && mod != THIS_MODULE)
			look(mod);
		kobject_put(modules[i]);
	}
	kvfree(modules);
	return 0;
}

void marker_optional_keep(bool keep)
{
	if (CAN_WAIT)
		return;
	if (keep)
		__module_get(THIS_MODULE);
	else
		module_put(THIS_MODULE);
}

static int disarm_sites(struct marker_module *module)
{
	struct marker_site **sites, *site;
	unsigned int nr = 0;
	u8 state;
	int err;

	sites = kvmalloc_array(module->nr_sites, sizeof(*sites), GFP_KERNEL);
	if (!sites)
		return -ENOMEM;
	for_each_module_site(module, site) {
		WRITE_ONCE(site->marker->state, 0);
		state = marker_patcher_state(site);
		if (state != MARKER_SITE_JUMP && state != MARKER_SITE_BREAKPOINT)
			continue;
		site->goal = MARKER_SITE_NOP;
		sites[nr++] = site;
	}
	err = marker_patcher_apply(sites, nr);
	kvfree(sites);
	return err;
}

void marker_optional_silence(struct marker_module *module)
{
	while (disarm_sites(module) || marker_bridges_close(module)) {
		marker_registry_unlock();
		msleep(20);
		marker_registry_lock();
	}
}

void marker_optional_wait(void)
{
	synchronize_rcu_tasks();
	/* interrupts that hit the idle task */
	synchronize_rcu();
}
