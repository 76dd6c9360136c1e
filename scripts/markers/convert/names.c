// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../lib/message.h"
#include "../lib/pattern.h"
#include "keys.h"
#include "names.h"

struct name {
	const char *option;
	const char *marker;
	const char *field;
	bool needed;
};

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

void names_add(struct names *names, const char *option, const char *marker, const char *field,
	       bool needed)
{
	unsigned int i;

	if (field && !strcmp(field, "cpu"))
		return;
	for (i = 0; i < names->nr; i++)
		if (is_same(names->name[i].marker, marker) && is_same(names->name[i].field, field) &&
		    is_same(names->name[i].option, option))
			return;
	names->name = need_memory(realloc(names->name, (names->nr + 1) * sizeof(*names->name)));
	names->name[names->nr++] = (struct name){ option, marker, field, needed };
}

void names_add_pair(struct names *names, const char *option, const char *key_option,
		    const char *begin, const char *end, const char *key, bool needed)
{
	struct keys first, second;	/* their names live on in @names */
	unsigned int i;

	names_add(names, option, begin, NULL, needed);
	names_add(names, option, end, NULL, needed);
	if (!keys_parse(key, &first, &second))
		return;
	for (i = 0; i < first.nr; i++) {
		names_add(names, key_option, begin, first.name[i], needed);
		names_add(names, key_option, end, second.name[i], needed);
	}
}

/* Say so if the trace does not have a name. Return: whether it has it. */
static bool check(const struct name *name, const struct trace_info *info)
{
	bool is_marker = false, is_field = name->field && kind_has_field(&info->contexts, name->field);
	unsigned int i;

	for (i = 0; i < info->nr_kinds; i++) {
		if (name->marker && !pattern_matches(name->marker, info->kind[i]->name))
			continue;
		is_marker = true;
		is_field |= name->field && kind_has_field(info->kind[i], name->field);
	}
	if (name->field && !is_field && (is_marker || !name->marker))
		say("%s%s: %s has no such field or context", name->option, name->field,
		    name->marker ? name->marker : "the recording");
	else if (!name->field && !is_marker)
		say("%s%s: the recording has no such marker", name->option, name->marker);
	return name->field ? is_field : is_marker;
}

bool names_check(const struct names *names, const struct trace_info *info)
{
	bool good = true;
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		if (!check(&names->name[i], info) && names->name[i].needed)
			good = false;
	return good;
}
