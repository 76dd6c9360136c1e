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
		keys->is_cpu[keys->nr] = n == strlen("cpu") && !memcmp(text, "cpu", n);
		keys->place[keys->nr] = (struct value_place){};
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
	begin->place[0] = end->place[0] = (struct value_place){};
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
	return !value->number && value >= event->context && value < event->context + MAX_VALUES &&
	       !strcmp(value->field->name, "tid");
}

/* What the words of a value are. */
enum { KEY_NUMBER, KEY_IDLE, KEY_TEXT };

/* Return: room for more words of a key. */
static uint64_t *make_room(struct key *key, size_t nr)
{
	static uint64_t *word;
	static size_t room;

	if (room < key->nr + nr) {
		room = 2 * (key->nr + nr);
		word = need_memory(realloc(word, room * sizeof(*word)));
	}
	key->word = word;
	return word + key->nr;
}

/* Append to a key what a value is, and the value. */
static void add_number(struct key *key, uint64_t what, uint64_t number)
{
	uint64_t *word = make_room(key, 2);

	word[0] = what;
	word[1] = number;
	key->nr += 2;
	key->hash = (key->hash ^ number) * 0x9e3779b97f4a7c15u;
}

/* Append a text, or bytes: its size, and it, with zeros up to a whole word. */
static void append_text(struct key *key, const struct value *value)
{
	size_t nr = 1 + (value->size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
	uint64_t *word = make_room(key, nr);

	word[nr - 1] = 0;
	word[0] = (uint64_t)value->size << 2 | KEY_TEXT;
	if (value->size)
		memcpy(word + 1, value->text, value->size);
	key->nr += nr;
	key->hash = (key->hash ^ keys_hash(value->text, value->size)) * 0x9e3779b97f4a7c15u;
}

static const struct value *find_again(struct keys *keys, unsigned int i, const struct event *event)
{
	return keys->nr ? place_value(&keys->place[i], event, keys->name[i]) :
	       place_context(&keys->place[0], event, "tid");
}

static bool read_one(struct keys *keys, unsigned int i, const struct event *event, struct key *key)
{
	bool is_cpu = keys->nr && keys->is_cpu[i];
	const struct value *value = is_cpu ? NULL : find_again(keys, i, event);

	if (!value && keys->nr && !is_cpu)
		return false;
	if (value && (value->field->type == VALUE_TEXT || value->field->type == VALUE_BYTES))
		append_text(key, value);
	else if (value && !is_idle(event, value))
		add_number(key, KEY_NUMBER, value->number);
	else
		add_number(key, value ? KEY_IDLE : KEY_NUMBER, event->cpu);
	return true;
}

bool keys_read(struct keys *keys, const struct event *event, struct key *key)
{
	unsigned int i = 0;

	key->nr = 0;
	key->hash = 0;
	do {
		if (!read_one(keys, i, event, key))
			return false;
	} while (++i < keys->nr);
	return true;
}

const struct value *keys_value(const struct keys *keys, unsigned int i,
			       const struct event *event)
{
	const char *name = keys->nr ? keys->name[i] : NULL;

	return name && keys->is_cpu[i] ? NULL : find_value(event, name);
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
