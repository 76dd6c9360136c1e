// SPDX-License-Identifier: GPL-2.0
/*
 * See latency_events.h.  To the registry, each is a module that comes with the first action
 * that has it, and goes when the last one is freed: then no hit can have it.
 *
 * That is not done within the command that sets a trigger, but after it: what comes gets
 * the triggers that match it, and their list is complete only then.  A module that meets its
 * triggers is such a command, too.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/hit/latencies.h>
#include <markers/log.h>
#include "latency_events.h"
#include "modules.h"

static LIST_HEAD(latency_events);

static bool is_identifier(const char *name, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++) {
		const char c = name[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_' &&
		    !(i && c >= '0' && c <= '9'))
			return false;
	}
	return len;
}

static bool is_hex(const struct marker_hist_term *key, const struct marker_format *format)
{
	return key->form == MARKER_HIST_HEX ||
	       (!key->is_context && format->field[key->field].base == 16);
}

/* The conversion of a key; NULL: it has none. */
static const char *conversion_of(const struct marker_hist_term *key,
				 const struct marker_format *format)
{
	static const char * const conversions[4][3] = {
		{ "%hhu", "%hhd", "%#hhx" }, { "%hu", "%hd", "%#hx" },
		{ "%u", "%d", "%#x" }, { "%llu", "%lld", "%#llx" },
	};

	if (key->kind > MARKER_HIST_KIND_NUMBER || key->form >= MARKER_HIST_LOG2)
		return NULL;
	if (key->form == MARKER_HIST_SYM)
		return "%ps";
	return conversions[ilog2(key->bytes)][is_hex(key, format) ? 2 : key->is_signed];
}

/* Would another field of the event have the name of a key? */
static bool is_name_taken(const struct marker_hist *hist, const struct marker_hist_term *key)
{
	const struct marker_hist_term *other;

	for (other = hist->key; other < key; other++) {
		if (marker_format_names_clash(other->name, key->name))
			return true;
	}
	return marker_format_names_clash(key->name, "latency");
}

/* "a %d b %.15s latency %llu"; NULL: no memory, or with @error, a key that cannot be in it */
static char *make_format(const struct marker_hist *hist, const struct marker_format *format,
			 struct marker_format_error *error)
{
	const struct marker_hist_term *key;
	const char *conversion;
	char *text = NULL, *more;

	error->why = NULL;
	for (key = hist->key; key < hist->key + hist->nr_keys; key++) {
		conversion = conversion_of(key, format);
		if (is_name_taken(hist, key)) {
			marker_format_refuse(error, 0,
					     "another field of the event has the name of a key");
			more = NULL;
		} else if (conversion) {
			more = kasprintf(GFP_KERNEL, "%s%s %s ", text ?: "", key->name,
					 conversion);
		} else if (key->kind == MARKER_HIST_KIND_STRING) {
			more = kasprintf(GFP_KERNEL, "%s%s %%.%us ", text ?: "", key->name,
					 key->max);
		} else {
			marker_format_refuse(error, 0, "the keys of an event are in no groups");
			more = NULL;
		}
		kfree(text);
		text = more;
		if (!text)
			return NULL;
	}
	more = kasprintf(GFP_KERNEL, "%slatency %%llu", text);
	kfree(text);
	return more;
}

static struct marker_latency_event *create_event(const char *name, unsigned int len,
						 const struct marker_hist *hist,
						 const char *format)
{
	const size_t format_len = strlen(format) + 1;
	struct marker_latency_event *latency_event;
	unsigned int i;

	latency_event = kzalloc(sizeof(*latency_event) + len + 1 + format_len,
				GFP_KERNEL_ACCOUNT);
	if (!latency_event)
		return NULL;
	memcpy(latency_event->text, name, len);
	memcpy(latency_event->text + len + 1, format, format_len);
	latency_event->marker = (struct marker) {
		.kind = MARKER_KIND_BRANCH,
		.nr_args = hist->nr_keys + 1,
		.name = latency_event->text,
		.format = latency_event->text + len + 1,
		.file = "",
	};
	latency_event->site.marker = &latency_event->marker;
	latency_event->module.name = MARKER_LATENCY_MODULE;
	latency_event->module.site = &latency_event->site;
	INIT_LIST_HEAD(&latency_event->module.refused);
	latency_event->nr_keys = hist->nr_keys;
	for (i = 0; i < hist->nr_keys; i++) {
		latency_event->is_string[i] = hist->key[i].kind == MARKER_HIST_KIND_STRING;
		latency_event->at[i] = hist->key[i].at;
	}
	list_add_tail(&latency_event->list, &latency_events);
	return latency_event;
}

/* Does a module that is really loaded have a marker of that name? */
static bool is_name_of_marker(const char *name)
{
	struct marker_event *event;

	for_each_named_event(event, name) {
		if (!strcmp(event->module_name, MARKER_LATENCY_MODULE) && event->module &&
		    event->module->mod)
			return true;
	}
	return false;
}

/* Does the command that is carried out leave an action that has this event? */
static bool is_used(const struct marker_latency_event *latency_event)
{
	const struct marker_latency *latency;
	const struct marker_latency_end *end;

	list_for_each_entry(latency, &marker_latencies, list) {
		list_for_each_entry(end, &latency->ends, list) {
			if (end->event == latency_event && !end->action->trigger->is_gone)
				return true;
		}
	}
	return false;
}

static struct marker_latency_event *get_event(const char *name, const struct marker_hist *hist,
					      const struct marker_format *format,
					      struct marker_format_error *error)
{
	struct marker_latency_event *latency_event;
	const unsigned int len = strlen(name);
	char *text;

	if (!is_identifier(name, len)) {
		marker_format_refuse(error, 0,
				     "the name of an event has only letters, digits and _");
		return ERR_PTR(-EINVAL);
	}
	text = make_format(hist, format, error);
	if (!text)
		return ERR_PTR(error->why ? -EINVAL : -ENOMEM);
	list_for_each_entry(latency_event, &latency_events, list) {
		if (strcmp(latency_event->marker.name, name))
			continue;
		if (!strcmp(latency_event->marker.format, text))
			goto found;
		if (!is_used(latency_event))
			continue;
		kfree(text);
		marker_format_refuse(error, 0, "the event of this name has other keys");
		return ERR_PTR(-EINVAL);
	}
	latency_event = create_event(name, len, hist, text);
	if (!latency_event) {
		kfree(text);
		return ERR_PTR(-ENOMEM);
	}
	if (is_name_of_marker(latency_event->marker.name)) {
		list_del(&latency_event->list);
		kfree(latency_event);
		kfree(text);
		marker_format_refuse(error, 0, "a module has a marker latency:NAME of this name");
		return ERR_PTR(-EINVAL);
	}
found:
	kfree(text);
	latency_event->refs++;
	return latency_event;
}

int marker_latency_events_get(struct marker_action *action, struct marker_format_error *error)
{
	struct marker_latency_end *end = action->data;
	struct marker_latency_event *latency_event;

	marker_registry_assert_locked();
	if (!end->hist.event)
		return 0;
	/* what its hits make must not make more */
	if (!strcmp(action->event->module_name, MARKER_LATENCY_MODULE))
		return marker_format_refuse(error, 0, "the event of a pair makes no other event");
	latency_event = get_event(end->latency->name, &end->hist, &action->event->format, error);
	if (IS_ERR(latency_event))
		return PTR_ERR(latency_event);
	end->event = latency_event;
	return 0;
}

void marker_latency_events_put(const struct marker_action *action)
{
	const struct marker_latency_end *end = action->data;

	if (end && end->event)
		end->event->refs--;
}

/* The registry cuts the site off if it refuses the marker, which it has logged then. */
static bool connect_event(struct marker_latency_event *latency_event)
{
	int err;

	/* GONE after a failure */
	latency_event->site.state = MARKER_SITE_BRANCH;
	latency_event->module.nr_sites = 1;
	err = marker_modules_add(&latency_event->module);
	if (!err) {
		latency_event->is_known = true;
		latency_event->waits = is_name_of_marker(latency_event->marker.name);
		return latency_event->module.nr_sites;
	}
	/* with the next command it is tried again */
	marker_log("the event " MARKER_LATENCY_MODULE ":%s is not there: error %d",
		   latency_event->marker.name, err);
	latency_event->marker.event = NULL;
	return false;
}

static void disconnect_event(struct marker_latency_event *latency_event)
{
	if (latency_event->is_known)
		marker_modules_remove(&latency_event->module);
	latency_event->is_known = false;
	latency_event->waits = false;
	marker_registry_free_refusals(&latency_event->module);
}

static void destroy_event(struct marker_latency_event *latency_event)
{
	disconnect_event(latency_event);
	list_del(&latency_event->list);
	kfree(latency_event);
}

/* Does the registry have one of that name? */
static bool is_name_known(const char *name)
{
	const struct marker_latency_event *latency_event;

	list_for_each_entry(latency_event, &latency_events, list) {
		if (latency_event->is_known && !strcmp(latency_event->marker.name, name))
			return true;
	}
	return false;
}

bool marker_latency_events_update(void)
{
	struct marker_latency_event *latency_event, *next;
	bool is_new = false;

	marker_registry_assert_locked();
	/* first: one that comes may have the name of one that goes */
	list_for_each_entry_safe(latency_event, next, &latency_events, list) {
		if (!latency_event->refs)
			destroy_event(latency_event);
	}
	/*
	 * One that is to go may not be free yet, if this is not the command that has taken it
	 * away: the update of that command lets the new one come.
	 */
	list_for_each_entry(latency_event, &latency_events, list) {
		if (latency_event->waits && !is_name_of_marker(latency_event->marker.name))
			disconnect_event(latency_event);
		if (!is_name_known(latency_event->marker.name))
			is_new |= connect_event(latency_event);
	}
	return is_new;
}
