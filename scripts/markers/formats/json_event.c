// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "../base/json.h"
#include "../base/put.h"
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

void json_members(FILE *out, const struct value *value, unsigned int nr)
{
	const struct value *end = value + nr;
	const char *between = "";

	for (; value < end; value++) {
		put_string(out, between);
		json_name(out, value->field->name);
		put_value(out, value);
		between = ",";
	}
}

void json_named(FILE *out, const char *name, const struct value *value, uint64_t time)
{
	const char *text;
	size_t size;

	json_name(out, name);
	text = functions_text(value, time, &size);
	if (text)
		json_string(out, text, size);
	else
		put_value(out, value);
}
