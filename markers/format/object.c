// SPDX-License-Identifier: GPL-2.0
/*
 * Objects behind a pointer whose data are elsewhere: names, paths, %pV.
 *
 * At a hit, serialize.c calls this twice: for the number of bytes, then for the bytes.
 * Both passes take the same walk, but the first one writes nothing.  Every step from
 * pointer to pointer is a fault-safe read, so a wild pointer makes "(efault)".  A
 * dentry's name that is being replaced stays readable: preemption is off, which is an
 * RCU read section, and printk() relies on no more than that.
 *
 * %pV is the exception: only vsnprintf() can read a va_list.  Calling it is safe
 * wherever a marker may be: printk() calls it in NMI, so it takes no lock that an NMI
 * could find taken.  The words and arguments inside belong to the caller, and a bad
 * pointer among them is an oops, as in a printk() with that format string.
 */
#include <markers/compat/nofault.h>
#include <markers/compat/objects.h>
#include "object.h"

#ifdef __KERNEL__
/* The assumptions of pointer.c and metadata.c. */
static_assert(sizeof(phys_addr_t) == 8 && sizeof(dma_addr_t) == 8);
static_assert(sizeof(netdev_features_t) == 8 && sizeof(time64_t) == 8);
static_assert(sizeof(gfp_t) == 4 && sizeof(unsigned long) == 8);
static_assert(sizeof(struct rtc_time) == MARKER_TIME_SIZE);
static_assert(offsetof(struct resource, start) == 0 &&
	      offsetof(struct resource, end) == 8 &&
	      offsetof(struct resource, name) == 16 &&
	      offsetof(struct resource, flags) == 24 &&
	      sizeof(struct resource) >= MARKER_RESOURCE_SIZE);
static_assert(sizeof(struct sockaddr_in6) == MARKER_MAX_SOCKADDR);
#endif

#define MAX_PARENTS	16	/* of a device tree node */

/**
 * struct text - text that is being written to an event
 * @to:		where to, or NULL: only count
 * @len:	characters so far
 * @max:	most characters, without the NUL
 */
struct text {
	char *to;
	u32 len;
	u32 max;
};

static void put_char(struct text *text, char c)
{
	if (text->len == text->max)
		return;
	if (text->to)
		text->to[text->len] = c;
	text->len++;
}

/* A string of our own. */
static void put_words(struct text *text, const char *words)
{
	while (*words)
		put_char(text, *words++);
}

static void put_number(struct text *text, u8 number)
{
	if (number >= 100)
		put_char(text, '0' + number / 100);
	if (number >= 10)
		put_char(text, '0' + number / 10 % 10);
	put_char(text, '0' + number % 10);
}

static bool fetch_bytes(void *to, const void *from, u32 size)
{
	u32 n;

	if (!marker_nofault_may_read(from))
		return false;
	for (n = 0; n < size; n++)
		if (!marker_nofault_read_byte((u8 *)to + n, from + n))
			return false;
	return true;
}

/*
 * The pointer at @offset of what @from points to.  One load, so that it is not half of what
 * another CPU is storing.
 */
static bool fetch_pointer(const void **to, const void *from, size_t offset)
{
	u64 word;

	if (!marker_nofault_may_read(from + offset) ||
	    !marker_nofault_read_word(&word, from + offset))
		return false;
	*to = (const void *)(unsigned long)word;
	return true;
}

/* A string behind a pointer, up to a NUL or @end. */
static bool put_string(struct text *text, const char *from, char end)
{
	char c;

	if (!marker_nofault_may_read(from))
		return false;
	for (; text->len < text->max; from++) {
		if (!marker_nofault_read_byte((u8 *)&c, from))
			return false;
		if (!c || c == end)
			break;
		put_char(text, c);
	}
	return true;
}

/* Return: the last component of a path, or NULL after a fault. */
static const char *find_base(const char *path)
{
	const char *base = path;
	u32 n;
	u8 c;

	if (!marker_nofault_may_read(path))
		return NULL;
	for (n = 0; n < MARKER_MAX_STRING; n++) {
		if (!marker_nofault_read_byte(&c, path + n))
			return NULL;
		if (!c)
			break;
		if (c == '/')
			base = path + n + 1;
	}
	return base;
}

/* The root's name is "/", which comes from the slash if others follow. */
static bool put_dentry(struct text *text, const void *dentry, u8 depth)
{
	const void *names[4], *parent;
	u8 n;

	for (n = 0; n < depth; dentry = parent) {
		if (!fetch_pointer(&parent, dentry, offsetof(struct dentry, d_parent)) ||
		    !fetch_pointer(&names[n], dentry, offsetof(struct dentry, d_name.name)))
			return false;
		n++;
		if (parent != dentry)
			continue;
		if (n > 1)
			names[n - 1] = "";
		break;
	}
	while (n--) {
		if (!put_string(text, names[n], '\0'))
			return false;
		if (n)
			put_char(text, '/');
	}
	return true;
}

static bool put_file(struct text *text, const void *file, u8 depth)
{
	const void *dentry;

	return fetch_pointer(&dentry, file, offsetof(struct file, f_path.dentry)) &&
	       put_dentry(text, dentry, depth);
}

static bool put_node_name(struct text *text, const void *node, char end)
{
	const void *full_name;
	const char *base;

	if (!fetch_pointer(&full_name, node, offsetof(struct device_node, full_name)))
		return false;
	base = find_base(full_name);
	return base && put_string(text, base, end);
}

/* A slash and a name for each node below the root. */
static bool put_node_path(struct text *text, const void *node)
{
	const void *nodes[MAX_PARENTS], *parent;
	u32 n = 0;

	for (;; node = parent) {
		if (!fetch_pointer(&parent, node, offsetof(struct device_node, parent)))
			return false;
		if (!parent)
			break;
		if (n == MAX_PARENTS) {
			put_words(text, "...");
			break;
		}
		nodes[n++] = node;
	}
	while (n--) {
		put_char(text, '/');
		if (!put_node_name(text, nodes[n], '\0'))
			return false;
	}
	return true;
}

/* "sda1", "nvme0n1p1": a p keeps two numbers apart. */
static bool put_block_device(struct text *text, const void *bdev)
{
	u32 start = text->len;
	const void *disk;
	u8 partno, last = 0;

	if (!fetch_pointer(&disk, bdev, offsetof(struct block_device, bd_disk)) ||
	    !fetch_bytes(&partno, bdev + MARKER_PARTNO_OFFSET, 1) ||
	    !put_string(text, disk + offsetof(struct gendisk, disk_name), '\0'))
		return false;
	if (!partno)
		return true;
	if (text->len > start) {
		fetch_bytes(&last, disk + offsetof(struct gendisk, disk_name) +
			    text->len - start - 1, 1);
		if (last >= '0' && last <= '9')
			put_char(text, 'p');
	}
	put_number(text, partno);
	return true;
}

/* vsnprintf() writes a NUL after its text: there is room for one. */
static __printf(2, 0) void put_formatted(struct text *text, const char *format,
					 va_list args)
{
	int len;

	len = vsnprintf(text->to ? text->to + text->len : NULL,
			text->to ? text->max - text->len + 1 : 0, format, args);
	if (len > 0)
		text->len += min_t(u32, len, text->max - text->len);
}

/* printk() ends a line with it, an event is one. */
static bool ends_a_line(const char *format)
{
	size_t len = strlen(format);

	return len && format[len - 1] == '\n';
}

static bool put_nested(struct text *text, const void *from)
{
	struct va_format nested;
	va_list args;
	u8 byte;

	if (!fetch_bytes(&nested, from, sizeof(nested)) || !fetch_bytes(&byte, nested.fmt, 1) ||
	    !fetch_bytes(&byte, nested.va, sizeof(byte)))
		return false;
	va_copy(args, *nested.va);
	put_formatted(text, nested.fmt, args);
	va_end(args);
	if (text->len && !text->to && ends_a_line(nested.fmt))
		text->len--;
	return true;
}

static bool put_object(struct text *text, const struct marker_field *field,
		       const void *from)
{
	switch (field->object) {
	case MARKER_OBJECT_DENTRY:
		return put_dentry(text, from, field->depth);
	case MARKER_OBJECT_FILE:
		return put_file(text, from, field->depth);
	case MARKER_OBJECT_NODE:
		return put_node_path(text, from);
	case MARKER_OBJECT_NODE_NAME:
		return put_node_name(text, from, '@');
	case MARKER_OBJECT_NODE_UNIT:
		return put_node_name(text, from, '\0');
	case MARKER_OBJECT_DISK:
		return put_block_device(text, from);
	default:
		return put_nested(text, from);
	}
}

static void put_text(struct text *text, const struct marker_field *field,
		     const void *from)
{
	if (!from) {
		put_words(text, "(null)");
	} else if (!put_object(text, field, from)) {
		text->len = 0;
		put_words(text, "(efault)");
	}
}

/* The bytes that are interesting of a struct sockaddr, at most. */
static u32 sockaddr_size(const void *from)
{
	u16 family;

	if (!fetch_bytes(&family, from, sizeof(family)))
		return 0;
	switch (family) {
	case AF_INET:
		return sizeof(struct sockaddr_in);
	case AF_INET6:
		return sizeof(struct sockaddr_in6);
	default:
		return sizeof(family);
	}
}

/* How many bits: the width of "%*pbl". */
static u32 bits_of(const struct marker_field *field, const u64 *args)
{
	return marker_object_width(field, args, field->max * 8);
}

/* One object has two pages at most: if both ends can be read, then all of it. */
static u32 measure_bytes(const struct marker_field *field, const u64 *args)
{
	const void *from = (const void *)(uintptr_t)args[field->arg];
	u32 len;
	u8 byte;

	if (field->object == MARKER_OBJECT_BITMAP)
		len = DIV_ROUND_UP(bits_of(field, args), 8);
	else
		len = sockaddr_size(from);
	if (!len || !fetch_bytes(&byte, from, 1) || !fetch_bytes(&byte, from + len - 1, 1))
		return 0;
	return len;
}

static void copy_bytes(char *to, u32 len, const struct marker_field *field,
		       const u64 *args)
{
	const void *from = (const void *)(uintptr_t)args[field->arg];
	u32 bits;

	if (!fetch_bytes(to, from, len))
		memset(to, 0, len);
	if (field->object != MARKER_OBJECT_BITMAP || !len)
		return;
	/* Clear the bits behind the last one. */
	bits = bits_of(field, args) % 8;
	if (bits)
		to[len - 1] &= (1 << bits) - 1;
}

u32 marker_object_measure(const struct marker_field *field, const u64 *args)
{
	struct text text = { NULL, 0, field->max - 1 };

	if (field->type == MARKER_FIELD_SEQUENCE)
		return measure_bytes(field, args);
	put_text(&text, field, (const void *)(uintptr_t)args[field->arg]);
	return text.len + 1;
}

void marker_object_copy(char *to, u32 len, const struct marker_field *field,
			const u64 *args)
{
	struct text text = { to, 0, len - 1 };
	char *nul;

	if (field->type == MARKER_FIELD_SEQUENCE) {
		copy_bytes(to, len, field, args);
		return;
	}
	put_text(&text, field, (const void *)(uintptr_t)args[field->arg]);
	memset(to + text.len, ' ', text.max - text.len);
	/* "%c" of a %pV can write one. */
	while ((nul = memchr(to, '\0', text.max)))
		*nul = ' ';
	to[text.max] = '\0';
}
