// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/kernel.h"

#include <markers/format/metadata.h>

#include "../base/message.h"
#include "../ctf/metadata.h"
#include "classes.h"
#include "description.h"

#define MAX_ID		(1u << 24)
#define FORMAT_LINE	"\n" MARKER_METADATA_FORMAT

/**
 * struct block - "HEAD {", the lines of it, and "};"
 * @begin: the newline before its first line
 * @end: the newline after its last line
 */
struct block {
	const char *begin;
	const char *end;
};

/* Find the next block that begins with the line @head at @from or behind it. */
static bool find_block(struct block *block, const char *from, const char *head)
{
	block->begin = strstr(from, head);
	if (!block->begin)
		return false;
	block->end = strstr(block->begin, "\n};");
	return block->end;
}

/* Find the value of the line "KEY = VALUE;" in a block. */
static const char *find_value(const struct block *block, const char *key)
{
	const char *line = block->begin;
	size_t len = strlen(key);

	while ((line = memchr(line, '\n', block->end - line))) {
		line++;
		if (line[0] == '\t' && !strncmp(line + 1, key, len) &&
		    !strncmp(line + 1 + len, " = ", 3))
			return line + 1 + len + 3;
	}
	return NULL;
}

/* @text is what follows the opening quote. Return: the string, to be freed. */
static char *unescape(const char *text)
{
	size_t size = strcspn(text, "\n") + 1;
	char *string = need_memory(malloc(size)), *to = string;

	for (; *text && *text != '"' && *text != '\n'; text++) {
		if (*text != '\\') {
			*to++ = *text;
		} else if (strspn(text + 1, "01234567") >= 3) {
			*to++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 3;
		} else if (text[1] && text[1] != '\n') {
			*to++ = *++text;
		}
	}
	*to = '\0';
	return string;
}

/* Return: the string of the line 'KEY = "STRING";', or an empty one; to be freed. */
static char *find_string(const struct block *block, const char *key)
{
	const char *value = find_value(block, key);

	return unescape(value && *value == '"' ? value + 1 : "");
}

static bool parse_uuid(struct description *description, const char *text)
{
	struct block trace;
	const char *at;
	unsigned int i, byte;

	at = find_block(&trace, text, "\ntrace {\n") ? find_value(&trace, "uuid") : NULL;
	if (!at || *at++ != '"')
		return false;
	for (i = 0; i < CTF_UUID_SIZE; i++) {
		if (sscanf(at, "%2x", &byte) != 1)
			return false;
		description->uuid[i] = byte;
		at += 2;
		at += *at == '-';
	}
	return true;
}

static void parse_env(struct description *description, const char *text)
{
	struct block env;

	if (!find_block(&env, text, "\nenv {\n"))
		env.begin = env.end = "";
	description->host = find_string(&env, "hostname");
	description->release = find_string(&env, "kernel_release");
}

static bool parse_clock(struct description *description, const char *text)
{
	const char *frequency, *seconds, *ticks;
	const uint64_t second = 1000000000;
	struct block clock;
	uint64_t offset;

	if (!find_block(&clock, text, "\nclock {\n"))
		return false;
	frequency = find_value(&clock, "freq");
	seconds = find_value(&clock, "offset_s");
	ticks = find_value(&clock, "offset");
	description->clock = find_string(&clock, "description");
	description->frequency = frequency ? strtoull(frequency, NULL, 10) : 0;
	if (!description->frequency)
		return false;
	offset = ticks ? strtoull(ticks, NULL, 10) : 0;
	offset = offset / description->frequency * second +
		 (uint64_t)((double)(offset % description->frequency) / description->frequency * second);
	description->offset = (seconds ? strtoull(seconds, NULL, 10) : 0) * second + offset;
	return true;
}

/* Names are written as they are, into JSON and tables, too. */
static bool has_plain_name(const char *name)
{
	while (*name > ' ' && *name < 0x7f && !strchr("\"\\,", *name))
		name++;
	return !*name;
}

/* The lines '	"ENOENT" = -2,' of the type of errors. */
static void parse_errors(struct description *description, const char *text)
{
	struct block errors;
	const char *line;
	char name[32];
	long number;

	if (!find_block(&errors, text, "\nenum error_t : int64_t {\n"))
		return;
	for (line = errors.begin + 1; (line = memchr(line, '\n', errors.end - line)); line++) {
		if (sscanf(line, "\n\t\"%31[^\"]\" = %ld", name, &number) != 2 ||
		    number >= 0 || number < -MAX_ERROR || description->error[-number] ||
		    !has_plain_name(name))
			continue;
		description->error[-number] = need_memory(strdup(name));
	}
}

/*
 * The text that the module writes
 */
struct text {
	char *at;
	size_t size;
	size_t room;
};

static void emit(void *ctx, const char *bytes, size_t nr)
{
	struct text *text = ctx;

	if (text->size + nr + 1 > text->room) {
		text->room = 2 * (text->size + nr + 1);
		text->at = need_memory(realloc(text->at, text->room));
	}
	memcpy(text->at + text->size, bytes, nr);
	text->size += nr;
	text->at[text->size] = '\0';
}

/*
 * The head: all before the events. The module writes it again, and both are compared, but for what
 * a trace says of itself: the names of errors, the environment, the clock and the contexts.
 */

/* Return: whether the text goes on with these bytes; it moves behind those that are the same. */
static bool skip_same(const char **at, const char *ours, size_t size)
{
	for (; size && **at == *ours; size--, ours++)
		++*at;
	return !size;
}

static bool skip_block(const char **at, const char *head)
{
	const char *end;

	if (!skip_same(at, head, strlen(head)))
		return false;
	end = strstr(*at, "};\n");
	if (end)
		*at = end + strlen("};\n");
	else
		*at += strlen(*at);
	return end;
}

/* Older versions had no numbers of three bytes, and none of them is in their contexts. */
static bool skip_integers(const char **at, const char *ours, const char *end)
{
	const char *next, *line, *name;

	for (; ours < end; ours = next) {
		next = strchr(ours, '\n') + 1;
		name = memmem(ours, next - ours, ":= int24_t;", strlen(":= int24_t;"));
		line = *at;
		if (skip_same(at, ours, next - ours))
			continue;
		if (!name)
			return false;
		*at = line;
	}
	return true;
}

/* Is it the text up to the contexts? @at moves there, or to what is not the same. */
static bool skip_head(const char **at, const char *ours)
{
	static const char enumeration[] = "enum error_t : int64_t {";
	const char *integers = strstr(ours, "typealias "), *errors = strstr(ours, enumeration);
	const char *trace = strstr(ours, "\ntrace {\n"), *env = strstr(trace, "\nenv {\n");
	const char *types = strstr(strstr(env, "\nclock {\n"), "\n};\n") + strlen("\n};\n");
	const char *end = strstr(strstr(types, "\nstream {\n"), "\n};\n") + 1;
	const char *begin = strstr(*at, "typealias ");

	*at = begin ?: *at;
	return begin && skip_integers(at, integers, errors) &&
	       (strncmp(*at, "enum ", strlen("enum ")) || skip_block(at, enumeration)) &&
	       skip_same(at, trace, env - trace) && skip_block(at, "\nenv {\n") &&
	       skip_block(at, "\nclock {\n") && skip_same(at, types, end - types);
}

/* Return: NULL, and @at moves to the contexts; or what is not as in the module's text. */
static const char *check_head(const struct description *description, const char **at)
{
	struct marker_metadata_env env = {
		.hostname = "", .kernel_release = "", .kernel_version = "", .clock_description = "",
	};
	struct text text = { };
	struct block clock;
	const char *name;
	char *clock_name;
	bool same;

	name = find_block(&clock, *at, "\nclock {\n") ? find_value(&clock, "name") : NULL;
	clock_name = need_memory(strndup(name ?: "", name ? strcspn(name, ";\n") : 0));
	env.clock_name = clock_name;
	memcpy(env.uuid, description->uuid, sizeof(env.uuid));
	marker_metadata_header(&(struct marker_metadata_out){ emit, &text }, &env);
	same = skip_head(at, text.at);
	free(text.at);
	free(clock_name);
	return same ? NULL : *at;
}

/* Return: NULL; or the place in the head that is not as this version records it. */
static const char *parse_head(struct description *description, const char *text)
{
	static const char head[] = "\tevent.context := struct {\n", tail[] = "\n\t};\n";
	const char *at = text, *wrong = check_head(description, &at), *end;

	if (wrong)
		return wrong;
	if (!strncmp(at, head, strlen(head))) {
		end = strstr(at, tail);
		if (!end)
			return at + strlen(at);
		wrong = contexts_parse(description, at, end);
		if (wrong)
			return wrong;
		at = end + strlen(tail);
	}
	return skip_same(&at, "};\n", strlen("};\n")) ? NULL : at;
}

/*
 * What is wrong
 */
#define NEWER	"; a newer markers may read it"

/* Return: what is wrong with the head at @at, to be freed. */
static char *wrong_head(const char *text, const char *at)
{
	if (!*at)
		return format_text("it is cut off at byte %zu", (size_t)(at - text));
	return format_text("line %u: its headers or contexts are not as this version of markers records them" NEWER,
			   metadata_line(text, at));
}

/* Return: what is wrong with a block, to be freed. */
static char *wrong_block(const char *text, const char *head, const char *wrong)
{
	struct block block;

	return find_block(&block, text, head) ?
	       format_text("line %u: %s", metadata_line(text, block.begin + 1), wrong) :
	       format_text("%s", wrong);
}

/*
 * Events
 */

/* Take the line of the format out. */
static void drop_format(char *text)
{
	char *line = strstr(text, FORMAT_LINE), *rest = line ? strchr(line + 1, '\n') : NULL;

	if (rest)
		memmove(line, rest, strlen(rest) + 1);
}

/* Does the module write the same of an event? Without words, but for the line of the format. */
static bool is_same(const struct description *description, const struct block *block, uint32_t id,
		    const char *name, const struct event_class *class)
{
	char *theirs = need_memory(strndup(block->begin, block->end + strlen("\n};\n") - block->begin));
	struct text ours = { };
	bool same;

	marker_metadata_event(&(struct marker_metadata_out){ emit, &ours }, description->uuid, id,
			      name, class->format);
	if (!class->has_words) {
		drop_format(theirs);
		drop_format(ours.at);
	}
	same = !strcmp(theirs, ours.at);
	free(theirs);
	free(ours.at);
	return same;
}

static bool parse_format(struct event_class *class)
{
	struct marker_format_error error;
	unsigned int i;

	class->format = need_memory(calloc(1, sizeof(*class->format)));
	if (marker_format_parse(class->format, class->text, &error))
		return false;
	for (i = 0; i < class->format->nr_fields && !class->has_words; i++)
		if (class->format->field[i].type == MARKER_FIELD_SEQUENCE)
			class->format->field[i].max = MARKER_MAX_BITMAP;
	return true;
}

static void free_class(struct event_class *class)
{
	free(class->format);
	free(class->text);
	*class = (struct event_class){ };
}

/* Find the format of an event. Return: whether this version records the same. */
static bool find_format(const struct description *description, const struct block *block,
			uint32_t id, const char *name, struct event_class *class)
{
	const char *comment = memmem(block->begin, block->end - block->begin, FORMAT_LINE,
				     strlen(FORMAT_LINE));

	if (comment) {
		class->text = unescape(comment + strlen(FORMAT_LINE));
		class->has_words = true;
		if (parse_format(class) && is_same(description, block, id, name, class))
			return true;
		free_class(class);
	}
	class->text = class_format(block->begin, block->end);
	return class->text && parse_format(class) && is_same(description, block, id, name, class);
}

static struct event_class *add_class(struct description *description, uint32_t id)
{
	if (id >= description->nr_classes) {
		description->class = need_memory(realloc(description->class,
							 (id + 1) * sizeof(*description->class)));
		memset(description->class + description->nr_classes, 0,
		       (id + 1 - description->nr_classes) * sizeof(*description->class));
		description->nr_classes = id + 1;
	}
	return &description->class[id];
}

/* Return: NULL; or what is wrong with the event, to be freed. */
static char *parse_event(struct description *description, const char *text, const struct block *block)
{
	const char *id_text = find_value(block, "id");
	struct event_class class = { }, *place;
	char *name = find_string(block, "name"), *wrong = NULL;
	unsigned long id = id_text ? strtoul(id_text, NULL, 10) : MAX_ID;

	if (!*name || id >= MAX_ID)
		wrong = format_text("line %u: an event has no name or no number",
				    metadata_line(text, block->begin + 1));
	else if (!has_plain_name(name))
		wrong = format_text("line %u: an event has a name that no marker can have",
				    metadata_line(text, block->begin + 1));
	else if (!find_format(description, block, id, name, &class))
		wrong = format_text("line %u: %s: its fields are not as this version of markers records them" NEWER,
				    metadata_line(text, block->begin + 1), name);
	if (wrong) {
		free_class(&class);
		free(name);
		return wrong;
	}
	place = add_class(description, id);
	if (place->kind) {
		kind_free(place->kind);
		free_class(place);
	}
	class.kind = class_kind(name, class.format);
	*place = class;
	free(name);
	return NULL;
}

static char *parse_events(struct description *description, const char *text)
{
	struct block block;
	char *wrong = NULL;

	for (block.end = text; !wrong && find_block(&block, block.end, "\nevent {\n");)
		wrong = parse_event(description, text, &block);
	return wrong;
}

struct description *description_parse(const char *text, char **wrong)
{
	struct description *new = need_memory(calloc(1, sizeof(*new)));
	const char *at;

	new->contexts.name = "contexts";
	new->contexts.name_size = strlen(new->contexts.name);
	parse_env(new, text);
	parse_errors(new, text);
	*wrong = NULL;
	if (!parse_uuid(new, text))
		*wrong = wrong_block(text, "\ntrace {\n", "there is no uuid");
	if (!*wrong && !parse_clock(new, text))
		*wrong = wrong_block(text, "\nclock {\n", "there is no clock with a frequency");
	at = *wrong ? NULL : parse_head(new, text);
	if (at)
		*wrong = wrong_head(text, at);
	if (!*wrong)
		*wrong = parse_events(new, text);
	if (!*wrong)
		return new;
	description_free(new);
	return NULL;
}

void description_free(struct description *description)
{
	unsigned int i;

	if (!description)
		return;
	for (i = 0; i < description->nr_classes; i++) {
		kind_free(description->class[i].kind);
		free_class(&description->class[i]);
	}
	for (i = 0; i <= MAX_ERROR; i++)
		free(description->error[i]);
	kind_free_fields(&description->contexts);
	free(description->class);
	free(description->host);
	free(description->release);
	free(description->clock);
	free(description);
}
