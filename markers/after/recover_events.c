// SPDX-License-Identifier: GPL-2.0
/*
 * The events that the metadata in the notes of a dead kernel describes: by title and format, and
 * believed if metadata.c writes the same of them.  Process context.
 */
#include <markers/base.h>
#include <markers/format/metadata.h>
#include "recover_internal.h"

#define EVENT_BEGINS	"\nevent {\n"	/* as marker_metadata_event() writes it */

/* It goes to a terminal as it is. */
static void clean_title(char *title)
{
	for (; *title; title++) {
		if (*title <= ' ' || *title >= '\x7f')
			*title = '?';
	}
}

/* Return: a copy, with its fields in use only; NULL: no memory. */
static struct marker_recovered_event *copy_event(const char *title,
						 const struct marker_format *format)
{
	struct marker_recovered_event *event;

	event = kmalloc(offsetof(struct marker_recovered_event, format) +
			marker_format_size(format), GFP_QUIET);
	if (!event)
		return NULL;
	event->title = title;
	marker_format_copy(&event->format, format);
	event->format.is_foreign = true;
	return event;
}

/* Go past @text. */
static bool skip_text(const char **at, const char *text)
{
	const size_t len = strlen(text);

	if (strncmp(*at, text, len))
		return false;
	*at += len;
	return true;
}

static void skip_line(const char **at)
{
	*at = strchrnul(*at, '\n');
	*at += **at == '\n';
}

static bool is_octal(const char *digits)
{
	return digits[0] >= '0' && digits[0] <= '3' && digits[1] >= '0' && digits[1] <= '7' &&
	       digits[2] >= '0' && digits[2] <= '7';
}

/* Go past a character, escaped or not.  Return: it; NUL: there is none. */
static char take_character(const char **at)
{
	const char *from = *at;

	if (!*from || *from == '\n')
		return '\0';
	if (*from != '\\') {
		*at += 1;
		return *from;
	}
	if (!is_octal(from + 1)) {
		*at += from[1] ? 2 : 1;
		return from[1];
	}
	*at += 4;
	return (from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0');
}

/* Go past the inside of a string.  Return: a copy without its escapes; NULL: it has no end. */
static char *take_string(struct recovery *r, const char **at)
{
	char *string = r->strings, *to = string;

	while (**at != '"') {
		*to = take_character(at);
		if (!*to++)
			return NULL;
	}
	*to = '\0';
	r->strings = to + 1;
	return string;
}

/* The rest of a text that is compared; NULL: it is another one. */
struct compared {
	const char *rest;
};

static void compare(void *ctx, const char *text, size_t len)
{
	struct compared *compared = ctx;

	if (!compared->rest)
		return;
	if (strncmp(compared->rest, text, len))
		compared->rest = NULL;
	else
		compared->rest += len;
}

/* Does this module describe an event of this format with the same words? */
static bool is_same(const struct recovery *r, const char *block, u32 id, const char *title)
{
	struct compared compared = { .rest = block };
	const struct marker_metadata_out out = { .emit = compare, .ctx = &compared };

	marker_metadata_event(&out, r->uuid, id, title, r->parsed);
	return compared.rest;
}

static bool is_ours(const struct recovery *r, const char *block, u32 id, const char *title)
{
	struct marker_format *format = r->parsed;
	const char *name = format->field[0].name;
	bool same = is_same(r, block, id, title);

	if (same || strcmp(format->text, CTF_NOTE_FORMAT))
		return same;
	format->field[0].name = CTF_NOTE_FIELD;
	same = is_same(r, block, id, title);
	format->field[0].name = name;
	return same;
}

/* One that this module would describe with other words is not known: it may be in no packet. */
static int read_event(struct recovery *r, const char *block)
{
	const u32 id = r->trace->nr_known++;
	struct marker_format_error error;
	const char *at = block, *format;
	char *title;

	title = skip_text(&at, EVENT_BEGINS "\tname = \"") ? take_string(r, &at) : NULL;
	skip_line(&at);
	skip_line(&at);		/* id */
	skip_line(&at);		/* stream_id */
	format = title && skip_text(&at, MARKER_METADATA_FORMAT) ? take_string(r, &at) : NULL;
	if (!format || marker_format_parse(r->parsed, format, &error) ||
	    !is_ours(r, block, id, title))
		return 0;
	clean_title(title);
	r->trace->known[id] = copy_event(title, r->parsed);
	return r->trace->known[id] ? 0 : -ENOMEM;
}

/* The next one at @at or behind it, or NULL.  (strstr() would measure all that follows.) */
static const char *find_event(const char *at)
{
	for (; (at = strchr(at, '\n')); at++) {
		if (!strncmp(at, EVENT_BEGINS, strlen(EVENT_BEGINS)))
			break;
	}
	return at;
}

size_t recover_count_events(const char *text)
{
	size_t nr = 0;

	for (; (text = find_event(text)); text++)
		nr++;
	return nr;
}

int marker_recover_events(struct recovery *r)
{
	struct marker_recovered *trace = r->trace;
	const char *at = find_event(trace->metadata) ?: "";
	int err = 0;

	r->parsed = kmalloc(sizeof(*r->parsed), GFP_QUIET);
	/* each string has a quote after it there */
	trace->strings = kvmalloc(strlen(at) + 1, GFP_QUIET);
	trace->known = kvzalloc(array_size(recover_count_events(at) + 1, sizeof(*trace->known)),
				GFP_QUIET);
	if (!r->parsed || !trace->strings || !trace->known)
		return -ENOMEM;
	r->strings = trace->strings;
	for (; !err && (at = find_event(at)); at++) {
		cond_resched();
		err = read_event(r, at);
	}
	return err;
}
