// SPDX-License-Identifier: GPL-2.0
/*
 * The parameters of the module: /sys/module/markers/parameters.  The kernel calls them in
 * process context with the lock of the module's parameters, when it loads the module and
 * when the file of one is read or written.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/control/control.h>
#include <markers/format/context.h>
#include <markers/log.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include <markers/publish/publish.h>
#include <markers/record/record.h>
#include <markers/ring/clock.h>
#include "command.h"
#include "file.h"
#include "params.h"
#include "settings.h"

/* sysfs shows the texts: NULL would read as "(null)" */
struct marker_params marker_params = {
	.enable = "",
	.publish = "",
	.trace_clock = "",
	.contexts = "tid,flags,procname",
	.persist = "",
	.tracing_on = 1,
	.buffer_kb = 1024,
	.subbuf_kb = 32,
	.files.mode = 0640,
};

/* The parameters are the settings now; the lock of the parameters protects this. */
static bool connected;

void marker_params_connect(void)
{
	connected = true;
}

void marker_params_disconnect(void)
{
	kernel_param_lock(THIS_MODULE);
	connected = false;
	kernel_param_unlock(THIS_MODULE);
}

/**
 * struct number_param - a setting as a parameter
 * @setting:	the setting
 * @loaded:	the value when the module was loaded
 */
struct number_param {
	const struct marker_setting *setting;
	unsigned int *loaded;
};

static int set_number(const char *text, const struct kernel_param *kp)
{
	const struct number_param *number = kp->arg;
	unsigned int value;
	char *copy;
	int err;

	err = connected ? marker_file_check() : 0;
	if (err)
		return err;
	/* "overwrite" alone */
	copy = kstrdup(text ?: "1", GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	err = marker_setting_parse(number->setting, copy, &value);
	kfree(copy);
	if (err)
		return err;
	if (connected)
		return number->setting->set(&marker_top, value);
	*number->loaded = value;
	return 0;
}

static int get_param_number(char *text, const struct kernel_param *kp)
{
	const struct number_param *number = kp->arg;

	return scnprintf(text, PAGE_SIZE, "%zu\n",
			 connected ? number->setting->get(&marker_top) : (size_t)*number->loaded);
}

static const struct kernel_param_ops number_ops = {
	.set = set_number,
	.get = get_param_number,
};

static const struct kernel_param_ops truth_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = set_number,
	.get = get_param_number,
};

#define NUMBER_PARAM(name, field, ops, type)				\
	static const struct number_param name ## _param = {		\
		&marker_setting_ ## name, &marker_params.field		\
	};								\
	module_param_cb(name, &ops, (void *)&name ## _param, 0640);	\
	__MODULE_PARM_TYPE(name, type)

NUMBER_PARAM(tracing_on, tracing_on, truth_ops, "bool");
MODULE_PARM_DESC(tracing_on, "record hits (default 1)");

NUMBER_PARAM(overwrite, overwrite, truth_ops, "bool");
MODULE_PARM_DESC(overwrite, "a full buffer loses its oldest events, not new ones (default 0)");

NUMBER_PARAM(buffer_size_kb, buffer_kb, number_ops, "uint");
MODULE_PARM_DESC(buffer_size_kb, "KiB of buffer for each CPU (default 1024)");

NUMBER_PARAM(subbuf_size_kb, subbuf_kb, number_ops, "uint");
MODULE_PARM_DESC(subbuf_size_kb, "KiB of each of its sub-buffers (default 32)");

NUMBER_PARAM(buffer_percent, percent, number_ops, "uint");
MODULE_PARM_DESC(buffer_percent, "how full to wake up a reader of trace_pipe_raw (default 0: at once)");

NUMBER_PARAM(dump_on_oops, dump_on_oops, number_ops, "uint");
MODULE_PARM_DESC(dump_on_oops, "how many of the last events of each CPU to print at an oops or a panic (default 0)");

/*
 * Texts.  A file of a parameter is written as a whole, so each write replaces the value.
 */

/* A list with "+" in front is added to the others. */
static int set_patterns(char *text)
{
	const bool more = *text == '+';

	return marker_control_set_patterns(&marker_top, text + more, !more);
}

static int set_clock(char *text)
{
	return marker_settings_set_clock(&marker_top, text);
}

static int set_contexts(char *text)
{
	return marker_settings_set_contexts(&marker_top, text);
}

/* sysfs cuts a write into pages, so a full page may be the first part of a text. */
static int check_whole(const char *text, const struct kernel_param *kp)
{
	if (strlen(text) < PAGE_SIZE)
		return 0;
	marker_log("%s: a parameter takes at most %lu bytes in one write%s", kp->name,
		   PAGE_SIZE - 1,
		   strcmp(kp->name, "enable") && strcmp(kp->name, "publish") ? "" :
		   ": write parts, with a + in front of all but the first");
	return -E2BIG;
}

static int set_text(const char *text, const struct kernel_param *kp,
		    int (*set)(char *text))
{
	char *copy;
	int err;

	if (!connected)
		return param_set_charp(text, kp);
	err = marker_file_check() ?: check_whole(text, kp);
	if (err)
		return err;
	copy = kstrdup(text, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	err = set(copy);
	kfree(copy);
	return err;
}

static int set_enable(const char *text, const struct kernel_param *kp)
{
	return set_text(text, kp, set_patterns);
}

static int print_rules(const struct marker_rules *rules, char *text)
{
	int len;

	marker_registry_lock();
	len = marker_rules_print(rules, text, PAGE_SIZE - 1);
	marker_registry_unlock();
	if (len < 0)
		return len;
	text[len++] = '\n';
	text[len] = '\0';
	return len;
}

static int get_enable(char *text, const struct kernel_param *kp)
{
	return connected ? print_rules(&marker_top.rules, text) : param_get_charp(text, kp);
}

static const struct kernel_param_ops enable_ops = {
	.set = set_enable,
	.get = get_enable,
	.free = param_free_charp,
};

module_param_cb(enable, &enable_ops, &marker_params.enable, 0640);
__MODULE_PARM_TYPE(enable, "charp");
MODULE_PARM_DESC(enable, "markers to enable, now or when their module comes: [!][module:]name, globs, with options such as =count, separated by commas, not blanks; written later, + in front adds to the list");

static int set_published(char *text)
{
	const bool more = *text == '+';

	return marker_publish_set(text + more, !more);
}

static int set_publish(const char *text, const struct kernel_param *kp)
{
	return set_text(text, kp, set_published);
}

static int get_publish(char *text, const struct kernel_param *kp)
{
	return connected ? print_rules(&marker_publish_rules, text) : param_get_charp(text, kp);
}

static const struct kernel_param_ops publish_ops = {
	.set = set_publish,
	.get = get_publish,
	.free = param_free_charp,
};

module_param_cb(publish, &publish_ops, &marker_params.publish, 0640);
__MODULE_PARM_TYPE(publish, "charp");
MODULE_PARM_DESC(publish, "markers to publish as events of tracefs, for ftrace, perf and BPF: patterns as of enable=, without options");

static int set_trace_clock(const char *text, const struct kernel_param *kp)
{
	return set_text(text, kp, set_clock);
}

static int get_trace_clock(char *text, const struct kernel_param *kp)
{
	if (!connected)
		return param_get_charp(text, kp);
	return scnprintf(text, PAGE_SIZE, "%s\n", marker_top.clock.name);
}

static const struct kernel_param_ops trace_clock_ops = {
	.set = set_trace_clock,
	.get = get_trace_clock,
	.free = param_free_charp,
};

module_param_cb(trace_clock, &trace_clock_ops, &marker_params.trace_clock, 0640);
__MODULE_PARM_TYPE(trace_clock, "charp");
MODULE_PARM_DESC(trace_clock, "tsc, mono, boot or counter (default: tsc where the kernel vouches for it, else mono)");

static int set_context_names(const char *text, const struct kernel_param *kp)
{
	return set_text(text, kp, set_contexts);
}

static int get_context_names(char *text, const struct kernel_param *kp)
{
	char names[MARKER_CONTEXT_LIST_SIZE];

	if (!connected)
		return param_get_charp(text, kp);
	return scnprintf(text, PAGE_SIZE, "%s\n",
			 marker_context_list(names, marker_recording_contexts(&marker_top)));
}

static const struct kernel_param_ops contexts_ops = {
	.set = set_context_names,
	.get = get_context_names,
	.free = param_free_charp,
};

module_param_cb(contexts, &contexts_ops, &marker_params.contexts, 0640);
__MODULE_PARM_TYPE(contexts, "charp");
MODULE_PARM_DESC(contexts, "contexts of each event: tid, flags, procname, pid, vtid, vpid, prio, cgroup_id, callstack_kernel, separated by commas (default tid,flags,procname)");

/* The parameters that cannot change later. */

module_param_named(gid, marker_params.files.gid, uint, 0444);
MODULE_PARM_DESC(gid, "group of the files in debugfs (default 0)");

module_param_named(file_mode, marker_params.files.mode, uint, 0444);
MODULE_PARM_DESC(file_mode, "permissions of the files in debugfs, octal (default 0640)");

/* "hw": lockdown refuses it, since it makes the kernel write to an address */
module_param_hw_named(persist, marker_params.persist, charp, iomem, 0444);
MODULE_PARM_DESC(persist, "reserved memory to record in, which survives a reboot: ADDRESS:SIZE of memmap=, or a name of reserve_mem= (default: none)");

module_param_named(kdump, marker_params.kdump, bool, 0444);
MODULE_PARM_DESC(kdump, "keep notes in memory, so that markers-vmcore-to-ctf finds the trace in a dump (default 0)");
