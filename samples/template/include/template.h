/* SPDX-License-Identifier: GPL-2.0 */
/* What the modules of the template share. */
#ifndef _TEMPLATE_H
#define _TEMPLATE_H

struct device;

/**
 * template_submit() - queue a request
 * @dev:	the device that the request is for
 * @sector:	where the request begins
 * @bytes:	its size in bytes
 *
 * Return: the number of queued requests, or -EINVAL.
 */
int template_submit(struct device *dev, unsigned long long sector, unsigned int bytes);

/* queue.c */
int template_queue_add(unsigned int bytes);

#endif /* _TEMPLATE_H */
