// SPDX-License-Identifier: GPL-2.0
/*
 * test_probe: registers probes as a test says.  Write to /proc/test_probe
 *
 *	register N NAME [FORMAT]	probe N, 0 to 3; no FORMAT: any
 *	unregister N NAME
 *
 * which returns the result of the call.  Reading it gives a line for each probe,
 * "N calls CALLS matched M armed A refused R".
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/marker.h>

static DEFINE_MUTEX(probe_mutex);	/* protects all that is not atomic */

static struct probe {
	char name[32];			/* "": not registered */
	atomic_t calls;
	struct marker_result result;
} probe[4];

static void count_call(void *probe_private, void *call_private, const char *fmt,
		       va_list *args)
{
	struct probe *p = probe_private;

	atomic_inc(&p->calls);
}

static int register_probe(struct probe *p, const char *name, const char *format)
{
	int err;

	err = marker_probe_register_result(name, *format ? format : NULL,
					   count_call, p, &p->result);
	if (!err)
		strscpy(p->name, name, sizeof(p->name));
	return err;
}

static int unregister_probe(struct probe *p, const char *name)
{
	int err = marker_probe_unregister(name, count_call, p);

	marker_synchronize_unregister();
	if (!err)
		p->name[0] = '\0';
	return err;
}

static int run_command(const char *text)
{
	char what[12], name[32];
	unsigned int n;
	int format = 0;

	if (sscanf(text, "%11s %u %31s %n", what, &n, name, &format) < 3 ||
	    n >= ARRAY_SIZE(probe))
		return -EINVAL;
	if (!strcmp(what, "register"))
		return register_probe(&probe[n], name, format ? text + format : "");
	if (!strcmp(what, "unregister"))
		return unregister_probe(&probe[n], name);
	return -EINVAL;
}

static ssize_t probe_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	char text[128] = "";
	int err;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	mutex_lock(&probe_mutex);
	err = run_command(strim(text));
	mutex_unlock(&probe_mutex);
	return err ?: count;
}

static int probe_show(struct seq_file *seq, void *unused)
{
	struct probe *p;

	mutex_lock(&probe_mutex);
	for (p = probe; p < probe + ARRAY_SIZE(probe); p++)
		seq_printf(seq, "%td calls %d matched %u armed %u refused %u\n",
			   p - probe, atomic_read(&p->calls), p->result.matched,
			   p->result.armed, p->result.refused);
	mutex_unlock(&probe_mutex);
	return 0;
}

static int probe_open(struct inode *inode, struct file *file)
{
	return single_open(file, probe_show, NULL);
}

static const struct proc_ops probe_ops = {
	.proc_open = probe_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = probe_write,
};

static int __init probe_init(void)
{
	return proc_create("test_probe", 0600, NULL, &probe_ops) ? 0 : -ENOMEM;
}
module_init(probe_init);

static void __exit probe_exit(void)
{
	struct probe *p;

	remove_proc_entry("test_probe", NULL);
	for (p = probe; p < probe + ARRAY_SIZE(probe); p++) {
		if (p->name[0])
			marker_probe_unregister(p->name, count_call, p);
	}
	marker_synchronize_unregister();
}
module_exit(probe_exit);

MODULE_DESCRIPTION("Test: probes of its own, as the test says");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
