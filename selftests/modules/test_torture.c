// SPDX-License-Identifier: GPL-2.0
/*
 * test_torture: checks for every pass of a site that the site does what it must.
 *
 * A thread on each CPU, a timer interrupt on each CPU and an NMI handler pass 64
 * sites.  Another thread switches the sites, in random groups, by registering and
 * unregistering a probe.  The test changes modes, switches the recorder, takes CPUs
 * away and back, loads kprobes and modules, and sends NMIs.
 *
 * A site has a state: an even number while it is stable, on or off, and odd while
 * it is being switched.  The state counts up, so no value returns.  A pass that sees
 * the same stable state before and after must have called the probe exactly once if
 * on, and never if off.  The marker's argument tells the probe where to count.
 *
 * Write "start" or "stop" to /proc/test_torture.  Reading it gives "passes N",
 * "checked N", "wrong N", "switched N", "nmis N", and a line "site N passes N
 * fired N wrong N" for each.
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/random.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#ifdef CONFIG_X86
#include <asm/nmi.h>
#endif

#include <markers/marker.h>

#include "compat.h"

#define NR_SITES	64
#define PERIOD_NS	(500 * NSEC_PER_USEC)
#define TORTURE_FORMAT	"fired %p cpu %u n %lu"

enum {
	STATE_CHANGING = 1,
	STATE_ON = 2,
	STATE_STEP = 4,
};

struct site {
	atomic_t state;
	atomic_long_t passes;
	atomic_long_t fired;
	atomic_long_t wrong;
};

static struct site sites[NR_SITES];
static atomic_long_t checked;
static atomic_long_t switched;
static atomic_long_t nmis;

static DEFINE_MUTEX(torture_mutex);		/* start, stop */
static struct task_struct *switcher;
static DEFINE_PER_CPU(struct task_struct *, passer);
static DEFINE_PER_CPU(struct hrtimer, timer);
static bool running;

#define FOR_ALL_SITES(m)						\
	m(00) m(01) m(02) m(03) m(04) m(05) m(06) m(07)			\
	m(10) m(11) m(12) m(13) m(14) m(15) m(16) m(17)			\
	m(20) m(21) m(22) m(23) m(24) m(25) m(26) m(27)			\
	m(30) m(31) m(32) m(33) m(34) m(35) m(36) m(37)			\
	m(40) m(41) m(42) m(43) m(44) m(45) m(46) m(47)			\
	m(50) m(51) m(52) m(53) m(54) m(55) m(56) m(57)			\
	m(60) m(61) m(62) m(63) m(64) m(65) m(66) m(67)			\
	m(70) m(71) m(72) m(73) m(74) m(75) m(76) m(77)

/* Computes something around the marker: a torn instruction would show. */
#define DEFINE_PASS(n)							\
static noinline unsigned long pass_ ## n(int *fired, unsigned long x)	\
{									\
	unsigned long y = 3 * x + 0 ## n;				\
									\
	trace_mark(torture_ ## n, TORTURE_FORMAT, fired,		\
		   raw_smp_processor_id(), x);				\
	return y ^ x;							\
}

FOR_ALL_SITES(DEFINE_PASS)

#define PASS_ENTRY(n)	pass_ ## n,
static unsigned long (*const pass_func[])(int *fired, unsigned long x) = {
	FOR_ALL_SITES(PASS_ENTRY)
};

#define NAME_ENTRY(n)	"torture_" #n,
static const char *const marker_name[] = { FOR_ALL_SITES(NAME_ENTRY) };

static void count_hit(void *probe_private, void *call_private, const char *fmt,
		      va_list *args)
{
	int *fired = va_arg(*args, int *);

	WRITE_ONCE(*fired, *fired + 1);
}

static void pass_one(unsigned int n, unsigned long x)
{
	struct site *site = &sites[n];
	int before, after, fired = 0;
	bool wrong;

	before = atomic_read_acquire(&site->state);
	wrong = pass_func[n](&fired, x) != ((3 * x + n) ^ x);
	smp_rmb();	/* load the state after the pass */
	after = atomic_read(&site->state);

	fired = READ_ONCE(fired);
	if (before == after && !(before & STATE_CHANGING)) {
		atomic_long_inc(&checked);
		wrong |= fired != !!(before & STATE_ON);
	}
	atomic_long_inc(&site->passes);
	atomic_long_add(fired, &site->fired);
	if (wrong)
		atomic_long_inc(&site->wrong);
}

static int passer_thread(void *unused)
{
	unsigned long x = 0;

	while (!kthread_should_stop()) {
		pass_one(x % NR_SITES, x);
		if (++x % 1024 == 0)
			usleep_range(50, 100);
	}
	return 0;
}

static enum hrtimer_restart pass_in_interrupt(struct hrtimer *t)
{
	unsigned long x = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < 4; i++)
		pass_one((x + i) % NR_SITES, x);
	hrtimer_forward_now(t, ns_to_ktime(PERIOD_NS));
	return HRTIMER_RESTART;
}

#ifdef CONFIG_X86
/* It interrupts any code: a marker, the recorder, the patcher. */
static int pass_in_nmi(unsigned int type, struct pt_regs *regs)
{
	unsigned long x = atomic_long_inc_return(&nmis);
	unsigned int i;

	if (!READ_ONCE(running))
		return NMI_DONE;
	for (i = 0; i < NR_SITES; i++)
		pass_one(i, x);
	return NMI_DONE;
}
#endif

static void switch_site(unsigned int n)
{
	int state = atomic_read(&sites[n].state);
	bool on = !(state & STATE_ON);
	int err;

	atomic_set(&sites[n].state, state | STATE_CHANGING);
	smp_mb();	/* no thread treats the site as stable any more */
	if (on)
		err = marker_probe_register(marker_name[n], TORTURE_FORMAT,
					    count_hit, NULL);
	else
		err = marker_probe_unregister(marker_name[n], count_hit, NULL);
	if (WARN_ON_ONCE(err))
		on = !on;
	marker_synchronize_unregister();
	smp_mb();	/* the switch comes before the stable state */
	atomic_set(&sites[n].state, (state & ~3) + STATE_STEP +
		   (on ? STATE_ON : 0));
	atomic_long_inc(&switched);
}

static int switcher_thread(void *unused)
{
	while (!kthread_should_stop()) {
		switch_site(get_random_u32() % NR_SITES);
		cond_resched();
	}
	return 0;
}

static void start_timer(void *unused)
{
	hrtimer_start(this_cpu_ptr(&timer), ns_to_ktime(PERIOD_NS),
		      HRTIMER_MODE_REL_PINNED);
}

static void torture_stop(void)
{
	unsigned int cpu, i;

	WRITE_ONCE(running, false);
	if (switcher)
		kthread_stop(switcher);
	switcher = NULL;
	for_each_possible_cpu(cpu) {
		if (per_cpu(passer, cpu))
			kthread_stop(per_cpu(passer, cpu));
		per_cpu(passer, cpu) = NULL;
		hrtimer_cancel(&per_cpu(timer, cpu));
	}
	for (i = 0; i < NR_SITES; i++) {
		if (atomic_read(&sites[i].state) & STATE_ON)
			switch_site(i);
	}
}

static int torture_start(void)
{
	struct task_struct *thread;
	unsigned int cpu;

	torture_stop();
	WRITE_ONCE(running, true);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		thread = kthread_create(passer_thread, NULL, "torture/%u", cpu);
		if (IS_ERR(thread))
			break;
		kthread_bind(thread, cpu);
		per_cpu(passer, cpu) = thread;
		wake_up_process(thread);
	}
	on_each_cpu(start_timer, NULL, 1);
	cpus_read_unlock();
	if (cpu >= nr_cpu_ids) {
		thread = kthread_run(switcher_thread, NULL, "torture/switch");
		if (!IS_ERR(thread)) {
			switcher = thread;
			return 0;
		}
	}
	torture_stop();
	return PTR_ERR(thread);
}

static ssize_t torture_write(struct file *file, const char __user *from,
			     size_t count, loff_t *pos)
{
	char word[16] = "";
	int err = 0;

	if (count >= sizeof(word) || copy_from_user(word, from, count))
		return -EINVAL;
	mutex_lock(&torture_mutex);
	if (!strcmp(strim(word), "start"))
		err = torture_start();
	else if (!strcmp(strim(word), "stop"))
		torture_stop();
	else
		err = -EINVAL;
	mutex_unlock(&torture_mutex);
	return err ?: count;
}

static int torture_show(struct seq_file *seq, void *unused)
{
	long passes = 0, wrong = 0;
	unsigned int i;

	for (i = 0; i < NR_SITES; i++) {
		passes += atomic_long_read(&sites[i].passes);
		wrong += atomic_long_read(&sites[i].wrong);
	}
	seq_printf(seq, "passes %ld\nchecked %ld\nwrong %ld\nswitched %ld\nnmis %ld\n",
		   passes, atomic_long_read(&checked), wrong,
		   atomic_long_read(&switched), atomic_long_read(&nmis));
	for (i = 0; i < NR_SITES; i++)
		seq_printf(seq, "site %u passes %ld fired %ld wrong %ld\n", i,
			   atomic_long_read(&sites[i].passes),
			   atomic_long_read(&sites[i].fired),
			   atomic_long_read(&sites[i].wrong));
	return 0;
}

static int torture_open(struct inode *inode, struct file *file)
{
	return single_open(file, torture_show, NULL);
}

static const struct proc_ops torture_ops = {
	.proc_open = torture_open,
	.proc_read = seq_read,
	.proc_write = torture_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init torture_init(void)
{
	unsigned int cpu;
	int err = 0;

	for_each_possible_cpu(cpu) {
		hrtimer_setup(&per_cpu(timer, cpu), pass_in_interrupt,
			      CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);
	}
#ifdef CONFIG_X86
	err = register_nmi_handler(NMI_LOCAL, pass_in_nmi, 0, "test_torture");
	if (err)
		return err;
#endif
	if (!proc_create("test_torture", 0600, NULL, &torture_ops)) {
		err = -ENOMEM;
#ifdef CONFIG_X86
		unregister_nmi_handler(NMI_LOCAL, "test_torture");
#endif
	}
	return err;
}
module_init(torture_init);

static void __exit torture_exit(void)
{
	remove_proc_entry("test_torture", NULL);
	torture_stop();
#ifdef CONFIG_X86
	unregister_nmi_handler(NMI_LOCAL, "test_torture");
#endif
	marker_synchronize_unregister();
}
module_exit(torture_exit);

MODULE_DESCRIPTION("markers selftest: every hit is checked");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
