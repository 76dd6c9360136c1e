// SPDX-License-Identifier: GPL-2.0
/*
 * test_victim: every CPU hits markers, in a thread, a work, a timer and an
 * interrupt, from the end of init until exit has stopped them all.  Tests unload
 * this module while its markers are enabled, disabled and hit.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include <markers/marker.h>

struct victim {
	struct timer_list timer;
	struct work_struct work;
	struct task_struct *thread;
	unsigned int hits;
};

static DEFINE_PER_CPU(struct victim, victims);
static bool stopping;

static void on_interrupt(void *unused)
{
	trace_mark(victim_interrupt, "cpu %u", smp_processor_id());
}

static void on_timer(struct timer_list *timer)
{
	trace_mark(victim_timer, "cpu %u", smp_processor_id());
	if (!READ_ONCE(stopping))
		mod_timer(timer, jiffies + 1);
}

static void on_work(struct work_struct *work)
{
	struct victim *victim = container_of(work, struct victim, work);

	trace_mark(victim_work, "cpu %u hits %u", raw_smp_processor_id(),
		   victim->hits++);
	usleep_range(50, 100);
	if (!READ_ONCE(stopping))
		schedule_work_on(raw_smp_processor_id(), work);
}

static int victim_thread(void *unused)
{
	unsigned int round = 0;

	while (!kthread_should_stop()) {
		trace_mark(victim_thread, "cpu %u round %u",
			   raw_smp_processor_id(), round++);
		_trace_mark(victim_branch, "round %u", round);
		if (!(round % 64))
			smp_call_function(on_interrupt, NULL, 1);
		cond_resched();
	}
	return 0;
}

static void stop_all(void)
{
	struct victim *victim;
	int cpu;

	WRITE_ONCE(stopping, true);
	for_each_possible_cpu(cpu) {
		victim = per_cpu_ptr(&victims, cpu);
		if (victim->thread)
			kthread_stop(victim->thread);
		timer_delete_sync(&victim->timer);
		cancel_work_sync(&victim->work);
	}
}

static int start_cpu(unsigned int cpu)
{
	struct victim *victim = per_cpu_ptr(&victims, cpu);
	struct task_struct *thread;

	thread = kthread_create(victim_thread, NULL, "victim/%u", cpu);
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	kthread_bind(thread, cpu);
	victim->thread = thread;
	wake_up_process(thread);
	victim->timer.expires = jiffies + 1;
	add_timer_on(&victim->timer, cpu);
	schedule_work_on(cpu, &victim->work);
	return 0;
}

static int __init victim_init(void)
{
	struct victim *victim;
	int cpu, err = 0;

	trace_mark(victim_init, MARK_NOARGS);
	for_each_possible_cpu(cpu) {
		victim = per_cpu_ptr(&victims, cpu);
		timer_setup(&victim->timer, on_timer, TIMER_PINNED);
		INIT_WORK(&victim->work, on_work);
	}
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		err = start_cpu(cpu);
		if (err)
			break;
	}
	cpus_read_unlock();
	if (err)
		stop_all();
	return err;
}
module_init(victim_init);

static void __exit victim_exit(void)
{
	stop_all();
	trace_mark(victim_exit, MARK_NOARGS);
}
module_exit(victim_exit);

MODULE_DESCRIPTION("Test: a module that is unloaded while its markers fire");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
