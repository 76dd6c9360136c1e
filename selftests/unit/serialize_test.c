// SPDX-License-Identifier: GPL-2.0
/*
 * markers/format/serialize.c and quick.h: the bytes of each conversion, strings wherever they lie,
 * pointers that fault, memory that changes between the passes, and random
 * formats and values against the promise that all passes agree. object_test.c has the
 * structures behind pointers.
 */
#include <sys/mman.h>

#include "serialize_kit.h"
#include "tap.h"

#define PAGE		4096

static void test_fixed(void)
{
	static const char data[] = "\x01\x02\x03\x04\x05\x06\x07\x08"
				   "\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10";

	is_bytes(" ", "");
	is_bytes("%d", "\x04\x03\x02\x01", 0x1234567801020304);
	is_bytes("%d", "\xff\xff\xff\xff", -1);
	is_bytes("%hhd%hd%d%lld",
		 "\x80\x00\x80\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x80",
		 (u64)(s8)-128, (u64)(s16)-32768, (u64)(s32)0x80000000,
		 0x8000000000000000);
	is_bytes("%c%c", "ab", 'a', 'b');
	is_bytes("%p", "\xef\xcd\xab\x89\x67\x45\x23\x01", 0x0123456789abcdef);
	is_bytes("%pI4", "\x01\x02\x03\x04", slot(data));
	is_bytes("%pM%hhu", "\x01\x02\x03\x04\x05\x06\x2a", slot(data), 42);
	is_bytes("%pUb", "\x01\x02\x03\x04\x05\x06\x07\x08"
		 "\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10", slot(data));
	is_bytes("%9ph", "\x01\x02\x03\x04\x05\x06\x07\x08\x09", slot(data));
	is_bytes("%pI4", "\0\0\0\0", 0);
	is_bytes("%pI4", "\0\0\0\0", 42);
}

static void test_variable(void)
{
	static const char text[] = "hello world, this is a long string";

	is_bytes("%s", "\0", slot(""));
	is_bytes("%s", "a\0", slot("a"));
	is_bytes("%s", "(null)\0", 0);
	is_bytes("%s", "(efault)\0", 42);
	is_bytes("%.3s", "(nu\0", 0);
	is_bytes("%.3s", "(ef\0", 42);
	is_bytes("%.0s", "\0", 0);
	is_bytes("%.0s", "\0", 42);
	is_bytes("%.5s|", "hello\0", slot(text));
	is_bytes("%.19s|", "hello world, this i\0", slot(text));
	is_bytes("%.15s|", "hello world, th\0", slot(text));
	is_bytes("%.16s|", "hello world, thi\0", slot(text));
	is_bytes("%.*s|", "hello\0", 5, slot(text));
	is_bytes("%.*s|", "\0", 0, slot(text));
	is_bytes("%.*s|", "\0", -1, slot(text));
	is_bytes("%.*s|", "\0", 0xffffffff, slot(text));
	is_bytes("%.*s|", "\0", 0x80000000, 42);
	is_bytes("%.*s|", "hello world, this is a long string\0", 9999, slot(text));
	is_bytes("%.*s", "(e\0", 2, 42);
	is_bytes("%d %s %d", "\x01\0\0\0hi\0\x02\0\0\0", 1, slot("hi"), 2);
	is_bytes("%s%s%s", "hello world, this is a long string\0a\0(null)\0",
		 slot(text), slot("a"), 0);
	is_bytes("%*ph", "\x05\0hello", 5, slot(text));
	is_bytes("%*ph", "\0\0", 0, slot(text));
	is_bytes("%*ph", "\x03\0hel", -3, slot(text));
	is_bytes("%*pE", "\x03\0hel", 0xfffffffd, slot(text));
	is_bytes("%*pbl", "\x02\0h\x01", -9, slot(text));
	is_bytes("%*ph", "\0\0", 5, 0);
	is_bytes("%*ph", "\0\0", 5, 42);
	is_bytes("%*ph%s%*ph%.*s", "\x02\0hehe\0\x01\0hhel\0", 2, slot(text),
		 slot("he"), 1, slot(text), 3, slot(text));
}

/* More bytes than a string or a sequence can have. */
static void test_maxima(void)
{
	static char text[5000];

	memset(text, 'x', sizeof(text) - 1);
	parse("%s");
	is_int(serialize((u64[]){ slot(text) }), MARKER_MAX_STRING,
	       "a string is cut at 1024 bytes");
	is_int(strlen(buffer), MARKER_MAX_STRING - 1, "and has its NUL there");
	parse("%*ph");
	is_int(serialize((u64[]){ 1000, slot(text) }), MARKER_MAX_SEQUENCE + 2,
	       "a sequence is cut at 64 bytes");
	is_int(serialize((u64[]){ 0x80000000, slot(text) }), MARKER_MAX_SEQUENCE + 2,
	       "so is one with the lowest length");
	parse("%.*s");
	is_int(serialize((u64[]){ 4000, slot(text) }), MARKER_MAX_STRING,
	       "a string with a length is cut at 1024 bytes");
}

/*
 * Two pages, the second of which traps, and strings near the end of the first one,
 * at each distance and length.  With @bad the second page "faults" as in the kernel;
 * without it, a read there kills the test.
 */
static void test_page_end(bool bad)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = pages + PAGE, *s;
	bool fine = true, ends = true, limits = true;
	int len, gap;

	if (!bad)
		mprotect(end, PAGE, PROT_NONE);
	marker_bad_start = bad ? end : NULL;
	marker_bad_end = bad ? end + PAGE : NULL;
	for (len = 0; len < 60; len++) {
		for (gap = 0; gap < 20; gap++) {
			memset(pages, 'y', PAGE);
			s = end - gap - len - 1;
			memset(s, 'x', len);
			s[len] = '\0';
			parse("%s");
			fine &= serialize((u64[]){ slot(s) }) == len + 1 &&
				!memcmp(buffer, s, len + 1);
		}
		s = end - len;
		memset(s, 'x', len);
		parse("%.*s");
		limits &= serialize((u64[]){ len, slot(s) }) == len + 1 &&
			  !memcmp(buffer, s, len) && !buffer[len];
		parse("%s");
		if (bad)
			ends &= serialize((u64[]){ slot(s) }) == 9 &&
				!strcmp(buffer, "(efault)");
		parse("%*ph");
		limits &= serialize((u64[]){ len, slot(s) }) == len + 2;
		if (bad && len)
			ends &= serialize((u64[]){ len + 1, slot(s) }) == 2;
	}
	parse("%pI6");
	memset(end - 16, 'z', 16);
	fine &= serialize((u64[]){ slot(end - 16) }) == 16 && buffer[15] == 'z';
	ok(fine, "strings that end before a %s page", bad ? "bad" : "guard");
	ok(limits, "unterminated text before a %s page, with a limit",
	   bad ? "bad" : "guard");
	if (bad) {
		ok(ends, "unterminated text without one is a fault");
		ends = serialize((u64[]){ slot(end - 15) }) == 16 &&
		       !buffer[0] && !buffer[15];
		ok(ends, "bytes that run into a bad page are all zero");
	}
	marker_bad_start = NULL;
	marker_bad_end = NULL;
	munmap(pages, 2 * PAGE);
}

/* A string across the end of a page, at each distance and length. */
static void test_page_crossing(void)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool fine = true;
	int before, len;
	char *s;

	parse("%s");
	for (before = 0; before < 40; before++) {
		for (len = 0; len < 80; len++) {
			memset(pages, 'y', 2 * PAGE);
			s = pages + PAGE - before;
			memset(s, '\xff' - len % 4 * 0x7f, len);
			s[len] = '\0';
			fine &= serialize((u64[]){ slot(s) }) == len + 1 &&
				!memcmp(buffer, s, len + 1);
		}
	}
	ok(fine, "strings across a page boundary");
	munmap(pages, 2 * PAGE);
}

/* Bytes that the quick test for a zero byte could mistake for one. */
static void test_bytes(void)
{
	bool fine = true;
	int c, at, zero;
	char s[20];

	parse("%s");
	for (c = 1; c < 256; c++) {
		for (at = 0; at < 18; at++) {
			for (zero = 0; zero < 19; zero++) {
				memset(s, 'a', sizeof(s));
				s[at] = c;
				s[zero] = '\0';
				fine &= serialize((u64[]){ slot(s) }) == zero + 1;
				fine &= !strcmp(buffer, s);
			}
		}
	}
	ok(fine, "each byte at each place, with a NUL at each place");
}

/* The string changes from @before to @after once it has been measured. */
static void changing(const char *text, const char *before, const char *after,
		     const char *wanted, bool fault)
{
	struct marker_lengths lengths;
	char s[64];
	char *end;
	u32 size;

	memset(s, 0, sizeof(s));
	strcpy(s, before);
	parse(text);
	size = marker_serialize_size(&format, (u64[]){ slot(s) }, &lengths);
	memset(s, 0, sizeof(s));
	strcpy(s, after);
	if (fault) {
		marker_bad_start = s;
		marker_bad_end = s + sizeof(s);
	}
	memset(buffer, CANARY, sizeof(buffer));
	end = marker_serialize(buffer, &format, (u64[]){ slot(s) }, &lengths);
	marker_bad_start = NULL;
	marker_bad_end = NULL;
	if (!ok(end == buffer + size && buffer[size] == CANARY &&
		!strcmp(buffer, wanted) && size == strlen(wanted) + 1,
		"'%s' that becomes %s'%s'", before, fault ? "unreadable, " : "",
		after))
		printf("# got '%s'\n", buffer);
}

static void test_changing(void)
{
	changing("%s", "0123456789abcdef012345", "0123456789ab",
		 "0123456789ab          ", false);
	changing("%s", "0123456789abcdef012345", "",
		 "                      ", false);
	changing("%s", "0123456789abcdef012345", "0123456789abcdef01",
		 "0123456789abcdef01    ", false);
	changing("%s", "0123456789abcdef012345", "0123456789abcdef0123456789",
		 "0123456789abcdef012345", false);
	changing("%s", "0123456789abcdef012345", "0123456789abcdef012345",
		 "                      ", true);
	changing("%s", "0123456789abcdef", "x", "x               ", false);
	/* This one was kept. */
	changing("%s", "0123456789abcde", "x", "0123456789abcde", false);
	changing("%s", "0123456789abcde", "x", "0123456789abcde", true);
	changing("%.20s", "0123456789abcde", "x", "0123456789abcde", false);
	changing("%.20s", "0123456789abcdef", "x", "x               ", false);
	changing("%.8s", "0123456789abcde", "x", "01234567", true);
}

static void test_reader(void)
{
	parse("%s %*ph");
	is_int(marker_serialized_size(&format, "abc", 3), -EINVAL,
	       "a string without an end");
	is_int(marker_serialized_size(&format, "abc\0\x02", 5), -EINVAL,
	       "half of a length");
	is_int(marker_serialized_size(&format, "abc\0\x02\0a", 7), -EINVAL,
	       "half of a sequence");
	is_int(marker_serialized_size(&format, "abc\0\x02\0ab", 8), 8,
	       "a whole event");
	is_int(marker_serialized_size(&format, "\0\xff\xffx", 4), -EINVAL,
	       "a length beyond the bytes");
	is_int(marker_serialized_size(&format, buffer, 0), -EINVAL, "nothing");
	parse(" ");
	is_int(marker_serialized_size(&format, buffer, 0), 0, "an empty event");
}

static const char * const conversions[] = {
	"%hhd", "%hd", "%d", "%ld", "%hhu", "%hx", "%o", "%zu", "%c", "%p",
	"%pI4", "%pI6", "%pM", "%pU", "%7ph", "%s", "%.5s", "%.20s", "%.*s",
	"%*ph", "%s", "%s", "%lld", "%pa", "%pR", "%.300s",
};

/* A string of up to 40 or 300 characters somewhere in an arena, or none. */
static u64 random_pointer(void)
{
	static char arena[2 * PAGE];
	int at = random() % (PAGE + PAGE / 2);
	int len = random() % (random() % 16 ? 40 : 300);

	if (random() % 16 == 0)
		return random() % 2 ? 0 : 42;
	memset(arena + at, random() % 255 + 1, len);
	memset(arena + at + len, 0, 80);
	return slot(arena + at);
}

static void test_random(void)
{
	bool fine = true;
	u64 args[MARKER_MAX_ARGS];
	int round, i, n;
	char text[256];

	srandom(1);
	for (round = 0; round < 200000 && fine; round++) {
		*text = '\0';
		for (i = random() % 9; i; i--)
			strcat(text, conversions[random() %
						 ARRAY_SIZE(conversions)]);
		parse(text);
		for (i = 0; i < format.nr_args; i++)
			args[i] = random() * 0x100000001ull;
		for (i = 0; i < format.nr_fields; i++) {
			const struct marker_field *f = &format.field[i];

			n = f->size + f->max;
			if (f->type != MARKER_FIELD_INT)
				args[f->arg] = random_pointer();
			if (f->len_arg != MARKER_NO_ARG)
				args[f->len_arg] = random() % 60 - 10;
			fine &= n > 0;
		}
		fine &= serialize(args) >= format.fixed_size;
	}
	if (!ok(fine, "random formats: all passes agree"))
		printf("# '%s'\n", text);
}

int main(void)
{
	test_fixed();
	test_variable();
	test_maxima();
	test_page_end(false);
	test_page_end(true);
	test_page_crossing();
	test_bytes();
	test_changing();
	test_reader();
	test_random();
	ok(quick_events > 100000, "%u of all by the quick way", quick_events);
	ok(quick_fixed > 10000, "%u by that for a fixed size", quick_fixed);
	ok(quick_addresses > 10, "%u by that for one address", quick_addresses);
	ok(quick_strings[QUICK_ONE_WORD] > 1000 && quick_strings[QUICK_TWO_WORDS] > 1000 &&
	   quick_long > 1000, "and by that for one string, of each length");
	return tap_done();
}
