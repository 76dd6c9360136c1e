// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a ring: memory, CPU hotplug, start and stop, statistics.
 *
 * Called from tasks that may sleep.  A CPU gets its buffer before it comes up for
 * the first time, and keeps it until the ring is destroyed, so that going offline
 * loses nothing.
 */
#include "region.h"
#include "ring_internal.h"

static int hotplug_state;

struct ring_cpu *ring_cpu_get(struct ring *ring, int cpu)
{
	struct ring_cpu *rc;

	if (cpu < 0 || (unsigned int)cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return NULL;
	rc = ring_cpu_of(ring, cpu);
	/* RB(buffer:B): pairs with RB(buffer:A). */
	return smp_load_acquire(&rc->slots) ? rc : NULL;
}

void *ring_subbuf_alloc(u32 size, int cpu, gfp_t flags)
{
	unsigned int order = get_order(size);
	struct page *page;

	page = alloc_pages_node(cpu_to_node(cpu), GFP_KERNEL_ACCOUNT | __GFP_NORETRY |
				__GFP_NOWARN | flags, order);
	if (!page)
		return NULL;
	if (order)
		split_page(page, order);
	return page_address(page);
}

void ring_subbuf_free(void *data, u32 size)
{
	u32 i;

	if (!data)
		return;
	for (i = 0; i < size; i += PAGE_SIZE)
		__free_page(virt_to_page((u8 *)data + i));
}

/* Memory that a reader of a dead kernel needs: sub-buffers, slots, and struct ring_cpu. */

static void *alloc_subbuf(const struct ring_cpu *rc)
{
	struct ring_region *region = rc->ring->config.region;

	return region ? ring_region_alloc(region, rc->subbuf_size) :
			ring_subbuf_alloc(rc->subbuf_size, rc->cpu, __GFP_ZERO);
}

static void free_subbuf(const struct ring_cpu *rc, void *data)
{
	struct ring_region *region = rc->ring->config.region;

	if (region)
		ring_region_free(region, data, rc->subbuf_size);
	else
		ring_subbuf_free(data, rc->subbuf_size);
}

static struct ring_slot *alloc_slots(const struct ring_cpu *rc)
{
	const size_t size = array_size(rc->slot_mask + 1, sizeof(struct ring_slot));
	struct ring_region *region = rc->ring->config.region;

	return region ? ring_region_alloc(region, size) :
			kvzalloc_node(size, GFP_KERNEL_ACCOUNT, cpu_to_node(rc->cpu));
}

static void free_slots(const struct ring_cpu *rc, struct ring_slot *slots)
{
	const size_t size = array_size(rc->slot_mask + 1, sizeof(struct ring_slot));
	struct ring_region *region = rc->ring->config.region;

	if (region)
		ring_region_free(region, slots, size);
	else
		kvfree(slots);
}

static void free_buffers(struct ring_cpu *rc, void **data, struct ring_buf *bufs,
			 struct ring_slot *slots)
{
	u32 i;

	for (i = 0; data && i <= rc->slot_mask + 1; i++)
		free_subbuf(rc, data[i]);
	free_slots(rc, slots);
	kvfree(bufs);
	kvfree(data);
}

static int alloc_buffers(struct ring_cpu *rc)
{
	u32 nr = rc->slot_mask + 1, i;
	int node = cpu_to_node(rc->cpu);
	struct ring_slot *slots;
	struct ring_buf *bufs;
	void **data;

	data = kvzalloc_node(array_size(nr + 1, sizeof(*data)), GFP_KERNEL_ACCOUNT,
			     node);
	bufs = kvzalloc_node(array_size(nr + 1, sizeof(*bufs)), GFP_KERNEL_ACCOUNT,
			     node);
	slots = alloc_slots(rc);
	if (!data || !bufs || !slots)
		goto err;
	for (i = 0; i <= nr; i++) {
		data[i] = alloc_subbuf(rc);
		if (!data[i])
			goto err;
	}

	/* As if the lap before the first one had been read. */
	for (i = 0; i < nr; i++) {
		atomic_long_set(&slots[i].word, ring_word(i, RING_CONSUMED, i));
		slots[i].next = &slots[(i + 1) & rc->slot_mask];
		local_set(&slots[i].commit, ring_commit_nothing(rc));
	}
	rc->spare = nr;
	rc->read_seq = nr;
	local_set(&rc->offset, (unsigned long)nr << rc->subbuf_shift);
	rc->data = data;
	rc->bufs = bufs;
	/*
	 * RB(buffer:A): publishes all of the above; pairs with RB(buffer:B).
	 */
	smp_store_release(&rc->slots, slots);
	return 0;

err:
	free_buffers(rc, data, bufs, slots);
	return -ENOMEM;
}

/*
 * A CPU is about to come up, or is up when the ring is created.  If memory is short,
 * the CPU still comes up, and its events are counted as lost.
 */
static int prepare_cpu(unsigned int cpu, struct hlist_node *node)
{
	struct ring *ring = container_of(node, struct ring, node);
	struct ring_cpu *rc = ring_cpu_of(ring, cpu);
	int err;

	if (rc->slots)
		return 0;
	err = alloc_buffers(rc);
	if (!err || !ring->ready)
		return err;
	pr_warn("no memory for the ring buffer of CPU %u, its events will be lost\n", cpu);
	return 0;
}

static void wake_readers(struct irq_work *work)
{
	struct ring *ring = container_of(work, struct ring, wake_work);

	wake_up_interruptible_poll(&ring->wait, EPOLLIN | EPOLLRDNORM);
}

struct ring_slot ring_nothing_open = {
	.start = BIT(63),
	.next = &ring_nothing_open,
	.refused = -1,
};

static void init_cpu(struct ring *ring, int cpu)
{
	struct ring_cpu *rc = ring_cpu_of(ring, cpu);

	rc->ring = ring;
	rc->cpu = cpu;
	rc->recent = &ring_nothing_open;
	rc->subbuf_size = ring->config.subbuf_size;
	rc->tag = ring->config.tag;
	rc->subbuf_shift = ilog2(ring->config.subbuf_size);
	rc->slot_mask = ring->config.nr_subbufs - 1;
	rc->header_size = ring->config.ops->header_size;
	rc->overwrite = ring->config.mode == RING_OVERWRITE;
	rc->clock = ring->config.clock;
	mutex_init(&rc->reader_lock);
}

static bool config_is_valid(const struct ring_config *config)
{
	return is_power_of_2(config->subbuf_size) &&
	       config->subbuf_size >= PAGE_SIZE &&
	       config->subbuf_size <= RING_SUBBUF_SIZE_MAX &&
	       is_power_of_2(config->nr_subbufs) &&
	       config->nr_subbufs >= 2 &&
	       config->nr_subbufs <= RING_NR_SUBBUFS_MAX &&
	       config->ops->header_size > 0 &&
	       config->ops->header_size < config->subbuf_size;
}

/* Free what alloc_cpus() has made, even if it has failed. */
static void free_cpus(struct ring *ring)
{
	if (ring->in_region)
		ring_region_free(ring->config.region, ring->in_region,
				 nr_cpu_ids * sizeof(struct ring_cpu));
	free_percpu(ring->own);
	kvfree(ring->cpus);
}

size_t ring_region_needed(const struct ring_config *config, unsigned int nr_cpus)
{
	const size_t cpus = nr_cpu_ids * sizeof(struct ring_cpu);
	const size_t slots = config->nr_subbufs * sizeof(struct ring_slot);
	const size_t data = (size_t)config->subbuf_size * (config->nr_subbufs + 1);

	return ALIGN(cpus, PAGE_SIZE) + nr_cpus * (data + ALIGN(slots, PAGE_SIZE));
}

static int alloc_cpus(struct ring *ring)
{
	struct ring_region *region = ring->config.region;
	int cpu;

	ring->cpus = kvzalloc(array_size(nr_cpu_ids, sizeof(ring->cpus[0])), GFP_KERNEL_ACCOUNT);
	if (!ring->cpus)
		return -ENOMEM;
	if (region)
		ring->in_region = ring_region_alloc(region, nr_cpu_ids * sizeof(struct ring_cpu));
	else
		ring->own = alloc_percpu_gfp(struct ring_cpu, GFP_KERNEL_ACCOUNT);
	if (!ring->in_region && !ring->own)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		ring->cpus[cpu] = region ? &ring->in_region[cpu] : per_cpu_ptr(ring->own, cpu);
		init_cpu(ring, cpu);
	}
	return 0;
}

struct ring *ring_create(const struct ring_config *config)
{
	struct ring *ring;
	int cpu, err;

	BUILD_BUG_ON(sizeof(long) != 8);	/* local_t holds all of a position */

	if (!config_is_valid(config))
		return ERR_PTR(-EINVAL);
	ring = kzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);
	if (!ring)
		return ERR_PTR(-ENOMEM);
	ring->config = *config;
	ring->config.clock = config->clock ?: &marker_clock;
	init_waitqueue_head(&ring->wait);
	init_irq_work(&ring->wake_work, wake_readers);
	mutex_init(&ring->offline_lock);

	err = alloc_cpus(ring);
	if (err)
		goto err_cpus;
	err = cpuhp_state_add_instance(hotplug_state, &ring->node);
	if (err)
		goto err_buffers;
	WRITE_ONCE(ring->ready, true);
	return ring;

err_buffers:
	for_each_possible_cpu(cpu) {
		struct ring_cpu *rc = ring_cpu_of(ring, cpu);

		free_buffers(rc, rc->data, rc->bufs, rc->slots);
	}
err_cpus:
	free_cpus(ring);
	kfree(ring);
	return ERR_PTR(err);
}

void ring_destroy(struct ring *ring)
{
	int cpu;

	cpuhp_state_remove_instance_nocalls(hotplug_state, &ring->node);
	irq_work_sync(&ring->wake_work);
	for_each_possible_cpu(cpu) {
		struct ring_cpu *rc = ring_cpu_of(ring, cpu);

		free_buffers(rc, rc->data, rc->bufs, rc->slots);
	}
	free_cpus(ring);
	kfree(ring);
}

static void set_ring_on(struct ring *ring, bool on, bool quick)
{
	const struct ring_config *config = &ring->config;
	const u64 room = on ? config->subbuf_size : 0;
	const u64 kind_room = quick ? room - config->added : 0;
	const bool counter = config->clock->counter;
	struct ring_cpu *rc;
	int cpu;
	u32 i;

	for_each_possible_cpu(cpu) {
		rc = ring_cpu_of(ring, cpu);
		WRITE_ONCE(rc->room, room);
		for (i = 0; i < RING_NR_KINDS; i++)
			WRITE_ONCE(rc->counter_room[i],
				   counter && i == config->kind ? kind_room : 0);
		WRITE_ONCE(rc->clock_room,
			   !counter && config->kind < RING_NR_KINDS ? kind_room : 0);
		WRITE_ONCE(rc->full_room, on ? (s64)room - config->added : S64_MAX);
	}
}

void ring_start(struct ring *ring)
{
	set_ring_on(ring, true, true);
}

void ring_start_slow(struct ring *ring)
{
	set_ring_on(ring, true, false);
}

void ring_stop(struct ring *ring)
{
	set_ring_on(ring, false, false);
}

void ring_set_mode(struct ring *ring, enum ring_mode mode)
{
	struct ring_cpu *rc;
	int cpu;
	u32 i;

	for_each_possible_cpu(cpu) {
		rc = ring_cpu_of(ring, cpu);
		rc->overwrite = mode == RING_OVERWRITE;
		if (!ring_cpu_get(ring, cpu))
			continue;
		/* A writer that was refused a sub-buffer may get it now. */
		for (i = 0; i <= rc->slot_mask; i++)
			rc->slots[i].refused = 0;
	}
	WRITE_ONCE(ring->config.mode, mode);
}

void ring_stats(struct ring *ring, int cpu, struct ring_stats *stats)
{
	u64 read_base, overwritten_base;
	struct ring_cpu *rc;
	u32 i;

	memset(stats, 0, sizeof(*stats));
	if (cpu < 0 || (unsigned int)cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return;
	rc = ring_cpu_of(ring, cpu);

	for (i = 0; i < RING_NR_LOST; i++) {
		stats->lost[i] = ring_since(&rc->lost[i], &rc->lost_base[i]);
		stats->written += stats->lost[i];
	}
	/* No buffer: nothing else was counted. */
	if (!ring_cpu_get(ring, cpu))
		return;

	stats->overwritten = ring_since(&rc->overwritten, &rc->overwritten_base);
	/* RB(clear:B): the bases before what is counted from there. */
	read_base = smp_load_acquire(&rc->read_base);
	/* RB(clear:B): as above */
	overwritten_base = smp_load_acquire(&rc->overwritten_base);
	stats->read = READ_ONCE(rc->read) - read_base;
	/* Cleared packets were delivered, and then read or overwritten. */
	stats->delivered = local_read(&rc->delivered) - read_base - overwritten_base;

	for (i = 0; i <= rc->slot_mask; i++) {
		long word = atomic_long_read_acquire(&rc->slots[i].word);

		switch (ring_word_state(word)) {
		case RING_OPEN:
			stats->open += (u32)local_read(&rc->slots[i].commit);
			break;
		case RING_DELIVERED:
			stats->unread += READ_ONCE(rc->bufs[ring_word_buf(word)].nr_events);
			break;
		case RING_CONSUMED:
			break;
		}
	}
	stats->written += stats->delivered + stats->open;
}

/*
 * Buffers are allocated before their CPU runs, which is a "prepare" state.  Take
 * the last free number of the dynamic range rather than ask for any: not all kernels
 * tell which one it was, for a "prepare" state.
 */
int ring_init(void)
{
	int state, err = -ENOSPC;

	for (state = CPUHP_BP_PREPARE_DYN_END; state > CPUHP_BP_PREPARE_DYN; state--) {
		err = cpuhp_setup_state_multi(state, "markers/ring:prepare",
					      prepare_cpu, NULL);
		if (err != -EBUSY)
			break;
	}
	if (!err)
		hotplug_state = state;
	return err;
}

void ring_exit(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}
