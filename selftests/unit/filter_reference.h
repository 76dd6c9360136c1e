/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a filter means, in the plainest way: the text is parsed again for each event, numbers
 * are wider than any field, and a string has the bytes that would be recorded.
 * filter_test.c and fuzz/filter_fuzz.c compare markers/format/filter.c with it.
 */
#ifndef _UNIT_FILTER_REFERENCE_H
#define _UNIT_FILTER_REFERENCE_H

#include <markers/format/filter.h>

struct reference {
	const struct marker_format *format;
	const u64 *args;
	const u64 *contexts;
	const char *at;
};

/* A value: a string, or a number. */
struct reference_value {
	bool is_text;
	__int128 number;
	unsigned int size;
	char text[MARKER_MAX_STRING];
};

/* Copy up to the NUL, at most @limit characters.  Return: false if some cannot be read. */
static bool reference_copy(char *to, const char *from, int limit)
{
	u8 byte;
	int n;

	for (n = 0; n < limit; n++) {
		if (!marker_nofault_may_read(from + n) ||
		    !marker_nofault_read_byte(&byte, from + n))
			return false;
		if (!byte)
			break;
		to[n] = byte;
	}
	to[n] = '\0';
	return true;
}

static void reference_text(struct reference_value *value, u64 arg, int limit)
{
	const char *from = (const char *)(uintptr_t)arg;

	value->is_text = true;
	if (!from)
		snprintf(value->text, limit + 1, "(null)");
	else if (!reference_copy(value->text, from, limit))
		snprintf(value->text, limit + 1, "(efault)");
}

static __int128 reference_extend(u64 slot, unsigned int size, bool is_signed)
{
	__int128 number = slot & (~0ull >> (64 - 8 * size));

	if (is_signed && number >> (8 * size - 1))
		number -= (__int128)1 << (8 * size);
	return number;
}

static void reference_field(struct reference *r, const struct marker_field *field,
			    struct reference_value *value)
{
	u64 arg = r->args[field->arg];
	int limit = field->max - 1;

	if (field->type == MARKER_FIELD_STRING) {
		if (field->len_arg != MARKER_NO_ARG)
			limit = clamp((int)r->args[field->len_arg], 0, limit);
		reference_text(value, arg, limit);
		return;
	}
	value->is_text = false;
	value->size = field->size;
	if (field->type == MARKER_FIELD_BYTES) {
		const char *from = (const char *)(uintptr_t)arg;

		arg = 0;
		if (marker_nofault_may_read(from) && !marker_test_fault(from, field->size))
			memcpy(&arg, from, field->size);
	}
	value->number = reference_extend(arg, field->size, field->is_signed ||
					 field->object == MARKER_OBJECT_SECONDS);
}

static void reference_operand(struct reference *r, const char *name,
			      struct reference_value *value)
{
	static const struct {
		const char *name;
		int at, size;
		bool is_signed;
	} numbers[] = {
		{ "tid", MARKER_FILTER_TID, 4, true }, { "pid", MARKER_FILTER_PID, 4, true },
		{ "cpu", MARKER_FILTER_CPU, 4, false }, { "flags", MARKER_FILTER_FLAGS, 2, false },
		{ "latency", MARKER_FILTER_LATENCY, 8, true },
		{ "cgroup_id", MARKER_FILTER_CGROUP_ID, 8, false },
	};
	const bool is_context = !strncmp(name, "$ctx.", 5);
	int i;

	for (i = 0; i < r->format->nr_fields && !is_context; i++) {
		if (!strcmp(r->format->field[i].name, name)) {
			reference_field(r, &r->format->field[i], value);
			return;
		}
	}
	for (i = 0; i < (int)ARRAY_SIZE(numbers); i++) {
		if (!strcmp(numbers[i].name, name + (is_context ? 5 : 0))) {
			value->is_text = false;
			value->size = numbers[i].size;
			value->number = reference_extend(r->contexts[numbers[i].at], value->size,
							 numbers[i].is_signed);
			return;
		}
	}
	reference_text(value, r->contexts[MARKER_FILTER_PROCNAME], 15);
}

/* Parses by recursion. */
static bool reference_glob(const char *glob, const char *glob_end, const char *text)
{
	for (; glob < glob_end; glob++, text++) {
		const char *c = glob + 1;
		bool inverted, found = false;

		if (*glob == '*') {
			/* only the last star needs to take more */
			while (glob < glob_end && *glob == '*')
				glob++;
			for (;; text++) {
				if (reference_glob(glob, glob_end, text))
					return true;
				if (!*text)
					return false;
			}
		}
		if (!*text)
			return false;
		if (*glob == '?')
			continue;
		if (*glob == '[') {
			inverted = c < glob_end && (*c == '^' || *c == '!');
			c += inverted;
			for (const char *first = c; c < glob_end && (*c != ']' || c == first); c++) {
				if (c + 2 < glob_end && c[1] == '-' && c[2] != ']') {
					found |= (u8)*text >= (u8)c[0] && (u8)*text <= (u8)c[2];
					c += 2;
				} else {
					found |= *text == *c;
				}
			}
			if (c < glob_end) {
				if (found == inverted)
					return false;
				glob = c;
				continue;
			}
		}
		if (*glob != *text)
			return false;
	}
	return !*text;
}

static void reference_blanks(struct reference *r)
{
	r->at += strspn(r->at, " \t\n\v\f\r");
}

static bool reference_take(struct reference *r, const char *what)
{
	reference_blanks(r);
	if (strncmp(r->at, what, strlen(what)))
		return false;
	r->at += strlen(what);
	return true;
}

static bool reference_test(struct reference *r)
{
	static const char *const ops[] = { "==", "!=", "<=", ">=", "<", ">", "&", "~" };
	struct reference_value value = { 0 };
	char name[MARKER_MAX_FILTER], text[MARKER_MAX_FILTER];
	bool quoted, negative;
	unsigned int op, len;
	__int128 number;

	reference_blanks(r);
	len = strspn(r->at, "$.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	snprintf(name, sizeof(name), "%.*s", len, r->at);
	r->at += len;
	for (op = 0; !reference_take(r, ops[op]); op++)
		;
	reference_blanks(r);
	quoted = *r->at == '"' || *r->at == '\'';
	if (quoted) {
		len = strcspn(r->at + 1, *r->at == '"' ? "\"" : "'");
		snprintf(text, sizeof(text), "%.*s", len, r->at + 1);
		r->at += len + 2;
	} else {
		for (len = 0; (u8)r->at[len] > ' ' && !strchr("()&|!<>=~\"'", r->at[len]);)
			len++;
		snprintf(text, sizeof(text), "%.*s", len, r->at);
		r->at += len;
	}
	reference_operand(r, name, &value);
	if (value.is_text) {
		if (op == 7)
			return reference_glob(text, text + strlen(text), value.text);
		return !strcmp(value.text, text) == (op == 0);
	}
	negative = !quoted && *text == '-';
	number = quoted ? (u8)*text : !strcmp(text, "-EIO") ? 5 : !strcmp(text, "-ENOENT") ? 2 :
		 strtoull(text + negative, NULL, 0);
	if (negative)
		number = -number;
	switch (op) {
	case 0:
		return value.number == number;
	case 1:
		return value.number != number;
	case 2:
		return value.number <= number;
	case 3:
		return value.number >= number;
	case 4:
		return value.number < number;
	case 5:
		return value.number > number;
	default:
		return (u64)value.number & (u64)number & (~0ull >> (64 - 8 * value.size));
	}
}

static bool reference_or(struct reference *r);

static bool reference_not(struct reference *r)
{
	bool passes;

	if (reference_take(r, "!"))
		return !reference_not(r);
	if (!reference_take(r, "("))
		return reference_test(r);
	passes = reference_or(r);
	reference_take(r, ")");
	return passes;
}

static bool reference_and(struct reference *r)
{
	bool passes = reference_not(r);

	while (reference_take(r, "&&"))
		passes &= reference_not(r);
	return passes;
}

static bool reference_or(struct reference *r)
{
	bool passes = reference_and(r);

	while (reference_take(r, "||"))
		passes |= reference_and(r);
	return passes;
}

/* Does an event pass a filter that marker_filter_parse() accepts? */
static bool reference_passes(const char *text, const struct marker_format *format,
			     const u64 *args, const u64 *contexts)
{
	struct reference r = { format, args, contexts, text };

	return reference_or(&r);
}

#endif /* _UNIT_FILTER_REFERENCE_H */
