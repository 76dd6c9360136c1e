// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "../base/message.h"
#include "functions.h"
#include "symbols.h"

#define TEXT_SIZE	(64 * 1024)	/* 255 addresses, with names of 128 bytes and more */

bool functions_has_stacks(const struct kind *contexts)
{
	unsigned int i;

	for (i = 0; i < contexts->nr_fields; i++)
		if (functions_is_stack(&contexts->field[i]))
			return true;
	return false;
}

/* Write the names of a stack, each in a line, after @before. */
static void put_stack(FILE *out, const struct value *stack, uint64_t time, const char *before)
{
	uint64_t address;
	size_t at;

	for (at = 0; at + sizeof(address) <= stack->size; at += sizeof(address)) {
		memcpy(&address, stack->text + at, sizeof(address));
		if (at)
			putc('\n', out);
		fputs(before, out);
		if (!symbols_put(out, address, time))
			fprintf(out, "0x%016" PRIx64, address);
	}
}

void functions_put_stack(FILE *out, const struct event *event)
{
	const struct value *stack = functions_stack(event);

	if (!stack)
		return;
	put_stack(out, stack, event->time, " => ");
	putc('\n', out);
}

/* Write a name as symbols_put() does; the address, if it has none. Return: its bytes. */
static size_t print_name(char *to, size_t size, uint64_t address, uint64_t time)
{
	struct symbol_name name;
	int n;

	if (!symbols_find(&name, address, time))
		n = snprintf(to, size, "0x%016" PRIx64, address);
	else
		n = snprintf(to, size, *name.module ? "%s+0x%" PRIx64 " [%s]" : "%s+0x%" PRIx64,
			     name.name, name.offset, name.module);
	return n < (int)size ? n : (int)size - 1;
}

static __thread char text[TEXT_SIZE];

/* The names of a stack, with @between in between. */
static const char *join_names(const struct value *stack, uint64_t time, const char *between,
			      size_t *size)
{
	uint64_t address;
	size_t at;

	*text = '\0';
	for (at = *size = 0; at + sizeof(address) <= stack->size; at += sizeof(address)) {
		memcpy(&address, stack->text + at, sizeof(address));
		if (at && *size + strlen(between) < TEXT_SIZE)
			*size = stpcpy(text + *size, between) - text;
		*size += print_name(text + *size, TEXT_SIZE - *size, address, time);
	}
	return text;
}

const char *functions_chain(const struct value *stack, uint64_t time, size_t *size)
{
	return join_names(stack, time, " <- ", size);
}

const char *functions_name(const struct value *value, uint64_t time, size_t *size)
{
	struct symbol_name name;

	if (functions_is_stack(value->field))
		return join_names(value, time, "\n", size);
	if (!symbols_find(&name, value->number, time))
		return NULL;
	*size = snprintf(text, TEXT_SIZE, "0x%" PRIx64 " (", value->number);
	*size += print_name(text + *size, TEXT_SIZE - *size - 1, value->number, time);
	text[(*size)++] = ')';
	text[*size] = '\0';
	return text;
}
