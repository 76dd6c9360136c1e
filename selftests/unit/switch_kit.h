/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the tests of markers/model/ and markers/control/: modules with markers, and stand-ins
 * for what these files call: a patcher that changes no code, and a parser of a module's
 * sections that reads a table of the test.
 */
#ifndef _UNIT_SWITCH_KIT_H
#define _UNIT_SWITCH_KIT_H

#include <markers/control/control.h>
#include <markers/model/bridges.h>
#include <markers/model/counts.h>
#include <markers/control/modules.h>
#include <markers/control/optional.h>
#include <markers/model/patcher.h>
#include <markers/control/probes.h>
#include <markers/model/program.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include <markers/model/sites.h>
#include <markers/control/switch.h>
#include <markers/control/triggers.h>
#include "kit_log.h"
#include "tap.h"

#define KIT_MAX		8

/* A marker of a module to be loaded: the number of its sites and their state. */
struct kit_marker {
	const char *name;
	const char *format;
	unsigned int nr_sites;
	u8 state;		/* MARKER_SITE_NOP, _BRANCH, _GUARD */
	bool init;		/* in init text */
	int more_args;		/* than its format takes */
	unsigned int line;	/* of a debug statement, or 0 */
	const char *file;	/* or NULL */
	struct marker marker;
};

struct kit_module {
	struct module mod;
	struct kit_marker marker[KIT_MAX];
	struct marker_module *module;	/* while it is loaded */
};

/* The requests to the patcher: calls, sites; and what it does to one of the sites. */
static unsigned int kit_batches, kit_patched, kit_recovered;
static u8 kit_recover_to = MARKER_SITE_NOP;
static int kit_patch_error;
static struct marker_site *kit_foreign;
static int kit_guard = -1;		/* the last call: 0, 1 */
static struct kit_module *kit_coming;

const unsigned int marker_arch_site_size = 5;

int marker_patcher_add(struct marker_site *sites, unsigned int nr)
{
	(void)sites;
	(void)nr;
	marker_registry_assert_locked();
	return unit_alloc_fail && !--unit_alloc_fail ? -ENOMEM : 0;
}

void marker_patcher_forget_gone(const struct marker_site *sites, unsigned int nr)
{
	(void)sites;
	(void)nr;
	marker_registry_assert_locked();
}

int marker_patcher_apply(struct marker_site **sites, unsigned int nr)
{
	unsigned int i;

	marker_registry_assert_locked();
	if (!nr)
		return 0;
	kit_batches++;
	if (kit_patch_error)
		return kit_patch_error;
	for (i = 0; i < nr; i++) {
		assert(sites[i]->state != sites[i]->goal);
		sites[i]->state = sites[i] == kit_foreign ? MARKER_SITE_QUARANTINED :
				  sites[i]->goal;
		kit_patched++;
	}
	return 0;
}

void __marker_patcher_recover(struct marker_site *site)
{
	kit_recovered++;
	if (site != kit_foreign)
		site->state = kit_recover_to;
}

int marker_arch_guard_page(bool armed)
{
	kit_guard = armed;
	return 0;
}

static unsigned int kit_nr_args(const struct kit_marker *m)
{
	struct marker_format_error error;
	struct marker_format format;

	return marker_format_parse(&format, m->format, &error) ? 0 : format.nr_args + m->more_args;
}

static int kit_read_sites(struct module *mod, struct marker_site **sites, unsigned int *nr)
{
	struct kit_module *kit = kit_coming;
	struct marker_site *site;
	struct kit_marker *m;
	unsigned int i;

	assert(&kit->mod == mod);
	*nr = 0;
	for (m = kit->marker; m < kit->marker + KIT_MAX && m->name; m++)
		*nr += m->nr_sites;
	site = *sites = unit_zalloc(8, *nr * sizeof(*site) + 1);
	if (!site)
		return -ENOMEM;
	for (m = kit->marker; m < kit->marker + KIT_MAX && m->name; m++) {
		m->marker = (struct marker) {
			.nr_args = kit_nr_args(m), .by_line = !!m->line, .line = m->line,
			.name = m->name, .format = m->format,
			.file = m->file ?: "file.c",
		};
		for (i = 0; i < m->nr_sites; i++, site++) {
			site->marker = &m->marker;
			site->state = m->state;
			site->init = m->init;
			if (m->state != MARKER_SITE_BRANCH)
				site->addr = 0x1000 + (site - *sites) * 16;
		}
	}
	return 0;
}

/* Optional clients: a test says how many bridges a module has, and is told what becomes of them. */

static unsigned int kit_bridges;
static int kit_bridges_read_error, kit_bridges_open_error;
static int kit_bridges_opened, kit_bridges_closed;
static struct kit_module *kit_found;	/* is there when markers.ko comes */
static unsigned int kit_waits;

int marker_sites_read(struct module *mod, struct marker_site **sites, unsigned int *nr)
{
	*nr = 0;
	return kit_bridges ? 0 : kit_read_sites(mod, sites, nr);
}

int marker_bridges_read(struct marker_module *module, bool quiet)
{
	int err = kit_bridges ? kit_bridges_read_error : 0;

	(void)quiet;
	if (!err && kit_bridges && !module->nr_sites)
		err = kit_read_sites(module->mod, &module->site, &module->nr_sites);
	module->nr_bridges = err ? 0 : kit_bridges;
	return err;
}

int marker_bridges_open(struct marker_module *module)
{
	marker_registry_assert_locked();
	kit_bridges_opened += !!module->nr_bridges;
	return module->nr_bridges ? kit_bridges_open_error : 0;
}

void marker_bridges_forget(struct marker_module *module)
{
	(void)module;
	marker_registry_assert_locked();
}

int marker_optional_find(void (*look)(struct module *mod))
{
	if (kit_found)
		look(&kit_found->mod);
	return 0;
}

void marker_optional_keep(bool keep)
{
	(void)keep;
}

void marker_optional_silence(struct marker_module *module)
{
	marker_registry_assert_locked();
	kit_bridges_closed += !!module->nr_bridges;
}

void marker_optional_wait(void)
{
	kit_waits++;
}

static void kit_module_coming(struct marker_module *module)
{
	kit_coming->module = module;
}

static void kit_module_going(struct marker_module *module)
{
	(void)module;
}

static const struct marker_modules_ops kit_ops = {
	.coming = kit_module_coming,
	.going = kit_module_going,
	.gone = kit_module_going,
};

__attribute__((unused))
static int kit_notify(struct kit_module *kit, enum module_state state)
{
	return unit_module_notifier->notifier_call(unit_module_notifier, state, &kit->mod);
}

__attribute__((unused))
static int kit_load(struct kit_module *kit)
{
	kit_coming = kit;
	return kit_notify(kit, MODULE_STATE_COMING);
}

__attribute__((unused))
static void kit_unload(struct kit_module *kit)
{
	kit_notify(kit, MODULE_STATE_GOING);
	kit->module = NULL;
}

__attribute__((unused))
static struct marker_event *kit_event(struct kit_module *kit, const char *name)
{
	struct marker_event *event;

	marker_registry_lock();
	event = marker_registry_find(kit->module, name);
	marker_registry_unlock();
	return event;
}

/* A word, after a blank if there is one before it. */
__attribute__((unused, format(printf, 3, 4)))
static void kit_append(char *text, size_t size, const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list args;

	if (len && len + 1 < size)
		text[len++] = ' ';
	va_start(args, fmt);
	vsnprintf(text + len, size - len, fmt, args);
	va_end(args);
}

/* "name name ..." of the enabled markers of loaded modules, by id. */
__attribute__((unused))
static const char *kit_enabled(void)
{
	static char text[1024];
	struct marker_event *event;

	text[0] = '\0';
	for_each_loaded_event(event) {
		if (marker_program_asked(event, &marker_top) & MARKER_ASK_RECORD)
			kit_append(text, sizeof(text), "%s", event->title);
	}
	return text;
}

/* Retired actions, until kit_reap() or the end. */
static struct marker_action *kit_retired[1024];
static unsigned int kit_nr_retired;
static int kit_create_error;

static int kit_action_create(struct marker_action *action, struct marker_format_error *error)
{
	(void)action;
	marker_format_refuse(error, 0, "it does not fit");
	return kit_create_error;
}

static void kit_action_retire(struct marker_action *action)
{
	marker_registry_assert_locked();
	kit_retired[kit_nr_retired++] = action;
}

static void kit_action_destroy(struct marker_action *action)
{
	(void)action;
}

/* The caller holds the locks. */
static void kit_action_wait(void)
{
	marker_registry_lock();
	marker_registry_unlock();
}

static const struct marker_trigger_ops kit_trigger_ops = {
	.create = kit_action_create,
	.retire = kit_action_retire,
	.destroy = kit_action_destroy,
	.wait = kit_action_wait,
};

/* A grace period later. */
/* In place of the group of a task. */
static u64 group;

u64 marker_context_group(void)
{
	return group;
}

__attribute__((unused))
static void kit_reap(void)
{
	synchronize_rcu();
	marker_registry_lock();
	while (kit_nr_retired)
		marker_triggers_free(kit_retired[--kit_nr_retired]);
	marker_registry_unlock();
}

static void kit_begin(void)
{
	marker_recordings_add(&marker_top);
	marker_triggers_init(&kit_trigger_ops);
	marker_modules_init(&kit_ops);
}

static int kit_end(void)
{
	marker_modules_exit();
	kit_reap();
	marker_triggers_exit();
	marker_probes_exit();
	marker_registry_exit();
	marker_rules_clear(&marker_top.rules);
	marker_recordings_remove(&marker_top);
	return tap_done();
}

#endif /* _UNIT_SWITCH_KIT_H */
