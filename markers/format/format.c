// SPDX-License-Identifier: GPL-2.0
/*
 * From a printf format string to a field table.
 *
 * The registry calls it once for each marker, when its module is loaded; tools and
 * tests call it in user space.  It takes no lock and allocates nothing.
 *
 * It refuses every conversion that cannot be recorded faithfully, with the column,
 * so that nothing can go wrong when the marker fires.
 */
#include "format.h"

/* Not ctype.h: a format string is ASCII, whatever the locale says. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_' || is_digit(c);
}

static u8 flag_of(char c)
{
	switch (c) {
	case '-':
		return MARKER_FLAG_LEFT;
	case '+':
		return MARKER_FLAG_PLUS;
	case ' ':
		return MARKER_FLAG_SPACE;
	case '#':
		return MARKER_FLAG_ALT;
	case '0':
		return MARKER_FLAG_ZERO;
	default:
		return 0;
	}
}

/* A width or precision: a number, '*', or nothing, which is @nothing. */
static int parse_conversion_number(const char *text, unsigned int *at, int nothing)
{
	int number = 0;

	if (text[*at] == '*') {
		++*at;
		return MARKER_FROM_ARG;
	}
	if (!is_digit(text[*at]))
		return nothing;
	for (; is_digit(text[*at]); ++*at)
		number = min(number * 10 + text[*at] - '0', 100000);
	return number;
}

/* The bytes of an integer with this length modifier; 0 if there is none. */
static u8 parse_length(const char *text, unsigned int *at)
{
	char first = text[*at];

	switch (first) {
	case 'h':
	case 'l':
		++*at;
		if (text[*at] != first)
			return first == 'h' ? sizeof(short) : sizeof(long);
		++*at;
		return first == 'h' ? sizeof(char) : sizeof(long long);
	case 'z':
		++*at;
		return sizeof(size_t);
	case 't':
		++*at;
		return sizeof(ptrdiff_t);
	case 'j':
	case 'L':
		++*at;
		return sizeof(long long);
	default:
		return 0;
	}
}

/*
 * %ph, %pE, %pb without an argument for their length: as printk has it, the width
 * says how many bytes, or bits.
 */
static void fix_size(struct marker_conversion *conv)
{
	int bytes = conv->width == MARKER_NOT_GIVEN ? 1 : conv->width;

	if (conv->width == MARKER_FROM_ARG)
		return;
	if (conv->object == MARKER_OBJECT_BITMAP)
		bytes = DIV_ROUND_UP(conv->width, 8);
	conv->type = MARKER_FIELD_BYTES;
	conv->size = min(bytes, MARKER_MAX_SEQUENCE);
}

static bool has_length(const struct marker_conversion *conv)
{
	return conv->type == MARKER_FIELD_SEQUENCE &&
	       conv->object != MARKER_OBJECT_SOCKADDR;
}

/* The letter at the end of a conversion; @length is of its modifier, or 0. */
static int parse_letter(struct marker_conversion *conv, const char *text,
			unsigned int at, u8 length,
			struct marker_format_error *error)
{
	const char *why;

	conv->letter = text[at];
	conv->is_symbol = false;
	conv->object = MARKER_OBJECT_NONE;
	conv->depth = 0;
	conv->extension = 0;
	conv->end = at + 1;
	conv->type = MARKER_FIELD_INT;
	switch (text[at]) {
	case 'i':
		conv->letter = 'd';
		fallthrough;
	case 'd':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		conv->size = length ? length : sizeof(int);
		return 0;
	case 'c':
	case 's':
		if (length)
			return marker_format_refuse(error, at - 1, text[at - 1] == 'l' ?
						    "wide characters cannot be recorded" :
						    "no length modifier is allowed here");
		conv->size = text[at] == 'c';
		if (text[at] == 's')
			conv->type = MARKER_FIELD_STRING;
		return 0;
	case 'p':
		if (length)
			return marker_format_refuse(error, at - 1,
						    "no length modifier is allowed here");
		why = marker_format_parse_pointer(conv, text, at + 1);
		return why ? marker_format_refuse(error, at + 1, why) : 0;
	case 'n':
		return marker_format_refuse(error, at, "%n cannot be recorded");
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		return marker_format_refuse(error, at, "floating point cannot be recorded");
	case '\0':
		return marker_format_refuse(error, at, "the conversion is not complete");
	default:
		return marker_format_refuse(error, at, "unknown conversion");
	}
}

/* Check width and precision, now that the type is known. */
static int check_numbers(struct marker_conversion *conv, unsigned int width,
			 unsigned int precision,
			 struct marker_format_error *error)
{
	bool is_string = conv->type == MARKER_FIELD_STRING;
	bool is_bitmap = conv->object == MARKER_OBJECT_BITMAP;

	if ((conv->width == MARKER_FROM_ARG && !has_length(conv)) ||
	    (conv->precision == MARKER_FROM_ARG && conv->letter != 's'))
		return marker_format_refuse(error, conv->width == MARKER_FROM_ARG ?
					    width : precision + 1,
					    "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only");
	if (conv->precision != MARKER_NOT_GIVEN &&
	    (conv->letter == 'c' || conv->letter == 'p'))
		return marker_format_refuse(error, precision,
					    "no precision is allowed here");
	if (is_bitmap && conv->width == MARKER_NOT_GIVEN)
		return marker_format_refuse(error, width, "a bitmap needs its bits: %*pbl");
	if (conv->width > (is_bitmap ? MARKER_MAX_SEQUENCE * 8 : MARKER_MAX_WIDTH))
		return marker_format_refuse(error, width, "the width is too large");
	if (conv->precision > MARKER_MAX_WIDTH && !is_string)
		return marker_format_refuse(error, precision, "the precision is too large");
	if (has_length(conv))
		fix_size(conv);
	return 0;
}

int marker_format_parse_conversion(struct marker_conversion *conv, const char *text,
				   unsigned int at, struct marker_format_error *error)
{
	unsigned int width, precision;
	u8 length;
	int ret;

	conv->flags = 0;
	while (flag_of(text[++at]))
		conv->flags |= flag_of(text[at]);
	width = at;
	conv->width = parse_conversion_number(text, &at, MARKER_NOT_GIVEN);
	precision = at;
	conv->precision = MARKER_NOT_GIVEN;
	if (text[at] == '.') {
		at++;
		conv->precision = parse_conversion_number(text, &at, 0);
	}
	length = parse_length(text, &at);
	ret = parse_letter(conv, text, at, length, error);
	if (ret)
		return ret;
	return check_numbers(conv, width, precision, error);
}

/* A letter that is not ASCII does not end a word, though no name can have it. */
static bool is_inside_word(char c)
{
	return is_word(c) || (c & 0x80);
}

/*
 * The last word of @text: it becomes an identifier.  Letters right after a conversion, such
 * as the "ms" of "%dms", are none.
 */
static unsigned int find_word(const char *text, unsigned int len, bool after_conversion,
			      const char **word)
{
	unsigned int begin = 0, start, end = len, before;

	while (after_conversion && begin < len && is_inside_word(text[begin]))
		begin++;
	for (; end > begin; end = before) {
		while (end > begin && !is_word(text[end - 1]))
			end--;
		for (before = end; before > begin && is_inside_word(text[before - 1]); before--)
			;
		for (start = before; start < end && !is_word(text[start]); start++)
			;
		if (start < end && !is_digit(text[start])) {
			*word = text + start;
			return end - start;
		}
	}
	return 0;
}

/* "dev %s: ", "netdev %s%s: ": how many fields the word of a heading names; it names no others. */
static int heading_of(const struct marker_format *format)
{
	const struct marker_field *field = format->field;
	const char *after;
	int i;

	for (i = 0; i < format->nr_fields; i++, field++) {
		if (field->type != MARKER_FIELD_STRING || (i && field->lit_len))
			return 0;
		after = format->text + field->spec + field->spec_len;
		if (after[0] == ':' && after[1] == ' ')
			return i + 1;
	}
	return 0;
}

/* In the words before field @index, those before earlier fields among them. */
static unsigned int find_name(const struct marker_format *format, int index,
			      const char **name)
{
	const struct marker_field *field;
	int last = heading_of(format);
	unsigned int len;

	if (index < last)
		last = 0;
	for (; index >= last; index--) {
		field = &format->field[index];
		len = find_word(format->text + field->lit, field->lit_len, index, name);
		if (len)
			return len;
	}
	return 0;
}

/* While the parser makes the names, each has room for the longest one: see pack_names(). */
static char *room_of_name(struct marker_format *format, unsigned int index)
{
	return format->names + index * MARKER_MAX_FIELD_NAME;
}

/* A run of characters that are not ASCII becomes one underscore. */
static void copy_word(char *to, const char *word, unsigned int len)
{
	const char *end = to + MARKER_MAX_FIELD_NAME - 1;
	unsigned int i;

	for (i = 0; i < len && to < end; i++) {
		if (is_word(word[i]))
			*to++ = word[i];
		else if (is_word(word[i - 1]))
			*to++ = '_';
	}
	*to = '\0';
}

static void name_field(struct marker_format *format, unsigned int index, bool any_word)
{
	char *to = room_of_name(format, index);
	const char *name = NULL;
	unsigned int len;

	len = find_name(format, index, &name);
	if (len)
		copy_word(to, name, len);
	else if (any_word)
		strcpy(to, "prefix");
	else
		snprintf(to, MARKER_MAX_FIELD_NAME, "arg%u", index);
	format->field[index].name = to;
}

bool marker_format_names_clash(const char *a, const char *b)
{
	return !strcmp(a, b) ||
	       (a[0] == '_' && !strcmp(a + 1, b)) ||
	       (b[0] == '_' && !strcmp(a, b + 1));
}

static bool is_taken(const struct marker_format *format, const char *name,
		     unsigned int from, unsigned int to)
{
	for (; from < to; from++)
		if (marker_format_names_clash(format->field[from].name, name))
			return true;
	return false;
}

/*
 * Give the second "x" the name "x_2", or the next number that no other field
 * has, be it before or after.  The end of a long name makes room for it.
 */
static void make_distinct(struct marker_format *format, unsigned int index)
{
	char *name = room_of_name(format, index);
	char candidate[MARKER_MAX_FIELD_NAME];
	unsigned int number = 2;
	char suffix[8];
	size_t keep;

	if (!is_taken(format, name, 0, index))
		return;
	do {
		snprintf(suffix, sizeof(suffix), "_%u", number++ & 0xff);
		keep = min(strlen(name), sizeof(candidate) - 1 - strlen(suffix));
		memcpy(candidate, name, keep);
		strcpy(candidate + keep, suffix);
	} while (is_taken(format, candidate, 0, index) ||
		 is_taken(format, candidate, index + 1, format->nr_fields));
	strcpy(name, candidate);
}

/* Close the gaps between the names. */
static void pack_names(struct marker_format *format)
{
	char *to = format->names;
	unsigned int i;
	size_t size;

	for (i = 0; i < format->nr_fields; i++) {
		size = strlen(format->field[i].name) + 1;
		format->field[i].name = memmove(to, format->field[i].name, size);
		to += size;
	}
}

/*
 * A field is named after the nearest word before it; before the first word, it is the
 * "prefix"; and in a text without words, "arg" and its number.
 */
static void name_fields(struct marker_format *format)
{
	const char *word, *tail = format->text + format->tail;
	unsigned int nr = format->nr_fields, i;
	bool any_word;

	any_word = nr && (find_name(format, nr - 1, &word) ||
			  find_word(tail, strlen(tail), true, &word));
	for (i = 0; i < nr; i++)
		name_field(format, i, any_word);
	for (i = 0; i < nr; i++)
		make_distinct(format, i);
	pack_names(format);
}

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
	ret = parse_fields(format, &at, error);
	if (ret)
		return ret;
	format->tail = at;
	name_fields(format);
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

static size_t size_of_fields(const struct marker_format *format)
{
	return offsetof(struct marker_format, field) +
	       format->nr_fields * sizeof(format->field[0]);
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
	return size_of_fields(format) + size_of_names(format);
}

void marker_format_copy(struct marker_format *to, const struct marker_format *from)
{
	char *names = (char *)to + size_of_fields(from);
	unsigned int i;

	memcpy((void *)to, from, size_of_fields(from));
	memcpy(names, from->names, size_of_names(from));
	for (i = 0; i < from->nr_fields; i++)
		to->field[i].name = names + (from->field[i].name - from->names);
}

void marker_plan_place(struct marker_plan *plan, u32 header_size)
{
	unsigned int i;

	for (i = 0; i <= plan->nr_front; i++)
		plan->at[i] += header_size;
}
