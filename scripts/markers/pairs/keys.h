/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The key of a pair: one field, or several, such as the device and the number of a request.
 */
#ifndef _MARKERS_KEYS_H
#define _MARKERS_KEYS_H

#include <stdio.h>

#include "../events/event.h"

#define MAX_KEYS	4

/**
 * struct keys - the fields of a key
 * @nr: number of fields; 0: the key is the thread
 * @name: their names: a field, a context, or "cpu"
 * @is_cpu: which of them are "cpu"
 * @place: where keys_read() looks first
 */
struct keys {
	unsigned int nr;
	char *name[MAX_KEYS];
	bool is_cpu[MAX_KEYS];
	struct value_place place[MAX_KEYS];
};

/**
 * struct key - the values of a key
 * @hash: a number for a hash table: that of other values may be the same
 * @nr: number of @word
 * @word: the values, valid until the next keys_read()
 */
struct key {
	uint64_t hash;
	size_t nr;
	const uint64_t *word;
};

/* Are two keys of @nr words the same? Most have few words. */
static inline bool key_is_same(const uint64_t *a, const uint64_t *b, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/**
 * keys_parse() - parse the fields of a key
 * @text: "FIELD,..." for the begin and the end of a pair, or "FIELD,...:FIELD,..." if their names
 *	differ; NULL: the thread
 * @begin: the fields of the begin, for keys_free()
 * @end: the fields of the end, as many, for keys_free()
 *
 * Return: whether @text is valid; if not, @begin and @end are empty.
 */
bool keys_parse(const char *text, struct keys *begin, struct keys *end);

/**
 * keys_find() - find a field in a key
 * @keys: the fields of the key
 * @name: the field
 *
 * Return: which it is; 0 for "tid" if the key is the thread; -1: it is not in the key.
 */
int keys_find(const struct keys *keys, const char *name);

/**
 * keys_read() - read the key of an event
 * @keys: the fields of the key
 * @event: the event
 * @key: set to all of their values
 *
 * Each CPU has an idle task of its own, and all of them have tid 0. So the CPU is part of that.
 *
 * Return: whether the event has all fields.
 */
bool keys_read(struct keys *keys, const struct event *event, struct key *key);

/**
 * keys_value() - the value of one field of the key, to show it
 * @keys: the fields of the key
 * @i: which one; 0 if there is none
 * @event: an event that has all of them
 *
 * Return: the value; NULL: the CPU is.
 */
const struct value *keys_value(const struct keys *keys, unsigned int i,
			       const struct event *event);

/**
 * keys_put() - write the values of a key, such as "8,17"
 * @out: the output file
 * @keys: the fields of the key
 * @event: an event that has all of them
 * @raw: texts without escapes
 */
void keys_put(FILE *out, const struct keys *keys, const struct event *event, bool raw);

/**
 * keys_put_value() - write one value of a key
 * @out: the output file
 * @value: from keys_value()
 * @cpu: the CPU of its event
 * @raw: a text without escapes
 */
void keys_put_value(FILE *out, const struct value *value, unsigned int cpu, bool raw);

/**
 * keys_hash() - a number for some bytes, which few others have
 * @bytes: the bytes
 * @size: number of bytes
 *
 * Return: the number.
 */
uint64_t keys_hash(const void *bytes, size_t size);

void keys_free(struct keys *keys);

#endif /* _MARKERS_KEYS_H */
