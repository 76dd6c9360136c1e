// SPDX-License-Identifier: GPL-2.0
/*
 * The markers of all modules that are or were loaded, by name and by id, and the mutex
 * under which they change: modules are loaded and unloaded (modules.c), operators give
 * commands (control.c), other modules register probes (probes.c).  All of that ends in
 * switch.c.  Process context.
 *
 * Lock order: cpus_read_lock() > registry_mutex > the log's.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/jhash.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/format/quick_tail.h>
#include <markers/log.h>
#include <markers/ring/packet.h>
#include "arena.h"
#include "idle.h"
#include "registry.h"

static DEFINE_MUTEX(registry_mutex);
LIST_HEAD(marker_modules);
struct marker_event *marker_first_event;
static struct marker_event *last_event;

static DEFINE_HASHTABLE(event_hash, 10);	/* by name */
static DEFINE_IDR(event_idr);

void marker_registry_lock(void)
{
	cpus_read_lock();
	mutex_lock(&registry_mutex);
}

void marker_registry_lock_to_look(void)
{
	mutex_lock(&registry_mutex);
}

void marker_registry_unlock_looked(void)
{
	mutex_unlock(&registry_mutex);
}

void marker_registry_assert_locked(void)
{
	lockdep_assert_held(&registry_mutex);
}

void marker_registry_unlock(void)
{
	mutex_unlock(&registry_mutex);
	cpus_read_unlock();
}

static u32 hash_name(const char *name)
{
	return jhash(name, strlen(name), 0);
}

struct marker_event *marker_registry_by_id(u32 id)
{
	struct marker_event *event;

	rcu_read_lock();
	event = idr_find(&event_idr, id);
	rcu_read_unlock();
	return event;
}

struct marker_event *marker_registry_next(struct marker_event *event,
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

/* The copy of a module's name that its last event has; NULL: this is its first one. */
static const char *known_name(const char *module)
{
	return last_event && !strcmp(last_event->module_name, module) ?
	       last_event->module_name : NULL;
}

/*
 * @format has room for more fields than it uses.  The event gets a copy of those in use.  Its
 * texts follow that: the format, the title, which ends with the marker's name, and the module's
 * name.
 */
static struct marker_event *event_alloc(const struct marker_format *format,
					const char *module, const char *name)
{
	const size_t size = offsetof(struct marker_event, format) +
			    marker_format_size(format);
	const size_t text_len = strlen(format->text) + 1;
	const size_t module_len = strlen(module) + 1;
	const size_t name_len = strlen(name) + 1;
	const char *known = known_name(module);
	struct marker_event *event;
	char *text;

	event = marker_arena_alloc(size + text_len + module_len + name_len +
				   (known ? 0 : module_len));
	if (!event)
		return NULL;
	text = (char *)event + size;
	marker_format_copy(&event->format, format);
	event->format.text = memcpy(text, format->text, text_len);
	event->title = memcpy(text + text_len, module, module_len);
	event->name = memcpy(event->title + module_len, name, name_len);
	event->module_name = known ?: memcpy(event->name + name_len, module, module_len);
	event->name[-1] = ':';
	INIT_LIST_HEAD(&event->change);
	return event;
}

struct marker_event *marker_registry_find(const struct marker_module *module,
					  const char *name)
{
	struct marker_event *event;

	for_each_named_event(event, name) {
		if (event->module == module)
			return event;
	}
	return NULL;
}

struct marker_refusal *marker_registry_refusal(const struct marker_module *module,
					       const char *name)
{
	struct marker_refusal *refusal;

	for_each_refusal(module, refusal) {
		if (!strcmp(refusal->name, name))
			return refusal;
	}
	return NULL;
}

static struct marker_refusal *refusal_create(struct marker_module *module,
					     const char *name)
{
	static u32 last_id;
	struct marker_refusal *refusal = kzalloc(sizeof(*refusal), GFP_KERNEL);

	if (!refusal)
		return NULL;
	refusal->module = module;
	refusal->id = ++last_id;
	refusal->name = kstrdup(name, GFP_KERNEL);
	if (!refusal->name) {
		kfree(refusal);
		return NULL;
	}
	list_add_tail(&refusal->list, &module->refused);
	return refusal;
}

void marker_registry_free_refusals(struct marker_module *module)
{
	struct marker_refusal *refusal, *next;

	list_for_each_entry_safe(refusal, next, &module->refused, list) {
		list_del(&refusal->list);
		kfree(refusal->name);
		kfree(refusal->why);
		kfree(refusal);
	}
}

/* Log the refusal, and keep it for debugfs.  Return: @err, or -ENOMEM. */
static int refuse_marker(struct marker_module *module, const char *name,
			 const char *format, unsigned int column, const char *why, int err)
{
	struct marker_refusal *refusal;
	char line[MARKER_LOG_LINE], *text;
	unsigned int at;

	if (module->is_preview)
		return err;
	marker_log_refused(format, column,
			   "marker %s:%s refused, format, column %u: %s",
			   module->name, name, column, why);
	refusal = marker_registry_refusal(module, name) ?:
		  refusal_create(module, name);
	if (!refusal)
		return -ENOMEM;
	at = marker_log_window(line, format, column);
	text = kasprintf(GFP_KERNEL, "%sformat, column %u: %s\n  %s\n  %*s\n",
			 refusal->why ?: "", column, why, line, at + 1, "^");
	if (!text)
		return -ENOMEM;
	kfree(refusal->why);
	refusal->why = text;
	return err;
}

/* Has a marker the arguments that its format takes?  The hit relies on it. */
static int check_args(struct marker_module *module, const struct marker *marker,
		      const char *name, const struct marker_format *format)
{
	struct marker_format_error error;
	int err;

	err = marker_format_check_args(format, marker->nr_args, &error);
	return err ? refuse_marker(module, name, format->text, error.column, error.why, err) : 0;
}

static int parse_format(struct marker_module *module, const struct marker *marker,
			const char *name, const char *text, struct marker_format *format)
{
	struct marker_format_error error;
	int err;

	err = marker_format_parse(format, text, &error);
	if (err)
		return refuse_marker(module, name, text, error.column, error.why, err);
	return check_args(module, marker, name, format);
}

/* Compute from @id and @format the values that a hit needs. */
static void plan_event(struct marker_event *event)
{
	static const u32 record[] = {
		[MARKER_WAY_GENERAL] = MARKER_RECORD,
		[MARKER_WAY_NONE] = MARKER_RECORD_NONE,
		[MARKER_WAY_INTS] = MARKER_RECORD_INTS,
		[MARKER_WAY_FIXED] = MARKER_RECORD_FIXED,
		[MARKER_WAY_STRING] = MARKER_RECORD_STRING,
		[MARKER_WAY_MIXED] = MARKER_RECORD_MIXED,
	};
	struct marker_format *format = &event->format;
	u32 size = packet_header_size(event->id);

	event->record = packet_id_is_long(event->id) ? MARKER_RECORD :
			record[format->plan.way];
	event->header = packet_header_bits(event->id);
	event->header_size = size;
	marker_plan_place(&format->plan, size);
	event->front = format->plan.at[format->plan.nr_front];
	event->least = size + format->fixed_size + format->nr_variable;
	event->most = event->least;
	/* there is never room for it on the quick way */
	if (event->record == MARKER_RECORD)
		event->most = U64_MAX / 4;
	if (event->record == MARKER_RECORD_STRING)
		event->most = event->front + QUICK_SHORT;
	if (event->record == MARKER_RECORD_MIXED)
		event->most = event->front + quick_most(&format->plan);
}

static struct marker_event *event_create(struct marker_module *module,
					 const struct marker *marker,
					 const char *name, const char *text)
{
	struct marker_format *format;
	struct marker_event *event;
	int err, id;

	format = kmalloc(sizeof(*format), GFP_KERNEL);
	if (!format)
		return ERR_PTR(-ENOMEM);
	err = parse_format(module, marker, name, text, format);
	if (err)
		goto out;
	id = idr_alloc(&event_idr, NULL, 0, 0, GFP_KERNEL);
	if (id < 0) {
		err = id;
		goto out;
	}
	event = event_alloc(format, module->name, name);
	if (!event) {
		idr_remove(&event_idr, id);
		err = -ENOMEM;
		goto out;
	}
	event->id = id;
	RCU_INIT_POINTER(event->gate, &marker_idle.gate[0].test);
	plan_event(event);
	/* a task that looks for the id takes no lock */
	idr_replace(&event_idr, event, event->id);
	if (last_event)
		last_event->next = event;
	else
		marker_first_event = event;
	last_event = event;
	hash_add(event_hash, &event->node, hash_name(event->name));
	kfree(format);
	return event;
out:
	kfree(format);
	return ERR_PTR(err);
}

/* The event of @marker: @known, or if that is NULL, a new one. */
static struct marker_event *get_event(struct marker_module *module, const struct marker *marker,
				      const char *name, const char *text,
				      struct marker_event *known)
{
	int err;

	if (!known)
		return event_create(module, marker, name, text);
	err = check_args(module, marker, name, &known->format);
	return err ? ERR_PTR(err) : known;
}

static int refuse_clash(struct marker_module *module, const struct marker *marker,
			const char *known)
{
	unsigned int column = 0;
	char *why;
	int err;

	while (marker->format[column] == known[column])
		column++;
	why = kasprintf(GFP_KERNEL, "another place of the module has it with \"%s\"",
			known);
	if (!why)
		return -ENOMEM;
	err = refuse_marker(module, marker->name, marker->format, column, why, -EPERM);
	kfree(why);
	return err;
}

/* The events of pairs (latency_events.h) have a module that a real one may be named like. */
static int refuse_taken(struct marker_module *module, const struct marker *marker)
{
	return refuse_marker(module, marker->name, marker->format, 0,
			     "a pair's event and a marker of a module have this name", -EPERM);
}

/*
 * A name of a module has one format.  A format from an earlier load of the module is no
 * obstacle: its event stays, for the traces that contain it.
 */
static struct marker_event *get_named(struct marker_module *module,
				      const struct marker *marker)
{
	struct marker_event *event, *known = NULL;

	for_each_named_event(event, marker->name) {
		if (strcmp(event->module_name, module->name))
			continue;
		if (event->module && event->module != module)
			return ERR_PTR(refuse_taken(module, marker));
		if (!strcmp(event->format.text, marker->format))
			known = event;
		else if (event->module)
			return ERR_PTR(refuse_clash(module, marker, event->format.text));
	}
	return get_event(module, marker, marker->name, marker->format, known);
}

/*
 * What a debug statement says, for a reader who sees the module's name in each line:
 * without "module: " at the begin and line feeds at the end.  NULL: no memory.
 */
static char *debug_text(const char *module, const char *format)
{
	size_t len = strlen(module);
	char *text;

	if (!strncmp(format, module, len) && !strncmp(format + len, ": ", 2))
		format += len + 2;
	text = kstrdup(format, GFP_KERNEL);
	if (!text)
		return NULL;
	for (len = strlen(text); len && text[len - 1] == '\n'; len--)
		text[len - 1] = '\0';
	return text;
}

static bool is_same_place(const struct marker *a, const struct marker *b)
{
	return a->by_line && b->by_line && a->line == b->line && !strcmp(a->file, b->file);
}

/*
 * The event of a debug statement with this name; NULL: the name belongs to another place
 * or to another text.  A statement in a header is in several objects, but is one event.
 */
static struct marker_event *get_with_name(struct marker_module *module,
					  const struct marker *marker,
					  const char *name, const char *text)
{
	struct marker_event *event, *known = NULL;

	for_each_named_event(event, name) {
		if (strcmp(event->module_name, module->name))
			continue;
		if (!strcmp(event->format.text, text) &&
		    (!event->module || is_same_place(event->marker, marker)))
			known = event;
		else if (event->module)
			return NULL;
	}
	return get_event(module, marker, name, text, known);
}

/* Bytes of a function's name; leaves room for line and number. */
#define MAX_FUNCTION	100

/*
 * A debug statement is called FUNCTION_LINE.  The next one of that name, on the same line
 * or in another file, is called FUNCTION_LINE_2.
 */
static struct marker_event *get_by_line(struct marker_module *module,
					const struct marker *marker)
{
	char *text = debug_text(module->name, marker->format);
	struct marker_event *event = NULL;
	unsigned int number;
	char *name;

	if (!text)
		return ERR_PTR(-ENOMEM);
	for (number = 1; !event; number++) {
		name = kasprintf(GFP_KERNEL, number == 1 ? "%.*s_%u" : "%.*s_%u_%u",
				 MAX_FUNCTION, marker->name, marker->line, number);
		if (name)
			event = get_with_name(module, marker, name, text);
		else
			event = ERR_PTR(-ENOMEM);
		kfree(name);
	}
	kfree(text);
	return event;
}

struct marker_event *marker_registry_get(struct marker_module *module,
					 const struct marker *marker)
{
	if (!marker->by_line && strnlen(marker->name, MARKER_MAX_NAME) == MARKER_MAX_NAME) {
		if (!module->is_preview)
			marker_log_refused(NULL, 0, "marker %s:%.20s... refused: its name has more than 127 characters",
					   module->name, marker->name);
		return ERR_PTR(-EINVAL);
	}
	if (!marker->format)
		return ERR_PTR(refuse_marker(module, marker->name, "", 0,
					     "there is no format string", -EINVAL));
	return marker->by_line ? get_by_line(module, marker) : get_named(module, marker);
}

/* All modules with markers are gone, so there are no hits. */
void marker_registry_exit(void)
{
	idr_destroy(&event_idr);
	marker_arena_exit();
}
