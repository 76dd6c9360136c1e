// SPDX-License-Identifier: GPL-2.0
/*
 * test_objects: markers that record the objects behind pointers.
 *
 * Any write to /proc/test_objects hits each of them once, and prints the same format
 * string with the same arguments by snprintf().  Reading it gives these lines, as
 * "marker: text": the file trace must have the same.
 */
#include <linux/blkdev.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/netdev_features.h>
#include <linux/of.h>
#include <linux/proc_fs.h>
#include <linux/rtc.h>
#include <linux/seq_file.h>
#include <linux/version.h>

#include <markers/marker.h>

static char lines[8192];
static size_t len;

static __printf(2, 3) void note_line(const char *name, const char *fmt, ...)
{
	va_list args;

	len += scnprintf(lines + len, sizeof(lines) - len, "%s: ", name);
	va_start(args, fmt);
	len += vscnprintf(lines + len, sizeof(lines) - len, fmt, args);
	va_end(args);
	len += scnprintf(lines + len, sizeof(lines) - len, "\n");
}

/* printk() prints the same for these. */
#define SHOW(name, fmt, args...)		\
do {						\
	trace_mark(name, fmt, ##args);		\
	note_line(#name, fmt, ##args);		\
} while (0)

/* For these, printk() would print something else, or oops. */
#define SHOW_AS(name, text, fmt, args...)	\
do {						\
	trace_mark(name, fmt, ##args);		\
	note_line(#name, "%s", text);		\
} while (0)

static void show_numbers(void)
{
	static const phys_addr_t phys = 0xfeed0000;
	static const dma_addr_t dma = 0x123456789abcull;
	static const netdev_features_t features = 0x8000000001ull;

	SHOW(objects_error, "open %pe probe %pe wide [%10pe]", ERR_PTR(-ENOENT),
	     ERR_PTR(-EPROBE_DEFER), ERR_PTR(-EIO));
	SHOW(objects_phys, "phys %pa p %pap dma %pad after %d", &phys, &phys, &dma, 7);
	SHOW(objects_features, "features %pNF", &features);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0)
	{
		static const u32 fourcc = 0x34325241;

		SHOW(objects_fourcc, "format %p4cc", &fourcc);
	}
#endif
}

static void show_structures(void)
{
	static struct resource mem = {
		.start = 0xe0000000, .end = 0xe00fffff, .name = "test",
		.flags = IORESOURCE_MEM | IORESOURCE_PREFETCH,
	};
	static const struct resource irq = {
		.start = 11, .end = 11, .flags = IORESOURCE_IRQ,
	};
	static const struct rtc_time tm = {
		.tm_year = 126, .tm_mon = 10, .tm_mday = 21, .tm_hour = 9, .tm_min = 8, .tm_sec = 7,
	};
	static const time64_t seconds = 1700000000;

	SHOW(objects_resource, "mem %pR raw %pr irq %pR", &mem, &mem, &irq);
	SHOW(objects_time, "all %ptR date %ptRd time %ptRt raw %ptRr", &tm, &tm, &tm, &tm);
	SHOW(objects_seconds, "at %ptT", &seconds);
}

static void show_bytes(void)
{
	static const struct sockaddr_in in4 = {
		.sin_family = AF_INET, .sin_port = htons(8080),
		.sin_addr.s_addr = htonl(0xc0000201),
	};
	static const struct sockaddr_in6 in6 = {
		.sin6_family = AF_INET6, .sin6_port = htons(443),
		.sin6_addr.s6_addr = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 },
	};
	static const struct sockaddr other = { .sa_family = AF_UNIX };
	static const unsigned long bits[2] = { 0xfff000000000f0f1, 0xf };

	SHOW(objects_address, "four %pIS with port %pISp six %pISc with port %pISpc other %pIS",
	     &in4, &in4, &in6, &in6, &other);
	SHOW(objects_network, "host %pI4h net %pI4n", &in4.sin_addr, &in4.sin_addr);
	SHOW(objects_bits, "list %*pbl all %*pbl mask %*pb fixed %20pbl none %*pbl", 12,
	     bits, 68, bits, 16, bits, bits, 0, bits);
	SHOW(objects_escaped, "ssid %*pE fixed %3pE", 6, "a\tb\n\x01\x7f", "xyz");
}

static void show_names(struct file *file)
{
	static struct device_node top = { .full_name = "/" };
	static struct device_node soc = { .full_name = "soc", .parent = &top };
	static struct device_node uart = { .full_name = "serial@4000", .parent = &soc };
	static struct gendisk disk = { .disk_name = "nvme0n1" };
	static struct block_device bdev = { .bd_disk = &disk };

	SHOW(objects_dentry, "one %pd two %pd2 three %pd3 four %pd4 wide [%16pd]",
	     file->f_path.dentry, file->f_path.dentry, file->f_path.dentry,
	     file->f_path.dentry, file->f_path.dentry);
	SHOW(objects_file, "one %pD two %pD2 three %pD3 four %pD4", file, file, file, file);
	SHOW(objects_disk, "disk %pg", &bdev);
	/* printk() says "(%pOF?)" without CONFIG_OF. */
	SHOW_AS(objects_node, "path /soc/serial@4000 full /soc name serial unit serial@4000",
		"path %pOF full %pOFf name %pOFn unit %pOFP", &uart, &soc, &uart, &uart);
}

static __printf(1, 2) void show_nested(const char *fmt, ...)
{
	struct va_format vaf;
	va_list args;

	va_start(args, fmt);
	vaf.fmt = fmt;
	vaf.va = &args;
	SHOW(objects_nested, "said %pV, %d", &vaf, 1);
	va_end(args);
}

/* printk() hashes no %px, no NULL and no error. */
static void show_pointers(void)
{
	void *const at = (void *)0xffff888012345678ul, *const none = NULL;

	SHOW(objects_pointer, "at %px 0x%px wide [%20px] [%-20px] narrow %4px", at, at, at,
	     at, at);
	SHOW(objects_small, "at %px 0x%px wide [%8px] [%-8px]", (void *)0xab, (void *)0xab,
	     (void *)0xab, (void *)0xab);
	SHOW(objects_no_pointer, "null %p 0x%p error %p pe %pe wide [%20p] [%-20pe]", none, none,
	     ERR_PTR(-EINVAL), none, none, none);
}

/* Numbers below zero where a length belongs. */
static void show_lengths(void)
{
	static const u8 bytes[64] = { 0xde, 0xad, 0xbe, 0xef };
	static const unsigned long bits = 0xf0f1;

	SHOW(objects_length, "cut %.*s none %.*s hex %*ph escaped %*pE bits %*pbl", -1, "text",
	     0, "text", -3, bytes, -2, "\tb", -16, &bits);
}

static void show_faults(void)
{
	static char *volatile low = (char *)8, *volatile high = (char *)-14ul, *volatile none;
	struct va_format vaf = { .fmt = (const char *)8UL };

	SHOW(objects_string, "low %s high %s null %s cut %.3s %.2s wide [%12s] [%-12s] zero %.0s",
	     low, high, none, low, none, low, none, low);
	SHOW(objects_nowhere, "%pd %pD %pg %pV after %d", (struct dentry *)8UL, (struct file *)16UL,
	     (struct block_device *)32UL, (struct va_format *)40UL, 7);
	SHOW(objects_none, "%pd %pD %pg %pV after %d", (struct dentry *)NULL, (struct file *)NULL,
	     (struct block_device *)NULL, (struct va_format *)NULL, 7);
	SHOW_AS(objects_fault, "(efault) (efault) (efault)  after 7", "%pOF %pV %pIS %*pbl after %d",
		(struct device_node *)24UL, &vaf, (struct sockaddr *)40UL, 64,
		(unsigned long *)48UL, 7);
	SHOW_AS(objects_null, "(null) (efault) after 7", "%pOF %pIS after %d",
		(struct device_node *)NULL, (struct sockaddr *)NULL, 7);
	trace_mark(objects_zero, "%pa %pR %ptR after %d", (phys_addr_t *)8UL,
		   (struct resource *)8UL, (struct rtc_time *)8UL, 7);
}

static ssize_t objects_write(struct file *file, const char __user *buf, size_t size,
			     loff_t *pos)
{
	len = 0;
	show_numbers();
	show_structures();
	show_bytes();
	show_names(file);
	show_nested("%s is %d%% of %pe", "this", 50, ERR_PTR(-ENOSPC));
	show_pointers();
	show_lengths();
	show_faults();
	return size;
}

static ssize_t objects_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	return simple_read_from_buffer(buf, size, pos, lines, len);
}

static const struct proc_ops objects_ops = {
	.proc_write = objects_write,
	.proc_read = objects_read,
	.proc_lseek = default_llseek,
};

static int __init objects_init(void)
{
	return proc_create("test_objects", 0600, NULL, &objects_ops) ? 0 : -ENOMEM;
}
module_init(objects_init);

static void __exit objects_exit(void)
{
	remove_proc_entry("test_objects", NULL);
}
module_exit(objects_exit);

MODULE_INFO(test, "Y");
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Markers that record the objects that pointers point to");
