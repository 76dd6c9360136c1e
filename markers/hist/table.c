// SPDX-License-Identifier: GPL-2.0
/*
 * From a map to rows, when a file is opened.  Process context.
 */
#include "table.h"

/*
 * The order of two equal keys does not matter: they become one row.  sort_r() does not
 * reschedule, and there may be millions of rows.
 */
static int compare_keys(const void *a, const void *b, const void *priv)
{
	const struct marker_hist *hist = priv;

	cond_resched();
	return memcmp((const u64 *)a + 1, (const u64 *)b + 1,
		      hist->key_words * sizeof(u64));
}

/* Add up neighbours that are equal, and drop rows without a hit. */
static void merge_rows(struct marker_table *table, const struct marker_hist *hist)
{
	const u32 words = table->words;
	u64 *last = NULL, *row = table->row;
	u32 i, n, nr = 0;

	for (n = 0; n < table->nr; n++, row += words) {
		if (!row[0])
			continue;
		table->hits += row[0];
		if (last && !compare_keys(last, row, hist)) {
			last[0] += row[0];
			for (i = 1 + hist->key_words; i < words; i++)
				last[i] += row[i];
			continue;
		}
		last = table->row + (size_t)nr++ * words;
		memmove(last, row, words * sizeof(*row));
	}
	table->nr = nr;
}

static int compare_ints(u64 a, u64 b, bool is_signed)
{
	if (is_signed)
		return (s64)a < (s64)b ? -1 : (s64)a > (s64)b;
	return a < b ? -1 : a > b;
}

static int compare_key(const struct marker_hist_term *term, const u64 *a, const u64 *b)
{
	if (term->kind <= MARKER_HIST_KIND_NUMBER)
		return compare_ints(*a, *b, term->is_signed || term->form == MARKER_HIST_LOG2);
	return memcmp(a, b, term->words * sizeof(*a));
}

static int compare_by(const struct marker_hist *hist, const struct marker_hist_sort *sort,
		      const u64 *a, const u64 *b)
{
	const unsigned int by = sort->by;

	if (sort->is_key)
		return compare_key(&hist->key[by], a + 1 + hist->key[by].at,
				   b + 1 + hist->key[by].at);
	if (!by)
		return compare_ints(a[0], b[0], false);
	return compare_ints(a[hist->key_words + by], b[hist->key_words + by],
			    hist->val[by - 1].is_signed);
}

/*
 * The order that the operator asked for; equal rows by their keys, so the order is always
 * the same.
 */
static int compare_rows(const void *a, const void *b, const void *priv)
{
	const struct marker_hist *hist = priv;
	const u64 *first = (const u64 *)a + 1, *second = (const u64 *)b + 1;
	int result = 0;
	u32 i;

	cond_resched();
	for (i = 0; i < hist->nr_sorts && !result; i++) {
		result = compare_by(hist, &hist->sort[i], a, b);
		if (hist->sort[i].descending)
			result = -result;
	}
	for (i = 0; i < hist->nr_keys && !result; i++)
		result = compare_key(&hist->key[i], first + hist->key[i].at,
				     second + hist->key[i].at);
	return result;
}

static u64 count_rows(const struct marker_map *map)
{
	u64 nr = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		nr += (unsigned long)local_read(&per_cpu_ptr(map->cpu, cpu)->used);
	return nr;
}

/* New keys may come while a table is filled. */
static u64 room_for(u64 rows)
{
	return rows + rows / 8 + 64;
}

static u64 bytes_for(const struct marker_hist *hist, u64 room)
{
	return sizeof(struct marker_table) +
	       (room + 1) * (1 + hist->key_words + hist->nr_vals) * sizeof(u64);
}

bool marker_table_fits(const struct marker_hist *hist)
{
	u64 rows = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		rows += hist->size;
	/* no kernel allocates more at once */
	return bytes_for(hist, room_for(rows)) <= INT_MAX;
}

/* NULL: there is no memory. */
static struct marker_table *create_table(const struct marker_hist *hist, u64 room)
{
	const u32 words = 1 + hist->key_words + hist->nr_vals;
	const u64 bytes = bytes_for(hist, room);
	struct marker_table *table;

	if (bytes > INT_MAX)
		return NULL;
	table = kvzalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN);
	if (table)
		table->words = words;
	return table;
}

/* Return: false: there may be more. */
static bool fill_table(struct marker_table *table, const struct marker_map *map, u64 room)
{
	int cpu;
	u32 at;

	/* before the rows: a hit that is dropped meanwhile is in neither */
	table->dropped = marker_map_dropped(map);
	for_each_possible_cpu(cpu) {
		for (at = 0; table->nr < room &&
		     marker_map_read(map, cpu, &at,
				     table->row + (size_t)table->nr * table->words);)
			table->nr++;
		cond_resched();
	}
	return table->nr < room;
}

struct marker_table *marker_table_read(const struct marker_hist *hist,
				       const struct marker_map *map)
{
	struct marker_table *table;
	u64 room;

	/* The loop ends, because the number of buckets is fixed. */
	for (;;) {
		room = room_for(count_rows(map));
		table = create_table(hist, room);
		if (!table || fill_table(table, map, room))
			return table;
		kvfree(table);
	}
}

void marker_table_sort(struct marker_table *table, const struct marker_hist *hist)
{
	const size_t size = table->words * sizeof(u64);

	sort_r(table->row, table->nr, size, compare_keys, NULL, hist);
	merge_rows(table, hist);
	sort_r(table->row, table->nr, size, compare_rows, NULL, hist);
}

/**
 * struct out - text that is being written
 * @at:		its end
 * @room:	bytes left, with the NUL
 */
struct out {
	char *at;
	size_t room;
};

static __printf(2, 3) void put(struct out *out, const char *how, ...)
{
	va_list args;
	int len;

	va_start(args, how);
	len = vsnprintf(out->at, out->room, how, args);
	va_end(args);
	len = min_t(size_t, len, out->room - 1);
	out->at += len;
	out->room -= len;
}

/* Up to @max bytes of a key, padded to @width. */
static void put_string(struct out *out, const u64 *key, u32 max, int width)
{
	const char *text = (const char *)key;
	int left = width;
	u32 i;

	for (i = 0; i < max && text[i]; i++, left--) {
		if (text[i] == '\t')
			put(out, "\\t");
		else if (text[i] == '\n')
			put(out, "\\n");
		else if (text[i] == '\\')
			put(out, "\\\\");
		else if ((u8)text[i] < ' ' || text[i] == 0x7f)
			put(out, "\\x%02x", (u8)text[i]);
		else
			put(out, "%c", text[i]);
	}
	if (left > 0)
		put(out, "%*s", left, "");
}

static void put_int(struct out *out, const struct marker_hist_term *term, u64 value, int width)
{
	if (term->is_signed)
		put(out, "%*lld", width, (long long)value);
	else
		put(out, "%*llu", width, (unsigned long long)value);
}

/* The function that an address is in, and how far. */
static void put_symbol(struct out *out, u64 address)
{
	char text[256];

	marker_print_extension(text, sizeof(text), "%pS", (void *)(uintptr_t)address);
	put(out, "%s", text);
}

/* The lowest and the highest group end where 64 bits do. */
static u64 last_of_group(const struct marker_hist_term *term, u64 first)
{
	const u64 most = term->is_signed ? S64_MAX : U64_MAX;

	if (term->is_signed && (s64)first < 0)
		return first + marker_hist_rest(term, first, true);
	return first + min_t(u64, most - first, term->width - 1);
}

/* A number for people, at least @width wide. */
static void put_number(struct out *out, const struct marker_hist_term *term, u64 value,
		       int width)
{
	switch (term->form) {
	case MARKER_HIST_HEX:
		put(out, "%*llx", width,
		    (unsigned long long)(value << term->shift >> term->shift));
		break;
	case MARKER_HIST_SYM:
		put(out, "[%016llx] ", (unsigned long long)value);
		put_symbol(out, value);
		break;
	case MARKER_HIST_LOG2:
		if ((s64)value < 0)
			put(out, "< 0%*s", width ? 3 : 0, "");
		else
			put(out, "~ 2^%-*llu", width ? 2 : 0, (unsigned long long)value);
		break;
	case MARKER_HIST_BUCKETS:
		put(out, "~ ");
		put_int(out, term, value, 0);
		put(out, "-");
		put_int(out, term, last_of_group(term, value), 0);
		break;
	default:
		put_int(out, term, value, width);
		break;
	}
}

static void put_stack(struct out *out, const u64 *key)
{
	u32 i;

	for (i = 0; i < MARKER_HIST_FRAMES && key[i]; i++) {
		put(out, "\n         ");
		put_symbol(out, key[i]);
	}
	put(out, "\n");
}

char *marker_table_print(char *to, const struct marker_hist *hist, const u64 *row)
{
	struct out out = { to, MARKER_TABLE_LINE };
	const struct marker_hist_term *term;
	u32 i;

	put(&out, "{ ");
	for (i = 0; i < hist->nr_keys; i++) {
		term = &hist->key[i];
		put(&out, "%s%s: ", i ? ", " : "", term->name);
		if (term->kind == MARKER_HIST_KIND_STACK)
			put_stack(&out, row + 1 + term->at);
		else if (term->kind == MARKER_HIST_KIND_STRING)
			put_string(&out, row + 1 + term->at, term->max,
				   min_t(int, term->max, 32));
		else
			put_number(&out, term, row[1 + term->at], 10);
	}
	put(&out, " } hitcount: %10llu", (unsigned long long)row[0]);
	for (i = 0; i < hist->nr_vals; i++) {
		put(&out, "  %s: ", hist->val[i].name);
		put_int(&out, &hist->val[i], row[1 + hist->key_words + i], 10);
	}
	put(&out, "\n");
	return to;
}

char *marker_table_tsv_head(char *to, const struct marker_hist *hist)
{
	struct out out = { to, MARKER_TABLE_LINE };
	u32 i;

	for (i = 0; i < hist->nr_keys; i++)
		put(&out, "%s\t", hist->key[i].name);
	put(&out, "hitcount");
	for (i = 0; i < hist->nr_vals; i++)
		put(&out, "\t%s", hist->val[i].name);
	put(&out, "\n");
	return to;
}

/* A group as its first value: a program can compute with that. */
static void put_column(struct out *out, const struct marker_hist_term *term, const u64 *key)
{
	u32 i;

	if (term->kind == MARKER_HIST_KIND_STRING) {
		put_string(out, key, term->max, 0);
	} else if (term->kind == MARKER_HIST_KIND_STACK) {
		for (i = 0; i < MARKER_HIST_FRAMES && key[i]; i++) {
			put(out, "%s", i ? ";" : "");
			put_symbol(out, key[i]);
		}
	} else if (term->form == MARKER_HIST_SYM) {
		put_symbol(out, *key);
	} else if (term->form == MARKER_HIST_HEX) {
		put(out, "0x");
		put_number(out, term, *key, 0);
	} else if (term->form == MARKER_HIST_LOG2) {
		put(out, "%lld", (long long)*key);
	} else {
		put_int(out, term, *key, 0);
	}
}

char *marker_table_tsv(char *to, const struct marker_hist *hist, const u64 *row)
{
	struct out out = { to, MARKER_TABLE_LINE };
	u32 i;

	for (i = 0; i < hist->nr_keys; i++) {
		put_column(&out, &hist->key[i], row + 1 + hist->key[i].at);
		put(&out, "\t");
	}
	put(&out, "%llu", (unsigned long long)row[0]);
	for (i = 0; i < hist->nr_vals; i++) {
		put(&out, "\t");
		put_int(&out, &hist->val[i], row[1 + hist->key_words + i], 0);
	}
	put(&out, "\n");
	return to;
}
