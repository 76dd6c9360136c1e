// SPDX-License-Identifier: GPL-2.0
/*
 * test_publish: markers that tracefs cannot have as they are: long strings, long bitmaps, fields
 * named as keywords of C.  Write "long", "bits", "beside", "control", "keywords" or "stack" to
 * /proc/test_publish to hit one.
 */
#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/marker.h>
#include "compat.h"
#include "frame.h"

#define BITS	8192

static char text[1001];
static char control[1001];
static unsigned long bits[BITS_TO_LONGS(BITS)];

static void hit_long(void)
{
	trace_mark(publish_long, "a %s b %s c %s d %s e %s end %d", text, text, "short", text,
		   text, 7);
}

/* Bitmaps that fit only if they are cut. */
static void hit_bits(void)
{
	trace_mark(publish_bits, "a %*pbl b %*pbl c %*pbl d %*pbl s %s end %d", BITS, bits, 64,
		   bits, BITS, bits, BITS, bits, text, 7);
}

/* Bitmaps that fit if the string is cut. */
static void hit_beside(void)
{
	trace_mark(publish_beside, "a %*pbl b %*pbl s %s t %s end %d", BITS, bits, BITS / 2, bits,
		   text, text, 7);
}

/* A text with four bytes for each character. */
static void hit_control(void)
{
	trace_mark(publish_control, "a %s b %s c %s end %d", control, control, control, 7);
}

static void hit_keywords(void)
{
	trace_mark(publish_keywords, "for %d class %d int %s", 2, -2, "two");
}

static noinline void publish_inner(int depth)
{
	keep_frame();
	trace_mark(publish_stack, "depth %d", depth);
	barrier();
}

/* More than eight arguments take another thunk on x86. */
static noinline void publish_inner_many(int n)
{
	keep_frame();
	trace_mark(publish_stack_many, "%d %d %d %d %d %d %d %d %d", n, n, n, n, n, n, n, n, n);
	barrier();
}

static noinline void publish_outer(void)
{
	publish_inner(1);
	publish_inner_many(2);
	barrier();
}

static ssize_t publish_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	char word[16] = "", *trimmed;

	if (count >= sizeof(word) || copy_from_user(word, from, count))
		return -EINVAL;
	trimmed = strim(word);
	if (!strcmp(trimmed, "long"))
		hit_long();
	else if (!strcmp(trimmed, "bits"))
		hit_bits();
	else if (!strcmp(trimmed, "beside"))
		hit_beside();
	else if (!strcmp(trimmed, "control"))
		hit_control();
	else if (!strcmp(trimmed, "keywords"))
		hit_keywords();
	else if (!strcmp(trimmed, "stack"))
		publish_outer();
	else
		return -EINVAL;
	return count;
}

static const struct proc_ops publish_ops = {
	.proc_write = publish_write,
	.proc_lseek = noop_llseek,
};

static int __init publish_init(void)
{
	memset(text, 'x', sizeof(text) - 1);
	memset(control, 1, sizeof(control) - 1);
	bitmap_set(bits, 0, 8);
	bitmap_set(bits, BITS - 4, 4);
	return proc_create("test_publish", 0200, NULL, &publish_ops) ? 0 : -ENOMEM;
}
module_init(publish_init);

static void __exit publish_exit(void)
{
	remove_proc_entry("test_publish", NULL);
}
module_exit(publish_exit);

MODULE_DESCRIPTION("markers selftest: odd published markers");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
