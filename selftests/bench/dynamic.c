// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobes with an empty handler, placed in each of the kernel's three ways, of which arm64 has
 * the breakpoint.  The benchmark subtracts the cost of the same function without a kprobe.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/linkage.h>

#include <markers/arch/site.h>

#include "bench.h"

#ifdef CONFIG_ARM64
#define TARGET_LABEL	"bench_target_middle:\n\t"
#define TARGET_CODE			\
	"mov w0, #1\n\t"		\
	"mov w0, #2\n\t"		\
	"mov w0, #3"
#define TARGET_CLOBBER	"x0"
#else
#define TARGET_LABEL	ANNOTATE_NOENDBR "bench_target_middle:\n\t"
#define TARGET_CODE			\
	"movl $1, %%eax\n\t"		\
	"movl $2, %%eax\n\t"		\
	"movl $3, %%eax"
#define TARGET_CLOBBER	"eax"
#endif

/*
 * The code at bench_target_middle is long enough for a jump, no branch leads into
 * it, and the kernel can copy its instructions elsewhere.
 */
void bench_target_middle(void);

static noinline void target(void)
{
	asm volatile(TARGET_LABEL TARGET_CODE : : : TARGET_CLOBBER);
}

BENCH_LOOP(loop_target, target())

/* The same without ftrace's code at the entry of each function. */
static noinline notrace void target_plain(void)
{
	asm volatile(TARGET_CODE : : : TARGET_CLOBBER);
}

BENCH_LOOP(loop_target_plain, target_plain())

static int pre(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(pre);

static struct kprobe kprobe;

static int begin(void *addr)
{
	kprobe = (struct kprobe) {
		.addr = addr,
		.pre_handler = pre,
	};
	return register_kprobe(&kprobe);
}

static int end(void)
{
	bool missed = kprobe.nmissed;

	unregister_kprobe(&kprobe);
	return missed ? -EIO : 0;
}

/* On ftrace's nop, a kprobe becomes a user of ftrace. */
static int begin_ftrace(void)
{
	int err;

	err = begin(target);
	if (!err && !(kprobe.flags & KPROBE_FLAG_FTRACE)) {
		end();
		err = -EIO;
	}
	return err;
}

static int begin_ftrace_off(void)
{
	return begin_ftrace() ?: disable_kprobe(&kprobe);
}

static int begin_middle_off(void)
{
	return begin(bench_target_middle) ?: disable_kprobe(&kprobe);
}

/* Becomes a jump after a while, if /proc/sys/debug/kprobes-optimization is 1. */
static int begin_middle(void)
{
	int err;

	err = begin(bench_target_middle);
	if (!err)
		msleep(500);
	return err;
}

const struct bench_op bench_dynamic_ops[] = {
	{ "target", loop_target },
	{ "target_plain", loop_target_plain },
	{ "kprobe_ftrace_off", loop_target, NULL, begin_ftrace_off, end },
	{ "kprobe_middle_off", loop_target, NULL, begin_middle_off, end },
	{ "kprobe_ftrace", loop_target, NULL, begin_ftrace, end },
	{ "kprobe_middle", loop_target, NULL, begin_middle, end },
	{ }
};
