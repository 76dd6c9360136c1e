// SPDX-License-Identifier: GPL-2.0
/*
 * How many of the format strings on stdin does the parser take, how many of these are
 * recorded by the quick way, and how many fields get a name?  Lines as formats.py prints them.  What is refused is listed by
 * frequency: the conversion up to what is wrong, and the reason.
 */
#include <ctype.h>
#include <stdlib.h>

#include <markers/format/format.h>

struct reason {
	char text[160];
	unsigned long count;
};

static struct reason reasons[1000];
static unsigned int nr_reasons;

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

/* Of a whole format there is only the reason. */
static void count_reason(const char *format, const struct marker_format_error *error)
{
	char text[sizeof(reasons->text)];
	unsigned int at = error->column, i;
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
	for (i = 0; i < nr_reasons && strcmp(reasons[i].text, text); i++)
		;
	if (i == ARRAY_SIZE(reasons))
		return;
	if (i == nr_reasons)
		strcpy(reasons[nr_reasons++].text, text);
	reasons[i].count++;
}

static int compare(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;

	return x->count < y->count ? 1 : x->count > y->count ? -1 :
	       strcmp(x->text, y->text);
}

/* Has the parser made this name up?  Then it is @word, perhaps with a number. */
static bool is_made_up(const char *name, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(name, word, len) &&
	       strspn(name + len, "0123456789_") == strlen(name + len);
}

int main(void)
{
	unsigned long total = 0, refused = 0, fields = 0, first = 0, unnamed = 0, quick = 0;
	struct marker_format_error error;
	struct marker_format format;
	static char line[65536];
	unsigned int i;

	while (fgets(line, sizeof(line), stdin)) {
		unescape(line);
		total++;
		if (marker_format_parse(&format, line, &error)) {
			refused++;
			count_reason(line, &error);
			continue;
		}
		quick += format.plan.way != MARKER_WAY_GENERAL;
		fields += format.nr_fields;
		for (i = 0; i < format.nr_fields; i++) {
			first += is_made_up(format.field[i].name, "prefix");
			unnamed += is_made_up(format.field[i].name, "arg");
		}
	}
	if (!total)
		return 1;
	printf("%lu formats, %lu accepted (%.2f %%), %lu refused\n", total, total - refused,
	       100.0 * (total - refused) / total, refused);
	printf("%lu of these are recorded by the quick way (%.2f %%)\n", quick,
	       100.0 * quick / (total - refused));
	printf("%lu fields in them: %lu are named after a word, %lu are prefix, %lu are arg\n",
	       fields, fields - first - unnamed, first, unnamed);
	qsort(reasons, nr_reasons, sizeof(*reasons), compare);
	for (i = 0; i < nr_reasons; i++)
		printf("%7lu  %s\n", reasons[i].count, reasons[i].text);
	return 0;
}
