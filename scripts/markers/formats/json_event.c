// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "../base/json.h"
#include "../events/functions.h"
#include "../events/text.h"
#include "json_event.h"

static void put_value(FILE *out, const struct value *value)
{
	switch (value->field->type) {
	case VALUE_TEXT:
		json_string(out, value->text, value->size);
		break;
	case VALUE_SIGNED:
	case VALUE_UNSIGNED:
		if (!value->text && value->field->base == 10 &&
		    (value->field->type == VALUE_SIGNED || value->number <= INT64_MAX)) {
			text_number(out, value);
			break;
		}
		/* fall through */
	case VALUE_BYTES:
		putc_unlocked('"', out);
		text_value(out, value);
		putc_unlocked('"', out);
		break;
	}
}

/* @named: with the names of functions */
static const char *put_members(FILE *out, const struct value *value, unsigned int nr,
			       uint64_t time, bool named, const char *between)
{
	const char *text;
	unsigned int i;
	size_t size;

	for (i = 0; i < nr; i++) {
		fputs_unlocked(between, out);
		json_string(out, value[i].field->name, strlen(value[i].field->name));
		putc_unlocked(':', out);
		text = named ? functions_text(&value[i], time, &size) : NULL;
		if (text)
			json_string(out, text, size);
		else
			put_value(out, &value[i]);
		between = ",";
	}
	return between;
}

void json_members(FILE *out, const struct value *value, unsigned int nr)
{
	put_members(out, value, nr, 0, false, "");
}

const char *json_named(FILE *out, const struct value *value, unsigned int nr, uint64_t time,
		       const char *between)
{
	return put_members(out, value, nr, time, true, between);
}
