// SPDX-License-Identifier: GPL-2.0
/*
 * markers/format/object.c: names and bytes of the structures behind pointers, also while
 * they change.
 */
#include "serialize_kit.h"
#include "tap.h"

static struct dentry root = { &root, { "/" } };
static struct dentry dir = { &root, { "etc" } };
static struct dentry leaf = { &dir, { "passwd" } };

/* The third consists of two of these addresses. */
static char names[0x200] __aligned(0x10000);

static void rename_leaf(const void *from)
{
	if (from >= (void *)&leaf.d_name.name && from < (void *)(&leaf.d_name.name + 1))
		leaf.d_name.name = leaf.d_name.name == names ? names + 0x101 : names;
}

/* The pointer to the name changes after each load; the record has the old name or the new one. */
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
	is_bytes("%pd %d", "(efault)\0\x07\0\0\0", 42, 7);
	is_bytes("%pd", "lost\0", slot(&lost));
	is_bytes("%pd2", "(efault)\0", slot(&lost));
	is_bytes("%pd", "(efault)\0", slot(&nameless));
	is_bytes("%pD", "passwd\0", slot(&file));
	is_bytes("%pD2", "etc/passwd\0", slot(&file));
	is_bytes("%pD", "(efault)\0", slot(&empty));
	is_bytes("%pD", "(null)\0", 0);
	is_bytes("%pD", "(efault)\0", 42);
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
	is_bytes("%pOF", "(efault)\0", slot(&lost));
	is_bytes("%pOFn", "serial\0", slot(&lost));
	is_bytes("%pOFn %pOF", "(efault)\0(efault)\0", slot(&nameless), slot(&nameless));
	is_bytes("%pOF", "(null)\0", 0);
	for (i = 0; i < ARRAY_SIZE(deep); i++) {
		deep[i].full_name = "n";
		deep[i].parent = i ? &deep[i - 1] : &top;
	}
	is_bytes("%pOF", ".../n/n/n/n/n/n/n/n/n/n/n/n/n/n/n/n\0", slot(&deep[19]));
	/* A circle ends, too. */
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
	is_bytes("%pg", "(efault)\0", slot(&lost));
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
	is_bytes("%pV %pV", "(efault)\0(null)\0", slot(&lost), 0);
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
	is_bytes("%*pb", "\x01\0\x1f", -5, slot(bits));
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
	ok(!memcmp(buffer, "(efault)  \0\x03\x5a", 13), "one that vanishes is a fault");
}

int main(void)
{
	test_dentries();
	test_rename();
	test_nodes();
	test_disks();
	test_nested();
	test_bytes_of_objects();
	test_changing_objects();
	return tap_done();
}
