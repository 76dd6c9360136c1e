// SPDX-License-Identifier: GPL-2.0
/*
 * Markers by name.  Modules (modules.c: what exists), rules (what an operator
 * wants) and probes (probes.c: what other modules want) meet here, in process
 * context and under one mutex.  Whatever changes, the step is always the same,
 * marker_change_apply(): from what is wanted of some events to the states of
 * their markers and the code of their sites.
 *
 *	on:	publish probes, set marker.state, patch in
 *	off:	clear marker.state, patch out, wait, free probes
 *
 * Lock order: cpus_read_lock() > registry_mutex > the log's.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "log.h"
#include "patcher.h"
#include "registry.h"
#include "rules.h"

static DEFINE_MUTEX(registry_mutex);
LIST_HEAD(marker_modules);
LIST_HEAD(marker_events);

static DEFINE_HASHTABLE(event_hash, 10);	/* by name */
static DEFINE_IDR(event_idr);

void marker_registry_lock(void)
{
	cpus_read_lock();
	mutex_lock(&registry_mutex);
}

void marker_registry_unlock(void)
{
	mutex_unlock(&registry_mutex);
	cpus_read_unlock();
}

/*
 * Events
 */

static u32 hash_name(const char *name)
{
	return jhash(name, strlen(name), 0);
}

struct marker_event *marker_event_by_id(u32 id)
{
	struct marker_event *event;

	rcu_read_lock();
	event = idr_find(&event_idr, id);
	rcu_read_unlock();
	return event;
}

struct marker_event *marker_event_next(struct marker_event *event,
				       const char *name)
{
	struct hlist_node *node;

	lockdep_assert_held(&registry_mutex);
	if (event)
		node = event->node.next;
	else
		node = event_hash[hash_min(hash_name(name),
					   HASH_BITS(event_hash))].first;
	for (; node; node = node->next) {
		event = hlist_entry(node, struct marker_event, node);
		if (!strcmp(event->name, name))
			return event;
	}
	return NULL;
}

static void event_free(struct marker_event *event)
{
	kfree(event->module_name);
	kfree(event->name);
	kfree(event->title);
	kfree(event->format.text);
	kfree(event);
}

/* The table is parsed on the side: an event takes only the fields it has. */
static struct marker_event *event_alloc(const struct marker_format *format,
					const char *module, const char *name)
{
	struct marker_event *event;
	size_t used;

	used = offsetof(struct marker_format, field) +
	       format->nr_fields * sizeof(format->field[0]);
	event = kzalloc(offsetof(struct marker_event, format) + used,
			GFP_KERNEL);
	if (!event)
		return NULL;
	memcpy(&event->format, format, used);
	INIT_LIST_HEAD(&event->change);
	event->format.text = kstrdup(format->text, GFP_KERNEL);
	event->module_name = kstrdup(module, GFP_KERNEL);
	event->name = kstrdup(name, GFP_KERNEL);
	event->title = kasprintf(GFP_KERNEL, "%s:%s", module, name);
	if (event->format.text && event->module_name && event->name &&
	    event->title)
		return event;
	event_free(event);
	return NULL;
}

static int parse_format(const char *module, const struct marker *marker,
			struct marker_format *format)
{
	struct marker_format_error error;
	int err;

	err = marker_format_parse(format, marker->format, &error);
	if (!err)
		return 0;
	marker_log_at(marker->format, error.column,
		      "marker %s:%s refused, format, column %u: %s", module,
		      marker->name, error.column, error.why);
	pr_warn("marker %s:%s refused, column %u of \"%s\": %s\n", module,
		marker->name, error.column, marker->format, error.why);
	return err;
}

static struct marker_event *event_create(const char *module,
					 const struct marker *marker)
{
	struct marker_format *format;
	struct marker_event *event;
	int err;

	format = kmalloc(sizeof(*format), GFP_KERNEL);
	if (!format)
		return ERR_PTR(-ENOMEM);
	err = parse_format(module, marker, format);
	if (err)
		goto out;
	err = -ENOMEM;
	event = event_alloc(format, module, marker->name);
	if (!event)
		goto out;
	err = idr_alloc(&event_idr, event, 0, 0, GFP_KERNEL);
	if (err < 0) {
		event_free(event);
		goto out;
	}
	event->id = err;
	list_add_tail(&event->list, &marker_events);
	hash_add(event_hash, &event->node, hash_name(event->name));
	kfree(format);
	return event;
out:
	kfree(format);
	return ERR_PTR(err);
}

struct marker_event *marker_event_get(const char *module,
				      const struct marker *marker)
{
	struct marker_event *event = NULL, *known = NULL;

	while ((event = marker_event_next(event, marker->name))) {
		if (!strcmp(event->format.text, marker->format)) {
			if (!strcmp(event->module_name, module))
				known = event;
			continue;
		}
		if (!event->module)
			continue;
		marker_log("marker %s:%s refused: format \"%s\", but %s has it with \"%s\"",
			   module, marker->name, marker->format,
			   event->module_name, event->format.text);
		pr_warn("marker %s:%s refused: its format is not that of %s\n",
			module, marker->name, event->title);
		return ERR_PTR(-EPERM);
	}
	return known ?: event_create(module, marker);
}

/*
 * From what is wanted to what is
 */

#define for_each_event_site(event, pos)					\
	for ((pos) = &(event)->module->site[(event)->first_site];	\
	     (pos) < &(event)->module->site[(event)->first_site] +	\
		     (event)->nr_sites;					\
	     (pos)++)

static u8 default_mode = MARKER_MODE_JUMP;
static unsigned int nr_guards_on;

static u32 event_state(const struct marker_event *event)
{
	return (event->wanted ? MARKER_RECORD : 0) |
	       (rcu_access_pointer(event->probes) ? MARKER_PROBED : 0);
}

/* Is one of the sites of this marker enabled alone? */
static bool marker_is_alone(const struct marker_event *event,
			    const struct marker *marker)
{
	const struct marker_site *site;

	for_each_event_site(event, site) {
		if (site->marker == marker && site->wanted)
			return true;
	}
	return false;
}

static void set_states(struct marker_event *event)
{
	u32 state = event_state(event), extra;
	struct marker_site *site;

	for_each_event_site(event, site) {
		extra = 0;
		if (event->nr_alone && marker_is_alone(event, site->marker))
			extra = MARKER_RECORD;
		WRITE_ONCE(site->marker->state, state | extra);
	}
}

/* What the code of a site is to be. */
static u8 wanted_code(const struct marker_event *event,
		      const struct marker_site *site)
{
	u8 mode = event->mode ?: default_mode;

	if (!event_state(event) && !site->wanted)
		return MARKER_SITE_NOP;
	return mode == MARKER_MODE_JUMP ? MARKER_SITE_JUMP : MARKER_SITE_INT3;
}

/* True if the site must be patched; its goal is set then. */
static bool set_goal(const struct marker_event *event, struct marker_site *site)
{
	if (site->state == MARKER_SITE_QUARANTINED)
		marker_patcher_recover(site);
	switch (site->state) {
	case MARKER_SITE_NOP:
	case MARKER_SITE_INT3:
	case MARKER_SITE_JUMP:
		site->goal = wanted_code(event, site);
		return site->goal != site->state;
	}
	return false;
}

/* The guard page is away while any marker needs that. */
static int update_guard(struct marker_event *event)
{
	const struct marker_site *site;
	bool on = false;

	for_each_event_site(event, site) {
		if (site->state == MARKER_SITE_GUARD &&
		    (event_state(event) || site->wanted))
			on = true;
	}
	if (on == event->guard_on)
		return 0;
	event->guard_on = on;
	if (on)
		nr_guards_on++;
	else
		nr_guards_on--;
	return marker_arch_guard(nr_guards_on);
}

void marker_change_add(struct list_head *changes, struct marker_event *event)
{
	if (!list_empty(&event->change))
		return;
	list_add_tail(&event->change, changes);
	event->was_wanted = event->wanted;
}

/* Sites to patch, in an array for kvfree(); NULL: out of memory. */
static struct marker_site **collect_sites(struct list_head *changes,
					  unsigned int *nr)
{
	struct marker_site **sites, *site;
	struct marker_event *event;
	unsigned int room = 0;

	list_for_each_entry(event, changes, change)
		room += event->nr_sites;
	*nr = 0;
	/* an empty array is not the same as none */
	sites = kvmalloc_array(room + 1, sizeof(*sites), GFP_KERNEL);
	if (!sites)
		return NULL;
	list_for_each_entry(event, changes, change) {
		for_each_event_site(event, site) {
			if (set_goal(event, site))
				sites[(*nr)++] = site;
		}
	}
	return sites;
}

int marker_change_apply(struct list_head *changes)
{
	struct marker_event *event, *next;
	struct marker_site **sites;
	unsigned int nr;
	int err = -ENOMEM;

	lockdep_assert_held(&registry_mutex);
	sites = collect_sites(changes, &nr);
	if (sites) {
		list_for_each_entry(event, changes, change)
			set_states(event);
		err = marker_patcher_apply(sites, nr);
		kvfree(sites);
	}
	list_for_each_entry_safe(event, next, changes, change) {
		list_del_init(&event->change);
		if (err) {
			event->wanted = event->was_wanted;
			set_states(event);
		} else if (update_guard(event)) {
			marker_log("marker %s: the guard page cannot be switched on this machine",
				   event->title);
		}
	}
	return err;
}

void marker_event_leave(struct marker_event *event)
{
	event->wanted = false;
	event->nr_alone = 0;
	RCU_INIT_POINTER(event->probes, NULL);
	event->nr_sites = 0;
	update_guard(event);
	event->module = NULL;
}

/*
 * Operators
 */

static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[");
}

/* Have the loaded markers that @rule speaks of changed to what it says. */
static unsigned int change_by_rule(struct list_head *changes,
				   const struct marker_rule *rule)
{
	bool exact = !is_glob(rule->name);
	struct marker_event *event;
	unsigned int nr = 0;

	event = exact ? marker_event_next(NULL, rule->name) :
		list_first_entry_or_null(&marker_events, typeof(*event), list);
	while (event) {
		if (event->module &&
		    marker_rules_match(rule, event->module_name, event->name)) {
			marker_change_add(changes, event);
			event->wanted = rule->on;
			nr++;
		}
		if (exact)
			event = marker_event_next(event, rule->name);
		else if (list_is_last(&event->list, &marker_events))
			break;
		else
			event = list_next_entry(event, list);
	}
	return nr;
}

static void change_all_off(struct list_head *changes)
{
	struct marker_event *event;

	list_for_each_entry(event, &marker_events, list) {
		if (!event->module || !event->wanted)
			continue;
		marker_change_add(changes, event);
		event->wanted = false;
	}
}

static void change_forget(struct list_head *changes)
{
	struct marker_event *event, *next;

	list_for_each_entry_safe(event, next, changes, change) {
		list_del_init(&event->change);
		event->wanted = event->was_wanted;
	}
}

/* A rule against something must speak of something. */
static int check_rule(const struct marker_rule *rule, unsigned int matched)
{
	if (rule->on || matched || marker_rules_known(rule))
		return 0;
	marker_log("!%s:%s: no such marker, and none was asked for",
		   rule->module, rule->name);
	return -ENOENT;
}

/* @rules is empty afterwards. */
static int set_rules(struct list_head *rules, bool clear, bool strict)
{
	struct marker_rule *rule, *next;
	LIST_HEAD(changes);
	unsigned int nr;
	int err = 0;

	marker_registry_lock();
	if (clear)
		change_all_off(&changes);
	list_for_each_entry(rule, rules, list) {
		nr = change_by_rule(&changes, rule);
		err = strict ? check_rule(rule, nr) : 0;
		if (err)
			break;
	}
	if (err)
		change_forget(&changes);
	else
		err = marker_change_apply(&changes);
	if (!err) {
		if (clear)
			marker_rules_clear();
		list_for_each_entry_safe(rule, next, rules, list) {
			list_del(&rule->list);
			marker_rules_add(rule);
		}
	}
	marker_registry_unlock();
	marker_rules_free(rules);
	return err;
}

int marker_set_patterns(const char *text, bool clear)
{
	LIST_HEAD(rules);
	int err;

	err = marker_rules_parse(text, &rules);
	return err ?: set_rules(&rules, clear, true);
}

int marker_set(const char *module, const char *name, bool on)
{
	struct marker_rule *rule;
	LIST_HEAD(rules);

	rule = marker_rules_create(module, name, on);
	if (!rule)
		return -ENOMEM;
	list_add(&rule->list, &rules);
	return set_rules(&rules, false, false);
}

int marker_set_mode(struct marker_event *event, enum marker_mode mode)
{
	LIST_HEAD(changes);
	u8 was;
	int err;

	marker_registry_lock();
	was = event->mode;
	event->mode = mode;
	if (event->module)
		marker_change_add(&changes, event);
	err = marker_change_apply(&changes);
	if (err)
		event->mode = was;
	marker_registry_unlock();
	return err;
}

int marker_set_default_mode(enum marker_mode mode)
{
	struct marker_event *event;
	LIST_HEAD(changes);
	u8 was;
	int err;

	marker_registry_lock();
	was = default_mode;
	default_mode = mode;
	list_for_each_entry(event, &marker_events, list) {
		if (event->module && !event->mode)
			marker_change_add(&changes, event);
	}
	err = marker_change_apply(&changes);
	if (err)
		default_mode = was;
	marker_registry_unlock();
	return err;
}

enum marker_mode marker_default_mode(void)
{
	return default_mode;
}

/* A load and branch, or a read of the guard page, knows only its marker. */
static int check_site_alone(const struct marker_event *event,
			    const struct marker_site *site)
{
	const struct marker_site *other;

	if (site->addr && site->state != MARKER_SITE_GUARD)
		return 0;
	for_each_event_site(event, other) {
		if (other == site || other->marker != site->marker)
			continue;
		marker_log("marker %s: this site is not patched and shares its marker with others: it cannot be enabled alone",
			   event->title);
		return -EINVAL;
	}
	return 0;
}

static int set_site(struct marker_event *event, unsigned int index, bool on)
{
	struct marker_site *site;
	LIST_HEAD(changes);
	int err;

	if (index >= event->nr_sites) {
		marker_log("marker %s: no site %u, it has %u", event->title,
			   index, event->nr_sites);
		return -EINVAL;
	}
	site = &event->module->site[event->first_site + index];
	err = check_site_alone(event, site);
	if (err || site->wanted == on)
		return err;
	site->wanted = on;
	event->nr_alone += on ? 1 : -1;
	marker_change_add(&changes, event);
	err = marker_change_apply(&changes);
	if (err) {
		site->wanted = !on;
		event->nr_alone -= on ? 1 : -1;
		set_states(event);
	}
	return err;
}

int marker_set_site(struct marker_event *event, unsigned int index, bool on)
{
	int err = -ENOENT;

	marker_registry_lock();
	if (event->module)
		err = set_site(event, index, on);
	marker_registry_unlock();
	return err;
}

char marker_get(const struct marker_module *module)
{
	unsigned int on = 0, off = 0;
	struct marker_event *event;

	marker_registry_lock();
	list_for_each_entry(event, &marker_events, list) {
		if (!event->module || (module && event->module != module))
			continue;
		if (event->wanted)
			on++;
		else
			off++;
	}
	marker_registry_unlock();
	return !on ? '0' : off ? 'X' : '1';
}

/* The modules that use us are gone, so nobody hits anything any more. */
void marker_registry_exit(void)
{
	struct marker_event *event, *next;

	list_for_each_entry_safe(event, next, &marker_events, list)
		event_free(event);
	idr_destroy(&event_idr);
	marker_rules_clear();
	marker_patcher_exit();
}
