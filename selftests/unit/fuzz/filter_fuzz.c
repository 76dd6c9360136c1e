// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: the text of a filter -> program -> does an event pass?
 *
 * The input is the filter, a NUL, a string, a NUL, and bytes for the arguments.
 * A text that is accepted must mean what filter_reference.h says; a refusal must name a place
 * in the text; and a filter for a format must be one without the format, too.
 */
#include <stdlib.h>

#include <markers/format/filter_run.h>
#include "../filter_reference.h"

#define check(c)	do { if (!(c)) { fprintf(stderr, "%s\n", #c); abort(); } } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u64 take_number(const uint8_t **data, size_t *size)
{
	size_t nr = min(*size, sizeof(u64));
	u64 number = 0;

	memcpy(&number, *data, nr);
	*data += nr;
	*size -= nr;
	return number;
}

/* A null pointer, memory that cannot be read, or the string. */
static u64 pointer(u64 number, const char *string)
{
	return number & 6 ? (uintptr_t)string : number & 1 ? 42 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char text[] = "a %d b %u c %hhd d %hu e %lld f %llu g %c s %s t %.3s p %.*s at %pa mac %pM";
	struct marker_filter_work *work = malloc(sizeof(*work));
	u64 args[MARKER_MAX_ARGS], contexts[MARKER_NR_FILTER_CONTEXTS];
	struct marker_format_error error = { 0 };
	const struct marker_filter_test *test;
	struct marker_filter *filter;
	char *input, *string;
	struct marker_format format;
	unsigned int i;
	size_t bytes;
	bool passes;
	u64 number;
	u32 next;

	check(!marker_format_parse(&format, text, &error));
	input = malloc(size + 2);
	memcpy(input, data, size);
	input[size] = input[size + 1] = '\0';
	string = strdup(input + strlen(input) + 1);
	bytes = min(size, strlen(input) + strlen(string) + 2);
	data += bytes;
	size -= bytes;
	for (i = 0; i < 7; i++)
		args[i] = take_number(&data, &size);
	for (i = 0; i < 4; i++)
		contexts[i] = take_number(&data, &size);
	number = take_number(&data, &size);
	args[7] = pointer(number, string);
	args[8] = pointer(number >> 3, string);
	args[9] = (int8_t)(number >> 16);
	args[10] = pointer(number >> 6, string);
	args[11] = number & 0x1000 ? (uintptr_t)&number : 42;
	args[12] = 0;
	contexts[MARKER_FILTER_PROCNAME] = (uintptr_t)string;

	if (marker_filter_parse(work, input, &format, &error)) {
		check(error.why && error.column <= strlen(input));
		goto out;
	}
	bytes = marker_filter_size(&work->filter);
	filter = malloc(bytes);
	memcpy(filter, &work->filter, bytes);
	test = &filter->cell[0].test;
	passes = marker_filter_passes(test, args, contexts);
	check(passes == reference_passes(input, &format, args, contexts));
	next = marker_filter_run(&test, args, false);
	check(passes == (next == MARKER_FILTER_MORE ?
			 marker_filter_passes(test, args, test->contexts ? contexts : NULL) :
			 next == MARKER_FILTER_PASS));
	free(filter);
	check(!marker_filter_parse(work, input, NULL, &error));
out:
	free(string);
	free(input);
	free(work);
	return 0;
}
