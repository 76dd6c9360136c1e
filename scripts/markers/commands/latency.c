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
#include "../pairs/groups.h"
#include "../pairs/histogram.h"
#include "../pairs/pairs.h"
#include "commands.h"

#define MAX_WORST	1000
#define BAR		40	/* characters of the longest bar */
#define NAME_WIDTH	16	/* columns of the name of a group */

enum { OPTION_CSV = 256 };

static const struct option_def options[] = {
	{ 'k', "key", "FIELD,...", "What both have in common, or A-FIELD,...:B-FIELD,...; default: the thread." },
	{ 'b', "by", "FIELD,...", "A line for each value of these fields of A." },
	{ 'n', "worst", "N", "Show the N longest ones, default 10." },
	{ OPTION_CSV, "csv", NULL, "Print each one as a row instead." },
	SELECT_OPTIONS,
	{ }
};

/**
 * struct worst - one of the longest pairs
 * @pair: the pair
 * @text: its key, and what is known of its begin
 */
struct worst {
	struct pair pair;
	char *text;
};

struct latency {
	struct selection selection;
	struct pairs *pairs;
	const char *by;
	struct keys by_keys;		/* the fields of --by */
	struct groups *groups;		/* of --by, or NULL */
	struct histogram histogram;
	bool begun;			/* there is something to read */
	bool found;			/* at least one pair */
	bool csv;
	bool has_worst;			/* --worst was given */
	unsigned int nr_worst;
	uint64_t max_worst;
	struct worst worst[MAX_WORST];	/* longest first */
};

static uint64_t length(const struct pair *pair)
{
	return pair->end - pair->begin;
}

static void put_key(FILE *out, const struct latency *latency, const struct event *event)
{
	keys_put(out, pairs_key(latency->pairs), event, latency->csv);
}

/* Write the values of --by that the begin has; "-" if it lacks one of them. */
static void put_by(FILE *out, const struct latency *latency, const struct pair *pair)
{
	const struct event_copy *begin = pair->values;
	const struct keys *by = &latency->by_keys;
	const struct value *value[MAX_KEYS];
	unsigned int i;

	for (i = 0; i < by->nr; i++) {
		value[i] = values_find(begin->value, begin->nr + begin->nr_contexts, by->name[i]);
		if (!strcmp(by->name[i], "cpu")) {
			value[i] = NULL;
		} else if (!value[i]) {
			putc('-', out);
			return;
		}
	}
	for (i = 0; i < by->nr; i++) {
		if (i)
			putc(',', out);
		keys_put_value(out, value[i], pair->begin_cpu, true);
	}
}

/* Write a cell with the key, or without @event with the values of --by. */
static void put_cell(const struct latency *latency, const struct pair *pair, const struct event *event)
{
	char *text = NULL;
	size_t size;
	FILE *out = need_memory(open_memstream(&text, &size));

	if (event)
		put_key(out, latency, event);
	else
		put_by(out, latency, pair);
	fclose(out);
	csv_text(stdout, need_memory(text), size);
	free(text);
}

static void put_task(FILE *out, const struct event_copy *begin)
{
	const struct value *name = event_copy_context(begin, "procname");
	const struct value *tid = event_copy_context(begin, "tid");

	if (!name && !tid)
		return;
	fputs("  task ", out);
	if (name && tid && !tid->number)
		fputs("<idle>", out);
	else if (name)
		text_value(out, name);
	if (tid)
		fprintf(out, "%s%" PRId64, name ? "-" : "", (int64_t)tid->number);
}

/* Return: the key, the task and the fields of the begin, to be freed. */
static char *describe(const struct latency *latency, const struct pair *pair,
		      const struct event *event)
{
	const struct event_copy *begin = pair->values;
	unsigned int i, nr = begin ? begin->nr : 0;
	char *text = NULL;
	size_t size;
	FILE *out = need_memory(open_memstream(&text, &size));

	put_key(out, latency, event);
	if (begin)
		put_task(out, begin);
	for (i = 0; i < nr; i++) {
		fprintf(out, "%s%s=", i ? " " : "  ", begin->value[i].field->name);
		text_value(out, &begin->value[i]);
	}
	fclose(out);
	return need_memory(text);
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
		free(latency->worst[--at].text);
	for (; at && length(&latency->worst[at - 1].pair) < length(pair); at--)
		latency->worst[at] = latency->worst[at - 1];
	latency->worst[at] = (struct worst){ *pair, describe(latency, pair, event) };
}

/* Write the names of the columns. No two are the same, since readers find columns by name. */
static void put_head(const struct latency *latency)
{
	static const char *const names[] = { "begin", "end", "ns", "key", "begin_cpu", "end_cpu" };
	const char *by = latency->by;
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		printf("%s%s", i ? "," : "", names[i]);
	if (by) {
		putchar(',');
		for (i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (!strcmp(by, names[i]))
				fputs("by.", stdout);
		csv_text(stdout, by, strlen(by));
	}
	putchar('\n');
}

static void put_time(uint64_t time)
{
	printf("%" PRIu64 ".%09u", time / 1000000000, (unsigned int)(time % 1000000000));
}

/* --event and --where choose the events that begin: those that end often lack the field. */
static int choose(void *ctx, const struct event *event)
{
	struct latency *latency = ctx;

	if (!select_by_what(&latency->selection, event))
		return -1;
	return latency->groups && !latency->csv ? (int)groups_find(latency->groups, event) : 0;
}

static void put_row(const struct latency *latency, const struct pair *pair,
		    const struct event *event)
{
	put_time(pair->begin);
	putchar(',');
	put_time(pair->end);
	printf(",%" PRIu64 ",", length(pair));
	put_cell(latency, pair, event);
	printf(",%u,%u", pair->begin_cpu, pair->end_cpu);
	if (latency->by) {
		putchar(',');
		put_cell(latency, pair, NULL);
	}
	putchar('\n');
}

/* Read the values of a raw event. */
static const struct event *read_values(const struct event *raw)
{
	static struct event event;

	event.kind = raw->kind;
	event.record = raw->record;
	event.description = raw->description;
	event.cpu = raw->cpu;
	event.time = raw->time;
	record_values(&event, raw->record, raw->description);
	return &event;
}

static bool take_event(void *ctx, const struct event *raw)
{
	struct latency *latency = ctx;
	const struct event *event;
	struct pair pair;

	if (!pairs_take(latency->pairs, raw->kind))
		return true;
	event = read_values(raw);
	if (!pairs_event(latency->pairs, event, &pair) || pair.end < pair.begin)
		return true;
	latency->found = true;
	if (latency->csv) {
		put_row(latency, &pair, event);
		return !ferror(stdout);
	}
	if (latency->groups)
		histogram_add(&groups_get(latency->groups, pair.group)->histogram, length(&pair));
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
		put_head(latency);
	(void)info;
	return true;
}

static const struct trace_sink sink = {
	.begin = begin_trace, .event = take_event, .lost = take_loss, .gaps = true, .raw = true,
};

static const double percents[] = { 50, 95, 99 };

#define NR_PERCENTS	(sizeof(percents) / sizeof(*percents))

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
		printf(" [%03u]  key %s\n", pair->end_cpu, latency->worst[i].text);
	}
}

static int compare_groups(const void *a, const void *b)
{
	uint64_t one = (*(struct group *const *)a)->histogram.max;
	uint64_t other = (*(struct group *const *)b)->histogram.max;

	return (one < other) - (one > other);
}

/* Write a line for each group with a pair, that of the longest first. */
static void print_groups(const struct latency *latency)
{
	static const char *const heads[] = { "min", "p50", "p95", "p99", "max", "mean" };
	struct group *groups[MAX_GROUPS + 1];
	char texts[6][32];
	unsigned int nr = 0, n, i = 0;

	while ((groups[nr] = groups_get(latency->groups, i++)))
		nr += groups[nr]->histogram.count != 0;
	qsort(groups, nr, sizeof(*groups), compare_groups);
	printf("\n%-*s %10s", NAME_WIDTH, latency->by, "count");
	for (n = 0; n < 6; n++)
		printf(" %11s", heads[n]);
	putchar('\n');
	for (i = 0; i < nr; i++) {
		const struct histogram *of = &groups[i]->histogram;

		duration(of->min, texts[0]);
		for (n = 0; n < NR_PERCENTS; n++)
			duration(histogram_percentile(of, percents[n]), texts[1 + n]);
		duration(of->max, texts[4]);
		duration(of->sum / of->count, texts[5]);
		printf("%-*s %10" PRIu64, NAME_WIDTH, groups[i]->name, of->count);
		for (n = 0; n < 6; n++)
			printf(" %11s", texts[n]);
		putchar('\n');
	}
}

static void print(const struct latency *latency, const struct pairs_count *left)
{
	const struct histogram *histogram = &latency->histogram;
	char text[32];
	size_t i;

	printf("count %" PRIu64, histogram->count);
	if (histogram->count) {
		printf("   min %s", duration(histogram->min, text));
		for (i = 0; i < NR_PERCENTS; i++)
			printf("   p%.0f %s", percents[i],
			       duration(histogram_percentile(histogram, percents[i]), text));
		printf("   max %s", duration(histogram->max, text));
		printf("   mean %s", duration(histogram->sum / histogram->count, text));
	}
	printf("\nnot ended %" PRIu64 ", not begun %" PRIu64 ", left out for losses %" PRIu64 "\n",
	       left->unended, left->unbegun, left->lost);
	if (latency->groups)
		print_groups(latency);
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
	case 'b':
		latency->by = value;
		return STATUS_OK;
	case 'n':
		if (!number_parse(value, 0, MAX_WORST, &latency->max_worst))
			return usage_error("latency", "--worst is a number from 0 to %d", MAX_WORST);
		latency->has_worst = true;
		return STATUS_OK;
	case OPTION_CSV:
		latency->csv = true;
		return STATUS_OK;
	}
	return select_option(&latency->selection, "latency", option, value);
}

static int prepare(struct latency *latency, const char *begin, const char *end, const char *key)
{
	struct asked_names *names = &latency->selection.names;
	struct keys *by = &latency->by_keys, same;
	unsigned int i;

	latency->pairs = pairs_create(begin, end, key);
	if (!latency->pairs)
		return usage_error("latency", "--key is FIELD,... or FIELD,...:FIELD,..., up to %d and as many, not \"%s\"",
				   MAX_KEYS, key);
	latency->groups = latency->by ? groups_create(latency->by) : NULL;
	if (latency->by && !latency->groups)
		return usage_error("latency", "--by is FIELD,..., up to %d, not \"%s\"", MAX_KEYS,
				   latency->by);
	asked_names_add_pair(names, "", "--key: ", begin, end, key, true);
	keys_parse(latency->by, by, &same);	/* the names live on in @names */
	for (i = 0; i < by->nr; i++)
		asked_names_add(names, "--by: ", begin, by->name[i], true);
	/* if both are the same marker, --event and --where choose both ends */
	latency->selection.whole = strcmp(begin, end);
	if (latency->groups || latency->selection.match.nr || latency->selection.where)
		pairs_choose(latency->pairs, choose, latency);
	/* each row has its values of --by, as it has its key */
	if (latency->csv ? !!latency->by : latency->max_worst)
		pairs_keep(latency->pairs, true, latency->csv ? SIZE_MAX : MAX_KEPT);
	return STATUS_OK;
}

static void finish(struct latency *latency, char *const *markers, const char *key, int status)
{
	struct pairs_count left = pairs_end(latency->pairs);

	if (!latency->csv && (latency->begun || !status))
		print(latency, &left);
	else if (!latency->begun && !status)
		put_head(latency);
	if (latency->csv && latency->selection.whole)
		pairs_say_rest(latency->pairs, "");
	if (!key && !latency->found && left.unended && left.unbegun)
		say("no event %s follows an event %s of the same thread; --key FIELD finds pairs by a field",
		    markers[1], markers[0]);
	else if (!latency->selection.is_vain)
		pairs_say_doubts(latency->pairs, "", "--key");
	pairs_destroy(latency->pairs);
	if (latency->groups)
		groups_destroy(latency->groups);
	while (latency->nr_worst)
		free(latency->worst[--latency->nr_worst].text);
}

static int run(struct arguments *args)
{
	static struct latency latency = { .selection = SELECT_ALL, .max_worst = 10 };
	const char *value, *key = NULL;
	int option, status, i;

	while ((option = option_next(args, &value))) {
		status = parse(&latency, option, value, &key);
		if (status)
			return status;
	}
	if (latency.csv && latency.has_worst)
		return usage_error("latency", "--worst is for the text: --csv has a row for each pair");
	if (args->argc != 3)
		return usage_error("latency", "it needs a recording and two markers");
	for (i = 1; i < 3; i++)
		if (*args->argv[i] == '!' || !pattern_is_valid(args->argv[i]))
			return usage_error("latency", "\"%s\" is not a pattern: [module:]name",
					   args->argv[i]);
	status = prepare(&latency, args->argv[1], args->argv[2], key);
	if (status)
		return status;
	status = select_read(&latency.selection, args->argv[0], &sink, &latency);
	finish(&latency, args->argv + 1, key, status);
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
		"are: they often share a number that needs another field beside it. 1048576 may be open at\n"
		"a time; a line says how many more began.\n\n"
		"--by has a line for each value of a field or context of A, or of several:\n\n"
		"\tmarkers latency trace io_begin io_end --key dev,tag --by dev\n\n"
		"The list of the longest has the task and the fields of A, as far as those of the open ones\n"
		"fit in 16 MiB.\n\n"
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
