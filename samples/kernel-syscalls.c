// SPDX-License-Identifier: GPL-2.0
/*
 * A marker for each system call of the running kernel: sys_openat, sys_read ... and
 * exit_syscall for the end of all, as the kernel views of Trace Compass want them.
 *
 * With markers.ko loaded:
 *
 *	# insmod kernel-syscalls.ko
 *	# echo 'sys_open* exit_syscall' >/sys/kernel/debug/markers/set_marker
 *	# cat /proc/version
 *	# grep -A 1 sys_open /sys/kernel/debug/markers/trace
 *	# rmmod kernel_syscalls
 *
 * Arguments are numbers only: they may point to user memory, which may change.  A 32-bit
 * program's calls are compat_sys_call, with their numbers.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/compat.h>
#include <linux/module.h>
#include <linux/sched.h>

#include <asm/syscall.h>

#include <trace/events/syscalls.h>

#include <markers/marker.h>

#include "hooks.h"

#define ARGUMENTS	"a0 %#lx a1 %#lx a2 %#lx a3 %#lx a4 %#lx a5 %#lx"

/* @name is expanded before it becomes the marker's name. */
#define CALL(name, fmt, values...)					\
	trace_mark(name, fmt, ##values, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5])

/*
 * The kernel's own table, which its build makes, has a line for each call.  Before 5.12 that of x86
 * says which calls are only for 64 bits, and has those of x32, which are not the kernel's own
 * names.  Before 6.11 that of arm64 is in the header which has the numbers.
 */
#ifdef __CHECKER__
/* sparse cannot parse __has_include() */
#elif __has_include(<asm/syscalls_64.h>)
#define HAS_SYSCALLS_64
#elif __has_include(<asm/syscall_table_64.h>)
#define HAS_SYSCALL_TABLE_64
#elif defined(__SYSCALL)
#define HAS_TABLE_OF_NUMBERS
#endif

#undef __SYSCALL
#define __SYSCALL(number, name)						\
	case number:							\
		CALL(name, ARGUMENTS);					\
		break;
#define __SYSCALL_NORETURN(number, name)		__SYSCALL(number, name)
#define __SYSCALL_WITH_COMPAT(number, name, compat)	__SYSCALL(number, name)
#define __SYSCALL_COMMON(number, name)			__SYSCALL(number, name)
#define __SYSCALL_64(number, name)			__SYSCALL(number, name)
#define __SYSCALL_X32(number, name)

static void on_sys_enter(void *data, struct pt_regs *regs, long id)
{
	unsigned long arg[6];

	syscall_get_arguments(current, regs, arg);
	if (in_compat_syscall()) {
		CALL(compat_sys_call, "nr %ld " ARGUMENTS, id);
		return;
	}
	switch (id) {
#if defined(HAS_SYSCALLS_64)
#include <asm/syscalls_64.h>
#elif defined(HAS_SYSCALL_TABLE_64)
#include <asm/syscall_table_64.h>
#elif defined(HAS_TABLE_OF_NUMBERS)
#include <asm/unistd.h>
#endif
	default:
		CALL(sys_call, "nr %ld " ARGUMENTS, id);
	}
}

static void on_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	trace_mark(exit_syscall, "nr %d ret %ld", syscall_get_nr(current, regs), ret);
}

#define EVENTS(use)							\
	use(sys_enter)							\
	use(sys_exit)

static __maybe_unused void check_prototypes(void)
{
	EVENTS(CHECK_PROTOTYPE)
}

static struct hook hooks[] = { EVENTS(HOOK) };

static int __init kernel_syscalls_init(void)
{
	return hooks_add(hooks, ARRAY_SIZE(hooks));
}
module_init(kernel_syscalls_init);

static void __exit kernel_syscalls_exit(void)
{
	hooks_remove(hooks, ARRAY_SIZE(hooks));
}
module_exit(kernel_syscalls_exit);

MODULE_DESCRIPTION("Sample: a marker for each system call");
MODULE_LICENSE("GPL");
