// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../control/control.h"
#include "flight.h"
#include "kallsyms.h"
#include "recording.h"

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

bool flight_add(struct flight *flight, const char *text)
{
	flight->condition = need_memory(realloc(flight->condition, (flight->nr + 1) *
						sizeof(*flight->condition)));
	return condition_parse(&flight->condition[flight->nr++], text);
}

bool flight_has(const struct flight *flight, enum condition_kind kind)
{
	unsigned int i;

	for (i = 0; i < flight->nr; i++)
		if (flight->condition[i].kind == kind)
			return true;
	return false;
}

int flight_open(struct flight *flight)
{
	unsigned int i;

	for (i = 0; i < flight->nr; i++)
		if (condition_open(&flight->condition[i]))
			return STATUS_FAILED;
	return STATUS_OK;
}

static bool has_triggers(const struct flight *flight)
{
	return flight_has(flight, CONDITION_MARKER) || flight_has(flight, CONDITION_LATENCY);
}

int flight_arm(struct flight *flight, bool own)
{
	unsigned int i;

	if (has_triggers(flight) && !own)
		return say("--snapshot-on with a marker or a latency needs an instance of its own; fail, signal and kmsg:TEXT work without one");
	for (i = 0; i < flight->nr; i++)
		if (condition_arm(&flight->condition[i]))
			return STATUS_FAILED;
	return STATUS_OK;
}

/* What fired, and when that was seen. */
static int write_fired(int info, const struct condition *condition)
{
	time_t seconds = time(NULL);
	char day[32], *text;
	struct tm tm;
	int err;

	localtime_r(&seconds, &tm);
	strftime(day, sizeof(day), "%F %T %z", &tm);
	text = format_text("condition: %s\nseen: %s\n", condition->text, day);
	err = file_write(info, "fired", O_CREAT | O_TRUNC, text);
	free(text);
	return err;
}

/* Those of this moment do not say which modules were there before. */
static void fill_info(struct flight *flight, const struct condition *condition,
		      const char *snapshot)
{
	char *to = format_text("%s/info", snapshot);
	int dir = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0 || kallsyms_give(flight->kallsyms, dir))
		say_errno("%s/symbols", to);
	if (dir >= 0 && write_fired(dir, condition))
		say_errno("%s/fired", to);
	if (dir >= 0)
		close(dir);
	free(to);
}

/* @is_there: the kernel has taken the snapshot */
static int save(struct flight *flight, const struct condition *condition, bool is_there)
{
	char *path = format_text("%s/snapshot-%u%s", flight->output, flight->snapshots,
				 flight->parts ? "-after" : ""), *before = path;
	int status;

	if (flight->parts > 1) {
		path = format_text("%s-%u", before, flight->parts);
		free(before);
	}
	status = is_there ? recording_copy(path, "snapshot_ctf") : recording_snapshot(path);
	if (!status) {
		flight->parts++;
		fill_info(flight, condition, path);
		say("a snapshot is in %s: %s", path, condition->text);
	}
	flight->status |= status;
	free(path);
	return status;
}

#define FIRST_WAIT	1000000000ULL
#define LAST_WAIT	(64 * FIRST_WAIT)

/* A snapshot has failed, and the next one would, too, perhaps for a long time: the disk is full. */
static void wait_longer(struct flight *flight)
{
	if (!flight->wait)
		say("the kernel's conditions and its log have to wait a second now, and longer each time that it fails again, up to 64 s");
	flight->wait = !flight->wait ? FIRST_WAIT :
		       2 * flight->wait < LAST_WAIT ? 2 * flight->wait : LAST_WAIT;
	flight->again = now() + flight->wait;
}

static void say_if_last(const struct flight *flight)
{
	if (flight->snapshots == flight->max)
		say("these are %u snapshots: no more are taken", flight->snapshots);
}

static void take(struct flight *flight, const struct condition *condition, bool is_there)
{
	if (flight->pending) {
		/* what comes now is in the snapshot of the other one; the kernel has put it aside */
		if (is_there)
			save(flight, flight->pending, true);
		return;
	}
	if (flight->snapshots >= flight->max)
		return;
	flight->snapshots++;
	flight->parts = 0;
	if (save(flight, condition, is_there)) {
		flight->snapshots--;
		wait_longer(flight);
		return;
	}
	flight->wait = 0;
	flight->again = 0;
	if (flight->after) {
		flight->pending = condition;
		flight->deadline = now() + flight->after;
	} else {
		say_if_last(flight);
	}
}

/* Has the kernel taken snapshots? */
static void look_at_triggers(struct flight *flight)
{
	char *text = has_triggers(flight) ? control_read("triggers") : NULL;
	bool failed;
	unsigned int i;

	for (i = 0; text && i < flight->nr; i++) {
		struct condition *condition = &flight->condition[i];

		if (!condition->armed || !condition_came(condition, text, &failed))
			continue;
		condition->armed = false;
		if (!failed) {
			take(flight, condition, true);
			continue;
		}
		flight->status |= say("the kernel could not take a snapshot: %s; its error_log says why",
				      condition->text);
		wait_longer(flight);
	}
	free(text);
}

static bool is_due(const struct flight *flight)
{
	char *text = has_triggers(flight) ? control_read("triggers") : NULL;
	bool due = false;
	unsigned int i;

	for (i = 0; text && i < flight->nr; i++)
		due |= flight->condition[i].armed && condition_is_due(&flight->condition[i], text);
	free(text);
	return due;
}

#define TRIES	500	/* 10 ms each */

/* Save what the kernel has taken: the next snapshot overwrites it. */
static void save_of_kernel(struct flight *flight)
{
	const struct timespec moment = { .tv_nsec = 10 * 1000 * 1000 };
	int i;

	/* a hit just now leaves its snapshot to a task of the kernel */
	for (i = 0; i < TRIES && is_due(flight); i++)
		nanosleep(&moment, NULL);
	look_at_triggers(flight);
}

/* A condition that we watch has come. */
static void take_own(struct flight *flight, const struct condition *condition)
{
	save_of_kernel(flight);
	take(flight, condition, false);
}

void flight_take(struct flight *flight, enum condition_kind kind)
{
	unsigned int i;

	for (i = 0; i < flight->nr; i++)
		if (flight->condition[i].kind == kind)
			return take_own(flight, &flight->condition[i]);
}

static void save_after(struct flight *flight)
{
	save_of_kernel(flight);
	save(flight, flight->pending, false);
	flight->pending = NULL;
	say_if_last(flight);
}

/* Those that have come, and are saved. */
static void arm_again(struct flight *flight)
{
	unsigned int i;

	if (flight->pending || flight->snapshots >= flight->max || now() < flight->again)
		return;
	for (i = 0; i < flight->nr; i++)
		if (flight->condition[i].triggers && !flight->condition[i].armed)
			flight->status |= condition_arm(&flight->condition[i]);
}

void flight_look(struct flight *flight)
{
	unsigned int i;

	look_at_triggers(flight);
	for (i = 0; i < flight->nr; i++)
		if (flight->condition[i].fd >= 0 && condition_read(&flight->condition[i]) &&
		    now() >= flight->again)
			take_own(flight, &flight->condition[i]);
	if (flight->pending && now() >= flight->deadline)
		save_after(flight);
	arm_again(flight);
}

bool flight_goes_on(const struct flight *flight, bool ending)
{
	return flight->pending || (!ending && flight->snapshots < flight->max);
}

int flight_end(struct flight *flight)
{
	save_of_kernel(flight);
	if (flight->pending)
		save_after(flight);
	say("%u snapshot%s in %s", flight->snapshots, flight->snapshots == 1 ? "" : "s",
	    flight->output);
	return flight->status ?: flight->snapshots ? STATUS_FIRED : STATUS_OK;
}
