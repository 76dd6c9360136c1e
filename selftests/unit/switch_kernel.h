/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What markers/log.c, markers/model/ and markers/control/ use of the kernel besides
 * kernel.h, in user space: force-included after base.h.  The headers that they include are
 * empty.
 *
 * A test has one thread.  It sees the messages (unit_kernel_log) and the objects that
 * wait for a grace period (unit_rcu), and can make the unit_alloc_fail-th allocation
 * fail.  A lock that the code asserts must be held.
 */
#ifndef _UNIT_SWITCH_KERNEL_H
#define _UNIT_SWITCH_KERNEL_H

/* The kernel disables this warning. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <stdarg.h>

#define __rcu
#define DEFINE_PER_CPU(type, name)	type name
#define DECLARE_PER_CPU(type, name)	extern type name
#define __section(name)		__attribute__((section(name)))
#define __used			__attribute__((used))
#define GOLDEN_RATIO_32		0x61C88647
#define NSEC_PER_USEC		1000L
#define NOTIFY_DONE		0
#define EXPORT_SYMBOL_GPL(s)	extern int unit_unused_##s
#define BUILD_BUG_ON_MSG(c, m)	_Static_assert(!(c), m)
#define __stringify_1(x...)	#x
#define __stringify(x...)	__stringify_1(x)
#define KBUILD_MODNAME		"markers"
#define MODULE_NAME_LEN		56
#define ENOEXEC			8
#define struct_size(p, member, n) (sizeof(*(p)) + sizeof((p)->member[0]) * (n))
#define READ_ONCE_NOCHECK(x)	READ_ONCE(x)

/* No marker is compiled here. */
#define _MARKERS_ARCH_SITE_H

/* Lists. */

struct list_head {
	struct list_head *next, *prev;
};

/* All CPUs in one word. */
struct cpumask {
	u64 bits;
};

#define LIST_HEAD_INIT(name)	{ &(name), &(name) }
#define LIST_HEAD(name)		struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline void unit_list_insert(struct list_head *new, struct list_head *prev)
{
	new->next = prev->next;
	new->prev = prev;
	prev->next->prev = new;
	prev->next = new;
}

#define list_add(new, head)		unit_list_insert(new, head)
#define list_add_tail(new, head)	unit_list_insert(new, (head)->prev)
#define list_add_tail_rcu(new, head)	list_add_tail(new, head)
#define list_del_rcu(entry)	list_del(entry)

static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
	entry->next = NULL;
	entry->prev = NULL;
}

static inline void list_del_init(struct list_head *entry)
{
	list_del(entry);
	INIT_LIST_HEAD(entry);
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

#define list_entry(p, type, member)	container_of(p, type, member)
#define unit_list_at(pos, p, member)	list_entry(p, typeof(*(pos)), member)

#define list_for_each_entry(pos, head, member)				\
	for (pos = unit_list_at(pos, (head)->next, member);		\
	     &pos->member != (head);					\
	     pos = unit_list_at(pos, pos->member.next, member))

#define list_first_entry(head, type, member)	list_entry((head)->next, type, member)

#define list_for_each_entry_from(pos, head, member)			\
	for (; &pos->member != (head);					\
	     pos = unit_list_at(pos, pos->member.next, member))

#define list_for_each_entry_reverse(pos, head, member)			\
	for (pos = unit_list_at(pos, (head)->prev, member);		\
	     &pos->member != (head);					\
	     pos = unit_list_at(pos, pos->member.prev, member))

#define list_for_each_entry_safe(pos, n, head, member)			\
	for (pos = unit_list_at(pos, (head)->next, member),		\
	     n = unit_list_at(pos, pos->member.next, member);		\
	     &pos->member != (head);					\
	     pos = n, n = unit_list_at(n, n->member.next, member))

/* Hashes; the node is that of kernel.h. */

struct hlist_head {
	struct hlist_node *first;
};

#define DEFINE_HASHTABLE(name, bits)	struct hlist_head name[1 << (bits)]
#define DECLARE_HASHTABLE(name, bits)	struct hlist_head name[1 << (bits)]
#define HASH_BITS(name)			ilog2(ARRAY_SIZE(name))
#define hash_min(value, bits)		((value) & ((1u << (bits)) - 1))
#define hash_add(name, node, key) \
	hlist_add_head(node, &(name)[hash_min(key, HASH_BITS(name))])

static inline void unit_hlist_insert(struct hlist_node *new, struct hlist_node **at)
{
	new->next = *at;
	new->pprev = at;
	if (new->next)
		new->next->pprev = &new->next;
	*at = new;
}

#define hlist_add_head(node, head)	unit_hlist_insert(node, &(head)->first)
#define hlist_add_behind(node, prev)	unit_hlist_insert(node, &(prev)->next)

static inline void INIT_HLIST_NODE(struct hlist_node *node)
{
	node->next = NULL;
	node->pprev = NULL;
}

/* A node that is in no list may be deleted. */
static inline void hash_del(struct hlist_node *node)
{
	if (!node->pprev)
		return;
	*node->pprev = node->next;
	if (node->next)
		node->next->pprev = node->pprev;
	INIT_HLIST_NODE(node);
}

#define hlist_entry(p, type, member)	container_of(p, type, member)
#define unit_hlist_at(pos, p, member) \
	({ struct hlist_node *_n = (p); _n ? hlist_entry(_n, typeof(*(pos)), member) : NULL; })

#define hlist_for_each_entry(pos, head, member)				\
	for (pos = unit_hlist_at(pos, (head)->first, member); pos;	\
	     pos = unit_hlist_at(pos, pos->member.next, member))

#define hlist_for_each_entry_safe(pos, n, head, member)			\
	for (pos = unit_hlist_at(pos, (head)->first, member);		\
	     pos && ((n) = pos->member.next, true);			\
	     pos = unit_hlist_at(pos, n, member))

#define hash_for_each(name, i, pos, member)				\
	for ((i) = 0; (i) < ARRAY_SIZE(name); (i)++)			\
		hlist_for_each_entry(pos, &(name)[i], member)

#define hash_for_each_safe(name, i, n, pos, member)			\
	for ((i) = 0; (i) < ARRAY_SIZE(name); (i)++)			\
		hlist_for_each_entry_safe(pos, n, &(name)[i], member)

static inline u32 jhash(const void *key, size_t size, u32 hash)
{
	const u8 *p = key;

	while (size--)
		hash = hash * 31 + *p++;
	return hash;
}

#define SMP_CACHE_BYTES		64

/* Ids: from 0, in order. */

struct idr {
	void **entry;
	int nr;
};

#define DEFINE_IDR(name)		struct idr name
#define idr_find(idr, id) \
	((id) < (u32)(idr)->nr ? (idr)->entry[id] : NULL)

/* Called when an entry has been published, if not NULL. */
__unit_weak void (*unit_on_publish)(u32 id);

static inline void idr_destroy(struct idr *idr)
{
	free(idr->entry);
	memset(idr, 0, sizeof(*idr));
}

static inline int idr_alloc(struct idr *idr, void *entry, int start, int end, gfp_t gfp)
{
	(void)start;
	(void)end;
	(void)gfp;
	if (unit_alloc_fail && !--unit_alloc_fail)
		return -ENOMEM;
	idr->entry = realloc(idr->entry, (idr->nr + 1) * sizeof(void *));
	idr->entry[idr->nr] = entry;
	idr->nr++;
	if (unit_on_publish)
		unit_on_publish(idr->nr - 1);
	return idr->nr - 1;
}

static inline void idr_remove(struct idr *idr, u32 id)
{
	idr->entry[id] = NULL;
}

static inline void idr_replace(struct idr *idr, void *entry, u32 id)
{
	idr->entry[id] = entry;
	if (unit_on_publish)
		unit_on_publish(id);
}

/* The number of writes to memory that hits may read. */
__unit_weak unsigned int unit_writes;

#undef WRITE_ONCE
#define WRITE_ONCE(x, v)		(unit_writes++, *(volatile typeof(x) *)&(x) = (v))

/* RCU: freed objects stay until the next grace period, or until the test ends. */

struct rcu_head {
	struct rcu_head *next;
	void *object;
};

__unit_weak struct rcu_head *unit_rcu;

/* Called with each object freed after the next grace period, if not NULL. */
__unit_weak void (*unit_on_kfree_rcu)(const void *object);

__unit_weak unsigned int unit_grace_periods;

#define rcu_read_lock()			((void)0)
#define rcu_read_unlock()		((void)0)
#define rcu_access_pointer(p)		READ_ONCE(p)
#define rcu_dereference_protected(p, c)	(p)
#define rcu_dereference_raw(p)		READ_ONCE(p)
#define rcu_assign_pointer(p, v)	smp_store_release(&(p), v)
#define RCU_INIT_POINTER(p, v)		((p) = (v))

static inline void unit_kfree_rcu(struct rcu_head *head, void *object)
{
	if (unit_on_kfree_rcu)
		unit_on_kfree_rcu(object);
	head->object = object;
	head->next = unit_rcu;
	unit_rcu = head;
}

#define kfree_rcu(p, member)		unit_kfree_rcu(&(p)->member, p)

static inline void synchronize_rcu(void)
{
	struct rcu_head *next;

	unit_grace_periods++;
	for (; unit_rcu; unit_rcu = next) {
		next = unit_rcu->next;
		free(unit_rcu->object);
	}
}

/* The task of the test. */
struct task_struct;
#define current		((struct task_struct *)&unit_alloc_fail)

/* Memory and strings. */

#define kmalloc(size, gfp)		unit_zalloc(8, size)
#define kmalloc_array(n, size, gfp)	unit_zalloc(8, (size_t)(n) * (size))
#define kvmalloc_array(n, size, gfp)	unit_zalloc(8, (size_t)(n) * (size))
#define kvcalloc(n, size, gfp)		unit_zalloc(8, (size_t)(n) * (size))
#define alloc_pages_exact(size, gfp)	unit_zalloc(PAGE_SIZE, size)
#define free_pages_exact(p, size)	((void)(size), free(p))
#define kmemleak_alloc(p, size, min, gfp) ((void)(p))
#define kmemleak_free(p)		((void)(p))

static inline char *kstrdup(const char *text, gfp_t gfp)
{
	size_t size = strlen(text) + 1;
	char *copy = unit_zalloc(1, size);

	(void)gfp;
	return copy ? memcpy(copy, text, size) : NULL;
}

static inline char *kmemdup_nul(const char *text, size_t len, gfp_t gfp)
{
	char *copy = unit_zalloc(1, len + 1);

	(void)gfp;
	if (copy)
		copy[len] = '\0';
	return copy ? memcpy(copy, text, len) : NULL;
}

/* The kernel's classify Latin-1. */
static inline bool unit_isspace(u8 c)
{
	return c == 0xa0 || isspace(c);
}

static inline bool unit_isalnum(u8 c)
{
	return (c >= 0xc0 && c != 0xd7 && c != 0xf7) || isalnum(c);
}

#undef isspace
#define isspace(c)		unit_isspace(c)
#undef isalnum
#define isalnum(c)		unit_isalnum(c)

static inline char *strim(char *text)
{
	size_t len = strlen(text);

	while (len && isspace(text[len - 1]))
		text[--len] = '\0';
	while (isspace(*text))
		text++;
	return text;
}

static inline char *kasprintf(gfp_t gfp, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	(void)gfp;
	if (unit_alloc_fail && !--unit_alloc_fail)
		return NULL;
	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	return len < 0 ? NULL : text;
}

typedef int unit_compare(const void *a, const void *b);

static inline void sort(void *base, size_t nr, size_t size, unit_compare *compare, void *swap)
{
	assert(!swap);
	if (nr)
		qsort(base, nr, size, compare);
}

/* Locks. */

#define DEFINE_MUTEX(name)	struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#undef lockdep_assert_held
#define lockdep_assert_held(l)	assert(pthread_mutex_trylock(&(l)->m) == EBUSY)

/* The kernel's log, and a file that is printed. */

__unit_weak char unit_kernel_log[65536];

#undef pr_warn
#define pr_warn(format, ...) do {					\
	size_t _len = strlen(unit_kernel_log);				\
									\
	snprintf(unit_kernel_log + _len, sizeof(unit_kernel_log) - _len,	\
		 format, ##__VA_ARGS__);				\
} while (0)

struct seq_file {
	char text[65536];
	size_t len;
};

/* Without a check of the format: a u64 is a long here. */
static inline void seq_printf(struct seq_file *seq, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	seq->len += vsnprintf(seq->text + seq->len, sizeof(seq->text) - seq->len,
			      format, args);
	va_end(args);
	assert(seq->len < sizeof(seq->text));
}

static inline u64 ktime_get_boottime_ns(void)
{
	return 1000;
}

/* Modules; a test calls their notifier. */

enum module_state { MODULE_STATE_LIVE, MODULE_STATE_COMING, MODULE_STATE_GOING };

struct module {
	const char *name;
	enum module_state state;
};

struct notifier_block {
	int (*notifier_call)(struct notifier_block *nb, unsigned long state, void *data);
	int priority;
};

__unit_weak struct notifier_block *unit_module_notifier;

#define notifier_from_errno(err)	(err)

/* Called while a task sleeps. */
__unit_weak void (*unit_on_sleep)(void);

static inline void msleep(unsigned int ms)
{
	assert(unit_on_sleep);
	unit_on_sleep();
}

static inline int register_module_notifier(struct notifier_block *nb)
{
	unit_module_notifier = nb;
	return 0;
}

static inline void unregister_module_notifier(struct notifier_block *nb)
{
	assert(nb == unit_module_notifier);
	unit_module_notifier = NULL;
}

#endif /* _UNIT_SWITCH_KERNEL_H */
