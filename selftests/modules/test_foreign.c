// SPDX-License-Identifier: GPL-2.0
/*
 * test_foreign: a marker, and code that changes its bytes.  /proc/test_foreign
 * takes
 *
 *	hit			pass the marker foreign_target once
 *	kprobe ADDRESS		put a kprobe there
 *	unkprobe		remove it
 *	poke ADDRESS BYTE	write a byte of text (hexadecimal), which no code should do
 *	debug ADDRESS		handle breakpoints there, as a debugger does; 0: no more
 *				(on x86)
 *
 * Reading it: "passed N", "kprobe_hits N", "debug_hits N".
 */
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/cacheflush.h>

#include <markers/marker.h>

static DEFINE_MUTEX(foreign_mutex);
static unsigned int passed;
static atomic_t kprobe_hits;
static struct kprobe probe;
static bool probe_is_set;
static unsigned long debug_addr;
static atomic_t debug_hits;

static noinline unsigned int foreign_pass(unsigned int n)
{
	unsigned int twice = 2 * n;

	trace_mark(foreign_target, "n %u twice %u", n, twice);
	return twice ^ n;
}

/* May run in the middle of the marker's code, so it changes nothing. */
static int probe_handler(struct kprobe *p, struct pt_regs *regs)
{
	atomic_inc(&kprobe_hits);
	return 0;
}

static int set_kprobe(unsigned long addr)
{
	int err;

	if (probe_is_set)
		return -EBUSY;
	memset(&probe, 0, sizeof(probe));
	probe.addr = (kprobe_opcode_t *)addr;
	probe.pre_handler = probe_handler;
	err = register_kprobe(&probe);
	probe_is_set = !err;
	return err;
}

static int unset_kprobe(void)
{
	if (!probe_is_set)
		return -ENOENT;
	unregister_kprobe(&probe);
	probe_is_set = false;
	return 0;
}

#ifdef CONFIG_X86
/* Continues after the five bytes that hold the breakpoint, whatever they are. */
static int debug_notify(struct notifier_block *nb, unsigned long why, void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;

	if (why != DIE_INT3 || user_mode(regs) || regs->ip - 1 != READ_ONCE(debug_addr))
		return NOTIFY_DONE;
	atomic_inc(&debug_hits);
	regs->ip = regs->ip - 1 + 5;
	return NOTIFY_STOP;
}
#else
static int debug_notify(struct notifier_block *nb, unsigned long why, void *data)
{
	return NOTIFY_DONE;
}
#endif
NOKPROBE_SYMBOL(debug_notify);

static struct notifier_block debug_block = { .notifier_call = debug_notify };

/* Write one byte in one access; no CPU may execute it meanwhile. */
static int poke_byte(unsigned long addr, u8 byte)
{
	struct page *page;
	u8 *view;

	if (addr - (unsigned long)foreign_pass >= 256)
		return -ERANGE;
	page = vmalloc_to_page((void *)addr);
	view = vmap(&page, 1, VM_MAP, PAGE_KERNEL);
	if (!view)
		return -ENOMEM;
	WRITE_ONCE(view[offset_in_page(addr)], byte);
	vunmap(view);
	flush_icache_range(addr, addr + 1);
	return 0;
}

static int run_command(const char *text)
{
	unsigned long addr;
	unsigned int byte;

	if (!strcmp(text, "hit")) {
		if (foreign_pass(passed) != (2 * passed ^ passed))
			return -EILSEQ;
		passed++;
		return 0;
	}
	if (!strcmp(text, "unkprobe"))
		return unset_kprobe();
	if (sscanf(text, "kprobe %lx", &addr) == 1)
		return set_kprobe(addr);
	if (sscanf(text, "poke %lx %x", &addr, &byte) == 2 && byte <= 0xff)
		return poke_byte(addr, byte);
	if (sscanf(text, "debug %lx", &addr) == 1) {
		WRITE_ONCE(debug_addr, addr);
		return 0;
	}
	return -EINVAL;
}

static ssize_t foreign_write(struct file *file, const char __user *from,
			     size_t count, loff_t *pos)
{
	char text[64] = "";
	int err;

	if (count >= sizeof(text) || copy_from_user(text, from, count))
		return -EINVAL;
	mutex_lock(&foreign_mutex);
	err = run_command(strim(text));
	mutex_unlock(&foreign_mutex);
	return err ?: count;
}

static int foreign_show(struct seq_file *seq, void *unused)
{
	seq_printf(seq, "passed %u\nkprobe_hits %d\ndebug_hits %d\n", passed,
		   atomic_read(&kprobe_hits), atomic_read(&debug_hits));
	return 0;
}

static int foreign_open(struct inode *inode, struct file *file)
{
	return single_open(file, foreign_show, NULL);
}

static const struct proc_ops foreign_ops = {
	.proc_open = foreign_open,
	.proc_read = seq_read,
	.proc_write = foreign_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init foreign_init(void)
{
	int err = register_die_notifier(&debug_block);

	if (err)
		return err;
	if (proc_create("test_foreign", 0600, NULL, &foreign_ops))
		return 0;
	unregister_die_notifier(&debug_block);
	return -ENOMEM;
}
module_init(foreign_init);

static void __exit foreign_exit(void)
{
	remove_proc_entry("test_foreign", NULL);
	unset_kprobe();
	unregister_die_notifier(&debug_block);
}
module_exit(foreign_exit);

MODULE_DESCRIPTION("markers selftest: other code changes a marker's bytes");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
