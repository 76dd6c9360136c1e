// SPDX-License-Identifier: GPL-2.0
/*
 * How many of the format strings on stdin does the parser accept, how many of these take
 * the quick way, and how many fields get a name?  formats.py prints the lines of stdin.
 * Lists the refused formats by frequency: the conversion up to the error, and the reason;
 * then those that take the general way, by the conversion that causes it.
 */
#include <ctype.h>
#include <stdlib.h>

#include <markers/format/format.h>

struct reason {
	char text[160];
	unsigned long count;
};

struct reasons {
	struct reason list[1000];
	unsigned int nr;
};

static struct reasons refused, general;

static void unescape(char *line)
{
	char *to = line;

	for (; *line && *line != '\n'; line++) {
		if (*line == '\\' && line[1])
			*to++ = *++line == 'n' ? '\n' : *line;
		else
			*to++ = *line;
	}
	*to = '\0';
}

static void count_text(struct reasons *reasons, const char *text)
{
	unsigned int i;

	for (i = 0; i < reasons->nr && strcmp(reasons->list[i].text, text); i++)
		;
	if (i == ARRAY_SIZE(reasons->list))
		return;
	if (i == reasons->nr)
		strcpy(reasons->list[reasons->nr++].text, text);
	reasons->list[i].count++;
}

/* For an error of the whole format, only the reason. */
static void count_reason(const char *format, const struct marker_format_error *error)
{
	char text[sizeof(refused.list->text)];
	unsigned int at = error->column;
	size_t len;

	while (at && format[at] != '%')
		at--;
	len = error->column - at;
	while (isalnum((unsigned char)format[at + len]))
		len++;
	if (strstr(error->why, "arguments") || strstr(error->why, "format string"))
		len = 0;
	snprintf(text, sizeof(text), "%-8.*s  %s", min_t(int, len, 12), format + at,
		 error->why);
	count_text(&refused, text);
}

static int compare(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;

	return x->count < y->count ? 1 : x->count > y->count ? -1 :
	       strcmp(x->text, y->text);
}

static void list(struct reasons *reasons)
{
	unsigned int i;

	qsort(reasons->list, reasons->nr, sizeof(*reasons->list), compare);
	for (i = 0; i < reasons->nr; i++)
		printf("%7lu  %s\n", reasons->list[i].count, reasons->list[i].text);
}

/* The first conversion that the quick way does not know. */
static void count_general(const struct marker_format *format)
{
	const struct marker_field *field = format->field;
	const struct marker_field *end = field + format->nr_fields;
	char text[sizeof(general.list->text)] = "more than its limit of bytes";

	for (; field < end; field++) {
		if (marker_object_is_fetched(field->object)) {
			snprintf(text, sizeof(text), "%.*s", field->spec_len,
				 format->text + field->spec);
			break;
		}
	}
	count_text(&general, text);
}

/* Did the parser invent this name?  Then it is @word, perhaps with a number. */
static bool is_made_up(const char *name, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(name, word, len) &&
	       strspn(name + len, "0123456789_") == strlen(name + len);
}

int main(void)
{
	unsigned long total = 0, bad = 0, fields = 0, first = 0, unnamed = 0, quick = 0;
	struct marker_format_error error;
	struct marker_format format;
	static char line[65536];
	unsigned int i;

	while (fgets(line, sizeof(line), stdin)) {
		unescape(line);
		total++;
		if (marker_format_parse(&format, line, &error)) {
			bad++;
			count_reason(line, &error);
			continue;
		}
		if (format.plan.way == MARKER_WAY_GENERAL)
			count_general(&format);
		else
			quick++;
		fields += format.nr_fields;
		for (i = 0; i < format.nr_fields; i++) {
			first += is_made_up(format.field[i].name, "prefix");
			unnamed += is_made_up(format.field[i].name, "arg");
		}
	}
	if (!total)
		return 1;
	printf("%lu formats, %lu accepted (%.2f %%), %lu refused\n", total, total - bad,
	       100.0 * (total - bad) / total, bad);
	printf("%lu of these are recorded by the quick way (%.2f %%)\n", quick,
	       100.0 * quick / (total - bad));
	printf("%lu fields in them: %lu are named after a word, %lu are prefix, %lu are arg\n",
	       fields, fields - first - unnamed, first, unnamed);
	puts("refused:");
	list(&refused);
	puts("not by the quick way:");
	list(&general);
	return 0;
}
