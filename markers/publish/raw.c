// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs at raw tracepoints.  The kernel looks for their names in the tables of modules.
 * Ours is here: a published marker takes an entry, the others have no name.  It has to be memory
 * of the module, so that the kernel finds out whose entry it is, and keeps the module.
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
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include <markers/log.h>

#define MAX_RAW		1024	/* 32 bytes each */

static struct tracepoint no_tracepoint = { .name = "" };

/* The loader finds the table by its section. */
static struct bpf_raw_event_map maps[MAX_RAW] __used __section("__bpf_raw_tp_map") = {
	[0 ... MAX_RAW - 1] = { .tp = &no_tracepoint },
};

/* The first entry from @i on that is free, or MAX_RAW. */
static int find_free(int i)
{
	while (i < MAX_RAW && maps[i].tp != &no_tracepoint)
		i++;
	return i;
}

static void add(struct marker_published *published, int i)
{
	maps[i].bpf_func = marker_published_raw;
	maps[i].num_args = clamp_t(unsigned int, published->event->format.nr_args, 1, 12);
	/* the kernel looks for the name, and reads the rest then */
	smp_store_release(&maps[i].tp, &published->tp);
	published->raw = i;
}

static void nothing(void *data)
{
}

/* Waits for whoever has the lock of tracepoints. */
static void wait_for_tracepoints(void)
{
	static struct tracepoint tp = { .name = "" };
	static DEFINE_MUTEX(wait_mutex);

	mutex_lock(&wait_mutex);
	if (!tracepoint_probe_register(&tp, nothing, NULL))
		tracepoint_probe_unregister(&tp, nothing, NULL);
	mutex_unlock(&wait_mutex);
}

/*
 * A program leaves by the entry by which it came.  So an entry is given up only if there is no
 * program after nobody can find it any more.
 */
static void remove_gone(void)
{
	struct marker_published *published;
	bool any = false;

	list_for_each_entry(published, &marker_published_all, list) {
		if (published->is_added || published->raw < 0)
			continue;
		WRITE_ONCE(maps[published->raw].tp, &no_tracepoint);
		any = true;
	}
	if (!any)
		return;
	wait_for_tracepoints();
	list_for_each_entry(published, &marker_published_all, list) {
		if (published->is_added || published->raw < 0)
			continue;
		if (rcu_access_pointer(published->tp.funcs))
			WRITE_ONCE(maps[published->raw].tp, &published->tp);
		else
			published->raw = -1;
	}
}

void marker_raw_update(void)
{
	struct marker_published *published;
	int i = 0;

	remove_gone();
	list_for_each_entry(published, &marker_published_all, list) {
		if (!published->is_added || published->raw >= 0)
			continue;
		i = find_free(i);
		if (i == MAX_RAW)
			break;
		add(published, i);
	}
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
