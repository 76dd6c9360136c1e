// SPDX-License-Identifier: GPL-2.0
/* See layout.h. */
#include "layout.h"

/* Readers make C structs of the fields (bpftrace), so these cannot be names. */
static const char *const keywords[] = {
	"asm", "auto", "bool", "break", "case", "char", "const", "continue", "default", "do",
	"double", "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
	"register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
	"switch", "typedef", "typeof", "union", "unsigned", "void", "volatile", "while",
	/* each event has these */
	"common_type", "common_flags", "common_preempt_count", "common_pid",
};

static bool is_keyword(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keywords); i++) {
		if (!strcmp(name, keywords[i]))
			return true;
	}
	return false;
}

static bool is_taken(const struct marker_format *format, const char *name)
{
	unsigned int i;

	for (i = 0; i < format->nr_fields; i++) {
		if (!strcmp(format->field[i].name, name))
			return true;
	}
	return false;
}

static void set_name(struct publish_field *to, const struct marker_format *format,
		     const struct marker_field *field)
{
	size_t len = strlen(field->name);

	memcpy(to->name, field->name, len + 1);
	if (!is_keyword(field->name))
		return;
	do {
		to->name[len++] = '_';
		to->name[len] = '\0';
	} while (len < PUBLISH_NAME_SIZE - 1 && is_taken(format, to->name));
}

static const char *int_type(u8 size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? "signed char" : "unsigned char";
	case 2:
		return is_signed ? "short" : "unsigned short";
	case 4:
		return is_signed ? "int" : "unsigned int";
	default:
		return is_signed ? "long" : "unsigned long";
	}
}

static void set_int(struct publish_field *to, const struct marker_field *field,
		    const struct marker_conversion *conv)
{
	const char *type = int_type(field->size, field->is_signed);

	to->is_signed = field->is_signed;
	if (field->is_char) {
		type = "char";
		to->is_signed = true;
	} else if (field->object == MARKER_OBJECT_ERROR) {
		type = "long";
		to->is_signed = true;
	} else if (conv->letter == 'p') {
		type = "void *";
	}
	strcpy(to->type, type);
	to->size = field->size;
	to->align = field->size;
}

static void set_array(struct publish_field *to, const char *type, u8 each, u8 len)
{
	sprintf(to->type, "%s[%u]", type, len);
	to->size = each * len;
	to->align = each;
	to->len = len;
}

/* Bytes behind a pointer. */
static void set_bytes(struct publish_field *to, const struct marker_field *field)
{
	switch (field->object) {
	case MARKER_OBJECT_NUMBER:
	case MARKER_OBJECT_SECONDS:
		to->is_signed = field->object == MARKER_OBJECT_SECONDS;
		strcpy(to->type, int_type(field->size, to->is_signed));
		to->size = field->size;
		to->align = field->size;
		break;
	case MARKER_OBJECT_RESOURCE:
		set_array(to, "unsigned long", 8, MARKER_RESOURCE_SIZE / 8);
		break;
	case MARKER_OBJECT_TIME:
		set_array(to, "int", 4, MARKER_TIME_SIZE / 4);
		to->is_signed = true;
		break;
	default:
		/* not "char": the kernel would take it for a string */
		set_array(to, "u8", 1, field->size);
		break;
	}
}

static void set_field(struct publish_field *to, const struct marker_format *format,
		      const struct marker_field *field)
{
	struct marker_format_error error;
	struct marker_conversion conv;

	memset(to, 0, sizeof(*to));
	set_name(to, format, field);
	/* it was parsed before, so it is right */
	marker_format_parse_conversion(&conv, format->text, field->spec, &error);
	switch (field->type) {
	case MARKER_FIELD_INT:
		set_int(to, field, &conv);
		break;
	case MARKER_FIELD_BYTES:
		set_bytes(to, field);
		break;
	default:
		strcpy(to->type, field->type == MARKER_FIELD_STRING ? "__data_loc char[]" :
		       "__data_loc u8[]");
		to->size = sizeof(u32);
		to->align = sizeof(u32);
		break;
	}
}

static u8 kind_of(const struct marker_field *field)
{
	switch (field->type) {
	case MARKER_FIELD_INT:
		return MARKER_STEP_INT;
	case MARKER_FIELD_BYTES:
		return MARKER_STEP_BYTES;
	case MARKER_FIELD_SEQUENCE:
		return MARKER_STEP_SEQUENCE;
	default:
		if (field->len_arg != MARKER_NO_ARG)
			return MARKER_STEP_LIMITED_BY_ARG;
		return field->max < MARKER_MAX_STRING ? MARKER_STEP_LIMITED : MARKER_STEP_TEXT;
	}
}

/* Is there a word from its first byte on, in the part whose size is known? */
static bool is_wide(const struct publish_layout *layout, const struct marker_field *field,
		    const struct publish_field *as)
{
	return field->type == MARKER_FIELD_INT && as->offset + sizeof(u64) <= layout->size;
}

/* Which of the parts of the steps has the field? */
static unsigned int part_of(const struct publish_layout *layout,
			    const struct marker_field *field, const struct publish_field *as)
{
	if (field->type == MARKER_FIELD_INT)
		return is_wide(layout, field, as) ? 0 : 1;
	return field->type == MARKER_FIELD_BYTES ? 2 : 3;
}

/* Is a byte before the next field, or the end, not written by any step? */
static bool has_hole(const struct publish_layout *layout, const struct marker_format *format,
		     const struct publish_field *fields, unsigned int i)
{
	const u32 end = i + 1 < format->nr_fields ? fields[i + 1].offset : layout->size;

	return fields[i].offset + fields[i].size < end &&
	       !is_wide(layout, &format->field[i], &fields[i]);
}

static void set_step(struct publish_layout *layout, struct publish_step *step,
		     const struct marker_field *field, u16 offset)
{
	*step = (struct publish_step) {
		.offset = offset,
		.limit = field->type == MARKER_FIELD_STRING ? field->max - 1 : field->max,
		.kind = kind_of(field),
		.size = field->size,
		.arg = field->arg,
		.len_arg = field->len_arg,
	};
	/* a bitmap is as long as its bits, a socket's address as its family says */
	if (marker_object_is_fetched(field->object) ||
	    (field->type == MARKER_FIELD_SEQUENCE && field->len_arg == MARKER_NO_ARG))
		layout->is_quick = false;
}

/*
 * Bits that are cut cannot say so by themselves, so bitmaps are cut last: there is room for all
 * of their bytes as long as each string keeps some.
 */
static u32 bitmap_max(const struct marker_format *format, u32 room)
{
	const struct marker_field *field;
	unsigned int i, nr = 0;

	for (i = 0; i < format->nr_fields; i++) {
		field = &format->field[i];
		if (field->type == MARKER_FIELD_STRING) {
			/* short ones, too: cut() gives all strings the same */
			room -= PUBLISH_LEAST;
		} else if (field->type == MARKER_FIELD_SEQUENCE) {
			room -= sizeof(u16);
			if (field->object == MARKER_OBJECT_BITMAP)
				nr++;
			else
				room -= field->max;
		}
	}
	return nr ? min_t(u32, room / nr, MARKER_MAX_BITMAP) : MARKER_MAX_BITMAP;
}

void marker_publish_layout(struct publish_layout *layout, struct publish_field *fields,
			   const struct marker_format *format, u32 start, u32 most)
{
	unsigned int i, part, nr = 0;
	u8 nr_of[4] = { 0 };
	u32 offset = start;

	memset(layout, 0, sizeof(*layout));
	layout->is_quick = true;
	for (i = 0; i < format->nr_fields; i++) {
		set_field(&fields[i], format, &format->field[i]);
		fields[i].offset = ALIGN(offset, fields[i].align);
		offset = fields[i].offset + fields[i].size;
	}
	layout->size = ALIGN(offset, sizeof(u32));
	layout->perf_size = publish_perf_size(layout->size);
	layout->bitmap_max = bitmap_max(format, most - layout->size);
	layout->has_holes = format->nr_fields && fields[0].offset > start;
	for (i = 0; i < format->nr_fields; i++)
		layout->has_holes |= has_hole(layout, format, fields, i);
	for (part = 0; part < 4; part++) {
		for (i = 0; i < format->nr_fields; i++) {
			if (part_of(layout, &format->field[i], &fields[i]) != part)
				continue;
			set_step(layout, &layout->step[nr++], &format->field[i], fields[i].offset);
			nr_of[part]++;
		}
	}
	layout->nr_wide = nr_of[0];
	layout->nr_narrow = nr_of[1];
	layout->nr_bytes = nr_of[2];
	layout->nr_varying = nr_of[3];
}
