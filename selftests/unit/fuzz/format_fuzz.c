// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: format string -> field table -> bytes -> text.
 *
 * The input is a format string, a NUL, and bytes for the arguments.  A record of a
 * format that is accepted must have the promised size and distinct names, and print
 * as one line; and neither the text nor the reader's walk may trust random bytes in
 * a buffer.
 */
#include <stdlib.h>

#include <markers/format/serialize.h>
#include <markers/format/serialized.h>
#include <markers/format/print.h>

#define ROOM	(32 * 1024)

#define check(c)	do { if (!(c)) { fprintf(stderr, "%s\n", #c); abort(); } } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_names(const struct marker_format *format)
{
	const char *c;
	int i, j;

	for (i = 0; i < format->nr_fields; i++) {
		const char *name = format->field[i].name;

		check(*name && !(*name >= '0' && *name <= '9'));
		check(strlen(name) < MARKER_MAX_FIELD_NAME);
		for (c = name; *c; c++)
			check(isalnum(*c) || *c == '_');
		for (j = 0; j < i; j++)
			check(!marker_format_names_clash(name, format->field[j].name));
	}
}

static void check_one_line(const char *text, int len, size_t size)
{
	check(len >= 0 && (size_t)len < size && strlen(text) == (size_t)len);
	for (; *text; text++)
		check((u8)*text >= ' ' || *text == '\t');
}

/*
 * A field's pointer points to nothing, to memory that cannot be read, or to an object
 * whose name is the input.  Bitmaps and addresses are arbitrary bytes.
 */
static u64 object_of(const struct marker_field *field, u64 arg, const char *input)
{
	static struct dentry parent, dentry = { .d_parent = &parent };
	static struct file file = { { &dentry } };
	static struct device_node up, node = { .parent = &up };
	static struct gendisk disk;
	static struct block_device bdev = { .bd_disk = &disk };
	static char bytes[MARKER_MAX_BITMAP];

	if (!(arg & 3))
		return arg & 0x7ff;
	parent.d_parent = arg & 4 ? &parent : &dentry;
	parent.d_name.name = arg & 8 ? "/" : input;
	dentry.d_name.name = arg & 16 ? (const char *)42 : input;
	up.parent = arg & 4 ? NULL : &node;
	up.full_name = node.full_name = input;
	snprintf(disk.disk_name, sizeof(disk.disk_name), "%s", input);
	bdev.bd_partno = arg >> 8;
	memcpy(bytes, &arg, sizeof(arg));
	switch (field->object) {
	case MARKER_OBJECT_DENTRY:
		return (uintptr_t)&dentry;
	case MARKER_OBJECT_FILE:
		return (uintptr_t)&file;
	case MARKER_OBJECT_NODE:
	case MARKER_OBJECT_NODE_NAME:
	case MARKER_OBJECT_NODE_UNIT:
		return (uintptr_t)&node;
	case MARKER_OBJECT_DISK:
		return (uintptr_t)&bdev;
	case MARKER_OBJECT_NESTED:
		return 42;
	default:
		return (uintptr_t)bytes;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char bytes[ROOM], text[4 * ROOM];
	struct marker_format_error error = { 0 };
	struct marker_lengths lengths;
	u64 args[MARKER_MAX_ARGS];
	struct marker_format format;
	size_t i, text_size;
	char *input;
	u32 len;

	input = malloc(size + 1);
	memcpy(input, data, size);
	input[size] = '\0';
	if (marker_format_parse(&format, input, &error)) {
		check(error.why && error.column <= strlen(input));
		goto out;
	}
	check_names(&format);
	i = strlen(input);
	data += i;
	size -= i;
	for (i = 0; i < MARKER_MAX_ARGS; i++) {
		args[i] = i;
		memcpy(&args[i], data, min(size, sizeof(u64)));
		data += min(size, sizeof(u64));
		size -= min(size, sizeof(u64));
	}
	for (i = 0; i < format.nr_fields; i++) {
		if (format.field[i].type == MARKER_FIELD_INT)
			continue;
		if (marker_object_is_fetched(format.field[i].object)) {
			args[format.field[i].arg] =
				object_of(&format.field[i], args[format.field[i].arg], input);
			continue;
		}
		/* Pointers point to the input itself, or to nothing. */
		args[format.field[i].arg] = args[format.field[i].arg] & 3 ?
			(uintptr_t)input : args[format.field[i].arg] & 0xfff;
		/* Other fields than text may read beyond the input, so they get @bytes. */
		if (format.field[i].type != MARKER_FIELD_STRING)
			args[format.field[i].arg] = (uintptr_t)bytes;
	}
	len = marker_serialize_size(&format, args, &lengths);
	check(len <= ROOM);
	check((char *)marker_serialize(bytes, &format, args, &lengths) ==
	      bytes + len);
	check(marker_serialized_size(&format, bytes, len) == (int)len);
	check_one_line(text, marker_print_event(text, sizeof(text), &format, bytes),
		       sizeof(text));

	/* Cut text, and bytes from elsewhere. */
	text_size = 1 + size % 64;
	check_one_line(text, marker_print_event(text, text_size, &format, bytes),
		       text_size);
	if (marker_serialized_size(&format, data, size) >= 0)
		check_one_line(text, marker_print_event(text, sizeof(text), &format, data),
			       sizeof(text));
out:
	free(input);
	return 0;
}
