// SPDX-License-Identifier: GPL-2.0
/*
 * markers/format/format.c: the fields of format strings, and the formats that are refused.
 */
#include <markers/format/format.h>
#include "tap.h"

static struct marker_format format;
static struct marker_format_error error;

static const char * const objects[] = {
	"none", "error", "number", "seconds", "resource", "time", "sockaddr", "bitmap",
	"dentry", "file", "node", "name", "unit", "disk", "nested",
};

/* All fields in one line: "name:type[size]", such as "len:u4 name:s". */
static const char *describe(const char *text)
{
	static char line[2048];
	const struct marker_field *f;
	char *at = line;

	*at = '\0';
	if (marker_format_parse(&format, text, &error)) {
		sprintf(line, "column %u: %s", error.column, error.why);
		return line;
	}
	for (f = format.field; f < format.field + format.nr_fields; f++) {
		at += sprintf(at, "%s%s:", f == format.field ? "" : " ", f->name);
		switch (f->type) {
		case MARKER_FIELD_INT:
			at += sprintf(at, "%c%u", f->is_char ? 'c' :
				      f->is_signed ? 'i' : f->base == 16 ? 'x' :
				      f->base == 8 ? 'o' : 'u', f->size);
			break;
		case MARKER_FIELD_STRING:
			at += sprintf(at, "s");
			if (f->max != MARKER_MAX_STRING)
				at += sprintf(at, "%u", f->max);
			break;
		case MARKER_FIELD_BYTES:
			at += sprintf(at, "b%u", f->size);
			break;
		case MARKER_FIELD_SEQUENCE:
			at += sprintf(at, "seq");
			break;
		}
		if (f->len_arg != MARKER_NO_ARG)
			at += sprintf(at, "(%u)", f->len_arg);
		if (f->object)
			at += sprintf(at, "/%s", objects[f->object]);
		if (f->depth)
			at += sprintf(at, "%u", f->depth);
	}
	return line;
}

/* Each format has these fields. */
static void check_all(const char * const cases[][2], size_t nr, const char *what)
{
	size_t i;

	for (i = 0; i < nr; i++)
		is_str(describe(cases[i][0]), cases[i][1], "%s in '%s'", what, cases[i][0]);
}

#define all_are(cases, what)	check_all(cases, ARRAY_SIZE(cases), what)

/* The word before the conversion. */
static void test_names(void)
{
	static const char * const cases[][2] = {
		{ "name %d", "name:i4" },
		{ "name=%d", "name:i4" },
		{ "name: %d", "name:i4" },
		{ "name:%d", "name:i4" },
		{ "name = \"%s\"", "name:s" },
		{ "name '%s'", "name:s" },
		{ "name(%d)", "name:i4" },
		{ "name[%d]", "name:i4" },
		{ "name{%d}", "name:i4" },
		{ "name<%d>", "name:i4" },
		{ "name #%d", "name:i4" },
		{ "name%d", "name:i4" },
		{ "%d", "arg0:i4" },
		{ "%d %d", "arg0:i4 arg1:i4" },
		{ "%d %d", "arg0:i4 arg1:i4" },
		{ "the name of %d", "of:i4" },
		{ "name, %d", "name:i4" },
		{ "name- %d", "name:i4" },
		{ "a.b=%d", "b:i4" },
		{ "a->b=%d", "b:i4" },
		{ "addr=0x%lx", "addr:x8" },
		{ "addr 0X%lx", "addr:x8" },
		{ "0x%x", "arg0:x4" },
		{ "foo0x%x", "foo0x:x4" },
		{ "_x%d", "_x:i4" },
		{ "__x9 %d", "__x9:i4" },
		{ "9 %d", "arg0:i4" },
		{ "9x %d", "arg0:i4" },
		{ "x9 %d", "x9:i4" },
		{ "100%% %d", "arg0:i4" },
		{ "100%% done %d", "done:i4" },
		{ "\xc3\xb6 %d", "arg0:i4" },
		{ "struct %d event %d", "struct:i4 event:i4" },
		{ "name %d trailing text", "name:i4" },
		{ "name %d  \n", "name:i4" },
		{ " ", "" },
		{ "", "" },
		{ "%%", "" },
		{ "%%d", "" },
		{ "%%%d", "arg0:i4" },
	};

	all_are(cases, "names");
}

/* A letter that is not ASCII is one underscore inside a word, and nothing around it. */
static void test_other_letters(void)
{
	static const char * const cases[][2] = {
		{ "gr\xc3\xb6sse %d", "gr_sse:i4" },
		{ "temp\xc3\xa9rature %d", "temp_rature:i4" },
		{ "gr\xc3\xb6\xc3\x9f" "e %d", "gr_e:i4" },
		{ "qualit\xc3\xa9 %d", "qualit:i4" },
		{ "\xc3\xa9tat %d", "tat:i4" },
		{ "dev \xe2\x86\x92 %d", "dev:i4" },
		{ "9\xc3\xa9x %d", "arg0:i4" },
		{ "%d\xc2\xb0" "C %d", "arg0:i4 arg1:i4" },
	};

	all_are(cases, "names");
}

/* The letters of a conversion are no name. */
static void test_words_between(void)
{
	static const char * const cases[][2] = {
		{ "%lld%d", "arg0:i8 arg1:i4" },
		{ "%pS %d", "arg0:x8 arg1:i4" },
		{ "%d_x %d", "arg0:i4 arg1:i4" },
		{ "%dx%d", "arg0:i4 arg1:i4" },
		{ "took %dms of %dms", "took:i4 of:i4" },
		/* The nearest word before it, however far away. */
		{ "size %dx%d", "size:i4 size_2:i4" },
		{ "status [0x%02x]", "status:x4" },
		{ "reg[%d] = 0x%x", "reg:i4 reg_2:x4" },
		{ "failed (%s), %d", "failed:s failed_2:i4" },
		{ "port 9 - %d", "port:i4" },
		{ "at %02x:%02x.%d on %d", "at:x4 at_2:x4 at_3:i4 on:i4" },
	};

	all_are(cases, "names");
}

/* Before the first word. */
static void test_prefixes(void)
{
	static const char * const cases[][2] = {
		{ "%s: link is %d", "prefix:s is:i4" },
		{ "dev %s: %d of %d", "dev:s prefix:i4 of:i4" },
		{ "dev %s: %d", "dev:s arg1:i4" },
		{ "dev %s%s: %d of %d", "dev:s dev_2:s prefix:i4 of:i4" },
		{ "dev %s%s%s: %d", "dev:s dev_2:s dev_3:s arg3:i4" },
		{ "dev %s %s: %d", "dev:s dev_2:s dev_3:i4" },
		{ "dev %s%d: %d", "dev:s dev_2:i4 dev_3:i4" },
		{ "dev %d: %d of %d", "dev:i4 dev_2:i4 of:i4" },
		{ "%s %d: 9 is %d", "prefix:s prefix_2:i4 is:i4" },
		{ "%d bytes", "prefix:i4" },
		{ "%d%% of %d", "prefix:i4 of:i4" },
		{ "[%d] %s", "arg0:i4 arg1:s" },
		{ "prefix %d", "prefix:i4" },
		{ "%d prefix %d", "prefix:i4 prefix_2:i4" },
		{ "sector %llu bytes %u write %d", "sector:u8 bytes:u4 write:i4" },
	};

	all_are(cases, "names");
}

/* Names are distinct, whatever it takes. */
static void test_distinct_names(void)
{
	static const char * const cases[][2] = {
		{ "x %d x %d x %d", "x:i4 x_2:i4 x_3:i4" },
		{ "x %d x %d x_2 %d", "x:i4 x_3:i4 x_2:i4" },
		{ "x_2 %d x %d x %d", "x_2:i4 x:i4 x_3:i4" },
		{ "x_2 %d x_2 %d x %d x %d", "x_2:i4 x_2_2:i4 x:i4 x_3:i4" },
		{ "arg1 %d %d", "arg1:i4 arg1_2:i4" },
		{ "%d arg0 %d", "prefix:i4 arg0:i4" },
		/* One underscore more is not enough of a difference. */
		{ "_x %d x %d __x %d", "_x:i4 x_2:i4 __x_2:i4" },
		{ "x %d _x %d", "x:i4 _x_2:i4" },
	};

	all_are(cases, "names");
}

/* Cut to 47 characters, and still distinct. */
static void test_long_names(void)
{
	static const char * const cases[][2] = {
		{ "a1234567890123456789012345678901234567890123456789 %d",
		  "a1234567890123456789012345678901234567890123456:i4" },
		{ "a1234567890123456789012345678901234567890123456 %d "
		  "a12345678901234567890123456789012345678901234567 %d",
		  "a1234567890123456789012345678901234567890123456:i4 "
		  "a12345678901234567890123456789012345678901234_2:i4" },
		{ "a1234567890123456789012345678901234567890123456 %d "
		  "a1234567890123456789012345678901234567890123456 %d "
		  "a12345678901234567890123456789012345678901234_2 %d",
		  "a1234567890123456789012345678901234567890123456:i4 "
		  "a12345678901234567890123456789012345678901234_3:i4 "
		  "a12345678901234567890123456789012345678901234_2:i4" },
	};

	all_are(cases, "names");
}

static void test_types(void)
{
	static const char * const cases[][2] = {
		{ "%d%i%u%x%X%o%c", "arg0:i4 arg1:i4 arg2:u4 arg3:x4 arg4:x4 "
				    "arg5:o4 arg6:c1" },
		{ "%hhd%hd%ld%lld%zd%td%jd", "arg0:i1 arg1:i2 arg2:i8 arg3:i8 "
					     "arg4:i8 arg5:i8 arg6:i8" },
		{ "%hhu%hx%lo%llX%zu%tx%ju", "arg0:u1 arg1:x2 arg2:o8 arg3:x8 "
					     "arg4:u8 arg5:x8 arg6:u8" },
		{ "%-+ #08.3d", "arg0:i4" },
		{ "%4095.4095d", "arg0:i4" },
		{ "%-5c", "arg0:c1" },
		{ "%s%.20s%.s%.0s%10.5s", "arg0:s arg1:s21 arg2:s1 arg3:s1 "
					  "arg4:s6" },
		{ "%.1022s", "arg0:s1023" },
		{ "%.1023s%.1024s%.999999999999s", "arg0:s arg1:s arg2:s" },
		{ "%.*s %d", "arg0:s(0) arg1:i4" },
		{ "%-10.*s", "arg0:s(0)" },
		{ "%p%px%pK%pS%ps%pB", "arg0:x8 arg1:x8 arg2:x8 arg3:x8 arg4:x8 "
				       "arg5:x8" },
		{ "%pI4%pi4%pI6%pi6%pI6c", "arg0:b4 arg1:b4 arg2:b16 arg3:b16 "
					   "arg4:b16" },
		{ "%pM%pm%pMF%pMR", "arg0:b6 arg1:b6 arg2:b6 arg3:b6" },
		{ "%pU%pUb%pUB%pUl%pUL", "arg0:b16 arg1:b16 arg2:b16 arg3:b16 "
					 "arg4:b16" },
		{ "%ph%4phC%64phN%65phD", "arg0:b1 arg1:b4 arg2:b64 arg3:b64" },
		{ "%*ph %*phN", "arg0:seq(0) arg1:seq(2)" },
		{ "%Ld%Lx%LX%#018Lu", "arg0:i8 arg1:x8 arg2:x8 arg3:u8" },
		{ "%pe", "arg0:i8/error" },
		{ "%pa%pap%pad%p4cc%pNF%pGp%pGv%pGg",
		  "arg0:b8/number arg1:b8/number arg2:b8/number arg3:b4/number "
		  "arg4:b8/number arg5:b8/number arg6:b8/number arg7:b4/number" },
		{ "%pR%pr%ptR%ptRdrs%ptT%ptTt",
		  "arg0:b32/resource arg1:b32/resource arg2:b36/time arg3:b36/time "
		  "arg4:b8/seconds arg5:b8/seconds" },
		{ "%pI4h%pI4n%pI4b%pI4l%pSR", "arg0:b4 arg1:b4 arg2:b4 arg3:b4 arg4:x8" },
		{ "%pIS%pISpc%pISpfschnbl", "arg0:seq/sockaddr arg1:seq/sockaddr "
					   "arg2:seq/sockaddr" },
		{ "%*pE%5pE%pE", "arg0:seq(0) arg1:b5 arg2:b1" },
		{ "%*pb%*pbl%9pbl%512pb", "arg0:seq(0)/bitmap arg1:seq(2)/bitmap "
					  "arg2:b2/bitmap arg3:b64/bitmap" },
		{ "%pd%pd2%pd3%pd4", "arg0:s/dentry1 arg1:s/dentry2 arg2:s/dentry3 "
				     "arg3:s/dentry4" },
		{ "%pD%pD2%pD3%pD4", "arg0:s/file1 arg1:s/file2 arg2:s/file3 "
				     "arg3:s/file4" },
		{ "%pOF%pOFf%pOFn%pOFP", "arg0:s/node arg1:s/node arg2:s/name arg3:s/unit" },
		{ "%pg%pV", "arg0:s/disk arg1:s/nested" },
		{ "ip %pI4, %d", "ip:b4 ip_2:i4" },
		{ "%p_x", "arg0:x8" },
	};

	all_are(cases, "types");
}

struct refusal {
	const char *text;
	unsigned int column;
	const char *why;
};

/* Prints the format with a caret under the column, as a person would see it. */
static void check_refused(const struct refusal *one, size_t nr)
{
	for (; nr; nr--, one++) {
		memset(&error, 0, sizeof(error));
		if (!ok(marker_format_parse(&format, one->text, &error) == -EINVAL &&
			error.column == one->column && !strcmp(error.why, one->why),
			"'%s' is refused", one->text))
			printf("# wanted column %u: %s\n", one->column, one->why);
		printf("#   %s\n#   %*s %s\n", one->text, (int)error.column + 1, "^", error.why);
	}
}

#define all_are_refused(cases)	check_refused(cases, ARRAY_SIZE(cases))

/* What no trace can hold. */
static void test_refused_kinds(void)
{
	static const struct refusal cases[] = {
		{ "x %n", 3, "%n cannot be recorded" },
		{ "x %5lln", 6, "%n cannot be recorded" },
		{ "load %f", 6, "floating point cannot be recorded" },
		{ "%.2g", 3, "floating point cannot be recorded" },
		{ "%Lf", 2, "floating point cannot be recorded" },
		{ "%lA", 2, "floating point cannot be recorded" },
		{ "%lc", 1, "wide characters cannot be recorded" },
		{ "%ls", 1, "wide characters cannot be recorded" },
	};

	all_are_refused(cases);
}

/* A '*' that is no length of a field. */
static void test_refused_stars(void)
{
	static const struct refusal cases[] = {
		{ "%*d", 1, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%-*d", 2, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%.*d", 2, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%*s", 1, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%*.*s", 1, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%5.*ph", 3, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%*p", 1, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%*pM", 1, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%*c", 1, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%*pISp", 1, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%*pd", 1, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
		{ "%.*pd", 2, "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only" },
	};

	all_are_refused(cases);
}

static void test_refused_modifiers(void)
{
	static const struct refusal cases[] = {
		{ "%hs", 1, "no length modifier is allowed here" },
		{ "%lp", 1, "no length modifier is allowed here" },
		{ "%.3c", 1, "no precision is allowed here" },
		{ "%.3p", 1, "no precision is allowed here" },
		{ "%.5pd", 1, "no precision is allowed here" },
	};

	all_are_refused(cases);
}

static void test_refused_pointers(void)
{
	static const struct refusal cases[] = {
		{ "%pF", 2, "this %p extension cannot be recorded" },
		{ "%pf", 2, "this %p extension cannot be recorded" },
		{ "%pI5", 2, "this %p extension cannot be recorded" },
		{ "%pI4x", 2, "this %p extension cannot be recorded" },
		{ "%pI6cc", 2, "this %p extension cannot be recorded" },
		{ "%pOFp", 2, "this %p extension cannot be recorded" },
		{ "%pOFnP", 2, "this %p extension cannot be recorded" },
		{ "%pd1", 2, "this %p extension cannot be recorded" },
		{ "%pd5", 2, "this %p extension cannot be recorded" },
		{ "%pRx", 2, "this %p extension cannot be recorded" },
		{ "%pEs", 2, "this %p extension cannot be recorded" },
		{ "%pISpp", 2, "this %p extension cannot be recorded" },
		{ "%pISpfschnblx", 2, "this %p extension cannot be recorded" },
		{ "%ptRR", 2, "this %p extension cannot be recorded" },
		{ "%pfwP", 2, "the name of a fwnode is known to its provider only" },
		{ "%pCn", 2, "the name of a clock cannot be read at the hit" },
		{ "%pbl", 1, "a bitmap needs its bits: %*pbl" },
		{ "%px0", 2, "this %p extension cannot be recorded" },
		{ "%0pbl", 2, "a bitmap needs its bits: %*pbl" },
		{ "%pSb", 2, "this %p extension cannot be recorded" },
	};

	all_are_refused(cases);
}

static void test_refused_incomplete(void)
{
	static const struct refusal cases[] = {
		{ "x %", 3, "the conversion is not complete" },
		{ "x %-5", 5, "the conversion is not complete" },
		{ "x %ll", 5, "the conversion is not complete" },
		{ "x %.", 4, "the conversion is not complete" },
		{ "%5%", 2, "unknown conversion" },
		{ "%k", 1, "unknown conversion" },
		{ "%1$d", 2, "unknown conversion" },
		{ "%'d", 1, "unknown conversion" },
		{ "%hhhd", 3, "unknown conversion" },
		{ "%.-3d", 2, "unknown conversion" },
	};

	all_are_refused(cases);
}

static void test_refused_sizes(void)
{
	static const struct refusal cases[] = {
		{ "%513pbl", 1, "the width is too large" },
		{ "%4096d", 1, "the width is too large" },
		{ "%99999999999999999999d", 1, "the width is too large" },
		{ "%.4096d", 1, "the precision is too large" },
		{ "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d", 32,
		  "more than 16 arguments" },
		{ "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%.*s", 30,
		  "more than 16 arguments" },
	};

	all_are_refused(cases);
}

static void test_limits(void)
{
	static char text[MARKER_MAX_FORMAT + 1];

	memset(text, 'x', MARKER_MAX_FORMAT);
	is_int(marker_format_parse(&format, text, &error), -EINVAL,
	       "a format string of 1024 characters is too long");
	is_int(error.column, MARKER_MAX_FORMAT - 1, "and the column says so");
	text[MARKER_MAX_FORMAT - 1] = '\0';
	is_int(marker_format_parse(&format, text, &error), 0,
	       "one of 1023 is not");
	is_int(marker_format_parse(&format, NULL, &error), -EINVAL,
	       "no format string at all is refused");
	is_int(marker_format_parse(&format,
				   "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d", &error),
	       0, "16 arguments are accepted");
	is_int(format.nr_fields, 16, "as 16 fields");
	is_int(marker_format_parse(&format,
				   "%.*s%.*s%.*s%.*s%.*s%.*s%.*s%.*s", &error),
	       0, "8 strings with a length are 16 arguments");
	is_int(format.nr_fields, 8, "and 8 fields");
	is_int(format.nr_args, 16, "and 16 arguments");
}

static void test_table(void)
{
	const struct marker_field *f = format.field;

	is_int(marker_format_parse(&format, "a %hd%% b=%.*s %pM tail ", &error),
	       0, "a format with everything parses");
	is_int(format.nr_fields, 3, "three fields");
	is_int(format.nr_args, 4, "four arguments");
	is_int(format.fixed_size, 8, "fixed: 2 and 6 bytes");
	is_int(format.nr_variable, 1, "and a variable field");
	is_str(format.text + format.tail, " tail ", "the tail");
	ok(f[1].len_arg == 1 && f[1].arg == 2, "the length comes first");
	is_int(f[2].arg, 3, "the next argument follows");
	ok(f[0].lit == 0 && f[0].lit_len == 2 && f[0].spec == 2 &&
	   f[0].spec_len == 3, "the first words and conversion");
	ok(f[1].lit == 5 && f[1].lit_len == 5 && f[1].spec == 10 &&
	   f[1].spec_len == 4, "the second");
	ok(f[2].lit == 14 && f[2].lit_len == 1 && f[2].spec == 15 &&
	   f[2].spec_len == 3, "the third");
}

/* The way of a format, and its front: integers, those stored as words, the overhang. */
static void plan(const char *text, enum marker_way way, int nr, int wide, int overhang)
{
	const struct marker_plan *plan = &format.plan;

	is_int(marker_format_parse(&format, text, &error), 0, "'%s' parses", text);
	if (!ok(plan->way == way && (way == MARKER_WAY_GENERAL ||
		(plan->nr_front == nr && plan->nr_wide == wide &&
		 plan->overhang == overhang)), "and is planned so"))
		printf("# way %d, front %d, wide %d, overhang %d\n", plan->way,
		       plan->nr_front, plan->nr_wide, plan->overhang);
}

static void test_plan(void)
{
	const struct marker_step *tail = format.plan.tail;

	plan("", MARKER_WAY_NONE, 0, 0, 4);
	plan("%d", MARKER_WAY_INTS, 1, 0, 4);
	plan("%d %llu", MARKER_WAY_INTS, 2, 2, 0);
	plan("%llu %d", MARKER_WAY_INTS, 2, 1, 4);
	plan("%llu%hhd", MARKER_WAY_INTS, 2, 1, 7);
	plan("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d", MARKER_WAY_INTS, 16, 15, 4);
	/* with a short header, the record is smaller than the word that stores it */
	plan("%hhd%hd", MARKER_WAY_MIXED, 2, 0, 6);
	plan("%s", MARKER_WAY_STRING, 0, 0, 4);
	plan("%hd%s", MARKER_WAY_STRING, 1, 0, 6);
	plan("%d %llu %s", MARKER_WAY_STRING, 2, 2, 0);
	plan("%d %.5s", MARKER_WAY_MIXED, 1, 0, 4);
	plan("%s %s", MARKER_WAY_MIXED, 0, 0, 4);
	plan("%d %pd", MARKER_WAY_GENERAL, 0, 0, 0);
	plan("%pR %pR %pR %pR", MARKER_WAY_FIXED, 0, 0, 4);
	plan("%hhd %pI4", MARKER_WAY_MIXED, 1, 0, 7);
	plan("%hhd %pM %d", MARKER_WAY_FIXED, 1, 0, 7);
	plan("%pR %pR %pR %pR %c", MARKER_WAY_GENERAL, 0, 0, 0);
	plan("%hd%.*s%pM%hd%.7s%*ph%s", MARKER_WAY_MIXED, 1, 0, 6);
	ok(tail[0].kind == MARKER_STEP_LIMITED_BY_ARG &&
	   tail[1].kind == MARKER_STEP_BYTES && tail[1].size == 6 &&
	   tail[2].kind == MARKER_STEP_INT && tail[2].size == 2 &&
	   tail[3].kind == MARKER_STEP_LIMITED && tail[3].limit == 7 &&
	   tail[4].kind == MARKER_STEP_SEQUENCE && tail[4].limit == MARKER_MAX_SEQUENCE &&
	   tail[5].kind == MARKER_STEP_TEXT && tail[6].kind == MARKER_STEP_END,
	   "the steps of the tail");
}

/* Copy a format to memory of exactly its size, then free the original. */
static void copy(const char *text, const char *names)
{
	struct marker_step tail[MARKER_MAX_ARGS + 1];
	struct marker_format *to;
	char line[2048] = "";
	unsigned int nr_steps;
	unsigned int i;
	size_t size;

	if (marker_format_parse(&format, text, &error))
		abort();
	nr_steps = format.nr_fields - format.plan.nr_front + 1;
	memcpy(tail, format.plan.tail, sizeof(tail));
	size = marker_format_size(&format);
	to = malloc(size);
	marker_format_copy(to, &format);
	memset(&format, 'x', sizeof(format));
	for (i = 0; i < to->nr_fields; i++)
		sprintf(line + strlen(line), "%s ", to->field[i].name);
	ok(!strcmp(line, names), "the names of \"%s\", copied: %s", text, line);
	ok(!memcmp(to->plan.tail, tail, nr_steps * sizeof(tail[0])) &&
	   tail[nr_steps - 1].kind == MARKER_STEP_END, "the steps of its plan, and no more");
	ok(size < offsetof(struct marker_format, plan.tail[nr_steps]) + sizeof(u64) +
		  to->nr_fields * sizeof(to->field[0]) + strlen(line) + 1, "its size");
	free(to);
}

static void test_copy(void)
{
	copy("no field", "");
	copy("number %d big %llu", "number big ");
	copy("size %dx%d", "size size_2 ");
	copy("nr %hd text %.*s mac %pM more %hd other %.7s bytes %*ph end %s",
	     "nr text mac more other bytes end ");
	copy("number %d file %pd", "number file ");
	copy("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d",
	     "arg0 arg1 arg2 arg3 arg4 arg5 arg6 arg7 arg8 arg9 arg10 arg11 arg12 arg13 arg14 arg15 ");
	copy("a_name_of_forty_seven_bytes_is_as_long_as_it_may_be %d %d",
	     "a_name_of_forty_seven_bytes_is_as_long_as_it_ma a_name_of_forty_seven_bytes_is_as_long_as_it__2 ");
}

int main(void)
{
	test_copy();
	test_plan();
	test_names();
	test_other_letters();
	test_words_between();
	test_prefixes();
	test_distinct_names();
	test_long_names();
	test_types();
	test_refused_kinds();
	test_refused_stars();
	test_refused_modifiers();
	test_refused_pointers();
	test_refused_incomplete();
	test_refused_sizes();
	test_limits();
	test_table();
	return tap_done();
}
