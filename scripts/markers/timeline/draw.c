// SPDX-License-Identifier: GPL-2.0
/*
 * An event is drawn by its own fields, by --counter, and by --pair. An event to which none of
 * these applies is an instant. Its own fields follow Perfetto's convention for events of the
 * kernel: track_event_type (B, E, I or C), slice_name, counter_value, track_name, scope_*.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../events/kind_set.h"
#include "../events/text.h"
#include "../pairs/pairs.h"
#include "draw.h"
#include "names.h"

#define SCOPE		"scope_"

/**
 * struct draw_rule - one --pair or --counter
 * @pairs: the pairs of --pair, or NULL
 * @marker: pattern of the markers that begin a pair, or that have the counter
 * @match: matches kinds of events with @marker
 * @end: pattern of the markers that end a pair
 * @key: the key of --pair, or NULL
 * @title: the name of a row of its pairs
 * @lane: which field of its key divides the lanes; -1: none does
 * @row: the row that was used last, or NULL
 * @field: the field of --counter
 * @by: each combination of the values of these fields has a counter of its own
 */
struct draw_rule {
	struct pairs *pairs;
	char *marker;
	struct kind_set match;
	char *end;
	char *key;
	char *title;
	int lane;
	struct track *row;
	char *field;
	struct keys by;
};

/**
 * struct own - which fields of a kind of event say how it is drawn; -1: it has no such field
 * @type: track_event_type
 * @name: slice_name
 * @counter: counter_value
 * @track: track_name
 * @scope: the first scope_ANYTHING
 */
struct own {
	int type;
	int name;
	int counter;
	int track;
	int scope;
};

enum lanes { LANES_TASK, LANES_CPU, LANES_FIELD };

/**
 * struct draw - what is drawn
 * @drawing: the format
 * @out: its output file
 * @info: the trace
 * @tracks: the rows
 * @own: by the number of a kind of event
 * @nr_open: slices that events with fields of their own began, and that are open
 * @lanes: --lanes
 * @lane_of: what it asks for
 * @lane_field: where its field was
 * @tid: where this context was
 * @pid: the same
 * @procname: the same
 * @nr_rules: number of @rule
 * @rule: --pair and --counter
 */
struct draw {
	const struct drawing *drawing;
	FILE *out;
	const struct trace_info *info;
	struct tracks *tracks;
	struct own *own;
	uint64_t nr_open;
	const char *lanes;
	enum lanes lane_of;
	struct value_place lane_field;
	struct value_place tid, pid, procname;
	unsigned int nr_rules;
	struct draw_rule rule[MAX_RULES];
};

struct draw *draw_create(void)
{
	struct draw *draw = need_memory(calloc(1, sizeof(*draw)));

	draw->lanes = "task";
	return draw;
}

static int find_scope(const struct kind *kind)
{
	unsigned int i;

	for (i = 0; i < kind->nr_fields; i++)
		if (!strncmp(kind->field[i].name, SCOPE, strlen(SCOPE)))
			return i;
	return -1;
}

static struct own own_of(const struct kind *kind)
{
	return (struct own){
		.type = kind_find_field(kind, "track_event_type"),
		.name = kind_find_field(kind, "slice_name"),
		.counter = kind_find_field(kind, "counter_value"),
		.track = kind_find_field(kind, "track_name"),
		.scope = find_scope(kind),
	};
}

/* A pair has a lane if its key has what divides the lanes. */
static void choose_lanes(struct draw *draw)
{
	struct draw_rule *rule = draw->rule, *end = rule + draw->nr_rules;

	draw->lane_of = !strcmp(draw->lanes, "task") ? LANES_TASK :
			!strcmp(draw->lanes, "cpu") ? LANES_CPU : LANES_FIELD;
	for (; rule < end; rule++)
		if (rule->pairs)
			rule->lane = pairs_find_key(rule->pairs, draw->lane_of == LANES_TASK ? "tid" :
						    draw->lanes);
}

void draw_begin(struct draw *draw, const struct drawing *drawing, FILE *out,
		const struct trace_info *info)
{
	unsigned int i;

	draw->drawing = drawing;
	draw->out = out;
	draw->info = info;
	draw->tracks = tracks_create(drawing, out);
	draw->own = need_memory(calloc(info->nr_kinds + 1, sizeof(*draw->own)));
	for (i = 0; i < info->nr_kinds; i++)
		draw->own[i] = own_of(info->kind[i]);
	choose_lanes(draw);
	drawing->begin(out, info);
}

void draw_destroy(struct draw *draw)
{
	unsigned int i;

	for (i = 0; i < draw->nr_rules; i++) {
		if (draw->rule[i].pairs)
			pairs_destroy(draw->rule[i].pairs);
		kind_set_free(&draw->rule[i].match);
		free(draw->rule[i].marker);
		free(draw->rule[i].end);
		free(draw->rule[i].key);
		free(draw->rule[i].title);
		free(draw->rule[i].field);
		keys_free(&draw->rule[i].by);
	}
	if (draw->tracks)
		tracks_destroy(draw->tracks);
	free(draw->own);
	free(draw);
}

/* Turn "MODULE/NAME" into "MODULE:NAME". In the option, colons separate the parts. */
static char *take_pattern(const char *text, size_t size)
{
	char *pattern = need_memory(strndup(text, size)), *slash = strchr(pattern, '/');

	if (slash)
		*slash = ':';
	return pattern;
}

bool draw_is_full(const struct draw *draw)
{
	return draw->nr_rules == MAX_RULES;
}

bool draw_pair(struct draw *draw, const char *text)
{
	struct draw_rule *rule = &draw->rule[draw->nr_rules];
	size_t begin = strcspn(text, ":"), end;
	const char *key;

	if (!begin || !text[begin] || *text == '!')
		return false;
	end = strcspn(text + begin + 1, ":");
	if (!end || text[begin + 1] == '!')
		return false;
	key = text + begin + 1 + end;
	rule->key = *key ? need_memory(strdup(key + 1)) : NULL;
	rule->marker = take_pattern(text, begin);
	rule->end = take_pattern(text + begin + 1, end);
	rule->title = format_text("%s to %s", rule->marker, rule->end);
	kind_set_add(&rule->match, rule->marker);
	draw->nr_rules++;
	rule->pairs = pairs_create(rule->marker, rule->end, rule->key);
	if (rule->pairs)
		pairs_keep(rule->pairs, false, MAX_KEPT);
	return rule->pairs;
}

bool draw_counter(struct draw *draw, const char *text)
{
	struct draw_rule *rule = &draw->rule[draw->nr_rules];
	size_t size = strcspn(text, ":"), end;
	struct keys same;
	const char *by;
	bool good;

	if (!size || !text[size] || *text == '!')
		return false;
	end = strcspn(text + size + 1, ":");
	by = text[size + 1 + end] ? text + size + 1 + end + 1 : NULL;
	if (!end || (by && strchr(by, ':')))
		return false;
	rule->marker = take_pattern(text, size);
	kind_set_add(&rule->match, rule->marker);
	rule->field = need_memory(strndup(text + size + 1, end));
	draw->nr_rules++;
	good = keys_parse(by, &rule->by, &same);
	keys_free(&same);
	return good;
}

void draw_lanes(struct draw *draw, const char *lanes)
{
	draw->lanes = lanes;
}

void draw_add_names(const struct draw *draw, struct asked_names *names)
{
	const struct draw_rule *rule = draw->rule, *end = rule + draw->nr_rules;
	unsigned int i;

	for (; rule < end; rule++) {
		if (rule->pairs) {
			asked_names_add_pair(names, "--pair: ", "--pair: ", rule->marker, rule->end, rule->key,
				       true);
			continue;
		}
		asked_names_add(names, "--counter: ", rule->marker, NULL, true);
		asked_names_add(names, "--counter: ", rule->marker, rule->field, true);
		for (i = 0; i < rule->by.nr; i++)
			asked_names_add(names, "--counter: ", rule->marker, rule->by.name[i], true);
	}
	if (strcmp(draw->lanes, "task"))
		asked_names_add(names, "--lanes: ", NULL, draw->lanes, true);
}

static bool is_number(const struct field *field)
{
	return field->type == VALUE_SIGNED || field->type == VALUE_UNSIGNED;
}

static bool has_number(const struct kind *kind, const char *name)
{
	int i = kind_find_field(kind, name);

	return i >= 0 && is_number(&kind->field[i]);
}

/* Is the field a number in one of the markers? A field hides a context of its name. */
static bool is_counter(struct draw_rule *rule, const struct trace_info *info)
{
	unsigned int i;

	for (i = 0; i < info->nr_kinds; i++) {
		const struct kind *kind = info->kind[i];

		if (kind_set_has(&rule->match, kind) &&
		    has_number(kind_has_field(kind, rule->field) ? kind : &info->contexts, rule->field))
			return true;
	}
	say("--counter %s:%s: %s is no number", rule->marker, rule->field, rule->field);
	return false;
}

bool draw_end(struct draw *draw)
{
	struct draw_rule *rule = draw->rule, *end = rule + draw->nr_rules;
	bool good = true;
	char *where;

	for (; rule < end; rule++) {
		if (!rule->pairs) {
			good &= is_counter(rule, draw->info);
			continue;
		}
		where = format_text("--pair %s:%s: ", rule->marker, rule->end);
		pairs_end(rule->pairs);
		pairs_say_rest(rule->pairs, where);
		pairs_say_doubts(rule->pairs, where, "KEY");
		free(where);
	}
	if (tracks_nr_overlaps(draw->tracks))
		say("%" PRIu64 " slices overlap others in the last of %u rows",
		    tracks_nr_overlaps(draw->tracks), MAX_ROWS);
	return good;
}

static struct track *thread_track(struct draw *draw, const struct event *event)
{
	const struct value *tid = place_context(&draw->tid, event, "tid"), *pid, *procname;
	char name[NAME_SIZE];

	/* Each CPU has an idle task of its own, and all of them have tid 0. */
	if (!tid || !tid->number)
		return tracks_get_cpu(draw->tracks, event->cpu);
	pid = place_context(&draw->pid, event, "pid");
	procname = place_context(&draw->procname, event, "procname");
	*name = '\0';
	if (procname)
		name_of(procname, name);
	return tracks_get(draw->tracks, TRACK_THREAD, tid->number, pid ? pid->number : 0, name);
}

static struct track *named_track(struct draw *draw, const char *what,
				       const struct value *value)
{
	char of[NAME_SIZE], name[2 * NAME_SIZE];
	size_t at = name_add_word(name, 0, sizeof(name), what);

	name_of(value, of);
	name_add(name, at, sizeof(name), of);
	return tracks_get(draw->tracks, TRACK_NAMED, 0, 0, name);
}

static struct track *lane(struct draw *draw, const struct event *event)
{
	const struct value *value;

	if (draw->lane_of == LANES_CPU)
		return tracks_get_cpu(draw->tracks, event->cpu);
	value = draw->lane_of == LANES_FIELD ? place_value(&draw->lane_field, event, draw->lanes) : NULL;
	return value ? named_track(draw, draw->lanes, value) : thread_track(draw, event);
}

/* Return: a value for struct own; NULL if there is none. */
static const struct value *own_value(const struct event *event, int i)
{
	return i >= 0 && (unsigned int)i < event->nr_values ? &event->value[i] : NULL;
}

/* Write the name of a row of a scope, such as "flush queue 4". */
static void name_scope(const char *name, const struct value *found, char text[3 * NAME_SIZE])
{
	const size_t room = 3 * NAME_SIZE;
	size_t at = name_add_word(text, 0, room, name);
	char of[NAME_SIZE];

	name_of(found, of);
	at = name_add_word(text, at, room, found->field->name + strlen(SCOPE));
	name_add(text, at, room, of);
}

/*
 * The track that an event asks for. Slices nest only within a thread, so a name without a scope
 * is a track of the thread.
 */
static struct track *scope(struct draw *draw, const struct event *event)
{
	const struct own *own = &draw->own[event->kind->number];
	const struct value *track_name = own_value(event, own->track);
	const struct value *found = own_value(event, own->scope), *tid;
	char name[NAME_SIZE], whole[3 * NAME_SIZE];

	if (!track_name || track_name->field->type != VALUE_TEXT) {
		if (found && !strcmp(found->field->name, SCOPE "cpu"))
			return tracks_get_cpu(draw->tracks, found->number);
		return found ? named_track(draw, found->field->name + strlen(SCOPE), found) :
		       thread_track(draw, event);
	}
	name_of(track_name, name);
	tid = place_context(&draw->tid, event, "tid");
	if (found)
		name_scope(name, found, whole);
	else if (tid && tid->number)
		snprintf(whole, sizeof(whole), "%s tid %" PRId64, name, (int64_t)tid->number);
	else
		snprintf(whole, sizeof(whole), "%s cpu %u", name, event->cpu);
	return tracks_get(draw->tracks, TRACK_NAMED, 0, 0, whole);
}

static void put(struct draw *draw, const struct track *track, enum mark mark, uint64_t time,
		const char *name, const struct event *event, const struct value *counter)
{
	draw->drawing->mark(draw->out, track, mark, time, name, event, counter);
}

static void put_begin(struct draw *draw, const struct event *event, const char *name)
{
	struct track *track = scope(draw, event);

	track_open(track, name, event);
	track->marked = event->time;
	draw->nr_open++;
	put(draw, track, MARK_BEGIN, event->time, name, event, NULL);
}

static void put_end(struct draw *draw, const struct event *event)
{
	struct track *track = scope(draw, event);
	struct open_slice slice;

	if (!track_close(track, &slice))
		return;		/* its begin is before --begin, or lost */
	track->marked = event->time;
	draw->nr_open--;
	draw->drawing->close(draw->out, track, &slice, event);
	track_free(&slice);
}

/* End what is open at this time, as its end may be lost; but not before what its track already has. */
static void end_slices(struct draw *draw, uint64_t time)
{
	static struct event end;	/* without fields */
	struct open_slice slice;
	struct track *track;
	size_t at = 0;

	while (draw->nr_open && (track = tracks_find_open(draw->tracks, &at))) {
		end.time = time > track->marked ? time : track->marked;
		track_close(track, &slice);
		draw->nr_open--;
		draw->drawing->close(draw->out, track, &slice, &end);
		track_free(&slice);
	}
}

static void put_counter(struct draw *draw, const struct event *event, const char *name,
			const struct value *value)
{
	struct track *track = tracks_get(draw->tracks, TRACK_COUNTER, 0, 0, name);

	put(draw, track, MARK_COUNTER, event->time, NULL, NULL, value);
}

/* A counter by its own fields. Each scope has one, but not each thread. */
static bool put_own_counter(struct draw *draw, const struct event *event, const char *marker)
{
	const struct own *own = &draw->own[event->kind->number];
	const struct value *counter = own_value(event, own->counter), *track_name, *found;
	char name[NAME_SIZE], whole[3 * NAME_SIZE];

	if (!counter || !is_number(counter->field))
		return false;
	track_name = own_value(event, own->track);
	if (track_name)
		name_of(track_name, name);
	else
		name_add(name, 0, sizeof(name), marker);
	found = own_value(event, own->scope);
	if (found)
		name_scope(name, found, whole);
	put_counter(draw, event, found ? whole : name, counter);
	return true;
}

/* Draw an event by its own fields. Return: false if it has none for that. */
static bool draw_itself(struct draw *draw, const struct event *event)
{
	const struct own *own = &draw->own[event->kind->number];
	const struct value *type = own_value(event, own->type), *name;
	char text[NAME_SIZE];

	if (!type)
		return put_own_counter(draw, event, event->kind->marker);
	if (type->field->type != VALUE_TEXT || type->size != 1)
		return false;
	name = own_value(event, own->name);
	if (name)
		name_of(name, text);
	else
		name_add(text, 0, sizeof(text), event->kind->marker);
	switch (*type->text) {
	case 'B':
		put_begin(draw, event, text);
		return true;
	case 'E':
		put_end(draw, event);
		return true;
	case 'I':
		put(draw, scope(draw, event), MARK_INSTANT, event->time, text, event, NULL);
		return true;
	case 'C':
		return put_own_counter(draw, event, text);
	}
	return false;
}

/* The lane of a pair; NULL if it has none. */
static struct track *pair_lane(struct draw *draw, const struct draw_rule *rule,
			       const struct event *event)
{
	const struct value *value;

	if (rule->lane < 0)
		return NULL;
	if (draw->lane_of != LANES_FIELD)
		return lane(draw, event);
	value = keys_value(pairs_key(rule->pairs), rule->lane, event);	/* END may have another name for it */
	return value ? named_track(draw, draw->lanes, value) : NULL;
}

/* The track for a pair: its lane, if no slice overlaps there. Otherwise a row below it. */
static struct track *pair_track(struct draw *draw, struct draw_rule *rule,
				const struct event *event, const struct pair *pair)
{
	struct track *track = pair_lane(draw, rule, event);

	if (track && track_take(track, pair->begin, pair->end))
		return track;
	if (!rule->row || rule->row->lane != track)
		rule->row = tracks_get_row(draw->tracks, track, rule->title);
	return tracks_take_row(draw->tracks, rule->row, pair->begin, pair->end);
}

static bool draw_pair_event(struct draw *draw, struct draw_rule *rule,
			    const struct event *event)
{
	struct pair pair;

	/* in a stream that is not in order, one may end before it begins */
	if (pairs_event(rule->pairs, event, &pair) && pair.end >= pair.begin) {
		draw->drawing->slice(draw->out, pair_track(draw, rule, event, &pair), rule->marker,
				     &pair, event);
		return true;
	}
	return kind_set_has(&rule->match, event->kind);
}

/* Write the name of a counter: "MARKER FIELD", and the fields by which it is divided. */
static void name_counter(const struct draw_rule *rule, const struct event *event,
			 char text[MAX_KEYS * 3 * NAME_SIZE])
{
	size_t room = MAX_KEYS * 3 * NAME_SIZE, at;
	char of[NAME_SIZE];
	unsigned int i;

	at = name_add_word(text, 0, room, event->kind->marker);
	at = name_add(text, at, room, rule->field);
	for (i = 0; i < rule->by.nr; i++) {
		const struct value *value = keys_value(&rule->by, i, event);

		if (value)
			name_of(value, of);
		else
			name_of_number(event->cpu, of);
		at = name_add(text, at, room, " ");
		at = name_add_word(text, at, room, rule->by.name[i]);
		at = name_add(text, at, room, of);
	}
}

static bool draw_counter_event(struct draw *draw, struct draw_rule *rule,
			       const struct event *event)
{
	char name[MAX_KEYS * 3 * NAME_SIZE];
	const struct value *value;
	struct key key;

	if (!kind_set_has(&rule->match, event->kind))
		return false;
	value = event_value(event, rule->field);
	if (!value || !is_number(value->field) || !keys_read(&rule->by, event, &key))
		return false;
	name_counter(rule, event, name);
	put_counter(draw, event, name, value);
	return true;
}

void draw_event(struct draw *draw, const struct event *event, bool is_shown)
{
	const struct own *own = &draw->own[event->kind->number];
	bool has_own = own->type >= 0 || own->counter >= 0;
	bool drawn = is_shown || (has_own && draw_itself(draw, event));
	unsigned int i;

	for (i = 0; i < draw->nr_rules; i++)
		drawn |= draw->rule[i].pairs ? draw_pair_event(draw, &draw->rule[i], event) :
			 draw_counter_event(draw, &draw->rule[i], event);
	if (!drawn)
		put(draw, lane(draw, event), MARK_INSTANT, event->time, event->kind->marker,
		    event, NULL);
}

void draw_loss(struct draw *draw, const struct loss *loss)
{
	char name[NAME_SIZE];
	unsigned int i;

	snprintf(name, sizeof(name), "lost %" PRIu64 " events", loss->count);
	end_slices(draw, loss->begin);
	put(draw, tracks_get_cpu(draw->tracks, loss->cpu), MARK_INSTANT, loss->end, name, NULL, NULL);
	for (i = 0; i < draw->nr_rules; i++)
		if (draw->rule[i].pairs)
			pairs_loss(draw->rule[i].pairs);
}
