// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>

#include "sql_functions.h"

SQLITE_EXTENSION_INIT3

/**
 * struct numbers - the values of a group
 * @share: which one is asked for, 0 to 1
 * @has_share: @share is set
 * @nr: number of values
 * @room: number of values that @number has room for
 * @number: the values
 */
struct numbers {
	double share;
	bool has_share;
	size_t nr;
	size_t room;
	double *number;
};

static void add_number(sqlite3_context *ctx, struct numbers *numbers, sqlite3_value *value)
{
	double *number;

	if (sqlite3_value_type(value) == SQLITE_NULL)
		return;
	if (sqlite3_value_numeric_type(value) != SQLITE_INTEGER &&
	    sqlite3_value_numeric_type(value) != SQLITE_FLOAT) {
		sqlite3_result_error(ctx, "percentile(): a value is not a number", -1);
		return;
	}
	if (numbers->nr == numbers->room) {
		numbers->room = numbers->room ? 2 * numbers->room : 64;
		number = sqlite3_realloc64(numbers->number, numbers->room * sizeof(*number));
		if (!number) {
			sqlite3_result_error_nomem(ctx);
			return;
		}
		numbers->number = number;
	}
	numbers->number[numbers->nr++] = sqlite3_value_double(value);
}

static void percentile_step(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	struct numbers *numbers = sqlite3_aggregate_context(ctx, sizeof(*numbers));
	double share = argc > 1 ? sqlite3_value_double(argv[1]) / 100 : 0.5;

	if (!numbers) {
		sqlite3_result_error_nomem(ctx);
		return;
	}
	if (argc > 1 && sqlite3_value_numeric_type(argv[1]) != SQLITE_INTEGER &&
	    sqlite3_value_numeric_type(argv[1]) != SQLITE_FLOAT)
		share = -1;
	if (!(share >= 0 && share <= 1)) {
		sqlite3_result_error(ctx, "percentile(X, P): P is a number from 0 to 100", -1);
		return;
	}
	if (numbers->has_share && share != numbers->share) {
		sqlite3_result_error(ctx, "percentile(X, P): P is the same for all rows", -1);
		return;
	}
	numbers->share = share;
	numbers->has_share = true;
	add_number(ctx, numbers, argv[0]);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Between two values it lies on the line from one to the other. */
static void percentile_final(sqlite3_context *ctx)
{
	struct numbers *numbers = sqlite3_aggregate_context(ctx, 0);
	double at, low, high;
	size_t i;

	if (!numbers || !numbers->nr)
		return;
	qsort(numbers->number, numbers->nr, sizeof(*numbers->number), compare);
	at = numbers->share * (numbers->nr - 1);
	i = at;
	low = numbers->number[i];
	high = numbers->number[i + 1 < numbers->nr ? i + 1 : i];
	sqlite3_result_double(ctx, low + (high - low) * (at - i));
	sqlite3_free(numbers->number);
}

/* "-EIO" for -5, "EIO" for 5; NULL if the number has no name. */
static void errname(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	const sqlite3_int64 number = sqlite3_value_int64(argv[0]);
	const char *name = NULL;

	(void)argc;
	if (sqlite3_value_numeric_type(argv[0]) == SQLITE_INTEGER && number && number > -4096 &&
	    number < 4096)
		name = strerrorname_np(number < 0 ? -number : number);
	if (name)
		sqlite3_result_text(ctx, sqlite3_mprintf("%s%s", number < 0 ? "-" : "", name), -1,
				    sqlite3_free);
}

int functions_add(struct sqlite3 *db)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int err;

	err = sqlite3_create_function_v2(db, "percentile", 2, flags, NULL, NULL, percentile_step,
					 percentile_final, NULL);
	err = err ?: sqlite3_create_function_v2(db, "median", 1, flags, NULL, NULL, percentile_step,
						percentile_final, NULL);
	return err ?: sqlite3_create_function_v2(db, "errname", 1, flags, NULL, errname, NULL, NULL,
						 NULL);
}
