// SPDX-License-Identifier: GPL-2.0
/*
 * markers/format/serialize.c and quick.h: the bytes of each conversion, strings wherever they lie,
 * pointers that fault, memory that changes between the passes, and random
 * formats and values against the promise that all passes agree.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include <markers/format/object.h>
#include <markers/format/serialize.h>
#include <markers/format/quick.h>
#include <markers/uapi/ctf.h>
#include "tap.h"

#define PAGE		4096
#define ROOM		(64 * 1024)
#define CANARY		0x5a

static struct marker_format format;
static struct marker_format_error error;
static char buffer[ROOM];

static u64 slot(const void *p)
{
	return (uintptr_t)p;
}

static void parse(const char *text)
{
	if (marker_format_parse(&format, text, &error)) {
		printf("Bail out! '%s': column %u: %s\n", text, error.column,
		       error.why);
		exit(1);
	}
}

static struct marker_plan placed;	/* that of @format */
static unsigned int quick_events, quick_fixed, quick_strings[QUICK_TWO_WORDS + 1], quick_long;

/* As hit.h does: header of four bytes, front, tail. */
static void put_front(u8 *to, const u64 *args, u64 tail_size)
{
	const struct marker_plan *plan = &placed;

	if (tail_size >= plan->overhang || plan->way == MARKER_WAY_INTS)
		put64(to, 0x7777777777777777);
	else
		put32(to, 0x77777777);
	if (plan->way == MARKER_WAY_INTS)
		quick_put_ints(to, plan, args);
	else if (tail_size < plan->overhang)
		quick_put_narrow(to, plan, args, 0);
	else if (plan->way == MARKER_WAY_STRING)
		quick_put_front(to, plan, args, true);
	else
		quick_put_front(to, plan, args, false);
}

/* Are these the bytes of serialize(), after a header, and the bytes after them untouched? */
static bool is_same(const u8 *other, u32 quick_size, u32 size)
{
	u32 i;

	if (quick_size != size || memcmp(buffer, other + CTF_COMPACT_SIZE, size))
		return false;
	for (i = size; i < size + 16; i++)
		if (other[CTF_COMPACT_SIZE + i] != CANARY)
			return false;
	return true;
}

/* A string by the quick way for a single string. */
static bool is_string_the_same(const u64 *args, u32 size)
{
	const struct marker_plan *plan = &placed;
	u32 front = plan->at[plan->nr_front], all;
	struct quick_string string;
	struct quick_tail tail;
	enum quick_where where;
	static u8 other[ROOM];
	u64 got;

	where = quick_get_string(args[plan->nr_front], &string);
	if (where == QUICK_NOWHERE)
		return true;
	if (where == QUICK_LONGER) {
		if (!quick_get_long(&tail, &got, (const char *)(uintptr_t)args[plan->nr_front]))
			return true;
		quick_long++;
		memset(other, CANARY, size + 32);
		put64(other, 0x7777777777777777);
		quick_put_front(other, plan, args, true);
		quick_put_long(other + front, &tail, got);
		return is_same(other, front + got - CTF_COMPACT_SIZE, size);
	}
	quick_strings[where]++;
	all = front + string.size;
	memset(other, CANARY, size + 32);
	put_front(other, args, string.size);
	quick_put_string(other + front, other + all, &string, where);
	return is_same(other, all - CTF_COMPACT_SIZE, size);
}

/* quick.h writes the same bytes, or leaves it alone. */
static bool is_quick_the_same(const u64 *args, u32 size)
{
	struct marker_plan *plan = &placed;
	struct quick_tail tail;
	static u8 other[ROOM];
	u32 front;
	u64 got;

	placed = format.plan;
	if (plan->way == MARKER_WAY_GENERAL)
		return true;
	marker_plan_place(plan, CTF_COMPACT_SIZE);
	front = plan->at[plan->nr_front];
	if (plan->way == MARKER_WAY_FIXED) {
		memset(other, CANARY, size + 32);
		put_front(other, args, size + CTF_COMPACT_SIZE - front);
		quick_put_fixed(other + front, plan, args);
		quick_fixed++;
		if (!is_same(other, size, size))
			return false;
	}
	if (plan->way == MARKER_WAY_STRING && !is_string_the_same(args, size))
		return false;
	memset(&tail, 0xee, sizeof(tail));
	if (!quick_get_tail(&tail, &got, plan, args, true))
		return true;
	quick_events++;
	if (got > quick_most(plan))
		return false;
	memset(other, CANARY, size + 32);
	put_front(other, args, got);
	if (got)
		quick_put_tail(other + front, &tail, got);
	return is_same(other, front + got - CTF_COMPACT_SIZE, size);
}

/*
 * Both passes and the reader's walk.  Returns the bytes, or -1 if anything
 * disagrees; then the canaries around the record are broken, or a size.
 */
static int serialize(const u64 *args)
{
	struct marker_lengths lengths;
	u32 size, i;
	char *end;

	memset(&lengths, 0xee, sizeof(lengths));
	size = marker_serialize_size(&format, args, &lengths);
	if (size > ROOM - 16)
		return -1;
	memset(buffer, CANARY, size + 16);
	end = marker_serialize(buffer, &format, args, &lengths);
	if (end != buffer + size)
		return -1;
	for (i = size; i < size + 16; i++)
		if (buffer[i] != CANARY)
			return -1;
	if (marker_serialized_size(&format, buffer, size) != (int)size ||
	    marker_serialized_size(&format, buffer, ROOM) != (int)size)
		return -1;
	if (size && marker_serialized_size(&format, buffer, size - 1) != -EINVAL)
		return -1;
	return is_quick_the_same(args, size) ? (int)size : -1;
}

#define is_bytes(text, bytes, args...) \
	check_bytes(text, bytes, sizeof(bytes) - 1, (u64[]){ 0, ##args } + 1)

static void check_bytes(const char *text, const char *bytes, int len,
			const u64 *args)
{
	int i, got;

	parse(text);
	got = serialize(args);
	if (ok(got == len && !memcmp(buffer, bytes, len), "bytes of '%s'", text))
		return;
	printf("# got %d of %d bytes:", got, len);
	for (i = 0; i < got; i++)
		printf(" %02x", (u8)buffer[i]);
	printf("\n");
}

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
	is_bytes("%s", "(fault)\0", 42);
	is_bytes("%.3s", "(nu\0", 0);
	is_bytes("%.3s", "(fa\0", 42);
	is_bytes("%.0s", "\0", 0);
	is_bytes("%.0s", "\0", 42);
	is_bytes("%.5s|", "hello\0", slot(text));
	is_bytes("%.19s|", "hello world, this i\0", slot(text));
	is_bytes("%.15s|", "hello world, th\0", slot(text));
	is_bytes("%.16s|", "hello world, thi\0", slot(text));
	is_bytes("%.*s|", "hello\0", 5, slot(text));
	is_bytes("%.*s|", "\0", 0, slot(text));
	is_bytes("%.*s|", "hello world, this is a long string\0", -1, slot(text));
	is_bytes("%.*s|", "hello world, this is a long string\0",
		 0xffffffff, slot(text));
	is_bytes("%.*s|", "hello world, this is a long string\0", 9999, slot(text));
	is_bytes("%.*s", "(f\0", 2, 42);
	is_bytes("%d %s %d", "\x01\0\0\0hi\0\x02\0\0\0", 1, slot("hi"), 2);
	is_bytes("%s%s%s", "hello world, this is a long string\0a\0(null)\0",
		 slot(text), slot("a"), 0);
	is_bytes("%*ph", "\x05\0hello", 5, slot(text));
	is_bytes("%*ph", "\0\0", 0, slot(text));
	is_bytes("%*ph", "\0\0", -3, slot(text));
	is_bytes("%*ph", "\0\0", 5, 0);
	is_bytes("%*ph", "\0\0", 5, 42);
	is_bytes("%*ph%s%*ph%.*s", "\x02\0hehe\0\x01\0hhel\0", 2, slot(text),
		 slot("he"), 1, slot(text), 3, slot(text));
}

static struct dentry root = { &root, { "/" } };
static struct dentry dir = { &root, { "etc" } };
static struct dentry leaf = { &dir, { "passwd" } };

/* Addresses of which two make up the third. */
static char names[0x200] __aligned(0x10000);

static void rename_leaf(const void *from)
{
	if (from >= (void *)&leaf.d_name.name && from < (void *)(&leaf.d_name.name + 1))
		leaf.d_name.name = leaf.d_name.name == names ? names + 0x101 : names;
}

/* The name's pointer changes after each load: it is the old one or the new one. */
static void test_rename(void)
{
	const char *name = leaf.d_name.name;
	u64 args[] = { slot(&leaf) };
	struct marker_format_error error;
	struct marker_format format;
	char copy[8] = "";
	u32 size;

	strcpy(names, "old");
	strcpy(names + 0x100, "?");
	strcpy(names + 0x101, "new");
	leaf.d_name.name = names;
	marker_format_parse(&format, "f %pd", &error);
	marker_after_load = rename_leaf;
	size = marker_object_measure(&format.field[0], args);
	is_int(size, sizeof("old"), "size of a name while it is replaced");
	marker_object_copy(copy, size, &format.field[0], args);
	marker_after_load = NULL;
	is_str(copy, "new", "the name");
	leaf.d_name.name = name;
}

static void test_dentries(void)
{
	static struct dentry lost = { (struct dentry *)42, { "lost" } };
	static struct dentry nameless = { &root, { (const char *)42 } };
	static struct file file = { { &leaf } }, empty;

	is_bytes("%pd", "passwd\0", slot(&leaf));
	is_bytes("%pd2", "etc/passwd\0", slot(&leaf));
	is_bytes("%pd3", "/etc/passwd\0", slot(&leaf));
	is_bytes("%pd4", "/etc/passwd\0", slot(&leaf));
	is_bytes("%pd", "/\0", slot(&root));
	is_bytes("%pd4", "/\0", slot(&root));
	is_bytes("%pd %d", "(null)\0\x07\0\0\0", 0, 7);
	is_bytes("%pd %d", "(fault)\0\x07\0\0\0", 42, 7);
	is_bytes("%pd", "lost\0", slot(&lost));
	is_bytes("%pd2", "(fault)\0", slot(&lost));
	is_bytes("%pd", "(fault)\0", slot(&nameless));
	is_bytes("%pD", "passwd\0", slot(&file));
	is_bytes("%pD2", "etc/passwd\0", slot(&file));
	is_bytes("%pD", "(fault)\0", slot(&empty));
	is_bytes("%pD", "(null)\0", 0);
	is_bytes("%pD", "(fault)\0", 42);
}

static void test_nodes(void)
{
	static struct device_node top = { "/", NULL };
	static struct device_node soc = { "/soc", &top };
	static struct device_node uart = { "/soc/serial@4000", &soc };
	static struct device_node lost = { "serial@4000", (struct device_node *)42 };
	static struct device_node nameless = { (const char *)42, &soc };
	static struct device_node deep[20];
	size_t i;

	is_bytes("%pOF", "/soc/serial@4000\0", slot(&uart));
	is_bytes("%pOFf", "/soc\0", slot(&soc));
	is_bytes("%pOF", "\0", slot(&top));
	is_bytes("%pOFn", "serial\0", slot(&uart));
	is_bytes("%pOFP", "serial@4000\0", slot(&uart));
	is_bytes("%pOFn", "soc\0", slot(&soc));
	is_bytes("%pOF", "(fault)\0", slot(&lost));
	is_bytes("%pOFn", "serial\0", slot(&lost));
	is_bytes("%pOFn %pOF", "(fault)\0(fault)\0", slot(&nameless), slot(&nameless));
	is_bytes("%pOF", "(null)\0", 0);
	for (i = 0; i < ARRAY_SIZE(deep); i++) {
		deep[i].full_name = "n";
		deep[i].parent = i ? &deep[i - 1] : &top;
	}
	is_bytes("%pOF", ".../n/n/n/n/n/n/n/n/n/n/n/n/n/n/n/n\0", slot(&deep[19]));
	/* A circle ends as well. */
	deep[0].parent = &deep[19];
	is_bytes("%pOF", ".../n/n/n/n/n/n/n/n/n/n/n/n/n/n/n/n\0", slot(&deep[19]));
}

static void test_disks(void)
{
	static struct gendisk sda = { "sda" }, nvme = { "nvme0n1" }, empty = { "" };
	static struct block_device whole = { &sda, 0 }, part = { &sda, 12 },
				   many = { &nvme, 128 }, none = { &empty, 3 },
				   lost = { (struct gendisk *)42, 0 };

	is_bytes("%pg", "sda\0", slot(&whole));
	is_bytes("%pg", "sda12\0", slot(&part));
	is_bytes("%pg", "nvme0n1p128\0", slot(&many));
	is_bytes("%pg", "3\0", slot(&none));
	is_bytes("%pg", "(fault)\0", slot(&lost));
	is_bytes("%pg", "(null)\0", 0);
}

/* "%pV" of these arguments has these bytes. */
static void nested(const char *bytes, int len, const char *text, ...)
{
	va_list args;
	struct va_format nest = { text, &args };

	va_start(args, text);
	check_bytes("%pV", bytes, len, (u64[]){ slot(&nest) });
	va_end(args);
}

static void test_nested(void)
{
	static struct va_format lost = { (const char *)42, NULL };
	static char long_text[3000], cut[MARKER_MAX_STRING];

	nested("a 1 b\0", 6, "a %d %s", 1, "b");
	nested("a 1\0", 4, "a %d\n", 1);
	nested("\0", 1, "\n");
	nested("\0", 1, "%s", "");
	nested("x y\0", 4, "x%cy", 0);
	is_bytes("%pV %pV", "(fault)\0(null)\0", slot(&lost), 0);
	memset(long_text, 'x', sizeof(long_text) - 1);
	memcpy(cut, long_text, MARKER_MAX_STRING - 1);
	nested(cut, MARKER_MAX_STRING, "%s", long_text);
}

static void test_bytes_of_objects(void)
{
	static const u8 bits[2000] = { 0xff, 0xff, 0xff };
	static struct sockaddr_in in4 = { .sin_family = AF_INET, .sin_port = 0x0102 };
	static struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
	static struct sockaddr other = { .sa_family = AF_UNIX };
	static const u64 dma = 0x1122334455667788;

	is_bytes("%pad %d", "\x88\x77\x66\x55\x44\x33\x22\x11\x01\0\0\0", slot(&dma), 1);
	is_bytes("%pa", "\0\0\0\0\0\0\0\0", 42);
	is_bytes("%pe", "\xfe\xff\xff\xff\xff\xff\xff\xff", -2);
	is_bytes("%*pbl", "\x03\0\xff\xff\x0f", 20, slot(bits));
	is_bytes("%*pb", "\x02\0\xff\xff", 16, slot(bits));
	is_bytes("%*pb", "\0\0", 0, slot(bits));
	is_bytes("%*pb", "\0\0", -5, slot(bits));
	is_bytes("%*pb", "\0\0", 5, 42);
	is_bytes("%*pE", "\x02\0\xff\xff", 2, slot(bits));
	is_bytes("%pIS", "\x10\0\x02\0\x02\x01\0\0\0\0\0\0\0\0\0\0\0\0", slot(&in4));
	is_bytes("%pIS", "\x02\0\x01\0", slot(&other));
	is_bytes("%pIS%d", "\0\0\x01\0\0\0", 42, 1);
	is_bytes("%pIS%d", "\0\0\x01\0\0\0", 0, 1);
	parse("%pIS");
	is_int(serialize((u64[]){ slot(&in6) }), 30, "an IPv6 address has 28 bytes");
	parse("%*pbl");
	is_int(serialize((u64[]){ 100000, slot(bits) }), MARKER_MAX_BITMAP + 2,
	       "a bitmap is cut at 1024 bytes");
}

/* An object that changes after it was measured. */
static void test_changing_objects(void)
{
	static struct dentry d = { &root, { "0123456789" } };
	struct marker_lengths lengths;
	const u64 args[] = { slot(&d), 3 };
	u32 size;

	parse("%pd%hhd");
	size = marker_serialize_size(&format, args, &lengths);
	d.d_name.name = "01234567890123456789";
	memset(buffer, CANARY, sizeof(buffer));
	marker_serialize(buffer, &format, args, &lengths);
	ok(size == 12 && !memcmp(buffer, "0123456789\0\x03\x5a", 13),
	   "a name that gets longer is cut");
	d.d_name.name = "012";
	marker_serialize(buffer, &format, args, &lengths);
	ok(!memcmp(buffer, "012       \0\x03\x5a", 13), "one that gets shorter is filled up");
	d.d_name.name = (const char *)42;
	marker_serialize(buffer, &format, args, &lengths);
	ok(!memcmp(buffer, "(fault)   \0\x03\x5a", 13), "one that vanishes is a fault");
}

/* More than a string can have, and a sequence. */
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
	parse("%.*s");
	is_int(serialize((u64[]){ 4000, slot(text) }), MARKER_MAX_STRING,
	       "a string with a length is cut at 1024 bytes");
}

/*
 * Two pages, the second of which traps: a string that ends right before it, at
 * each distance and length.  With @bad the second page "faults" as in the
 * kernel, else reading there kills the test.
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
			ends &= serialize((u64[]){ slot(s) }) == 8 &&
				!strcmp(buffer, "(fault)");
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

/* A string over the end of a page, at each distance and length. */
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

/* Bytes that the quick test for a zero byte could take for one. */
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

/* The string changes after it was measured: from @before to @after. */
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
	test_dentries();
	test_rename();
	test_nodes();
	test_disks();
	test_nested();
	test_bytes_of_objects();
	test_changing_objects();
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
	ok(quick_strings[QUICK_ONE_WORD] > 1000 && quick_strings[QUICK_TWO_WORDS] > 1000 &&
	   quick_long > 1000, "and by that for one string, of each length");
	return tap_done();
}
