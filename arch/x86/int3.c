// SPDX-License-Identifier: GPL-2.0
/*
 * The trap side: a CPU executed a breakpoint that we wrote over the first byte
 * of a site, because the site is being patched or because the breakpoint is how
 * it is armed.  The kernel's int3 handler calls this after kprobes, in any context,
 * NMI too.
 *
 * The trap gathers no argument and runs no probe.  It only sends the instruction
 * pointer to where the finished instruction would: after the site, or to the
 * cold block, where compiled code does the rest in the interrupted context.
 *
 * Nothing here takes a lock, and nothing here can be kprobed or traced.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/export.h>
#include <linux/kdebug.h>
#include <linux/kgdb.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <linux/ptrace.h>

#include "../../markers/arch.h"
#include "../../markers/marker_types.h"
#include "insn.h"
#include <markers/arch/site.h>
#include "trap.h"

/*
 * They are in thunk.S, but exported here, because the checksum of an export comes from a
 * prototype in C.  It must include struct marker, and not the structs that its members
 * point to.
 */
EXPORT_SYMBOL_GPL(marker_thunk);
EXPORT_SYMBOL_GPL(marker_thunk_many);

const char *const marker_arch_fire_symbol = "marker_thunk";

static int int3_notify(struct notifier_block *nb, unsigned long why,
		       void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;
	struct marker_site *site;

	if (why != DIE_INT3 || user_mode(regs))
		return NOTIFY_DONE;
	site = marker_arch_find_site(regs->ip - INT3_SIZE);
	/* else not our site, or a foreign breakpoint at it */
	return trap_handle(site, &regs->ip) ? NOTIFY_STOP : NOTIFY_DONE;
}
NOKPROBE_SYMBOL(int3_notify);

/* The first notifier: the others would look for the address in longer lists. */
static struct notifier_block int3_block = {
	.notifier_call = int3_notify,
	.priority = INT_MAX,
};

/* kgdb looks at breakpoints before any notifier, and treats ours as its own. */
static void __init warn_of_debugger(void)
{
#ifdef CONFIG_KGDB_LOW_LEVEL_TRAP
	if (kgdb_connected)
		pr_warn("a kernel debugger is connected: it will stop the machine where markers are switched\n");
#endif
}

int __init marker_arch_init(void)
{
	warn_of_debugger();
	return register_die_notifier(&int3_block);
}

/* No site is left by now: modules with sites depend on this one, or were left behind. */
void marker_arch_exit(void)
{
	unregister_die_notifier(&int3_block);
}
