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
#include "pattern.h"
#include "plain.h"
#include "size.h"
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
	unsigned int byte, at, size, wrong = 0;
	char text[20];
	size_t i;

	for (i = 0; i < sizeof(others); i++)
		for (byte = 0; byte < 256; byte++)
			for (at = 0; at < sizeof(text); at++) {
				bool plain = byte >= 0x20 && byte <= 0x7e && byte != '"' && byte != '\\';

				memset(text, others[i], sizeof(text));
				text[at] = byte;
				for (size = 0; size <= sizeof(text); size++)
					wrong += plain_size(text, size) !=
						 (plain || at >= size ? size : at);
			}
	is_int(wrong, 0, "where plain text ends");
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

static void test_size(void)
{
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
	char text[] = "# a comment\na:x\n\nb:y # why\n\tc:z#refused\r\nlast";
	struct names names;

	names_parse(&names, text);
	is_int(names.nr, 4, "names");
	is_str(names.name[1], "b:y", "a comment after a name");
	is_str(names.name[2], "c:z", "blanks around a name");
	is_str(names.mark[2], "refused", "its mark");
	is_str(names.mark[1], "", "a comment is no mark");
	ok(names_have(&names, "last"), "a last line without its end");
	ok(!names_have(&names, "comment"), "a comment is no name");
	names_free(&names);
}

/* The limit makes the first write() a short one, and is the reason for the second's error. */
static void test_short_write(void)
{
	struct rlimit limit = { .rlim_cur = 4, .rlim_max = RLIM_INFINITY };
	char dir[] = "/tmp/parts-XXXXXX", *text;
	int fd, err;

	if (!ok(mkdtemp(dir), "a directory"))
		return;
	fd = open(dir, O_RDONLY | O_DIRECTORY);
	ok(!file_write(fd, "a", O_CREAT, "old"), "a file");
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	errno = 0;
	err = file_write(fd, "b", O_CREAT, "0123456789");
	is_int(err ? errno : 0, EFBIG, "what is left after a short write() is written, too");
	err = file_replace(fd, "a", "0123456789");
	is_int(err ? errno : 0, EFBIG, "a new file that cannot be written");
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	text = file_read(fd, "a", NULL);
	is_str(text ? text : "", "old", "does not replace the old one");
	free(text);
	unlinkat(fd, "a", 0);
	unlinkat(fd, "b", 0);
	ok(!rmdir(dir), "and leaves nothing");
	close(fd);
}

/* The way of trace.dat's pages: from a nameless file to the end of another one. */
static void test_append(void)
{
	char dir[] = "/tmp/parts-XXXXXX", bytes[16] = "";
	struct stat beside, made;
	FILE *file;
	int to;

	if (!ok(mkdtemp(dir) && !chdir(dir), "a directory"))
		return;
	to = open("to", O_RDWR | O_CREAT, 0600);
	file = file_temporary("to");
	if (!ok(to >= 0 && file, "a file, and one without a name"))
		return;
	fstat(to, &beside);
	ok(!fstat(fileno(file), &made) && !made.st_nlink && made.st_dev == beside.st_dev,
	   "it is in the same file system");
	fputs("abcdef", file);
	rewind(file);
	ok(write(to, "1", 1) == 1 && !file_append(to, fileno(file), 3), "some bytes");
	errno = 1;
	is_int(file_append(to, fileno(file), 4), -1, "more than there are");
	is_int(errno, 0, "which is no error of a file");
	is_int(pread(to, bytes, sizeof(bytes), 0), 7, "what was there is copied");
	is_str(bytes, "1abcdef", "at its place");
	fclose(file);
	file = file_temporary("/dev/null");
	ok(file && !fstat(fileno(file), &made) && S_ISREG(made.st_mode), "and beside a device");
	fclose(file);
	close(to);
	unlink("to");
	ok(!chdir("/") && !rmdir(dir), "nothing is left");
}

int main(void)
{
	test_json();
	test_long_json();
	test_plain();
	test_size();
	test_pattern();
	test_names();
	test_short_write();
	test_append();
	return tap_done();
}
