// SPDX-License-Identifier: GPL-2.0
/*
 * When the last events go to the kernel's log.
 *
 * At an oops and at a panic: by notifiers, since their text must be in the log before anybody
 * stores it.  A panic calls its notifiers before it calls pstore and the other dumpers of
 * the log (kmsg_dump_register()); as one of these we would come after pstore.  An oops has its
 * text from the notifier of die(), before panic_on_oops or kdump may end it all: kdump starts
 * its kernel before the notifiers of a panic, unless crash_kexec_post_notifiers is set.
 *
 * Once: an oops stops all recordings, and the panic that may follow has nothing to add.
 *
 * When a trigger asks: irq_work, which works in NMI, starts a task that prints.  The console may
 * be slow, so no interrupt prints on a machine that is alive.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/nmi.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include <markers/compat/panic_notifier.h>
#include <markers/compat/printk_nmi.h>
#include <markers/format/trigger.h>
#include <markers/hit/asks.h>
#include <markers/log.h>
#include <markers/model/rules.h>
#include <markers/record/record.h>
#include "dump.h"
#include "last_words.h"

static DEFINE_MUTEX(prepare_mutex);

/* At an oops or a panic. */
static struct marker_dump *oops_dump;	/* once it is needed */
static unsigned int oops_nr;		/* events of each CPU; not 0: oops_dump is there */
static int is_said;
static int is_saying;		/* a CPU uses oops_dump */

/* For triggers. */
static struct workqueue_struct *task;
static struct marker_dump *hit_dump;	/* once it is needed */

/* Where printk() has little room, all recordings get the same part of it. */
static u32 room_of_each(void)
{
	struct marker_recording *recording;
	u32 room = marker_printk_room(), nr = 0;

	if (room == U32_MAX)
		return room;
	for_each_recording_rcu(recording)
		nr++;
	return room / max(nr, 1U);
}

/* The console is slow. */
static void put_emergency(const char *line)
{
	touch_nmi_watchdog();
	printk(KERN_EMERG "%s\n", line);
}

static void put_info(const char *line)
{
	printk(KERN_INFO "%s\n", line);
	cond_resched();
}

static void say_last_words(void)
{
	/* before oops_dump */
	unsigned int nr = smp_load_acquire(&oops_nr);
	struct marker_recording *recording;
	u32 room;

	/* An operator who starts recording clears is_said, and another CPU may die then. */
	if (!nr || xchg(&is_saying, 1))
		return;
	if (xchg(&is_said, 1))
		goto out;
	/* The recordings and their buffers stay. */
	preempt_disable_notrace();
	for_each_recording_rcu(recording)
		marker_recording_hit_off(recording, 0);
	room = room_of_each();
	for_each_recording_rcu(recording)
		marker_dump_print(oops_dump, recording->name,
				  marker_recording_buffer(recording), nr, room);
	put_emergency("markers: recording is off, of instances too; to go on, write 1 to tracing_on");
	preempt_enable_notrace();
out:
	/* The next one has all of oops_dump. */
	smp_store_release(&is_saying, 0);
}

static int at_die(struct notifier_block *nb, unsigned long why, void *args)
{
	if (why == DIE_OOPS)
		say_last_words();
	return NOTIFY_DONE;
}

static int at_panic(struct notifier_block *nb, unsigned long unused, void *text)
{
	say_last_words();
	return NOTIFY_DONE;
}

/* Before those that may not return, as that of a hypervisor. */
static struct notifier_block die_block = {
	.notifier_call = at_die,
	.priority = INT_MAX - 1,
};

static struct notifier_block panic_block = {
	.notifier_call = at_panic,
	.priority = INT_MAX - 1,
};

void marker_last_words_rearm(void)
{
	WRITE_ONCE(is_said, 0);
}

static int prepare(struct marker_dump **dump, void (*put)(const char *line))
{
	int err = 0;

	mutex_lock(&prepare_mutex);
	if (!*dump) {
		*dump = marker_dump_create(put);
		err = *dump ? 0 : -ENOMEM;
	}
	mutex_unlock(&prepare_mutex);
	return err;
}

int marker_last_words_set(unsigned int nr)
{
	int err = nr ? prepare(&oops_dump, put_emergency) : 0;

	if (err) {
		marker_log("dump_on_oops: no memory");
		return err;
	}
	/* after oops_dump */
	smp_store_release(&oops_nr, nr);
	marker_last_words_rearm();
	return 0;
}

unsigned int marker_last_words_get(void)
{
	return READ_ONCE(oops_nr);
}

/*
 * Triggers
 */

static void print_asked(struct work_struct *work)
{
	struct marker_recording *asked = marker_asked_dump.recording;
	struct marker_buffer *buffer = marker_recording_get(asked, false);

	marker_dump_print(hit_dump, asked->name, buffer,
			  READ_ONCE(marker_asked_dump.nr), U32_MAX);
	marker_buffer_put(buffer);
	WRITE_ONCE(marker_asked_dump.next_time, jiffies + HZ);
	marker_asks_end_dump();
}

static DECLARE_WORK(print_work, print_asked);

/* In an interrupt. */
static void start_last_words(struct irq_work *work)
{
	queue_work(task, &print_work);
}

int marker_last_words_prepare(void)
{
	return prepare(&hit_dump, put_info);
}

void marker_last_words_flush(void)
{
	irq_work_sync(&marker_asks_dump);
	flush_work(&print_work);
}

/*
 * Module
 */

int __init marker_last_words_init(unsigned int nr)
{
	int err;

	BUILD_BUG_ON(MARKER_MAX_LAST > MARKER_DUMP_MAX);
	marker_asked_dump.next_time = jiffies;
	init_irq_work(&marker_asks_dump, start_last_words);
	/* Own workqueue: commands flush deferred.c's and must not wait for a slow console. */
	task = alloc_workqueue("markers_dump", WQ_UNBOUND, 1);
	if (!task)
		return -ENOMEM;
	err = marker_last_words_set(nr);
	if (err) {
		/* There is no error_log yet. */
		pr_err("dump_on_oops: no memory\n");
		destroy_workqueue(task);
		return err;
	}
	register_die_notifier(&die_block);
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	return 0;
}

void marker_last_words_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	unregister_die_notifier(&die_block);
	irq_work_sync(&marker_asks_dump);
	destroy_workqueue(task);
	marker_dump_destroy(oops_dump);
	marker_dump_destroy(hit_dump);
}
