// SPDX-License-Identifier: GPL-2.0
/*
 * markers/hist/: which texts are hists, the keys and values of hits, the map that counts them,
 * and what readers get.  hist_step_test: the map while all contexts write.
 */
#include "hist_kit.h"

static char procname[16] = "bash";
static u64 stack[MARKER_HIST_FRAMES] = { 0x10, 0x20 };

static void refused(const char *text, const char *wanted)
{
	char got[256] = "accepted";

	if (marker_hist_parse(&hist, text, &format, &error))
		snprintf(got, sizeof(got), "%u: %s", error.column, error.why);
	is_str(got, wanted, "\"%s\"", text);
}

/* Blanks in a row count as one. */
static char *squeeze(char *text)
{
	char *to = text, *from = text;

	for (; *from; from++)
		if (*from != ' ' || to == text || to[-1] != ' ')
			*to++ = *from;
	*to = '\0';
	return text;
}

static char *print_all(bool tsv)
{
	static char text[1 << 16], line[MARKER_TABLE_LINE];
	struct marker_table *table = read_map();
	u32 i;

	*text = '\0';
	if (tsv)
		strcpy(text, marker_table_tsv_head(line, &hist));
	for (i = 0; i < table->nr; i++) {
		const u64 *row = marker_table_row(table, i);

		strcat(text, tsv ? marker_table_tsv(line, &hist, row) :
			     squeeze(marker_table_print(line, &hist, row)));
	}
	if (table->dropped)
		sprintf(text + strlen(text), "dropped %llu\n", (unsigned long long)table->dropped);
	kvfree(table);
	return text;
}

static void shows(const char *wanted, const char *what)
{
	is_str(print_all(false), wanted, "%s", what);
}

static void test_errors(void)
{
	use("dev %d size %u name %s at %p small %hhu mac %pM");
	refused("", "0: one of keys= vals= sort= size= pause event is missing here");
	refused("size=16", "7: keys= is missing");
	refused("keys=", "5: the name of a field is missing here");
	refused("keys=dev,", "9: the name of a field is missing here");
	refused("keys=nothing", "5: no such field, nor tid, pid, cpu, flags, procname, cgroup_id");
	refused("keys=$ctx.dev", "5: no such field, nor tid, pid, cpu, flags, procname, cgroup_id");
	refused("keys=$ctx", "5: the name of a field is missing here");
	refused("keys=mac", "5: this field is neither a number nor a string that stands in memory");
	refused("keys=dev.lag2", "8: one of .log2 .buckets=N .hex .sym is missing here");
	refused("keys=dev.buckets=0", "17: not a number from 1 to 4294967295");
	refused("keys=dev.buckets=4294967296", "17: not a number from 1 to 4294967295");
	refused("keys=name.log2", "9: this is for numbers, and this key is none");
	refused("keys=stack.hex", "10: this is for numbers, and this key is none");
	refused("keys=dev.sym", "8: this key is too small for an address");
	refused("keys=dev,dev.log2", "9: this key is there already");
	refused("keys=hitcount", "5: the hits are no key");
	refused("keys=dev,size,at,small,tid", "23: more than 4 keys");
	refused("keys=stack,name,procname,dev", "accepted");
	refused("keys=name:keys=dev", "10: this is there already");
	refused("keys=dev;", "8: : is missing here");
	refused("keys=dev vals=size", "8: : is missing here");
	refused("keys=dev:vals=name", "14: only numbers can be added up");
	refused("keys=dev:vals=hitcount,size,size", "28: this value is there already");
	refused("keys=dev:vals=size,small,tid,pid,cpu", "33: more than 4 values");
	refused("keys=dev:sort=size", "14: no key, no value, nor hitcount");
	refused("sort=size:keys=size", "accepted");
	refused("keys=dev:sort=dev.up", "17: one of .ascending .descending is missing here");
	refused("keys=dev:sort=dev.descending;", "17: one of .ascending .descending is missing here");
	refused("keys=dev:size=15", "14: not a number of keys from 16 to 131072");
	refused("keys=dev:size=131073", "14: not a number of keys from 16 to 131072");
	refused("keys=dev:size=x", "14: not a number of keys from 16 to 131072");
	refused("keys=dev:pause:pause", "15: this is there already");
	refused("keys=dev:pauses", "14: : is missing here");
	refused("keys=dev:clear", "9: one of keys= vals= sort= size= pause event is missing here");

	is_int(marker_hist_parse(&hist, "keys=a.log2,stack:vals=b:sort=a", NULL, &error), 0,
	       "without a format, any name is a field");
	is_int(marker_hist_parse(&hist, "keys=a:sort=c", NULL, &error), -EINVAL,
	       "but not any order");

	parse("keys=dev:size=17");
	is_int(hist.size, 32, "the size is a power of two");
	ok(hist.is_single, "one integer as it is");
	parse("keys=dev");
	is_int(hist.size, 2048, "as ftrace's, unless it is said");
	parse("keys=dev.log2");
	ok(!hist.is_single, "but not a group");
	parse("keys=tid");
	ok(!hist.is_single && hist.contexts, "nor a context");
}

/* These are wrong whatever the fields are. */
static void test_any(void)
{
	is_int(marker_hist_parse(&hist, "keys=pid,$ctx.pid:vals=pid,$ctx.pid", NULL, &error), 0,
	       "any fields: a field and the context of that name");
	is_int(marker_hist_parse(&hist, "keys=pid,pid", NULL, &error), -EINVAL,
	       "any fields: one twice");
	is_int(marker_hist_parse(&hist, "keys=$ctx.pid,$ctx.pid", NULL, &error), -EINVAL,
	       "any fields: a context twice");
}

static void test_ints(void)
{
	use("dev %d size %u");
	begin("keys=dev");
	hit(-1, 5);
	hit(0, 5);
	hit(0xffffffff, 5);
	hit(0x700000000ull, 0);
	hit(7, 0);
	shows("{ dev: 7 } hitcount: 1\n"
	      "{ dev: -1 } hitcount: 2\n"
	      "{ dev: 0 } hitcount: 2\n", "a key, by hits, then by key");
	is_str(print_all(true), "dev\thitcount\n7\t1\n-1\t2\n0\t2\n", "as columns");
	end();

	begin("keys=dev:vals=size,hitcount:sort=size.descending");
	hit(1, 10);
	hit(1, 0xffffffff);
	hit(2, 7);
	shows("{ dev: 1 } hitcount: 2 size: 4294967305\n"
	      "{ dev: 2 } hitcount: 1 size: 7\n", "a value");
	is_str(print_all(true), "dev\thitcount\tsize\n1\t2\t4294967305\n2\t1\t7\n", "as columns");
	end();

	begin("keys=size:vals=dev:sort=dev");
	hit(1, 10);
	hit(-5, 10);
	hit(-5, 11);
	shows("{ size: 11 } hitcount: 1 dev: -5\n"
	      "{ size: 10 } hitcount: 2 dev: -4\n", "a value with a sign");
	end();

	begin("keys=dev,size:sort=size,dev.descending");
	hit(1, 2);
	hit(2, 1);
	hit(3, 1);
	hit(-3, 1);
	shows("{ dev: 3, size: 1 } hitcount: 1\n"
	      "{ dev: 2, size: 1 } hitcount: 1\n"
	      "{ dev: -3, size: 1 } hitcount: 1\n"
	      "{ dev: 1, size: 2 } hitcount: 1\n", "two keys, sorted by both");
	end();
}

static void test_log2(void)
{
	static const s64 values[] = { -1, 0, 1, 2, 3, 4, 5, 1 << 30, (1 << 30) + 1 };
	u32 i;

	use("dev %d u %llu p %p");
	begin("keys=dev.log2:sort=dev");
	for (i = 0; i < ARRAY_SIZE(values); i++)
		hit(values[i]);
	shows("{ dev: < 0 } hitcount: 1\n"
	      "{ dev: ~ 2^0 } hitcount: 2\n"
	      "{ dev: ~ 2^1 } hitcount: 1\n"
	      "{ dev: ~ 2^2 } hitcount: 2\n"
	      "{ dev: ~ 2^3 } hitcount: 1\n"
	      "{ dev: ~ 2^30 } hitcount: 1\n"
	      "{ dev: ~ 2^31 } hitcount: 1\n", "powers of two, as ftrace has them");
	end();

	begin("keys=u.log2:sort=u");
	hit(0, -1);
	hit(0, 1ull << 63);
	shows("{ u: ~ 2^63 } hitcount: 1\n{ u: ~ 2^64 } hitcount: 1\n", "up to the greatest");
	end();
}

static void test_buckets(void)
{
	use("dev %d u %llu p %p");
	begin("keys=dev.buckets=10:sort=dev");
	hit(-11);
	hit(-10);
	hit(-1);
	hit(0);
	hit(9);
	hit(10);
	shows("{ dev: ~ -20--11 } hitcount: 1\n"
	      "{ dev: ~ -10--1 } hitcount: 2\n"
	      "{ dev: ~ 0-9 } hitcount: 2\n"
	      "{ dev: ~ 10-19 } hitcount: 1\n", "groups, on both sides of zero");
	is_str(print_all(true), "dev\thitcount\n-20\t1\n-10\t2\n0\t2\n10\t1\n", "as columns");
	end();
}

static void test_buckets_at_ends(void)
{
	use("low %lld high %llu");
	begin("keys=low.buckets=10:sort=low");
	hit(1ull << 63, 0);
	hit((1ull << 63) + 7, 0);
	hit((1ull << 63) + 8, 0);
	hit(-1, 0);
	hit(~0ull >> 1, 0);
	shows("{ low: ~ -9223372036854775808--9223372036854775801 } hitcount: 2\n"
	      "{ low: ~ -9223372036854775800--9223372036854775791 } hitcount: 1\n"
	      "{ low: ~ -10--1 } hitcount: 1\n"
	      "{ low: ~ 9223372036854775800-9223372036854775807 } hitcount: 1\n",
	      "groups at both ends");
	end();

	begin("keys=high.buckets=4294967295");
	hit(0, ~0ull);
	hit(0, ~0ull - 1);
	shows("{ high: ~ 18446744069414584320-18446744073709551614 } hitcount: 1\n"
	      "{ high: ~ 18446744073709551615-18446744073709551615 } hitcount: 1\n",
	      "without a sign");
	end();
}

static void test_forms(void)
{
	use("dev %d u %llu p %p");
	begin("keys=dev.hex,p.sym");
	hit(-1, 0, 0x1234);
	shows("{ dev: ffffffff, p: [0000000000001234] symbol+0x1234 } hitcount: 1\n",
	      "as hex, as a symbol");
	is_str(print_all(true), "dev\tp\thitcount\n0xffffffff\tsymbol+0x1234\t1\n", "as columns");
	end();
}

static void test_behind_pointer(void)
{
	use("at %pap");
	begin("keys=at");
	hit(ARG(&(u64){ 77 }));
	hit(ARG(&(u64){ 77 }));
	hit(5);
	shows("{ at: 0 } hitcount: 1\n{ at: 77 } hitcount: 2\n", "an integer behind a pointer");
	end();
}

static void test_strings(void)
{
	char longer[100];

	memset(longer, 'x', sizeof(longer));
	longer[99] = '\0';
	use("name %s limited %.3s by %.*s");
	begin("keys=name");
	hit(ARG("sda"));
	hit(ARG("sdb"));
	hit(ARG("sda"));
	hit(0);
	hit(42);
	hit(ARG(longer));
	longer[64] = '\0';
	hit(ARG(longer));
	hit(ARG("a\tb\\"));
	is_str(print_all(true), "name\thitcount\n(efault)\t1\n(null)\t1\na\\tb\\\\\t1\nsdb\t1\nsda\t2\n"
	       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\t2\n",
	       "strings, cut, bad, none");
	end();
}

static void test_limited_strings(void)
{
	use("name %s limited %.3s by %.*s");
	begin("keys=limited,by");
	hit(0, ARG("sda"), 2, ARG("abc"));
	hit(0, ARG("sda1"), 2, ARG("ab"));
	hit(0, ARG("sda1"), -1, ARG("ab"));
	hit(0, ARG("sda1"), 0, 42);
	is_str(print_all(true), "limited\tby\thitcount\nsda\t\t2\nsda\tab\t2\n",
	       "as much of a string as is recorded");
	end();
}

/* A string at the end of a page, after which nothing can be read. */
static void test_strings_at_page(void)
{
	char *exact = malloc(8), text[64];
	int i, n;

	use("name %s limited %.3s by %.*s");
	begin("keys=name:sort=name");
	for (i = 0; i < 3; i++) {
		char *page = aligned_alloc(4096, 8192);

		memset(page, 'a' + i, 8192);
		page[4100] = '\0';
		if (i == 1) {
			marker_bad_start = page + 4096;
			marker_bad_end = page + 8192;
		}
		for (n = 4080; n < 4096; n++)
			hit(ARG(page + n));
		marker_bad_start = NULL;
		marker_bad_end = NULL;
		free(page);
	}
	memcpy(exact, "abcdefg", 8);
	hit(ARG(exact));
	print_all(true);
	for (i = 5, n = 0; i <= 20; i++) {
		snprintf(text, sizeof(text), "\n%.*s\t1\n", i, "aaaaaaaaaaaaaaaaaaaaaaaaa");
		n += !!strstr(print_all(true), text);
		snprintf(text, sizeof(text), "\n%.*s\t1\n", i, "ccccccccccccccccccccccccc");
		n += !!strstr(print_all(true), text);
	}
	is_int(n, 32, "strings across a page");
	ok(strstr(print_all(true), "\n(efault)\t16\n"), "strings into a bad page");
	ok(strstr(print_all(true), "\nabcdefg\t1\n"), "a string of seven characters");
	end();
	free(exact);
}

static void test_contexts(void)
{
	contexts[MARKER_FILTER_PROCNAME] = ARG(procname);
	contexts[MARKER_HIST_STACK] = ARG(stack);
	use("pid %d");
	begin("keys=procname,tid,$ctx.pid,cpu:vals=pid");
	hit(7);
	is_str(print_all(true), "procname\ttid\tpid\tcpu\thitcount\tpid\nbash\t1234\t1200\t3\t1\t7\n",
	       "contexts");
	end();
	contexts[MARKER_FILTER_CGROUP_ID] = 1ULL << 63 | 47;
	begin("keys=cgroup_id:vals=tid");
	is_int(hist.contexts, MARKER_NEEDS_GROUP, "a group is needed");
	hit(7);
	is_str(print_all(true), "cgroup_id\thitcount\ttid\n9223372036854775855\t1\t1234\n", "a group");
	end();
	begin("keys=stack");
	hit(7);
	hit(7);
	stack[1] = 0x30;
	hit(7);
	shows("{ stack: \n symbol+0x10\n symbol+0x30\n } hitcount: 1\n"
	      "{ stack: \n symbol+0x10\n symbol+0x20\n } hitcount: 2\n", "stacks");
	is_str(print_all(true), "stack\thitcount\nsymbol+0x10;symbol+0x30\t1\nsymbol+0x10;symbol+0x20\t2\n",
	       "as columns");
	end();
}

/* Does each key have its hits?  The keys count from 0, and key n has n + 1 hits. */
static bool counted_right(u32 nr)
{
	struct marker_table *table = read_map();
	bool right = table->nr == nr && !table->dropped;
	u32 i;

	for (i = 0; i < table->nr; i++)
		right &= marker_table_row(table, i)[0] == marker_table_row(table, i)[1] + 1;
	kvfree(table);
	return right;
}

/* New keys of the first CPU. */
static void add_keys(void)
{
	u32 i;

	for (i = 0; i < 300; i++)
		hit(1000 + i);
}

static void test_full(void)
{
	u32 i, n;

	use("a %u");
	begin("keys=a:size=1024");
	for (i = 0; i < 1024; i++)
		for (n = 0; n <= i; n++)
			hit(i);
	ok(counted_right(1024), "as many keys as were asked for");
	for (i = 0; i < 10; i++)
		hit(5000 + i);
	hit(5);
	is_int(marker_map_dropped(map), 10, "one more is dropped");
	end();
}

/* Two words for each row: 2 GiB. */
static void test_large_tables(void)
{
	use("a %u");
	begin("keys=a:size=1024");
	local_set(&per_cpu_ptr(map->cpu, 1)->used, 1 << 27);
	ok(!marker_table_read(&hist, map), "more rows than can be allocated");
	local_set(&per_cpu_ptr(map->cpu, 1)->used, 1u << 31);
	local_set(&per_cpu_ptr(map->cpu, 2)->used, 1u << 31);
	ok(!marker_table_read(&hist, map), "more rows than 32 bits count");
	end();

	/* so a hist that could have them is not made */
	parse("keys=a:size=131072");
	ok(marker_table_fits(&hist), "the largest size can be read here");
	hist.size = INT_MAX / sizeof(u64) / NR_CPUS / 2;
	ok(!marker_table_fits(&hist), "the rows of all CPUs do not fit");
	hist.size = hist.size / 10 * 8;
	ok(marker_table_fits(&hist), "with room for new keys they do");
}

static void test_all_cpus(void)
{
	u32 i, n = 0;

	use("a %u");
	begin("keys=a:size=1024:sort=a");
	for (unit_cpu = 0; unit_cpu < NR_CPUS; unit_cpu++)
		for (i = unit_cpu; i < 512; i++)
			hit(i);
	unit_cpu = 0;
	for (i = 0; i < 512; i++) {
		struct marker_table *table = read_map();

		n += table->nr == 512 && marker_table_row(table, i)[1] == i &&
		     marker_table_row(table, i)[0] == min_t(u32, i + 1, NR_CPUS);
		kvfree(table);
	}
	is_int(n, 512, "the sum of all CPUs");
	end();
}

/* Keys come while the old ones of another CPU are read. */
static void test_new_keys(void)
{
	struct marker_table *table;
	u32 i;

	use("a %u");
	begin("keys=a:size=1024");
	unit_cpu = NR_CPUS - 1;
	for (i = 0; i < 10; i++)
		hit(i);
	unit_cpu = 0;
	unit_on_alloc = add_keys;
	table = read_map();
	is_int(table->nr, 310, "none is left out for new ones");
	kvfree(table);
	end();
}

/* Keys that all hash to the same bucket. */
static void test_same_slot(void)
{
	u32 i, n;

	use("a %u");
	begin("keys=a:size=4096");
	for (i = 0, n = 0; n < 200; i++) {
		if ((u64)i * MAP_FACTOR >> map->shift != 17)
			continue;
		hit(i);
		n++;
	}
	is_int(marker_map_dropped(map), 200 - MARKER_MAP_PROBES, "a hit does not look for ever");
	end();
}

static void test_no_memory(void)
{
	unit_alloc_fail = 1;
	ok(!marker_map_create(64, 1, 0), "no memory");
	unit_alloc_fail = 4;
	ok(!marker_map_create(64, 1, 0), "no memory for a CPU");
	unit_alloc_fail = 0;
}

int main(void)
{
	test_errors();
	test_any();
	test_ints();
	test_log2();
	test_buckets();
	test_buckets_at_ends();
	test_forms();
	test_behind_pointer();
	test_strings();
	test_limited_strings();
	test_strings_at_page();
	test_contexts();
	test_full();
	test_large_tables();
	test_all_cpus();
	test_new_keys();
	test_same_slot();
	test_no_memory();
	return tap_done();
}
