// SPDX-License-Identifier: GPL-2.0
/*
 * Probes by name of the marker.  A name has one array of probes, which all events
 * of that name point to; it is replaced as a whole and freed after a grace
 * period.  Called by other modules in process context; takes the registry mutex.
 *
 * The semantics are those of Linux 2.6.31 (include/linux/marker.h), but an
 * unknown probe is an error that changes nothing, and the result says how many
 * sites there are and how many call the probe.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/log.h>
#include "probes.h"
#include "switch.h"

/**
 * struct probe_name - the probes of a name
 * @list:	in probe_names; registry mutex
 * @name:	the markers' name
 * @format:	what the first probe that said so expects, or NULL
 * @probes:	never NULL but while it is being made or freed
 */
struct probe_name {
	struct list_head list;
	char *name;
	char *format;
	struct marker_probes *probes;
};

static LIST_HEAD(probe_names);

static struct probe_name *name_find(const char *name)
{
	struct probe_name *entry;

	list_for_each_entry(entry, &probe_names, list) {
		if (!strcmp(entry->name, name))
			return entry;
	}
	return NULL;
}

/* Hits that are under way may still be looking. */
static void probes_free(struct marker_probes *probes)
{
	if (probes)
		kfree_rcu(probes, rcu);
}

static void name_free(struct probe_name *entry)
{
	probes_free(entry->probes);
	kfree(entry->format);
	kfree(entry->name);
	kfree(entry);
}

static struct probe_name *name_create(const char *name)
{
	struct probe_name *entry;

	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return NULL;
	entry->name = kstrdup(name, GFP_KERNEL);
	if (entry->name)
		return entry;
	name_free(entry);
	return NULL;
}

static struct marker_probes *probes_alloc(unsigned int nr)
{
	struct marker_probes *probes;

	probes = kmalloc(struct_size(probes, probe, nr), GFP_KERNEL);
	if (probes)
		probes->nr = nr;
	return probes;
}

/* Where the pair is, or @probes->nr. */
static unsigned int probes_find(const struct marker_probes *probes,
				marker_probe_func *func, void *private)
{
	unsigned int i;

	for (i = 0; i < probes->nr; i++) {
		if (probes->probe[i].func == func &&
		    probes->probe[i].private == private)
			break;
	}
	return i;
}

/* What is left of a probe that went away when there was no memory. */
static void probe_of_nobody(void *probe_private, void *call_private,
			    const char *fmt, va_list *args)
{
}

/*
 * A copy without the one at @but, if there is one, and with room for @more; NULL: out of
 * memory, or ERR_PTR(-ENOENT): it would be empty.
 */
static struct marker_probes *probes_copy(const struct marker_probes *old,
					 unsigned int but, unsigned int more)
{
	unsigned int nr = 0, i, old_nr = old ? old->nr : 0;
	struct marker_probes *probes;

	for (i = 0; i < old_nr; i++)
		nr += i != but && old->probe[i].func != probe_of_nobody;
	if (!(nr + more))
		return ERR_PTR(-ENOENT);
	probes = probes_alloc(nr + more);
	if (!probes)
		return NULL;
	nr = 0;
	for (i = 0; i < old_nr; i++) {
		if (i != but && old->probe[i].func != probe_of_nobody)
			probes->probe[nr++] = old->probe[i];
	}
	return probes;
}

static struct marker_probes *probes_with(const struct marker_probes *old,
					 marker_probe_func *func, void *private)
{
	struct marker_probes *probes = probes_copy(old, UINT_MAX, 1);

	if (probes) {
		probes->probe[probes->nr - 1].func = func;
		probes->probe[probes->nr - 1].private = private;
	}
	return probes;
}

/* May the probes of @entry be called with the arguments of @event? */
static bool formats_agree(const struct probe_name *entry,
			  const struct marker_event *event)
{
	if (!entry->format || !strcmp(entry->format, event->format.text))
		return true;
	marker_log("marker %s not connected: format \"%s\", but its probe expects \"%s\"",
		   event->title, event->format.text, entry->format);
	return false;
}

void marker_probes_connect(struct marker_event *event)
{
	struct probe_name *entry = name_find(event->name);

	if (entry && formats_agree(entry, event))
		rcu_assign_pointer(event->probes, entry->probes);
}

/* Let the loaded events of a name call @probes, and count their sites. */
static int change_probes(const struct probe_name *entry,
			 struct marker_probes *probes,
			 struct marker_result *result)
{
	struct marker_event *event = NULL;
	LIST_HEAD(changes);

	while ((event = marker_event_next(event, entry->name))) {
		if (!event->module)
			continue;
		result->matched += event->nr_sites;
		if (probes && !formats_agree(entry, event))
			continue;
		rcu_assign_pointer(event->probes, probes);
		marker_change_add(&changes, event);
	}
	return marker_change_apply(&changes);
}

static void count_armed(const struct probe_name *entry,
			struct marker_result *result)
{
	struct marker_event *event = NULL;
	const struct marker_site *site;
	unsigned int i;

	while ((event = marker_event_next(event, entry->name))) {
		if (!event->module || !rcu_access_pointer(event->probes))
			continue;
		for (i = 0; i < event->nr_sites; i++) {
			site = &event->module->site[event->first_site + i];
			result->armed += site->state == MARKER_SITE_JUMP ||
					 site->state == MARKER_SITE_INT3 ||
					 site->state == MARKER_SITE_BRANCH ||
					 site->state == MARKER_SITE_GUARD;
		}
	}
	result->refused = result->matched - result->armed;
}

static int check_probe(const char *name, const char *fmt,
		       marker_probe_func *func)
{
	struct marker_event *event = NULL;
	struct probe_name *entry;

	if (!name || !*name || !func)
		return -EINVAL;
	if (!fmt)
		return 0;
	entry = name_find(name);
	if (entry && entry->format && strcmp(entry->format, fmt))
		goto mismatch;
	while ((event = marker_event_next(event, name))) {
		if (event->module && strcmp(event->format.text, fmt))
			goto mismatch;
	}
	return 0;
mismatch:
	marker_log("probe of marker %s refused: it expects \"%s\", but the format is \"%s\"",
		   name, fmt, event ? event->format.text : entry->format);
	return -EPERM;
}

static int register_locked(const char *name, const char *fmt,
			   marker_probe_func *func, void *private,
			   struct marker_result *result)
{
	struct probe_name *entry = name_find(name);
	struct marker_probes *probes, *old;
	bool new_format = false, new = !entry;
	int err = -ENOMEM;

	if (new)
		entry = name_create(name);
	if (!entry)
		return -ENOMEM;
	old = entry->probes;
	if (old && probes_find(old, func, private) < old->nr)
		return -EEXIST;

	probes = probes_with(old, func, private);
	if (!probes)
		goto out;
	if (fmt && !entry->format) {
		entry->format = kstrdup(fmt, GFP_KERNEL);
		if (!entry->format)
			goto out_probes;
		new_format = true;
	}
	err = change_probes(entry, probes, result);
	if (err) {
		/* out of memory for patching in: nothing was patched */
		change_probes(entry, old, result);
		goto out_format;
	}
	entry->probes = probes;
	if (new)
		list_add_tail(&entry->list, &probe_names);
	count_armed(entry, result);
	probes_free(old);
	return 0;

out_format:
	if (new_format) {
		kfree(entry->format);
		entry->format = NULL;
	}
out_probes:
	probes_free(probes);
out:
	if (new)
		name_free(entry);
	return err;
}

int marker_probe_register(const char *name, const char *fmt,
			  marker_probe_func *probe, void *probe_private,
			  struct marker_result *result)
{
	struct marker_result found = { };
	int err;

	marker_registry_lock();
	err = check_probe(name, fmt, probe);
	if (!err)
		err = register_locked(name, fmt, probe, probe_private, &found);
	marker_registry_unlock();
	if (!err && result)
		*result = found;
	return err;
}
EXPORT_SYMBOL_GPL(marker_probe_register);

/* Must not fail for lack of memory: the caller's code is about to go. */
static int unregister_locked(const char *name, marker_probe_func *func,
			     void *private)
{
	struct probe_name *entry = name ? name_find(name) : NULL;
	struct marker_probes *probes, *old;
	struct marker_result unused = { };
	unsigned int index;

	if (!entry)
		return -ENOENT;
	old = entry->probes;
	index = probes_find(old, func, private);
	if (index == old->nr)
		return -ENOENT;
	probes = probes_copy(old, index, 0);
	if (!probes) {
		WRITE_ONCE(old->probe[index].func, probe_of_nobody);
		return 0;
	}
	if (IS_ERR(probes))
		probes = NULL;		/* it was the last one */
	/* sites that cannot be patched out now do no harm: no state, no probe */
	change_probes(entry, probes, &unused);
	if (probes) {
		entry->probes = probes;
		probes_free(old);
	} else {
		list_del(&entry->list);
		name_free(entry);
	}
	return 0;
}

int marker_probe_unregister(const char *name, marker_probe_func *probe,
			    void *probe_private)
{
	int err;

	marker_registry_lock();
	err = unregister_locked(name, probe, probe_private);
	marker_registry_unlock();
	return err;
}
EXPORT_SYMBOL_GPL(marker_probe_unregister);

void marker_synchronize_unregister(void)
{
	/* probes run with preemption off */
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(marker_synchronize_unregister);

void marker_probes_exit(void)
{
	struct probe_name *entry, *next;

	list_for_each_entry_safe(entry, next, &probe_names, list)
		name_free(entry);
}
