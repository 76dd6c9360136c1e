// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../base/nearest.h"
#include "../base/pattern.h"
#include "../pairs/keys.h"
#include "asked_names.h"

struct asked_name {
	const char *option;
	const char *marker;
	const char *field;
	bool needed;
};

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

void asked_names_add(struct asked_names *names, const char *option, const char *marker, const char *field,
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
	names->name[names->nr++] = (struct asked_name){ option, marker, field, needed };
}

void asked_names_add_pair(struct asked_names *names, const char *option, const char *key_option,
		    const char *begin, const char *end, const char *key, bool needed)
{
	struct keys first, second;	/* their names live on in @names */
	unsigned int i;

	asked_names_add(names, option, begin, NULL, needed);
	asked_names_add(names, option, end, NULL, needed);
	if (!keys_parse(key, &first, &second))
		return;
	for (i = 0; i < first.nr; i++) {
		asked_names_add(names, key_option, begin, first.name[i], needed);
		asked_names_add(names, key_option, end, second.name[i], needed);
	}
}

static void offer_fields(struct nearest *to, const struct kind *kind)
{
	unsigned int i;

	for (i = 0; i < kind->nr_fields; i++)
		nearest_add(to, kind->field[i].name);
}

static void offer_all(struct nearest *to, const struct asked_name *name, const struct trace_info *info)
{
	unsigned int i;

	for (i = 0; i < info->nr_kinds; i++) {
		if (!name->field)
			nearest_add(to, strchr(name->marker, ':') ? info->kind[i]->name :
					info->kind[i]->marker);
		else if (!name->marker || pattern_matches(name->marker, info->kind[i]->name))
			offer_fields(to, info->kind[i]);
	}
	if (name->field)
		offer_fields(to, &info->contexts);
}

/* Return: what to take instead, to be freed. */
static char *advice(const struct asked_name *name, const struct trace_info *info)
{
	struct nearest nearest = { .missing = name->field ? name->field : name->marker };

	offer_all(&nearest, name, info);
	return nearest_advice(&nearest);
}

/* Say so if the trace does not have a name. Return: whether it has it. */
static bool check(const struct asked_name *name, const struct trace_info *info)
{
	bool is_marker = false, is_field = name->field && kind_has_field(&info->contexts, name->field);
	unsigned int i;
	char *instead;

	for (i = 0; i < info->nr_kinds; i++) {
		if (name->marker && !pattern_matches(name->marker, info->kind[i]->name))
			continue;
		is_marker = true;
		is_field |= name->field && kind_has_field(info->kind[i], name->field);
	}
	if (name->field ? is_field || (name->marker && !is_marker) : is_marker)
		return name->field ? is_field : is_marker;
	instead = advice(name, info);
	if (name->field)
		say("%s%s: %s has no such field or context%s", name->option, name->field,
		    name->marker ? name->marker : "the recording", instead);
	else
		say("%s%s: the recording has no such marker%s", name->option, name->marker, instead);
	free(instead);
	return false;
}

bool asked_names_check(const struct asked_names *names, const struct trace_info *info)
{
	bool good = true;
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		if (!check(&names->name[i], info) && names->name[i].needed)
			good = false;
	return good;
}
