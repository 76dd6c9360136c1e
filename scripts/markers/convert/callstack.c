// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/message.h"
#include "callstack.h"

/**
 * struct symbol - a function of the kernel or of a module
 * @address: its first byte
 * @name: "name" or "name [module]"
 */
struct symbol {
	uint64_t address;
	char *name;
};

static struct symbol *symbols;
static size_t nr_symbols;

static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Parse "ADDRESS TYPE NAME", perhaps followed by a tab and "[MODULE]". */
static void add_symbol(char *line)
{
	char *end, *name;
	uint64_t address;

	line[strcspn(line, "\n")] = '\0';
	address = strtoull(line, &end, 16);
	if (end == line || strlen(end) < 4)
		return;
	name = need_memory(strdup(end + 3));
	end = strchr(name, '\t');
	if (end)
		*end = ' ';
	if (!(nr_symbols & (nr_symbols - 1)))
		symbols = need_memory(realloc(symbols, (nr_symbols ? 2 * nr_symbols : 1) *
					      sizeof(*symbols)));
	symbols[nr_symbols++] = (struct symbol){ address, name };
}

void callstack_begin(const char *dir)
{
	char *path = format_text("%s/info/symbols", dir), *line = NULL;
	FILE *file = fopen(path, "re");
	size_t size = 0;

	free(path);
	if (!file)
		return;
	while (getline(&line, &size, file) >= 0)
		add_symbol(line);
	free(line);
	fclose(file);
	if (nr_symbols)
		qsort(symbols, nr_symbols, sizeof(*symbols), compare);
}

/* Find the last symbol at or below the address. Return: NULL if there is none. */
static const struct symbol *find_symbol(uint64_t address)
{
	size_t low = 0, high = nr_symbols;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &symbols[low - 1] : NULL;
}

static void put_address(FILE *out, uint64_t address)
{
	const struct symbol *symbol = find_symbol(address);
	int len;

	if (!symbol) {
		fprintf(out, " => 0x%016" PRIx64 "\n", address);
		return;
	}
	len = strcspn(symbol->name, " ");
	fprintf(out, " => %.*s+0x%" PRIx64 "%s\n", len, symbol->name, address - symbol->address,
		symbol->name + len);
}

void callstack_put(FILE *out, const struct event *event)
{
	const struct value *stack = event_context(event, "callstack_kernel");
	uint64_t address;
	size_t at;

	if (!stack || stack->field->type != VALUE_BYTES)
		return;
	for (at = 0; at + sizeof(address) <= stack->size; at += sizeof(address)) {
		memcpy(&address, stack->text + at, sizeof(address));
		put_address(out, address);
	}
}
