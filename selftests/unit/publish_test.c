// SPDX-License-Identifier: GPL-2.0
/*
 * markers/publish: the fields of a published marker and its print_fmt, from the field table, for
 * every kind of conversion; and where a hit puts them.
 */
#include <stdlib.h>

#include <markers/publish/layout.h>
#include "tap.h"

#define START	8	/* bytes of the common fields */
#define RT_START 12	/* and with the one that the RT kernel of 6.1 has besides */

static struct marker_format format;
static struct publish_layout layout;
static struct publish_field fields[MARKER_MAX_ARGS];
static char print_fmt[PUBLISH_FMT_SIZE];
static unsigned int most = 3072;	/* bytes of an entry */

static int lay_out_from(u32 start, const char *text)
{
	struct marker_format_error error;

	if (marker_format_parse(&format, text, &error)) {
		printf("Bail out! '%s': column %u: %s\n", text, error.column, error.why);
		exit(1);
	}
	memset(fields, 0xee, sizeof(fields));
	marker_publish_layout(&layout, fields, &format, start, most);
	return marker_publish_print_fmt(print_fmt, &format, fields, &layout);
}

static int lay_out(const char *text)
{
	return lay_out_from(START, text);
}

/* All fields: "type name;offset;size;signed", with a blank between them. */
static void has_fields(const char *text, const char *wanted)
{
	char got[1024] = "";
	unsigned int i;

	is_int(lay_out(text), 0, "'%s' can be laid out", text);
	for (i = 0; i < format.nr_fields; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s %s;%u;%u;%u",
			 i ? " | " : "", fields[i].type, fields[i].name, fields[i].offset,
			 fields[i].size, fields[i].is_signed);
	is_str(got, wanted, "fields of '%s'", text);
}

static void prints(const char *text, const char *wanted)
{
	lay_out(text);
	is_str(print_fmt, wanted, "print_fmt of '%s'", text);
}

static void test_fields(void)
{
	has_fields("nothing", "");
	has_fields("a %d b %u c %lld d %lu",
		   "int a;8;4;1 | unsigned int b;12;4;0 | long c;16;8;1 | unsigned long d;24;8;0");
	has_fields("a %hhd b %hu c %hhu d %hd",
		   "signed char a;8;1;1 | unsigned short b;10;2;0 | unsigned char c;12;1;0 | short d;14;2;1");
	has_fields("x %x o %lo X %hX", "unsigned int x;8;4;0 | unsigned long o;16;8;0 | unsigned short X;24;2;0");
	has_fields("c %c p %p pS %pS e %pe",
		   "char c;8;1;1 | void * p;16;8;0 | void * pS;24;8;0 | long e;32;8;1");
	has_fields("s %s t %.3s u %.*s", "__data_loc char[] s;8;4;0 | __data_loc char[] t;12;4;0 | __data_loc char[] u;16;4;0");
	has_fields("m %pM i %pI4 six %pI6 u %pU",
		   "u8[6] m;8;6;0 | u8[4] i;14;4;0 | u8[16] six;18;16;0 | u8[16] u;34;16;0");
	has_fields("h %4ph n %*ph b %*pbl a %pIS",
		   "u8[4] h;8;4;0 | __data_loc u8[] n;12;4;0 | __data_loc u8[] b;16;4;0 | __data_loc u8[] a;20;4;0");
	has_fields("a %pa g %pGg t %ptT", "unsigned long a;8;8;0 | unsigned int g;16;4;0 | long t;24;8;1");
	has_fields("r %pR t %ptR", "unsigned long[4] r;8;32;0 | int[9] t;40;36;1");
	has_fields("d %pd f %pD", "__data_loc char[] d;8;4;0 | __data_loc char[] f;12;4;0");
}

static void test_names(void)
{
	has_fields("for %d if %d x %d", "int for_;8;4;1 | int if_;12;4;1 | int x;16;4;1");
	has_fields("for %d for_ %d", "int for__;8;4;1 | int for_;12;4;1");
	has_fields("common_pid %d", "int common_pid_;8;4;1");
	has_fields("fort %d", "int fort;8;4;1");
}

static void test_print_fmt(void)
{
	prints("nothing", "\"nothing\"");
	prints("done 50%%", "\"done 50%%\"");
	prints("say \"a\\b\"\n", "\"say \\\"a\\\\\\\\b\\\"\"");
	prints("a\nb %d", "\"a\\\\nb %d\", REC->b");
	prints("a %d b %u c %lld d %#lx", "\"a %d b %u c %ld d %#lx\", REC->a, REC->b, REC->c, REC->d");
	prints("a %hhd b %hu", "\"a %hhd b %hu\", REC->a, REC->b");
	prints("a %5d b %-5d c %05d d %+d", "\"a %5d b %-5d c %05d d %d\", REC->a, REC->b, REC->c, REC->d");
	prints("c %c o %o", "\"c %d o 0x%x\", REC->c, REC->o");
	prints("p %p s %pS", "\"p %016lx s %pS\", (unsigned long)REC->p, (void *)REC->s");
	prints("e %pe", "\"e %ld\", REC->e");
	prints("s %s t %-6s", "\"s %s t %-6s\", __get_str(s), __get_str(t)");
	prints("m %pM i %pI4", "\"m %pM i %pI4\", REC->m, REC->i");
	prints("h %4ph n %*ph",
	       "\"h %s n %s\", __print_hex(REC->h, 4), __print_hex(__get_dynamic_array(n), __get_dynamic_array_len(n))");
	prints("r %pR", "\"r %s\", __print_array(REC->r, 4, 8)");
	prints("a %pa t %ptT", "\"a 0x%lx t %ld\", REC->a, REC->t");
	prints("for %d", "\"for %d\", REC->for_");
}

/* The longest format has a print_fmt that ends as it should. */
static void test_longest(void)
{
	char text[MARKER_MAX_FORMAT] = "", end[96];
	unsigned int i;

	for (i = 0; i < MARKER_MAX_ARGS; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "a%044u %%4ph ", i);
	while (strlen(text) < sizeof(text) - 1)
		strcat(text, "\\");
	is_int(lay_out(text), 0, "the longest format");
	snprintf(end, sizeof(end), ", __print_hex(REC->%s, 4)", fields[MARKER_MAX_ARGS - 1].name);
	is_str(print_fmt + strlen(print_fmt) - strlen(end), end, "the end of its print_fmt");
}

static void test_steps(void)
{
	lay_out("s %s a %hhd m %pM b %lu t %.3s n %*ph");
	is_int(layout.nr_wide, 2, "integers that can be stored as words");
	is_int(layout.nr_narrow, 0, "others");
	is_int(layout.nr_bytes, 1, "bytes");
	is_int(layout.nr_varying, 3, "and what varies");
	is_int(layout.step[0].arg, 1, "the first integer");
	is_int(layout.step[0].offset, 12, "its place");
	is_int(layout.step[1].offset, 24, "that of the second, aligned");
	is_int(layout.step[2].kind, MARKER_STEP_BYTES, "bytes");
	is_int(layout.step[2].offset, 13, "their place");
	is_int(layout.step[3].kind, MARKER_STEP_TEXT, "a string");
	is_int(layout.step[3].offset, 8, "its place");
	is_int(layout.step[4].kind, MARKER_STEP_LIMITED, "a limited string");
	is_int(layout.step[4].limit, 3, "its limit");
	is_int(layout.step[5].kind, MARKER_STEP_SEQUENCE, "a sequence");
	is_int(layout.step[5].len_arg, 5, "its length");
	is_int(layout.step[5].arg, 6, "its pointer");
	is_int(layout.size, 40, "bytes before what varies");
	is_int(layout.has_holes, 1, "a hole after the bytes");
	is_int(layout.is_quick, 1, "the quick way");
	lay_out("a %d b %lu c %hhd");
	is_int(layout.has_holes, 1, "a hole at the end");
	is_int(layout.nr_wide, 2, "words up to there");
	is_int(layout.nr_narrow, 1, "and a byte");
	lay_out("a %d b %lu");
	is_int(layout.has_holes, 0, "a word fills the hole after an integer");
	lay_out("a %d b %d");
	is_int(layout.has_holes, 0, "no holes");
	is_int(layout.nr_narrow, 1, "the last one is not stored as a word");
	is_int(layout.size, 16, "bytes of two integers");
	lay_out_from(RT_START, "a %lu b %lu");
	is_int(fields[0].offset, 16, "the first field of an RT kernel, aligned");
	is_int(layout.has_holes, 1, "a hole before it");
	lay_out_from(RT_START, "a %d b %d");
	is_int(layout.has_holes, 0, "none before a smaller one");
	lay_out("d %pd");
	is_int(layout.is_quick, 0, "a path is not for the quick way");
	lay_out("b %*pbl");
	is_int(layout.is_quick, 0, "nor is a bitmap");
	lay_out("a %pIS");
	is_int(layout.is_quick, 0, "nor is the address of a socket");
}

/* As long as bitmaps fit, even beside long strings, they are not cut; else their length says so. */
static void test_bitmaps(void)
{
	const char *three = "a %*pbl b %*pb c %*pbl";

	lay_out("a %*pbl b %*pb s %s t %s u %s");
	is_int(layout.bitmap_max, MARKER_MAX_BITMAP, "two bitmaps beside three strings are whole");
	lay_out(three);
	is_int(layout.bitmap_max, (3072 - START - 3 * 4 - 3 * 2) / 3, "bytes of each of three bitmaps");
	prints("a %*pb b %*pb c %*pb d %d",
	       "\"a %s%s b %s%s c %s%s d %d\""
	       ", __print_hex(__get_dynamic_array(a), __get_dynamic_array_len(a)), (__get_dynamic_array_len(a) >= 1014) ? \"...\" : \"\""
	       ", __print_hex(__get_dynamic_array(b), __get_dynamic_array_len(b)), (__get_dynamic_array_len(b) >= 1014) ? \"...\" : \"\""
	       ", __print_hex(__get_dynamic_array(c), __get_dynamic_array_len(c)), (__get_dynamic_array_len(c) >= 1014) ? \"...\" : \"\""
	       ", REC->d");
	lay_out("a %*pbl b %*pb c %*pbl s %s t %.10s h %*ph");
	is_int(layout.bitmap_max, (3072 - START - 6 * 4 - 3 * 2 - 2 * PUBLISH_LEAST - 2 - MARKER_MAX_SEQUENCE) / 3,
	       "beside others");
	/* all strings are cut to the same length, the short ones, too */
	lay_out("a %*pbl b %*pbl c %*pbl s %s v %.4s w %.4s x %.4s y %.4s z %.4s");
	is_int(layout.bitmap_max, (3072 - START - 9 * 4 - 3 * 2 - 6 * PUBLISH_LEAST) / 3,
	       "beside short strings");
	prints("a %*pb b %*pb c %*pb d %20pb",
	       "\"a %s%s b %s%s c %s%s d %s\""
	       ", __print_hex(__get_dynamic_array(a), __get_dynamic_array_len(a)), (__get_dynamic_array_len(a) >= 1014) ? \"...\" : \"\""
	       ", __print_hex(__get_dynamic_array(b), __get_dynamic_array_len(b)), (__get_dynamic_array_len(b) >= 1014) ? \"...\" : \"\""
	       ", __print_hex(__get_dynamic_array(c), __get_dynamic_array_len(c)), (__get_dynamic_array_len(c) >= 1014) ? \"...\" : \"\""
	       ", __print_hex(REC->d, 3)");
	most = 2032;
	lay_out("a %*pbl b %*pb");
	is_int(layout.bitmap_max, (2032 - START - 2 * 4 - 2 * 2) / 2, "of each of two, where perf takes less");
	lay_out("%*pb %*pb %*pb %*pb %*pb %*pb %*pb %*pb");
	is_int(layout.bitmap_max, (2032 - START - 8 * 4 - 8 * 2) / 8, "of each of as many as a marker has");
	most = 3072;
}

int main(void)
{
	test_fields();
	test_names();
	test_print_fmt();
	test_longest();
	test_steps();
	test_bitmaps();
	return tap_done();
}
