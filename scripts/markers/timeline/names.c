// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/append.h"
#include "../pairs/keys.h"
#include "names.h"

/* The end of a long text says which it is. */
static void name_of_text(const char *text, size_t size, char name[NAME_SIZE])
{
	const size_t room = NAME_SIZE - sizeof("~0123456789abcdef");

	if (size >= NAME_SIZE) {
		snprintf(name, NAME_SIZE, "%.*s~%016" PRIx64, (int)room, text,
			 keys_hash(text, size));
		return;
	}
	memcpy(name, text, size);
	name[size] = '\0';
}

void name_of_number(uint64_t number, char name[NAME_SIZE])
{
	*append_decimal(name, number) = '\0';
}

void name_of(const struct value *value, char name[NAME_SIZE])
{
	if (value->field->type == VALUE_TEXT || value->text)
		name_of_text(value->text, value->size, name);
	else if (value->field->type == VALUE_SIGNED)
		*append_signed(name, value->number) = '\0';
	else if (value->field->base == 16)
		*append_number(name, value->number, 16) = '\0';
	else
		name_of_number(value->number, name);
}

size_t name_add(char *to, size_t at, size_t room, const char *text)
{
	size_t size = strlen(text), left = room - 1 - at;

	if (size > left)
		size = left;
	memcpy(to + at, text, size);
	to[at + size] = '\0';
	return at + size;
}

size_t name_add_word(char *to, size_t at, size_t room, const char *text)
{
	return name_add(to, name_add(to, at, room, text), room, " ");
}
