// SPDX-License-Identifier: GPL-2.0
/*
 * Small parts of the command: JSON strings, plain text, sizes, patterns, files of names.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "json.h"
#include "marker_names.h"
#include "pattern.h"
#include "utf8.h"
#include "number.h"
#include "tap.h"

static void is_json(const char *text, size_t size, const char *wanted)
{
	char *got = NULL;
	size_t room;
	FILE *out = open_memstream(&got, &room);

	json_string(out, text, size);
	fclose(out);
	is_str(got, wanted, "JSON %s", wanted);
	free(got);
}

static void test_json(void)
{
	is_json("plain", 5, "\"plain\"");
	is_json("", 0, "\"\"");
	is_json("a\"b\\c", 5, "\"a\\\"b\\\\c\"");
	is_json("\n\t\r\x01\x7f", 5, "\"\\n\\t\\u000d\\u0001\\u007f\"");
	is_json("a\0b", 3, "\"a\\u0000b\"");
	is_json("uml \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", 15, "\"uml \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\"");
	/* no UTF-8: cut off, overlong, a surrogate, beyond the last one, a lone byte */
	is_json("\xc3", 1, "\"\\ufffd\"");
	is_json("\xe2\x82", 2, "\"\\ufffd\\ufffd\"");
	is_json("\xc0\xaf", 2, "\"\\ufffd\\ufffd\"");
	is_json("\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"");
	is_json("\xf4\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
	is_json("\xffz", 2, "\"\\ufffdz\"");
}

/* Each byte at each place, among plain bytes that are next to others. */
static void test_plain(void)
{
	static const char others[] = { ' ', '~', '!', '#', '[', ']' };
	unsigned int byte, at, size, wrong = 0, wrong_copies = 0;
	char text[20], copy[20];
	size_t i;

	for (i = 0; i < sizeof(others); i++)
		for (byte = 0; byte < 256; byte++)
			for (at = 0; at < sizeof(text); at++) {
				bool plain = byte >= 0x20 && byte <= 0x7e && byte != '"' && byte != '\\';

				memset(text, others[i], sizeof(text));
				text[at] = byte;
				for (size = 0; size <= sizeof(text); size++) {
					unsigned int n = plain || at >= size ? size : at;

					wrong += plain_size(text, size) != n;
					memset(copy, 0, sizeof(copy));
					wrong_copies += plain_copy(copy, text, size) != n || memcmp(copy, text, n);
				}
			}
	is_int(wrong, 0, "where plain text ends");
	is_int(wrong_copies, 0, "a copy of plain text");
}

/* A byte that needs an escape, after a run of plain characters and between two runs. */
static void test_long_json(void)
{
	is_json("0123456789abcdef\"0123456789", 27, "\"0123456789abcdef\\\"0123456789\"");
	is_json("0123456\xff" "01234567\xc3\xa4" "8\n", 20,
		"\"0123456\\ufffd01234567\xc3\xa4" "8\\n\"");
}

static void is_size(const char *text, uint64_t unit, long long wanted)
{
	uint64_t size = 0;

	if (!size_parse(text, unit, &size))
		size = -1;
	is_int(size, wanted, "size \"%s\"", text);
}

static void is_duration(const char *text, uint64_t wanted)
{
	uint64_t ns = 0;

	if (!duration_parse(text, &ns))
		ns = -1;
	is_int(ns, wanted, "duration \"%s\"", text);
}

static void test_duration(void)
{
	is_duration("7ns", 7);
	is_duration("5ms", 5000000);
	is_duration("1.5us", 1500);
	is_duration("30s", 30000000000);
	is_duration("0.5h", 1800000000000);
	is_duration("2min", 120000000000);
	is_duration("7d", 604800000000000);
	is_duration("1.000000001s", 1000000001);
	is_duration("213503.98d", 18446743872000000000u);
	is_duration("213503.99d", -1);
	is_duration("0s", -1);
	is_duration("5", -1);
	is_duration("ms", -1);
	is_duration("5m", -1);
	is_duration("5 ms", -1);
	is_duration("1..5s", -1);
	is_duration("99999999999d", -1);
}

static void test_size(void)
{
	uint64_t number;
	char text[32];

	is_size("512", 1024, 512 * 1024);
	is_size("512", 1, 512);
	is_size("64K", 1, 65536);
	is_size("2m", 1024, 2 << 20);
	is_size("1G", 1, 1 << 30);
	is_size("3MiB", 1, 3 << 20);
	is_size("", 1, -1);
	is_size("0", 1, -1);
	is_size("-1", 1, -1);
	is_size("1x", 1, -1);
	is_size("1KK", 1, -1);
	is_size("99999999999999999999", 1, -1);
	is_size("99999999999999G", 1, -1);
	is_int(number_parse("18446744073709551615", 0, UINT64_MAX, &number) ? number : 0, -1,
	       "the greatest number");
	ok(!number_parse("18446744073709551616", 0, UINT64_MAX, &number), "one more is none");
	ok(number_parse("2", 2, 3, &number) && !number_parse("1", 2, 3, &number) &&
	   !number_parse("4", 2, 3, &number), "from the least to the most");
	ok(!number_parse("", 0, 9, &number) && !number_parse("1 ", 0, 9, &number) &&
	   !number_parse("+1", 0, 9, &number) && !number_parse("-0", 0, 9, &number), "digits, and nothing else");
	is_str(size_text(1023, text, sizeof(text)), "1023 bytes", "size_text");
	is_str(size_text(1536, text, sizeof(text)), "1.5 KiB", "size_text");
}

static void test_pattern(void)
{
	char first[] = "a:*", second[] = "b:x", not[] = "!a:x*", again[] = "x1";
	char *const two[] = { first, second }, *const order[] = { first, not, again };
	char *const rest[] = { not, again };

	ok(pattern_matches("x", "a:x"), "a name means any module");
	ok(pattern_matches("a:x", "a:x"), "module and name");
	ok(!pattern_matches("a:x", "b:x"), "another module");
	ok(!pattern_matches("a:x", "a:xy"), "not a prefix");
	ok(pattern_matches("a*:?", "ab:x"), "globs");
	ok(pattern_matches("a-b:x", "a_b:x"), "a module by the name of its file");
	ok(pattern_matches("[a-c]-b:x", "b_b:x"), "and a range");
	ok(!pattern_matches("*", "ab:") == false, "a glob matches an empty name");
	ok(pattern_matches("!a:[w-y]", "a:x"), "an exclamation mark and a range");
	ok(patterns_select(2, two, "b:x"), "the second of two");
	ok(!patterns_select(2, two, "b:y"), "none of two");
	ok(patterns_select(0, NULL, "b:y"), "no pattern means all");
	ok(patterns_select(3, order, "a:y"), "a pattern, and none with ! that matches");
	ok(!patterns_select(3, order, "a:x2"), "a later pattern with !");
	ok(patterns_select(3, order, "a:x1"), "a still later one without");
	ok(!patterns_select(3, order, "b:y"), "what none names is left out");
	ok(patterns_select(2, rest, "b:y"), "unless the first has a !");
	ok(!patterns_select(2, rest, "a:x2"), "which leaves out");
}

static void test_names(void)
{
	static const char text[] = "# a comment\na:x\n\nb:y # why\n\tc:z#refused\r\n"
		"dev:w+count+stack=3\ndev:wide=count#pending\nlast";
	struct names names;

	names_parse(&names, strdup(text));
	is_int(names.nr, 6, "names");
	is_str(names.name[1], "b:y", "a comment after a name");
	is_str(names.name[2], "c:z", "blanks around a name");
	is_str(names.mark[2], "refused", "its mark");
	is_str(names.mark[1], "", "a comment is no mark");
	ok(names_find(&names, "last"), "a last line without its end");
	ok(!names_find(&names, "comment"), "a comment is no name");
	is_str(names_find(&names, "dev:w"), "dev:w+count+stack=3", "a name with options");
	is_str(names_find(&names, "dev:wide+count"), "dev:wide=count", "options do not matter");
	ok(!names_find(&names, "dev:wi"), "half a name");
	ok(names_only_count("dev:wide=count"), "=count does not record");
	ok(!names_only_count("dev:w+stack=3"), "+stack= does");
	ok(!names_only_count("dev:w"), "and so does a name alone");
	names_free(&names);
}

/* The limit makes the first write() a short one, and is the reason for the second's error. */
static void test_short_write(void)
{
	struct rlimit limit = { .rlim_cur = 4, .rlim_max = RLIM_INFINITY };
	char dir[] = "/tmp/parts-XXXXXX", *text;
	int fd, short_errno, replace_errno;

	if (!ok(mkdtemp(dir), "a directory"))
		return;
	fd = open(dir, O_RDONLY | O_DIRECTORY);
	ok(!file_write(fd, "a", O_CREAT, "old"), "a file");
	signal(SIGXFSZ, SIG_IGN);
	/* It holds for our results, too: print them after it. */
	setrlimit(RLIMIT_FSIZE, &limit);
	short_errno = file_write(fd, "b", O_CREAT, "0123456789") ? errno : 0;
	replace_errno = file_replace(fd, "a", "0123456789") ? errno : 0;
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	is_int(short_errno, EFBIG, "what is left after a short write() is written, too");
	is_int(replace_errno, EFBIG, "a new file that cannot be written");
	text = file_read(fd, "a", NULL);
	is_str(text ? text : "", "old", "does not replace the old one");
	free(text);
	unlinkat(fd, "a", 0);
	unlinkat(fd, "b", 0);
	ok(!rmdir(dir), "and leaves nothing");
	close(fd);
}

static void test_append(void)
{
	FILE *from = tmpfile(), *to = tmpfile();
	char bytes[16] = "";

	fputs("abcdef", from);
	rewind(from);
	ok(write(fileno(to), "1", 1) == 1 && !file_append(fileno(to), fileno(from), 3),
	   "some bytes");
	errno = 1;
	is_int(file_append(fileno(to), fileno(from), 4), -1, "more than there are");
	is_int(errno, 0, "which is no error of a file");
	is_int(pread(fileno(to), bytes, sizeof(bytes), 0), 7, "what was there is copied");
	is_str(bytes, "1abcdef", "at its place");
	fclose(from);
	fclose(to);
}

#define STEP	1000003

/* Make a file of holes, with a number at each STEP. */
static int open_numbered(const char *dir, off_t size)
{
	int fd = open(dir, O_TMPFILE | O_RDWR, 0600), number;
	off_t at;

	if (fd < 0 || ftruncate(fd, size))
		return -1;
	for (at = 0; at + (off_t)sizeof(number) <= size; at += STEP) {
		number = at / STEP + 1;
		if (pwrite(fd, &number, sizeof(number), at) != sizeof(number))
			return -1;
	}
	return fd;
}

/* Count the numbers that are not @room bytes after their first place. */
static int count_wrong(int fd, off_t size, off_t room)
{
	int number, wrong = 0;
	off_t at;

	for (at = 0; at + (off_t)sizeof(number) <= size; at += STEP)
		wrong += pread(fd, &number, sizeof(number), at + room) != sizeof(number) ||
			 number != at / STEP + 1;
	return wrong;
}

static void test_insert(const char *dir, off_t size, const char *what)
{
	const int room = 8192;
	int fd = open_numbered(dir, size);

	if (!ok(fd >= 0 && !file_insert(fd, room), what))
		return;
	is_int(lseek(fd, 0, SEEK_END), size + room, "it is longer");
	is_int(count_wrong(fd, size, room), 0, "and all of it is at its place");
	close(fd);
}

/* The file system must be able to insert blocks: moving 257 MiB of holes would fill them. */
static void test_insert_long(const char *dir)
{
	int fd = open_numbered(dir, 8192);
	bool can = fd >= 0 && !fallocate(fd, FALLOC_FL_INSERT_RANGE, 0, 4096);

	close(fd);
	if (can)
		test_insert(dir, (257 << 20) + 1, "in a long one");
	else
		skip("the file system cannot insert", "in a long one");
}

static void test_write_behind(const char *dir)
{
	const off_t size = 400 << 20, piece = 65536;
	int fd = open_numbered(dir, size), err = 0;
	off_t at;

	for (at = 0; at < size; at += piece)
		err |= file_write_behind(fd, at, at + piece);
	is_int(err, 0, "a long file is written behind");
	is_int(count_wrong(fd, size, 0), 0, "and is as it was");
	close(fd);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : ".";

	test_json();
	test_long_json();
	test_plain();
	test_size();
	test_duration();
	test_pattern();
	test_names();
	test_short_write();
	test_append();
	test_insert(dir, 5, "room in a short file");
	test_insert(dir, (3 << 20) + 12345, "in one of several pieces");
	test_insert_long(dir);
	test_write_behind(dir);
	return tap_done();
}
