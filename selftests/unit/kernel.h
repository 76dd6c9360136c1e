/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel services that the files of markers/ring/ use, in user
 * space and under the kernel's names.  Included by base.h.
 *
 * A CPU is a thread: a test thread that sets unit_cpu writes to that CPU's
 * buffers, and signals that interrupt it stand for interrupts.  An operation that is
 * atomic on one CPU in the kernel must be atomic with respect to signals here; an x86
 * instruction without the lock prefix is.
 *
 * Variables are weak, so that this header can be included by every object.
 */
#ifndef _UNIT_KERNEL_H
#define _UNIT_KERNEL_H

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define __percpu
#define __ro_after_init
#define __read_mostly
#define __init
#define ____cacheline_aligned	__attribute__((aligned(64)))
#define __unit_weak		__attribute__((weak))

#define PAGE_SIZE		4096UL
#define PAGE_SHIFT		12
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define offset_in_page(p)	((unsigned long)(p) & ~PAGE_MASK)
#define NSEC_PER_SEC		1000000000L
#define S64_MAX			0x7fffffffffffffffll
#define S64_MIN			((s64)(-S64_MAX - 1))
#define ERESTARTSYS		512

#define WARN_ON_ONCE(c)		({ bool _c = (c); assert(!_c); _c; })
#define pr_warn(...)		fprintf(stderr, __VA_ARGS__)
#ifdef __SANITIZE_THREAD__	/* as KCSAN does; what it writes is looked at all the same */
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
#define data_race(x)		({				\
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);		\
	__auto_type _value = (x);				\
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);		\
	_value; })
#else
#define data_race(x)		(x)
#endif
#define ALIGN(x, a)		(((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define is_power_of_2(n)	((n) && !((n) & ((n) - 1)))
#define ilog2(n)		(63 - __builtin_clzl(n))
#define PAGE_ALIGN(x)		ALIGN(x, PAGE_SIZE)
#define get_order(size)		((size) <= PAGE_SIZE ? 0 : ilog2((size) - 1) + 1 - PAGE_SHIFT)

#define IS_ERR(p)		((unsigned long)(p) >= (unsigned long)-MAX_ERRNO)
#define IS_ERR_OR_NULL(p)	(!(p) || IS_ERR(p))
#define PTR_ERR(p)		((long)(p))
#define PTR_ERR_OR_ZERO(p)	(IS_ERR(p) ? PTR_ERR(p) : 0)
#define ERR_PTR(err)		((void *)(long)(err))

static inline u64 div64_u64_rem(u64 a, u64 b, u64 *rem)
{
	*rem = a % b;
	return a / b;
}

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

/* A test can do once at these places what an interrupt or another CPU would do. */

__unit_weak void (*unit_before_cmpxchg)(void);
__unit_weak void (*unit_after_cmpxchg)(void);
__unit_weak void (*unit_before_rmb)(void);
__unit_weak void (*unit_after_time)(void);
__unit_weak void (*unit_after_unlock)(void);
__unit_weak void (*unit_after_read)(void);	/* of a local_t */
__unit_weak void (*unit_after_try)(void);	/* a cmpxchg of a local_t that succeeded */

static inline void unit_run_once(void (**hook)(void))
{
	void (*fn)(void) = *hook;

	if (fn) {
		*hook = NULL;
		fn();
	}
}

/* Atomic between threads. */

typedef struct { long counter; } atomic_long_t;

#define atomic_long_read(v)		__atomic_load_n(&(v)->counter, __ATOMIC_RELAXED)
#define atomic_long_read_acquire(v)	__atomic_load_n(&(v)->counter, __ATOMIC_ACQUIRE)
#define atomic_long_set(v, n)		__atomic_store_n(&(v)->counter, (n), __ATOMIC_RELAXED)
#define atomic_long_inc_return(v)	__atomic_add_fetch(&(v)->counter, 1, __ATOMIC_RELAXED)
#define atomic_long_inc(v)		((void)atomic_long_inc_return(v))
#define atomic_long_dec(v)		((void)__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_RELAXED))
#define atomic_long_set_release(v, n)	__atomic_store_n(&(v)->counter, (n), __ATOMIC_RELEASE)

static inline long atomic_long_cmpxchg(atomic_long_t *v, long old, long new)
{
	unit_run_once(&unit_before_cmpxchg);
	__atomic_compare_exchange_n(&v->counter, &old, new, false,
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	unit_run_once(&unit_after_cmpxchg);
	return old;
}

/* Of one thread. */
static inline long atomic_long_dec_if_positive(atomic_long_t *v)
{
	return v->counter > 0 ? --v->counter : v->counter - 1;
}

struct llist_node {
	struct llist_node *next;
};

#define smp_load_acquire(p)		__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)		__atomic_store_n((p), (v), __ATOMIC_RELEASE)

/*
 * ThreadSanitizer does not know fences, and warns of one.  So it does not see that they
 * order anything; what they order in the ring is atomic or a data_race().
 */
#if defined(__SANITIZE_THREAD__) && defined(__x86_64__)
#define smp_mb()			__asm__ __volatile__("mfence" : : : "memory")
#define smp_wmb()			smp_mb()
#else
#define smp_mb()			__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_wmb()			__atomic_thread_fence(__ATOMIC_RELEASE)
#endif

static inline void smp_rmb(void)
{
	unit_run_once(&unit_before_rmb);
	smp_mb();
}

/* Atomic between a thread and its own signals; readable by other threads. */

typedef struct { long counter; } local_t;

static __always_inline long local_read(const local_t *l)
{
	long n = __atomic_load_n(&l->counter, __ATOMIC_RELAXED);

#ifndef UNIT_WITHOUT_HOOKS	/* for measurements */
	unit_run_once(&unit_after_read);
#endif
	return n;
}

#define local_set(l, n)			__atomic_store_n(&(l)->counter, (n), __ATOMIC_RELAXED)

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
static __always_inline bool local_try_cmpxchg(local_t *l, long *old, long new)
{
	bool done;

	__asm__ __volatile__("cmpxchgq %3, %1"
			     : "+a"(*old), "+m"(l->counter), "=@ccz"(done)
			     : "r"(new) : "memory");
	if (done)
		unit_run_once(&unit_after_try);
	return done;
}

static __always_inline long local_cmpxchg(local_t *l, long old, long new)
{
	__asm__ __volatile__("cmpxchgq %2, %1"
			     : "+a"(old), "+m"(l->counter)
			     : "r"(new) : "memory", "cc");
	return old;
}

static __always_inline bool local_add_negative(long n, local_t *l)
{
	bool negative;

	__asm__ __volatile__("addq %2, %0"
			     : "+m"(l->counter), "=@ccs"(negative) : "er"(n) : "memory");
	return negative;
}

static __always_inline void local_add(long n, local_t *l)
{
	__asm__ __volatile__("addq %1, %0" : "+m"(l->counter) : "er"(n));
}
#else
static __always_inline bool local_try_cmpxchg(local_t *l, long *old, long new)
{
	bool done = __atomic_compare_exchange_n(&l->counter, old, new, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED);

	if (done)
		unit_run_once(&unit_after_try);
	return done;
}

static __always_inline long local_cmpxchg(local_t *l, long old, long new)
{
	__atomic_compare_exchange_n(&l->counter, &old, new, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}

#define local_add(n, l)		\
	((void)__atomic_add_fetch(&(l)->counter, (n), __ATOMIC_RELAXED))
#define local_add_negative(n, l)	\
	(__atomic_add_fetch(&(l)->counter, (n), __ATOMIC_RELAXED) < 0)
#endif

#define local_inc(l)			local_add(1, l)

#define local64_t			local_t
#define local64_read(l)			((u64)local_read(l))
#define local64_add(n, l)		local_add((long)(n), l)
#define local64_inc(l)			local_add(1, l)

/* CPUs. */

#define NR_CPUS			16

__unit_weak __thread int unit_cpu;
__unit_weak bool unit_cpu_offline[NR_CPUS];

/* A test with real threads provides the way to run something on another one. */
__unit_weak void (*unit_call)(int cpu, void (*fn)(void *), void *arg);

#define preempt_disable_notrace()	((void)0)
#define preempt_enable_notrace()	((void)0)
#define cond_resched()		((void)0)
#define preempt_disable()	((void)0)
#define preempt_enable()	((void)0)
#define smp_processor_id()	(unit_cpu)
#define nr_cpu_ids		NR_CPUS
#define cpu_possible(cpu)	((unsigned int)(cpu) < NR_CPUS)
#define cpu_online(cpu)		(!unit_cpu_offline[cpu])
#define cpu_to_node(cpu)	((void)(cpu), 0)
#define for_each_possible_cpu(cpu) \
	for ((cpu) = 0; (cpu) < NR_CPUS; (cpu)++)
#define cpus_read_lock()	((void)0)
#define cpus_read_unlock()	((void)0)

static inline int smp_call_function_single(int cpu, void (*fn)(void *), void *arg, int wait)
{
	assert(wait);
	if (cpu == unit_cpu || !unit_call)
		fn(arg);
	else
		unit_call(cpu, fn, arg);
	return 0;
}

typedef struct { int refs; } refcount_t;

#define refcount_set(r, n)	((r)->refs = (n))
#define refcount_inc(r)		((void)(r)->refs++)
#define refcount_dec_and_test(r) (!--(r)->refs)

/* Nobody waits for it here: a writer that would have to is an error. */
struct rw_semaphore {
	int readers;
};

#define DECLARE_RWSEM(name)	struct rw_semaphore name
#define init_rwsem(s)		((void)((s)->readers = 0))
#define down_read(s)		((void)(s)->readers++)
#define up_read(s)		((void)(s)->readers--)
#define down_write(s)		assert(!(s)->readers)
#define up_write(s)		((void)(s))

/* An array with one element per CPU. */
#define alloc_percpu_gfp(type, gfp) \
	((type *)unit_zalloc(_Alignof(type), NR_CPUS * sizeof(type)))
#define free_percpu(p)		free(p)
#define per_cpu_ptr(p, cpu)	((p) + (cpu))
#define this_cpu_ptr(p)		((p) + unit_cpu)

/* CPU hotplug: a test calls unit_cpu_up() to bring up one that was offline. */

enum cpuhp_state { CPUHP_BP_PREPARE_DYN = 1, CPUHP_BP_PREPARE_DYN_END = 20 };

struct hlist_node {
	struct hlist_node *next, **pprev;
};

__unit_weak int (*unit_cpuhp_prepare)(unsigned int cpu, struct hlist_node *node);

#define cpuhp_setup_state_multi(state, name, up, down) \
	(unit_cpuhp_prepare = (up), (void)(state), 0)
#define cpuhp_remove_multi_state(state)			((void)(state))
#define cpuhp_state_remove_instance_nocalls(state, node) ((void)(state), (void)(node))

static inline int cpuhp_state_add_instance(int state, struct hlist_node *node)
{
	int cpu, err = 0;

	(void)state;
	for_each_possible_cpu(cpu)
		if (cpu_online(cpu) && !err)
			err = unit_cpuhp_prepare(cpu, node);
	return err;
}

static inline int unit_cpu_up(int cpu, struct hlist_node *node)
{
	int err = unit_cpuhp_prepare(cpu, node);

	unit_cpu_offline[cpu] = err;
	return err;
}

/* Memory.  The unit_alloc_fail-th allocation from now on fails. */

typedef unsigned int gfp_t;

#define GFP_KERNEL		0u
#define GFP_KERNEL_ACCOUNT	GFP_KERNEL
#define __GFP_NORETRY		1u
#define __GFP_NOFAIL		2u
#define __GFP_NOWARN		0u
#define __GFP_ZERO		0u

__unit_weak long unit_alloc_fail;
__unit_weak long unit_pages;		/* not freed yet */

/* Called once, at the next allocation, if not NULL. */
__unit_weak void (*unit_on_alloc)(void);

static inline void *unit_zalloc(size_t align, size_t size)
{
	void (*on_alloc)(void) = unit_on_alloc;
	void *p;

	unit_on_alloc = NULL;
	if (on_alloc)
		on_alloc();
	if (unit_alloc_fail && !--unit_alloc_fail)
		return NULL;
	p = aligned_alloc(max(align, sizeof(void *)), ALIGN(size, max(align, sizeof(void *))));
	if (p)
		memset(p, 0, size);
	return p;
}

struct page;

/* Every page is a mapping of its own, so that an access faults once it is freed. */
static inline struct page *alloc_pages_node(int node, gfp_t gfp, unsigned int order)
{
	void *p;

	(void)node;
	(void)gfp;
	if (unit_alloc_fail && !--unit_alloc_fail)
		return NULL;
	p = mmap(NULL, PAGE_SIZE << order, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	__atomic_fetch_add(&unit_pages, 1L << order, __ATOMIC_RELAXED);
	return p;
}

static inline void __free_page(struct page *page)
{
	__atomic_fetch_sub(&unit_pages, 1, __ATOMIC_RELAXED);
	munmap(page, PAGE_SIZE);
}

#define split_page(page, order)	((void)(page), (void)(order))
#define page_address(page)	((void *)(page))
#define virt_to_page(p)		((struct page *)(p))


static inline void *unit_kzalloc(size_t size, gfp_t gfp)
{
	const long fail = unit_alloc_fail;
	void *p;

	if (gfp & __GFP_NOFAIL)
		unit_alloc_fail = 0;
	p = unit_zalloc(8, size);
	if (gfp & __GFP_NOFAIL)
		unit_alloc_fail = fail;
	return p;
}

#define kzalloc(size, gfp)		unit_kzalloc(size, gfp)
#define array_size(n, size)		((size_t)(n) * (size))
#define kvzalloc_node(size, gfp, node) ((void)(node), unit_zalloc(64, size))
#define kvzalloc(size, gfp)		unit_zalloc(64, size)
#define kfree(p)			free((void *)(p))
#define kvfree(p)			free(p)

#define sort_r(base, nr, size, compare, swap, priv) \
	((void)(swap), qsort_r(base, nr, size, (__compar_d_fn_t)(compare), (void *)(priv)))

/* Mutexes. */

struct mutex {
	pthread_mutex_t m;
};

#define mutex_init(l)			pthread_mutex_init(&(l)->m, NULL)
#define mutex_lock(l)			pthread_mutex_lock(&(l)->m)
#define mutex_lock_interruptible(l)	pthread_mutex_lock(&(l)->m)
#define mutex_unlock(l)			(assert(pthread_mutex_trylock(&(l)->m) == EBUSY),	\
					 pthread_mutex_unlock(&(l)->m),	\
					 unit_run_once(&unit_after_unlock))
#define lockdep_assert_held(l)		((void)(l))

/*
 * Sleeping: a nap at a time, so that a lost wake-up shows as a time-out.  Naps count once
 * there is something to wake up for: a writer may be kept from running for any time.
 */

typedef struct { long woken; } wait_queue_head_t;

struct irq_work {
	void (*func)(struct irq_work *work);
};

struct file;
struct poll_table_struct;

#define EPOLLIN			((unsigned int)POLLIN)
#define EPOLLRDNORM		((unsigned int)POLLRDNORM)

#define UNIT_NAPS		1000

__unit_weak long unit_wait_timeouts;	/* so many naps, and no wake-up */

/* Counts what a sleeper waits for; NULL: it is there already. */
__unit_weak u64 (*unit_progress)(void);

#define init_waitqueue_head(q)		((q)->woken = 0)
#define wake_up_interruptible_poll(q, mask) \
	__atomic_fetch_add(&(q)->woken, 1, __ATOMIC_RELEASE)
#define init_irq_work(w, f)		((w)->func = (f))
#define irq_work_queue(w)		(w)->func(w)
#define irq_work_sync(w)		((void)(w))
#define poll_wait(file, q, table)	((void)(file), (void)(table))

/* Checks the condition only after a wake-up, as a sleeping task does. */
#define wait_event_interruptible(q, condition) ({			\
	struct timespec _t = { 0, 20000 };				\
	long _seen = __atomic_load_n(&(q).woken, __ATOMIC_ACQUIRE);	\
	int _n = 0;							\
	while (!(condition) && _n < UNIT_NAPS) {			\
		u64 _begun = unit_progress ? unit_progress() : 0;	\
		long _now;						\
		while ((_now = __atomic_load_n(&(q).woken, __ATOMIC_ACQUIRE)) == _seen && \
		       _n < UNIT_NAPS) {				\
			nanosleep(&_t, NULL);				\
			/* the first may have been complete before */	\
			_n += !unit_progress || unit_progress() > _begun + 1; \
		}							\
		_seen = _now;						\
	}								\
	unit_wait_timeouts += _n == UNIT_NAPS;				\
	0; })

/* Time: set by the test, or the real one. */

__unit_weak u64 unit_time_ns;

static inline u64 ktime_get_mono_fast_ns(void)
{
	struct timespec ts;

	if (unit_time_ns) {
		u64 ns = unit_time_ns;

		unit_run_once(&unit_after_time);
		return ns;
	}
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#define ktime_get_boot_fast_ns()	ktime_get_mono_fast_ns()

static inline u64 ktime_get_real_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

__unit_weak u64 unit_set_back;	/* by which the counter was set back */

static __always_inline u64 get_cycles(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc() - unit_set_back;
#else
	return ktime_get_mono_fast_ns();
#endif
}

#endif /* _UNIT_KERNEL_H */
