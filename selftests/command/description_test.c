// SPDX-License-Identifier: GPL-2.0
/*
 * Metadata as markers.ko writes them, read again: each kind of field and of context, with and
 * without the format; and others, which are refused.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <stdarg.h>

#include <markers/format/context.h>
#include <markers/format/metadata.h>
#include <markers/ring/packet_read.h>

#include "description.h"
#include "record.h"
#include "tap.h"

static char text[65536];

static void emit(void *ctx, const char *bytes, size_t nr)
{
	(void)ctx;
	strncat(text, bytes, nr);
}

static const struct marker_metadata_out out = { emit, NULL };
static const u8 uuid[CTF_UUID_SIZE] = { 1, 2, 3, 4 };

static void write_header(u32 contexts)
{
	struct marker_metadata_env env = {
		.hostname = "host", .kernel_release = "6.1", .kernel_version = "#1",
		.clock_name = "mono", .clock_description = "a \"clock\"", .clock_freq = 1000000000,
		.clock_offset_s = 5, .clock_offset = 7, .contexts = contexts,
	};

	memcpy(env.uuid, uuid, sizeof(uuid));
	text[0] = '\0';
	marker_metadata_header(&out, &env);
}

static void write_event(u32 id, const char *format_text)
{
	struct marker_format_error error;
	struct marker_format format;

	if (!ok(!marker_format_parse(&format, format_text, &error), "a format: %s", format_text))
		return;
	marker_metadata_event(&out, uuid, id, "m:event", &format);
}

/* Take the formats out, as if an older version had written the metadata. */
static void drop_formats(void)
{
	char *line, *end;

	while ((line = strstr(text, MARKER_METADATA_FORMAT))) {
		end = strchr(line, '\n') + 1;
		memmove(line, end, strlen(end) + 1);
	}
}

static struct description *parse(void)
{
	char *wrong;
	struct description *description = description_parse(text, &wrong);

	if (!ok(description, "is read")) {
		printf("# %s\n", wrong);
		free(wrong);
	}
	return description;
}

static void test_header(void)
{
	struct description *description;

	write_header(0);
	description = parse();
	if (!description)
		return;
	is_str(description->host, "host", "the host");
	is_str(description->release, "6.1", "the kernel");
	is_str(description->clock, "a \"clock\"", "the clock");
	is_int(description->offset, 5000000007, "its offset");
	ok(!memcmp(description->uuid, uuid, sizeof(uuid)), "the uuid");
	ok(!description_class(description, 0), "there is no event");
	description_free(description);
}

static void test_contexts(void)
{
	struct description *description;

	write_header(MARKER_CONTEXT_ALL);
	description = parse();
	if (!description)
		return;
	is_int(description->contexts.nr_fields, MARKER_NR_CONTEXTS, "all contexts");
	is_int(description->context_size, marker_context_size(marker_context_tag(MARKER_CONTEXT_ALL)),
	       "their bytes");
	description_free(description);
}

/* Before there were numbers of three bytes, or names of errors. */
static void test_old_head(void)
{
	char *line, *end;

	write_header(0);
	line = strstr(text, "typealias integer { size = 24;");
	end = strchr(line, '\n') + 1;
	memmove(line, end, strlen(end) + 1);
	line = strstr(text, "enum error_t");
	end = strstr(line, "\ntrace {");
	memmove(line, end, strlen(end) + 1);
	description_free(parse());
}

/* Names of errors are shown as they are. */
static void test_errors(void)
{
	static const char errors[] = "enum error_t : int64_t {\n\t\"EPERM\" = -1,\n\t\"E\033O\" = -5,\n\t\"E\nX\" = -6\n};\n";
	struct description *description;
	char *line, *end;

	write_header(0);
	line = strstr(text, "enum error_t");
	end = strstr(line, "\ntrace {");
	memmove(line + strlen(errors), end, strlen(end) + 1);
	memcpy(line, errors, strlen(errors));
	description = parse();
	if (!description)
		return;
	is_str(description->error[1], "EPERM", "the name of an error");
	ok(!description->error[5], "a name with an escape is none");
	ok(!description->error[6], "nor is one with a newline");
	description_free(description);
}

static void test_cut_head(void)
{
	struct description *description;
	size_t size, nr = 0, said = 0;
	char *wrong;

	write_header(BIT(MARKER_CONTEXT_TID));
	for (size = strlen(text); size--; nr++) {
		text[size] = '\0';
		wrong = NULL;
		description = description_parse(text, &wrong);
		said += !description && wrong;
		description_free(description);
		free(wrong);
	}
	is_int(said, nr, "cut off at any byte, the head is refused");
}

/* Tasks had numbers of four bytes. */
static void test_old_contexts(void)
{
	struct description *description;

	write_header(BIT(MARKER_CONTEXT_TID));
	memcpy(strstr(text, "int24_t _tid"), "int32_t", 7);
	description = parse();
	if (!description)
		return;
	is_int(description->context_size, 4, "four bytes");
	description_free(description);
}

static const char *const formats[] = {
	"", "no fields", "d %d u %u x %x X %X o %o c %c ll %lld h %hd hh %hhu", "s %s, %.5s, 100 %%",
	"a \"quoted\" { brace } and a \\ and */ no end %d", "mac %pM ip %pI4 %pI6", "bytes %*ph of %4phC",
	"*/", "\"*/", "**//*/ d %d /* */", "\n};\n\nevent {\n d %d", "tab\tbell\a del\x7f d %d\r\n",
	"\\", "\\057 \\\" \\\\ d %d \\", "} { }{ d %d", "\xc3\xa9 \xe2\x82\xac \xff\x80 d %d \xfe", "7\0017 d %d",
	"p %p, %pS", "err %pe", "res %pR time %ptR", "size %pa", "list %*pbl", "x %#llx name=%s",
};

static size_t longest;	/* text in which sscanf() looked for a name */

static int scan(const char *from, const char *format, va_list args)
{
	if (strstr(format, "%127") && strlen(from) > longest)
		longest = strlen(from);
	return vsscanf(from, format, args);
}

/* Replace sscanf() of the C library, which has a name for each standard of C. */
#define REPLACE(function)						\
int function(const char *from, const char *format, ...);		\
int function(const char *from, const char *format, ...)		\
{									\
	va_list args;							\
	int nr;								\
									\
	va_start(args, format);						\
	nr = scan(from, format, args);					\
	va_end(args);							\
	return nr;							\
}

REPLACE(__isoc99_sscanf)
REPLACE(__isoc23_sscanf)

static void test_formats(void)
{
	struct description *description;
	const struct event_class *class;
	u32 i;

	write_header(0);
	for (i = 0; i < ARRAY_SIZE(formats); i++)
		write_event(i, formats[i]);
	description = parse();
	for (i = 0; description && i < ARRAY_SIZE(formats); i++) {
		class = description_class(description, i);
		is_str(class ? class->text : "", formats[i], "the format comes back");
	}
	description_free(description);
}

static void test_without_formats(void)
{
	struct description *description;
	const struct event_class *class;
	u32 i;

	write_header(0);
	for (i = 0; i < ARRAY_SIZE(formats); i++)
		write_event(i, formats[i]);
	drop_formats();
	description = parse();
	for (i = 0; description && i < ARRAY_SIZE(formats); i++) {
		class = description_class(description, i);
		ok(class && !class->has_words, "the fields of: %s", formats[i]);
	}
	if (description)
		is_str(description_class(description, 3)->text, "s=%s s_2=%s", "a format is made of fields");
	/* sscanf() reads its text to the end: not the rest of the metadata for each field */
	ok(longest > 0 && longest < 200, "line by line, %zu bytes at most", longest);
	description_free(description);
}

/* A field may have another name than its format gives it, as that of a note has. */
static void test_other_name(void)
{
	struct description *description;
	const struct event_class *class;

	write_header(0);
	write_event(1, "name=%s");
	memcpy(strstr(text, "_name;"), "_text;", strlen("_text;"));
	description = parse();
	if (!description)
		return;
	class = description_class(description, 1);
	ok(class && !class->has_words, "its format does not fit");
	is_str(class ? class->text : "", "text=%s", "so it is made of the fields");
	description_free(description);
}

/* A header of event 40, which is a medium one; an int32, a text, four bytes, three bytes of at most 64. */
static const char record[] = "\x1e\0\0\0" "\x28\0" "\xff\xff\xff\xff" "abc\0" "\1\2\3\4" "\3\0" "xyz";

static void test_record(void)
{
	const size_t size = sizeof(record) - 1;
	struct description *description;
	struct packet_iter iter = { .data = (const u8 *)record, .end = size, .header.timestamp_end = UINT64_MAX };
	struct record found;
	static struct event event;
	size_t cut, nr = 0;
	uint32_t id;

	write_header(0);
	write_event(40, "n %d s %s b %4ph h %*ph");
	description = parse();
	if (!description)
		return;
	is_int(record_size(description, record, size, &id), size, "its bytes");
	is_int(id, 40, "its number");
	for (cut = 0; cut < size; cut++) {
		char *copy = malloc(cut ? cut : 1);	/* without spare bytes, for the sanitizer */

		memcpy(copy, record, cut);
		nr += record_size(description, copy, cut, &id) != 0;
		free(copy);
	}
	is_int(nr, 0, "cut off at any byte, it is none");
	is_int(record_size(description, "\1\0\0\0", 4, &id), 0, "an unknown one");

	ok(!record_next(&found, &iter, description) && found.class, "a record");
	event.kind = found.class->kind;
	record_values(&event, &found, description);
	is_int(event.nr_values, 4, "its values");
	is_int((int64_t)event.value[0].number, -1, "a number");
	is_str(event.value[1].text, "abc", "a text");
	ok(event.value[2].size == 4 && !memcmp(event.value[2].text, "\1\2\3\4", 4), "bytes");
	ok(event.value[3].size == 3 && !memcmp(event.value[3].text, "xyz", 3), "as many as it says");
	ok(!record_next(&found, &iter, description) && !found.class, "there is no other");
	description_free(description);
}

/* @old becomes @new, and that is refused. */
static void refuses(const char *old, const char *new, const char *why)
{
	char *at, *wrong = NULL;
	struct description *description;
	unsigned int line = 0;
	int length = 0;

	write_header(BIT(MARKER_CONTEXT_TID));
	write_event(1, "n %d");
	at = strstr(text, old);
	memmove(at + strlen(new), at + strlen(old), strlen(at + strlen(old)) + 1);
	memcpy(at, new, strlen(new));
	description = description_parse(text, &wrong);
	ok(!description, "%s in place of %s", new, old);
	ok(wrong && sscanf(wrong, "line %u: %n", &line, &length) == 1 && line > 1, "and where: line %u", line);
	is_str(wrong ? wrong + length : "", why, "and why");
	description_free(description);
	free(wrong);
}

static void test_refused(void)
{
	const char *fields = "m:event: its fields are not as this version of markers records them; a newer markers may read it";
	const char *headers = "its headers or contexts are not as this version of markers records them; a newer markers may read it";

	refuses("int32_t _n;", "float _n;", fields);
	refuses("int32_t _n;", "int32_t _n;\n\t\tint32_t _n;", fields);
	refuses("int32_t _n;", "struct { float a; } _n;", fields);
	refuses("int24_t _tid", "int16_t _tid", headers);
	refuses("_tid", "_none", headers);
	refuses("uint32_t cpu_id", "uint16_t cpu_id", headers);
	refuses("size = 27;", "size = 28;", headers);
	refuses("{ size = 64; align = 8;", "{ size = 64; align = 1;", headers);
	refuses(":= int24_t;", ":= int25_t;", headers);
	refuses("error_t : int64_t", "error_t : int32_t", headers);
	refuses("major = 1;", "major = 2;", headers);
	refuses("byte_order = le;", "byte_order = be;", headers);
	refuses("\nenv {", "\ntypealias integer { size = 7; } := uint5_t;\nenv {", headers);
	refuses("map = clock.mono.value", "map = clock.other.value", headers);
	refuses("\t};\n};\n\nevent {", "\t};\n\tid = 3;\n};\n\nevent {", headers);
	refuses("freq = 1000000000", "freq = 0", "there is no clock with a frequency");
	refuses("\tuuid = \"01", "\tuuid = \"xy", "there is no uuid");
	refuses("\tid = 1;\n", "", "an event has no name or no number");
	refuses("\tid = 1;\n", "\tid = 99999999;\n", "an event has no name or no number");
}

static void is_time(int64_t seconds, const char *spec, const char *wanted)
{
	char buf[64];

	reader_print_extension(buf, sizeof(buf), spec, &seconds);
	is_str(buf, wanted, "%s of %" PRId64, spec, seconds);
}

/* As the kernel prints them: a year is an int there, and has no sign. */
static void test_years(void)
{
	is_time(0, "%ptT", "1970-01-01T00:00:00");
	is_time(-1, "%ptTs", "1969-12-31 23:59:59");
	is_time(951782400, "%ptTd", "2000-02-29");
	is_time(951782400, "%ptTdr", "0100-01-29");
	is_time(INT64_MAX, "%ptT", "219250468-12-04T15:30:07");
	is_time(INT64_MIN, "%ptT", "18446744073490305087-01-27T08:29:52");
}

int main(void)
{
	test_header();
	test_contexts();
	test_old_contexts();
	test_old_head();
	test_errors();
	test_cut_head();
	test_formats();
	test_without_formats();
	test_other_name();
	test_record();
	test_refused();
	test_years();
	return tap_done();
}
