// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of a hist to its terms, when it is set or its module comes.
 */
#include "hist.h"

/**
 * struct parser - what is being parsed
 * @hist:	the result
 * @format:	of the event, or NULL
 * @text:	the hist
 * @at:		the next byte of it
 * @sort_at:	where the list after "sort=" begins, or 0; it needs the keys and values
 * @has:	bits of enum part
 * @error:	the caller's
 */
struct parser {
	struct marker_hist *hist;
	const struct marker_format *format;
	const char *text;
	unsigned int at;
	unsigned int sort_at;
	unsigned int has;
	struct marker_format_error *error;
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

static int refuse_hist(struct parser *p, unsigned int at, const char *why)
{
	p->error->column = at;
	p->error->why = why;
	return -EINVAL;
}

/* If the text continues with this, move past it. */
static bool take_text(struct parser *p, const char *what)
{
	size_t len = strlen(what);

	if (strncmp(p->text + p->at, what, len))
		return false;
	p->at += len;
	return true;
}

/* The same for a whole word. */
static bool take_word(struct parser *p, const char *what)
{
	unsigned int at = p->at;

	if (take_text(p, what) && (!p->text[p->at] || strchr(",.:", p->text[p->at])))
		return true;
	p->at = at;
	return false;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static int take_number(struct parser *p, u32 max, u32 *number, const char *why)
{
	unsigned int at = p->at;
	u64 n = 0;

	for (; p->text[p->at] >= '0' && p->text[p->at] <= '9' && n <= max; p->at++)
		n = n * 10 + p->text[p->at] - '0';
	if (at == p->at || !n || n > max)
		return refuse_hist(p, at, why);
	*number = n;
	return 0;
}

/* Take a field or a context, and describe it. */
static int take_term(struct parser *p, struct marker_hist_term *term, unsigned int *begin)
{
	const char *name = p->text + p->at, *why;
	struct marker_operand operand;
	unsigned int len, from;

	*begin = p->at;
	take_text(p, "$ctx.");
	from = p->at;
	while (is_name_char(p->text[p->at]))
		p->at++;
	len = p->at - from;
	if (!len || (p->text[from] >= '0' && p->text[from] <= '9'))
		return refuse_hist(p, *begin, "the name of a field is missing here");
	if (len >= sizeof(term->name))
		return refuse_hist(p, *begin, "no field has such a long name");
	memset(term, 0, sizeof(*term));
	memcpy(term->name, p->text + from, len);
	if (!p->format) {
		/* enough to tell two names apart */
		term->is_context = from != *begin;
		return 0;
	}
	why = marker_operand_find(&operand, p->format, name, p->at - *begin);
	if (why)
		return refuse_hist(p, *begin, why);
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
	unsigned int at = p->at;
	int err;

	if (!take_text(p, "."))
		return 0;
	if (take_word(p, "log2")) {
		term->form = MARKER_HIST_LOG2;
	} else if (take_word(p, "hex")) {
		term->form = MARKER_HIST_HEX;
	} else if (take_word(p, "sym")) {
		term->form = MARKER_HIST_SYM;
	} else if (take_text(p, "buckets=")) {
		term->form = MARKER_HIST_BUCKETS;
		err = take_number(p, U32_MAX, &term->width, "not a number from 1 to 4294967295");
		if (err)
			return err;
	} else {
		return refuse_hist(p, at, "one of .log2 .buckets=N .hex .sym is missing here");
	}
	if (!p->format)
		return 0;
	if (term->kind > MARKER_HIST_KIND_NUMBER)
		return refuse_hist(p, at, "this is for numbers, and this key is none");
	if (term->form == MARKER_HIST_SYM && term->bytes != sizeof(long))
		return refuse_hist(p, at, "this key is too small for an address");
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
	unsigned int begin = p->at, i;
	int err;

	if (hist->nr_keys == MARKER_HIST_KEYS)
		return refuse_hist(p, begin, "more than 4 keys");
	if (take_word(p, "hitcount"))
		return refuse_hist(p, begin, "the hits are no key");
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
			return refuse_hist(p, begin, "this key is there already");
	}
	if (hist->key_words + key->words > MARKER_HIST_WORDS)
		return refuse_hist(p, begin, "the keys take more than 256 bytes");
	key->at = hist->key_words;
	hist->key_words += key->words;
	hist->contexts |= key->is_context;
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
		return refuse_hist(p, p->at, "more than 4 values");
	err = take_term(p, val, &begin);
	if (err)
		return err;
	if (p->format && val->kind > MARKER_HIST_KIND_NUMBER)
		return refuse_hist(p, begin, "only numbers can be added up");
	for (i = 0; i < hist->nr_vals; i++) {
		if (is_same(&hist->val[i], val))
			return refuse_hist(p, begin, "this value is there already");
	}
	hist->contexts |= val->is_context;
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
	unsigned int at, begin = p->at;

	if (hist->nr_sorts == MARKER_HIST_SORTS)
		return refuse_hist(p, begin, "more than 4 names to sort by");
	take_text(p, "$ctx.");
	at = p->at;
	while (is_name_char(p->text[p->at]))
		p->at++;
	if (!find_sort(hist, p->text + at, p->at - at, sort))
		return refuse_hist(p, begin, "no key, no value, nor hitcount");
	at = p->at;
	sort->descending = take_word(p, ".descending");
	if (!sort->descending && !take_word(p, ".ascending") && p->text[at] == '.')
		return refuse_hist(p, at, "one of .ascending .descending is missing here");
	hist->nr_sorts++;
	return 0;
}

static int take_list(struct parser *p, int (*add)(struct parser *p))
{
	int err;

	do
		err = add(p);
	while (!err && take_text(p, ","));
	return err;
}

static int take_size(struct parser *p)
{
	static const char why[] = "not a number of keys from 16 to 131072";
	unsigned int at = p->at;
	u32 size;
	int err;

	err = take_number(p, MARKER_HIST_MAX_SIZE, &size, why);
	if (err)
		return err;
	if (size < MARKER_HIST_MIN_SIZE)
		return refuse_hist(p, at, why);
	for (p->hist->size = MARKER_HIST_MIN_SIZE; p->hist->size < size;)
		p->hist->size *= 2;
	return 0;
}

/* The names in this list need the keys and values, so they are looked up at the end. */
static int skip_sort(struct parser *p)
{
	p->sort_at = p->at;
	while (p->text[p->at] && p->text[p->at] != ':')
		p->at++;
	return 0;
}

static int take_part(struct parser *p)
{
	unsigned int i, at = p->at;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		if (take_text(p, parts[i].text))
			break;
	}
	if (i == ARRAY_SIZE(parts))
		return refuse_hist(p, at, "one of keys= vals= sort= size= pause event is missing here");
	if (p->has & BIT(parts[i].part))
		return refuse_hist(p, at, "this is there already");
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
		if (!err && p->text[p->at] && p->text[p->at] != ':')
			err = refuse_hist(p, p->at, ": is missing here");
	} while (!err && take_text(p, ":"));
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
static int parse(struct marker_hist *hist, const char *text, const char *keys,
		 const struct marker_format *format, struct marker_format_error *error)
{
	struct parser parser = {
		.hist = hist,
		.format = format,
		.text = text,
		.error = error,
	}, *p = &parser;
	int err;

	memset(hist, 0, sizeof(*hist));
	hist->size = MARKER_HIST_SIZE;
	if (strnlen(text, MARKER_MAX_HIST) == MARKER_MAX_HIST)
		return refuse_hist(p, MARKER_MAX_HIST - 1, "a hist has less than 512 bytes");
	err = take_parts(p);
	if (err)
		return err;
	if (!hist->nr_keys && !keys)
		return refuse_hist(p, p->at, "keys= is missing");
	if (!hist->nr_keys) {
		p->text = keys;
		p->at = 0;
		if (take_list(p, add_key))
			return refuse_hist(p, 0, error->why);
		p->text = text;
	}
	if (p->sort_at) {
		p->at = p->sort_at;
		err = take_list(p, add_sort);
		if (!err && p->text[p->at] && p->text[p->at] != ':')
			err = refuse_hist(p, p->at, ": is missing here");
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
	return parse(hist, text, NULL, format, error);
}

int marker_hist_parse_pair(struct marker_hist *hist, const char *text,
			   const struct marker_format *format,
			   struct marker_format_error *error)
{
	return parse(hist, text, "tid", format, error);
}
