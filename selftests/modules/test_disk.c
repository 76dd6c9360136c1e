// SPDX-License-Identifier: GPL-2.0
/*
 * A disk that forgets: it completes each request at once, and reads return what the page
 * had.  For the events of requests, in a guest that has no disk.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/version.h>

#define SECTORS	2048

#if KERNEL_VERSION(6, 9, 0) <= LINUX_VERSION_CODE
#define alloc_disk(tags)	blk_mq_alloc_disk(tags, NULL, NULL)
#else
#define alloc_disk(tags)	blk_mq_alloc_disk(tags, NULL)
#endif

static struct blk_mq_tag_set tags;
static struct gendisk *disk;

static blk_status_t forget(struct blk_mq_hw_ctx *hctx, const struct blk_mq_queue_data *data)
{
	blk_mq_start_request(data->rq);
	blk_mq_end_request(data->rq, BLK_STS_OK);
	return BLK_STS_OK;
}

static const struct blk_mq_ops queue_ops = {
	.queue_rq = forget,
};

static const struct block_device_operations disk_ops = {
	.owner = THIS_MODULE,
};

static int __init test_disk_init(void)
{
	int err;

	tags.ops = &queue_ops;
	tags.nr_hw_queues = 1;
	tags.queue_depth = 16;
	tags.numa_node = NUMA_NO_NODE;
	err = blk_mq_alloc_tag_set(&tags);
	if (err)
		return err;
	disk = alloc_disk(&tags);
	if (IS_ERR(disk)) {
		err = PTR_ERR(disk);
		goto out_tags;
	}
	disk->fops = &disk_ops;
	disk->flags |= GENHD_FL_NO_PART;
	strscpy(disk->disk_name, "test_disk", sizeof(disk->disk_name));
	set_capacity(disk, SECTORS);
	err = add_disk(disk);
	if (!err)
		return 0;
	put_disk(disk);
out_tags:
	blk_mq_free_tag_set(&tags);
	return err;
}
module_init(test_disk_init);

static void __exit test_disk_exit(void)
{
	del_gendisk(disk);
	put_disk(disk);
	blk_mq_free_tag_set(&tags);
}
module_exit(test_disk_exit);

MODULE_DESCRIPTION("Test: a disk for the events of requests");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
