// SPDX-License-Identifier: GPL-2.0
#include <babeltrace2/babeltrace.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "kinds.h"

struct known_class {
	const bt_event_class *class;
	struct kind *kind;
};

static char *field_name(const char *prefix, const char *name)
{
	return prefix[0] ? format_text("%s.%s", prefix, name) : format_text("%s", name);
}

static bool describe(struct kind *kind, const struct bt_field_class *class, const char *name);

static bool describe_members(struct kind *kind, const bt_field_class *class, const char *prefix)
{
	uint64_t i, nr = bt_field_class_structure_get_member_count(class);

	for (i = 0; i < nr; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(class, i);
		char *name = field_name(prefix, bt_field_class_structure_member_get_name(member));
		bool good = describe(kind, bt_field_class_structure_member_borrow_field_class_const(member),
				     name);

		free(name);
		if (!good)
			return false;
	}
	return true;
}

/* Hide the field before an array: it holds the length, which the array shows anyway. */
static void hide_length(struct kind *kind, const char *name)
{
	struct field *before = kind->nr_fields ? &kind->field[kind->nr_fields - 1] : NULL;
	char *length = format_text("_%s_length", name);	/* a number may follow */

	if (before && !strncmp(before->name, length, strlen(length)))
		before->hidden = true;
	free(length);
}

static unsigned int element_bits(const bt_field_class *array)
{
	const bt_field_class *class = bt_field_class_array_borrow_element_field_class_const(array);

	return bt_field_class_type_is(bt_field_class_get_type(class), BT_FIELD_CLASS_TYPE_INTEGER) ?
	       bt_field_class_integer_get_field_value_range(class) : 8;
}

static bool describe(struct kind *kind, const bt_field_class *class, const char *name)
{
	bt_field_class_type type = bt_field_class_get_type(class);
	struct field field = { .base = 10 };

	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		return describe_members(kind, class, name);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER)) {
		field.type = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ?
			     VALUE_SIGNED : VALUE_UNSIGNED;
		field.bits = bt_field_class_integer_get_field_value_range(class);
		field.base = bt_field_class_integer_get_preferred_display_base(class);
		field.labels = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION);
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		field.type = VALUE_TEXT;
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		field.type = VALUE_BYTES;
		field.bits = element_bits(class);
		hide_length(kind, name);
	} else {
		say("%s: field %s has a type that markers.ko does not write", kind->name, name);
		return false;
	}
	if (kind->nr_fields == MAX_VALUES) {
		say("%s: more than %d fields", kind->name, MAX_VALUES);
		return false;
	}
	field.name = need_memory(strdup(name));
	kind->field = need_memory(realloc(kind->field, (kind->nr_fields + 1) * sizeof(field)));
	kind->field[kind->nr_fields++] = field;
	return true;
}

bool kinds_describe(struct kind *kind, const bt_field_class *structure)
{
	return describe_members(kind, structure, "");
}

static struct known_class *find_class(const struct kinds *kinds, const bt_event_class *class)
{
	size_t at = ((uintptr_t)class >> 4) * 0x9e3779b97f4a7c15u;

	for (at &= kinds->room - 1; kinds->classes[at].class; at = (at + 1) & (kinds->room - 1))
		if (kinds->classes[at].class == class)
			break;
	return &kinds->classes[at];
}

static void remember_class(struct kinds *kinds, const bt_event_class *class, struct kind *kind)
{
	struct known_class *old = kinds->classes;
	size_t i, room = kinds->room;

	if (2 * (kinds->nr_classes + 1) > room) {
		kinds->room = room ? 2 * room : 64;
		kinds->classes = need_memory(calloc(kinds->room, sizeof(*old)));
		for (i = 0; i < room; i++)
			if (old[i].class)
				*find_class(kinds, old[i].class) = old[i];
		free(old);
	}
	*find_class(kinds, class) = (struct known_class){ class, kind };
	kinds->nr_classes++;
}

/* Find the same marker in an earlier part of the recording: same name, same fields. */
static struct kind *find_kind(const struct kinds *kinds, const struct kind *kind)
{
	unsigned int i, n;

	for (i = 0; i < kinds->info->nr_kinds; i++) {
		const struct kind *other = kinds->kind[i];

		if (strcmp(other->name, kind->name) || other->nr_fields != kind->nr_fields)
			continue;
		for (n = 0; n < kind->nr_fields; n++)
			if (strcmp(kind->field[n].name, other->field[n].name) ||
			    kind->field[n].type != other->field[n].type)
				break;
		if (n == kind->nr_fields)
			return kinds->kind[i];
	}
	return NULL;
}

static struct kind *add_kind(struct kinds *kinds, const bt_event_class *class, bool is_part)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(class);
	struct kind *kind = need_memory(calloc(1, sizeof(*kind))), *same;
	const char *colon;

	kind->name = bt_event_class_get_name(class);
	if (!kind->name)
		kind->name = "";
	colon = strchr(kind->name, ':');
	kind->marker = colon ? colon + 1 : kind->name;
	if (payload && !kinds_describe(kind, payload))
		return NULL;
	same = is_part ? find_kind(kinds, kind) : NULL;
	if (same) {
		free(kind);	/* not its fields: they are few */
		kind = same;
	} else {
		kind->number = kinds->info->nr_kinds++;
		kinds->kind = need_memory(realloc(kinds->kind, kinds->info->nr_kinds *
						  sizeof(*kinds->kind)));
		kinds->kind[kind->number] = kind;
		kinds->info->kind = kinds->kind;
	}
	remember_class(kinds, class, kind);
	return kind;
}

bool kinds_add(struct kinds *kinds, const bt_event_class *class)
{
	return add_kind(kinds, class, false);
}

struct kind *kinds_find(struct kinds *kinds, const bt_event_class *class)
{
	struct kind *kind = kinds->room ? find_class(kinds, class)->kind : NULL;

	return kind ? kind : add_kind(kinds, class, true);
}

static void add_contexts(struct kind *contexts, const bt_field_class *class)
{
	struct kind part = { .name = "contexts" };
	unsigned int i;

	kinds_describe(&part, class);
	for (i = 0; i < part.nr_fields; i++) {
		if (kind_has_field(contexts, part.field[i].name)) {
			free(part.field[i].name);
			continue;
		}
		contexts->field = need_memory(realloc(contexts->field, (contexts->nr_fields + 1) *
						      sizeof(*contexts->field)));
		contexts->field[contexts->nr_fields++] = part.field[i];
	}
	free(part.field);
}

void kinds_add_part(struct kinds *kinds, const bt_stream_class *class)
{
	const bt_field_class *context =
		bt_stream_class_borrow_event_common_context_field_class_const(class);
	uint64_t i, nr = bt_stream_class_get_event_class_count(class);

	if (kinds->part == class)
		return;		/* the streams of a part share it */
	kinds->part = class;
	for (i = 0; i < nr; i++)
		kinds_find(kinds, bt_stream_class_borrow_event_class_by_index_const(class, i));
	if (context)
		add_contexts(&kinds->info->contexts, context);
}

void kinds_free(struct kinds *kinds)
{
	unsigned int i;

	for (i = 0; i < kinds->info->nr_kinds; i++)
		free(kinds->kind[i]);
	for (i = 0; i < kinds->info->contexts.nr_fields; i++)
		free(kinds->info->contexts.field[i].name);
	free(kinds->info->contexts.field);
	free(kinds->kind);
	free(kinds->classes);
}
