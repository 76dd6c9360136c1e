// SPDX-License-Identifier: GPL-2.0
/*
 * test_hammer: a thread on each CPU that passes 100 markers, hammer_00 to
 * hammer_99, as fast as it can.  The payload describes itself: "seq" counts how
 * often this CPU passed this marker, enabled or not, from 0; "check" is computed from
 * the others:
 *
 *	(31 * seq + 7 * marker + cpu) % 65521
 *
 * So the test can tell torn, lost, doubled and misplaced events apart.
 *
 * Write "start", "stop" or "run N" (N rounds on every CPU; the write returns when they
 * are done) to /proc/test_hammer.  Reading it gives "passed N", then one line
 * "CPU MARKER N" for each.  Module parameters: autostart, and pause_us for the
 * time between two rounds.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/marker.h>

#define NR_MARKERS	100

static bool autostart;
module_param(autostart, bool, 0444);
MODULE_PARM_DESC(autostart, "start at once");

static unsigned int pause_us;
module_param(pause_us, uint, 0644);
MODULE_PARM_DESC(pause_us, "time between two rounds");

/*
 * Only the CPU's thread writes @passed, without a lock: a task that needs the exact
 * value stops the thread first.  hammer_mutex protects the rest.
 */
struct hammer {
	unsigned int cpu;
	struct task_struct *thread;
	struct completion done;
	u64 passed[NR_MARKERS];
};

static DEFINE_MUTEX(hammer_mutex);
static struct hammer *hammers;		/* one for each possible CPU */
static unsigned long rounds;		/* 0: until stopped; hammer_mutex */

static unsigned int check_value(unsigned int cpu, unsigned int marker, u64 seq)
{
	return (31 * (seq % 65521) + 7 * marker + cpu) % 65521;
}

/* n has two digits; 08 would be an invalid octal number */
#define HIT(h, n)							\
do {									\
	u64 seq = (h)->passed[1 ## n - 100];				\
									\
	trace_mark(hammer_ ## n, "cpu %u marker %u seq %llu check %u",	\
		   (h)->cpu, 1 ## n - 100U, seq,			\
		   check_value((h)->cpu, 1 ## n - 100U, seq));		\
	WRITE_ONCE((h)->passed[1 ## n - 100], seq + 1);			\
} while (0)

#define HIT_TEN(h, t)							\
do {									\
	HIT(h, t ## 0); HIT(h, t ## 1); HIT(h, t ## 2);			\
	HIT(h, t ## 3); HIT(h, t ## 4); HIT(h, t ## 5);			\
	HIT(h, t ## 6); HIT(h, t ## 7); HIT(h, t ## 8);			\
	HIT(h, t ## 9);							\
} while (0)

static noinline void hit_all(struct hammer *h)
{
	HIT_TEN(h, 0);
	HIT_TEN(h, 1);
	HIT_TEN(h, 2);
	HIT_TEN(h, 3);
	HIT_TEN(h, 4);
	HIT_TEN(h, 5);
	HIT_TEN(h, 6);
	HIT_TEN(h, 7);
	HIT_TEN(h, 8);
	HIT_TEN(h, 9);
}

static int hammer_thread(void *data)
{
	struct hammer *h = data;
	unsigned long left = rounds;

	while (!kthread_should_stop()) {
		if (rounds && !left--)
			break;
		hit_all(h);
		if (pause_us)
			usleep_range(pause_us, pause_us + pause_us / 4);
		else
			cond_resched();
	}
	complete(&h->done);

	/* kthread_stop() needs the thread to exist */
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void hammer_stop(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (hammers[cpu].thread)
			kthread_stop(hammers[cpu].thread);
		hammers[cpu].thread = NULL;
	}
}

static int hammer_start(unsigned long nr_rounds)
{
	struct task_struct *thread;
	unsigned int cpu;
	int err = 0;

	hammer_stop();
	rounds = nr_rounds;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		thread = kthread_create(hammer_thread, &hammers[cpu],
					"hammer/%u", cpu);
		if (IS_ERR(thread)) {
			err = PTR_ERR(thread);
			break;
		}
		kthread_bind(thread, cpu);
		reinit_completion(&hammers[cpu].done);
		hammers[cpu].thread = thread;
		wake_up_process(thread);
	}
	cpus_read_unlock();
	if (err)
		hammer_stop();
	return err;
}

static int hammer_run(unsigned long nr_rounds)
{
	unsigned int cpu;
	int err;

	err = hammer_start(nr_rounds);
	for_each_possible_cpu(cpu) {
		if (!err && hammers[cpu].thread)
			err = wait_for_completion_interruptible(&hammers[cpu].done);
	}
	hammer_stop();
	return err;
}

static int run_command(const char *line)
{
	unsigned long nr;

	if (!strcmp(line, "start"))
		return hammer_start(0);
	if (!strcmp(line, "stop")) {
		hammer_stop();
		return 0;
	}
	if (strncmp(line, "run ", 4) || kstrtoul(line + 4, 0, &nr) || !nr)
		return -EINVAL;
	return hammer_run(nr);
}

static ssize_t hammer_write(struct file *file, const char __user *buf,
			    size_t count, loff_t *pos)
{
	char *line = memdup_user_nul(buf, min_t(size_t, count, 64));
	int err;

	if (IS_ERR(line))
		return PTR_ERR(line);
	mutex_lock(&hammer_mutex);
	err = run_command(strim(line));
	mutex_unlock(&hammer_mutex);
	kfree(line);
	return err ?: count;
}

static int hammer_show(struct seq_file *seq, void *unused)
{
	unsigned int cpu, i;
	u64 passed = 0;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < NR_MARKERS; i++)
			passed += READ_ONCE(hammers[cpu].passed[i]);
	}
	seq_printf(seq, "passed %llu\n", passed);
	for_each_possible_cpu(cpu) {
		for (i = 0; i < NR_MARKERS; i++)
			seq_printf(seq, "%u %u %llu\n", cpu, i,
				   READ_ONCE(hammers[cpu].passed[i]));
	}
	return 0;
}

static int hammer_open(struct inode *inode, struct file *file)
{
	return single_open(file, hammer_show, NULL);
}

static const struct proc_ops hammer_ops = {
	.proc_open = hammer_open,
	.proc_read = seq_read,
	.proc_write = hammer_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init hammer_init(void)
{
	unsigned int cpu;
	int err = -ENOMEM;

	hammers = kvcalloc(nr_cpu_ids, sizeof(*hammers), GFP_KERNEL);
	if (!hammers)
		return err;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		hammers[cpu].cpu = cpu;
		init_completion(&hammers[cpu].done);
	}
	if (!proc_create("test_hammer", 0600, NULL, &hammer_ops))
		goto err_free;
	if (!autostart)
		return 0;
	mutex_lock(&hammer_mutex);
	err = hammer_start(0);
	mutex_unlock(&hammer_mutex);
	if (!err)
		return 0;
	remove_proc_entry("test_hammer", NULL);
err_free:
	kvfree(hammers);
	return err;
}
module_init(hammer_init);

static void __exit hammer_exit(void)
{
	remove_proc_entry("test_hammer", NULL);
	hammer_stop();
	kvfree(hammers);
}
module_exit(hammer_exit);

MODULE_DESCRIPTION("Test: 100 markers on every CPU, as fast as can be");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
