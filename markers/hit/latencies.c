// SPDX-License-Identifier: GPL-2.0
/*
 * Pairs of markers: names, memory, and the keys and the time of a hit.
 *
 * The time is the monotonic one, whatever the clock of the recording is: it can be read
 * in NMI, and is in nanoseconds.
 */
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "hists.h"
#include "latencies.h"
#include "passes.h"

LIST_HEAD(marker_latencies);

/* The parts of "begin:NAME:keys=..." or "latency:NAME:keys=..."; without keys: the task. */
static const char *text_of(const struct marker_action *action, const char **name,
			   unsigned int *len)
{
	const char *keys;

	*name = strchr(action->trigger->what, ':') + 1;
	keys = strchrnul(*name, ':');
	*len = keys - *name;
	return *keys ? keys + 1 : "keys=tid";
}

/* Does the command that is carried out leave a trigger of this name in force? */
static bool stays(const struct marker_latency *latency)
{
	const struct marker_latency_end *end;

	list_for_each_entry(end, &latency->ends, list) {
		if (!end->action->trigger->is_gone)
			return true;
	}
	return false;
}

/*
 * The one of that name in the recording; one that goes only if it has as many words, and none
 * stays.
 */
static struct marker_latency *find_latency(const struct marker_recording *recording,
					   const char *name, unsigned int len, u32 words)
{
	struct marker_latency *latency, *going = NULL;

	list_for_each_entry(latency, &marker_latencies, list) {
		if (latency->recording != recording || strlen(latency->name) != len ||
		    memcmp(latency->name, name, len))
			continue;
		if (stays(latency))
			return latency;
		if (latency->pairs->key_words == words)
			going = latency;
	}
	return going;
}

/* The first trigger of a name decides the size. */
static struct marker_latency *create_latency(const struct marker_action *action,
					     const char *name, unsigned int len,
					     const struct marker_hist *hist)
{
	struct marker_latency *latency = kzalloc(sizeof(*latency) + len + 1,
						GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!latency)
		return ERR_PTR(err);
	memcpy(latency->name, name, len);
	latency->recording = action->recording;
	INIT_LIST_HEAD(&latency->ends);
	latency->kib = DIV_ROUND_UP(marker_pairs_bytes(hist->size, hist->key_words), 1024);
	err = marker_hists_charge(action, latency->kib);
	if (err)
		goto out;
	latency->pairs = marker_pairs_create(hist->size, hist->key_words);
	if (!latency->pairs) {
		marker_hists_uncharge(latency->kib);
		err = -ENOMEM;
		goto out;
	}
	list_add_tail(&latency->list, &marker_latencies);
	return latency;
out:
	kfree(latency);
	return ERR_PTR(err);
}

static int refuse_keys(const struct marker_action *action, const char *keys,
		       struct marker_format_error *error, unsigned int column, const char *why)
{
	const char *what = action->trigger->what;

	/* an error in what was not written has no place */
	if (keys >= what && keys <= what + strlen(what))
		column += keys - what;
	else
		column = 0;
	return marker_format_refuse(error, column, why);
}

/* Only keys=, of as many words as pairs.c takes, and size=. */
static int parse_keys(struct marker_hist *hist, const struct marker_action *action,
		      const char *keys, struct marker_format_error *error)
{
	unsigned int i;

	if (marker_hist_parse_pair(hist, keys, &action->event->format, error))
		return refuse_keys(action, keys, error, error->column, error->why);
	if (hist->nr_vals || hist->paused || hist->stack)
		return refuse_keys(action, keys, error, 0,
				   "a pair has keys=, size= and event only, and no stack");
	if (hist->key_words > MARKER_PAIRS_WORDS)
		return refuse_keys(action, keys, error, 0,
				   "the keys of a pair take more than 64 bytes");
	for (i = 0; i < hist->nr_keys; i++) {
		if (hist->key[i].is_context && hist->key[i].arg == MARKER_FILTER_LATENCY)
			return refuse_keys(action, keys, error, 0,
					   "the latency is no key of its own pair");
	}
	return 0;
}

static int find_task(const struct marker_hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_keys; i++) {
		if (hist->key[i].is_context && hist->key[i].arg == MARKER_FILTER_TID &&
		    hist->key[i].form < MARKER_HIST_LOG2)
			return hist->key[i].at;
	}
	return -1;
}

int marker_latencies_create(struct marker_action *action, struct marker_format_error *error)
{
	struct marker_latency *latency;
	struct marker_latency_end *end;
	const char *name, *keys;
	unsigned int len;
	int err;

	keys = text_of(action, &name, &len);
	end = kzalloc(sizeof(*end), GFP_KERNEL_ACCOUNT);
	if (!end)
		return -ENOMEM;
	err = parse_keys(&end->hist, action, keys, error);
	if (err)
		goto out;
	end->task_at = find_task(&end->hist);
	latency = find_latency(action->recording, name, len, end->hist.key_words);
	if (latency && latency->pairs->key_words != end->hist.key_words) {
		err = refuse_keys(action, keys, error, 0,
				  "the keys of this name take another number of bytes");
		goto out;
	}
	latency = latency ?: create_latency(action, name, len, &end->hist);
	if (IS_ERR(latency)) {
		err = PTR_ERR(latency);
		goto out;
	}
	latency->refs++;
	end->latency = latency;
	end->action = action;
	list_add(&end->list, &latency->ends);
	action->data = end;
	return 0;
out:
	kfree(end);
	return err;
}

void marker_latencies_retire(struct marker_action *action)
{
	struct marker_latency_end *end = action->data;

	if (list_empty(&end->list))
		return;
	list_del_init(&end->list);
	if (list_empty(&end->latency->ends))
		list_del(&end->latency->list);
}

void marker_latencies_destroy(struct marker_action *action)
{
	struct marker_latency_end *end = action->data;
	struct marker_latency *latency;

	if (!end)
		return;
	/* after a command that failed it has not retired yet */
	marker_latencies_retire(action);
	latency = end->latency;
	kfree(end);
	action->data = NULL;
	if (--latency->refs)
		return;
	marker_hists_uncharge(latency->kib);
	marker_pairs_destroy(latency->pairs);
	kfree(latency);
}

/*
 * The idle tasks of all CPUs have the number 0.  In the key, the CPU stands above it, so that
 * hits in interrupts over idle are of one CPU.  An event of the pair records the number only.
 */
static __always_inline void make_key(const struct marker_latency_end *end, u64 *key,
				     const u64 *args)
{
	const struct marker_hist *hist = &end->hist;
	u64 contexts[MARKER_NR_HIST_CONTEXTS] __marker_uninitialized;

	if (hist->contexts)
		fill_contexts(contexts, hist->contexts, -1);
	marker_hist_key(hist, key, args, contexts);
	if (end->task_at >= 0 && !key[end->task_at])
		key[end->task_at] = (u64)(raw_smp_processor_id() + 1) << 32;
}

void marker_latencies_begin(const struct marker_action *action, const u64 *args)
{
	const struct marker_latency_end *end = action->data;
	u64 key[MARKER_PAIRS_WORDS];

	make_key(end, key, args);
	marker_pairs_begin(end->latency->pairs, key, ktime_get_mono_fast_ns());
}
NOKPROBE_SYMBOL(marker_latencies_begin);

static noinline void fill_follow(const struct marker_latency_end *end, const u64 *key,
				 u64 latency, struct marker_follow *follow)
{
	const struct marker_latency_event *event = end->event;
	unsigned int i;

	memcpy(follow->key, key, end->hist.key_words * sizeof(*key));
	for (i = 0; i < event->nr_keys; i++)
		follow->args[i] = event->is_string[i] ?
				  (uintptr_t)(follow->key + event->at[i]) : key[event->at[i]];
	follow->args[i] = latency;
	follow->marker = &event->marker;
}
NOKPROBE_SYMBOL(fill_follow);

s64 marker_latencies_end(const struct marker_action *action, const u64 *args,
			 struct marker_follow *follow)
{
	const struct marker_latency_end *end = action->data;
	u64 key[MARKER_PAIRS_WORDS];

	/* first: the latency does not include what follows */
	const u64 now = ktime_get_mono_fast_ns();

	s64 latency;

	make_key(end, key, args);
	latency = marker_pairs_end(end->latency->pairs, key, now);
	if (end->event && latency >= 0)
		fill_follow(end, key, latency, follow);
	return latency;
}
NOKPROBE_SYMBOL(marker_latencies_end);
