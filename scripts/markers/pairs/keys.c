// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../events/text.h"
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
uint64_t keys_hash(const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	uint64_t value = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i < size; i++)
		value = (value ^ byte[i]) * 0x100000001b3;
	return value;
}

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

/* What the bytes of a value are. */
enum { KEY_NUMBER, KEY_IDLE, KEY_TEXT };

/*
 * Append a value to the bytes of a key: what it is, its size, and it. @number is the value, or the
 * hash of a text.
 */
static inline void append(struct key *key, uint32_t what, const void *value, uint32_t size,
			  uint64_t number)
{
	static unsigned char *bytes;
	static size_t room;
	const uint32_t head[] = { what, size };

	if (room < key->size + sizeof(head) + size) {
		room = 2 * (key->size + sizeof(head) + size);
		bytes = need_memory(realloc(bytes, room));
	}
	memcpy(bytes + key->size, head, sizeof(head));
	memcpy(bytes + key->size + sizeof(head), value, size);
	key->size += sizeof(head) + size;
	key->bytes = bytes;
	key->hash = (key->hash ^ number) * 0x9e3779b97f4a7c15u;
}

static bool read_one(const struct event *event, const char *name, struct key *key)
{
	bool is_cpu = name && !strcmp(name, "cpu");
	const struct value *value = is_cpu ? NULL : find_value(event, name);
	const uint64_t cpu = event->cpu;

	if (!value && name && !is_cpu)
		return false;
	if (!value)
		append(key, KEY_NUMBER, &cpu, sizeof(cpu), cpu);
	else if (is_idle(event, value))
		append(key, KEY_IDLE, &cpu, sizeof(cpu), cpu);
	else if (value->field->type == VALUE_TEXT || value->field->type == VALUE_BYTES)
		append(key, KEY_TEXT, value->text, value->size, keys_hash(value->text, value->size));
	else
		append(key, KEY_NUMBER, &value->number, sizeof(value->number), value->number);
	return true;
}

bool keys_read(const struct keys *keys, const struct event *event, struct key *key)
{
	unsigned int i = 0;

	key->size = 0;
	key->hash = 0;
	do {
		if (!read_one(event, keys->nr ? keys->name[i] : NULL, key))
			return false;
	} while (++i < keys->nr);
	return true;
}

const struct value *keys_value(const struct keys *keys, unsigned int i,
			       const struct event *event)
{
	const char *name = keys->nr ? keys->name[i] : NULL;

	return name && !strcmp(name, "cpu") ? NULL : find_value(event, name);
}

void keys_put_value(FILE *out, const struct value *value, unsigned int cpu, bool raw)
{
	if (!value)
		text_decimal(out, cpu, 1);
	else if (raw && value->field->type == VALUE_TEXT)
		fwrite_unlocked(value->text, 1, value->size, out);
	else
		text_value(out, value);
}

void keys_put(FILE *out, const struct keys *keys, const struct event *event, bool raw)
{
	unsigned int i = 0;

	do {
		if (i)
			putc(',', out);
		keys_put_value(out, keys_value(keys, i, event), event->cpu, raw);
	} while (++i < keys->nr);
}

void keys_free(struct keys *keys)
{
	while (keys->nr)
		free(keys->name[--keys->nr]);
}
