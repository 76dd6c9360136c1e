// SPDX-License-Identifier: GPL-2.0
/*
 * The columns of a table are as wide as the first rows need: the rows after them do not have to
 * be in memory.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/message.h"
#include "../events/text.h"
#include "../formats/csv.h"
#include "result.h"

#define FIRST_ROWS	1000
#define MAX_WIDTH	60	/* what is longer does not make the others wider */

/* How the numbers of a column are shown. */
enum base { BASE_SIGNED, BASE_UNSIGNED, BASE_HEX };

/**
 * struct result_column - a column
 * @name: its name, another one for each
 * @base: that of its numbers
 * @width: characters of the longest value, at most MAX_WIDTH
 * @is_number: there are numbers only
 */
struct result_column {
	char *name;
	enum base base;
	int width;
	bool is_number;
};

/**
 * struct result - the rows of a statement
 * @out: the output file
 * @format: how
 * @statement: the statement
 * @nr: number of columns
 * @column: the columns
 * @nr_rows: rows so far, up to FIRST_ROWS
 * @cell: the values of these rows as text, for a table
 */
struct result {
	FILE *out;
	enum result_format format;
	sqlite3_stmt *statement;
	int nr;
	struct result_column *column;
	int nr_rows;
	char **cell;
};

static bool has_name(const struct result *result, int nr, const char *name)
{
	int i;

	for (i = 0; i < nr; i++)
		if (!strcmp(result->column[i].name, name))
			return true;
	return false;
}

/* For a terminal. */
static char *escape(const char *bytes, size_t size)
{
	char *text = NULL;
	size_t written;
	FILE *out = need_memory(open_memstream(&text, &written));

	text_escaped(out, bytes, size);
	fclose(out);
	return need_memory(text);
}

/* Those who read JSON or CSV find columns by name, so "ts" comes with "ts_2". */
static char *column_name(const struct result *result, int i)
{
	const char *name = sqlite3_column_name(result->statement, i) ?: "";
	char *own;
	int n;

	if (result->format == RESULT_TABLE)
		return escape(name, strlen(name));
	own = need_memory(strdup(name));
	for (n = 2; has_name(result, i, own); n++) {
		free(own);
		own = format_text("%s_%d", name, n);
	}
	return own;
}

static enum base column_base(sqlite3_stmt *statement, int i)
{
	const char *type = sqlite3_column_decltype(statement, i);

	if (type && !strcmp(type, "UNSIGNED INT"))
		return BASE_UNSIGNED;
	return type && !strcmp(type, "HEX INT") ? BASE_HEX : BASE_SIGNED;
}

/* Count characters, not bytes. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static void put_integer(FILE *out, sqlite3_int64 number, enum base base)
{
	if (base == BASE_SIGNED)
		fprintf(out, "%" PRId64, (int64_t)number);
	else
		fprintf(out, base == BASE_HEX ? "0x%" PRIx64 : "%" PRIu64, (uint64_t)number);
}

/* For programs, the shortest text that is the same number; people need 15 digits at most. */
static void put_real(FILE *out, double number, int most)
{
	char text[40];
	int digits;

	for (digits = 6; digits <= most; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	fputs(text, out);
}

/* As report prints bytes. */
static void put_bytes(FILE *out, const unsigned char *bytes, int size)
{
	int i;

	for (i = 0; i < size; i++)
		fprintf(out, i ? ":%02x" : "%02x", bytes[i]);
}

static const char *column_text(sqlite3_stmt *statement, int i, size_t *size)
{
	const void *text = sqlite3_column_text(statement, i);

	*size = sqlite3_column_bytes(statement, i);
	return text ?: "";
}

/* Write a value that is no text. */
static void put_plain(const struct result *result, int i, FILE *out)
{
	sqlite3_stmt *statement = result->statement;

	switch (sqlite3_column_type(statement, i)) {
	case SQLITE_INTEGER:
		put_integer(out, sqlite3_column_int64(statement, i), result->column[i].base);
		break;
	case SQLITE_FLOAT:
		put_real(out, sqlite3_column_double(statement, i),
			 result->format == RESULT_TABLE ? 15 : 17);
		break;
	case SQLITE_BLOB:
		put_bytes(out, sqlite3_column_blob(statement, i), sqlite3_column_bytes(statement, i));
		break;
	}
}

/*
 * JSON and CSV
 */

/* As report has it: no number of base 16, nor one of 2^63 and more. */
static bool is_json_number(const struct result *result, int i)
{
	const enum base base = result->column[i].base;
	const int type = sqlite3_column_type(result->statement, i);

	return (type == SQLITE_FLOAT && isfinite(sqlite3_column_double(result->statement, i))) ||
	       (type == SQLITE_INTEGER && base != BASE_HEX &&
		(base == BASE_SIGNED || sqlite3_column_int64(result->statement, i) >= 0));
}

static void put_json(const struct result *result, int i)
{
	sqlite3_stmt *statement = result->statement;
	FILE *out = result->out;
	const char *text;
	size_t size;

	switch (sqlite3_column_type(statement, i)) {
	case SQLITE_NULL:
		fputs("null", out);
		break;
	case SQLITE_TEXT:
		text = column_text(statement, i, &size);
		json_string(out, text, size);
		break;
	default:
		if (is_json_number(result, i)) {
			put_plain(result, i, out);
			break;
		}
		putc('"', out);
		put_plain(result, i, out);
		putc('"', out);
	}
}

static void put_json_row(const struct result *result)
{
	int i;

	for (i = 0; i < result->nr; i++) {
		putc(i ? ',' : '{', result->out);
		json_string(result->out, result->column[i].name, strlen(result->column[i].name));
		putc(':', result->out);
		put_json(result, i);
	}
	fputs("}\n", result->out);
}

static void put_csv_row(const struct result *result)
{
	const char *text;
	size_t size;
	int i;

	for (i = 0; i < result->nr; i++) {
		if (i)
			putc(',', result->out);
		if (sqlite3_column_type(result->statement, i) == SQLITE_TEXT) {
			text = column_text(result->statement, i, &size);
			csv_text(result->out, text, size);
		} else {
			put_plain(result, i, result->out);
		}
	}
	putc('\n', result->out);
}

static void put_csv_head(const struct result *result)
{
	int i;

	for (i = 0; i < result->nr; i++) {
		if (i)
			putc(',', result->out);
		csv_text(result->out, result->column[i].name, strlen(result->column[i].name));
	}
	putc('\n', result->out);
}

/*
 * Tables
 */
static char *cell_text(const struct result *result, int i)
{
	char *text = NULL;
	const char *value;
	size_t size;
	FILE *out;

	if (sqlite3_column_type(result->statement, i) == SQLITE_TEXT) {
		value = column_text(result->statement, i, &size);
		return escape(value, size);
	}
	out = need_memory(open_memstream(&text, &size));
	put_plain(result, i, out);
	fclose(out);
	return need_memory(text);
}

/* Write a cell; the last one of a row needs no blanks behind it. */
static void put_cell(const struct result *result, int i, const char *text, bool right)
{
	const int blanks = result->column[i].width - width_of(text);

	if (i)
		fputs("  ", result->out);
	if (right && blanks > 0)
		fprintf(result->out, "%*s", blanks, "");
	fputs(text, result->out);
	if (!right && blanks > 0 && i < result->nr - 1)
		fprintf(result->out, "%*s", blanks, "");
}

static void put_cells(const struct result *result, char **cell)
{
	int i;

	for (i = 0; i < result->nr; i++) {
		put_cell(result, i, cell[i], result->column[i].is_number);
		free(cell[i]);
	}
	putc('\n', result->out);
}

/* Write the head, and the rows that were kept. */
static void put_first(struct result *result)
{
	int i;

	for (i = 0; i < result->nr; i++)
		put_cell(result, i, result->column[i].name, result->column[i].is_number);
	putc('\n', result->out);
	for (i = 0; i < result->nr_rows; i++)
		put_cells(result, result->cell + i * result->nr);
	free(result->cell);
	result->cell = NULL;
}

static void read_cells(struct result *result, char **cell)
{
	int i, width, type;

	for (i = 0; i < result->nr; i++) {
		struct result_column *column = &result->column[i];

		cell[i] = cell_text(result, i);
		width = width_of(cell[i]);
		if (width > column->width)
			column->width = width < MAX_WIDTH ? width : MAX_WIDTH;
		type = sqlite3_column_type(result->statement, i);
		if (type == SQLITE_TEXT || type == SQLITE_BLOB)
			column->is_number = false;
	}
}

static void put_table_row(struct result *result)
{
	char *cell[result->nr];

	if (result->cell) {
		read_cells(result, result->cell + result->nr_rows++ * result->nr);
		if (result->nr_rows == FIRST_ROWS)
			put_first(result);
		return;
	}
	for (int i = 0; i < result->nr; i++)
		cell[i] = cell_text(result, i);
	put_cells(result, cell);
}

struct result *result_begin(FILE *out, enum result_format format, sqlite3_stmt *statement)
{
	struct result *result = need_memory(calloc(1, sizeof(*result)));
	int i;

	result->out = out;
	result->format = format;
	result->statement = statement;
	result->nr = sqlite3_column_count(statement);
	result->column = need_memory(calloc(result->nr, sizeof(*result->column)));
	for (i = 0; i < result->nr; i++) {
		struct result_column *column = &result->column[i];

		column->name = column_name(result, i);
		column->base = column_base(statement, i);
		column->width = width_of(column->name);
		column->is_number = true;
	}
	if (format == RESULT_CSV)
		put_csv_head(result);
	else if (format == RESULT_TABLE)
		result->cell = need_memory(calloc((size_t)FIRST_ROWS * result->nr, sizeof(*result->cell)));
	return result;
}

void result_row(struct result *result)
{
	if (result->format == RESULT_JSON)
		put_json_row(result);
	else if (result->format == RESULT_CSV)
		put_csv_row(result);
	else
		put_table_row(result);
}

void result_end(struct result *result)
{
	int i;

	if (result->cell)
		put_first(result);
	for (i = 0; i < result->nr; i++)
		free(result->column[i].name);
	free(result->column);
	free(result);
}
