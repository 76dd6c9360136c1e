// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "scan.h"

static void close_recording(struct scan *scan)
{
	if (scan->is_open && merge_end(&scan->merge))
		scan->recording->damaged = true;
	scan->is_open = false;
	scan->is_read = false;
}

static void open_recording(struct scan *scan, size_t number)
{
	struct recording *recording = scan->table->database->recording[number];
	const bool losses = scan->table->rows == ROWS_LOSSES;
	const struct opened *opened = &recording->opened;
	off_t at;
	size_t i;

	/* a loss is the difference of two packets, so that all packets before it are needed */
	if (!scan->is_open || scan->recording != recording || losses) {
		close_recording(scan);
		merge_begin(&scan->merge, opened, true);
		scan->merge.told = &recording->told;
	}
	scan->is_open = true;
	scan->number = number;
	scan->recording = recording;
	merge_clear(&scan->merge);
	for (i = 0; i < opened->nr_streams; i++) {
		if (scan->range.cpu >= 0 && opened->stream[i].stream->cpu != scan->range.cpu)
			continue;
		at = packet_index_find(&recording->index, i, losses ? 0 : scan->range.begin);
		if (at >= 0)
			merge_add(&scan->merge, i, at, opened_end_at(opened, scan->range.end));
	}
	scan->is_read = true;
}

void scan_begin(struct scan *scan, const struct table *table, const struct range *range)
{
	if (scan->table != table)
		memset(scan->class, 0, sizeof(scan->class));
	scan->table = table;
	scan->range = *range;
	scan->number = range->recording < 0 ? 0 : range->recording;
	scan->is_read = false;
}

static const struct layout *find_layout(struct scan *scan, const struct event_class *class)
{
	size_t at = (uintptr_t)class / sizeof(*class) % NR_KNOWN;

	if (scan->class[at] != class) {
		scan->class[at] = class;
		scan->known[at] = table_layout(scan->table, class);
	}
	return scan->known[at];
}

/* Is the event on top one of ours? */
static bool takes_event(struct scan *scan)
{
	scan->record = merge_record(&scan->merge, &scan->stream);
	scan->layout = find_layout(scan, scan->record->class);
	if (!scan->layout)
		return false;
	scan->time = opened_ns(&scan->recording->opened, scan->stream, scan->record->time);
	return scan->time >= scan->range.begin && scan->time <= scan->range.end;
}

/* Of several clocks, is the event on top behind the part? */
static bool is_behind(const struct scan *scan)
{
	const struct opened *opened = &scan->recording->opened;

	return opened->info.is_joint && opened_ns(opened, scan->stream, scan->record->time) > scan->range.end;
}

static bool takes_loss(struct scan *scan)
{
	scan->time = scan->merge.loss.end;
	return scan->merge.loss.count &&
	       scan->time >= scan->range.begin && scan->time <= scan->range.end;
}

/* Go on in this recording. */
static bool next_of_recording(struct scan *scan)
{
	const bool losses = scan->table->rows == ROWS_LOSSES;
	enum merge_at at;

	while ((at = merge_next(&scan->merge)) != MERGE_END) {
		if (at == MERGE_EVENT ? !losses && takes_event(scan) : losses && takes_loss(scan))
			return true;
		if (!losses && at == MERGE_EVENT && is_behind(scan))
			break;
	}
	return false;
}

bool scan_next(struct scan *scan)
{
	while (!scan->range.empty) {
		if (!scan->is_read)
			open_recording(scan, scan->number);
		if (next_of_recording(scan))
			return true;
		scan->is_read = false;
		scan->number++;
		scan->range.empty = scan->range.recording >= 0 ||
				    scan->number == scan->table->database->nr;
	}
	return false;
}

void scan_end(struct scan *scan)
{
	close_recording(scan);
}
