// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of a hist to its terms, when it is set or its module comes.
 */
#include <markers/format/text.h>
#include "hist.h"

/**
 * struct parser - what is being parsed
 * @in:		the hist
 * @hist:	the result
 * @format:	of the event, or NULL
 * @sort_at:	where the list after "sort=" begins, or 0; it needs the keys and values
 * @has:	bits of enum part
 */
struct parser {
	struct marker_text in;
	struct marker_hist *hist;
	const struct marker_format *format;
	unsigned int sort_at;
	unsigned int has;
};

enum part { PART_KEYS, PART_VALS, PART_SORT, PART_SIZE, PART_PAUSE, PART_EVENT };

static const struct {
	const char *text;
	enum part part;
} parts[] = {
	{ "keys=", PART_KEYS }, { "key=", PART_KEYS },
	{ "values=", PART_VALS }, { "vals=", PART_VALS }, { "val=", PART_VALS },
	{ "sort=", PART_SORT }, { "size=", PART_SIZE },
	{ "pause", PART_PAUSE }, { "event", PART_EVENT },
};

/* As marker_take(), a whole word: strchr() finds the end of the text, too. */
static bool take_word(struct parser *p, const char *what)
{
	const unsigned int start = p->in.at;

	if (marker_take(&p->in, what) && strchr(",.:", p->in.text[p->in.at]))
		return true;
	p->in.at = start;
	return false;
}

static int take_number(struct parser *p, u32 min, u32 max, u32 *number, const char *why)
{
	unsigned int at = p->in.at;
	u64 n;

	if (!marker_take_number(&p->in, 10, max, &n) || n < min)
		return marker_refuse(&p->in, at, why);
	*number = n;
	return 0;
}

/* Take a field or a context, and describe it. */
static int take_term(struct parser *p, struct marker_hist_term *term, unsigned int *begin)
{
	const char *name = p->in.text + p->in.at, *why;
	struct marker_operand operand;
	unsigned int len, from;

	*begin = p->in.at;
	marker_take(&p->in, "$ctx.");
	from = p->in.at;
	len = marker_take_name(&p->in);
	if (!len)
		return marker_refuse(&p->in, *begin, "the name of a field is missing here");
	if (len >= sizeof(term->name))
		return marker_refuse(&p->in, *begin, "no field has such a long name");
	memset(term, 0, sizeof(*term));
	memcpy(term->name, p->in.text + from, len);
	if (!p->format) {
		/* enough to tell two names apart */
		term->is_context = from != *begin;
		return 0;
	}
	why = marker_operand_find(&operand, p->format, name, p->in.at - *begin);
	if (why)
		return marker_refuse(&p->in, *begin, why);
	term->arg = operand.arg;
	term->field = operand.field;
	term->is_context = operand.is_context;
	if (operand.type == MARKER_FIELD_INT) {
		term->kind = operand.is_behind_pointer ? MARKER_HIST_KIND_NUMBER :
							 MARKER_HIST_KIND_INT;
		term->is_signed = operand.is_signed;
		term->bytes = operand.size;
		term->shift = 64 - 8 * operand.size;
		term->words = 1;
	} else {
		term->kind = MARKER_HIST_KIND_STRING;
		term->len_arg = operand.len_arg;
		term->max = min_t(u32, operand.max, MARKER_HIST_CHARS);
		term->words = DIV_ROUND_UP(max_t(u32, term->max, 1), sizeof(u64));
	}
	return 0;
}

static int take_form(struct parser *p, struct marker_hist_term *term)
{
	unsigned int at = p->in.at;
	int err;

	if (!marker_take(&p->in, "."))
		return 0;
	if (take_word(p, "log2")) {
		term->form = MARKER_HIST_LOG2;
	} else if (take_word(p, "hex")) {
		term->form = MARKER_HIST_HEX;
	} else if (take_word(p, "sym")) {
		term->form = MARKER_HIST_SYM;
	} else if (marker_take(&p->in, "buckets=")) {
		term->form = MARKER_HIST_BUCKETS;
		err = take_number(p, 1, U32_MAX, &term->width, "not a number from 1 to 4294967295");
		if (err)
			return err;
	} else {
		return marker_refuse(&p->in, at, "one of .log2 .buckets=N .hex .sym is missing here");
	}
	if (!p->format)
		return 0;
	if (term->kind > MARKER_HIST_KIND_NUMBER)
		return marker_refuse(&p->in, at, "this is for numbers, and this key is none");
	if (term->form == MARKER_HIST_SYM && term->bytes != sizeof(long))
		return marker_refuse(&p->in, at, "this key is too small for an address");
	return 0;
}

static bool is_same(const struct marker_hist_term *a, const struct marker_hist_term *b)
{
	return a->is_context == b->is_context && !strcmp(a->name, b->name);
}

static bool is_latency(const struct marker_hist_term *term)
{
	return term->is_context && term->arg == MARKER_FILTER_LATENCY;
}

static int add_key(struct parser *p)
{
	struct marker_hist *hist = p->hist;
	struct marker_hist_term *key = &hist->key[hist->nr_keys];
	unsigned int begin = p->in.at, i;
	int err;

	if (hist->nr_keys == MARKER_HIST_KEYS)
		return marker_refuse(&p->in, begin, "more than 4 keys");
	if (take_word(p, "hitcount"))
		return marker_refuse(&p->in, begin, "the hits are no key");
	if (take_word(p, "stack") || take_word(p, "stacktrace")) {
		memset(key, 0, sizeof(*key));
		memcpy(key->name, "stack", sizeof("stack"));
		key->kind = MARKER_HIST_KIND_STACK;
		key->is_context = true;
		key->arg = MARKER_HIST_STACK;
		key->words = MARKER_HIST_FRAMES;
		hist->stack = true;
		err = take_form(p, key);
	} else {
		err = take_term(p, key, &begin) ?: take_form(p, key);
	}
	if (err)
		return err;
	for (i = 0; i < hist->nr_keys; i++) {
		if (is_same(&hist->key[i], key))
			return marker_refuse(&p->in, begin, "this key is there already");
	}
	if (hist->key_words + key->words > MARKER_HIST_WORDS)
		return marker_refuse(&p->in, begin, "the keys take more than 256 bytes");
	key->at = hist->key_words;
	hist->key_words += key->words;
	hist->contexts = max(hist->contexts, marker_operand_needs(key->is_context, key->arg));
	hist->latency |= is_latency(key);
	hist->nr_keys++;
	return 0;
}

static int add_val(struct parser *p)
{
	struct marker_hist *hist = p->hist;
	struct marker_hist_term *val = &hist->val[hist->nr_vals];
	unsigned int begin, i;
	int err;

	if (take_word(p, "hitcount"))
		return 0;
	if (hist->nr_vals == MARKER_HIST_VALS)
		return marker_refuse(&p->in, p->in.at, "more than 4 values");
	err = take_term(p, val, &begin);
	if (err)
		return err;
	if (p->format && val->kind > MARKER_HIST_KIND_NUMBER)
		return marker_refuse(&p->in, begin, "only numbers can be added up");
	for (i = 0; i < hist->nr_vals; i++) {
		if (is_same(&hist->val[i], val))
			return marker_refuse(&p->in, begin, "this value is there already");
	}
	hist->contexts = max(hist->contexts, marker_operand_needs(val->is_context, val->arg));
	hist->latency |= is_latency(val);
	hist->nr_vals++;
	return 0;
}

/* Keys come first: a key of this name is meant, not a value. */
static bool find_sort(struct marker_hist *hist, const char *name, unsigned int len,
		      struct marker_hist_sort *sort)
{
	static const char hits[] = "hitcount";
	unsigned int i;

	for (i = 0; i < hist->nr_keys + hist->nr_vals + 1u; i++) {
		const char *known = i < hist->nr_keys ? hist->key[i].name :
				    i == hist->nr_keys ? hits :
				    hist->val[i - hist->nr_keys - 1].name;

		if (strlen(known) != len || memcmp(known, name, len))
			continue;
		sort->is_key = i < hist->nr_keys;
		sort->by = sort->is_key ? i : i - hist->nr_keys;
		return true;
	}
	return false;
}

static int add_sort(struct parser *p)
{
	struct marker_hist *hist = p->hist;
	struct marker_hist_sort *sort = &hist->sort[hist->nr_sorts];
	unsigned int at, begin = p->in.at;

	if (hist->nr_sorts == MARKER_HIST_SORTS)
		return marker_refuse(&p->in, begin, "more than 4 names to sort by");
	marker_take(&p->in, "$ctx.");
	at = p->in.at;
	marker_take_name(&p->in);
	if (!find_sort(hist, p->in.text + at, p->in.at - at, sort))
		return marker_refuse(&p->in, begin, "no key, no value, nor hitcount");
	at = p->in.at;
	sort->descending = take_word(p, ".descending");
	if (!sort->descending && !take_word(p, ".ascending") && p->in.text[at] == '.')
		return marker_refuse(&p->in, at, "one of .ascending .descending is missing here");
	hist->nr_sorts++;
	return 0;
}

static int take_list(struct parser *p, int (*add)(struct parser *p))
{
	int err;

	do
		err = add(p);
	while (!err && marker_take(&p->in, ","));
	return err;
}

static int take_size(struct parser *p)
{
	u32 size;
	int err;

	err = take_number(p, MARKER_HIST_MIN_SIZE, MARKER_HIST_MAX_SIZE, &size,
			  "not a number of keys from 16 to 131072");
	if (err)
		return err;
	for (p->hist->size = MARKER_HIST_MIN_SIZE; p->hist->size < size;)
		p->hist->size *= 2;
	return 0;
}

/* The names in this list need the keys and values, so they are looked up at the end. */
static int skip_sort(struct parser *p)
{
	p->sort_at = p->in.at;
	while (p->in.text[p->in.at] && p->in.text[p->in.at] != ':')
		p->in.at++;
	return 0;
}

static int take_part(struct parser *p)
{
	unsigned int i, at = p->in.at;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		if (marker_take(&p->in, parts[i].text))
			break;
	}
	if (i == ARRAY_SIZE(parts))
		return marker_refuse(&p->in, at, "one of keys= vals= sort= size= pause event is missing here");
	if (p->has & BIT(parts[i].part))
		return marker_refuse(&p->in, at, "this is there already");
	p->has |= BIT(parts[i].part);
	switch (parts[i].part) {
	case PART_KEYS:
		return take_list(p, add_key);
	case PART_VALS:
		return take_list(p, add_val);
	case PART_SORT:
		return skip_sort(p);
	case PART_SIZE:
		return take_size(p);
	case PART_PAUSE:
		p->hist->paused = true;
		return 0;
	default:
		p->hist->event = true;
		return 0;
	}
}

static int take_parts(struct parser *p)
{
	int err;

	do {
		err = take_part(p);
		if (!err && p->in.text[p->in.at] && p->in.text[p->in.at] != ':')
			err = marker_refuse(&p->in, p->in.at, ": is missing here");
	} while (!err && marker_take(&p->in, ":"));
	return err;
}

/* Is the key a plain integer, for which marker_hist_int() is enough, and nothing added up? */
static bool is_single(const struct marker_hist *hist)
{
	const struct marker_hist_term *key = &hist->key[0];

	return hist->nr_keys == 1 && !hist->nr_vals && key->kind == MARKER_HIST_KIND_INT &&
	       !key->is_context && key->form < MARKER_HIST_LOG2;
}

/* @keys: those of a text without "keys=", or NULL */
static int parse_hist(struct marker_hist *hist, const char *text, const char *keys,
		      const struct marker_format *format, struct marker_format_error *error)
{
	struct parser parser = {
		.in = { .text = text, .error = error },
		.hist = hist,
		.format = format,
	}, *p = &parser;
	int err;

	memset(hist, 0, sizeof(*hist));
	hist->size = MARKER_HIST_SIZE;
	if (strnlen(text, MARKER_MAX_HIST) == MARKER_MAX_HIST)
		return marker_refuse(&p->in, MARKER_MAX_HIST - 1, "a hist has less than 512 bytes");
	err = take_parts(p);
	if (err)
		return err;
	if (!hist->nr_keys && !keys)
		return marker_refuse(&p->in, p->in.at, "keys= is missing");
	if (!hist->nr_keys) {
		p->in.text = keys;
		p->in.at = 0;
		if (take_list(p, add_key))
			return marker_refuse(&p->in, 0, error->why);
		p->in.text = text;
	}
	if (p->sort_at) {
		p->in.at = p->sort_at;
		err = take_list(p, add_sort);
		if (!err && p->in.text[p->in.at] && p->in.text[p->in.at] != ':')
			err = marker_refuse(&p->in, p->in.at, ": is missing here");
	} else {
		hist->nr_sorts = 1;
	}
	hist->is_single = is_single(hist);
	return err;
}

int marker_hist_parse(struct marker_hist *hist, const char *text,
		      const struct marker_format *format,
		      struct marker_format_error *error)
{
	return parse_hist(hist, text, NULL, format, error);
}

int marker_hist_parse_pair(struct marker_hist *hist, const char *text,
			   const struct marker_format *format,
			   struct marker_format_error *error)
{
	return parse_hist(hist, text, "tid", format, error);
}
