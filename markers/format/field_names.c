// SPDX-License-Identifier: GPL-2.0
/*
 * From the words of a format string to the names of its fields.
 */
#include "format.h"

static bool is_word(char c)
{
	return c == '_' || marker_is_alnum(c);
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
		if (start < end && !marker_is_decimal(text[start])) {
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

void marker_format_name_fields(struct marker_format *format)
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
