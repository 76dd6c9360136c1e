/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes of the kernel's own tracepoints.  The kernel does not export most of them, but it
 * exports a function that calls us for each one, so we look them up by name.
 *
 * Nothing compares a probe's arguments with those of its tracepoint then.  The headers
 * declare the arguments, though: with CHECK_PROTOTYPE() the compiler reports a difference.
 */
#ifndef _SAMPLES_HOOKS_H
#define _SAMPLES_HOOKS_H

#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

/**
 * struct hook - a probe
 * @name:	its tracepoint
 * @probe:	with the prototype of that
 * @tp:		the tracepoint; NULL: this kernel has none of that name
 */
struct hook {
	const char *name;
	void *probe;
	struct tracepoint *tp;
};

struct hooks {
	struct hook *hook;
	unsigned int nr;
};

#define HOOK(event)		{ .name = #event, .probe = on_ ## event },
#define CHECK_PROTOTYPE(event)	check_trace_callback_type_ ## event(on_ ## event);

static void hooks_find(struct tracepoint *tp, void *data)
{
	const struct hooks *hooks = data;
	unsigned int i;

	for (i = 0; i < hooks->nr; i++) {
		if (!strcmp(hooks->hook[i].name, tp->name))
			hooks->hook[i].tp = tp;
	}
}

/* Undo the first @nr, last one first, and wait for the probes that still run. */
static void hooks_remove(struct hook *hook, unsigned int nr)
{
	while (nr--) {
		if (hook[nr].tp)
			tracepoint_probe_unregister(hook[nr].tp, hook[nr].probe, NULL);
	}
	tracepoint_synchronize_unregister();
}

/* A tracepoint that this kernel lacks is only noted. */
static int hooks_add(struct hook *hook, unsigned int nr)
{
	struct hooks hooks = { hook, nr };
	unsigned int i;
	int err;

	for_each_kernel_tracepoint(hooks_find, &hooks);
	for (i = 0; i < nr; i++) {
		if (!hook[i].tp) {
			pr_notice("this kernel has no tracepoint %s\n", hook[i].name);
			continue;
		}
		err = tracepoint_probe_register(hook[i].tp, hook[i].probe, NULL);
		if (err) {
			hooks_remove(hook, i);
			return err;
		}
	}
	return 0;
}

#endif /* _SAMPLES_HOOKS_H */
