// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "dat_formats.h"
#include "ftrace.h"

#define FIRST_ID	(LOST_ID + 1)
#define SYSTEM_SIZE	128

/**
 * struct format - a kind of event that occurs
 * @kind: the kind
 * @id: its number in the file
 * @system: the name under which readers look for it
 */
struct format {
	const struct kind *kind;
	uint16_t id;
	char system[SYSTEM_SIZE];
};

bool dat_is_comm(const struct kind *kind, const struct field *field)
{
	size_t size;

	if (field->type != VALUE_TEXT)
		return false;
	size = strlen(field->name);
	return size >= 4 && !strcmp(field->name + size - 4, "comm") && ftrace_is_known(kind);
}

unsigned int dat_size_of(const struct kind *kind, const struct field *field)
{
	if (dat_is_comm(kind, field))
		return COMM_SIZE;
	return field->type == VALUE_TEXT || field->type == VALUE_BYTES ? 4 : field->bits / 8;
}

/* The kernel's own events get the system that readers expect, others their module. */
static void system_of(const struct kind *kind, char name[SYSTEM_SIZE])
{
	if (ftrace_is_known(kind) && !strncmp(kind->marker, "sched_", 6))
		strcpy(name, "sched");
	else if (ftrace_is_known(kind) && strstr(kind->marker, "irq_"))
		strcpy(name, "irq");
	else
		snprintf(name, SYSTEM_SIZE, "%.*s", (int)strcspn(kind->name, ":"), kind->name);
}

uint16_t dat_formats_id(struct dat_formats *formats, const struct kind *kind)
{
	unsigned int nr = formats->nr_ids;
	struct format *format;

	if (kind->number >= nr) {
		formats->nr_ids = 2 * kind->number + 16;
		formats->id_of = need_memory(realloc(formats->id_of, formats->nr_ids *
						     sizeof(*formats->id_of)));
		memset(formats->id_of + nr, 0, (formats->nr_ids - nr) * sizeof(*formats->id_of));
	}
	if (formats->id_of[kind->number])
		return formats->id_of[kind->number];
	if (formats->nr_formats == MAX_FORMATS)
		return 0;
	/* a power of two: double the memory */
	nr = formats->nr_formats;
	if (!(nr & (nr - 1)))
		formats->format = need_memory(realloc(formats->format, (nr ? 2 * nr : 1) *
						      sizeof(*formats->format)));
	format = &formats->format[formats->nr_formats++];
	format->kind = kind;
	format->id = FIRST_ID + nr;
	system_of(kind, format->system);
	return formats->id_of[kind->number] = format->id;
}

/* Write the name of a field as a C identifier: readers use it in C expressions. */
static void put_name(FILE *out, const char *name)
{
	for (; *name; name++)
		putc(*name == '.' ? '_' : *name, out);
}

static const char *type_of(const struct field *field)
{
	bool is_signed = field->type == VALUE_SIGNED;

	switch (field->bits) {
	case 8:
		return is_signed ? "signed char" : "unsigned char";
	case 16:
		return is_signed ? "short" : "unsigned short";
	case 32:
		return is_signed ? "int" : "unsigned int";
	}
	return is_signed ? "long long" : "unsigned long long";
}

static void put_field(FILE *out, const struct kind *kind, const struct field *field,
		      unsigned int offset)
{
	if (dat_is_comm(kind, field)) {
		fputs("\tfield:char ", out);
		put_name(out, field->name);
		fprintf(out, "[%d]", COMM_SIZE);
	} else {
		fprintf(out, "\tfield:%s ", field->type == VALUE_TEXT ? "__data_loc char[]" :
			field->type == VALUE_BYTES ? "__data_loc unsigned char[]" : type_of(field));
		put_name(out, field->name);
	}
	fprintf(out, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", offset, dat_size_of(kind, field),
		field->type == VALUE_SIGNED);
}

static void put_conversion(FILE *out, const struct field *field)
{
	const char *size = field->bits > 32 ? "ll" : field->bits > 16 ? "" :
			   field->bits > 8 ? "h" : "hh";

	fputs(field->name, out);
	if (field->type == VALUE_TEXT || field->type == VALUE_BYTES)
		fputs("=%s", out);
	else if (field->base == 16)
		fprintf(out, "=0x%%%sx", size);
	else if (field->base == 8)
		fprintf(out, "=0%%%so", size);
	else
		fprintf(out, "=%%%s%c", size, field->type == VALUE_SIGNED ? 'd' : 'u');
}

static void put_argument(FILE *out, const struct kind *kind, const struct field *field)
{
	if (field->type == VALUE_BYTES) {
		fputs(", __print_hex(__get_dynamic_array(", out);
		put_name(out, field->name);
		fputs("), __get_dynamic_array_len(", out);
		put_name(out, field->name);
		fputs("))", out);
	} else if (field->type == VALUE_TEXT && !dat_is_comm(kind, field)) {
		fputs(", __get_str(", out);
		put_name(out, field->name);
		fputs(")", out);
	} else {
		fputs(", REC->", out);
		put_name(out, field->name);
	}
}

static void put_format(FILE *out, const struct kind *kind, unsigned int id)
{
	unsigned int i, offset = COMMON_SIZE;
	const char *between = "";

	fprintf(out, "name: %s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", kind->marker, id);
	for (i = 0; i < kind->nr_fields; i++) {
		put_field(out, kind, &kind->field[i], offset);
		offset += dat_size_of(kind, &kind->field[i]);
	}
	fputs("\nprint fmt: \"", out);
	for (i = 0; i < kind->nr_fields; i++) {
		fputs(between, out);
		put_conversion(out, &kind->field[i]);
		between = " ";
	}
	putc('"', out);
	for (i = 0; i < kind->nr_fields; i++)
		put_argument(out, kind, &kind->field[i]);
	putc('\n', out);
}

static void put_sized_format(FILE *out, const struct kind *kind, unsigned int id)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	need_memory(memory);
	put_format(memory, kind, id);
	fclose(memory);
	put_u64(out, size);
	fwrite(text, 1, size, out);
	free(text);
}

/* Sort by system, then by id. */
static int compare_formats(const void *a, const void *b)
{
	const struct format *one = a, *other = b;
	int order = strcmp(one->system, other->system);

	return order ? order : (one->id > other->id) - (one->id < other->id);
}

/* Write a system and its formats, which are in a row. Return: the first one of the next system. */
static const struct format *put_system(FILE *out, const struct format *first,
				       const struct format *end)
{
	const struct format *next = first;

	while (next < end && !strcmp(next->system, first->system))
		next++;
	fwrite(first->system, 1, strlen(first->system) + 1, out);
	put_u32(out, next - first);
	for (; first < next; first++)
		put_sized_format(out, first->kind, first->id);
	return next;
}

void dat_formats_put(FILE *out, struct dat_formats *formats)
{
	struct field count = { .name = (char *)"count", .type = VALUE_UNSIGNED, .bits = 64 };
	struct kind lost = { .name = "markers:lost_at_end", .marker = "lost_at_end",
			     .nr_fields = 1, .field = &count };
	struct field text = { .name = (char *)"callstack_kernel", .type = VALUE_TEXT };
	struct kind stack = { .name = "markers:stack", .marker = "stack", .nr_fields = 1,
			      .field = &text };
	const struct format *at, *end = formats->format + formats->nr_formats;
	unsigned int nr = 1;

	if (formats->nr_formats)
		qsort(formats->format, formats->nr_formats, sizeof(*formats->format), compare_formats);
	for (at = formats->format; at < end; at++)
		nr += at == formats->format || strcmp(at->system, at[-1].system);
	put_u32(out, nr);
	fwrite("markers", 1, 8, out);
	put_u32(out, 2);
	put_sized_format(out, &stack, STACK_ID);
	put_sized_format(out, &lost, LOST_ID);
	for (at = formats->format; at < end;)
		at = put_system(out, at, end);
}

void dat_formats_free(struct dat_formats *formats)
{
	free(formats->format);
	free(formats->id_of);
}
