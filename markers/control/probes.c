// SPDX-License-Identifier: GPL-2.0
/*
 * Probes: functions of other modules, registered by the name of a marker and the
 * format that they expect.  The program of each event has those that fit it.  Other
 * modules call this in process context; it takes the registry mutex.
 *
 * The semantics are those of Linux 2.6.31 (include/linux/marker.h), but an
 * unknown probe is an error that changes nothing, and a probe does not claim a
 * format for all modules: it is connected where its format fits.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/log.h>
#include <markers/model/program.h>
#include "probes.h"
#include "switch.h"

/**
 * struct registration - a probe that waits for markers
 * @node:	in registrations, by @name; oldest first; registry mutex
 * @probe:	the function and its private data
 * @format:	the format that the probe expects, after @name; or NULL for any
 * @name:	the markers' name
 */
struct registration {
	struct hlist_node node;
	struct marker_probe probe;
	const char *format;
	char name[];
};

static DEFINE_HASHTABLE(registrations, 8);

static struct hlist_head *registration_bucket(const char *name)
{
	return &registrations[hash_min(jhash(name, strlen(name), 0),
				       HASH_BITS(registrations))];
}

static struct registration *registration_create(const char *name,
						const char *format,
						const struct marker_probe *probe)
{
	const size_t name_size = strlen(name) + 1;
	const size_t format_size = format ? strlen(format) + 1 : 0;
	struct registration *reg;

	reg = kmalloc(struct_size(reg, name, name_size + format_size), GFP_KERNEL);
	if (!reg)
		return NULL;
	reg->probe = *probe;
	memcpy(reg->name, name, name_size);
	reg->format = format ? memcpy(reg->name + name_size, format, format_size) : NULL;
	return reg;
}

/* Add it after the others of its name: probes run in the order of registration. */
static void registration_add(struct hlist_head *bucket, struct registration *reg)
{
	struct registration *pos, *last = NULL;

	hlist_for_each_entry(pos, bucket, node)
		last = pos;
	if (last)
		hlist_add_behind(&reg->node, &last->node);
	else
		hlist_add_head(&reg->node, bucket);
}

static bool same_probe(const struct marker_probe *a, const struct marker_probe *b)
{
	return a->func == b->func && a->private == b->private;
}

static struct registration *registration_find(const struct hlist_head *bucket,
					      const char *name,
					      const struct marker_probe *probe)
{
	struct registration *reg;

	hlist_for_each_entry(reg, bucket, node) {
		if (!strcmp(reg->name, name) && same_probe(&reg->probe, probe))
			return reg;
	}
	return NULL;
}

/* May the probe be called with the arguments of @event, which has its name? */
static bool format_fits(const struct registration *reg, const struct marker_event *event)
{
	return !reg->format || !strcmp(reg->format, event->format.text);
}

static void log_misfit(const struct registration *reg,
		       const struct marker_event *event)
{
	marker_log("marker %s: a probe is not connected: it expects \"%s\", but the format is \"%s\"",
		   event->title, reg->format, event->format.text);
}

/* The next event of that name in a loaded module; NULL for the first. */
static struct marker_event *next_loaded(struct marker_event *event,
					const char *name)
{
	do {
		event = marker_registry_next(event, name);
	} while (event && !event->module);
	return event;
}

int marker_probes_connect(struct marker_event *event)
{
	struct registration *reg;
	int err;

	hlist_for_each_entry(reg, registration_bucket(event->name), node) {
		if (strcmp(reg->name, event->name))
			continue;
		if (!format_fits(reg, event)) {
			log_misfit(reg, event);
			continue;
		}
		err = marker_program_add_probe(event, &reg->probe);
		if (err)
			return err;
	}
	return event->own_probe ? marker_program_add_probe(event, event->own_probe) : 0;
}

/*
 * Registration
 */

static bool is_armed(const struct marker_site *site)
{
	return site->state == MARKER_SITE_JUMP ||
	       site->state == MARKER_SITE_BREAKPOINT ||
	       site->state == MARKER_SITE_BRANCH ||
	       site->state == MARKER_SITE_GUARD;
}

/* Sites in freed init text do not count. */
static void count_sites(const struct marker_event *event, bool connected,
			struct marker_result *result)
{
	const struct marker_site *site, *end;

	for_each_event_site(event, site, end) {
		if (site->state == MARKER_SITE_GONE)
			continue;
		result->matched++;
		if (connected && is_armed(site))
			result->armed++;
		else
			result->refused++;
	}
}

static void count_all_sites(const struct registration *reg,
			    struct marker_result *result)
{
	struct marker_event *event = NULL;
	bool fits;

	memset(result, 0, sizeof(*result));
	while ((event = next_loaded(event, reg->name))) {
		fits = format_fits(reg, event);
		count_sites(event, fits, result);
		if (!fits)
			log_misfit(reg, event);
	}
}

static bool is_room(const struct hlist_head *bucket, const char *name)
{
	const struct registration *reg;
	unsigned int nr = 0;

	hlist_for_each_entry(reg, bucket, node)
		nr += !strcmp(reg->name, name);
	return nr < MARKER_MAX_PROBES;
}

static int register_locked(struct registration *reg, struct marker_result *result)
{
	struct hlist_head *bucket = registration_bucket(reg->name);
	struct marker_event *event = NULL;
	LIST_HEAD(changes);
	int err = 0;

	if (registration_find(bucket, reg->name, &reg->probe))
		return -EBUSY;
	if (!is_room(bucket, reg->name)) {
		marker_log("marker %s: a probe is not registered: it has %u already",
			   reg->name, MARKER_MAX_PROBES);
		return -ENOSPC;
	}
	while (!err && (event = next_loaded(event, reg->name))) {
		if (!format_fits(reg, event))
			continue;
		marker_switch_add(&changes, event);
		err = marker_program_add_probe(event, &reg->probe);
	}
	if (err)
		marker_switch_forget(&changes);
	else
		err = marker_switch_apply(&changes);
	if (err)
		return err;
	registration_add(bucket, reg);
	count_all_sites(reg, result);
	return 0;
}

int marker_probe_register_result(const char *name, const char *fmt,
				 marker_probe_func *probe, void *probe_private,
				 struct marker_result *result)
{
	struct marker_probe pair = { probe, probe_private };
	struct marker_result unused;
	struct registration *reg;
	int err;

	if (!name || !*name || !probe)
		return -EINVAL;
	reg = registration_create(name, fmt, &pair);
	if (!reg)
		return -ENOMEM;
	marker_registry_lock();
	err = register_locked(reg, result ?: &unused);
	marker_registry_unlock();
	if (err) {
		kfree(reg);
		/* the probe may have been called meanwhile, and may still run */
		if (err != -EBUSY && err != -ENOSPC)
			synchronize_rcu();
	}
	return err;
}
EXPORT_SYMBOL_GPL(marker_probe_register_result);

static void unregister_locked(struct registration *reg)
{
	struct marker_event *event = NULL;
	LIST_HEAD(changes);

	hash_del(&reg->node);
	while ((event = next_loaded(event, reg->name))) {
		if (!format_fits(reg, event))
			continue;
		marker_switch_add(&changes, event);
		marker_program_remove_probe(event, &reg->probe);
	}
	/* the caller's code is about to go: this must not fail */
	marker_switch_take_away(&changes);
	kfree(reg);
}

int marker_probe_unregister(const char *name, marker_probe_func *probe,
			    void *probe_private)
{
	struct marker_probe pair = { probe, probe_private };
	struct registration *reg;

	marker_registry_lock();
	reg = name ? registration_find(registration_bucket(name), name, &pair) : NULL;
	if (reg)
		unregister_locked(reg);
	marker_registry_unlock();
	return reg ? 0 : -ENOENT;
}
EXPORT_SYMBOL_GPL(marker_probe_unregister);

/*
 * The probe of one event
 */

static int add_own(struct marker_event *event, const struct marker_probe *own)
{
	LIST_HEAD(changes);
	int err;

	marker_switch_add(&changes, event);
	err = marker_program_add_probe(event, own);
	if (err)
		marker_switch_forget(&changes);
	else
		err = marker_switch_apply(&changes);
	return err;
}

static void remove_own(struct marker_event *event, const struct marker_probe *own)
{
	LIST_HEAD(changes);

	marker_switch_add(&changes, event);
	marker_program_remove_probe(event, own);
	marker_switch_take_away(&changes);
}

int marker_probes_set_own(struct marker_event *event, const struct marker_probe *own)
{
	int err = 0;

	marker_registry_assert_locked();
	/* else it is connected when its module comes */
	if (event->module && own)
		err = add_own(event, own);
	else if (event->module && event->own_probe)
		remove_own(event, event->own_probe);
	if (!err)
		event->own_probe = own;
	return err;
}

static struct registration *registration_find_any(const struct marker_probe *probe)
{
	struct registration *reg;
	unsigned int i;

	hash_for_each(registrations, i, reg, node) {
		if (same_probe(&reg->probe, probe))
			return reg;
	}
	return NULL;
}

int marker_probe_unregister_private_data(marker_probe_func *probe,
					 void *probe_private)
{
	struct marker_probe pair = { probe, probe_private };
	struct registration *reg;

	marker_registry_lock();
	reg = registration_find_any(&pair);
	if (reg)
		unregister_locked(reg);
	marker_registry_unlock();
	return reg ? 0 : -ENOENT;
}
EXPORT_SYMBOL_GPL(marker_probe_unregister_private_data);

void *marker_get_private_data(const char *name, marker_probe_func *probe, int num)
{
	void *private = ERR_PTR(-ENOENT);
	struct registration *reg;

	marker_registry_lock();
	hlist_for_each_entry(reg, registration_bucket(name), node) {
		if (strcmp(reg->name, name) || reg->probe.func != probe || num--)
			continue;
		private = reg->probe.private;
		break;
	}
	marker_registry_unlock();
	return private;
}
EXPORT_SYMBOL_GPL(marker_get_private_data);

void marker_synchronize_unregister(void)
{
	/* probes run with preemption off */
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(marker_synchronize_unregister);

void marker_probes_exit(void)
{
	struct registration *reg;
	struct hlist_node *next;
	unsigned int i;

	hash_for_each_safe(registrations, i, next, reg, node) {
		hash_del(&reg->node);
		kfree(reg);
	}
}
