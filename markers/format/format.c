// SPDX-License-Identifier: GPL-2.0
/*
 * From a printf format string to a field table.
 *
 * The registry calls it once for each marker, when its module is loaded; tools and
 * tests call it in user space.  It takes no lock and allocates nothing.
 *
 * conversion.c takes the conversions apart, field_names.c finds the names of the fields.
 */
#include "format.h"

static u16 max_of(const struct marker_conversion *conv)
{
	if (conv->type == MARKER_FIELD_SEQUENCE)
		return conv->object == MARKER_OBJECT_BITMAP ? MARKER_MAX_BITMAP :
		       conv->object == MARKER_OBJECT_SOCKADDR ? MARKER_MAX_SOCKADDR :
		       MARKER_MAX_SEQUENCE;
	if (conv->type != MARKER_FIELD_STRING)
		return 0;
	if (conv->precision < 0)
		return MARKER_MAX_STRING;
	return min(conv->precision + 1, MARKER_MAX_STRING);
}

static u8 base_of(char letter)
{
	switch (letter) {
	case 'x':
	case 'X':
	case 'p':
		return 16;
	case 'o':
		return 8;
	default:
		return 10;
	}
}

/* Does the text print as it is?  Blanks do; "%" is doubled in a format. */
static bool is_plain(const char *text, unsigned int len)
{
	for (; len; len--, text++)
		if (*text < ' ' || *text > '~' || *text == '%' || *text == '\\')
			return false;
	return true;
}

/* Add the field for the conversion at @spec; the words before it start at @lit. */
static int add_field(struct marker_format *format,
		     const struct marker_conversion *conv,
		     unsigned int lit, unsigned int spec,
		     struct marker_format_error *error)
{
	bool has_len_arg = conv->width == MARKER_FROM_ARG ||
			   conv->precision == MARKER_FROM_ARG;
	struct marker_field *field;

	if (format->nr_args + has_len_arg + 1 > MARKER_MAX_ARGS)
		return marker_format_refuse(error, spec, "more than 16 arguments");
	field = &format->field[format->nr_fields];
	field->type = conv->type;
	field->size = conv->size;
	field->len_arg = has_len_arg ? format->nr_args++ : MARKER_NO_ARG;
	field->arg = format->nr_args++;
	field->base = base_of(conv->letter);
	field->is_signed = conv->letter == 'd' || conv->object == MARKER_OBJECT_ERROR;
	field->is_char = conv->letter == 'c';
	field->object = conv->object;
	field->depth = conv->depth;
	field->max = max_of(conv);
	field->lit_plain = is_plain(format->text + lit, spec - lit);
	field->lit = lit;
	field->lit_len = spec - lit;
	field->spec = spec;
	field->spec_len = conv->end - spec;
	format->nr_fields++;
	return 0;
}

/* How the quick way reads this field; false: it does not. */
static bool plan_step(struct marker_step *step, const struct marker_field *field)
{
	bool has_len_arg = field->len_arg != MARKER_NO_ARG;

	if (marker_object_is_fetched(field->object))
		return false;
	step->size = field->size;
	switch (field->type) {
	case MARKER_FIELD_INT:
		step->kind = MARKER_STEP_INT;
		return true;
	case MARKER_FIELD_BYTES:
		step->kind = MARKER_STEP_BYTES;
		return step->size;
	case MARKER_FIELD_SEQUENCE:
		step->kind = MARKER_STEP_SEQUENCE;
		step->limit = field->max;
		return true;
	default:
		step->kind = has_len_arg ? MARKER_STEP_LIMITED_BY_ARG :
			     field->max < MARKER_MAX_STRING ? MARKER_STEP_LIMITED :
			     MARKER_STEP_TEXT;
		step->limit = field->max - 1;
		return true;
	}
}

/* The integers that the format begins with. */
static void plan_front(struct marker_plan *plan, const struct marker_format *format)
{
	u32 size = 0, i, nr, overhang;

	for (nr = 0; nr < format->nr_fields; nr++) {
		if (format->field[nr].type != MARKER_FIELD_INT)
			break;
		plan->at[nr] = size;
		plan->size[nr] = format->field[nr].size;
		size += plan->size[nr];
	}
	plan->at[nr] = size;
	plan->nr_front = nr;
	plan->overhang = size < 4 ? 4 - size : 0;
	for (i = 0; i < nr; i++) {
		if (plan->at[i] + sizeof(u64) <= size) {
			plan->nr_wide = i + 1;
			continue;
		}
		overhang = plan->at[i] + sizeof(u64) - size;
		if (plan->overhang < overhang)
			plan->overhang = overhang;
	}
	plan->has_narrow = plan->nr_wide < nr;
}

static enum marker_way choose_way(const struct marker_plan *plan,
				  const struct marker_format *format)
{
	u32 tail_size = format->fixed_size - plan->at[plan->nr_front];

	if (!format->nr_fields)
		return MARKER_WAY_NONE;
	/* MARKER_WAY_INTS writes the header as a word of eight bytes. */
	if (plan->tail[0].kind == MARKER_STEP_END)
		return format->fixed_size >= 4 ? MARKER_WAY_INTS : MARKER_WAY_MIXED;
	if (!format->nr_variable && tail_size >= plan->overhang)
		return MARKER_WAY_FIXED;
	if (plan->tail[0].kind == MARKER_STEP_TEXT &&
	    plan->tail[1].kind == MARKER_STEP_END && plan->nr_front <= MARKER_FEW_INTS)
		return MARKER_WAY_STRING;
	return MARKER_WAY_MIXED;
}

/* Compute from the field table the values that the hot path needs. */
static void make_plan(struct marker_format *format)
{
	struct marker_plan *plan = &format->plan;
	const struct marker_field *field = format->field;
	const struct marker_field *end = field + format->nr_fields;
	struct marker_step *step = plan->tail;

	/* Words are stored over each other: the low bytes must come first. */
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return;
	plan_front(plan, format);
	if (format->fixed_size - plan->at[plan->nr_front] > MARKER_MAX_FIXED_TAIL)
		return;
	for (field += plan->nr_front; field < end; field++)
		if (!plan_step(step++, field))
			return;
	plan->way = choose_way(plan, format);
}

static void add_up(struct marker_format *format)
{
	unsigned int i;

	for (i = 0; i < format->nr_fields; i++) {
		format->fixed_size += format->field[i].size;
		format->nr_variable += !!format->field[i].max;
	}
}

/* All conversions; on return, @at is after the last of them. */
static int parse_fields(struct marker_format *format, unsigned int *at,
			struct marker_format_error *error)
{
	struct marker_conversion conv;
	const char *text = format->text;
	const char *percent;
	unsigned int spec;
	int ret;

	for (spec = 0; (percent = strchr(text + spec, '%'));) {
		spec = percent - text;
		if (text[spec + 1] == '%') {
			spec += 2;
			continue;
		}
		ret = marker_format_parse_conversion(&conv, text, spec, error);
		if (!ret)
			ret = add_field(format, &conv, *at, spec, error);
		if (ret)
			return ret;
		*at = conv.end;
		spec = conv.end;
	}
	return 0;
}

int marker_format_parse(struct marker_format *format, const char *text,
			struct marker_format_error *error)
{
	unsigned int at = 0;
	int ret;

	if (!text)
		return marker_format_refuse(error, 0, "there is no format string");
	if (strnlen(text, MARKER_MAX_FORMAT) == MARKER_MAX_FORMAT)
		return marker_format_refuse(error, MARKER_MAX_FORMAT - 1,
					    "the format string is too long");
	memset(format, 0, sizeof(*format));
	format->text = text;
	format->field = format->fields;
	ret = parse_fields(format, &at, error);
	if (ret)
		return ret;
	format->tail = at;
	marker_format_name_fields(format);
	add_up(format);
	make_plan(format);
	return 0;
}

int marker_format_check_args(const struct marker_format *format, unsigned int nr_args,
			     struct marker_format_error *error)
{
	const struct marker_field *field;
	const char *why;

	if (nr_args > format->nr_args)
		return marker_format_refuse(error, strlen(format->text),
					    "there are more arguments than conversions");
	for (field = format->field; field < format->field + format->nr_fields; field++) {
		if (field->arg < nr_args)
			continue;
		why = field->len_arg < nr_args ?
		      "this conversion takes two arguments, and one is missing" :
		      "there is no argument for this conversion";
		return marker_format_refuse(error, field->spec, why);
	}
	return 0;
}

/* Up to the last step of the plan; the fields follow. */
static size_t size_of_front(const struct marker_format *format)
{
	const unsigned int nr_steps = format->nr_fields - format->plan.nr_front + 1;
	const size_t align = __alignof__(format->field[0]);
	const size_t end = offsetof(struct marker_format, plan.tail[nr_steps]);

	return (end + align - 1) & ~(align - 1);
}

static size_t size_of_fields(const struct marker_format *format)
{
	return format->nr_fields * sizeof(format->field[0]);
}

static size_t size_of_names(const struct marker_format *format)
{
	const char *last;

	if (!format->nr_fields)
		return 0;
	last = format->field[format->nr_fields - 1].name;
	return last + strlen(last) + 1 - format->names;
}

size_t marker_format_size(const struct marker_format *format)
{
	return size_of_front(format) + size_of_fields(format) + size_of_names(format);
}

void marker_format_copy(struct marker_format *to, const struct marker_format *from)
{
	struct marker_field *field = (void *)to + size_of_front(from);
	char *names = (char *)field + size_of_fields(from);
	unsigned int i;

	memcpy((void *)to, from, size_of_front(from));
	memcpy(field, from->field, size_of_fields(from));
	memcpy(names, from->names, size_of_names(from));
	for (i = 0; i < from->nr_fields; i++)
		field[i].name = names + (from->field[i].name - from->names);
	to->field = field;
}

void marker_plan_place(struct marker_plan *plan, u32 header_size)
{
	unsigned int i;

	for (i = 0; i <= plan->nr_front; i++)
		plan->at[i] += header_size;
}
