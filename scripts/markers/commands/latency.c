// SPDX-License-Identifier: GPL-2.0
/*
 * markers latency: measure the time from one marker to another.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reader/trace.h"
#include "../base/message.h"
#include "../base/number.h"
#include "../base/pattern.h"
#include "../choose/select.h"
#include "../events/text.h"
#include "../formats/csv.h"
#include "../pairs/histogram.h"
#include "../pairs/pairs.h"
#include "commands.h"

#define MAX_WORST	1000
#define BAR		40	/* characters of the longest bar */

enum { OPTION_CSV = 256 };

static const struct option_def options[] = {
	{ 'k', "key", "FIELD,...", "What both have in common, or A-FIELD,...:B-FIELD,...; default: the thread." },
	{ 'n', "worst", "N", "Show the N longest ones, default 10." },
	{ OPTION_CSV, "csv", NULL, "Print each one as a row instead." },
	SELECT_OPTIONS,
	{ }
};

/**
 * struct worst - one of the longest pairs
 * @pair: the pair
 * @key: its key as text
 */
struct worst {
	struct pair pair;
	char *key;
};

struct latency {
	struct selection selection;
	struct pairs *pairs;
	struct histogram histogram;
	bool is_same;			/* A and B are the same */
	bool begun;			/* there is something to read */
	bool found;			/* at least one pair */
	bool csv;
	unsigned int nr_worst;
	uint64_t max_worst;
	struct worst worst[MAX_WORST];	/* longest first */
};

static uint64_t length(const struct pair *pair)
{
	return pair->end - pair->begin;
}

/* Write a field of the key of a pair, which this event ended, as report prints it. */
static void put_part(FILE *out, const struct latency *latency, unsigned int i,
		     const struct event *event)
{
	const struct value *value = keys_value(pairs_key(latency->pairs), i, event);

	if (!value)
		text_decimal(out, event->cpu, 1);
	else if (latency->csv && value->field->type == VALUE_TEXT)
		fwrite_unlocked(value->text, 1, value->size, out);
	else
		text_value(out, value);
}

/* Return: the key as text, such as "8,17", to be freed. */
static char *key_text(const struct latency *latency, const struct event *event)
{
	char *text = NULL;
	unsigned int i = 0;
	size_t size;
	FILE *out = need_memory(open_memstream(&text, &size));

	do {
		if (i)
			putc(',', out);
		put_part(out, latency, i, event);
	} while (++i < pairs_key(latency->pairs)->nr);
	fclose(out);
	return need_memory(text);
}

static void put_csv_key(const struct latency *latency, const struct event *event)
{
	char *text = key_text(latency, event);

	csv_text(stdout, text, strlen(text));
	free(text);
}

/* Keep a pair that this event ended, if it is one of the longest. */
static void keep_worst(struct latency *latency, const struct pair *pair,
		       const struct event *event)
{
	unsigned int at = latency->nr_worst;

	if (at == latency->max_worst &&
	    (!at || length(pair) <= length(&latency->worst[at - 1].pair)))
		return;
	if (at < latency->max_worst)
		latency->nr_worst++;
	else
		free(latency->worst[--at].key);
	for (; at && length(&latency->worst[at - 1].pair) < length(pair); at--)
		latency->worst[at] = latency->worst[at - 1];
	latency->worst[at] = (struct worst){ *pair, key_text(latency, event) };
}

static void put_head(void)
{
	puts("begin,end,ns,key,begin_cpu,end_cpu");
}

static void put_time(uint64_t time)
{
	printf("%" PRIu64 ".%09u", time / 1000000000, (unsigned int)(time % 1000000000));
}

/* --event and --where choose the events that begin: those that end often lack the field. */
static bool chooses(void *ctx, const struct event *event)
{
	return select_by_what(&((struct latency *)ctx)->selection, event);
}

static bool take_event(void *ctx, const struct event *event)
{
	struct latency *latency = ctx;
	struct pair pair;

	if (!pairs_event(latency->pairs, event, &pair))
		return true;
	latency->found = true;
	if (latency->csv) {
		put_time(pair.begin);
		putchar(',');
		put_time(pair.end);
		printf(",%" PRIu64 ",", length(&pair));
		put_csv_key(latency, event);
		printf(",%u,%u\n", pair.begin_cpu, pair.end_cpu);
		return !ferror(stdout);
	}
	histogram_add(&latency->histogram, length(&pair));
	keep_worst(latency, &pair, event);
	return true;
}

static bool take_loss(void *ctx, const struct loss *loss)
{
	(void)loss;
	pairs_loss(((struct latency *)ctx)->pairs);
	return true;
}

static bool begin_trace(void *ctx, const struct trace_info *info)
{
	struct latency *latency = ctx;

	latency->begun = true;
	if (latency->csv)
		put_head();
	(void)info;
	return true;
}

static const struct trace_sink sink = {
	.begin = begin_trace, .event = take_event, .lost = take_loss,
};

/* Format a duration, such as "1.234 us". */
static const char *duration(uint64_t ns, char text[32])
{
	static const char *const units[] = { "us", "ms", "s" };
	uint64_t unit = 1000;
	int i = 0;

	if (ns < 1000) {
		snprintf(text, 32, "%u ns", (unsigned int)ns);
		return text;
	}
	for (; i < 2 && ns >= unit * 1000; i++)
		unit *= 1000;
	snprintf(text, 32, "%" PRIu64 ".%03u %s", ns / unit,
		 (unsigned int)(ns % unit / (unit / 1000)), units[i]);
	return text;
}

static void print_powers(const struct histogram *histogram)
{
	unsigned int power, first = 64, last = 0;
	char from[32], to[32];
	uint64_t most = 1;

	for (power = 0; power < 64; power++) {
		uint64_t count = histogram_power(histogram, power);

		if (!count)
			continue;
		first = first < power ? first : power;
		last = power;
		most = most > count ? most : count;
	}
	for (power = first; power <= last && first < 64; power++) {
		uint64_t count = histogram_power(histogram, power);
		int bar = (double)count / most * BAR + 0.5;

		printf("%12s to %-12s %10" PRIu64 " %.*s\n",
		       duration(power ? 1ull << power : 0, from),
		       duration(power < 63 ? (2ull << power) - 1 : UINT64_MAX, to), count,
		       bar ? bar : count != 0, "########################################");
	}
}

static void print_worst(const struct latency *latency)
{
	char text[32];
	unsigned int i;

	if (latency->nr_worst)
		puts("\nlongest:");
	for (i = 0; i < latency->nr_worst; i++) {
		const struct pair *pair = &latency->worst[i].pair;

		printf("%12s  from ", duration(length(pair), text));
		put_time(pair->begin);
		printf(" [%03u] to ", pair->begin_cpu);
		put_time(pair->end);
		printf(" [%03u]  key %s\n", pair->end_cpu, latency->worst[i].key);
	}
}

static void print(const struct latency *latency, const struct pairs_count *left)
{
	static const double percents[] = { 50, 95, 99 };
	const struct histogram *histogram = &latency->histogram;
	char text[32];
	size_t i;

	printf("count %" PRIu64, histogram->count);
	if (histogram->count) {
		printf("   min %s", duration(histogram->min, text));
		for (i = 0; i < sizeof(percents) / sizeof(*percents); i++)
			printf("   p%.0f %s", percents[i],
			       duration(histogram_percentile(histogram, percents[i]), text));
		printf("   max %s", duration(histogram->max, text));
		printf("   mean %s", duration(histogram->sum / histogram->count, text));
	}
	printf("\nnot ended %" PRIu64 ", not begun %" PRIu64 ", left out for losses %" PRIu64 "\n",
	       left->unended, left->unbegun, left->lost);
	if (histogram->count)
		putchar('\n');
	print_powers(histogram);
	print_worst(latency);
}

static int parse(struct latency *latency, int option, const char *value, const char **key)
{
	switch (option) {
	case 'k':
		*key = value;
		return STATUS_OK;
	case 'n':
		if (!number_parse(value, 0, MAX_WORST, &latency->max_worst))
			return usage_error("latency", "--worst is a number from 0 to %d", MAX_WORST);
		return STATUS_OK;
	case OPTION_CSV:
		latency->csv = true;
		return STATUS_OK;
	}
	return select_option(&latency->selection, "latency", option, value);
}

static int run(struct arguments *args)
{
	static struct latency latency = { .selection = SELECT_ALL, .max_worst = 10 };
	const char *value, *key = NULL;
	struct pairs_count left;
	int option, status, i;

	while ((option = option_next(args, &value))) {
		status = parse(&latency, option, value, &key);
		if (status)
			return status;
	}
	if (args->argc != 3)
		return usage_error("latency", "it needs a recording and two markers");
	for (i = 1; i < 3; i++)
		if (!pattern_is_valid(args->argv[i]))
			return usage_error("latency", "\"%s\" is not a pattern: [module:]name",
					   args->argv[i]);
	latency.pairs = pairs_create(args->argv[1], args->argv[2], key);
	if (!latency.pairs)
		return usage_error("latency", "--key is FIELD,... or FIELD,...:FIELD,..., up to %d and as many, not \"%s\"",
				   MAX_KEYS, key);
	asked_names_add_pair(&latency.selection.names, "", "--key: ", args->argv[1], args->argv[2], key,
		       true);
	latency.is_same = !strcmp(args->argv[1], args->argv[2]);
	latency.selection.whole = !latency.is_same;
	if (!latency.is_same)
		pairs_choose(latency.pairs, chooses, &latency);
	status = select_read(&latency.selection, args->argv[0], &sink, &latency);
	left = pairs_end(latency.pairs);
	if (!latency.csv && (latency.begun || !status))
		print(&latency, &left);
	else if (!latency.begun && !status)
		put_head();
	if (!key && !latency.found && left.unended && left.unbegun)
		say("no event %s follows an event %s of the same thread; --key FIELD finds pairs by a field",
		    args->argv[2], args->argv[1]);
	else if (left.again && !latency.selection.is_vain)
		say("%" PRIu64 " begins came again before their end: %s", left.again,
		    key ? "add a field to --key" : "give a --key");
	pairs_destroy(latency.pairs);
	while (latency.nr_worst)
		free(latency.worst[--latency.nr_worst].key);
	return select_status(&latency.selection, status);
}

const struct command command_latency = {
	.name = "latency",
	.args = "DIR A B",
	.summary = "Measure the time from one marker to another",
	.text = "A and B are patterns of markers: [module:]name, both may be globs. An event of A begins,\n"
		"the next one of B with the same key ends it: the same values of up to four fields,\n"
		"contexts, or \"cpu\". If both are the same marker, it is the time from one chosen event to\n"
		"the next.\n\n"
		"\tmarkers latency trace io_begin io_end --key dev,tag\n\n"
		"A begin whose key begins again before its end is not measured. A line says how many there\n"
		"are: they often share a number that needs another field beside it.\n\n"
		"--where and --event choose by A, so they can ask for a field that only A has. --begin,\n"
		"--end and --cpu choose A and B.\n\n"
		"\tmarkers latency trace io_begin io_end --key id --where 'bytes >= 65536'\n\n"
		"Percentiles are at most 1/128 too large, all else is exact. A pair that was open when\n"
		"events were lost is left out, as its end may be among them.\n\n"
		SELECT_TEXT,
	.examples = "From each request to its end, and the five longest:\n"
		"\tmarkers latency trace request done --key id --worst 5\n",
	.see = "report export",
	.options = options,
	.run = run,
	.completes = "trace",
};
