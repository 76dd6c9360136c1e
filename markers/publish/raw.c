// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs at raw tracepoints.  The kernel looks for their names in the tables of modules.
 * Ours is here: a published marker takes an entry, the others have a name that nobody finds.  It
 * has to be memory of the module, so that the kernel finds out whose entry it is, and keeps the
 * module.
 *
 * The kernel says that a first program comes, or that a last one goes, but neither at which
 * tracepoint nor once it is done.  It holds a lock of tracepoints meanwhile, so a task that has
 * got this lock after it finds all done.
 *
 * Process context.
 */
#include "published.h"

#if MARKER_CAN_PUBLISH && defined(CONFIG_BPF_EVENTS)

#include <linux/log2.h>
#include <linux/module.h>
#include <linux/workqueue.h>

#include <markers/log.h>

#define MAX_RAW		1024	/* 32 bytes each */

/* No program finds this name: the kernel takes 127 characters of what it is given. */
#define LINE	"--------------------------------"
#define NO_NAME	LINE LINE LINE LINE

static struct tracepoint no_tracepoint = { .name = NO_NAME };
static int nr_used;

/* The loader finds the table by its section. */
static struct bpf_raw_event_map maps[MAX_RAW] __used __section("__bpf_raw_tp_map") = {
	[0 ... MAX_RAW - 1] = { .tp = &no_tracepoint },
};

/* A new entry, or that of an event which is gone and has no program; NULL: there is none. */
static struct bpf_raw_event_map *find_entry(void)
{
	struct marker_published *owner;
	int i;

	if (nr_used < MAX_RAW)
		return &maps[nr_used++];
	for (i = 0; i < MAX_RAW; i++) {
		owner = container_of(maps[i].tp, struct marker_published, tp);
		if (owner->is_added || owner->carrier || rcu_access_pointer(owner->tp.funcs))
			continue;
		owner->is_raw = false;
		return &maps[i];
	}
	return NULL;
}

static void add(struct marker_published *published, struct bpf_raw_event_map *map)
{
	map->bpf_func = marker_published_raw;
	map->num_args = clamp_t(unsigned int, published->event->format.nr_args, 1, 12);
	/* the kernel looks for the name, and reads the rest then */
	smp_store_release(&map->tp, &published->tp);
	published->is_raw = true;
}

/*
 * The kernel looks an entry up, reads it later, and needs it again when the program goes.  So an
 * entry stays with its event while unused ones are left.  The tracepoint of an event that is gone
 * has a name that nobody finds.
 */
void marker_raw_update(void)
{
	struct bpf_raw_event_map *map;
	struct marker_published *published;
	bool is_full = false;

	list_for_each_entry(published, &marker_published_all, list) {
		if (!published->is_added && !published->carrier)
			WRITE_ONCE(published->tp.name, NO_NAME);
	}
	list_for_each_entry(published, &marker_published_all, list) {
		if (!published->is_added || published->is_raw || is_full)
			continue;
		map = find_entry();
		if (map)
			add(published, map);
		else
			is_full = true;
	}
}

static void nothing(void *data)
{
}

/* Waits for whoever has the lock of tracepoints. */
static void wait_for_tracepoints(void)
{
	static struct tracepoint tp = { .name = "" };

	if (!tracepoint_probe_register(&tp, nothing, NULL))
		tracepoint_probe_unregister(&tp, nothing, NULL);
}

static void update_all(struct work_struct *work)
{
	struct marker_published *published;

	wait_for_tracepoints();
	marker_registry_lock();
	list_for_each_entry(published, &marker_published_all, list) {
		cond_resched();
		if (marker_published_update(published))
			marker_log("marker %s: no memory to arm it for a BPF program",
				   published->event->title);
	}
	marker_registry_unlock();
}

static DECLARE_WORK(update_work, update_all);

static int watch_reg(void)
{
	schedule_work(&update_work);
	return 0;
}

static void watch_unreg(void)
{
	schedule_work(&update_work);
}

MARKER_TRACEPOINT_FUNCS(watch_funcs, watch_reg, watch_unreg);

void marker_raw_watch(struct tracepoint *tp)
{
	MARKER_TRACEPOINT_SET_FUNCS(tp, watch_funcs);
}

void marker_raw_exit(void)
{
	flush_work(&update_work);
}

#elif MARKER_CAN_PUBLISH

void marker_raw_update(void)
{
}

void marker_raw_watch(struct tracepoint *tp)
{
}

void marker_raw_exit(void)
{
}

#endif
