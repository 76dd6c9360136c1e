// SPDX-License-Identifier: GPL-2.0
/*
 * markers/format/filter.c: which texts are filters, where the others are wrong, and which
 * events pass: those that filter_reference.h lets pass.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include <markers/format/filter_run.h>
#include <markers/format/filter_tests.h>
#include "filter_reference.h"
#include "tap.h"

static struct marker_format format;
static struct marker_format_error error;
static struct marker_filter_work work;

static char procname[16] = "bash";
static u64 contexts[MARKER_NR_FILTER_CONTEXTS] = { 1234, 1200, 3, 0x0801 };

static void use(const char *text)
{
	if (marker_format_parse(&format, text, &error))
		ok(false, "format \"%s\": %s", text, error.why);
}

/* A copy without a spare byte, so that the sanitizer sees a read beyond its end. */
static struct marker_filter *copy_program(void)
{
	size_t size = marker_filter_size(&work.filter);
	struct marker_filter *filter = malloc(size);

	return memcpy(filter, &work.filter, size);
}

/* As a hit does: first without reading memory, then with it as far as possible, then the rest. */
static bool run_in_steps(const struct marker_filter_test *test, const u64 *args)
{
	u32 next = marker_filter_run(&test, args, false);

	if (next == MARKER_FILTER_MORE)
		next = marker_filter_run(&test, args, true);
	if (next == MARKER_FILTER_MORE)
		return marker_filter_passes(test, args, test->contexts ? contexts : NULL);
	return next == MARKER_FILTER_PASS;
}

static bool run(const u64 *args)
{
	struct marker_filter *filter = copy_program();
	bool passes = marker_filter_passes(&filter->cell[0].test, args, contexts);

	if (run_in_steps(&filter->cell[0].test, args) != passes)
		ok(false, "the same in steps");
	free(filter);
	return passes;
}

static void check(const char *text, bool wanted, const u64 *args)
{
	if (marker_filter_parse(&work, text, &format, &error)) {
		ok(false, "\"%s\": column %u: %s", text, error.column, error.why);
		return;
	}
	ok(run(args) == wanted && reference_passes(text, &format, args, contexts) == wanted,
	   "\"%s\" %s", text, wanted ? "passes" : "does not pass");
}

#define ARG(x)		((u64)(unsigned long)(x))
#define ARGS(...)	((const u64[]){ 0, ##__VA_ARGS__ } + 1)
#define passes(text, ...)	check(text, true, ARGS(__VA_ARGS__))
#define drops(text, ...)	check(text, false, ARGS(__VA_ARGS__))

static void refused(const char *text, const char *wanted)
{
	char got[256] = "accepted";

	if (marker_filter_parse(&work, text, &format, &error))
		snprintf(got, sizeof(got), "%u: %s", error.column, error.why);
	is_str(got, wanted, "\"%s\"", text);
}

static void test_numbers(void)
{
	use("a %d b %u");
	passes("a == 5", 5, 0);
	drops("a == 5", 4, 0);
	passes("a==5", 5, 0);
	passes("a != 5", 4, 0);
	drops("a != 5", 5, 0);
	passes("a < 5", 4, 0);
	drops("a < 5", 5, 0);
	passes("a <= 5", 5, 0);
	drops("a <= 5", 6, 0);
	passes("a > 5", 6, 0);
	drops("a > 5", 5, 0);
	passes("a >= 5", 5, 0);
	drops("a >= 5", 4, 0);
	passes("a & 6", 2, 0);
	drops("a & 6", 9, 0);
	drops("a & 0", ~0ull, 0);
	passes("a == 0x1f", 31, 0);
	passes("a == 017", 15, 0);
	passes("a == 0", 0, 0);
	passes("a == -0", 0, 0);

	/* only the recorded bits of the argument count */
	passes("a == 5", 0x700000005ull, 0);
	passes("b == 4294967295", 0, ~0ull);
	passes("b > 5", 0, -1);
}

static void test_signs(void)
{
	use("a %d");
	passes("a < 0", -1);
	passes("a == -1", 0xffffffff);
	drops("a > 0", -1);
	passes("a > -5", -4);
	drops("a > -5", -5);
	passes("a >= -2147483648", -2147483648LL);
	drops("a < -2147483648", -2147483648LL);
	drops("a > 2147483647", 2147483647);
	passes("!(a > 2147483647)", 2147483647);
	passes("a != -2147483648", 2147483647);
	passes("a & 0x80000000", -1);
	passes("a & -1", 2);
	passes("a <= 2147483647", 12);

	use("a %u");
	drops("a < 0", 0);
	passes("a >= 0", 0);
	passes("a > 2147483648", 4294967295u);
	passes("a <= 4294967295", 4294967295u);
	refused("a == -1", "5: not a value of this field: it is a u32, 0 to 4294967295");
	refused("a & -1", "4: not a value of this field: it is a u32, 0 to 4294967295");
	refused("a<4294967296", "2: not a value of this field: it is a u32, 0 to 4294967295");

	use("a %llu b %lld");
	passes("a > 9223372036854775807", -1, 0);
	passes("a == 18446744073709551615", -1, 0);
	drops("a < 18446744073709551615", -1, 0);
	passes("b < 0", 0, -1);
	passes("b == -9223372036854775808", 0, 1ull << 63);
	passes("b > -9223372036854775808", 0, 0);
	drops("b != 9223372036854775807", 0, ~0ull >> 1);
	passes("b & 0x8000000000000000", 0, 1ull << 63);
	refused("b == 9223372036854775808",
		"5: not a value of this field: it is an s64, -2^63 to 2^63 - 1");
	refused("b == -9223372036854775809",
		"5: not a value of this field: it is an s64, -2^63 to 2^63 - 1");
	refused("a == 18446744073709551616", "5: no number has more than 64 bits");
	refused("a == 0x10000000000000000", "5: no number has more than 64 bits");

	use("a %hhd b %hu c %c d %pe");
	passes("a == -128 && b == 65535", 0x180, 0x1ffff, 0, 0);
	passes("a < 0 && b > 0", -1, 1, 0, 0);
	passes("c == 'x'", 0, 0, 'x', 0);
	passes("c == 120", 0, 0, 'x', 0);
	passes("c < \"y\"", 0, 0, 'x', 0);
	passes("d == -12", 0, 0, 0, -12);
	refused("a == 128", "5: not a value of this field: it is an s8, -128 to 127");
	refused("b == 65536", "5: not a value of this field: it is a u16, 0 to 65535");
	refused("c == 256", "5: not a value of this field: it is a u8, 0 to 255");
	refused("c == 'xy'", "5: not a number, which this test needs");
	refused("a == 'x'", "5: not a number, which this test needs");
}

static void test_behind_pointers(void)
{
	u64 address = 0x1234, bad = 4;
	s64 time = -5;

	use("at %pa t %ptT mac %pM");
	passes("at == 0x1234", ARG(&address), ARG(&time), 0);
	passes("at & 4", ARG(&address), ARG(&time), 0);
	passes("t < 0", ARG(&address), ARG(&time), 0);
	passes("at == 0", bad, ARG(&time), 0);
	passes("at != 0 || t == -5", bad, ARG(&time), 0);
	refused("mac == 1", "0: this field is neither a number nor a string that stands in memory");
	use("d %pd %*ph");
	refused("d == x", "0: this field is neither a number nor a string that stands in memory");
}

static void test_texts(void)
{
	static const char long_text[] = "a string of more than three words of eight bytes";

	use("s %s n %d");
	passes("s == abc", ARG("abc"), 0);
	passes("s == \"abc\"", ARG("abc"), 0);
	passes("s == 'abc'", ARG("abc"), 0);
	drops("s == abc", ARG("ab"), 0);
	drops("s == abc", ARG("abcd"), 0);
	drops("s == abc", ARG(""), 0);
	drops("s != abc", ARG("abc"), 0);
	passes("s != abc", ARG("abd"), 0);
	passes("s == ''", ARG(""), 0);
	drops("s == \"\"", ARG("a"), 0);
	passes("s != ''", ARG("a"), 0);
	passes("s == seven77", ARG("seven77"), 0);
	passes("s == eight888", ARG("eight888"), 0);
	drops("s == eight888", ARG("eight8889"), 0);
	drops("s == eight888", ARG("eight88"), 0);
	passes("s == 'a string of more than three words of eight bytes'", ARG(long_text), 0);
	drops("s == 'a string of more than three words of eight byteS'", ARG(long_text), 0);
	passes("s == 8250", ARG("8250"), 0);
	passes("s == sda,1", ARG("sda,1"), 0);
	passes("s == 'a \"b\"'", ARG("a \"b\""), 0);
	passes("s == 'a&&b'", ARG("a&&b"), 0);
	passes("s == '(null)'", 0, 0);
	passes("s == '(efault)'", 42, 0);
	drops("s == x", 42, 0);
}

static void test_parts_of_texts(void)
{
	use("s %.3s p %.*s");
	passes("s == abc", ARG("abcdef"), 3, ARG(""));
	drops("s == abcd", ARG("abcd"), 3, ARG(""));
	passes("s == ab", ARG("ab"), 3, ARG(""));
	passes("s == '(nu'", 0, 3, ARG(""));
	passes("p == 12345", ARG(""), 5, ARG("123456"));
	drops("p == 123456", ARG(""), 5, ARG("123456"));
	passes("p == ''", ARG(""), 0, 42);
	drops("p == 123456", ARG(""), -1, ARG("123456"));
	passes("p == ''", ARG(""), -1, 42);
	passes("p ~ *5", ARG(""), 5, ARG("123456"));
	drops("p ~ *6", ARG(""), 5, ARG("123456"));
}

/* A test for numbers of a string, and the other way round. */
static void test_other_types(void)
{
	use("s %s n %d");
	refused("s < abc", "2: this is for numbers, and this field has strings: == != ~");
	refused("s & 1", "2: this is for numbers, and this field has strings: == != ~");
	refused("n == abc", "5: not a number, which this test needs");
	refused("n == ''", "5: not a number, which this test needs");
	refused("n ~ 1", "2: ~ is for strings, and this field has numbers");
	refused("n == 1x", "5: not a number, which this test needs");
	refused("n == 09", "5: not a number, which this test needs");
	refused("n == 0x", "5: not a number, which this test needs");
	refused("n == -", "5: not a number, which this test needs");
	passes("n == -EIO", ARG(""), -5);
	drops("n == -EIO", ARG(""), -2);
	passes("n >= -EIO && n != -ENOENT", ARG(""), -4);
	refused("n == EIO", "5: not a number, which this test needs");
	refused("n == -EI", "5: not a number, which this test needs");
	refused("n == '-EIO'", "5: not a number, which this test needs");
	use("u %u");
	refused("u == -EIO", "5: not a value of this field: it is a u32, 0 to 4294967295");
}

static void test_globs(void)
{
	use("s %s");
	passes("s ~ sd*", ARG("sda1"));
	passes("s ~ sd*", ARG("sd"));
	drops("s ~ sd*", ARG("s"));
	passes("s ~ *", ARG(""));
	passes("s ~ ''", ARG(""));
	drops("s ~ ''", ARG("a"));
	passes("s ~ *a*", ARG("bab"));
	drops("s ~ *a*", ARG("bbb"));
	passes("s ~ ?d?", ARG("sda"));
	drops("s ~ ?d?", ARG("sd"));
	passes("s ~ sd[a-c]", ARG("sdb"));
	drops("s ~ sd[a-c]", ARG("sdd"));
	passes("s ~ sd[^a-c]", ARG("sdd"));
	passes("s ~ 'sd[!a-c]'", ARG("sdd"));
	passes("s ~ []x]", ARG("]"));
	passes("s ~ [a-]", ARG("-"));
	passes("s ~ [ab", ARG("[ab"));
	passes("s ~ *.*.c", ARG("a.b.c.c"));
	passes("s ~ a**b", ARG("ab"));
	drops("s ~ a*b*c", ARG("abbb"));
	passes("!(s ~ a*)", ARG("b"));
	passes("s ~ '(n*'", 0);
	passes("s ~ '(e*'", 42);
}

static void is_needed(const char *text, unsigned int needs)
{
	if (marker_filter_parse(&work, text, &format, &error))
		ok(false, "\"%s\": column %u: %s", text, error.column, error.why);
	is_int(work.filter.cell[0].test.contexts, needs, "what \"%s\" needs", text);
}

static void test_contexts(void)
{
	contexts[MARKER_FILTER_PROCNAME] = ARG(procname);
	contexts[MARKER_FILTER_CGROUP_ID] = 1ULL << 63 | 47;
	use("a %d cpu %u");
	passes("tid == 1234 && pid == 1200", 0, 0);
	drops("tid == 1235", 0, 0);
	passes("flags & 0x800 && flags != 0", 0, 0);
	passes("procname == bash", 0, 0);
	passes("procname ~ b*h", 0, 0);
	drops("procname == bas", 0, 0);
	passes("cgroup_id == 9223372036854775855", 0, 0);
	drops("cgroup_id == 47", 0, 0);
	/* a group is looked for only if a test that is left needs it */
	is_needed("a == 1", MARKER_NEEDS_NO_CONTEXT);
	is_needed("a == 1 && tid == 1", MARKER_NEEDS_CONTEXTS);
	is_needed("cgroup_id == 1 || tid == 1", MARKER_NEEDS_GROUP);
	is_needed("a == 1 && (tid == 1 || cgroup_id == 1)", MARKER_NEEDS_GROUP);
	/* a field goes before it */
	passes("cpu == 7", 0, 7);
	passes("$ctx.cpu == 3", 0, 7);
	passes("a == 2 && $ctx.tid == 1234", 2, 0);
	/* no NUL */
	memcpy(procname, "fifteen_bytes_16", 16);
	passes("procname == fifteen_bytes_1", 0, 0);
	strcpy(procname, "bash");
	refused("$ctx.a == 1", "0: no such field, nor tid, pid, cpu, flags, procname, cgroup_id");
	refused("$ctx. == 1", "0: the name of a field is missing here");
	refused("$ctx == 1", "0: the name of a field is missing here");
	refused("flags == 65536", "9: not a value of this field: it is a u16, 0 to 65535");
	use("a %d");
	refused("cpu == -1", "7: not a value of this field: it is a u32, 0 to 4294967295");
	passes("cpu < 4294967295", 0);
}

static void test_logic(void)
{
	use("a %d b %d c %d");
	passes("a == 1 && b == 1", 1, 1, 0);
	drops("a == 1 && b == 1", 1, 0, 0);
	drops("a == 1 && b == 1", 0, 1, 0);
	passes("a == 1 || b == 1", 0, 1, 0);
	drops("a == 1 || b == 1", 0, 0, 1);
	passes("a == 1 || b == 1 && c == 1", 1, 0, 0);
	drops("(a == 1 || b == 1) && c == 1", 1, 0, 0);
	passes("a==1&&b==1||c==1", 0, 0, 1);
	passes("!a == 1", 0, 0, 0);
	passes("!!a == 1", 1, 0, 0);
	passes("!(a == 1 && b == 1)", 1, 0, 0);
	passes("!(a == 1 || b == 1) && !c == 1", 0, 0, 0);
	drops("!(a == 1 || b == 1) && !c == 1", 0, 0, 1);
	passes("((((a == 1))))", 1, 0, 0);
	passes("a & 2 && b & 1", 2, 1, 0);
	passes(" \ta == 1\n", 1, 0, 0);
	passes("a == 1 && (b == 1 || !(c > 5 && c < 10))", 1, 0, 10);
	drops("a == 1 && (b == 1 || !(c > 5 && c < 10))", 1, 0, 9);
}

static const char *repeat(const char *text, int nr, const char *end)
{
	static char line[70000];
	size_t len = strlen(text);
	int i;

	for (i = 0; i < nr; i++)
		memcpy(line + i * len, text, len);
	strcpy(line + nr * len, end);
	return line;
}

static void test_refused(void)
{
	use("a %d s %s");
	refused("", "0: the name of a field is missing here");
	refused("  ", "2: the name of a field is missing here");
	refused("a", "1: one of == != < <= > >= & ~ is missing here");
	refused("a = 1", "2: one of == != < <= > >= & ~ is missing here");
	refused("a == ", "5: a number or a string is missing here");
	refused("a == && a == 1", "5: a number or a string is missing here");
	refused("a && a == 1", "2: one of == != < <= > >= & ~ is missing here");
	refused("a == 1 &&", "9: the name of a field is missing here");
	refused("a == 1 & a == 2", "7: && or || is missing here");
	refused("a == 1 a == 2", "7: && or || is missing here");
	refused("(a == 1", "7: ) is missing here");
	refused("(a == 1 5", "8: &&, || or ) is missing here");
	refused("a == 1)", "6: && or || is missing here");
	refused("()", "1: the name of a field is missing here");
	refused("!", "1: the name of a field is missing here");
	refused("5 == a", "0: the name of a field is missing here");
	refused("b == 1", "0: no such field, nor tid, pid, cpu, flags, procname, cgroup_id");
	refused("a == 1 && arg == 1", "10: no such field, nor tid, pid, cpu, flags, procname, cgroup_id");
	refused("s == 'x", "5: this quote is not closed");
	refused("s == \"x'", "5: this quote is not closed");
	refused("a == (1)", "5: a number or a string is missing here");
	refused("a/b == 1", "1: one of == != < <= > >= & ~ is missing here");

	refused(repeat("(", 16, "a == 1"), "22: ) is missing here");
	refused(repeat("(", 17, "a == 1"), "16: more than 16 levels of ( and !");
	refused(repeat("!", 17, "a == 1"), "16: more than 16 levels of ( and !");
	refused(repeat("a==1||", 31, "a==1"), "accepted");
	refused(repeat("a==1||", 32, "a==1"), "192: more than 32 tests");
	refused(repeat("a", 1023, ""), "1023: one of == != < <= > >= & ~ is missing here");
	refused(repeat("a", 1024, ""), "1023: a filter has less than 1024 bytes");
	refused(repeat("(", 65535, ""), "1023: a filter has less than 1024 bytes");
}

static void test_sizes(void)
{
	char text[MARKER_MAX_FILTER], string[130];

	use("s %s");
	memset(string, 'x', sizeof(string));
	snprintf(text, sizeof(text), "s == %.127s", string);
	string[127] = '\0';
	passes(text, ARG(string));
	string[127] = 'x';
	snprintf(text, sizeof(text), "s == '%.128s'", string);
	refused(text, "5: a string of more than 127 bytes");
	/* 32 tests and 32 cells of text */
	refused(repeat("s==a_text_of_24_bytes_||", 31, "s==a"), "accepted");
	refused(repeat("s==x||", 24, "s==aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		       "||s==aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		       "||s==aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
		"accepted");
}

static void costs(const char *text, u32 wanted)
{
	if (marker_filter_parse(&work, text, &format, &error))
		ok(false, "cost of \"%s\": %u: %s", text, error.column, error.why);
	else
		is_int(marker_filter_cost(&work.filter), wanted, "cost of \"%s\"", text);
}

/* Only what a hit may look at in a loop costs more than one step. */
static void test_cost(void)
{
	use("a %d b %llu s %s");
	costs("a == 5", 1);
	costs("a & 5", 1);
	costs("b & 0xffffffffffffffff", 1);
	costs("a == 5 && b != 7 || cpu == 1", 3);
	costs("s == abc", 1);
	costs("s == a_text_of_24_bytes______", 1 + 3);
	costs("s ~ *abc", 1023 * (4 + 1));
	costs("a == 5 && s ~ *", 1 + 1023 * (1 + 1));
	costs(repeat("a==1||", 31, "a==1"), 32);
}

/* Without a table of fields, only a text that is a filter for no format is refused. */
static void test_syntax(void)
{
	static const char *const good[] = { "a == 1", "b ~ x*", "sector > 100 || !c == d",
					    "c < 'x'" };
	static const char *const bad[] = { "a", "a > b", "a == 1 ||", "a > 99999999999999999999" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		is_int(marker_filter_parse(&work, good[i], NULL, &error), 0, "\"%s\"", good[i]);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		is_int(marker_filter_parse(&work, bad[i], NULL, &error), -EINVAL, "\"%s\"",
		       bad[i]);
}

/* Strings at the end of a page, after which nothing can be read. */
static void test_faults(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = page + 4096;

	mprotect(end, 4096, PROT_NONE);
	marker_bad_start = end;
	marker_bad_end = end + 4096;
	memcpy(end - 6, "bytes", 6);
	use("s %s p %.3s");
	passes("s == bytes", ARG(end - 6), ARG(""));
	drops("s == bytes2", ARG(end - 6), ARG(""));
	passes("s ~ *s", ARG(end - 6), ARG(""));
	memcpy(end - 5, "bytes", 5);
	passes("s == '(efault)'", ARG(end - 5), ARG(""));
	passes("s ~ '*t)'", ARG(end - 5), ARG(""));
	drops("s ~ bytes", ARG(end - 5), ARG(""));
	passes("p == tes", ARG(""), ARG(end - 3));
	passes("p ~ tes", ARG(""), ARG(end - 3));
	passes("s == '(efault)'", ARG(end), ARG(""));
	marker_bad_start = marker_bad_end = NULL;
	munmap(page, 8192);
}

/* Random filters, most of them valid, on random events. */

static u32 seed = 1;

static u32 any(u32 limit)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % limit;
}

static char *put(char *to, const char *text)
{
	return to + sprintf(to, "%s", text);
}

static char *put_any(char *to, int depth)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	static const char *const text_ops[] = { "==", "!=", "~" };
	static const char *const names[] = { "a", "b", "c", "d", "e", "tid", "cpu", "flags" };
	static const char *const numbers[] = { "0", "1", "2", "-1", "127", "128", "-128", "255",
		"0x7fffffff", "-0x80000000", "0xffffffff", "0x7fffffffffffffff", "3", "1234" };
	static const char *const texts[] = { "a", "ab", "''", "a*", "*b", "?", "[ab]*", "*a*b*",
		"abababab", "bash", "'(null)'" };

	switch (depth ? any(6) : 5) {
	case 0:
		return put(put_any(put(to, "("), depth - 1), ")");
	case 1:
		return put(put_any(put(to, "!("), depth - 1), ")");
	case 2:
		return put_any(put(put_any(to, depth - 1), "&&"), depth - 1);
	case 3:
		return put_any(put(put_any(to, depth - 1), " || "), depth - 1);
	default:
		if (any(3))
			return put(put(put(to, names[any(ARRAY_SIZE(names))]),
				       ops[any(ARRAY_SIZE(ops))]),
				   numbers[any(ARRAY_SIZE(numbers))]);
		return put(put(put(to, any(3) ? "s" : "procname"),
			       text_ops[any(ARRAY_SIZE(text_ops))]),
			   texts[any(ARRAY_SIZE(texts))]);
	}
}

static void test_random(void)
{
	static const u64 values[] = { 0, 1, 2, -1, 127, 128, -128, 255, 0x7fffffff, 0x80000000,
				      0xffffffff, ~0ull >> 1, 1ull << 63, 3, 1234 };
	static const char *const texts[] = { "", "a", "b", "ab", "ba", "abab", "abababab",
					     "abababababababab", NULL };
	char text[4096];
	u32 i, n, nr = 0, wrong = 0, passed = 0;
	u64 args[6];

	use("a %d b %u c %hhd d %llu e %lld s %s");
	for (i = 0; i < 20000; i++) {
		put_any(text, 4);
		if (marker_filter_parse(&work, text, &format, &error))
			continue;
		for (n = 0; n < 8; n++) {
			for (int f = 0; f < 5; f++)
				args[f] = values[any(ARRAY_SIZE(values))];
			args[5] = ARG(texts[any(ARRAY_SIZE(texts))]);
			nr++;
			passed += run(args);
			if (run(args) != reference_passes(text, &format, args, contexts)) {
				wrong++;
				printf("# %s: %d\n", text, run(args));
			}
		}
	}
	ok(!wrong && passed > nr / 10 && passed < nr - nr / 10,
	   "random filters: %u events, %u pass", nr, passed);
	ok(nr > 10000, "enough of them");
}

/* As a reader of recorded events compiles a test. */
static int compile_lenient(struct marker_filter_compiler *compiler,
			   struct marker_filter_test *test, struct marker_filter_string *string,
			   bool *inverted, const struct marker_format *of,
			   const struct marker_filter_words *words,
			   struct marker_format_error *wrong)
{
	struct marker_operand operand;

	(void)compiler;
	if (marker_operand_find(&operand, of, words->name, words->name_len)) {
		marker_filter_tests_never(test);
		return 0;
	}
	operand.takes_any = true;
	return marker_filter_tests_compare(test, string, inverted, &operand, words, wrong);
}

static void check_lenient(const char *text, bool wanted, u64 a, u64 b)
{
	struct marker_filter_compiler compiler = { compile_lenient };
	const u64 args[] = { a, b };

	if (marker_filter_parse_by(&work, text, &format, &compiler, &error))
		ok(false, "\"%s\": column %u: %s", text, error.column, error.why);
	else
		ok(run(args) == wanted, "\"%s\" %s", text, wanted ? "passes" : "does not pass");
}

static void test_lenient(void)
{
	static const char *const pass[] = {
		"!(c == 1)", "c == 1 || a == 1", "!(c ~ x) && b == 2", "a != 300", "a < 256",
		"a <= 99999", "a > -1", "a >= -99999", "a != -1", "b < 4294967296", "!(a & 256)",
	};
	static const char *const drop[] = {
		"c == 1", "c != 1", "c > 1 && a == 1", "c ~ x", "$ctx.x == 1", "a == 300", "a > 256",
		"a >= 300", "a < -1", "a <= -99999", "a == -1", "b > 4294967296", "a & 256",
	};
	size_t i;

	use("a %hhu b %u");
	for (i = 0; i < ARRAY_SIZE(pass); i++)
		check_lenient(pass[i], true, 1, 2);
	for (i = 0; i < ARRAY_SIZE(drop); i++)
		check_lenient(drop[i], false, 1, 2);
	is_int(marker_filter_parse(&work, "c == 1", &format, &error), -EINVAL, "others are not lenient");
}

int main(void)
{
	test_lenient();
	test_numbers();
	test_signs();
	test_behind_pointers();
	test_texts();
	test_parts_of_texts();
	test_other_types();
	test_globs();
	test_contexts();
	test_logic();
	test_refused();
	test_sizes();
	test_cost();
	test_syntax();
	test_faults();
	test_random();
	return tap_done();
}
