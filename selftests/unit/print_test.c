// SPDX-License-Identifier: GPL-2.0
/*
 * markers/format/print.c prints what printf prints with the same format string and
 * arguments, as far as C and the kernel agree; then what only print.c has: escapes,
 * pointers, addresses, cutting, broken bytes.
 */
#include <limits.h>
#include <stdlib.h>

#include <markers/format/serialize.h>
#include <markers/format/print.h>
#include "tap.h"

static struct marker_format format;
static struct marker_format_error error;
static char bytes[64 * 1024];
static char text[64 * 1024];

static u64 slot(const void *p)
{
	return (uintptr_t)p;
}

/* Record the arguments, and print the record. */
static int print(const char *fmt, const u64 *args, size_t size)
{
	struct marker_lengths lengths;

	if (marker_format_parse(&format, fmt, &error)) {
		printf("Bail out! '%s': column %u: %s\n", fmt, error.column,
		       error.why);
		exit(1);
	}
	marker_serialize_size(&format, args, &lengths);
	marker_serialize(bytes, &format, args, &lengths);
	memset(text, 'Z', sizeof(text));
	return marker_print_event(text, size, &format, bytes);
}

#define prints(fmt, wanted, args...) \
	check_print(fmt, wanted, (u64[]){ 0, ##args } + 1)

static void check_print(const char *fmt, const char *wanted, const u64 *args)
{
	int len = print(fmt, args, sizeof(text));

	is_str(text, wanted, "text of '%s'", fmt);
	if (len != (int)strlen(text))
		is_int(len, strlen(text), "and its length");
}

static void test_plain(void)
{
	prints(" ", "");
	prints("", "");
	prints("words", "words");
	prints("100%% of it %%", "100% of it %");
	prints("a %d b", "a -1 b", -1);
	prints("a %d  \n", "a 1", 1);
	prints("a %d \t%% \n", "a 1 \t%", 1);
	prints("%s  ", "  x  ", slot("  x  "));
	prints("a\nb %d\n", "a\\nb 1", 1);
	prints("a\tb %d", "a\tb 1", 1);
	prints("sector %llu bytes %u write %d", "sector 12345678901 bytes 512 write 1",
	       12345678901, 512, 1);
	prints("%c%c|%3c|%-3c|", "ab|  c|d  |", 'a', 'b', 'c', 'd');
	prints("%hhd %hhu %hd %hu %d %u", "-1 255 -1 65535 -1 4294967295",
	       ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull);
	prints("%ld %lu", "-1 18446744073709551615", ~0ull, ~0ull);
	prints("%ld %lld", "-9223372036854775808 9223372036854775807",
	       1ull << 63, ~0ull >> 1);
	prints("%i|%5i|%-5i|%05i", "1|    1|1    |00001", 1, 1, 1, 1);
	prints("%x %X %#x %#X %o %#o", "ff FF 0xff 0XFF 377 0377", 255, 255, 255,
	       255, 255, 255);
	prints("%.*s|%.*s|", "he||", 2, slot("hello"), 0, slot("hello"));
	prints("%8.3s|%-8.3s|", "     hel|hel     |", slot("hello"), slot("hello"));
	prints("%s %s", "(null) (efault)", 0, 42);
}

/* Numbers at both ends, and where the number of digits changes. */
static void test_numbers(void)
{
	static const char * const formats[] = {
		"%d", "%i", "%u", "%x", "%X", "%hhd", "%hhu", "%hhx", "%hd", "%hu",
		"%hX", "%ld", "%lu", "%lx", "%lld", "%llu", "%llX", "%zd", "%zu",
		"%jd", "%jx", "%5d", "%-5d|", "%05d", "%+d", "% d", "%.3u",
		"%20llu", "%o", "%llo", "%#o",
	};
	u64 values[64 * 3 + 20 * 3], value = 1;
	char wanted[64];
	bool fine = true;
	size_t nr = 0, f, v;

	for (v = 0; v < 64; v++) {
		values[nr++] = 1ull << v;
		values[nr++] = (1ull << v) - 1;
		values[nr++] = -(1ull << v);
	}
	for (v = 0; v < 20; v++, value *= 10) {
		values[nr++] = value;
		values[nr++] = value - 1;
		values[nr++] = -value;
	}
	for (f = 0; f < ARRAY_SIZE(formats) && fine; f++) {
		for (v = 0; v < nr && fine; v++) {
			snprintf(wanted, sizeof(wanted), formats[f], values[v]);
			print(formats[f], &values[v], sizeof(text));
			fine &= !strcmp(text, wanted);
		}
	}
	if (!ok(fine, "numbers at the edges print as printf prints them"))
		printf("# format: '%s'\n#    got: '%s'\n# wanted: '%s'\n",
		       formats[f - 1], text, wanted);
}

static void check_heading(const char *wanted, const struct marker_contexts *contexts,
			  int cpu, u64 seconds, u32 ns, const char *title)
{
	size_t size, len = strlen(wanted);
	bool fine = true;

	is_int(marker_print_heading(text, sizeof(text), contexts, cpu, seconds, ns, title),
	       len, "bytes of the line head");
	is_str(text, wanted, "the line head");
	for (size = 1; size < len + 3; size++) {
		size_t want = min(len, size - 1);

		memset(text, 'Z', sizeof(text));
		fine &= marker_print_heading(text, size, contexts, cpu, seconds, ns,
					     title) == want;
		fine &= !memcmp(text, wanted, want) && !text[want] && text[size] == 'Z';
	}
	ok(fine, "the line head, cut at each length");
	text[0] = 'Z';
	is_int(marker_print_heading(text, 0, contexts, cpu, seconds, ns, title), 0,
	       "no room for it");
	is_int(text[0], 'Z', "and nothing is written");
}

static void heading(int cpu, u64 seconds, u32 ns, const char *title)
{
	const struct marker_contexts none = { 0 };
	char wanted[200];

	snprintf(wanted, sizeof(wanted), "[%03d] %5llu.%09u: %s:", cpu,
		 (unsigned long long)seconds, ns, title);
	check_heading(wanted, &none, cpu, seconds, ns, title);
}

#define NAME	BIT(MARKER_CONTEXT_PROCNAME)
#define TID	BIT(MARKER_CONTEXT_TID)
#define PID	BIT(MARKER_CONTEXT_PID)
#define FLAGS	BIT(MARKER_CONTEXT_FLAGS)

/* The text before "    1.000000002: m:e:" for an event of CPU 3. */
static void test_callstack(void)
{
	static const u8 frames[] = "\x10\0\0\0\0\0\0\xff\x20\0\0\0\0\0\0\xff";
	struct marker_contexts contexts = { .frames = frames };
	const char *wanted = " => symbol+0xff00000000000010\n => symbol+0xff00000000000020\n";
	char text[128];
	bool fine = true;
	size_t size;

	is_int(marker_print_callstack(text, sizeof(text), &contexts, false), 0, "no stack");
	contexts.nr_frames = 2;
	is_int(marker_print_callstack(text, sizeof(text), &contexts, false), strlen(wanted), "a stack");
	is_str(text, wanted, "its text");
	for (size = 1; size < strlen(wanted); size++)
		fine &= marker_print_callstack(text, size, &contexts, false) == size - 1 &&
			!strncmp(text, wanted, size - 1) && !text[size - 1];
	ok(fine, "it is cut to fit");
	is_int(marker_print_callstack(text, 0, &contexts, false), 0, "no room at all");
	wanted = " => 0xff00000000000010\n => 0xff00000000000020\n";
	is_int(marker_print_callstack(text, sizeof(text), &contexts, true), strlen(wanted),
	       "of another kernel");
	is_str(text, wanted, "has no symbols");
}

static void task(const char *wanted, struct marker_contexts contexts)
{
	char line[300];

	snprintf(line, sizeof(line), "%s    1.000000002: m:e:", wanted);
	check_heading(line, &contexts, 3, 1, 2, "m:e");
}

/* The columns of ftrace: "%16s-%-7d (%7d) [%03d] flags". */
static void test_contexts(void)
{
	struct marker_contexts cat = {
		.set = NAME | TID | FLAGS, .tid = 1977, .procname = "cat",
		.flags = CTF_FLAG_IRQS_OFF | 1, .pid = 1970, .vtid = 7, .vpid = -6,
		.prio = -100, .cgroup_id = 1ull << 40,
	};
	struct marker_contexts other = cat;

	task("             cat-1977    [003] d..1 ", cat);
	other.tid = 123456789;
	task("             cat-123456789 [003] d..1 ", other);
	strcpy(other.procname, "kworker/u16:3-e");
	task(" kworker/u16:3-e-123456789 [003] d..1 ", other);
	other.tid = 0;
	task("          <idle>-0       [003] d..1 ", other);
	/* a name may have any bytes */
	strcpy(other.procname, "a\nb [0] \x1b\xff");
	other.tid = 5;
	task("a\\nb [0] \\x1B\\xFF-5       [003] d..1 ", other);
	strcpy(other.procname, "gr\xc3\xbc\xc3\x9f");
	task("          gr\xc3\xbc\xc3\x9f-5       [003] d..1 ", other);
	cat.set = TID;
	task("1977    [003] ", cat);
	cat.set = NAME;
	task("             cat [003] ", cat);
	cat.set = FLAGS;
	task("[003] d..1 ", cat);
	cat.set = PID;
	task("(   1970) [003] ", cat);
	cat.set = MARKER_CONTEXT_ALL;
	task("             cat-1977    (   1970) [003] d..1 "
	     "vtid=7 vpid=-6 prio=-100 cgroup_id=1099511627776 ", cat);
}

/* The columns of the legend are those of a line. */
static void test_legend(void)
{
	static const char usual[] =
		"#                                _---=> irqs-off/BH-disabled\n"
		"#                               / _--=> need-resched\n"
		"#                              | / _-=> hardirq/softirq/NMI\n"
		"#                              || / _=> preempt-depth\n"
		"#           TASK-TID     CPU#  ||||    SECONDS       MODULE:MARKER: TEXT\n";
	struct marker_contexts contexts = { .tid = 1, .flags = 1, .procname = "cat" };
	const char *title;
	char line[300];
	size_t size;
	bool fine = true;

	marker_print_legend(text, sizeof(text), NAME | TID | FLAGS);
	is_str(text, usual, "the legend of the usual contexts");
	marker_print_legend(text, sizeof(text), 0);
	is_str(text, "# CPU#   SECONDS       MODULE:MARKER: TEXT\n", "and without any");
	for (contexts.set = 0; contexts.set <= (NAME | TID | FLAGS | PID); contexts.set++) {
		marker_print_heading(line, sizeof(line), &contexts, 0, 1, 0, "MODULE:");
		marker_print_legend(text, sizeof(text), contexts.set);
		title = strrchr(text, '#');
		while (title > text && title[-1] != '\n')
			title--;
		fine &= strstr(title, "MODULE:") - title == strstr(line, "MODULE:") - line;
	}
	ok(fine, "the text is where the legend says");
	for (size = 1; size < sizeof(usual); size++) {
		memset(text, 'Z', sizeof(text));
		fine &= marker_print_legend(text, size, NAME | TID | FLAGS) == size - 1;
		fine &= !memcmp(text, usual, size - 1) && !text[size - 1] && text[size] == 'Z';
	}
	ok(fine, "the legend, cut at each length");
	is_int(marker_print_legend(text, 0, 0), 0, "no room for it");
}

static void test_heading(void)
{
	heading(0, 0, 0, "a:b");
	heading(7, 9, 1, "module:marker");
	heading(12, 10, 999999999, "");
	heading(123, 99999, 100000000, "x");
	heading(4096, 100000, 12345, "x:y");
	heading(1, 1234567890123, 5, "x:y");
	heading(1, ~0ull, 5, "100%s:%d");
}

static void test_escapes(void)
{
	prints("%s", "a\\nb\\tc\\rd", slot("a\nb\tc\rd"));
	prints("%s", "\\x01\\x1B\\x7F", slot("\1\x1b\x7f"));
	prints("%s", "gr\xc3\xbc\xc3\x9f", slot("gr\xc3\xbc\xc3\x9f"));
	prints("%5s|%-5s|%2s|", "   \\n|\\n   |\\n\\n|", slot("\n"), slot("\n"),
	       slot("\n\n"));
	prints("%c%c", "\\n\\x00", '\n', 0);
	prints("%5c|", "   \\n|", '\n');
	/* a backslash begins an escape, always: these two strings differ */
	prints("%s|%s", "\\\\n|\\n", slot("\\n"), slot("\n"));
	prints("%6s|%-6s|%c", "  a\\\\b|a\\\\b  |\\\\", slot("a\\b"), slot("a\\b"), '\\');
	prints("dir\\%s", "dir\\\\x", slot("x"));
}

/* Bytes that are no printable UTF-8 never reach a terminal. */
static void test_utf8(void)
{
	/* the first and the last of each length */
	prints("%s", "\xc2\xa0\xdf\xbf", slot("\xc2\xa0\xdf\xbf"));
	prints("%s", "\xe0\xa0\x80\xef\xbf\xbf", slot("\xe0\xa0\x80\xef\xbf\xbf"));
	prints("%s", "\xed\x9f\xbf\xee\x80\x80", slot("\xed\x9f\xbf\xee\x80\x80"));
	prints("%s", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
	       slot("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
	prints("%4s|%-4s|", "  \xc3\xbc|\xc3\xbc  |", slot("\xc3\xbc"), slot("\xc3\xbc"));
	prints("t\xc3\xbcr %d", "t\xc3\xbcr 1", 1);
	/* U+009B, which begins a command to a terminal, and as a byte alone */
	prints("%s", "\\xC2\\x9B1m", slot("\302\2331m"));
	prints("%s|%c", "a\\x9B1m|\\x9B", slot("a\2331m"), 0x9b);
	prints("%6s|", "  \\xFF|", slot("\xff"));
	/* too long, surrogates, beyond the last one, cut */
	prints("%s", "\\xC0\\x8A\\xC1\\xBF", slot("\xc0\x8a\xc1\xbf"));
	prints("%s", "\\xE0\\x9F\\xBF", slot("\xe0\x9f\xbf"));
	prints("%s", "\\xF0\\x8F\\xBF\\xBF", slot("\xf0\x8f\xbf\xbf"));
	prints("%s", "\\xED\\xA0\\x80", slot("\xed\xa0\x80"));
	prints("%s", "\\xF4\\x90\\x80\\x80", slot("\xf4\x90\x80\x80"));
	prints("%s|%s|%s", "\\xC3|\\xE2\\x82|\\xF0\\x9F\\x98", slot("\xc3"),
	       slot("\xe2\x82"), slot("\xf0\x9f\x98"));
	prints("%.4s|", "\xe2\x82\xac\\xE2|", slot("\xe2\x82\xac\xe2\x82\xac"));
	prints("%s", "\\x80a\\xBF", slot("\200a\277"));
}

static void test_pointers(void)
{
	static const char mac[] = "\x00\x11\x22\x33\x44\x55\x66\x77"
				  "\x88\x99\xaa\xbb\xcc\xdd\xee\xff";

	prints("%p %px %pK", "0000000000000000 ffff888000001234 0000000000000001", 0,
	       0xffff888000001234, 1);
	prints("0x%p|%8p|%-8p|%08p|%-p|%#p", "0x00000000000000ab|      ab|ab      |000000ab|"
	       "ab              |0x000000000000ab", 0xab, 0xab, 0xab, 0xab, 0xab, 0xab);
	prints("call %pS", "call symbol+0x1234", 0x1234);
	print("%pS|%20ps|%pe", (u64[]){ 0x1234, 0x5678, (u64)-22 }, sizeof(text));
	format.is_foreign = true;
	marker_print_event(text, sizeof(text), &format, bytes);
	ok(!strncmp(text, "0x1234|              0x5678|", 28) && !strstr(text + 28, "0x"),
	   "addresses of another kernel are numbers, errors have their names: %s", text);
	prints("ip %pI4.", "ip 00112233.", slot(mac));
	prints("%pM", "001122334455", slot(mac));
	prints("%pI6c", "00112233445566778899aabbccddeeff", slot(mac));
	prints("%3ph|%3phC|%3phD|%3phN|%ph", "00 11 22|00:11:22|00-11-22|001122|00",
	       slot(mac), slot(mac), slot(mac), slot(mac), slot(mac));
	prints("%*ph|%*phN|", "00 11|001122|", 2, slot(mac), 3, slot(mac));
	prints("%*ph|", "|", 0, slot(mac));
}

/* The format and pointer that the kernel's printf would get. */
static char given[64];

static int hook(char *buf, size_t size, const char *spec, const void *ptr)
{
	(void)ptr;
	strcpy(given, spec);
	return snprintf(buf, size, "<%s>", spec);
}

static void test_extensions(void)
{
	static const char data[64];

	marker_extension_hook = hook;
	prints("%pI4 %pi4 %pI6 %pi6 %pI6c",
	       "<%pI4> <%pi4> <%pI6> <%pi6> <%pI6c>",
	       slot(data), slot(data), slot(data), slot(data), slot(data));
	prints("%pM %pm %pMF %pMR", "<%pM> <%pm> <%pMF> <%pMR>",
	       slot(data), slot(data), slot(data), slot(data));
	prints("%pU %pUb %pUB %pUl %pUL", "<%pU> <%pUb> <%pUB> <%pUl> <%pUL>",
	       slot(data), slot(data), slot(data), slot(data), slot(data));
	prints("%pS %ps %pB", "<%pS> <%ps> <%pB>", 1, 2, 3);
	prints("%pa %pad %pap %pNF %p4cc %ptTd %pR %pr %ptR %ptRdr",
	       "<%pa> <%pad> <%pap> <%pNF> <%p4cc> <%ptTd> <%pR> <%pr> <%ptR> <%ptRdr>",
	       slot(data), slot(data), slot(data), slot(data), slot(data), slot(data),
	       slot(data), slot(data), slot(data), slot(data));
	prints("%pe %pe %pe", "<%pe> 0000000000000000 ffff888000001234", -2, 0, 0xffff888000001234);
	prints("%pISpc %pIS", "<%pISpc> (efault)", slot(data), 42);
	prints("%*pbl %*pb %9pbl %*pE %2pE %*pbl.", "<%16pbl> <%24pb> <%9pbl> <%3pE> <%2pE> .",
	       10, slot(data), 24, slot(data), slot(data), 3, slot(data), slot(data), 0,
	       slot(data));
	prints("%64pE %65pE %2000pE", "<%64pE> <%64pE> <%64pE>", slot(data), slot(data), slot(data));
	prints("%-30pS|%20pM|", "<%-30pS>|<%20pM>|", 1, slot(data));
	marker_extension_hook = NULL;
}

static void test_objects(void)
{
	static struct dentry root = { &root, { "/" } }, tab = { &root, { "a\tb" } };

	prints("at %pd2|%8pd|%-8pd|", "at /a\\tb|    a\\tb|a\\tb    |", slot(&tab), slot(&tab),
	       slot(&tab));
	prints("%pd %pd.", "(null) (efault).", 0, 42);
	prints("%pe %pe %Lx", "-ENOENT -133 ff", -2, -133, 0xff);
}

static void test_cut(void)
{
	const u64 args[] = { 1234567, slot("hello") };
	char whole[64];
	bool fine = true;
	int len, size;

	len = print("n %d s %-10s|%%\n", args, sizeof(text));
	strcpy(whole, text);
	is_str(whole, "n 1234567 s hello     |%", "the whole text");
	for (size = 1; size < len + 3; size++) {
		int want = min(len, size - 1);

		fine &= print("n %d s %-10s|%%\n", args, size) == want;
		fine &= !memcmp(text, whole, want) && !text[want] &&
			text[size] == 'Z';
	}
	ok(fine, "cut at each length");
	is_int(print("n %d s %-10s", args, 0), 0, "no room at all");
	is_int(text[0], 'Z', "and nothing is written");
}

/* What a string of @len characters prints after them. */
static const char *after_string(const char *fmt, u64 limit, size_t len)
{
	static char string[2000];
	size_t shown = min_t(size_t, min_t(size_t, len, 1023), limit);
	const u64 args[] = { limit, slot(string) };

	memset(string, 'x', len);
	string[len] = '\0';
	print(fmt, strchr(fmt, '*') ? args : args + 1, sizeof(text));
	return strspn(text, "x") == shown ? text + shown : "another number of characters";
}

static void test_cut_strings(void)
{
	is_str(after_string("%s.", 9999, 1022), ".", "a string of 1022 characters");
	is_str(after_string("%s.", 9999, 1023), "\\....", "1023, or more");
	is_str(after_string("%s.", 9999, 1500), "\\....", "a string that was cut");
	is_str(after_string("%-5s.", 9999, 1500), "\\....", "with a width");
	is_str(after_string("%.1500s.", 1500, 1600), "\\....", "with a larger precision");
	is_str(after_string("%.1023s.", 1023, 1500), ".", "as many as the format asks for");
	is_str(after_string("%.9s.", 9, 1500), ".", "or less");
	is_str(after_string("%.*s.", 2000, 1500), "\\....", "with a length");
	is_str(after_string("%.*s.", 1022, 1500), ".", "with a smaller one");
}

static void random_string(char *s, size_t max)
{
	size_t len = random() % max;

	/* except for a backslash, which printf does not escape */
	for (; len--; s += *s != '\\')
		*s = ' ' + random() % 95;
	*s = '\0';
}

/* Append one random conversion and its argument. */
static void add_conversion(char *fmt, u64 *arg, char *string)
{
	static const char letters[] = "diuxXocs";
	static const char * const lengths[] = {
		"", "hh", "h", "l", "ll", "z", "t", "j",
	};
	static const u64 values[] = {
		0, 1, ~0ull, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
		INT_MAX, 0x80000000, UINT_MAX, LLONG_MAX, 1ull << 63,
	};
	char letter = letters[random() % (sizeof(letters) - 1)];
	bool is_text = letter == 'c' || letter == 's';
	bool has_precision = letter != 'c' && random() % 2;
	/* test_like_printk() has "#", and "0" with a precision */
	const char *flags = has_precision ? "-+ " : "-+ 0";
	int i;

	strcat(fmt, "%");
	for (i = random() % 4; i; i--)
		strncat(fmt, flags + (is_text ? 0 : random() % strlen(flags)), 1);
	if (random() % 2)
		sprintf(fmt + strlen(fmt), "%ld", 1 + random() % 40);
	if (has_precision)
		sprintf(fmt + strlen(fmt), ".%ld", !is_text + random() % 30);
	if (!is_text)
		strcat(fmt, lengths[random() % ARRAY_SIZE(lengths)]);
	strncat(fmt, &letter, 1);
	*arg = random() % 2 ? values[random() % ARRAY_SIZE(values)] :
	       random() * 0x100000003ull << random() % 8;
	if (letter == 'c')
		*arg = ' ' + random() % ('\\' - ' ');
	if (letter == 's') {
		random_string(string, random() % 4 ? 20 : 200);
		*arg = slot(string);
	}
}

/* What printk() prints and printf does not, as number() of the kernel's lib/vsprintf.c has it. */
static void test_like_printk(void)
{
	prints("%#x|%#X|%#5x|%-#5x|%#05x|%#o", "0x0|0X0|  0x0|0x0  |0x000|0", 0, 0, 0, 0, 0, 0);
	prints("%.0d|%.d|%.0x|%+.0d|%3.0u", "0|0|0|+0|  0", 0, 0, 0, 0, 0);
	prints("%05.3d|%-05.3d|%05.3x|%+06.3d", "00007|007  |00007|+00007", 7, 7, 7, 7);
	prints("%#.5o|%#8.5o|%#08.5x|%#.3X", "000010|  000010|0x000010|0X010", 8, 8, 16, 16);
	prints("%#llx|%#5x|%-#7x|%#07x", "0x8000000000000000|  0x1|0x1    |0x00001",
	       1ull << 63, 1, 1, 1);
}

static void test_like_printf(void)
{
	char fmt[256], wanted[4096], strings[4][200];
	bool fine = true;
	u64 args[4];
	int round, i, n;

	srandom(2);
	for (round = 0; round < 300000 && fine; round++) {
		*fmt = '\0';
		n = 1 + random() % 4;
		for (i = 0; i < n; i++) {
			strcat(fmt, random() % 2 ? "a = " : random() % 2 ?
			       "%%" : ",x");
			add_conversion(fmt, &args[i], strings[i]);
		}
		strcat(fmt, ".");
		snprintf(wanted, sizeof(wanted), fmt, args[0], args[1], args[2],
			 args[3]);
		print(fmt, args, sizeof(text));
		fine &= !strcmp(text, wanted);
	}
	if (!ok(fine, "300000 random formats print as printf prints them"))
		printf("# format: '%s'\n#    got: '%s'\n# wanted: '%s'\n", fmt,
		       text, wanted);
}

int main(void)
{
	test_plain();
	test_numbers();
	test_heading();
	test_contexts();
	test_callstack();
	test_legend();
	test_escapes();
	test_utf8();
	test_pointers();
	test_extensions();
	test_objects();
	test_cut();
	test_cut_strings();
	test_like_printk();
	test_like_printf();
	return tap_done();
}
