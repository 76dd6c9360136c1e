/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks what Documentation/ctf.rst promises of a trace. Does without libbabeltrace2.
 */
#ifndef _MARKERS_RULES_H
#define _MARKERS_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../ctf/trace_files.h"

enum rule {
	RULE_METADATA,	/* the metadata has the form that markers.ko writes */
	RULE_WHOLE,	/* streams consist of complete packets */
	RULE_TRACE,	/* packets belong to this trace and to the CPU of their stream */
	RULE_ORDER,	/* packets are in order, and their counts do not decrease */
	RULE_EVENTS,	/* events fill their packet exactly */
	RULE_TIMES,	/* times do not decrease, and lie within the times of the packet */
	RULE_FILES,	/* no other file is in the directory */
	NR_RULES
};

struct rules_cpu;

/**
 * struct rules - the findings in a trace, or in all parts of a recording
 * @broken: for each rule, the number of places that break it
 * @packets: packets read
 * @events: events in these packets
 * @lost: lost events, by the counts in the last packet of each CPU
 * @gaps: places in streams where packets are missing whose events are not in @lost
 * @complain: called for each such place, with a line of text
 * @nr_cpus: entries of @cpu
 * @cpu: the last packet of each CPU
 */
struct rules {
	unsigned int broken[NR_RULES];
	uint64_t packets;
	uint64_t events;
	uint64_t lost;
	uint64_t gaps;
	void (*complain)(enum rule rule, const char *text);
	unsigned int nr_cpus;
	struct rules_cpu *cpu;
};

/**
 * rules_name() - the text of a rule
 * @rule: the rule
 *
 * Return: a few words.
 */
const char *rules_name(enum rule rule);

/**
 * rules_check() - check a directory
 * @rules: the caller sets @complain; gets the findings
 * @part: its files
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, if the directory cannot be read.
 */
int rules_check(struct rules *rules, const struct trace_part *part);

/**
 * rules_check_pieces() - check what the pieces of a collector are together
 * @rules: the caller sets @complain; gets the findings
 * @opened: the trace
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, if a file cannot be read.
 */
struct opened;
int rules_check_pieces(struct rules *rules, const struct opened *opened);

/**
 * rules_free() - free the findings
 * @rules: from rules_check()
 */
void rules_free(struct rules *rules);

#endif /* _MARKERS_RULES_H */
