// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "../base/message.h"
#include "functions.h"
#include "symbols.h"

static bool is_stack(const struct value *value)
{
	return value->field->type == VALUE_BYTES && value->field->bits == 64;
}

const struct value *functions_stack(const struct event *event)
{
	const struct value *stack = event_context(event, "callstack_kernel");

	return stack && is_stack(stack) && stack->size ? stack : NULL;
}

static bool is_address(const struct value *value)
{
	return value->field->type == VALUE_UNSIGNED && value->field->bits == 64 &&
	       value->field->base == 16;
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

const char *functions_text(const struct value *value, uint64_t time, size_t *size)
{
	static __thread char *text;
	static __thread size_t room;
	static __thread FILE *out;

	if (!is_stack(value) && !is_address(value))
		return NULL;
	if (!out)
		out = need_memory(open_memstream(&text, &room));
	rewind(out);
	if (is_stack(value)) {
		put_stack(out, value, time, "");
	} else {
		fprintf(out, "0x%" PRIx64 " (", value->number);
		if (!symbols_put(out, value->number, time))
			return NULL;
		putc(')', out);
	}
	*size = ftell(out);
	fflush(out);
	return text;
}
