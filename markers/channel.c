// SPDX-License-Identifier: GPL-2.0
/*
 * The one recording there is: made when the module is loaded, switched and
 * cleared through debugfs.  Process context.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/uuid.h>

#include "channel.h"
#include "packet.h"

#define MAX_BUFFER_KB	(1U << 20)	/* 1 GiB for each CPU */

struct ring *marker_ring;
u8 marker_uuid[CTF_UUID_SIZE];

static DEFINE_MUTEX(channel_mutex);	/* channel_on; takes no other */
static bool channel_on;

static void __init report_error(int err, unsigned long buffer_size,
				unsigned long subbuf_size)
{
	if (err == -ENOMEM)
		pr_err("no memory for %lu KiB of buffer on each of %u CPUs: try a smaller buffer_size_kb\n",
		       buffer_size / 1024, num_online_cpus());
	else
		pr_err("a buffer of %lu KiB cannot be made of sub-buffers of %lu KiB\n",
		       buffer_size / 1024, subbuf_size / 1024);
}

int __init marker_channel_init(unsigned int buffer_kb, unsigned int subbuf_kb)
{
	struct ring_config config = {
		.mode = RING_DISCARD,
		.ops = &packet_ring_ops,
		.private = marker_uuid,
	};
	unsigned long buffer_size, subbuf_size;

	if (!buffer_kb || buffer_kb > MAX_BUFFER_KB) {
		pr_err("buffer_size_kb must be 1 to %u\n", MAX_BUFFER_KB);
		return -EINVAL;
	}
	if (!subbuf_kb || subbuf_kb > buffer_kb) {
		pr_err("subbuf_size_kb must be 1 to buffer_size_kb\n");
		return -EINVAL;
	}
	subbuf_size = max(roundup_pow_of_two(subbuf_kb * 1024UL), PAGE_SIZE);
	buffer_size = max(roundup_pow_of_two(buffer_kb * 1024UL),
			  2 * subbuf_size);
	config.subbuf_size = subbuf_size;
	config.nr_subbufs = buffer_size / subbuf_size;

	generate_random_uuid(marker_uuid);
	marker_ring = ring_create(&config);
	if (IS_ERR(marker_ring)) {
		report_error(PTR_ERR(marker_ring), buffer_size, subbuf_size);
		return PTR_ERR(marker_ring);
	}
	marker_channel_set_on(true);
	return 0;
}

void marker_channel_exit(void)
{
	ring_destroy(marker_ring);
}

size_t marker_channel_subbuf_size(void)
{
	return marker_ring->config.subbuf_size;
}

size_t marker_channel_buffer_size(void)
{
	return (size_t)marker_ring->config.subbuf_size *
	       marker_ring->config.nr_subbufs;
}

void marker_channel_set_on(bool on)
{
	mutex_lock(&channel_mutex);
	if (on)
		ring_start(marker_ring);
	else
		ring_stop(marker_ring);
	channel_on = on;
	mutex_unlock(&channel_mutex);
}

bool marker_channel_is_on(void)
{
	return READ_ONCE(channel_on);
}
