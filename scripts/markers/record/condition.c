// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/number.h"
#include "../control/control.h"
#include "../control/marker_names.h"
#include "condition.h"

#define BLANKS " \t"

/* "NAME > DURATION" */
static bool parse_latency(struct condition *condition, const char *text)
{
	size_t size;

	text += strspn(text, BLANKS);
	size = strcspn(text, BLANKS ">");
	condition->word = need_memory(strndup(text, size));
	text += size;
	text += strspn(text, BLANKS);
	if (!size || *text++ != '>')
		return false;
	text += strspn(text, BLANKS);
	condition->kind = CONDITION_LATENCY;
	return duration_parse(text, &condition->ns);
}

/* One pattern, with a filter or with its module. */
static bool parse_marker(struct condition *condition, const char *text)
{
	const char *at = text;
	struct word word, other;

	condition->kind = CONDITION_MARKER;
	return word_next(&at, &word) && *word.text != '!' && word.size == word.name &&
	       (word.filter_size || memchr(word.text, ':', word.name)) && !word_next(&at, &other);
}

/* A text as /dev/kmsg shows it. */
static char *kmsg_text(const char *text)
{
	char *shown = need_memory(malloc(4 * strlen(text) + 1)), *end = shown;
	unsigned char c;

	while ((c = *text++))
		end += sprintf(end, c < ' ' || c > '~' || c == '\\' ? "\\x%02x" : "%c", c);
	*end = '\0';
	return shown;
}

bool condition_parse(struct condition *condition, const char *text)
{
	*condition = (struct condition){ .text = text, .fd = -1 };
	if (!strcmp(text, "fail")) {
		condition->kind = CONDITION_FAIL;
	} else if (!strcmp(text, "signal")) {
		condition->kind = CONDITION_SIGNAL;
	} else if (!strncmp(text, "kmsg:", 5)) {
		condition->kind = CONDITION_KMSG;
		condition->word = kmsg_text(text + 5);
		return *condition->word;
	} else if (!strncmp(text, "latency ", 8) && strncmp(text, "latency if ", 11)) {
		return parse_latency(condition, text + 8);
	} else {
		return parse_marker(condition, text);
	}
	return true;
}

int condition_open(struct condition *condition)
{
	if (condition->kind != CONDITION_KMSG)
		return STATUS_OK;
	condition->fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (condition->fd < 0 || lseek(condition->fd, 0, SEEK_END) < 0)
		return say_errno("/dev/kmsg");
	return STATUS_OK;
}

bool condition_read(struct condition *condition)
{
	bool found = false;
	char line[8192], *shown;
	ssize_t n;

	/* Each read() returns one line of the log. EPIPE: the kernel overwrote some lines. */
	for (;;) {
		n = read(condition->fd, line, sizeof(line) - 1);
		if (n < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (n <= 0)
			return found;
		line[n] = '\0';
		/* numbers come before it */
		shown = strchr(line, ';');
		if (shown && strstr(shown + 1, condition->word))
			found = true;
	}
}

/* Is it the action of a pair of this name? */
static bool is_of_pair(const char *action, const char *begin, const char *name)
{
	size_t size = strlen(begin);

	if (strncmp(action, begin, size) || strncmp(action + size, name, strlen(name)))
		return false;
	action += size + strlen(name);
	return !*action || *action == ':' || *action == ' ';
}

/* Print the lines of a pair, and for each of its ends that of the snapshot. Return: the ends. */
static unsigned int print_pair(const struct condition *condition, char *top, FILE *pair, FILE *ends)
{
	unsigned int nr = 0;
	char *line, *action;

	while ((line = strsep(&top, "\n"))) {
		action = *line == '#' ? NULL : strchr(line, ' ');
		if (!action++)
			continue;
		if (is_of_pair(action, "begin:", condition->word)) {
			fprintf(pair, "%s\n", line);
		} else if (is_of_pair(action, "latency:", condition->word)) {
			fprintf(pair, "%s\n", line);
			fprintf(ends, "%.*s snapshot:1 if latency > %llu\n",
				(int)(action - 1 - line), line, (unsigned long long)condition->ns);
			nr++;
		}
	}
	return nr;
}

static int take_pair(struct condition *condition)
{
	char *top = file_read(control_top(), "triggers", NULL), *pair = NULL;
	size_t pair_size, ends_size;
	FILE *out = need_memory(open_memstream(&pair, &pair_size));
	FILE *ends = need_memory(open_memstream(&condition->triggers, &ends_size));
	unsigned int nr = top ? print_pair(condition, top, out, ends) : 0;
	int status;

	fclose(out);
	fclose(ends);
	if (nr)
		status = control_write("triggers", O_APPEND, pair);
	else
		status = say("--snapshot-on \"%s\": no marker ends a pair %s; make it: markers enable -t begin:%s A; markers enable -t latency:%s B",
			     condition->text, condition->word, condition->word, condition->word);
	free(pair);
	free(top);
	return status;
}

static void take_marker(struct condition *condition)
{
	const char *at = condition->text;
	struct word word;

	word_next(&at, &word);
	condition->triggers = format_text("%.*s snapshot:1%s%.*s\n", word.name, word.text,
					  word.filter_size ? " " : "", word.filter_size,
					  word.filter);
}

int condition_arm(struct condition *condition)
{
	if (condition->kind != CONDITION_MARKER && condition->kind != CONDITION_LATENCY)
		return STATUS_OK;
	if (!condition->triggers && condition->kind == CONDITION_LATENCY) {
		if (take_pair(condition))
			return STATUS_FAILED;
	} else if (!condition->triggers) {
		take_marker(condition);
	}
	condition->armed = true;
	return control_write("triggers", O_APPEND, condition->triggers);
}

/* Take a character, and a row of blanks as one. The file shows a name without a module as "*:name". */
static int next_char(const char **text)
{
	int c = (unsigned char)**text;

	if (c && strchr(BLANKS, c)) {
		*text += strspn(*text, BLANKS);
		return **text && **text != '\n' ? ' ' : next_char(text);
	}
	*text += c && c != '\n';
	return c == '\n' ? 0 : c;
}

static bool is_same(const char *line, const char *wanted)
{
	int c, other;

	if (!strncmp(line, "*:", 2) && strncmp(wanted, "*:", 2))
		line += 2;
	do {
		c = next_char(&line);
		other = next_char(&wanted);
	} while (c && c == other);
	return c == other;
}

/* Is a line one of those that were written? */
static bool is_ours(const struct condition *condition, const char *line)
{
	const char *wanted = condition->triggers;

	for (; wanted && *wanted; wanted = strchr(wanted, '\n') + 1)
		if (is_same(line, wanted))
			return true;
	return false;
}

static unsigned long number_after(const char *line, const char *word)
{
	const char *at = memmem(line, strcspn(line, "\n"), word, strlen(word));

	return at ? strtoul(at + strlen(word), NULL, 10) : 0;
}

bool condition_came(const struct condition *condition, const char *triggers, bool *failed)
{
	bool ours = false, came = false;
	const char *line = triggers;

	*failed = false;
	while (line) {
		if (*line != '#')
			ours = is_ours(condition, line);
		else if (ours && number_after(line, " failed "))
			*failed = came = true;
		else if (ours && number_after(line, " done "))
			came = true;
		line = strchr(line, '\n');
		line += !!line;
	}
	return came;
}

bool condition_is_due(const struct condition *condition, const char *triggers)
{
	bool ours = false, due = false;
	const char *line = triggers;

	while (line) {
		if (*line != '#')
			ours = is_ours(condition, line);
		else if (ours && number_after(line, " hits "))
			due |= !number_after(line, " done ") && !number_after(line, " failed ");
		line = strchr(line, '\n');
		line += !!line;
	}
	return due;
}
