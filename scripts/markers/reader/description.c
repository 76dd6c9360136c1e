// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/kernel.h"

#include <markers/format/metadata.h>

#include "../base/message.h"
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
		    number >= 0 || number < -MAX_ERROR || description->error[-number])
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
 * The headers of packets and events, which come before the contexts. Return: whether they are
 * those of this version.
 */
static bool check_headers(const struct description *description, const struct block *stream)
{
	struct marker_metadata_env env = {
		.hostname = "", .kernel_release = "", .kernel_version = "",
		.clock_name = "", .clock_description = "",
	};
	struct text text = { };
	const char *ours, *end;
	bool same;

	memcpy(env.uuid, description->uuid, sizeof(env.uuid));
	marker_metadata_header(&(struct marker_metadata_out){ emit, &text }, &env);
	ours = strstr(text.at, "\nstream {\n");
	end = strstr(ours, "\n};\n");
	same = !strncmp(stream->begin, ours, end - ours + 1);
	free(text.at);
	return same;
}

static bool parse_stream(struct description *description, const char *text)
{
	struct block stream, contexts;

	if (!find_block(&stream, text, "\nstream {\n") || !check_headers(description, &stream))
		return false;
	contexts.begin = strstr(stream.begin, "\n\tevent.context := struct {\n");
	if (!contexts.begin || contexts.begin > stream.end)
		return true;
	contexts.begin++;
	contexts.end = strstr(contexts.begin, "\n\t};");
	return contexts.end && contexts_parse(description, contexts.begin, contexts.end);
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
static char *parse_event(struct description *description, const struct block *block)
{
	const char *id_text = find_value(block, "id");
	struct event_class class = { }, *place;
	char *name = find_string(block, "name"), *wrong = NULL;
	unsigned long id = id_text ? strtoul(id_text, NULL, 10) : MAX_ID;

	if (!*name || id >= MAX_ID)
		wrong = format_text("an event has no name or no number");
	else if (!find_format(description, block, id, name, &class))
		wrong = format_text("%s: its fields are not as this version of markers records them", name);
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
		wrong = parse_event(description, &block);
	return wrong;
}

struct description *description_parse(const char *text, char **wrong)
{
	struct description *new = need_memory(calloc(1, sizeof(*new)));

	new->contexts.name = "contexts";
	parse_env(new, text);
	parse_errors(new, text);
	*wrong = NULL;
	if (!parse_uuid(new, text))
		*wrong = format_text("there is no uuid");
	if (!*wrong && !parse_clock(new, text))
		*wrong = format_text("there is no clock with a frequency");
	if (!*wrong && !parse_stream(new, text))
		*wrong = format_text("its headers or contexts are not as this version of markers records them");
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
	for (i = 0; i < description->contexts.nr_fields; i++)
		free(description->contexts.field[i].name);
	free(description->contexts.field);
	free(description->class);
	free(description->host);
	free(description->release);
	free(description->clock);
	free(description);
}
