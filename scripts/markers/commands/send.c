// SPDX-License-Identifier: GPL-2.0
/*
 * markers send: send a recording to a collector.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/number.h"
#include "../base/packed.h"
#include "../send/each.h"
#include "../send/sender.h"
#include "commands.h"

#define LIVE_TIMER_US	100000	/* relayd tells viewers */
#define MAX_DELAY_MS	10000
#define NAME_MAX_SENT	200	/* relayd makes a directory of it, with the date */

enum { OPTION_TO = 256, OPTION_HOST, OPTION_SESSION, OPTION_STATE, OPTION_RETRY, OPTION_ONCE,
	OPTION_PROTOCOL, OPTION_LIVE, OPTION_DELAY, OPTION_EACH };

static const struct option_def options[] = {
	{ OPTION_TO, "to", "HOST[:PORT[:PORT]]", "The collector: ports of requests (5342) and packets (the next)." },
	{ OPTION_HOST, "host", "NAME", "Name of this machine there; by default the one in the recording." },
	{ OPTION_SESSION, "session", "NAME", "Name of the session there; by default that of DIR." },
	{ OPTION_STATE, "state", "FILE", "What was sent; by default a hidden file in DIR, or beside a packed one." },
	{ OPTION_RETRY, "retry", "SECONDS", "Try so long while the collector is away or fails." },
	{ OPTION_ONCE, "once", NULL, "Send what is there now, even if the recording goes on." },
	{ OPTION_EACH, "each", NULL, "Send the recordings in DIR, the oldest first, and those that come." },
	{ OPTION_LIVE, "live", NULL, "For viewers, which follow; what comes too late is left out." },
	{ OPTION_DELAY, "delay", "MS", "How long a CPU may keep events back from viewers; 500 if not given." },
	{ OPTION_PROTOCOL, "protocol", "VERSION", "The newest protocol to offer: 2.8 to 2.13." },
	{ }
};

static volatile sig_atomic_t stop;

static void take_signal(int number)
{
	(void)number;
	stop = 1;
}

/* The first signal ends the session properly, the second one the program. */
static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = take_signal, .sa_flags = SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* It becomes the name of a directory. */
static bool is_name(const char *name)
{
	return *name && *name != '.' && strlen(name) <= NAME_MAX_SENT && !strchr(name, '/') &&
	       !strpbrk(name, "\n\t ");
}

static int parse_protocol(struct sender *sender, const char *text)
{
	uint64_t minor;

	if (strncmp(text, "2.", 2) ||
	    !number_parse(text + 2, RELAY_OLDEST, RELAY_NEWEST, &minor))
		return usage_error("send", "--protocol is 2.%d to 2.%d, not \"%s\"", RELAY_OLDEST,
				   RELAY_NEWEST, text);
	sender->relay.offer = minor;
	return STATUS_OK;
}

/**
 * struct words - the command line
 * @to: the collector
 * @state: the file, or NULL
 * @once: take the recording as it is
 * @each: send those in the directory
 */
struct words {
	const char *to;
	const char *state;
	bool once;
	bool each;
};

static int parse(struct sender *sender, struct words *words, int option, const char *value)
{
	uint64_t number;

	switch (option) {
	case OPTION_TO:
		words->to = value;
		return collector_parse(&sender->collector, value) ? STATUS_OK :
		       usage_error("send", "--to is HOST, HOST:PORT or HOST:PORT:PORT, not \"%s\"", value);
	case OPTION_HOST:
	case OPTION_SESSION:
		if (!is_name(value))
			return usage_error("send", "\"%s\": a name has 1 to %d characters, no blank and no /, and no dot in front",
					   value, NAME_MAX_SENT);
		*(option == OPTION_HOST ? &sender->host : &sender->session) = value;
		return STATUS_OK;
	case OPTION_STATE:
		words->state = value;
		return STATUS_OK;
	case OPTION_RETRY:
		if (!number_parse(value, 0, 1000000000, &number))
			return usage_error("send", "--retry is a number of seconds, not \"%s\"", value);
		sender->patience = number;
		return STATUS_OK;
	case OPTION_ONCE:
		words->once = true;
		return STATUS_OK;
	case OPTION_EACH:
		words->each = true;
		return STATUS_OK;
	case OPTION_LIVE:
		sender->relay.live_us = LIVE_TIMER_US;
		return STATUS_OK;
	case OPTION_DELAY:
		if (!number_parse(value, 0, MAX_DELAY_MS, &number))
			return usage_error("send", "--delay is 0 to %d milliseconds, not \"%s\"", MAX_DELAY_MS,
					   value);
		sender->delay_ms = number;
		return STATUS_OK;
	default:
		return parse_protocol(sender, value);
	}
}

/* Make a name of any text. Return: the name, to be freed. */
static char *name_of(const char *text)
{
	char *name = need_memory(strndup(*text ? text : "markers", NAME_MAX_SENT)), *at;

	for (at = name; *at; at++)
		if ((unsigned char)*at <= ' ' || *at == '/' || (at == name && *at == '.'))
			*at = '_';
	return name;
}

/* Return: the last part of the path of a recording, without the end of a packed one; to be freed. */
static char *session_of(const char *path, bool is_packed)
{
	char *whole = realpath(path, NULL), *name = name_of(whole ? strrchr(whole, '/') + 1 : path);
	const size_t size = strlen(name), end = strlen(PACKED_END);

	if (is_packed && size > end && !strcmp(name + size - end, PACKED_END))
		name[size - end] = '\0';
	free(whole);
	return name;
}

/* The state, in the recording, or beside a packed one: readers skip hidden files. */
static char *state_of(const struct words *words, const char *path, bool is_packed)
{
	const char *last = strrchr(path, '/');
	const int before = last ? last + 1 - path : 0;
	char *name, *file;

	if (words->state)
		return need_memory(strdup(words->state));
	name = name_of(words->to);
	if (is_packed)
		file = format_text("%.*s.%s.sent-to-%s", before, path, path + before, name);
	else
		file = format_text("%s/.sent-to-%s", path, name);
	free(name);
	return file;
}

static int send_it(struct sender *sender, const struct words *words, const char *path)
{
	const bool is_packed = path != sender->spool.path;
	int status = STATUS_OK;

	/* viewers get it from now on, whatever they had */
	sender->state.lock = -1;
	if (!sender->relay.live_us)
		status = state_open(&sender->state, state_of(words, path, is_packed));
	if (!status) {
		sender->spool.is_whole = words->once || is_packed;
		catch_signals();
		status = sender_run(sender);
	}
	state_close(&sender->state);
	return status;
}

static struct sender sender = { .patience = -1, .delay_ms = 500, .stop = &stop, .relay.offer = RELAY_NEWEST };

/* Send the recording in a directory or in a packed file. */
static int send_dir(const struct words *words, const char *path)
{
	const char *dir = packed_path(path);
	int status = dir ? spool_open(&sender.spool, dir) : STATUS_FAILED;

	if (status)
		return status;
	sender.relay.session = sender.session ?: session_of(path, dir != path);
	status = send_it(&sender, words, path);
	spool_close(&sender.spool);
	return status;
}

static int send_one_of(void *ctx, const char *path, bool is_whole)
{
	struct words words = *(const struct words *)ctx;

	words.once = is_whole;
	return send_dir(&words, path);
}

static int check_words(const struct words *words)
{
	if (!words->to)
		return usage_error("send", "--to names the collector");
	if (words->each && (words->once || words->state || sender.relay.live_us))
		return usage_error("send", "--each goes on for ever, with a state in each recording: no --once, --state, --live");
	return STATUS_OK;
}

static int run(struct arguments *args)
{
	struct words words = {};
	const char *value;
	int option, status;

	while ((option = option_next(args, &value))) {
		status = parse(&sender, &words, option, value);
		if (status)
			return status;
	}
	status = check_words(&words);
	if (status)
		return status;
	if (!words.each)
		return send_dir(&words, args->argv[0]) ? STATUS_FAILED : STATUS_OK;
	if (sender.patience < 0)
		sender.patience = INT_MAX;
	catch_signals();
	return each_run(args->argv[0], &stop, send_one_of, &words);
}

const struct command command_send = {
	.name = "send",
	.args = "DIR",
	.summary = "Send a recording to a collector, while it grows, too",
	.text = "The collector is lttng-relayd, of the package lttng-tools: it takes recordings of any number\n"
		"of machines, and markers, babeltrace2 and Trace Compass read what it writes.\n\n"
		"DIR may be growing, or be a file of \"markers pack\". The recording itself waits while the\n"
		"collector is away, so nothing is lost; a hidden file in DIR says what the collector has\n"
		"written, and the same command goes on there, whichever side was killed. Without --retry it\n"
		"tries for 10 seconds, and for ever once a session has begun and while the recording grows.\n\n"
		"Each session is a directory of its own, HOST/SESSION-DATE-TIME-NUMBER. After a cut there are two, and\n"
		"some packets may be in both: \"markers report\" of the directory of the host reads each\n"
		"packet once, and \"markers join\" makes one trace of them. With record --rotate each part is a\n"
		"chunk, in archives/ when it is complete.\n\n"
		"With --each, DIR has recordings, as the unit markers-record@.service leaves them below\n"
		"/var/lib/markers: all are sent, until SIGINT or SIGTERM. It waits for the collector as long as\n"
		"it takes.\n\n"
		"--live is for viewers, which follow a session, as babeltrace2 --input-format=lttng-live does.\n"
		"It sends from the newest packets on, and notes nothing. Events that come later than --delay,\n"
		"or are more than 8 MiB behind, are left out there; a line says how many.\n\n"
		"The protocol has no login and no encryption. Use a tunnel, such as\n\n"
		"\tssh -N -L 5342:localhost:5342 -L 5343:localhost:5343 collector\n\n"
		"and --to localhost.",
	.examples = "\tmarkers send trace --to localhost\n",
	.see = "record join report",
	.options = options,
	.run = run,
	.completes = "trace",
};
