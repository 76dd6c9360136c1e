// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/kernel.h"

#include <markers/format/context.h>
#include <markers/format/format.h>

#include "../base/append.h"
#include "../base/message.h"
#include "classes.h"

#define NAME_SIZE	128

void kind_add(struct kind *kind, const char *name, const char *member, struct field field)
{
	field.name = member ? format_text("%s.%s", name, member) : format_text("%s", name);
	field.member = blocks_of(format_text("\"%s\":", field.name));
	field.member_size = strlen(field.member);
	kind->field = need_memory(realloc(kind->field,
					  (kind->nr_fields + 1) * sizeof(*kind->field)));
	kind->field[kind->nr_fields++] = field;
}

void kind_free_fields(struct kind *kind)
{
	unsigned int i;

	for (i = 0; i < kind->nr_fields; i++) {
		free(kind->field[i].name);
		free(kind->field[i].member);
	}
	free(kind->field);
}

void kind_free(struct kind *kind)
{
	if (!kind)
		return;
	kind_free_fields(kind);
	free((char *)kind->name);
	free(kind);
}

/*
 * Contexts
 */

/* The numbers of tasks had four bytes before they had CTF_TASK_SIZE. */
#define TASK		"int24_t"
#define OLD_TASK	"int32_t"

/* The type of a context's values, from its type in the metadata. */
static struct field context_field(enum marker_context context)
{
	const char *before, *after;
	struct field field = { .type = VALUE_UNSIGNED, .base = 10 };

	marker_context_type(context, &before, &after);
	if (strchr(before, ';'))	/* a length, and as many numbers */
		return (struct field){ .type = VALUE_BYTES, .base = 16, .bits = 64 };
	if (!strcmp(before, "char_t"))
		return (struct field){ .type = VALUE_TEXT };
	if (!strncmp(before, "int", strlen("int")))
		field.type = VALUE_SIGNED;
	if (!strncmp(before, "hex", strlen("hex")))
		field.base = 16;
	field.bits = strtoul(before + strcspn(before, "0123456789"), NULL, 10);
	return field;
}

static unsigned int context_bytes(enum marker_context context)
{
	return marker_context_size(marker_context_tag(BIT(context)));
}

/* Is @line the line of a context? With @type, as if that were its type. Return: its bytes, or 0. */
static size_t match_context(const char *line, enum marker_context context, const char *type)
{
	const char *before, *after, *name = marker_context_type(context, &before, &after);
	char *expected = format_text("\t\t%s _%s%s;\n", type ?: before, name, after);
	size_t len = strlen(expected);

	if (strncmp(line, expected, len))
		len = 0;
	free(expected);
	return len;
}

static bool is_task(enum marker_context context)
{
	const char *before, *after;

	marker_context_type(context, &before, &after);
	return !strcmp(before, TASK);
}

static size_t add_context(struct description *description, const char *line, enum marker_context context)
{
	struct context_class class = { context, context_bytes(context) };
	struct field field = context_field(context);
	const char *before, *after;
	size_t len = match_context(line, context, NULL);

	if (!len && is_task(context)) {
		len = match_context(line, context, OLD_TASK);
		class.size = sizeof(int32_t);
		description->old_tasks |= len ? BIT(context) : 0;
		field.bits = 32;
	}
	if (!len)
		return 0;
	description->context[description->contexts.nr_fields] = class;
	description->context_size += class.size;
	description->context_set |= BIT(context);
	kind_add(&description->contexts, marker_context_type(context, &before, &after), NULL, field);
	return len;
}

_Static_assert(MARKER_NR_CONTEXTS <= MAX_CONTEXTS, "contexts");

const char *contexts_parse(struct description *description, const char *begin, const char *end)
{
	enum marker_context context = 0;
	const char *line = strchr(begin, '\n') + 1;
	size_t len;

	for (; line < end; line += len) {
		for (len = 0; !len && context < MARKER_NR_CONTEXTS; context++)
			len = add_context(description, line, context);
		if (!len)
			return line;
	}
	return NULL;
}

/*
 * Formats of events whose metadata have none
 */

/* Is it the field "_NAME_length" of the next one, perhaps with a number behind it? */
static bool is_length(const char *type, const char *name)
{
	return !strcmp(type, "uint16_t") && name[0] == '_' && strstr(name, "_length");
}

/* Return: the conversion of an integer, with what precedes it; or NULL. */
static const char *integer_conversion(const char *type, char room[16])
{
	static const struct { const char *type, *before; char letter; } kinds[] = {
		{ "int", "", 'd' }, { "uint", "", 'u' }, { "hex", "0x", 'x' }, { "oct", "0", 'o' },
	};
	static const struct { const char *bits, *length; } sizes[] = {
		{ "8_t", "hh" }, { "16_t", "h" }, { "32_t", "" }, { "64_t", "ll" },
	};
	size_t kind, size, len = strcspn(type, "0123456789");

	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++)
		if (strlen(kinds[kind].type) == len && !strncmp(kinds[kind].type, type, len))
			break;
	for (size = 0; size < ARRAY_SIZE(sizes); size++)
		if (!strcmp(sizes[size].bits, type + len))
			break;
	if (kind == ARRAY_SIZE(kinds) || size == ARRAY_SIZE(sizes))
		return NULL;
	snprintf(room, 16, "%s%%%s%c", kinds[kind].before, sizes[size].length, kinds[kind].letter);
	return room;
}

/* Return: the conversion of a field, with what precedes it; or NULL. */
static const char *conversion_of(const char *type, const char *count, char room[16])
{
	unsigned int nr;

	if (!strcmp(type, "string"))
		return "%s";
	if (!strcmp(type, "char_t"))
		return "%c";
	if (strcmp(type, "hex8_t") || !*count)
		return *count ? NULL : integer_conversion(type, room);
	if (sscanf(count, "[%u]", &nr) != 1)
		return "%*phC";
	snprintf(room, 16, "%%%uphC", nr);
	return room;
}

/* Add a field to the format. */
static bool add_field(FILE *out, const char *line, const char *between)
{
	char type[NAME_SIZE], name[NAME_SIZE], count[NAME_SIZE] = "", room[16];
	const char *conversion, *member;

	if (!strncmp(line, "struct {", 8)) {
		member = strstr(line, "} _");
		if (!member || sscanf(member, "} _%127[^;\n];", name) != 1)
			return false;
		conversion = !strncmp(line + 8, " int32_t", 8) ? "%ptR" : "%pR";
	} else if (sscanf(line, "enum error_t _%127[^;\n];", name) == 1) {
		conversion = "%pe";
	} else {
		if (sscanf(line, "%127s _%127[^][;\n]%127[^;\n]", type, name, count) < 2)
			return false;
		if (is_length(type, name))
			return true;
		conversion = conversion_of(type, count, room);
	}
	if (conversion)
		fprintf(out, "%s%s=%s", between, name, conversion);
	return conversion;
}

char *class_format(const char *begin, const char *end)
{
	static const char head[] = "\n\tfields := struct {\n";
	const char *line = memmem(begin, end - begin, head, strlen(head));
	char *text = NULL;
	bool good = line;
	size_t size;
	FILE *out;

	if (!line)
		return NULL;
	out = need_memory(open_memstream(&text, &size));
	for (line += strlen(head); good && line < end && !strncmp(line, "\t\t", 2);) {
		/* sscanf() looks for the end of its text first */
		char *one = need_memory(strndup(line + 2, strcspn(line + 2, "\n")));

		good = add_field(out, one, ftell(out) ? " " : "");
		free(one);
		line = strchr(line, '\n') + 1;
	}
	fclose(out);
	if (good)
		return text;
	free(text);
	return NULL;
}

/*
 * Kinds
 */
static void add_members(struct kind *kind, const char *name, const char *const *member,
			struct field field)
{
	for (; *member; member++)
		kind_add(kind, name, *member, field);
}

/* As put_bytes() of metadata.c describes them. */
static void add_bytes(struct kind *kind, const struct marker_field *field)
{
	static const char *const resource[] = { "start", "end", "name", "flags", NULL };
	static const char *const time[] = {
		"sec", "min", "hour", "mday", "mon", "year", "wday", "yday", "isdst", NULL
	};
	const unsigned int bits = 8 * field->size;

	switch (field->object) {
	case MARKER_OBJECT_NUMBER:
		kind_add(kind, field->name, NULL, (struct field){ .type = VALUE_UNSIGNED, .base = 16, .bits = bits });
		break;
	case MARKER_OBJECT_SECONDS:
		kind_add(kind, field->name, NULL, (struct field){ .type = VALUE_SIGNED, .base = 10, .bits = bits });
		break;
	case MARKER_OBJECT_RESOURCE:
		add_members(kind, field->name, resource, (struct field){ .type = VALUE_UNSIGNED, .base = 16, .bits = 64 });
		break;
	case MARKER_OBJECT_TIME:
		add_members(kind, field->name, time, (struct field){ .type = VALUE_SIGNED, .base = 10, .bits = 32 });
		break;
	default:
		kind_add(kind, field->name, NULL, (struct field){ .type = VALUE_BYTES, .base = 16, .bits = 8 });
		break;
	}
}

static void add_integer(struct kind *kind, const struct marker_field *from)
{
	struct field field = {
		.type = VALUE_SIGNED, .base = from->base, .bits = 8 * from->size,
		.labels = from->object == MARKER_OBJECT_ERROR,
	};

	if (from->is_char)
		field = (struct field){ .type = VALUE_TEXT };
	else if (field.labels || from->is_signed)
		field.base = 10;
	else
		field.type = VALUE_UNSIGNED;
	kind_add(kind, from->name, NULL, field);
}

struct kind *class_kind(const char *name, const struct marker_format *format)
{
	struct kind *kind = need_memory(calloc(1, sizeof(*kind)));
	const struct marker_field *field = format->field, *end = field + format->nr_fields;
	const char *colon;

	kind->name = blocks_of(format_text("%s", name));
	kind->name_size = strlen(name);
	colon = strchr(kind->name, ':');
	kind->marker = colon ? colon + 1 : kind->name;
	for (; field < end; field++) {
		switch (field->type) {
		case MARKER_FIELD_INT:
			add_integer(kind, field);
			break;
		case MARKER_FIELD_STRING:
			kind_add(kind, field->name, NULL, (struct field){ .type = VALUE_TEXT });
			break;
		case MARKER_FIELD_BYTES:
			add_bytes(kind, field);
			break;
		default:
			kind_add(kind, field->name, NULL, (struct field){ .type = VALUE_BYTES, .base = 16, .bits = 8 });
		}
	}
	return kind;
}
