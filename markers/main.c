// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of the module start here in order, and end in the reverse order.
 * Start reading here, then marker.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/stringify.h>

#include <markers/after/crash_notes.h>
#include <markers/after/last_words.h>
#include <markers/after/persist.h>
#include <markers/control/control.h>
#include <markers/control/deferred.h>
#include <markers/control/latency_events.h>
#include <markers/control/modules.h>
#include <markers/control/probes.h>
#include <markers/control/triggers.h>
#include <markers/debugfs/event_dirs.h>
#include <markers/debugfs/params.h>
#include <markers/debugfs/reader.h>
#include <markers/debugfs/tree.h>
#include <markers/format/context.h>
#include <markers/hit/latencies.h>
#include <markers/model/idle.h>
#include <markers/model/patcher.h>
#include <markers/model/program.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include <markers/publish/publish.h>
#include <markers/record/record.h>
#include <markers/ring/clock.h>
#include "arch.h"
#include "log.h"
#include "version.h"

static int __init enable_markers(void)
{
	const char *enable = marker_params.enable;
	int err;

	if (!*enable)
		return 0;
	marker_log_to_kernel(true);
	err = marker_control_set_patterns(&marker_top, enable, false);
	marker_log_to_kernel(false);
	if (err == -EINVAL)
		pr_err("enable=%s: not a list of [!][module:]name with commas\n", enable);
	else if (err == -ENOENT)
		pr_err("enable=%s: \"!\" must follow a pattern that it disables\n", enable);
	else if (err)
		pr_err("enable=%s: error %d\n", enable, err);
	return err;
}

static int __init publish_markers(void)
{
	const char *publish = marker_params.publish;
	int err;

	if (!*publish)
		return 0;
	marker_log_to_kernel(true);
	err = marker_publish_set(publish, false);
	marker_log_to_kernel(false);
	if (err)
		pr_err("publish=%s: error %d\n", publish, err);
	return err;
}

/* A trigger for a marker of the module may make an event, which belongs in the notes. */
static void module_coming(struct marker_module *module)
{
	marker_registry_lock();
	marker_latency_events_update();
	marker_registry_unlock();
	marker_crash_notes_update();
	marker_publish_module_coming(module);
}

/* The event of a pair may wait for its name. */
static void module_gone(struct marker_module *module)
{
	if (strcmp(module->name, MARKER_LATENCY_MODULE))
		return;
	marker_registry_lock();
	marker_triggers_retry();
	marker_latency_events_update();
	marker_registry_unlock();
	marker_crash_notes_update();
}

static const struct marker_modules_ops modules_ops = {
	.coming = module_coming,
	.going = marker_event_dirs_remove,
	.gone = module_gone,
};

static int __init start_clock(void)
{
	const char *trace_clock = marker_params.trace_clock;
	int err = clock_init(*trace_clock ? trace_clock : NULL);
	char clocks[64];

	if (err == -EINVAL)
		pr_err("trace_clock=%s: not one of %s\n", trace_clock,
		       clock_list(&marker_clock, clocks, sizeof(clocks)));
	return err;
}

static int __init use_contexts(struct marker_recording_config *config)
{
	char names[MARKER_CONTEXT_LIST_SIZE];
	const char *contexts = marker_params.contexts;
	unsigned int column;
	int err = marker_context_parse(contexts, &config->contexts, &column);

	if (err)
		pr_err("contexts=%s, column %u: none of %s\n", contexts, column,
		       marker_context_list(names, MARKER_CONTEXT_ALL));
	return err;
}

/*
 * Modules that need this one are not loaded yet, so most patterns are pending.  The number shows
 * if a blank has cut the list.
 */
static void __init log_pending(void)
{
	struct marker_rule *rule;
	unsigned int nr = 0;

	marker_registry_lock();
	for_each_rule(&marker_top.rules, rule)
		nr += rule->asked && marker_control_is_pending(rule);
	marker_registry_unlock();
	if (nr)
		pr_info("enable: %u pattern%s pending until such markers are loaded: %s\n",
			nr, nr == 1 ? " is" : "s are", marker_params.enable);
}

/*
 * Each init has its exit, in reverse order. The patcher, the rules, the registry and
 * the probes have no init: they are empty at first. Each exit comes before the exits of
 * the parts that it uses. Traps read the patcher's table, so it is freed after them.
 */
static int __init start(void)
{
	struct marker_recording_config config = {
		.buffer_kb = marker_params.buffer_kb,
		.subbuf_kb = marker_params.subbuf_kb,
		.overwrite = marker_params.overwrite,
		.percent = marker_params.percent,
	};
	int err;

	err = use_contexts(&config);
	if (err)
		return err;
	err = start_clock();
	if (err)
		return err;
	err = marker_persist_init(marker_params.persist);
	if (err)
		return err;
	config.to_region = marker_persist_is_used();
	marker_crash_notes_init();
	err = ring_init();
	if (err)
		goto err_persist;
	marker_idle_init();
	err = marker_recordings_init(&config);
	if (err)
		goto err_ring;
	err = marker_recordings_add(&marker_top);
	if (err)
		goto err_recording;
	err = marker_persist_check();
	if (err)
		goto err_recordings;
	err = marker_arch_init();
	if (err)
		goto err_recordings;
	err = enable_markers();
	if (err)
		goto err_arch;
	err = marker_publish_init();
	if (err)
		goto err_rules;
	err = publish_markers();
	if (err)
		goto err_publish;
	err = marker_deferred_init();
	if (err)
		goto err_publish;
	if (!marker_params.tracing_on)
		marker_recording_set_on(&marker_top, false);
	err = marker_last_words_init(marker_params.dump_on_oops);
	if (err)
		goto err_deferred;
	/* in a region, there will be notes anyway */
	if (marker_params.kdump && !marker_persist_is_used())
		marker_crash_notes_on(NULL);
	err = marker_tree_init(&marker_params.files);
	if (err)
		goto err_last_words;
	err = marker_modules_init(&modules_ops);
	if (err)
		goto err_debugfs;
	marker_persist_begin();
	marker_tree_say_where();
	log_pending();
	return 0;

err_debugfs:
	marker_tree_exit();
	marker_probes_exit();
err_last_words:
	marker_last_words_exit();
err_deferred:
	marker_deferred_exit();
	marker_crash_notes_exit();
err_publish:
	/* its events lead to those of the registry */
	marker_publish_exit();
	marker_registry_exit();
err_rules:
	marker_rules_clear(&marker_top.rules);
err_arch:
	marker_arch_exit();
err_recordings:
	marker_patcher_exit();
	marker_recordings_remove(&marker_top);
	marker_recording_free_snapshot(&marker_top);
err_recording:
	marker_recordings_exit();
err_ring:
	ring_exit();
err_persist:
	marker_persist_exit();
	return err;
}

/* The files of the parameters are there before this runs, and until after the exit. */
static int __init markers_init(void)
{
	int err;

	kernel_param_lock(THIS_MODULE);
	err = start();
	if (!err)
		marker_params_connect();
	kernel_param_unlock(THIS_MODULE);
	return err;
}
module_init(markers_init);

static void __exit markers_exit(void)
{
	marker_params_disconnect();
	marker_modules_exit();
	marker_tree_exit();
	marker_publish_exit();
	marker_probes_exit();
	marker_last_words_exit();
	marker_deferred_exit();
	marker_crash_notes_exit();
	marker_registry_exit();
	marker_rules_clear(&marker_top.rules);
	marker_arch_exit();
	marker_patcher_exit();
	marker_recordings_remove(&marker_top);
	marker_recording_free_snapshot(&marker_top);
	marker_recordings_exit();
	ring_exit();
	marker_persist_exit();
}
module_exit(markers_exit);

MODULE_DESCRIPTION("Markers: static trace points for modules, live on a stock kernel");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(__stringify(MARKERS_VERSION_MAJOR) "."
	       __stringify(MARKERS_VERSION_MINOR));
