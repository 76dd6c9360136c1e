// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>

#include "plan.h"

SQLITE_EXTENSION_INIT3

/* Estimates, in rows that SQLite itself would read. */
#define PACKET_EVENTS	500.0
#define FOUND_EVENTS	4.0
#define FOUND_COST	50.0

/**
 * struct plan - the conditions that were chosen
 * @info: SQLite's question
 * @nr: number of conditions
 * @text: of each of them a letter, and for 'k' the number of the column behind it
 * @at: end of @text
 * @nr_keys: number of 'k'
 * @rows: rows that are left
 * @share: share of the packets that is left
 */
struct plan {
	sqlite3_index_info *info;
	int nr;
	char text[256];
	size_t at;
	unsigned int nr_keys;
	double rows;
	double share;
};

static void take(struct plan *plan, int i, char letter, double rows, double share)
{
	if (plan->at > sizeof(plan->text) - 16)
		return;
	plan->info->aConstraintUsage[i].argvIndex = ++plan->nr;
	plan->text[plan->at++] = letter;
	plan->rows *= rows;
	plan->share *= share;
}

static void take_time(struct plan *plan, int i)
{
	switch (plan->info->aConstraint[i].op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		take(plan, i, '=', 1e-6, 1e-6);
		break;
	case SQLITE_INDEX_CONSTRAINT_GT:
	case SQLITE_INDEX_CONSTRAINT_GE:
		take(plan, i, '>', 0.1, 0.1);
		break;
	case SQLITE_INDEX_CONSTRAINT_LT:
	case SQLITE_INDEX_CONSTRAINT_LE:
		take(plan, i, '<', 0.1, 0.1);
		break;
	}
}

/*
 * A key is looked for if it is another one in each row of the other side of a join. To find the
 * events of one key, which is known now, it is enough to read them all.
 */
static void take_key(struct plan *plan, int i, const struct column *column)
{
	sqlite3_value *known = NULL;

	if (plan->nr_keys == MAX_KEYS || (!column->is_text && !strstr(column->type, "INT")) ||
	    !sqlite3_vtab_rhs_value(plan->info, i, &known))
		return;
	take(plan, i, 'k', 1, 1);
	plan->at += sprintf(plan->text + plan->at, "%d", plan->info->aConstraint[i].iColumn);
	plan->nr_keys++;
}

static void take_condition(struct plan *plan, const struct table *table, int i)
{
	const struct sqlite3_index_constraint *condition = &plan->info->aConstraint[i];
	const struct column *column = &table->column[condition->iColumn];

	if (column->what == COLUMN_TS) {
		take_time(plan, i);
		return;
	}
	if (condition->op != SQLITE_INDEX_CONSTRAINT_EQ ||
	    strcmp(sqlite3_vtab_collation(plan->info, i), "BINARY"))
		return;
	if (column->what == COLUMN_CPU)
		take(plan, i, 'c', 0.25, 0.25);
	else if (column->what == COLUMN_RECORDING)
		take(plan, i, 'r', 1.0 / table->database->nr, 1.0 / table->database->nr);
	else if (table->rows == ROWS_EVENTS &&
		 (column->what == COLUMN_FIELD || column->what == COLUMN_CONTEXT))
		take_key(plan, i, column);
}

/* Events come in the order of time in a recording. */
static bool is_in_order(const struct plan *plan, const struct table *table)
{
	const sqlite3_index_info *info = plan->info;

	return info->nOrderBy == 1 && !info->aOrderBy[0].desc && info->aOrderBy[0].iColumn >= 0 &&
	       table->column[info->aOrderBy[0].iColumn].what == COLUMN_TS &&
	       (table->database->nr == 1 || strchr(plan->text, 'r'));
}

static void estimate(struct plan *plan, const struct table *table)
{
	const struct database *database = table->database;
	double events = 0, streams = 0;
	size_t i;

	for (i = 0; i < database->nr; i++) {
		events += database->recording[i]->index.events;
		streams += database->recording[i]->opened.nr_streams;
	}
	plan->rows *= events * table->nr_layouts / (database->table[0]->nr_layouts + 1);
	plan->info->estimatedCost = events * plan->share + PACKET_EVENTS * streams + plan->rows;
	if (plan->nr_keys) {
		plan->rows = FOUND_EVENTS;
		plan->info->estimatedCost = FOUND_COST;
	}
	plan->info->estimatedRows = plan->rows < 1 ? 1 : plan->rows;
}

int plan_make(const struct table *table, struct sqlite3_index_info *info)
{
	struct plan plan = { .info = info, .rows = 1, .share = 1 };
	int i;

	for (i = 0; i < info->nConstraint; i++)
		if (info->aConstraint[i].usable && info->aConstraint[i].iColumn >= 0)
			take_condition(&plan, table, i);
	plan.text[plan.at] = '\0';
	info->idxStr = sqlite3_mprintf("%s", plan.text);
	info->needToFreeIdxStr = 1;
	info->orderByConsumed = is_in_order(&plan, table);
	estimate(&plan, table);
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/*
 * While the query runs
 */

/* Times below 0 are before all others. What is no number may be compared in another way. */
static void read_time(struct range *range, char letter, sqlite3_value *value)
{
	sqlite3_int64 time;

	if (sqlite3_value_type(value) == SQLITE_NULL)
		range->empty = true;
	if (sqlite3_value_type(value) != SQLITE_INTEGER)
		return;
	time = sqlite3_value_int64(value);
	if (letter != '>' && time < 0)
		range->empty = true;
	if (letter != '<' && time > 0 && (uint64_t)time > range->begin)
		range->begin = time;
	if (letter != '>' && time >= 0 && (uint64_t)time < range->end)
		range->end = time;
}

static void read_cpu(struct range *range, sqlite3_value *value)
{
	sqlite3_int64 cpu;

	if (sqlite3_value_type(value) == SQLITE_NULL)
		range->empty = true;
	if (sqlite3_value_type(value) != SQLITE_INTEGER)
		return;
	cpu = sqlite3_value_int64(value);
	if (cpu < 0 || (range->cpu >= 0 && range->cpu != cpu))
		range->empty = true;
	range->cpu = cpu;
}

static void read_recording(struct range *range, const struct database *database,
			   sqlite3_value *value)
{
	const char *name;
	size_t i;

	if (sqlite3_value_type(value) != SQLITE_TEXT)
		return;
	name = (const char *)sqlite3_value_text(value);
	for (i = 0; i < database->nr && strcmp(database->recording[i]->name, name); i++)
		;
	range->empty |= i == database->nr;
	range->recording = i;
}

/* Return: false if SQLite may compare the value in another way than as the same bytes. */
static bool read_key(struct key *key, const struct column *column, unsigned int number,
		     struct range *range, sqlite3_value *value)
{
	const int type = sqlite3_value_type(value);

	if (type == SQLITE_NULL)
		range->empty = true;
	else if (column->is_text && type == SQLITE_TEXT)
		key_add_text(key, (const char *)sqlite3_value_text(value), sqlite3_value_bytes(value));
	else if (!column->is_text && type == SQLITE_INTEGER)
		key_add_number(key, sqlite3_value_int64(value));
	else
		return false;
	key->column[key->nr++] = number;
	return true;
}

void plan_read(const struct table *table, const char *plan, sqlite3_value **values,
	       struct range *range, struct key *key)
{
	bool same = true;
	unsigned long column;
	char *end;

	*range = (struct range){ .end = UINT64_MAX, .cpu = -1, .recording = -1 };
	*key = (struct key){ };
	for (; *plan; plan++, values++) {
		switch (*plan) {
		case 'c':
			read_cpu(range, *values);
			break;
		case 'r':
			read_recording(range, table->database, *values);
			break;
		case 'k':
			column = strtoul(plan + 1, &end, 10);
			plan = end - 1;
			same &= read_key(key, &table->column[column], column, range, *values);
			break;
		default:
			read_time(range, *plan, *values);
		}
	}
	if (!same)
		key->nr = 0;
}
