/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What markers/control/deferred.c uses of the kernel besides dispatch_kernel.h, in user space:
 * force-included after that.
 *
 * A work waits until a test calls unit_run_works() or flushes it.
 */
#ifndef _UNIT_DEFERRED_KERNEL_H
#define _UNIT_DEFERRED_KERNEL_H

#define __init
#define HZ			250
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define time_before(a, b)	((long)((a) - (b)) < 0)

__unit_weak unsigned long jiffies;

#define xchg(p, v)		__atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)
#define cmpxchg(p, old, new) ({						\
	typeof(*(p)) _o = (old);					\
	__atomic_compare_exchange_n((p), &_o, (new), false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);	\
	_o; })

/* Called once, after the next atomic_long_inc_return(), if not NULL. */
__unit_weak void (*unit_after_inc_return)(void);

#undef atomic_long_inc
#undef atomic_long_inc_return
#define atomic_long_inc(v)	((void)__atomic_add_fetch(&(v)->counter, 1, __ATOMIC_RELAXED))

static inline long atomic_long_inc_return(atomic_long_t *v)
{
	const long n = __atomic_add_fetch(&v->counter, 1, __ATOMIC_RELAXED);

	unit_run_once(&unit_after_inc_return);
	return n;
}

/* Lists without a lock. */

struct llist_head {
	struct llist_node *first;
};

#define LLIST_HEAD(name)	struct llist_head name
#define llist_empty(head)	(!READ_ONCE((head)->first))

static inline bool llist_add(struct llist_node *new, struct llist_head *head)
{
	new->next = head->first;
	head->first = new;
	return !new->next;
}

static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	struct llist_node *first = head->first;

	head->first = NULL;
	return first;
}

static inline struct llist_node *llist_reverse_order(struct llist_node *node)
{
	struct llist_node *first = NULL, *next;

	for (; node; node = next) {
		next = node->next;
		node->next = first;
		first = node;
	}
	return first;
}

#define unit_llist_at(pos, p, member) \
	({ struct llist_node *_n = (p); _n ? container_of(_n, typeof(*(pos)), member) : NULL; })

#define llist_for_each_entry_safe(pos, n, node, member)			\
	for (pos = unit_llist_at(pos, node, member);			\
	     pos && (n = unit_llist_at(pos, pos->member.next, member), true);	\
	     pos = n)

/* Works. */

struct work_struct {
	void (*func)(struct work_struct *work);
	bool queued;
	struct work_struct *next;	/* in the list of all works that were ever queued */
};

struct delayed_work {
	struct work_struct work;
};

struct workqueue_struct {
	struct work_struct *works;
};

__unit_weak struct workqueue_struct unit_workqueue;
__unit_weak unsigned long unit_delay;	/* of the last work that got one */

#define DECLARE_WORK(name, f)		struct work_struct name = { .func = (f) }
#define DECLARE_DELAYED_WORK(name, f)	struct delayed_work name = { .work.func = (f) }
#define alloc_ordered_workqueue(...)	(&unit_workqueue)

static inline bool flush_work(struct work_struct *work)
{
	const bool queued = work->queued;

	work->queued = false;
	if (queued)
		work->func(work);
	return queued;
}

static inline void unit_run_works(void)
{
	struct work_struct *work;

	for (work = unit_workqueue.works; work; work = work->next)
		flush_work(work);
}

static inline bool queue_work(struct workqueue_struct *queue, struct work_struct *work)
{
	struct work_struct *other = queue->works;

	if (work->queued)
		return false;
	work->queued = true;
	while (other && other != work)
		other = other->next;
	if (!other) {
		work->next = queue->works;
		queue->works = work;
	}
	return true;
}

static inline bool queue_delayed_work(struct workqueue_struct *queue, struct delayed_work *work,
				      unsigned long delay)
{
	unit_delay = delay;
	return queue_work(queue, &work->work);
}

#define flush_delayed_work(w)		flush_work(&(w)->work)
#define destroy_workqueue(queue)	unit_run_works()

static inline u32 crc32_le(u32 crc, const u8 *bytes, size_t len)
{
	(void)bytes;
	(void)len;
	return crc;
}

#endif /* _UNIT_DEFERRED_KERNEL_H */
