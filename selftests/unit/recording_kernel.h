/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What markers/record uses of the kernel besides stream_kernel.h, in user space:
 * force-included after that.
 *
 * A test can do what another CPU or an NMI would do: at each barrier, before each WRITE_ONCE(),
 * atomic_long_set() and each kind of cmpxchg(), and in each grace period.
 */
#ifndef _UNIT_CHANNEL_KERNEL_H
#define _UNIT_CHANNEL_KERNEL_H

#include <limits.h>

#define KBUILD_MODNAME		"markers"
#define __init
#define asmlinkage
#define TASK_COMM_LEN		16

/* Called at each of these, if not NULL. */
__unit_weak void (*unit_meanwhile)(void);

__unit_weak unsigned int unit_grace_periods;

static inline void unit_step(void)
{
	if (unit_meanwhile)
		unit_meanwhile();
}

#undef WRITE_ONCE
#define WRITE_ONCE(x, v)	(unit_step(), *(volatile typeof(x) *)&(x) = (v))
#undef smp_mb
#define smp_mb()		(__atomic_thread_fence(__ATOMIC_SEQ_CST), unit_step())
#define synchronize_rcu()	(unit_grace_periods++, unit_step())

#undef atomic_long_set
#define atomic_long_set(v, n)	(unit_step(), (void)((v)->counter = (n)))

#define atomic_long_cmpxchg(v, old, new)	(unit_step(), atomic_long_cmpxchg(v, old, new))

#define cmpxchg(p, old, new) ({						\
	typeof(*(p)) _o = (old);					\
	unit_step();							\
	__atomic_compare_exchange_n((p), &_o, (new), false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);	\
	_o; })

/* Of each CPU: the name is that of the first one. */
#define DECLARE_PER_CPU(type, name)	extern type name ## _of[NR_CPUS]
#define DEFINE_PER_CPU(type, name)	type name ## _of[NR_CPUS]
#define marker_ring_cpu		(*marker_ring_cpu_of)
#define raw_cpu_ptr(p)		(&(p)[unit_cpu])

#define DEFINE_MUTEX(name)	struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
typedef int spinlock_t;
#define DEFINE_SPINLOCK(name)	spinlock_t name
/* One thread: whoever finds it locked would wait for ever. */
#define spin_lock(l)		(assert(!*(l)), (void)(*(l) = 1))
#define spin_unlock(l)		(assert(*(l)), (void)(*(l) = 0))
#define refcount_read(r)	((r)->refs)

struct cpumask {
	u64 bits;
};

#define cpumask_first(m)	((m)->bits ? __builtin_ctzll((m)->bits) : NR_CPUS)
#define cpumask_test_cpu(c, m)	((m)->bits >> (c) & 1)
#define cpumask_set_cpu(c, m)	((m)->bits |= 1ull << (c))
#define cpumask_clear_cpu(c, m)	((m)->bits &= ~(1ull << (c)))
#define cpumask_clear(m)	((m)->bits = 0)

#define mutex_destroy(l)	((void)(l))
#define kvcalloc(n, size, flags)	calloc(n, size)
#define current			NULL
#define task_tgid_nr(task)	((void)(task), 1)
#define get_task_comm(to, task)	((void)(task), strcpy(to, "unit"))
#define num_online_cpus()	NR_CPUS
#define si_mem_available()	LONG_MAX
#define generate_random_uuid(u)	memset(u, 1, CTF_UUID_SIZE)
#define pr_err(...)		((void)0)

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	unsigned long power = 1;

	while (power < n)
		power *= 2;
	return power;
}

/* In place of log.h and rules.h. */
#define _MARKERS_LOG_H
#define _MARKERS_RULES_H

void marker_log(const char *format, ...);

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD_INIT(name)	{ &(name), &(name) }
#define LIST_HEAD(name)		struct list_head name = LIST_HEAD_INIT(name)
#define INIT_LIST_HEAD(list)	((list)->next = (list)->prev = (list))

struct marker_rules {
	struct list_head list, globs;
	unsigned long changes;
	bool stacks_allowed;
};

#define MARKER_RULES_INIT(rules)	{ }

#endif /* _UNIT_CHANNEL_KERNEL_H */
