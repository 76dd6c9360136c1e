// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "../base/kernel.h"

#include <markers/format/context.h>
#include <markers/format/print.h>

#include "columns.h"
#include "record.h"

#define SLOT_BITS	8

/* All contexts but the stack, tasks with four bytes. Their columns have 168 characters at most. */
#define CONTEXTS_SIZE	(4 * sizeof(int32_t) + sizeof(uint16_t) + CTF_PROCNAME_SIZE + 1 + sizeof(uint64_t))
#define TEXT_SIZE	192

_Static_assert(MARKER_NR_CONTEXTS == 9, "CONTEXTS_SIZE and TEXT_SIZE have room for all contexts");
_Static_assert(MARKER_CONTEXT_CALLSTACK == MARKER_NR_CONTEXTS - 1,
	       "columns_bytes() and functions_stack_of() take the last context for the stack");

/**
 * struct basis - what columns depend on, besides the bytes of the contexts
 * @set: the contexts of the recording
 * @old_tasks: those that have four bytes, not three
 * @shown: those that are shown
 * @cpu: the CPU
 */
struct basis {
	uint32_t set;
	uint32_t old_tasks;
	uint32_t shown;
	uint32_t cpu;
};

/**
 * struct columns - a text that is kept
 * @basis: what it is of
 * @size: bytes of @text; 0: there is none yet
 * @contexts: the bytes of the contexts that it is of
 * @text: the text
 */
struct columns {
	struct basis basis;
	unsigned int size;
	uint8_t contexts[CONTEXTS_SIZE];
	char text[TEXT_SIZE];
};

/* Bytes of the contexts that are columns: the length of the stack, if there is one, is the last. */
static size_t columns_bytes(const struct description *description)
{
	return description->context_size - marker_context_has(description->context_set, MARKER_CONTEXT_CALLSTACK);
}

/* Where a text is kept: by the first contexts, as the number of the task, and the last ones, as its name. */
static unsigned int slot_of(const uint8_t *contexts, size_t size, unsigned int cpu)
{
	const uint64_t factor = 0x9e3779b97f4a7c15ull;
	uint64_t first = 0, last = 0;

	if (size >= sizeof(first)) {
		memcpy(&first, contexts, sizeof(first));
		memcpy(&last, contexts + size - sizeof(last), sizeof(last));
	} else {
		memcpy(&first, contexts, size);
	}
	return ((first + cpu) * factor ^ last) * factor >> (64 - SLOT_BITS);
}

static bool is_of(const struct columns *columns, const struct basis *basis, const uint8_t *contexts, size_t size)
{
	return columns->size && !memcmp(&columns->basis, basis, sizeof(*basis)) &&
	       !memcmp(columns->contexts, contexts, size);
}

static void print(struct columns *columns, const struct event *event, uint32_t shown)
{
	struct marker_contexts contexts;

	record_contexts(&contexts, event->record, event->description);
	contexts.set &= shown;
	columns->size = marker_print_columns(columns->text, sizeof(columns->text), &contexts, event->cpu);
}

const char *columns_text(const struct event *event, uint32_t shown, size_t *size)
{
	static __thread struct columns kept[1 << SLOT_BITS];
	const struct description *description = event->description;
	const struct basis basis = {
		description->context_set, description->old_tasks, shown, event->cpu,
	};
	const uint8_t *contexts = event->record->contexts;
	const size_t bytes = columns_bytes(description);
	struct columns *columns = &kept[slot_of(contexts, bytes, event->cpu)];

	if (!is_of(columns, &basis, contexts, bytes)) {
		columns->basis = basis;
		memcpy(columns->contexts, contexts, bytes);
		print(columns, event, shown);
	}
	*size = columns->size;
	return columns->text;
}
