// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "callstack.h"
#include "symbols.h"

void callstack_put(FILE *out, const struct event *event)
{
	const struct value *stack = event_context(event, "callstack_kernel");
	uint64_t address;
	size_t at;

	if (!stack || stack->field->type != VALUE_BYTES)
		return;
	for (at = 0; at + sizeof(address) <= stack->size; at += sizeof(address)) {
		memcpy(&address, stack->text + at, sizeof(address));
		fputs(" => ", out);
		if (!symbols_put(out, address, event->time))
			fprintf(out, "0x%016" PRIx64, address);
		putc('\n', out);
	}
}
