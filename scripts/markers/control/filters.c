// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/message.h"
#include "control.h"
#include "filters.h"

void filters_parse(struct filters *filters, const char *text)
{
	filters->text = need_memory(strdup(text ? text : ""));
	names_parse(&filters->names, need_memory(strdup(filters->text)));
}

void filters_read(struct filters *filters)
{
	char *text = file_read(control_fd(), "filters", NULL);

	filters_parse(filters, text);
	free(text);
}

char *filters_find(const struct filters *filters, const char *marker)
{
	const char *name = names_find(&filters->names, marker);
	const char *line = name ? filters->text + (name - filters->names.text) : "";
	const char *filter = memmem(line, strcspn(line, "\n"), " if ", 4);

	if (!filter)
		return NULL;
	filter += strlen(" if ");
	return need_memory(strndup(filter, strcspn(filter, "\n")));
}

void filters_free(struct filters *filters)
{
	names_free(&filters->names);
	free(filters->text);
}
