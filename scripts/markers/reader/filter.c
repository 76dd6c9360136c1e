// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/kernel.h"

#include <markers/format/context.h>
#include <markers/format/filter_tests.h>

#include "../base/message.h"
#include "../events/text.h"
#include "filter.h"
#include "origin.h"
#include "record.h"

/* The slots of contexts: first those that a hit has, then what only a recording has. */
enum {
	SLOT_VTID = MARKER_NR_FILTER_CONTEXTS,
	SLOT_VPID,
	SLOT_PRIO,
	SLOT_STACK,
	SLOT_TITLE,	/* "module:marker" */
	SLOT_MARKER,
	NR_SLOTS
};

#define NO_SLOT		NR_SLOTS
#define MAX_SHOWN	65535	/* bytes of a text that we make ourselves */

/**
 * struct program - a filter for the events of a class
 * @shown: a bit for each field whose bytes are compared as text
 * @filter: the module's
 */
struct program {
	uint32_t shown;
	struct marker_filter filter;
};

/**
 * struct test - what became of a test of the text
 * @at: the column of its name
 * @is_good: there is an event that it can be for
 * @error: why there was none, or no text: no event has the name
 */
struct test {
	unsigned int at;
	bool is_good;
	struct marker_format_error error;
};

/**
 * struct filter - a filter and its programs
 * @next: another one; no filter is ever gone
 * @text: the filter
 * @nr_names: number of @name
 * @name: the names in it
 * @nr_programs: entries of @program
 * @program: by the number of the class
 */
struct filter {
	struct filter *next;
	const char *text;
	unsigned int nr_names;
	char *name[2 * MARKER_MAX_FILTER_TESTS];
	unsigned int nr_programs;
	struct program **program;
};

static struct filter *filters;

/**
 * struct compiler - makes the programs of a filter
 * @base: what the parser knows of it
 * @filter: the filter
 * @description: the metadata of the class
 * @class: the class
 * @shown: of its program
 * @nr: number of @test
 * @test: the tests of the text
 * @named: as for filter_compile()
 * @ctx: its first argument
 */
struct compiler {
	struct marker_filter_compiler base;
	struct filter *filter;
	const struct description *description;
	const struct event_class *class;
	uint32_t shown;
	unsigned int nr;
	struct test test[MARKER_MAX_FILTER_TESTS];
	void (*named)(void *ctx, const char *marker, const char *field);
	void *ctx;
};

static bool is_word(const char *word, unsigned int len, const char *name)
{
	return strlen(name) == len && !memcmp(word, name, len);
}

/* The contexts of a recording. */
static const struct {
	const char *name;
	enum marker_context context;
	unsigned int slot;
	struct marker_operand operand;
} contexts[] = {
	{ "tid", MARKER_CONTEXT_TID, MARKER_FILTER_TID, { MARKER_FIELD_INT, 4, true } },
	{ "pid", MARKER_CONTEXT_PID, MARKER_FILTER_PID, { MARKER_FIELD_INT, 4, true } },
	{ "flags", MARKER_CONTEXT_FLAGS, MARKER_FILTER_FLAGS, { MARKER_FIELD_INT, 2 } },
	{ "procname", MARKER_CONTEXT_PROCNAME, MARKER_FILTER_PROCNAME,
	  { .type = MARKER_FIELD_STRING, .max = CTF_PROCNAME_SIZE } },
	{ "vtid", MARKER_CONTEXT_VTID, SLOT_VTID, { MARKER_FIELD_INT, 4, true } },
	{ "vpid", MARKER_CONTEXT_VPID, SLOT_VPID, { MARKER_FIELD_INT, 4, true } },
	{ "prio", MARKER_CONTEXT_PRIO, SLOT_PRIO, { MARKER_FIELD_INT, 1, true } },
	{ "cgroup_id", MARKER_CONTEXT_CGROUP_ID, MARKER_FILTER_CGROUP_ID, { MARKER_FIELD_INT, 8 } },
	{ "callstack_kernel", MARKER_CONTEXT_CALLSTACK, SLOT_STACK,
	  { .type = MARKER_FIELD_STRING, .max = MAX_SHOWN } },
};

/* Without a module in the text, "marker" is the name alone. */
static unsigned int slot_of_marker(const struct marker_filter_words *words)
{
	return memchr(words->value, ':', words->value_len) ? SLOT_TITLE : SLOT_MARKER;
}

/* Find a context, or what is like one. Return: whether the event has it. */
static bool find_context(struct marker_operand *operand, const struct compiler *compiler,
			 const struct marker_filter_words *words)
{
	const char *dot = memchr(words->name, '.', words->name_len);
	const char *name = dot ? dot + 1 : words->name;
	const unsigned int len = words->name + words->name_len - name;
	unsigned int slot = NO_SLOT, i;

	if (is_word(name, len, "cpu")) {
		slot = MARKER_FILTER_CPU;
		*operand = (struct marker_operand){ MARKER_FIELD_INT, 4 };
	} else if (!dot && is_word(name, len, "marker")) {
		slot = slot_of_marker(words);
		*operand = (struct marker_operand){ .type = MARKER_FIELD_STRING, .max = MAX_SHOWN };
	}
	for (i = 0; i < ARRAY_SIZE(contexts) && slot == NO_SLOT; i++) {
		if (!is_word(name, len, contexts[i].name) ||
		    !(compiler->description->context_set & BIT(contexts[i].context)))
			continue;
		slot = contexts[i].slot;
		*operand = contexts[i].operand;
	}
	operand->arg = slot;
	operand->len_arg = MARKER_NO_ARG;
	operand->is_context = true;
	return slot != NO_SLOT;
}

/* Texts from behind a pointer are in the record, and bytes are compared as report shows them. */
static void use_recorded(struct marker_operand *operand, struct compiler *compiler,
			 const struct marker_field *field, unsigned int number)
{
	*operand = (struct marker_operand){
		.type = MARKER_FIELD_STRING, .arg = field->arg, .len_arg = MARKER_NO_ARG,
		.field = number, .max = MAX_SHOWN,
	};
	if (field->type != MARKER_FIELD_STRING)
		compiler->shown |= BIT(number);
}

/* Return: whether the event has it. */
static bool find_operand(struct marker_operand *operand, struct compiler *compiler,
			 const struct marker_filter_words *words)
{
	const struct marker_format *format = compiler->class->format;
	const struct marker_field *field = format->field;
	unsigned int i;

	for (i = 0; *words->name != '$' && i < format->nr_fields; i++) {
		if (!is_word(words->name, words->name_len, field[i].name))
			continue;
		if (marker_operand_find(operand, format, words->name, words->name_len))
			use_recorded(operand, compiler, &field[i], i);
		return true;
	}
	return find_context(operand, compiler, words);
}

static const char *keep_name(struct filter *filter, const char *word, unsigned int len)
{
	char *name = need_memory(strndup(word, len));

	if (filter->nr_names == ARRAY_SIZE(filter->name)) {	/* of a second trace */
		free(name);
		return NULL;
	}
	filter->name[filter->nr_names++] = name;
	return name;
}

static void tell_name(const struct compiler *compiler, const struct marker_filter_words *words)
{
	static const char prefix[] = "$ctx.";
	const unsigned int skip = *words->name == '$' ? strlen(prefix) : 0;

	if (is_word(words->name, words->name_len, "marker"))
		compiler->named(compiler->ctx, keep_name(compiler->filter, words->value,
							 words->value_len), NULL);
	else
		compiler->named(compiler->ctx, NULL, keep_name(compiler->filter, words->name + skip,
							       words->name_len - skip));
}

/* Find a test by its place in the text. */
static struct test *find_test(struct compiler *compiler, const struct marker_filter_words *words)
{
	struct test *test = compiler->test, *end = test + compiler->nr;

	while (test < end && test->at != words->name_at)
		test++;
	if (test == end) {
		compiler->nr++;
		*test = (struct test){ .at = words->name_at };
		tell_name(compiler, words);
	}
	return test;
}

static int compile(struct marker_filter_compiler *base, struct marker_filter_test *to,
		   struct marker_filter_string *string, bool *inverted,
		   const struct marker_format *format, const struct marker_filter_words *words,
		   struct marker_format_error *error)
{
	struct compiler *compiler = (struct compiler *)base;	/* it is its first member */
	struct test *test = find_test(compiler, words);
	struct marker_operand operand;

	(void)format;
	(void)error;
	if (!find_operand(&operand, compiler, words)) {
		marker_filter_tests_never(to);
		return 0;
	}
	if (!marker_filter_tests_compare(to, string, inverted, &operand, words, &test->error)) {
		test->is_good = true;
		return 0;
	}
	operand.takes_any = true;
	if (marker_filter_tests_compare(to, string, inverted, &operand, words, &test->error))
		marker_filter_tests_never(to);
	return 0;
}

static struct program *copy_program(const struct compiler *compiler, const struct marker_filter *filter)
{
	const size_t size = marker_filter_size(filter);
	struct program *program = need_memory(malloc(offsetof(struct program, filter) + size));

	program->shown = compiler->shown;
	memcpy((char *)program + offsetof(struct program, filter), filter, size);
	return program;
}

struct filter *filter_create(const char *text, struct filter_error *error)
{
	static struct marker_filter_work work;
	struct marker_format_error wrong;
	struct filter *filter;

	if (marker_filter_parse(&work, text, NULL, &wrong)) {
		*error = (struct filter_error){ wrong.column, wrong.why };
		return NULL;
	}
	filter = need_memory(calloc(1, sizeof(*filter)));
	filter->text = text;
	filter->next = filters;
	filters = filter;
	return filter;
}

static void add_program(struct filter *filter, struct compiler *compiler)
{
	static struct marker_filter_work work;
	const unsigned int number = compiler->class->number;
	struct marker_format_error wrong;

	/* a kernel may have been built without names of errors */
	reader_origin.description = compiler->description->error[EIO] ? compiler->description : NULL;
	compiler->shown = 0;
	if (number >= filter->nr_programs) {
		filter->program = need_memory(realloc(filter->program,
						      (number + 1) * sizeof(*filter->program)));
		memset(filter->program + filter->nr_programs, 0,
		       (number + 1 - filter->nr_programs) * sizeof(*filter->program));
		filter->nr_programs = number + 1;
	}
	if (!marker_filter_parse_by(&work, filter->text, compiler->class->format, &compiler->base, &wrong))
		filter->program[number] = copy_program(compiler, &work.filter);
}

bool filter_compile(struct filter *filter, const struct trace_info *info,
		    void (*named)(void *ctx, const char *marker, const char *field), void *ctx,
		    struct filter_error *error)
{
	struct compiler *compiler = need_memory(calloc(1, sizeof(*compiler)));
	bool good = true;
	unsigned int i;
	size_t n;

	compiler->base.compile = compile;
	compiler->filter = filter;
	compiler->named = named;
	compiler->ctx = ctx;
	for (n = 0; n < info->nr_descriptions; n++) {
		compiler->description = info->description[n];
		for (i = 0; i < compiler->description->nr_classes; i++) {
			compiler->class = description_class(compiler->description, i);
			if (compiler->class)
				add_program(filter, compiler);
		}
	}
	for (i = 0; i < compiler->nr && good; i++) {
		good = compiler->test[i].is_good || !compiler->test[i].error.why;
		*error = (struct filter_error){ compiler->test[i].error.column,
						compiler->test[i].error.why };
	}
	free(compiler);
	return good;
}

/* What report shows of bytes: for each argument, and for the stack. */
static __thread struct { char *text; size_t size; FILE *out; } texts[MARKER_MAX_ARGS + 1];

/* Write what report shows of bytes. Return: the text, valid until the next call for this slot. */
static uint64_t show_bytes(const struct value *value, unsigned int slot)
{
	const size_t at = slot < MARKER_MAX_ARGS ? slot : MARKER_MAX_ARGS;

	if (!texts[at].out)
		texts[at].out = need_memory(open_memstream(&texts[at].text, &texts[at].size));
	rewind(texts[at].out);
	text_value(texts[at].out, value);
	putc('\0', texts[at].out);
	fflush(texts[at].out);
	return (uintptr_t)texts[at].text;
}

static uint64_t show_field(const uint8_t *from, size_t size, unsigned int slot)
{
	static const struct field bytes = { .type = VALUE_BYTES, .base = 16, .bits = 8 };

	return show_bytes(&(struct value){ .field = &bytes, .text = (const char *)from, .size = size }, slot);
}

/* The arguments of the hit, from its record. */
static void read_args(uint64_t *args, const struct program *program, const struct record *record)
{
	const struct marker_format *format = record->class->format;
	const uint8_t *from = record->fields;
	unsigned int i;
	uint16_t nr;

	for (i = 0; i < format->nr_fields; i++) {
		const struct marker_field *field = &format->field[i];
		uint64_t *arg = &args[field->arg];

		if (field->len_arg != MARKER_NO_ARG)
			args[field->len_arg] = INT_MAX;
		*arg = (uintptr_t)from;
		switch (field->type) {
		case MARKER_FIELD_INT:
			*arg = 0;	/* a test does not look at bits that are not recorded */
			memcpy(arg, from, field->size);
			from += field->size;
			break;
		case MARKER_FIELD_STRING:
			from += strlen((const char *)from) + 1;
			break;
		case MARKER_FIELD_BYTES:
			if (program->shown & BIT(i))
				*arg = show_field(from, field->size, i);
			from += field->size;
			break;
		default:
			memcpy(&nr, from, sizeof(nr));
			if (program->shown & BIT(i))
				*arg = show_field(from + sizeof(nr), nr, i);
			from += sizeof(nr) + nr;
		}
	}
}

static void read_slots(uint64_t *slots, struct marker_contexts *read, const struct event *event)
{
	static const struct field addresses = { .type = VALUE_BYTES, .base = 16, .bits = 64 };

	record_contexts(read, event->record, event->description);
	slots[MARKER_FILTER_TID] = read->tid;
	slots[MARKER_FILTER_PID] = read->pid;
	slots[MARKER_FILTER_CPU] = event->cpu;
	slots[MARKER_FILTER_FLAGS] = read->flags;
	slots[MARKER_FILTER_PROCNAME] = (uintptr_t)read->procname;
	slots[SLOT_VTID] = read->vtid;
	slots[SLOT_VPID] = read->vpid;
	slots[SLOT_PRIO] = read->prio;
	slots[MARKER_FILTER_CGROUP_ID] = read->cgroup_id;
	slots[SLOT_TITLE] = (uintptr_t)event->kind->name;
	slots[SLOT_MARKER] = (uintptr_t)event->kind->marker;
	slots[SLOT_STACK] = (uintptr_t)"";
	if (read->nr_frames)
		slots[SLOT_STACK] = show_bytes(&(struct value){
			.field = &addresses, .text = (const char *)read->frames,
			.size = read->nr_frames * sizeof(uint64_t) }, MARKER_MAX_ARGS);
}

bool filter_passes(const struct filter *filter, const struct event *event)
{
	const struct program *program = filter->program[event->record->class->number];
	const struct marker_filter_test *test;
	uint64_t args[MARKER_MAX_ARGS], slots[NR_SLOTS];
	struct marker_contexts read;

	if (!program)
		return false;
	test = &program->filter.cell[0].test;
	args[0] = 0;	/* what never holds looks at it */
	read_args(args, program, event->record);
	if (test->contexts)
		read_slots(slots, &read, event);
	return marker_filter_passes(test, args, slots);
}

void filter_leave(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!texts[i].out)
			continue;
		fclose(texts[i].out);
		free(texts[i].text);
		texts[i].out = NULL;
	}
}

void filter_forget(struct filter *filter)
{
	unsigned int i;

	for (i = 0; i < filter->nr_programs; i++)
		free(filter->program[i]);
	free(filter->program);
	filter->program = NULL;
	filter->nr_programs = 0;
}
