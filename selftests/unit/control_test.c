// SPDX-License-Identifier: GPL-2.0
/*
 * Commands of operators: each takes effect completely or not at all, also for modules that
 * come later, and a refusal is explained.
 */
#include "switch_kit.h"

static struct kit_module a = {
	.mod.name = "mod_a",
	.marker = { { "one", " ", 1 }, { "two", " ", 1 }, { "bad", "%f", 1 } },
};

static struct kit_module b = {
	.mod.name = "b",
	.marker = { { "one", " ", 1 }, { "b", " ", 1 } },
};

/* Which markers are enabled after @text?  @clear: it replaces the list. */
static void enables(const char *text, bool clear, const char *wanted)
{
	is_int(marker_control_set_patterns(&marker_top, text, clear), 0, "\"%s\"", text);
	is_str(kit_enabled(), wanted, "enabled after \"%s\"", text);
}

static void refuses(const char *text, bool clear, int err, const char *message)
{
	char before[256];

	snprintf(before, sizeof(before), "%s", kit_enabled());
	kit_log();
	is_int(marker_control_set_patterns(&marker_top, text, clear), err, "\"%s\"", text);
	is_str(kit_enabled(), before, "nothing is changed");
	ok(strstr(kit_log(), message), "error_log has \"%s\"", message);
}

static void test_patterns(void)
{
	enables("one", true, "mod_a:one b:one");
	enables("mod_a:two", false, "mod_a:one mod_a:two b:one");
	enables("!b:*", false, "mod_a:one mod_a:two");
	enables("t?o", true, "mod_a:two");
	enables("mod_*:* !one", true, "mod_a:two");
	enables("b", true, "b:b");
	enables("", true, "");
	is_int(marker_control_get(&marker_top, NULL), '0', "none");
	enables("b:*", true, "b:one b:b");
	is_int(marker_control_get(&marker_top, NULL), 'X', "some");
	is_int(marker_control_get(&marker_top, b.module), '1', "all of one module");
	is_int(marker_control_get(&marker_top, a.module), '0', "none of the other");
	enables("*", false, "mod_a:one mod_a:two b:one b:b");
	is_int(marker_control_get(&marker_top, NULL), '1', "all that can be");
	enables("!*", false, "");
}

static void test_refused(void)
{
	char longest[514];

	enables("one", true, "mod_a:one b:one");
	refuses("b:b a/b", false, -EINVAL, "no such character");
	refuses("b:b !b:two", true, -ENOENT, "!b:two: no such marker, and none was asked for");
	refuses("b:b mod_a", true, -ENOENT,
		"mod_a: a module, not a marker: write 'mod_a:*' for all its markers");
	refuses("mod-a", false, -ENOENT, "mod-a: a module, not a marker: write 'mod_a:*'");
	refuses("!mod_a", false, -ENOENT, "!mod_a: a module, not a marker: write '!mod_a:*'");
	snprintf(longest, sizeof(longest), "*:[%0509d]", 0);
	refuses(longest, false, -EINVAL, "a pattern with [ has 512 characters at most");
	enables(longest + 2, false, "mod_a:one b:one");
	memset(longest, 'x', sizeof(longest) - 1);
	enables(longest, false, "mod_a:one b:one");
	kit_patch_error = -ENOMEM;
	refuses("", true, -ENOMEM, "");
	kit_patch_error = 0;
	/* possible and loaded names are accepted */
	enables("*:mod_a", false, "mod_a:one b:one");
	enables("!mod_a:bad", false, "mod_a:one b:one");
	enables("!mod_a:one", false, "b:one");
	enables("nosuch", false, "b:one");
	enables("!nosuch", false, "b:one");
	/* after a clear there are no rules */
	refuses("!nosuch", true, -ENOENT, "!*:nosuch: no such marker");
	enables("nosuch !nosuch", true, "");
}

static unsigned int depth(struct kit_module *module, const char *name)
{
	return marker_rules_stack_depth(marker_program_asked(kit_event(module, name),
							     &marker_top));
}

/* Which markers are counted? */
static const char *counted(void)
{
	static char text[256];
	struct marker_event *event;

	text[0] = '\0';
	for_each_loaded_event(event) {
		if (marker_program_asked(event, &marker_top) & MARKER_ASK_COUNT)
			kit_append(text, sizeof(text), "%s", event->title);
	}
	return text;
}

static void test_counted(void)
{
	enables("one=count mod_a:two+count", true, "mod_a:two");
	is_str(counted(), "mod_a:one mod_a:two b:one", "counted");
	is_int(marker_control_get(&marker_top, NULL), 'X', "what is only counted is not enabled");
	refuses("b:* mod_a:one+coun", false, -EINVAL, "no such option");
	is_str(counted(), "mod_a:one mod_a:two b:one", "counted as before");
	enables("mod_a:*", false, "mod_a:one mod_a:two");
	is_str(counted(), "b:one", "no longer counted");
	kit_unload(&b);
	is_str(counted(), "", "the module goes");
	kit_load(&b);
	is_str(counted(), "b:one", "it comes back");
	ok(kit_event(&b, "one")->counts, "its counts are there");
	ok(!kit_event(&b, "b")->counts, "others have none");
	enables("!b:one", false, "mod_a:one mod_a:two");
	is_str(counted(), "", "taken back");
	enables("b:one=count", true, "");
	enables("", true, "");
	is_str(counted(), "", "cleared");
}

static void test_stacks(void)
{
	enables("one", true, "mod_a:one b:one");
	refuses("b:b mod_a:one+stack", false, -EINVAL,
		"mod_a:one+stack: events have no room for stacks: add callstack_kernel to contexts first");
	marker_top.rules.stacks_allowed = true;
	enables("mod_a:one+stack=5", false, "mod_a:one b:one");
	is_int(depth(&a, "one"), 5, "depth");
	is_int(depth(&b, "one"), 0, "of another one");
	kit_patch_error = -ENOMEM;
	refuses("mod_a:*+stack=7 b:b", false, -ENOMEM, "");
	kit_patch_error = 0;
	is_int(depth(&a, "one"), 5, "depth, after a failure");
	marker_top.rules.stacks_allowed = false;
	refuses("b:b mod_a:one+stack=7", false, -EINVAL, "events have no room for stacks");
	enables("b:b", false, "mod_a:one b:one b:b");
	is_int(depth(&a, "one"), 5, "depth, after a refusal");
	enables("!b:b", false, "mod_a:one b:one");
	kit_unload(&a);
	kit_load(&a);
	is_int(depth(&a, "one"), 5, "depth, after it came back");
	enables("mod_a:one", false, "mod_a:one b:one");
	is_int(depth(&a, "one"), 0, "without a stack");
	enables("", true, "");
}

/* "pattern ..." of the pending rules */
static const char *pending(void)
{
	static char text[256];
	struct marker_rule *rule;

	text[0] = '\0';
	marker_registry_lock();
	for_each_rule(&marker_top.rules, rule) {
		if (marker_control_is_pending(rule))
			kit_append(text, sizeof(text), "%s:%s", rule->module, rule->name);
	}
	marker_registry_unlock();
	return text;
}

static void test_pending(void)
{
	enables("b:* c:one mod_a:bad !b:b", true, "b:one");
	is_str(pending(), "c:one", "pending");
	kit_unload(&b);
	is_str(kit_enabled(), "", "the module goes");
	is_str(pending(), "b:* c:one", "its pattern waits");
	kit_load(&b);
	is_str(kit_enabled(), "b:one", "it comes back");
	is_int(marker_event_site(kit_event(&b, "one"), 0)->state, MARKER_SITE_JUMP, "and is armed");
	is_str(pending(), "c:one", "pending then");
	/* the name of a module may be pending while the module is not loaded */
	kit_unload(&b);
	enables("b", true, "");
	is_str(pending(), "*:b", "pending");
	kit_load(&b);
	is_str(kit_enabled(), "b:b", "there is a marker of that name");
	enables("", true, "");
}

static struct kit_module c = {
	.mod.name = "c",
	.marker = { { "io", "sector %llu name %s", 1 }, { "irq", "nr %d", 1 } },
};

/* "name=FILTER ..." of the loaded markers with a filter; "!" marks one that does not fit. */
static const char *filters(void)
{
	const struct marker_event_filter *filter;
	static char text[512];
	struct marker_event *event;

	text[0] = '\0';
	for_each_loaded_event(event) {
		filter = marker_program_filter(event, &marker_top);
		if (filter)
			kit_append(text, sizeof(text), "%s%s=%s",
				   filter->error.why ? "!" : "", event->name, filter->text);
		if (event->next_program)
			ok(false, "%s is in a change", event->name);
	}
	return text;
}

static u32 state(const char *name)
{
	return marker_event_site(kit_event(&c, name), 0)->marker->state;
}

static void begin_filters(void)
{
	enables("", true, "");
	kit_load(&c);
	enables("c:io if sector > 100\nc:irq", true, "c:io c:irq");
}

static void end_filters(void)
{
	enables("", true, "");
	is_str(filters(), "", "cleared");
	kit_unload(&c);
}

/* A wrong filter changes nothing. */
static void test_filters(void)
{
	begin_filters();
	is_str(filters(), "io=sector > 100", "a filter");
	is_int(state("io"), MARKER_FILTERED, "state with a filter");
	is_int(state("irq"), MARKER_RECORD_INTS, "state without");
	refuses("c:io if sektor > 100", false, -EINVAL,
		"filter of marker c:io: no such field, nor tid");
	refuses("c:irq if sector > 100", true, -EINVAL, "no such field");
	refuses("c:* if x > 1", false, -EINVAL, "filter of marker c:io and 1 others: no such field");
	refuses("c:io if name > 1", false, -EINVAL, "this is for numbers");
	refuses("c:io if (sector > 1", false, -EINVAL, "filter: ) is missing here");
	is_str(filters(), "io=sector > 100", "the filter is the same");
	is_int(state("io"), MARKER_FILTERED, "and the state");
	kit_patch_error = -ENOMEM;
	is_int(marker_control_set_patterns(&marker_top, "c:io if sector > 5\n!c:irq", true),
		       -ENOMEM, "no memory");
	kit_patch_error = 0;
	is_str(filters(), "io=sector > 100", "the filter is the same");
	is_int(state("io"), MARKER_FILTERED, "and the state");
	end_filters();
}

/* One that fits only some of the markers that it matches. */
static void test_misfits(void)
{
	begin_filters();
	kit_log();
	enables("c:* if sector > 7", false, "c:io c:irq");
	is_str(filters(), "io=sector > 7 !irq=sector > 7", "fits one");
	is_int(state("irq"), 0, "the other is not recorded");
	is_int(marker_program_of(kit_event(&c, "irq"))->then, 0, "a late hit finds nothing to do");
	ok(strstr(kit_log(), "filter of marker c:irq: no such field"), "and error_log says so");
	is_int(marker_control_get(&marker_top, c.module), 'X', "nor is it enabled");
	enables("c:irq#filter_refused if sector > 7", false, "c:io c:irq");
	is_str(filters(), "io=sector > 7 !irq=sector > 7", "with its mark");
	enables("c:irq", false, "c:io c:irq");
	is_int(state("irq"), MARKER_RECORD_INTS, "without it, it is recorded");
	end_filters();
}

/* By the file of a marker. */
static void test_filter_files(void)
{
	begin_filters();
	is_int(marker_control_set_filter(&marker_top, "c", "irq", "nr == 3"), 0, "filter");
	is_str(filters(), "io=sector > 100 irq=nr == 3", "two filters");
	is_int(marker_control_set_filter(&marker_top, "c", "irq", "nr == 99999999999"), -EINVAL,
	       "out of range");
	is_int(marker_control_set_filter(&marker_top, "c", "irq", "nr =="), -EINVAL, "no filter");
	is_int(marker_control_set_filter(&marker_top, "c", "irq", "nr == 3\n&& nr < 9"), -EINVAL,
	       "two lines");
	is_int(marker_control_set(&marker_top, "c", "irq", false), 0, "disable");
	is_int(state("irq"), 0, "disabled");
	is_str(filters(), "io=sector > 100 irq=nr == 3", "it keeps its filter");
	is_int(marker_control_set(&marker_top, "c", "irq", true), 0, "enable");
	is_int(state("irq"), MARKER_FILTERED, "enabled");
	is_int(marker_program_of(kit_event(&c, "irq"))->then, MARKER_RECORD_INTS,
	       "a hit that passes goes on as one without a filter");
	is_int(marker_control_set_filter(&marker_top, "c", "irq", "tid == 3 || cpu == 1"), 0,
	       "a filter that asks for the CPU");
	is_int(marker_program_of(kit_event(&c, "irq"))->then, MARKER_SHARED,
	       "is asked again where the record is made");
	is_int(marker_control_set_filter(&marker_top, "c", "*", NULL), 0, "none");
	is_str(filters(), "", "no filters");
	is_int(state("io"), MARKER_RECORD_STRING, "recorded by the way of its format");
	end_filters();
}

/* Before the module, and again. */
static void test_filters_reload(void)
{
	struct marker_event *io;

	begin_filters();
	io = kit_event(&c, "io");
	kit_unload(&c);
	enables("c:i* if sector > 100\nc:irq if nr > 2", true, "");
	kit_log();
	kit_load(&c);
	is_str(filters(), "io=sector > 100 irq=nr > 2", "after the module came");
	is_int(state("io"), MARKER_FILTERED, "state");
	kit_unload(&c);
	ok(!marker_program_filter(io, &marker_top), "no filter without the module");
	enables("c:* if sector > 100", true, "");
	unit_kernel_log[0] = '\0';
	kit_load(&c);
	is_str(filters(), "io=sector > 100 !irq=sector > 100", "one does not fit");
	is_int(state("irq"), 0, "and is not recorded");
	ok(strstr(unit_kernel_log, "marker c:irq not recorded, filter, column 0: no such field"),
	   "the kernel's log has it, too");
	end_filters();
}

/* Of a module that is not loaded. */
static void test_pending_filters(void)
{
	const struct marker_rule *rule;
	unsigned int nr = 0;

	enables("c:io if sector > 1", true, "");
	is_str(marker_rules_filter(&marker_top.rules, "c", "io"), "sector > 1", "a filter that waits");
	is_int(marker_control_set_filter(&marker_top, "*", "*", NULL), 0,
	       "all filters are taken away");
	ok(!marker_rules_filter(&marker_top.rules, "c", "io"), "that one, too");
	for_each_rule(&marker_top.rules, rule)
		nr += rule->filter != NULL;
	is_int(nr, 0, "no rule shows it");
	enables("", true, "");
}

static void test_filters_no_memory(void)
{
	int nr;

	kit_load(&c);
	for (nr = 1;; nr++) {
		unit_alloc_fail = nr;
		if (!marker_control_set_patterns(&marker_top, "c:io if sector > 100", true))
			break;
		ok(!*kit_enabled() && !*filters(), "allocation %d fails: nothing is changed", nr);
	}
	ok(nr > 5, "allocations that failed: %d", nr - 1);
	kit_unload(&c);
	for (nr = 1;; nr++) {
		unit_alloc_fail = nr;
		if (!kit_load(&c))
			break;
	}
	unit_alloc_fail = 0;
	is_str(filters(), "io=sector > 100", "once there is memory");
	enables("", true, "");
	kit_unload(&c);
}

static void test_no_memory(void)
{
	int nr;

	for (nr = 1;; nr++) {
		unit_alloc_fail = nr;
		if (!marker_control_set_patterns(&marker_top, "one b:b", true))
			break;
		ok(!*kit_enabled(), "allocation %d fails: nothing is enabled", nr);
		is_str(pending(), "", "allocation %d fails: nothing is asked for", nr);
	}
	ok(nr > 2, "allocations that failed: %d", nr - 1);
	unit_alloc_fail = 0;
	enables("", true, "");
}

static unsigned int reachable;

/* A hit that looks now must not find @object. */
static void look_for(const void *object)
{
	const struct marker_program *program;
	struct marker_event *event;
	unsigned int i;

	for_each_event(event) {
		program = marker_program_of(event);
		reachable += program == object;
		for (i = 0; i < program->nr + program->nr_waiting; i++)
			reachable += program->take[i].filter == object;
	}
}

static struct kit_module io = {
	.mod.name = "i",
	.marker = { { "io", "sector %u", 1 }, { "irq", "nr %d", 1 } },
};

/* Two instances, which have their own rules. */
static struct marker_recording x, y;

/* What an instance records of an event: "", or its filter, or "refused". */
static const char *taken(struct marker_recording *recording, const char *name)
{
	const struct marker_take *take = marker_program_take(kit_event(&io, name), recording);

	if (!take || !take->asked)
		return "";
	if (!take->filter)
		return "all";
	return take->filter->error.why ? "refused" : take->filter->text;
}

static void sets(struct marker_recording *recording, const char *text, int err, const char *message)
{
	kit_log();
	is_int(marker_control_set_patterns(recording, text, *text == '='), err, "an instance: \"%s\"",
	       text);
	ok(strstr(kit_log(), message), "error_log has \"%s\"", message);
}

static bool has_counts(struct marker_recording *recording, struct marker_event *event)
{
	bool has;

	marker_registry_lock();
	has = marker_counts_of(recording, event);
	marker_registry_unlock();
	return has;
}

/* One records a marker with a filter, the other all of them. */
static void begin_instances(void)
{
	memset(&x, 0, sizeof(x));
	memset(&y, 0, sizeof(y));
	marker_recording_init(&x, "x");
	marker_recording_init(&y, "y");
	marker_recordings_add(&x);
	marker_recordings_add(&y);
	kit_load(&io);
	enables("", true, "");
	sets(&x, "i:io if sector > 5", 0, "");
	sets(&y, "i:*", 0, "");
}

static void end_instances(void)
{
	marker_control_end(&x);
	marker_recordings_remove(&x);
	marker_control_end(&y);
	marker_recordings_remove(&y);
	is_int(io.marker[0].marker.state, 0, "no hit has anything to do");
	kit_unload(&io);
}

static void test_instance_rules(void)
{
	begin_instances();
	is_str(taken(&x, "io"), "sector > 5", "one records it");
	is_str(taken(&y, "io"), "all", "another instance");
	sets(&y, "!i:*", 0, "");
	is_str(taken(&y, "io"), "", "the other does not");
	is_str(taken(&x, "io"), "sector > 5", "a filter stays");
	is_str(kit_enabled(), "", "nor does the top");
	is_int(io.marker[0].marker.state, MARKER_FILTERED | MARKER_SHARED, "its state");
	enables("i:io", true, "i:io");
	is_int(io.marker[0].marker.state, MARKER_SHARED, "and the top");
	enables("", true, "");
	end_instances();
}

/* What counts an event has counts, before a hit looks for them. */
static void test_instance_counts(void)
{
	unsigned int i;

	begin_instances();
	sets(&y, "i:io+count i:irq=count", 0, "");
	ok(has_counts(&y, kit_event(&io, "io")) && has_counts(&y, kit_event(&io, "irq")),
	   "its counts are there");
	ok(!has_counts(&x, kit_event(&io, "io")) && !kit_event(&io, "io")->counts,
	   "others have none");
	is_int(io.marker[1].marker.state, MARKER_SHARED | MARKER_COUNTED, "only counted");
	for (i = 1; i < 100; i++) {
		unit_alloc_fail = i;
		if (!marker_control_set_patterns(&x, "i:irq=count", false))
			break;
		ok(!marker_program_take(kit_event(&io, "irq"), &x), "no memory, at allocation %u",
		   i);
	}
	unit_alloc_fail = 0;
	/* the rule, the program, room and counts, which both stay, and the sites */
	is_int(i, 5, "until it counts, too");
	end_instances();
}

static void test_instance_refused(void)
{
	begin_instances();
	sets(&y, "!j:nosuch", -ENOENT, "no such marker");
	sets(&y, "i:irq if sector > 1", -EINVAL, "filter of marker i:irq");
	sets(&y, "i:io+stack", -EINVAL, "no room for stacks");
	is_str(taken(&y, "irq"), "all", "what is refused changes nothing");
	sets(&y, "!i:irq", 0, "");
	is_str(taken(&y, "irq"), "", "disabled");
	is_int(io.marker[1].marker.state, 0, "for all");
	x.ended = true;
	sets(&x, "i:io", -ENODEV, "");
	end_instances();
}

static void test_instance_no_memory(void)
{
	unsigned int i;

	begin_instances();
	sets(&y, "!i:irq", 0, "");
	for (i = 1; i < 100; i++) {
		unit_alloc_fail = i;
		if (!marker_control_set_patterns(&y, "i:io if sector == 9\ni:irq if nr > 1", true))
			break;
		is_str(taken(&y, "io"), "all", "no memory, at allocation %u", i);
		is_str(taken(&y, "irq"), "", "so nothing is changed");
	}
	unit_alloc_fail = 0;
	ok(i > 5, "there are %u allocations", i);
	is_str(taken(&y, "io"), "sector == 9", "another filter");
	kit_patch_error = -ENOMEM;
	sets(&y, "!i:*", -ENOMEM, "");
	kit_patch_error = 0;
	is_str(taken(&y, "io"), "sector == 9", "as it was");
	end_instances();
}

static void test_instance_reload(void)
{
	begin_instances();
	sets(&x, "i:irq#filter_refused if sector > 1", 0, "");
	is_str(taken(&x, "irq"), "refused", "one that does not fit, with its mark");
	sets(&y, "i:irq if nr > 1", 0, "");
	kit_unload(&io);
	kit_log();
	kit_load(&io);
	ok(strstr(kit_log(), "instance x: "), "error_log says whose filter does not fit");
	is_str(taken(&x, "io"), "sector > 5", "a module comes again");
	is_str(taken(&x, "irq"), "refused", "what does not fit");
	is_str(taken(&y, "irq"), "nr > 1", "and for the other");
	end_instances();
}

/* A trigger changes what is recorded, and leaves the filter as it is. */
static void test_instance_asked(void)
{
	unsigned long unused, changes, settled;

	begin_instances();
	changes = y.rules.changes;
	is_int(marker_control_ask(&x, "i", "io", 0, true, &unused), 0, "disable_marker");
	is_str(taken(&x, "io"), "", "disabled");
	is_int(marker_control_ask(&x, "i", "io", MARKER_ASK_RECORD, true, &unused), 0,
	       "enable_marker");
	is_str(taken(&x, "io"), "sector > 5", "with its filter");
	settled = x.rules.changes;
	is_int(marker_control_ask(&x, "i", "io", MARKER_ASK_RECORD, true, &unused), 0, "again");
	ok(x.rules.changes == settled && unused == settled, "nothing was to be done");
	is_str(taken(&y, "io"), "all", "the other is as it was");
	ok(y.rules.changes == changes, "and knows of no change");

	kit_log();
	is_int(marker_control_ask(&x, "i", "io", MARKER_ASK_RECORD | MARKER_ASK_STACK(1), false,
				  &unused), -EINVAL, "a trigger asks for a stack again");
	is_str(kit_log(), "", "which is not told again");
	end_instances();
}

/* Nothing keeps an instance from its end. */
static void test_instance_end(void)
{
	begin_instances();
	unit_alloc_fail = 1;
	marker_control_end(&x);
	unit_alloc_fail = 0;
	is_str(taken(&x, "io"), "", "an instance ends without memory");
	is_str(taken(&y, "io"), "all", "the other goes on");
	kit_patch_error = -ENOMEM;
	marker_control_end(&y);
	kit_patch_error = 0;
	end_instances();
}

int main(void)
{
	unit_on_kfree_rcu = look_for;
	kit_begin();
	kit_load(&a);
	kit_load(&b);
	test_patterns();
	test_refused();
	test_counted();
	test_stacks();
	test_pending();
	test_no_memory();
	test_filters();
	test_misfits();
	test_filter_files();
	test_filters_reload();
	test_pending_filters();
	test_filters_no_memory();
	test_instance_rules();
	test_instance_counts();
	test_instance_refused();
	test_instance_no_memory();
	test_instance_reload();
	test_instance_asked();
	test_instance_end();
	marker_control_set_patterns(&marker_top, "mod_a:one if pid == 1", false);
	kit_unload(&b);
	kit_unload(&a);
	is_int(reachable, 0, "filters that hits could find when they were freed");
	return kit_end();
}
