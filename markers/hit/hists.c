// SPDX-License-Identifier: GPL-2.0
/*
 * Hists: their memory, and the hits that need more than one integer.
 */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/hist/table.h>
#include <markers/log.h>
#include "callstack.h"
#include "hists.h"
#include "passes.h"

/* All maps and pairs may take 1/MEMORY_SHARE of the machine's memory. */
#define MEMORY_SHARE	16

static const char prefix[] = "hist:";

/* Memory of all maps and pairs; registry mutex. */
static unsigned long all_kib;

/* The text after "hist:". */
static const char *text_of(const struct marker_action *action)
{
	return action->trigger->what + strlen(prefix);
}

/* Memory of the hists that the present command removes. */
static unsigned long going_kib(const struct marker_recording *recording)
{
	const struct marker_trigger *trigger;
	const struct marker_hist_run *run;
	const struct marker_action *action;
	unsigned long kib = 0;

	for_each_trigger(recording, trigger) {
		if (!trigger->is_gone || trigger->kind != MARKER_ACTION_HIST)
			continue;
		for_each_trigger_action(trigger, action) {
			run = action->data;
			kib += run->kib;
		}
	}
	return kib;
}

int marker_hists_charge(const struct marker_action *action, unsigned long kib)
{
	const unsigned long limit = totalram_pages() / MEMORY_SHARE * (PAGE_SIZE >> 10);

	/* a list may be replaced by one of its size: the limit holds when the command is done */
	if (kib <= limit && all_kib - going_kib(action->recording) <= limit - kib) {
		all_kib += kib;
		return 0;
	}
	marker_log("trigger %s of marker %s: it takes %lu KiB, and all hists and pairs have %lu, which may be %lu, 1/%u of the memory: write a smaller size=",
		   action->trigger->what, action->event->title, kib, all_kib, limit,
		   MEMORY_SHARE);
	return -ENOSPC;
}

void marker_hists_uncharge(unsigned long kib)
{
	all_kib -= kib;
}

u64 marker_hists_hits(const struct marker_action *action)
{
	const struct marker_hist_run *run = action->data;
	u64 row[1 + MARKER_HIST_WORDS + MARKER_HIST_VALS], hits = marker_map_dropped(run->map);
	int cpu;
	u32 at;

	for_each_possible_cpu(cpu) {
		at = 0;
		while (marker_map_read(run->map, cpu, &at, row))
			hits += row[0];
		cond_resched();
	}
	return hits;
}

static struct marker_map *create_map(const struct marker_hist *hist)
{
	return marker_map_create(hist->size, hist->key_words, hist->nr_vals);
}

int marker_hists_create(struct marker_action *action, struct marker_format_error *error)
{
	struct marker_hist_run *run;
	int err;

	run = kzalloc(sizeof(*run), GFP_KERNEL_ACCOUNT);
	if (!run)
		return -ENOMEM;
	err = marker_hist_parse(&run->hist, text_of(action), &action->event->format, error);
	if (err) {
		error->column += strlen(prefix);
		goto out;
	}
	if (!marker_table_fits(&run->hist)) {
		marker_log("trigger %s of marker %s: it could have too many rows to be read: write a smaller size=",
			   action->trigger->what, action->event->title);
		err = -ENOSPC;
		goto out;
	}
	run->kib = marker_map_bytes(run->hist.size, run->hist.key_words,
				    run->hist.nr_vals) >> 10;
	err = marker_hists_charge(action, run->kib);
	if (err)
		goto out;
	run->map = create_map(&run->hist);
	if (!run->map) {
		marker_hists_uncharge(run->kib);
		err = -ENOMEM;
		goto out;
	}
	if (!run->hist.paused)
		RCU_INIT_POINTER(run->live, run->map);
	action->data = run;
	action->is_quick = run->hist.is_single;
	action->asks_latency = run->hist.latency;
	return 0;
out:
	kfree(run);
	return err;
}

void marker_hists_destroy(struct marker_action *action)
{
	struct marker_hist_run *run = action->data;

	if (!run)
		return;
	marker_hists_uncharge(run->kib);
	marker_map_destroy(run->map);
	kfree(run);
	action->data = NULL;
}

void marker_hists_pause(struct marker_action *action, bool pause)
{
	struct marker_hist_run *run = action->data;

	rcu_assign_pointer(run->live, pause ? NULL : run->map);
}

int marker_hists_clear(struct marker_action *action, struct marker_map **old,
		       unsigned long *kib)
{
	struct marker_hist_run *run = action->data;
	struct marker_map *map = create_map(&run->hist);

	if (!map)
		return -ENOMEM;
	run->map->next = *old;
	*old = run->map;
	*kib += run->kib;
	run->map = map;
	if (rcu_access_pointer(run->live))
		rcu_assign_pointer(run->live, map);
	return 0;
}

void marker_hists_destroy_old(struct marker_map *old)
{
	struct marker_map *next;

	if (!old)
		return;
	/* also if it is paused: a hit that began before the pause may still count in it */
	synchronize_rcu();
	for (; old; old = next) {
		next = old->next;
		marker_map_destroy(old);
	}
}

/* Key and values. */
static __always_inline void count_key(const struct marker_hist *hist,
				      const struct marker_map *map, const u64 *args,
				      const u64 *contexts)
{
	u64 key[MARKER_HIST_WORDS];
	struct marker_map_bucket *bucket;
	u32 i;

	marker_hist_key(hist, key, args, contexts);
	bucket = marker_map_hit(map, key);
	if (unlikely(!bucket))
		return;
	for (i = 0; i < hist->nr_vals; i++)
		marker_map_add(map, bucket, i, marker_hist_val(hist, i, args, contexts));
}

static noinline void count_with_stack(const struct marker_hist *hist,
				      const struct marker_map *map, const u64 *args,
				      u64 *contexts)
{
	struct marker_callstack stack;
	u64 frames[MARKER_HIST_FRAMES];
	unsigned int i;

	marker_callstack_take(&stack, MARKER_HIST_FRAMES);
	for (i = 0; i < MARKER_HIST_FRAMES; i++)
		frames[i] = i < stack.nr ? stack.address[stack.first + i] : 0;
	contexts[MARKER_HIST_STACK] = (uintptr_t)frames;
	count_key(hist, map, args, contexts);
}
NOKPROBE_SYMBOL(count_with_stack);

static noinline void count_with_contexts(const struct marker_hist *hist,
					 const struct marker_map *map,
					 const u64 *args, s64 latency)
{
	u64 contexts[MARKER_NR_HIST_CONTEXTS] __marker_uninitialized;

	fill_contexts(contexts, hist->contexts, latency);
	if (unlikely(hist->stack))
		count_with_stack(hist, map, args, contexts);
	else
		count_key(hist, map, args, contexts);
}
NOKPROBE_SYMBOL(count_with_contexts);

noinline void marker_hists_count(const struct marker_hist_run *run,
				 const struct marker_map *map, const u64 *args,
				 s64 latency)
{
	const struct marker_hist *hist = &run->hist;

	/* an end without a begin: marker_pairs_end() has counted it */
	if (unlikely(hist->latency) && latency < 0)
		return;
	if (hist->contexts)
		count_with_contexts(hist, map, args, latency);
	else
		count_key(hist, map, args, NULL);
}
NOKPROBE_SYMBOL(marker_hists_count);
