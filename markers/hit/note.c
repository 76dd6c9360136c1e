// SPDX-License-Identifier: GPL-2.0
/*
 * The events of notes.  They have no module and no sites: to the registry they look like
 * events of unloaded modules.  The recorder treats a note like the hit of a marker, but no
 * operator has to enable it.
 */
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include <markers/marker_types.h>
#include <markers/model/registry.h>
#include <markers/record/record.h>
#include <markers/record/keeper.h>
#include <markers/uapi/ctf.h>
#include "dispatch.h"
#include "note.h"

static struct marker_module no_module = {
	.name = "markers",
	.refused = LIST_HEAD_INIT(no_module.refused),
};

/* The state of each is 0 until its first note. */
static struct marker note = { .nr_args = 1, .name = "note", .format = CTF_NOTE_FORMAT };
static struct marker note_raw = { .nr_args = 3, .name = "note_raw", .format = "id %u data %*ph" };

/* @field: the name of the only field, which the format does not say, or NULL */
static int make_event(struct marker *marker, const char *field)
{
	struct marker_event *event;

	event = marker_registry_get(&no_module, marker);
	if (IS_ERR(event))
		return PTR_ERR(event);
	if (field)
		event->format.field[0].name = field;
	marker->event = event;
	/* a task that sees the state takes no mutex */
	smp_store_release(&marker->state, event->record);
	return 0;
}

static int prepare(const struct marker_recording *recording, struct marker *marker,
		   const char *field)
{
	bool is_new = false;
	int err = 0;

	if (!marker_recording_is_on(recording))
		return -EBADF;
	/* pairs with make_event() */
	if (likely(smp_load_acquire(&marker->state)))
		return 0;
	marker_registry_lock();
	if (!marker->state) {
		err = make_event(marker, field);
		is_new = !err;
	}
	marker_registry_unlock();
	if (is_new)
		marker_keeper->update();
	return err;
}

/* Only this recording has the note, even if it is an instance. */
static int record(struct marker_recording *recording, struct marker *marker, const u64 *args)
{
	int err = marker_dispatch_note(recording, marker->event, args);

	if (err == -EAGAIN && marker_recording_is_on(recording)) {
		/* wait for the command that changes the clock */
		mutex_lock(&recording->lock);
		err = marker_dispatch_note(recording, marker->event, args);
		mutex_unlock(&recording->lock);
	}
	return err == -EAGAIN ? -EBADF : err;
}

int marker_note_text(struct marker_recording *recording, const char *text)
{
	const u64 args[] = { (uintptr_t)text };
	int err = prepare(recording, &note, CTF_NOTE_FIELD);

	return err ?: record(recording, &note, args);
}

int marker_note_raw(struct marker_recording *recording, u32 id, const u8 *data, size_t len)
{
	const u64 args[] = { id, len, (uintptr_t)data };
	int err = prepare(recording, &note_raw, NULL);

	return err ?: record(recording, &note_raw, args);
}
