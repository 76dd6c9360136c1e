// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "marker_names.h"

/* A name without its options, such as "+count". */
static size_t name_size(const char *name)
{
	return strcspn(name, "=+");
}

static int compare_names(const void *a, const void *b)
{
	const char *first = *(char *const *)a, *second = *(char *const *)b;
	size_t n = name_size(first), m = name_size(second);
	int order = memcmp(first, second, n < m ? n : m);

	return order ?: (n > m) - (n < m);
}

void names_parse(struct names *names, char *text)
{
	char *line, *mark, *rest = text;
	size_t size;

	*names = (struct names){ .text = text };
	while ((line = strsep(&rest, "\n"))) {
		line += strspn(line, " \t");
		line[strcspn(line, " \t\r")] = '\0';
		mark = line + strcspn(line, "#");
		if (*mark)
			*mark++ = '\0';
		if (!*line)
			continue;
		size = (names->nr + 1) * sizeof(char *);
		names->name = need_memory(realloc(names->name, size));
		names->mark = need_memory(realloc(names->mark, size));
		names->name[names->nr] = line;
		names->mark[names->nr++] = mark;
	}
	size = names->nr * sizeof(char *);
	names->sorted = need_memory(malloc(size + 1));
	if (!size)
		return;
	memcpy(names->sorted, names->name, size);
	qsort(names->sorted, names->nr, sizeof(char *), compare_names);
}

const char *names_find(const struct names *names, const char *name)
{
	char **found = bsearch(&name, names->sorted, names->nr, sizeof(char *), compare_names);

	return found ? *found : NULL;
}

bool names_only_count(const char *name)
{
	return name[name_size(name)] == '=';
}

const char *names_state(const char *mark, const char *word, bool loaded)
{
	if (!loaded)
		return "pending";
	if (!strcmp(mark, "refused"))
		return mark;
	if (!word)
		return "-";
	if (!strcmp(mark, MARK_MISFIT))
		return "misfit";
	return names_only_count(word) ? "counted" : "enabled";
}

void names_free(struct names *names)
{
	free(names->name);
	free(names->mark);
	free(names->sorted);
	free(names->text);
	*names = (struct names){};
}

bool word_next(const char **text, struct word *word)
{
	const char *at = *text + strspn(*text, WORD_BLANKS);

	while (*at == '#') {
		at += strcspn(at, "\n");
		at += strspn(at, WORD_BLANKS);
	}
	word->text = at;
	word->name = strcspn(at, WORD_BLANKS "#=+");
	word->size = strcspn(at, WORD_BLANKS "#");
	word->whole = strcspn(at, WORD_BLANKS);
	at += word->whole;
	word->filter = at + strspn(at, " \t");
	word->filter_size = 0;
	if (!strncmp(word->filter, "if", 2) && strchr(" \t\r\n", word->filter[2])) {
		word->filter_size = strcspn(word->filter, "\n");
		at = word->filter + word->filter_size;
	}
	*text = at;
	return word->whole;
}
