// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns: which are valid, which markers they match, and which of several decides.
 */
#include <markers/log.h>
#include <markers/model/rules.h>
#include "tap.h"

#define marker_glob_matches	matches
#include "../../markers/format/glob.c"
#undef marker_glob_matches

/* The cost of a command. */
static unsigned long unit_globs;

bool marker_glob_matches(const char *glob, const char *text)
{
	unit_globs++;
	return matches(glob, text);
}

static struct marker_rules marker_rules = MARKER_RULES_INIT(marker_rules);

static LIST_HEAD(rules);

/*
 * "[!]module:name[options][ if FILTER;] ..." of a list; "=" in front is for a rule about
 * filters only
 */
static const char *shown(struct list_head *list)
{
	static char text[1024];
	char options[MARKER_OPTIONS_SIZE];
	struct marker_rule *rule;

	text[0] = '\0';
	list_for_each_entry(rule, list, list)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s%s:%s%s%s%s%s",
			 *text ? " " : "", rule->only_filter ? "=" : rule->asked ? "" : "!",
			 rule->module, rule->name, marker_rules_options(options, rule->asked),
			 rule->filter ? " if " : "", rule->filter ?: "",
			 rule->filter ? ";" : "");
	return text;
}

static void parses(const char *text, const char *wanted)
{
	is_int(marker_rules_parse(text, &rules), 0, "\"%s\"", text);
	is_str(shown(&rules), wanted, "what \"%s\" is", text);
	marker_rules_free(&rules);
}

/* The caret is the last line of error_log. */
static void refuses(const char *text, unsigned int column)
{
	static struct seq_file seq;
	const char *caret;

	is_int(marker_rules_parse(text, &rules), -EINVAL, "\"%s\" is refused", text);
	ok(list_empty(&rules), "nothing is left of \"%s\"", text);
	seq.len = 0;
	marker_log_show(&seq);
	marker_log_clear();
	caret = strrchr(seq.text, ' ');
	is_int(caret ? strrchr(seq.text, '^') - strstr(seq.text, "\n  ") : -1,
	       3 + strlen(text) + 1 + 2 + column, "the column in \"%s\"", text);
}

static void test_names(void)
{
	parses("", "");
	parses(" ,\n\t", "");
	parses("a", "*:a");
	parses("m:a", "m:a");
	parses("!m:a", "!m:a");
	parses("a, b\n\n\tm:*,!c", "*:a *:b m:* !*:c");
	parses("m*:[a-c]?", "m*:[a-c]?");
	parses("[!a]:[^b]", "[!a]:[^b]");
	parses("mod-a:n !m-[a-c]-*:n-1", "mod_a:n !m_[a-c]_*:n-1");
	refuses("a/b", 1);
	refuses("ab a:b:c", 6);
	refuses(":a", 0);
	refuses("a m:", 2);
	refuses("!", 1);
	refuses("!#a", 1);
	refuses("m:#a", 0);
}

static void test_comments(void)
{
	parses("# a b\nc", "*:c");
	parses("a #b c\nz", "*:a *:z");
	parses("a#pending b", "*:a *:b");
	parses("m:a#refused,b", "m:a *:b");
	parses("a#", "*:a");
	parses("#", "");
	parses("# a", "");
}

static void test_counts(void)
{
	parses("a=count", "*:a=count");
	parses("m:*+count,b", "m:*+count *:b");
	parses("a=count#pending", "*:a=count");
	parses("a#=count", "*:a");
	parses("a+count+count", "*:a+count");
	refuses("a=", 2);
	refuses("a+", 2);
	refuses("a+count+", 8);
	refuses("a+counts", 2);
	refuses("b m:a=coun", 6);
	refuses("a+count=count", 2);
	refuses("!a+count", 2);
	refuses("+count", 0);
	refuses("=count", 0);
}

static void test_stacks(void)
{
	parses("a+stack", "*:a+stack=16");
	parses("a+stack=1 b+stack=32", "*:a+stack=1 *:b+stack=32");
	parses("m:a+count+stack=8#pending", "m:a+count+stack=8");
	parses("a+stack=8+count", "*:a+count+stack=8");
	refuses("a+stack=", 7);
	refuses("a+stack=0", 7);
	refuses("a+stack=33", 7);
	refuses("a+stack=4294967312", 7);
	refuses("a+stack=8x", 7);
	refuses("a+stack=-1", 7);
	refuses("a+stack8", 2);
	refuses("a=stack", 2);
	refuses("a=count+stack", 8);
	refuses("!a+stack", 2);
}

static void test_with_filters(void)
{
	parses("a if x > 1", "*:a if x > 1;");
	parses("a\tif\tx==1 \n", "*:a if x==1;");
	parses("a b if x == 1 && y ~ b*\nc", "*:a *:b if x == 1 && y ~ b*; *:c");
	parses("m:a#filter_refused if x > 1\n!b", "m:a if x > 1; !*:b");
	parses("a\nif", "*:a *:if");
	parses("iffy", "*:iffy");
	parses("a+count#x if x > 1", "*:a+count if x > 1;");
	refuses("a if", 4);
	refuses("a if x", 6);
	refuses("b,a if x >", 10);
	refuses("!a if x > 1", 3);
	refuses("a if x > 1 b", 11);
	refuses("a if x > 99999999999999999999", 9);
}

static void test_any_module(void)
{
	struct marker_rule *rule;

	marker_rules_parse("a *:b m:c", &rules);
	rule = list_entry(rules.next, struct marker_rule, list);
	ok(rule->any_module, "written without a module");
	rule = list_entry(rules.next->next, struct marker_rule, list);
	ok(!rule->any_module, "written with *");
	marker_rules_free(&rules);
}

static void whole(const char *text, size_t end, bool in_comment)
{
	bool comment;

	is_int(marker_rules_whole(text, &comment), end, "what need not wait of \"%s\"", text);
	is_int(comment, in_comment, "\"%s\" ends in a comment", text);
}

static void test_whole(void)
{
	whole("", 0, false);
	whole("a", 0, false);
	whole("a ", 0, false);
	whole("a i", 0, false);
	whole("a if", 0, false);
	whole("a if x > 1 && y", 0, false);
	whole("a b if x > 1, y", 2, false);
	whole("a if x\n", 7, false);
	whole("a if x\nb", 7, false);
	whole("a in", 2, false);
	whole("a,", 2, false);
	whole("a\n", 2, false);
	whole("a,b", 2, false);
	whole("a b#ma", 2, false);
	whole("a # b", 2, true);
	whole("a # b\n", 6, false);
	whole("# b\nc", 4, false);
	whole("#", 0, true);
}

static void test_no_memory(void)
{
	int nr;

	for (nr = 1;; nr++) {
		unit_alloc_fail = nr;
		if (!marker_rules_parse("a b m:c if x > 1", &rules))
			break;
		ok(list_empty(&rules), "no memory, allocation %d: nothing is left", nr);
	}
	is_int(nr, 6, "allocations of three rules and a filter, and one more");
	unit_alloc_fail = 0;
	marker_rules_free(&rules);
}

/* Put the patterns of @text into force. */
static void add(const char *text)
{
	struct marker_rule *rule, *next;

	marker_rules_parse(text, &rules);
	list_for_each_entry_safe(rule, next, &rules, list) {
		list_del_init(&rule->list);
		marker_rules_add(&marker_rules, rule);
	}
}

static void test_force(void)
{
	add("m:a n:*");
	ok(marker_rules_want(&marker_rules, "m", "a"), "a name");
	ok(!marker_rules_want(&marker_rules, "m", "b"), "another name");
	ok(!marker_rules_want(&marker_rules, "o", "a"), "another module");
	ok(marker_rules_want(&marker_rules, "n", "a"), "any name");
	add("!n:a");
	ok(!marker_rules_want(&marker_rules, "n", "a"), "the last one decides");
	ok(marker_rules_want(&marker_rules, "n", "b"), "others stay");
	add("n:a=count");
	is_int(marker_rules_want(&marker_rules, "n", "a"), MARKER_ASK_COUNT, "counted");
	add("n:a+count");
	is_int(marker_rules_want(&marker_rules, "n", "a"), MARKER_ASK_COUNT | MARKER_ASK_RECORD,
	       "counted and recorded");
	add("n:a");
	is_str(shown(&marker_rules.list), "m:a n:* n:a", "one that is void is dropped");
	add("!n:*");
	is_str(shown(&marker_rules.list), "m:a !n:*", "a glob makes names void");
	add("m:[!a-c] m:x[^a-c] m:[z");
	ok(marker_rules_want(&marker_rules, "m", "d") && marker_rules_want(&marker_rules, "m", "xd"),
	   "not of these, in both spellings");
	ok(!marker_rules_want(&marker_rules, "m", "b") && !marker_rules_want(&marker_rules, "m", "xb"),
	   "one of them");
	ok(marker_rules_want(&marker_rules, "m", "[z"), "a [ without an end");
	add("*:*");
	is_str(shown(&marker_rules.list), "*:*", "* makes all void");
	add("!*");
	is_str(shown(&marker_rules.list), "", "and !* leaves none");
	marker_rules_clear(&marker_rules);
	add("!m:a");
	is_str(shown(&marker_rules.list), "", "nothing to cancel");
	marker_rules_clear(&marker_rules);
}

/* May the patterns of @text be added? */
static int check_room(const char *text, bool clear)
{
	int err;

	marker_rules_parse(text, &rules);
	err = marker_rules_check_room(&marker_rules, &rules, clear, true);
	marker_rules_free(&rules);
	return err;
}

static void test_room(void)
{
	struct marker_rule *rule;
	unsigned int nr;
	char name[16];

	for (nr = 0; nr < MARKER_MAX_RULES - 1; nr++) {
		snprintf(name, sizeof(name), "m:n_%u", nr);
		marker_rules_add(&marker_rules, marker_rules_create("m", name + 2, true));
	}
	is_int(check_room("one", false), 0, "there is room for one");
	is_int(check_room("one two", false), -ENOSPC, "but not for two");
	is_int(check_room("one two", true), 0, "unless all others go");
	add("m:n_1 m:n_2");
	is_int(check_room("one", false), 0, "rules that were made void do not count");
	add("one");
	is_int(check_room("two", false), -ENOSPC, "no room for one more");
	is_int(check_room("!*", false), 0, "but to take all back");
	is_int(check_room("m:n_1 !m:n_2 m:n_3=count", false), 0, "for others in the place of old ones");
	is_int(check_room("m:n_1 two", false), -ENOSPC, "not for one more");
	is_int(check_room("m:* two n:*", false), 0, "for a glob in the place of names, and others");
	is_int(check_room("two *", false), 0, "for what will be void at once");
	rule = marker_rules_create("m", "n_9", 0);
	list_add(&rule->list, &rules);
	is_int(marker_rules_check_room(&marker_rules, &rules, false, true), 0,
	       "for what a marker's file writes");
	marker_rules_free(&rules);
	add("!m:n_2");
	is_int(check_room("one", false), 0, "one that takes the place of another");
	add("!*");
	is_int(check_room("one two", false), 0, "and then for others");
	marker_rules_clear(&marker_rules);
}

static void is_filter(const char *module, const char *name, const char *wanted)
{
	is_str(marker_rules_filter(&marker_rules, module, name) ?: "none", wanted,
	       "the filter of %s:%s", module, name);
}

static void test_filters(void)
{
	add("m:a if x > 1\nm:b n:*");
	is_filter("m", "a", "x > 1");
	is_filter("m", "b", "none");
	is_filter("o", "a", "none");
	/* a pattern that enables or disables leaves filters alone */
	marker_rules_add(&marker_rules, marker_rules_create("m", "a", false));
	ok(!marker_rules_want(&marker_rules, "m", "a"), "disabled");
	is_filter("m", "a", "x > 1");
	is_str(shown(&marker_rules.list), "=m:a if x > 1; m:b n:* !m:a", "the rules");
	marker_rules_add(&marker_rules, marker_rules_create("m", "*", true));
	ok(marker_rules_want(&marker_rules, "m", "a"), "enabled");
	is_filter("m", "a", "x > 1");
	/* and the other way round */
	marker_rules_add(&marker_rules, marker_rules_create_filter("m", "a", "x > 2"));
	is_filter("m", "a", "x > 2");
	ok(marker_rules_want(&marker_rules, "m", "a"), "still enabled");
	marker_rules_add(&marker_rules, marker_rules_create_filter("m", "*", NULL));
	is_filter("m", "a", "none");
	/* a pattern says both */
	add("m:a if x > 3\nm:*");
	is_filter("m", "a", "none");
	is_str(shown(&marker_rules.list), "n:* m:*", "what is void is dropped");
	marker_rules_add(&marker_rules, marker_rules_create("*", "*", false));
	is_str(shown(&marker_rules.list), "", "and without filters nothing is kept for them");
	marker_rules_clear(&marker_rules);
	marker_rules_add(&marker_rules, marker_rules_create_filter("m", "a", NULL));
	is_str(shown(&marker_rules.list), "", "nothing to take away");
}

/* Many characters of UTF-8 end with a byte that the kernel's isspace() takes. */
static void test_utf8(void)
{
	char text[] = "\t name == \303\240 \n";

	is_str(marker_rules_trim(text), "name == \303\240", "a text without the white space around it");
	add("m:a if name == \303\240 \n");
	is_filter("m", "a", "name == \303\240");
	marker_rules_clear(&marker_rules);
	refuses("m:\303\244", 2);
	refuses("m:a\240b", 3);
}

/* Which rule decides?  Found by a look at all of them. */
static u32 plainly_wanted(const char *module, const char *name)
{
	struct marker_rule *rule;

	list_for_each_entry_reverse(rule, &marker_rules.list, list) {
		if (marker_rules_match(rule, module, name))
			return rule->asked;
	}
	return 0;
}

/* The mark of a later word is not that of an earlier one. */
static void test_marks(void)
{
	struct marker_rule *rule;

	marker_rules_parse("a if x > 1\nb" MARKER_MARK_MISFIT " if y > 1", &rules);
	rule = list_entry(rules.next, struct marker_rule, list);
	ok(!rule->may_misfit, "a filter before one that may not fit must fit");
	rule = list_entry(rule->list.next, struct marker_rule, list);
	ok(rule->may_misfit, "a filter that may not fit");
	marker_rules_free(&rules);
}

/* Random rules, some of them globs, in many orders. */
static void test_random(void)
{
	static const char *const modules[] = { "*", "m", "n", "[mo]", "o" };
	static const char *const names[] = { "a", "b", "ab", "*", "a*", "?", "a" };
	unsigned int round, i, wrong = 0;
	char text[16], module[2], name[3];

	srandom(1);
	for (round = 0; round < 2000; round++) {
		for (i = 0; i < 1 + round % 9; i++) {
			snprintf(text, sizeof(text), "%s%s:%s", random() % 3 ? "" : "!",
				 modules[random() % ARRAY_SIZE(modules)],
				 names[random() % ARRAY_SIZE(names)]);
			add(text);
		}
		for (i = 0; i < 9; i++) {
			snprintf(module, sizeof(module), "%c", "mno"[i / 3]);
			snprintf(name, sizeof(name), "%s", names[i % 3]);
			wrong += marker_rules_want(&marker_rules, module, name) !=
				 plainly_wanted(module, name);
		}
		if (round % 3 == 0)
			marker_rules_clear(&marker_rules);
	}
	is_int(wrong, 0, "markers of which the last rule that matches does not decide");
	marker_rules_clear(&marker_rules);
}

/* After a list of names is written back, no marker is compared with each of the names. */
static void test_many(void)
{
	unsigned int i, found = 0;
	static char all[200000];
	char module[8], name[8], text[32];
	struct marker_rule *rule;

	add("z*:* !m:y*");
	for (i = 0; i < 10000; i++) {
		snprintf(text, sizeof(text), "m%u:n%u", i % 10, i / 10);
		add(text);
	}
	unit_globs = 0;
	for (i = 0; i < 10000; i++) {
		snprintf(module, sizeof(module), "m%u", i % 10);
		snprintf(name, sizeof(name), "n%u", i / 10);
		found += marker_rules_want(&marker_rules, module, name) == MARKER_ASK_RECORD;
	}
	is_int(found, 10000, "names that are wanted");
	ok(unit_globs <= 10 * 10000, "%lu globs for 10,000 names", unit_globs);
	for (i = 0; i < 10000; i++) {
		snprintf(text, sizeof(text), "!m%u:n%u ", i % 10, i / 10);
		strcat(all, text);
	}
	marker_rules_parse(all, &rules);
	unit_globs = 0;
	found = 0;
	list_for_each_entry(rule, &rules, list)
		found += marker_rules_in_force(&marker_rules, rule);
	is_int(found, 10000, "names that are taken back");
	ok(unit_globs <= 50 * 10000, "%lu globs for 10,000 names", unit_globs);
	marker_rules_free(&rules);
	marker_rules_clear(&marker_rules);
}

static void test_known(void)
{
	struct marker_rule *rule;

	add("m:a_*");
	marker_rules_parse("!m:a_1 !m:b !*:a_* b !b", &rules);
	rule = list_entry(rules.next, struct marker_rule, list);
	ok(marker_rules_in_force(&marker_rules, rule), "one that a glob has");
	rule = list_entry(rule->list.next, struct marker_rule, list);
	ok(!marker_rules_in_force(&marker_rules, rule), "one that it does not have");
	rule = list_entry(rule->list.next, struct marker_rule, list);
	ok(marker_rules_in_force(&marker_rules, rule), "a glob that has the glob");
	rule = list_entry(rules.prev, struct marker_rule, list);
	ok(marker_rules_known(&rules, rule), "one before it in the same command");
	rule = list_entry(rule->list.prev, struct marker_rule, list);
	ok(!marker_rules_known(&rules, rule), "but not itself");
	marker_rules_free(&rules);
	marker_rules_clear(&marker_rules);
}

/* "[!]PATTERN": is it in force, after all of @rules? */
static bool has(const char *all, const char *text)
{
	LIST_HEAD(one);
	bool found;

	add(all);
	marker_rules_parse(text, &one);
	found = marker_rules_has(&marker_rules, list_first_entry(&one, struct marker_rule, list));
	marker_rules_free(&one);
	marker_rules_clear(&marker_rules);
	return found;
}

static void test_has(void)
{
	ok(has("m:a !m:b", "m:a"), "the same one");
	ok(!has("m:a !m:a", "m:a"), "the opposite");
	ok(!has("m:a !m:a*", "m:a"), "one that a later one overrules");
	ok(!has("m:a* !*:ab", "m:a*"), "of a part of its markers");
	ok(!has("m:*x !m:a*", "m:*x"), "it may be of a part of them");
	ok(has("m:a n:b m:a* !n:a*", "m:a"), "the later ones ask for the same, or for others");
	ok(has("m:a !m:a* m:a", "m:a"), "the last one of all");
	ok(!has("m:a !m:b* m:*", "!m:b*"), "it asks for nothing, and is overruled");
	ok(has("m:a", "!m:b"), "nothing is to be taken back");
}

static u32 last_asks(const struct marker_rules *of, const char *module, const char *name)
{
	const struct marker_rule *rule = marker_rules_last(of, module, name);

	return rule ? rule->asked : 7;
}

/* A command that is not in force yet. */
static void test_command(void)
{
	static struct marker_rules command = MARKER_RULES_INIT(command);
	static char text[20 * 10000];
	char *at = text;
	int i;

	add("m:a m:b");
	is_int(marker_rules_parse("!m:b m:c* !m:cd n:*", &rules), 0, "a command");
	marker_rules_index(&command, &rules);
	ok(list_empty(&rules), "nothing is left of the list");
	is_str(shown(&command.list), "!m:b m:c* !m:cd n:*", "the command, in its order");
	is_int(last_asks(&command, "m", "a"), 7, "it says nothing of this one");
	is_int(last_asks(&command, "m", "b"), 0, "it takes one back");
	is_int(last_asks(&command, "m", "ce"), MARKER_ASK_RECORD, "a glob");
	is_int(last_asks(&command, "m", "cd"), 0, "a name after the glob");
	is_int(last_asks(&command, "n", "b"), MARKER_ASK_RECORD, "another module");
	is_str(shown(&marker_rules.list), "m:a m:b", "what is in force");
	marker_rules_move(&marker_rules, &command);
	ok(list_empty(&command.list) && !command.nr, "all were moved");
	is_str(shown(&marker_rules.list), "m:a !m:b m:c* !m:cd n:*", "what is in force then");
	is_int(last_asks(&marker_rules, "m", "cd"), 0, "found by name there");
	is_int(last_asks(&command, "m", "cd"), 7, "and not in the command");
	marker_rules_clear(&marker_rules);

	for (i = 0; i < 10000; i++)
		at += sprintf(at, "m:name%d ", i);
	is_int(marker_rules_parse(text, &rules), 0, "10,000 names");
	marker_rules_index(&command, &rules);
	unit_globs = 0;
	for (i = 0; i < 10000; i++) {
		sprintf(text, "name%d", i);
		if (last_asks(&command, "m", text) != MARKER_ASK_RECORD)
			break;
	}
	is_int(i, 10000, "each is found");
	ok(unit_globs <= 20000, "not by a look at each: %lu comparisons", unit_globs);
	marker_rules_clear(&command);
}

/* Writing the printed list back makes the same list. */
static void test_print(void)
{
	char text[128], again[128];

	is_int(marker_rules_print(&marker_rules, text, sizeof(text)), 0, "an empty list");
	add("m:* !m:a b=count m:c+count+stack=3");
	is_int(marker_rules_print(&marker_rules, text, sizeof(text)), 26,
	       "its length, while events have no room for stacks");
	is_str(text, "m:*,!m:a,b=count,m:c+count", "without stacks");
	marker_rules.stacks_allowed = true;
	is_int(marker_rules_print(&marker_rules, text, sizeof(text)), 34, "its length");
	is_str(text, "m:*,!m:a,b=count,m:c+count+stack=3", "a list");
	is_int(marker_rules_print(&marker_rules, again, 34), -EFBIG, "no room");
	is_int(marker_rules_print(&marker_rules, again, 35), 34, "just enough room");
	marker_rules_clear(&marker_rules);
	add("m:a#filter_refused if x > 1 && y < 2\nm:b,!m:c\nm:d if name ~ s*");
	marker_rules_add(&marker_rules, marker_rules_create_filter("m", "e", "z > 1"));
	marker_rules_print(&marker_rules, text, sizeof(text));
	is_str(text, "m:a#filter_refused if x > 1 && y < 2\nm:b,m:d if name ~ s*", "with filters");
	marker_rules_clear(&marker_rules);
	add(text);
	marker_rules_print(&marker_rules, again, sizeof(again));
	is_str(again, text, "again");
	marker_rules_clear(&marker_rules);
}

int main(void)
{
	test_names();
	test_comments();
	test_counts();
	test_stacks();
	test_with_filters();
	test_any_module();
	test_whole();
	test_no_memory();
	test_force();
	test_room();
	test_filters();
	test_utf8();
	test_marks();
	test_random();
	test_many();
	test_known();
	test_has();
	test_command();
	test_print();
	return tap_done();
}
