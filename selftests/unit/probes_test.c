// SPDX-License-Identifier: GPL-2.0
/*
 * Probes: the registry connects them where their format fits, in the order of their
 * registration, now and when a module comes; a program with others replaces that of the event,
 * which is freed after a grace period.
 */
#include "switch_kit.h"

static struct kit_module a = {
	.mod.name = "a",
	.marker = { { "m", "x %d", 2 }, { "other", " ", 1 } },
};

static struct kit_module b = {
	.mod.name = "b",
	.marker = { { "m", "y %s", 1 } },
};

static struct kit_module again = {
	.mod.name = "again",
	.marker = { { "m", "x %d", 1 }, { "m", "x %d", 1, .init = true } },
};

static int one, two;
static char called[64];

static void note(char probe, void *private, va_list *args)
{
	snprintf(called + strlen(called), sizeof(called) - strlen(called), "%s%c%c%s",
		 *called ? " " : "", probe,
		 private == &one ? 'a' : private == &two ? 'b' : '-',
		 va_arg(*args, int) == 7 ? "" : " with other arguments");
}

static void first(void *private, void *call, const char *fmt, va_list *args)
{
	(void)call;
	(void)fmt;
	note('1', private, args);
}

static void second(void *private, void *call, const char *fmt, va_list *args)
{
	(void)call;
	(void)fmt;
	note('2', private, args);
}

/* What a hit calls. */
static const char *calls(const struct marker_program *program, ...)
{
	va_list args;

	called[0] = '\0';
	va_start(args, program);
	program->call.func(program->call.private, NULL, "", &args);
	va_end(args);
	return called;
}

/* "1a 2b": functions and data of the probes of an event, in the order of calls. */
static const char *probes(struct kit_module *kit, const char *name)
{
	return calls(marker_program_of(kit_event(kit, name)), 7);
}

static void is_result(const struct marker_result *r, unsigned int matched,
		      unsigned int armed, unsigned int refused)
{
	ok(r->matched == matched && r->armed == armed && r->refused == refused,
	   "matched %u armed %u refused %u", r->matched, r->armed, r->refused);
}

static void test_register(void)
{
	struct marker_result r;
	struct marker_site *site;

	is_int(marker_probe_register_result("m", "x %d", first, &one, &r), 0, "for one format");
	is_result(&r, 3, 2, 1);
	ok(strstr(kit_log(), "marker b:m: a probe is not connected: it expects \"x %d\", but the format is \"y %s\""),
	   "error_log says where not");
	is_str(probes(&a, "m"), "1a", "connected where it fits");
	is_str(probes(&b, "m"), "", "and nowhere else");
	is_str(probes(&a, "other"), "", "another name");
	site = marker_event_site(kit_event(&a, "m"), 1);
	is_int(site->state, MARKER_SITE_JUMP, "armed");
	is_int(site->marker->state, MARKER_ONLY_PROBED, "state");

	is_int(marker_probe_register("m", NULL, second, &one), 0, "for any format");
	is_int(marker_probe_register("m", NULL, first, &two), 0, "the same function, other data");
	is_str(probes(&a, "m"), "1a 2a 1b", "in the order they came");
	is_str(probes(&b, "m"), "2a 1b", "those that fit");
	is_int(marker_probe_register("m", NULL, first, &one), -EBUSY, "a pair that is there");
	is_int(marker_probe_register("m", "y %s", first, &one), -EBUSY, "with another format");
	is_int(marker_probe_register("other", NULL, first, &one), 0, "with another name");
	is_int(marker_probe_register("", NULL, first, &one), -EINVAL, "no name");
	is_int(marker_probe_register("m", NULL, NULL, &one), -EINVAL, "no function");
	is_int(marker_probe_register("nosuch", NULL, first, &one), 0, "a name that may come");

	ok(marker_get_private_data("m", first, 0) == &one, "data, the first");
	ok(marker_get_private_data("m", first, 1) == &two, "data, the second");
	ok(marker_get_private_data("m", first, 2) == ERR_PTR(-ENOENT), "there is no third");
	ok(marker_get_private_data("x", first, 0) == ERR_PTR(-ENOENT), "another name");
}

/* A recorded marker stays armed without probes, and one with probes without a recording. */
static void test_both(void)
{
	struct marker_site *site = marker_event_site(kit_event(&a, "other"), 0);

	marker_control_set(&marker_top, "a", "other", true);
	is_int(site->marker->state, MARKER_PROBED | MARKER_RECORD_NONE, "probed and recorded");
	marker_control_set(&marker_top, "a", "other", false);
	is_int(site->marker->state, MARKER_ONLY_PROBED, "probed");
	is_int(site->state, MARKER_SITE_JUMP, "armed");
}

static void test_coming(void)
{
	struct marker_result r;

	kit_log();
	is_int(kit_load(&again), 0, "a module comes");
	is_str(probes(&again, "m"), "1a 2a 1b", "its markers are connected");
	is_int(marker_event_site(kit_event(&again, "m"), 0)->state, MARKER_SITE_JUMP, "and armed");
	kit_notify(&again, MODULE_STATE_LIVE);
	is_int(marker_probe_register_result("m", NULL, second, &two, &r), 0, "one more");
	is_result(&r, 4, 4, 0);
	marker_probe_unregister("m", second, &two);
	kit_unload(&again);
	kit_unload(&b);
	kit_load(&b);
	ok(strstr(kit_log(), "marker b:m: a probe is not connected"), "error_log, when a module comes");
	is_str(probes(&b, "m"), "2a 1b", "a module that comes back");
}

static unsigned int reachable;

/* A hit that looks now must not find @object. */
static void look_for(const void *object)
{
	struct marker_event *event;

	for_each_event(event)
		reachable += marker_program_of(event) == object;
}

static void test_unregister(void)
{
	const struct marker_program *old = marker_program_of(kit_event(&a, "m"));
	struct marker_site *site = marker_event_site(kit_event(&a, "m"), 0);

	is_int(marker_probe_unregister("m", second, &two), -ENOENT, "a pair that is not there");
	is_int(marker_probe_unregister("x", first, &one), -ENOENT, "under another name");
	is_int(marker_probe_unregister("m", second, &one), 0, "the one in the middle");
	is_str(probes(&a, "m"), "1a 1b", "the others stay");
	is_str(calls(old, 7), "1a 2a 1b", "a hit that is under way still has the old program");
	marker_synchronize_unregister();
	ok(!unit_rcu, "which is freed after a grace period");
	is_int(marker_probe_unregister_private_data(first, &two), 0, "without a name");
	is_int(marker_probe_unregister("m", first, &one), 0, "the last one");
	is_str(probes(&a, "m"), "", "none");
	is_int(site->state, MARKER_SITE_NOP, "disarmed");
	is_int(site->marker->state, 0, "state");
	is_int(marker_probe_unregister("other", first, &one), 0, "of the other name");
}

/* Each allocation fails once. */
static void test_no_memory(void)
{
	unsigned int before;
	int nr;

	marker_probe_register("m", NULL, second, &two);
	for (nr = 1;; nr++) {
		unit_alloc_fail = nr;
		if (!marker_probe_register("m", NULL, first, &one))
			break;
		is_str(probes(&a, "m"), "2b", "allocation %d fails: as it was", nr);
		is_str(probes(&b, "m"), "2b", "allocation %d fails: in the other module, too", nr);
		ok(marker_get_private_data("m", first, 0) == ERR_PTR(-ENOENT),
		   "allocation %d fails: it is not registered", nr);
	}
	ok(nr > 4, "allocations that failed: %d", nr - 1);
	unit_alloc_fail = 0;
	marker_probe_unregister("m", first, &one);

	kit_patch_error = -ENOMEM;
	marker_probe_unregister("m", second, &two);
	kit_patch_error = 0;
	before = unit_grace_periods;
	kit_patch_error = -ENOMEM;
	is_int(marker_probe_register("other", NULL, first, &one), -ENOMEM, "patching fails");
	kit_patch_error = 0;
	is_str(probes(&a, "other"), "", "it is not connected");
	is_int(unit_grace_periods, before + 1, "it was, so a grace period has passed");

	/* an unregistration never fails */
	marker_probe_register("m", NULL, first, &one);
	marker_probe_register("m", NULL, second, &two);
	unit_alloc_fail = 1;
	is_int(marker_probe_unregister("m", first, &one), 0, "no memory for the sites");
	unit_alloc_fail = 0;
	is_str(probes(&b, "m"), "2b", "its hits call nothing of it");
	is_str(probes(&a, "m"), "2b", "nor those of another marker");
	marker_probe_unregister("m", second, &two);
	is_str(probes(&b, "m"), "", "the last one");
}

/* The probe of one event: beside the others, and over a reload of its module. */
static void test_own(void)
{
	static const struct marker_probe own = { second, &one };
	struct marker_event *event = kit_event(&a, "m");
	struct marker_site *site = marker_event_site(event, 0);
	int nr, err;

	for (nr = 1;; nr++) {
		marker_registry_lock();
		unit_alloc_fail = nr;
		err = marker_probes_set_own(event, &own);
		marker_registry_unlock();
		if (!err)
			break;
		is_str(probes(&a, "m"), "", "allocation %d fails: it has none", nr);
		ok(!event->own_probe, "nor later");
	}
	unit_alloc_fail = 0;
	ok(nr > 1, "allocations that failed: %d", nr - 1);
	is_str(probes(&a, "m"), "2a", "the event has it");
	is_str(probes(&b, "m"), "", "one of the same name has not");
	is_int(site->marker->state, MARKER_ONLY_PROBED, "state");
	is_int(site->state, MARKER_SITE_JUMP, "armed");
	marker_probe_register("m", NULL, first, &one);
	ok(strstr(probes(&a, "m"), "2a") && strstr(probes(&a, "m"), "1a"), "and another");
	marker_probe_unregister("m", first, &one);
	is_str(probes(&a, "m"), "2a", "which goes alone");
	kit_unload(&a);
	kit_load(&a);
	is_str(probes(&a, "m"), "2a", "its module comes back");
	marker_registry_lock();
	is_int(marker_probes_set_own(event, NULL), 0, "taken away");
	marker_registry_unlock();
	is_str(probes(&a, "m"), "", "it has none");
	site = marker_event_site(event, 0);
	is_int(site->marker->state, 0, "state");
	is_int(site->state, MARKER_SITE_NOP, "disarmed");

	kit_unload(&a);
	marker_registry_lock();
	is_int(marker_probes_set_own(event, &own), 0, "while its module is away");
	marker_registry_unlock();
	kit_load(&a);
	is_str(probes(&a, "m"), "2a", "it has it once that is there");
	marker_registry_lock();
	marker_probes_set_own(event, NULL);
	marker_registry_unlock();
}

static void test_too_many(void)
{
	static u8 data[MARKER_MAX_PROBES + 1];
	unsigned int i, nr = 0;

	for (i = 0; i < MARKER_MAX_PROBES; i++)
		nr += !marker_probe_register("m", NULL, first, &data[i]);
	is_int(nr, MARKER_MAX_PROBES, "probes of one name");
	is_int(marker_probe_register("m", NULL, first, &data[i]), -ENOSPC, "one more");
	ok(strstr(kit_log(), "m: a probe is not registered"), "error_log says so");
	is_int(marker_probe_register("other", NULL, first, &data[i]), 0, "of another name");
	is_int(marker_probe_unregister("other", first, &data[i]), 0, "gone");
	while (i--)
		nr -= !marker_probe_unregister("m", first, &data[i]);
	is_int(nr, 0, "all gone");
	is_str(probes(&a, "m"), "", "the event has none");
}

int main(void)
{
	unit_on_kfree_rcu = look_for;
	kit_begin();
	kit_load(&a);
	kit_load(&b);
	test_register();
	test_both();
	test_coming();
	test_unregister();
	test_no_memory();
	test_own();
	test_too_many();
	kit_unload(&b);
	kit_unload(&a);
	is_int(reachable, 0, "programs that hits could find when they were freed");
	return kit_end();
}
