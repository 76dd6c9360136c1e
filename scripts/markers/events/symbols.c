// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/file.h"
#include "../base/message.h"
#include "symbols.h"

#define PAGE_MASK	4095ull
#define NAME_SIZE	64

/**
 * struct symbol - a function
 * @address: its first byte
 * @name: its name
 */
struct symbol {
	uint64_t address;
	char *name;
};

/**
 * struct owner - who has some pages: the kernel, or a module while it is loaded
 * @module: name of the module, empty: the kernel
 * @from: from this time on, in nanoseconds of the trace clock
 * @to: up to this time
 * @nr: number of functions
 * @symbol: the functions
 */
struct owner {
	char module[NAME_SIZE];
	uint64_t from;
	uint64_t to;
	size_t nr;
	struct symbol *symbol;
};

/**
 * struct symbols - the functions of a recording
 * @nr: number of owners
 * @owner: who has them
 */
struct symbols {
	size_t nr;
	struct owner *owner;
};

static struct symbols *current;

static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static struct owner *add_owner(const char *module, uint64_t from)
{
	struct owner *owner;

	current->owner = need_memory(realloc(current->owner, (current->nr + 1) * sizeof(*owner)));
	owner = &current->owner[current->nr++];
	*owner = (struct owner){ .from = from, .to = UINT64_MAX };
	snprintf(owner->module, sizeof(owner->module), "%s", module);
	return owner;
}

/* The last one of that name that has not gone. */
static struct owner *find_owner(const char *module)
{
	size_t i = current->nr;

	while (i--)
		if (current->owner[i].to == UINT64_MAX && !strcmp(current->owner[i].module, module))
			return &current->owner[i];
	return NULL;
}

static void add_symbol(struct owner *owner, uint64_t address, const char *name)
{
	/* a power of two: double the memory */
	if (!(owner->nr & (owner->nr - 1)))
		owner->symbol = need_memory(realloc(owner->symbol, (owner->nr ? 2 * owner->nr : 1) *
						    sizeof(*owner->symbol)));
	owner->symbol[owner->nr++] = (struct symbol){ address, need_memory(strdup(name)) };
}

/* "# came TIME MODULE" or "# gone TIME MODULE". TIME 0 is not known. */
static void take_change(const char *line, const struct trace_info *info)
{
	char what[8], module[NAME_SIZE];
	struct owner *owner;
	uint64_t time;

	if (sscanf(line, "# %7s %" SCNu64 " %63s", what, &time, module) != 3)
		return;
	owner = find_owner(module);
	if (owner && time)
		owner->to = trace_ns(info, time);
	if (!strcmp(what, "came"))
		add_owner(module, trace_ns(info, time));
}

/*
 * /proc/kallsyms shows as modules what the kernel generates: BPF programs, kprobes. They lie
 * anywhere among the modules, so they own no range of pages.
 */
static bool is_generated(const char *module)
{
	return !strcmp(module, "bpf") || !strncmp(module, "__builtin__", strlen("__builtin__"));
}

/* "ADDRESS TYPE NAME", perhaps followed by a tab and "[MODULE]". Addresses may be hidden: 0. */
static void take_symbol(char *line)
{
	char *end, *name, *module;
	uint64_t address = strtoull(line, &end, 16);
	struct owner *owner;

	if (end == line || strlen(end) < 4 || !address)
		return;
	name = end + 3;
	module = strpbrk(name, "\t ");
	if (module) {
		*module = '\0';
		module = strchr(module + 1, '[');
	}
	if (module)
		module[strcspn(module, "]")] = '\0';
	module = module ? module + 1 : name + strlen(name);
	if (is_generated(module))
		return;
	owner = find_owner(module);
	add_symbol(owner ? owner : add_owner(module, 0), address, name);
}

/* Beside the trace; of a part of a recording, above it. */
static FILE *open_beside(const char *part, const char *above)
{
	char *path = format_text("%s/%sinfo/symbols", part, above);
	int fd = file_open_regular(AT_FDCWD, path);

	free(path);
	return fd < 0 ? NULL : fdopen(fd, "r");
}

static bool is_same_file(FILE *a, FILE *b)
{
	struct stat first, second;

	return !fstat(fileno(a), &first) && !fstat(fileno(b), &second) && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

/* Does the longer file begin with the other one? That of a recording gets longer as modules come and go. */
static bool is_continued(FILE *a, FILE *b)
{
	int c, d;

	rewind(a);
	rewind(b);
	do {
		c = getc_unlocked(a);
		d = getc_unlocked(b);
	} while (c == d && c != EOF);
	return c == EOF || d == EOF;
}

static long size_of(FILE *file)
{
	struct stat stat;

	return fstat(fileno(file), &stat) ? 0 : stat.st_size;
}

/*
 * The symbols of all traces that are read: each must have a file, in one of its pieces at least, and
 * the longest must have what the others have.
 */
static FILE *open_symbols(const char *shown, const struct trace_info *info)
{
	bool *has = need_memory(calloc(info->nr_descriptions + 1, sizeof(*has))), same = true;
	FILE *longest = NULL, *file;
	size_t i;

	for (i = 0; i < info->nr_parts; i++) {
		file = open_beside(info->part[i].path, "") ?: open_beside(info->part[i].path, "../");
		if (!file)
			continue;
		has[info->part[i].description] = true;
		same = same && (!longest || is_same_file(longest, file) || is_continued(longest, file));
		if (longest && size_of(longest) >= size_of(file)) {
			fclose(file);
			continue;
		}
		if (longest)
			fclose(longest);
		longest = file;
	}
	for (i = 0; i < info->nr_parts; i++)
		same = same && has[info->part[i].description];
	free(has);
	if (!longest)
		return NULL;
	rewind(longest);
	if (same)
		return longest;
	say("%s: addresses of functions stay numbers: not all recordings in it have the same info/symbols: give the directory of one",
	    shown);
	fclose(longest);
	return NULL;
}

void symbols_begin(const char *dir, const struct trace_info *info)
{
	FILE *file = open_symbols(dir, info);
	char *line = NULL;
	size_t i, size = 0;

	current = need_memory(calloc(1, sizeof(*current)));
	if (!file)
		return;
	while (getline(&line, &size, file) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			take_change(line, info);
		else
			take_symbol(line);
	}
	free(line);
	fclose(file);
	for (i = 0; i < current->nr; i++)
		if (current->owner[i].nr)
			qsort(current->owner[i].symbol, current->owner[i].nr,
			      sizeof(*current->owner[i].symbol), compare);
}

struct symbols *symbols_use(struct symbols *symbols)
{
	struct symbols *before = current;

	current = symbols;
	return before;
}

void symbols_free(struct symbols *symbols)
{
	size_t i, n;

	if (!symbols)
		return;
	for (i = 0; i < symbols->nr; i++) {
		for (n = 0; n < symbols->owner[i].nr; n++)
			free(symbols->owner[i].symbol[n].name);
		free(symbols->owner[i].symbol);
	}
	free(symbols->owner);
	free(symbols);
}

/* All bytes of the first to the last page that has a function are its own. */
static bool owns(const struct owner *owner, uint64_t address, uint64_t time)
{
	return owner->nr && time >= owner->from && time <= owner->to &&
	       address >= (owner->symbol[0].address & ~PAGE_MASK) &&
	       address <= (owner->symbol[owner->nr - 1].address | PAGE_MASK);
}

/* Find the last symbol at or below the address. Return: NULL if there is none. */
static const struct symbol *find_symbol(const struct owner *owner, uint64_t address)
{
	size_t low = 0, high = owner->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (owner->symbol[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &owner->symbol[low - 1] : NULL;
}

bool symbols_find(struct symbol_name *found, uint64_t address, uint64_t time)
{
	const struct owner *owner = NULL;
	const struct symbol *symbol;
	size_t i;

	for (i = 0; current && i < current->nr; i++) {
		if (!owns(&current->owner[i], address, time))
			continue;
		if (owner)
			return false;	/* one went and the other came: it is not known when */
		owner = &current->owner[i];
	}
	symbol = owner ? find_symbol(owner, address) : NULL;
	if (!symbol)
		return false;
	*found = (struct symbol_name){ symbol->name, owner->module, address - symbol->address };
	return true;
}

bool symbols_put(FILE *out, uint64_t address, uint64_t time)
{
	struct symbol_name name;

	if (!symbols_find(&name, address, time))
		return false;
	fprintf(out, "%s+0x%" PRIx64, name.name, name.offset);
	if (*name.module)
		fprintf(out, " [%s]", name.module);
	return true;
}
