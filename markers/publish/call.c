// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel's own tracing knows about a published marker: a struct trace_event_call that is
 * made at run time, as for a synthetic event, and a struct tracepoint without a site.
 *
 * Process context, but for print(), which may run in any when a kernel dies.
 */
#include "published.h"

#if MARKER_CAN_PUBLISH

#include <linux/err.h>
#include <linux/kmemleak.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>

#include <markers/control/probes.h>
#include <markers/format/print.h>
#include <markers/format/word.h>
#include <markers/log.h>

LIST_HEAD(marker_published_all);
struct work_struct marker_published_idle;

/*
 * Users
 */

int marker_published_update(struct marker_published *published)
{
	const bool want = rcu_access_pointer(published->tp.funcs);
	int err;

	marker_registry_assert_locked();
	if (want == published->is_armed)
		return 0;
	err = marker_probes_set_own(published->event, want ? &published->probe : NULL);
	if (err)
		return err;
	published->is_armed = want;
	if (!want && !published->event->module)
		schedule_work(&marker_published_idle);
	return 0;
}

static int update(struct marker_published *published)
{
	int err;

	marker_registry_lock();
	err = marker_published_update(published);
	marker_registry_unlock();
	return err;
}

/* A user of the event keeps markers.ko loaded. */
static int add_user(struct trace_event_call *call, enum trace_reg type, enum trace_reg undo,
		    void *data)
{
	struct marker_published *published = container_of(call, struct marker_published, call);
	int err;

	/* it comes just now, or it is going, and belongs to another module meanwhile (lend.c) */
	if (MARKER_CALL_MODULE(call) != THIS_MODULE || published->is_partial ||
	    !try_module_get(THIS_MODULE))
		return -ENODEV;
	err = trace_event_reg(call, type, data);
	if (!err) {
		err = update(published);
		if (!err)
			return 0;
		trace_event_reg(call, undo, data);
		update(published);
	}
	module_put(THIS_MODULE);
	return err;
}

static int remove_user(struct trace_event_call *call, enum trace_reg type, void *data)
{
	trace_event_reg(call, type, data);
	update(container_of(call, struct marker_published, call));
	module_put(THIS_MODULE);
	return 0;
}

/* The kernel holds event_mutex. */
static int reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	switch (type) {
	case TRACE_REG_REGISTER:
		return add_user(call, type, TRACE_REG_UNREGISTER, data);
	case TRACE_REG_UNREGISTER:
		return remove_user(call, type, data);
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return add_user(call, type, TRACE_REG_PERF_UNREGISTER, data);
	case TRACE_REG_PERF_UNREGISTER:
		return remove_user(call, type, data);
#endif
	default:
		return trace_event_reg(call, type, data);
	}
}

bool marker_published_is_ours(const struct trace_event_call *call)
{
	return call->class->reg == reg;
}

void marker_published_begin(struct marker_published *published)
{
	/* of the time before it was removed */
	published->call.event.type = 0;
	published->tp.name = published->name;
}

void marker_published_show_fields(struct marker_published *published)
{
	/* the first time, what tracing has made is all there is */
	if (!list_empty(&published->other_fields))
		list_swap(&published->class.fields, &published->other_fields);
}

void marker_published_hide_fields(struct marker_published *published)
{
	if (list_empty(&published->other_fields))
		list_splice_init(&published->class.fields, &published->other_fields);
	else
		marker_published_show_fields(published);
}

void marker_published_refuse(struct marker_published *published, const char *why)
{
	if (!strcmp(published->why, why))
		return;
	strscpy(published->why, why, PUBLISH_WHY);
	marker_log_refused(NULL, 0, "marker %s: not published: %s", published->event->title, why);
}

void marker_published_refuse_name(const char *system, const char *name, const char *why)
{
	struct marker_published *published;
	struct marker_event *event;

	for_each_named_event(event, name) {
		published = event->published;
		if (!published || list_empty(&published->change) ||
		    strcmp(published->system, system))
			continue;
		list_del_init(&published->change);
		marker_published_refuse(published, why);
	}
}

static void add_word(char *text, const char *word)
{
	if (!strstr(text, word))
		snprintf(text + strlen(text), PUBLISH_WHY - strlen(text), "%s%s",
			 *text ? " " : "", word);
}

bool marker_published_users(const struct marker_published *published, char *text)
{
	const struct tracepoint_func *it;

	*text = '\0';
	preempt_disable();
	{
		MARKER_TRACEPOINT_READER;
		for (it = rcu_dereference_raw(published->tp.funcs); it && it->func; it++) {
			if (it->func == marker_published_ftrace)
				add_word(text, "ftrace");
#ifdef CONFIG_PERF_EVENTS
			else if (it->func == marker_published_perf)
				add_word(text, bpf_prog_array_valid((void *)&published->call) ?
					 "perf bpf" : "perf");
#endif
			else
				add_word(text, "raw_bpf");
		}
	}
	preempt_enable();
	return *text;
}

/*
 * As text, for the file trace
 */

/* Does the entry, of @size bytes, have the whole field?  It may be one of an event before. */
static const void *find_field(const u8 *entry, u32 size, const struct marker_field *field,
			      const struct publish_field *as)
{
	u32 loc, at, len;

	if (as->offset + as->size > size)
		return NULL;
	if (field->type == MARKER_FIELD_INT || field->type == MARKER_FIELD_BYTES)
		return entry + as->offset;
	memcpy(&loc, entry + as->offset, sizeof(loc));
	at = loc & 0xffff;
	len = loc >> 16;
	if (at + len > size)
		return NULL;
	if (field->type == MARKER_FIELD_STRING)
		return len && !entry[at + len - 1] ? entry + at : NULL;
	if (at < sizeof(u16) || len > field->max || get16(entry + at - sizeof(u16)) != len)
		return NULL;
	return entry + at - sizeof(u16);
}

/* A bitmap of this many bytes may have been cut. */
static u32 full_bitmap(const struct publish_layout *layout)
{
	return layout->bitmap_max < MARKER_MAX_BITMAP ? layout->bitmap_max : U32_MAX;
}

static enum print_line_t print(struct trace_iterator *iter, int flags, struct trace_event *event)
{
	struct marker_published *published =
		container_of(event, struct marker_published, call.event);
	const struct marker_format *format = &published->event->format;
	const void *from[MARKER_MAX_ARGS];
	/* 0: the kernel prints the entry while it writes it, so it is whole */
	const u32 size = iter->ent_size ?: U32_MAX;
	struct trace_seq *s = &iter->seq;
	size_t before = s->seq.len, room, len;
	unsigned int i;
	char *buf;

	trace_seq_printf(s, "%s: ", published->name);
	for (i = 0; i < format->nr_fields; i++) {
		from[i] = find_field((const u8 *)iter->ent, size, &format->field[i],
				     &published->fields[i]);
		if (!from[i]) {
			trace_seq_puts(s, "(damaged)\n");
			return trace_handle_return(s);
		}
	}
	room = seq_buf_get_buf(&s->seq, &buf);
	/* with room for the newline */
	if (room < 2)
		return TRACE_TYPE_PARTIAL_LINE;
	/* a character more than there may be shows that the line is too long */
	len = marker_print_fields(buf, room, format, from, full_bitmap(&published->layout));
	if (len > room - 2) {
		/* try again in an empty buffer, unless it is one */
		if (before > 512)
			return TRACE_TYPE_PARTIAL_LINE;
		len = room - 2;
		if (len >= 3)
			memcpy(buf + len - 3, "...", 3);
	}
	seq_buf_commit(&s->seq, len);
	trace_seq_putc(s, '\n');
	return trace_handle_return(s);
}

/* The kernel writes to it. */
static struct trace_event_functions functions = { .trace = print };

/*
 * Making one
 */

/* Strings and sequences, one after the other. */
static struct marker_format *create_variable(const struct marker_format *format,
					     const struct publish_layout *layout)
{
	struct marker_format *variable;
	struct marker_field *to;
	unsigned int i;

	if (!format->nr_variable)
		return NULL;
	variable = kzalloc(offsetof(struct marker_format, fields) +
			   format->nr_variable * sizeof(format->field[0]), GFP_KERNEL);
	if (!variable)
		return ERR_PTR(-ENOMEM);
	variable->text = format->text;
	variable->field = variable->fields;
	variable->nr_args = format->nr_args;
	variable->nr_variable = format->nr_variable;
	for (i = 0; i < format->nr_fields; i++) {
		if (format->field[i].type != MARKER_FIELD_STRING &&
		    format->field[i].type != MARKER_FIELD_SEQUENCE)
			continue;
		to = &variable->field[variable->nr_fields++];
		*to = format->field[i];
		if (publish_is_short(layout, to))
			to->max = layout->bitmap_max;
	}
	return variable;
}

/* Its members are constant. */
static void set_kernel_field(struct trace_event_fields *to, const struct publish_field *from)
{
	const struct trace_event_fields field = {
		.type = from->type,
		.name = from->name,
		.size = from->size,
		.align = from->align,
		.is_signed = from->is_signed,
		.filter_type = FILTER_OTHER,
		MARKER_FIELD_LEN(from->len)
	};

	memcpy((void *)to, &field, sizeof(field));
}

static int create_print_fmt(struct marker_published *published)
{
	char *text = kmalloc(PUBLISH_FMT_SIZE, GFP_KERNEL);
	int err;

	if (!text)
		return -ENOMEM;
	err = marker_publish_print_fmt(text, &published->event->format, published->fields,
				       &published->layout);
	if (!err) {
		published->call.print_fmt = kstrdup(text, GFP_KERNEL);
		err = published->call.print_fmt ? 0 : -ENOMEM;
	}
	kfree(text);
	return err;
}

static int create_parts(struct marker_published *published)
{
	const struct marker_event *event = published->event;
	unsigned int i;

	marker_publish_layout(&published->layout, published->fields, &event->format,
			      sizeof(struct trace_entry), PUBLISH_MOST);
	for (i = 0; i < event->format.nr_fields; i++)
		set_kernel_field(&published->kernel_fields[i], &published->fields[i]);
	published->system = kstrdup(event->module_name, GFP_KERNEL);
	published->name = kstrdup(event->name, GFP_KERNEL);
	if (!published->system || !published->name)
		return -ENOMEM;
	published->variable = create_variable(&event->format, &published->layout);
	if (IS_ERR(published->variable)) {
		published->variable = NULL;
		return -ENOMEM;
	}
	return create_print_fmt(published);
}

struct marker_published *marker_published_create(struct marker_event *event)
{
	const unsigned int nr = event->format.nr_fields;
	struct marker_published *published;
	struct trace_event_call *call;
	int err;

	/* the kernel's fields end with an empty one */
	published = kzalloc(sizeof(*published) + (nr + 1) * sizeof(*published->kernel_fields) +
			    nr * sizeof(*published->fields), GFP_KERNEL);
	if (!published)
		return ERR_PTR(-ENOMEM);
	published->kernel_fields = (struct trace_event_fields *)(published + 1);
	published->fields = (struct publish_field *)(published->kernel_fields + nr + 1);
	published->event = event;
	INIT_LIST_HEAD(&published->list);
	INIT_LIST_HEAD(&published->change);
	err = create_parts(published);
	if (err) {
		marker_published_free(published);
		return ERR_PTR(err);
	}
	published->probe.func = marker_published_hit;
	published->probe.private = published;
	published->class.system = published->system;
	published->class.probe = marker_published_ftrace;
#ifdef CONFIG_PERF_EVENTS
	published->class.perf_probe = marker_published_perf;
#endif
	published->class.reg = reg;
	published->class.fields_array = published->kernel_fields;
	INIT_LIST_HEAD(&published->class.fields);
	INIT_LIST_HEAD(&published->other_fields);
	call = &published->call;
	call->class = &published->class;
	call->tp = &published->tp;
	call->event.funcs = &functions;
	call->flags = TRACE_EVENT_FL_TRACEPOINT;
	return published;
}

void marker_published_free(struct marker_published *published)
{
	kfree(published->variable);
	published->variable = NULL;
	if (published->was_added) {
		kmemleak_not_leak(published);
		return;
	}
	kfree(published->call.print_fmt);
	kfree(published->system);
	kfree(published->name);
	kfree(published);
}

#endif /* MARKER_CAN_PUBLISH */
