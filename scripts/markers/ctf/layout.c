// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <markers/uapi/ctf.h>

#include "../base/message.h"
#include "layout.h"

#define MAX_FIELDS	64	/* of an event: 16 arguments, 2 fields each at most */
#define MAX_TYPES	64
#define NAME_SIZE	128

/**
 * struct field - a field of an event, or of the context that all events have
 * @name: its name in the metadata
 * @bytes: bytes of one element; 0: a string
 * @count: number of elements
 * @length: index of the field that holds the count, or -1
 */
struct field {
	char name[NAME_SIZE];
	unsigned int bytes;
	unsigned int count;
	int length;
};

struct fields {
	unsigned int nr;
	struct field field[MAX_FIELDS];
};

struct event {
	char name[2 * NAME_SIZE];
	struct fields fields;
};

struct type {
	char name[NAME_SIZE];
	unsigned int bytes;
};

/* The block that the parser is in. */
enum block { BLOCK_NONE, BLOCK_STREAM, BLOCK_EVENT, BLOCK_OTHER };

struct layout {
	unsigned int nr_types;
	struct type type[MAX_TYPES];
	struct fields context;
	unsigned int nr_events;
	struct event **event;
};

static bool add_type(struct layout *layout, const char *line)
{
	struct type *type = &layout->type[layout->nr_types];
	const char *name = strstr(line, ":= ");
	unsigned int bits;

	if (!name || sscanf(line, "typealias integer { size = %u", &bits) != 1 ||
	    sscanf(name, ":= %127[^;];", type->name) != 1 || layout->nr_types == MAX_TYPES - 1)
		return false;
	type->bytes = bits / 8;
	layout->nr_types++;
	return true;
}

static const struct type *find_type(const struct layout *layout, const char *name)
{
	unsigned int i;

	for (i = 0; i < layout->nr_types; i++)
		if (!strcmp(layout->type[i].name, name))
			return &layout->type[i];
	return NULL;
}

/* "enum NAME : TYPE {": its entries name numbers of that type. */
static bool add_enum(struct layout *layout, const char *line)
{
	struct type *type = &layout->type[layout->nr_types];
	const struct type *container;
	char name[NAME_SIZE];

	if (sscanf(line, "enum %127s : %127s {", type->name, name) != 2 ||
	    layout->nr_types == MAX_TYPES - 1)
		return false;
	container = find_type(layout, name);
	if (!container)
		return false;
	type->bytes = container->bytes;
	layout->nr_types++;
	return true;
}

static int find_field(const struct fields *fields, const char *name)
{
	unsigned int i;

	for (i = 0; i < fields->nr; i++)
		if (!strcmp(fields->field[i].name, name))
			return i;
	return -1;
}

/* "struct { TYPE NAME; ... } NAME;": one field as large as all members together */
static bool add_structure(const struct layout *layout, struct fields *fields, const char *line)
{
	struct field *field = &fields->field[fields->nr];
	const struct type *type;
	char name[NAME_SIZE];
	int n;

	if (fields->nr == MAX_FIELDS)
		return false;
	field->bytes = 0;
	field->count = 1;
	field->length = -1;
	line += strlen("struct {");
	for (; sscanf(line, " %127[^] ;}[] %*[^] ;}[];%n", name, &n) == 1; line += n) {
		type = find_type(layout, name);
		if (!type || !type->bytes)
			return false;
		field->bytes += type->bytes;
	}
	if (!field->bytes || sscanf(line, " } %127[^; ];", field->name) != 1)
		return false;
	fields->nr++;
	return true;
}

/* "TYPE NAME;", "TYPE NAME[COUNT];", "TYPE NAME[FIELD];" */
static bool add_field(const struct layout *layout, struct fields *fields, const char *line)
{
	struct field *field = &fields->field[fields->nr];
	char type_name[NAME_SIZE], count[NAME_SIZE] = "1";
	const struct type *type;

	if (!strncmp(line, "struct {", strlen("struct {")))
		return add_structure(layout, fields, line);
	line += strncmp(line, "enum ", strlen("enum ")) ? 0 : strlen("enum ");
	if (fields->nr == MAX_FIELDS ||
	    sscanf(line, " %127s %127[^][; ][%127[^]]", type_name, field->name, count) < 2)
		return false;
	field->length = -1;
	field->count = 1;
	if (strcmp(type_name, "string")) {
		type = find_type(layout, type_name);
		if (!type || !type->bytes)
			return false;
		field->bytes = type->bytes;
		if (count[0] >= '0' && count[0] <= '9')
			field->count = strtoul(count, NULL, 10);
		else
			field->length = find_field(fields, count);
		if (!field->count || (field->length < 0 && !(count[0] >= '0' && count[0] <= '9')))
			return false;
	} else {
		field->bytes = 0;
	}
	fields->nr++;
	return true;
}

static bool add_event(struct layout *layout, unsigned int id, const struct event *event)
{
	if (id > 1 << 24)
		return false;
	if (id >= layout->nr_events) {
		layout->event = need_memory(realloc(layout->event,
						    (id + 1) * sizeof(*layout->event)));
		while (layout->nr_events <= id)
			layout->event[layout->nr_events++] = NULL;
	}
	free(layout->event[id]);
	layout->event[id] = need_memory(malloc(sizeof(*event)));
	*layout->event[id] = *event;
	return true;
}

/**
 * struct parser - the state of parsing the metadata
 * @layout: the result so far
 * @block: the outermost open block
 * @depth: number of open braces
 * @fields: where the next field goes, or NULL
 * @event: the event that is being parsed
 * @id: its number, or -1
 */
struct parser {
	struct layout *layout;
	enum block block;
	int depth;
	struct fields *fields;
	struct event event;
	long id;
};

static bool begin_block(struct parser *parser, const char *line)
{
	if (!parser->depth) {
		parser->block = !strncmp(line, "event {", 7) ? BLOCK_EVENT :
				!strncmp(line, "stream {", 8) ? BLOCK_STREAM : BLOCK_OTHER;
		memset(&parser->event, 0, sizeof(parser->event));
		parser->id = -1;
	} else if (parser->depth == 1 && parser->block == BLOCK_EVENT &&
		   strstr(line, "fields := struct {")) {
		parser->fields = &parser->event.fields;
	} else if (parser->depth == 1 && strstr(line, "event.context := struct {")) {
		parser->fields = &parser->layout->context;
	}
	parser->depth++;
	return true;
}

static bool end_block(struct parser *parser)
{
	parser->fields = NULL;
	if (--parser->depth || parser->block != BLOCK_EVENT)
		return parser->depth >= 0;
	return parser->id >= 0 && add_event(parser->layout, parser->id, &parser->event);
}

static bool parse_line(struct parser *parser, const char *line)
{
	line += strspn(line, " \t");
	if (!strncmp(line, "typealias", 9))
		return add_type(parser->layout, line);
	if (!parser->depth && !strncmp(line, "enum ", 5) && !add_enum(parser->layout, line))
		return false;
	if (!strncmp(line, "freq = ", strlen("freq = ")))
		return strtoull(line + strlen("freq = "), NULL, 10) > 0;
	if (*line == '}')
		return end_block(parser);
	if (strchr(line, '{') && !strchr(line, '}'))
		return begin_block(parser, line);
	if (parser->fields && *line)
		return add_field(parser->layout, parser->fields, line);
	if (parser->block == BLOCK_EVENT && parser->depth == 1) {
		if (!strncmp(line, "name", 4))
			return sscanf(line, "name = \"%255[^\"]\"", parser->event.name) == 1;
		if (!strncmp(line, "id", 2))
			return sscanf(line, "id = %ld", &parser->id) == 1;
	}
	return true;
}

struct layout *layout_parse(const char *metadata, int *wrong)
{
	struct parser parser = { .id = -1 };
	char *copy = need_memory(strdup(metadata)), *line, *rest = copy;
	bool good = true;

	parser.layout = need_memory(calloc(1, sizeof(*parser.layout)));
	for (*wrong = 1; good && (line = strsep(&rest, "\n")); ++*wrong)
		good = parse_line(&parser, line);
	free(copy);
	if (good && !parser.depth)
		return parser.layout;
	layout_free(parser.layout);
	--*wrong;
	return NULL;
}

char *layout_check_tracer(const char *metadata, size_t size)
{
	static const char key[] = "tracer_name = \"", ours[] = "markers\"";
	const char *name = memmem(metadata, size, key, strlen(key));
	size_t left, length;

	if (!name)
		return format_text("it does not name its tracer");
	name += strlen(key);
	left = metadata + size - name;
	if (left >= strlen(ours) && !memcmp(name, ours, strlen(ours)))
		return NULL;
	for (length = 0; length < left && name[length] && name[length] != '"'; length++)
		;
	return format_text("tracer_name is \"%.*s\", not \"markers\"", (int)length, name);
}

/* The name in "TYPE NAME;" or "TYPE NAME[COUNT];". Return: its size, or 0: it is another line. */
static size_t field_name(const char *line, const char *end, const char **name)
{
	const char *stop;

	if (end == line || end[-1] != ';' || memchr(line, '=', end - line))
		return 0;
	stop = memrchr(line, '[', end - line);
	end = stop ?: end - 1;
	for (*name = end; *name > line && !strchr(" \t}", (*name)[-1]); --*name)
		;
	return end - *name;
}

char *layout_check_names(const char *metadata, size_t size)
{
	const char *line, *end, *last = metadata + size, *names[MAX_FIELDS], *name;
	size_t sizes[MAX_FIELDS], n;
	unsigned int nr = 0, i;

	for (line = metadata; line < last; line = end + 1) {
		end = memchr(line, '\n', last - line) ?: last;
		n = field_name(line, end, &name);
		if (!n) {
			nr = 0;		/* a block begins or ends */
			continue;
		}
		for (i = 0; i < nr; i++)
			if (sizes[i] == n && !memcmp(names[i], name, n))
				return format_text("field %.*s is there twice", (int)n, name);
		if (nr < MAX_FIELDS) {
			names[nr] = name;
			sizes[nr++] = n;
		}
	}
	return NULL;
}

void layout_free(struct layout *layout)
{
	unsigned int i;

	if (!layout)
		return;
	for (i = 0; i < layout->nr_events; i++)
		free(layout->event[i]);
	free(layout->event);
	free(layout);
}

static const struct event *find_event(const struct layout *layout, uint32_t id)
{
	return id < layout->nr_events ? layout->event[id] : NULL;
}

const char *layout_event(const struct layout *layout, uint32_t id)
{
	const struct event *event = find_event(layout, id);

	return event ? event->name : NULL;
}

static uint64_t read_number(const void *data, unsigned int bytes)
{
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	switch (bytes) {
	case 1:
		memcpy(&u8, data, bytes);
		return u8;
	case 2:
		memcpy(&u16, data, bytes);
		return u16;
	case 4:
		memcpy(&u32, data, bytes);
		return u32;
	case 8:
		memcpy(&u64, data, bytes);
		return u64;
	}
	return 0;
}

/* Skip the fields. Return: their end as an offset from @data; 0: they exceed @size. */
static size_t skip_fields(const struct fields *fields, const uint8_t *data, size_t at,
			  size_t size)
{
	uint64_t value[MAX_FIELDS] = {}, count;
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		const struct field *field = &fields->field[i];

		if (!field->bytes) {
			at += strnlen((const char *)data + at, size - at) + 1;
		} else {
			count = field->length < 0 ? field->count : value[field->length];
			if (count > size)
				return 0;
			if (count == 1 && size - at >= field->bytes)
				value[i] = read_number(data + at, field->bytes);
			at += count * field->bytes;
		}
		if (at > size)
			return 0;
	}
	return at;
}

/* Return: bytes of the header; 0: it is incomplete. */
static size_t read_header(const uint8_t *byte, size_t size, uint32_t *id)
{
	size_t at = CTF_COMPACT_SIZE;
	uint16_t medium;

	*id = UINT32_MAX;
	if (!size)
		return 0;
	switch (*byte & ((1 << CTF_ID_BITS) - 1)) {
	case CTF_ID_MEDIUM:
		at = CTF_MEDIUM_SIZE;
		if (size < at)
			return 0;
		memcpy(&medium, byte + CTF_COMPACT_SIZE, sizeof(medium));
		*id = medium;
		return at;
	case CTF_ID_EXTENDED:
		at = CTF_EXTENDED_SIZE;
		if (size < at)
			return 0;
		memcpy(id, byte + 1, sizeof(*id));
		return at;
	}
	*id = *byte & ((1 << CTF_ID_BITS) - 1);
	return size < at ? 0 : at;
}

size_t layout_next(const struct layout *layout, const void *data, size_t size, uint32_t *id)
{
	const uint8_t *byte = data;
	const struct event *event;
	size_t at = read_header(byte, size, id);

	event = find_event(layout, *id);
	if (!event || !at)
		return 0;
	at = skip_fields(&layout->context, byte, at, size);
	return at ? skip_fields(&event->fields, byte, at, size) : 0;
}
