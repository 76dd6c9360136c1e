// SPDX-License-Identifier: GPL-2.0
/*
 * The module notifier.  When a module is coming, this finds its markers, connects them
 * with events and arms those that a rule or a probe wants, before the init function
 * runs.  When the module goes live, the sites in its init text end; when it is going,
 * all of them do.
 *
 * An optional client may be there already when markers.ko comes, and stay when it goes: then the
 * same is done for it, while the notifier waits.
 *
 * Process context.  A module cannot come and go at the same time, but two can.
 */
#include <linux/ctype.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <markers/compat/tracing.h>
#include <markers/log.h>
#include <markers/model/bridges.h>
#include <markers/model/patcher.h>
#include <markers/model/program.h>
#include <markers/model/rules.h>
#include <markers/model/sites.h>
#include "filters.h"
#include "module_events.h"
#include "modules.h"
#include "optional.h"
#include "probes.h"
#include "switch.h"
#include "triggers.h"

static const struct marker_modules_ops *modules_ops;

/* The notifier reads; who handles a module outside of the notifier writes. */
static DECLARE_RWSEM(handled);
static bool leaving;		/* markers.ko goes: no module is connected any more */
static bool was_silenced;	/* a task may be behind a bridge that was closed */

/* Let the rules of each recording choose what it takes of an event. */
static int connect_rules(struct marker_event *event)
{
	struct marker_event_filter *filter;
	struct marker_recording *recording;
	const char *text;
	int err;

	for_each_recording(recording) {
		text = marker_rules_filter(&recording->rules, event->module_name, event->name);
		filter = text ? marker_filters_of_rule(event, recording, text) : NULL;
		if (text && !filter)
			return -ENOMEM;
		err = marker_program_edit(event, recording,
					  marker_rules_want(&recording->rules, event->module_name,
							    event->name), filter);
		if (err)
			return err;
	}
	return 0;
}

static void log_misfits(const struct marker_event *event)
{
	const struct marker_event_filter *filter;
	struct marker_log_scope scope;
	struct marker_recording *recording;

	for_each_recording(recording) {
		filter = marker_program_filter(event, recording);
		if (!filter || !filter->error.why ||
		    !(marker_program_asked(event, recording) & MARKER_ASK_RECORD))
			continue;
		marker_log_enter(&scope, recording->name);
		marker_filters_log(event, filter, 0, true);
		marker_log_leave(&scope);
	}
}

/* Enable the new events that rules or probes want. */
static int enable_wanted(struct marker_module *module)
{
	struct marker_event *event;
	LIST_HEAD(changes);
	int err;

	for_each_module_event(module, event) {
		cond_resched();
		err = marker_probes_connect(event);
		if (!err)
			err = connect_rules(event);
		if (err)
			return err;
		marker_triggers_connect(event);
	}
	for_each_module_event(module, event)
		marker_switch_add(&changes, event);
	err = marker_switch_apply(&changes);
	for_each_module_event(module, event) {
		if (!err)
			log_misfits(event);
	}
	return err;
}

/* May the breakpoint of a site go, if it has one? */
static bool may_go(const struct marker_site *site, bool init_only)
{
	return site->init || !init_only;
}

static int patch_breakpoints(struct marker_module *module, bool init_only)
{
	struct marker_site **sites, *site;
	unsigned int nr = 0;
	int err;

	for_each_module_site(module, site)
		nr += site->state != MARKER_SITE_NOP && may_go(site, init_only) &&
		      marker_patcher_state(site) == MARKER_SITE_BREAKPOINT;
	if (!nr)
		return 0;
	sites = kvmalloc_array(nr, sizeof(*sites), GFP_KERNEL);
	if (!sites)
		return -ENOMEM;
	nr = 0;
	for_each_module_site(module, site) {
		if (site->state != MARKER_SITE_BREAKPOINT || !may_go(site, init_only))
			continue;
		site->goal = MARKER_SITE_NOP;
		sites[nr++] = site;
	}
	err = marker_patcher_apply(sites, nr);
	kvfree(sites);
	return err;
}

/*
 * Code of the module may still run after its init or exit function has returned: the
 * kernel waits for their calls of async_schedule() only after this notifier.  A jump
 * that is left in such code does no harm.  A breakpoint that we have forgotten would.
 *
 * Without memory, wait for some, but not for that code: it may wait for the load of a module,
 * whose notifier waits behind a writer of handled, and that one for us.
 */
static void take_breakpoints_out(struct marker_module *module, bool init_only)
{
	while (patch_breakpoints(module, init_only) == -ENOMEM) {
		marker_registry_unlock();
		msleep(20);
		marker_registry_lock();
	}
}

/*
 * Forget the sites of a module that goes, or whose load failed.  They are freed after a
 * grace period, which the caller waits for when it has released the mutex.
 */
static void module_disconnect(struct marker_module *module)
{
	struct marker_event *event;
	struct marker_site *site;

	for_each_module_site(module, site)
		site->state = MARKER_SITE_GONE;
	marker_patcher_forget_gone(module->site, module->nr_sites);
	marker_bridges_forget(module);
	for_each_module_site(module, site) {
		event = site->marker->event;
		/* once for each event; a load that failed leaves some without one */
		if (IS_ERR_OR_NULL(event) || !event->module)
			continue;
		marker_switch_leave(event);
	}
}

static void add_to_list(struct marker_module *module)
{
	static u32 last_id;

	module->id = ++last_id;
	list_add_tail(&module->list, &marker_modules);
}

/* Its code stays, and may run. */
static void silence(struct marker_module *module)
{
	marker_optional_silence(module);
	was_silenced = true;
}

static int module_connect(struct marker_module *module)
{
	int err;

	err = marker_module_events_find(module);
	if (!err) {
		marker_module_events_sort(module);
		err = marker_patcher_add(module->site, module->nr_sites);
	}
	if (!err)
		err = marker_bridges_open(module);
	if (!err)
		err = enable_wanted(module);
	if (err && module->nr_bridges)
		silence(module);
	if (err)
		module_disconnect(module);
	else
		add_to_list(module);
	return err;
}

int marker_modules_add(struct marker_module *module)
{
	marker_registry_assert_locked();
	return module_connect(module);
}

void marker_modules_remove(struct marker_module *module)
{
	marker_registry_assert_locked();
	list_del(&module->list);
	module_disconnect(module);
}

static void module_free(struct marker_module *module)
{
	marker_registry_free_refusals(module);
	kvfree(module->site);
	kvfree(module->bridge);
	kfree(module);
}

/* A rule for a name with "*" would mean other modules, too. */
static bool check_name(const char *name)
{
	const char *c = name;

	while (isascii(*c) && (isalnum(*c) || *c == '_'))
		c++;
	if (*c)
		marker_log_refused(name, c - name,
				   "module %s: none of its markers can be enabled: its name has not only letters, digits and _",
				   name);
	return !*c;
}

static struct marker_module *module_create(struct module *mod)
{
	struct marker_module *module = kzalloc(sizeof(*module), GFP_KERNEL);

	if (!module)
		return NULL;
	module->mod = mod;
	module->name = mod->name;
	INIT_LIST_HEAD(&module->refused);
	return module;
}

/* Give a module with sites to the registry; without success, free @module. */
static int module_begin(struct marker_module *module)
{
	const bool is_optional = module->nr_bridges;
	bool is_late;
	int err = 0;

	if (!module->nr_sites || !check_name(module->name))
		goto out;
	marker_registry_lock();
	is_late = leaving;
	if (!is_late)
		err = module_connect(module);
	marker_registry_unlock();
	if (err)
		synchronize_rcu();
	if (err || is_late)
		goto out;
	if (is_optional)
		marker_optional_keep(true);
	modules_ops->coming(module);
	return 0;
out:
	module_free(module);
	return err;
}

/* Add what it has as an optional client. */
static int module_complete(struct marker_module *module, bool quiet)
{
	int err = marker_bridges_read(module, quiet);

	if (err)
		module_free(module);
	return err ?: module_begin(module);
}

/* An optional client goes on without its markers, if need be; -ENOEXEC has had its message. */
static void log_left_out(const char *name, int err)
{
	if (err && err != -ENOEXEC)
		marker_log_refused(NULL, 0, "%s: its markers stay off: error %d: load it again",
				   name, err);
}

static int module_coming(struct module *mod)
{
	struct marker_module *module = module_create(mod);
	bool needs_us;
	int err;

	if (!module)
		return -ENOMEM;
	err = marker_sites_read(mod, &module->site, &module->nr_sites);
	if (err) {
		module_free(module);
		return err;
	}
	needs_us = module->nr_sites;
	err = module_complete(module, false);
	if (needs_us)
		return err;
	log_left_out(mod->name, err);
	return 0;
}

#if MARKER_PUBLISH_LENDS

/* It has its events for as long as the mutex is held. */
void marker_modules_preview(struct module *mod, bool (*func)(struct marker_event *event))
{
	struct marker_module *module = module_create(mod);
	struct marker_site *site;
	struct marker_event *event;

	if (!module)
		return;
	module->is_preview = true;
	if (marker_sites_read(mod, &module->site, &module->nr_sites) ||
	    marker_bridges_read(module, true) || !module->nr_sites)
		goto out;
	marker_registry_lock();
	marker_module_events_find(module);
	for_each_module_site(module, site) {
		cond_resched();
		if (!IS_ERR_OR_NULL(site->marker->event))
			func(site->marker->event);
	}
	for_each_module_site(module, site) {
		event = site->marker->event;
		site->marker->event = NULL;
		if (IS_ERR_OR_NULL(event))
			continue;
		event->module = NULL;
		event->marker = NULL;
	}
	marker_registry_unlock();
out:
	module_free(module);
}

#endif

static struct marker_module *module_find(const struct module *mod)
{
	struct marker_module *module;

	for_each_marker_module(module) {
		if (module->mod == mod)
			return module;
	}
	return NULL;
}

/* The sites in init text end here.  Return whether there are any. */
static bool end_init_sites(struct marker_module *module)
{
	struct marker_site *site;
	bool any = false, guard;

	take_breakpoints_out(module, true);
	for_each_module_site(module, site) {
		if (!site->init)
			continue;
		guard = site->state == MARKER_SITE_GUARD;
		site->state = MARKER_SITE_GONE;
		/* this may have been the last site that needed the guard page unmapped */
		if (guard)
			marker_switch_guard_page(site->marker->event);
		any = true;
	}
	if (any)
		marker_patcher_forget_gone(module->site, module->nr_sites);
	return any;
}

static bool module_is_known(const struct module *mod)
{
	bool is_known;

	marker_registry_lock();
	is_known = module_find(mod);
	marker_registry_unlock();
	return is_known;
}

/* A module that nobody has told us of when it was COMING, if it is an optional client. */
static void module_find_late(struct module *mod, bool quiet)
{
	struct marker_module *module;
	int err;

	if (module_is_known(mod))
		return;
	module = module_create(mod);
	err = module ? module_complete(module, quiet) : -ENOMEM;
	if (!quiet)
		log_left_out(mod->name, err);
}

/* Init text is about to be freed. */
static void module_live(struct module *mod)
{
	struct marker_module *module;
	bool any;

	marker_registry_lock();
	module = module_find(mod);
	any = module && end_init_sites(module);
	marker_registry_unlock();
	/* traps that are looking at the sites */
	if (any)
		synchronize_rcu();
	/* it was COMING before our notifier was there, and in no kset */
	if (!module)
		module_find_late(mod, true);
}

/* @stays: its code goes on, and is to have no trace of us */
static void module_end(struct marker_module *module, bool stays)
{
	const bool is_optional = module->nr_bridges;

	marker_registry_lock();
	module->is_going = true;
	marker_registry_unlock();
	modules_ops->going(module);
	marker_registry_lock();
	if (stays)
		silence(module);
	else
		take_breakpoints_out(module, false);
	list_del(&module->list);
	module_disconnect(module);
	marker_registry_unlock();
	/* traps that are looking at the sites */
	synchronize_rcu();
	modules_ops->gone(module);
	module_free(module);
	if (is_optional)
		marker_optional_keep(false);
}

static void module_going(const struct module *mod)
{
	struct marker_module *module;

	marker_registry_lock();
	module = module_find(mod);
	marker_registry_unlock();
	if (module)
		module_end(module, false);
}

static int module_notify(struct notifier_block *nb, unsigned long state,
			 void *data)
{
	int err = 0;

	down_read(&handled);
	switch (state) {
	case MODULE_STATE_COMING:
		err = module_coming(data);
		break;
	case MODULE_STATE_LIVE:
		module_live(data);
		break;
	case MODULE_STATE_GOING:
		module_going(data);
		break;
	}
	up_read(&handled);
	return notifier_from_errno(err);
}

/* Runs after the notifiers that write to a new module's text. */
static struct notifier_block module_block = {
	.notifier_call = module_notify,
	.priority = -1,
};

/* Its notifier waits for us if it goes now; if it has gone on from there, that is its state. */
static void module_found(struct module *mod)
{
	down_write(&handled);
	if (READ_ONCE(mod->state) != MODULE_STATE_GOING)
		module_find_late(mod, false);
	up_write(&handled);
}

int __init marker_modules_init(const struct marker_modules_ops *ops)
{
	int err;

	modules_ops = ops;
	leaving = false;
	err = register_module_notifier(&module_block);
	if (err)
		return err;
	err = marker_optional_find(module_found);
	if (err)
		marker_modules_exit();
	return err;
}

static struct marker_module *first_optional(void)
{
	struct marker_module *module;

	for_each_marker_module(module) {
		if (module->nr_bridges)
			return module;
	}
	return NULL;
}

/* No other module with markers is left: they depend on this one. */
void marker_modules_exit(void)
{
	struct marker_module *module;

	marker_registry_lock();
	leaving = true;
	marker_registry_unlock();
	down_write(&handled);
	while ((module = first_optional()))
		module_end(module, true);
	up_write(&handled);
	unregister_module_notifier(&module_block);
	if (was_silenced)
		marker_optional_wait();
}
