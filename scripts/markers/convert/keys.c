// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../lib/message.h"
#include "keys.h"

static bool parse_list(const char *text, size_t size, struct keys *keys)
{
	const char *end = text + size;
	size_t n;

	for (; keys->nr < MAX_KEYS; text += n + 1) {
		n = strcspn(text, ",");
		if (n > (size_t)(end - text))
			n = end - text;
		if (!n)
			return false;
		keys->name[keys->nr++] = need_memory(strndup(text, n));
		if (text + n == end)
			return true;
	}
	return false;
}

bool keys_parse(const char *text, struct keys *begin, struct keys *end)
{
	const char *colon = text ? strchr(text, ':') : NULL, *second = colon ? colon + 1 : text;

	begin->nr = end->nr = 0;
	if (!text)
		return true;
	if (parse_list(text, colon ? (size_t)(colon - text) : strlen(text), begin) &&
	    parse_list(second, strlen(second), end) && begin->nr == end->nr)
		return true;
	keys_free(begin);
	keys_free(end);
	return false;
}

int keys_find(const struct keys *keys, const char *name)
{
	unsigned int i;

	for (i = 0; i < keys->nr; i++)
		if (!strcmp(keys->name[i], name))
			return i;
	return keys->nr || strcmp(name, "tid") ? -1 : 0;
}

/* FNV-1a */
static uint64_t hash(uint64_t value, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	size_t i;

	for (i = 0; i < size; i++)
		value = (value ^ byte[i]) * 0x100000001b3;
	return value;
}

#define HASH_BEGIN	0xcbf29ce484222325

/* A field may be named tid, too, but without a name it is the thread. */
static const struct value *find_value(const struct event *event, const char *name)
{
	return name ? event_value(event, name) : event_context(event, "tid");
}

static bool is_idle(const struct event *event, const struct value *value)
{
	return value >= event->context && value < event->context + MAX_VALUES &&
	       !value->number && !strcmp(value->field->name, "tid");
}

static bool read_one(const struct event *event, const char *name, uint64_t *key)
{
	const struct value *value;

	*key = event->cpu;
	if (name && !strcmp(name, "cpu"))
		return true;
	value = find_value(event, name);
	if (!value)
		return !name;
	if (is_idle(event, value))
		*key |= (uint64_t)1 << 32;
	else if (value->field->type == VALUE_TEXT || value->field->type == VALUE_BYTES)
		*key = hash(HASH_BEGIN, value->text, value->size);
	else
		*key = value->number;
	return true;
}

bool keys_read(const struct keys *keys, const struct event *event, uint64_t *key)
{
	uint64_t all = HASH_BEGIN, one;
	unsigned int i;

	if (keys->nr <= 1)
		return read_one(event, keys->nr ? keys->name[0] : NULL, key);
	for (i = 0; i < keys->nr; i++) {
		if (!read_one(event, keys->name[i], &one))
			return false;
		all = hash(all, &one, sizeof(one));
	}
	*key = all;
	return true;
}

const struct value *keys_value(const struct keys *keys, unsigned int i,
			       const struct event *event)
{
	const char *name = keys->nr ? keys->name[i] : NULL;

	return name && !strcmp(name, "cpu") ? NULL : find_value(event, name);
}

void keys_free(struct keys *keys)
{
	while (keys->nr)
		free(keys->name[--keys->nr]);
}
