/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What Documentation/ctf.rst promises of a trace, checked without libbabeltrace2.
 */
#ifndef _MARKERS_RULES_H
#define _MARKERS_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rule {
	RULE_METADATA,	/* the text is what markers.ko writes */
	RULE_WHOLE,	/* streams are whole packets */
	RULE_TRACE,	/* packets belong to this trace and to one CPU */
	RULE_ORDER,	/* packets follow each other, counts do not go back */
	RULE_EVENTS,	/* events fill their packet */
	RULE_TIMES,	/* times do not go back, and are those of their packet */
	NR_RULES
};

struct rules_cpu;

/**
 * struct rules - of a trace, or of the parts of a recording
 * @broken: places where a rule is broken
 * @packets: that were read
 * @events: in these
 * @lost: events that were lost, by the last packet of each CPU
 * @complain: is called for each place, with a line of text
 * @nr_cpus: of @cpu
 * @cpu: what was seen of each CPU
 */
struct rules {
	unsigned int broken[NR_RULES];
	uint64_t packets;
	uint64_t events;
	uint64_t lost;
	void (*complain)(enum rule rule, const char *text);
	unsigned int nr_cpus;
	struct rules_cpu *cpu;
};

/**
 * rules_name() - what a rule says
 * @rule: the rule
 *
 * Return: a few words.
 */
const char *rules_name(enum rule rule);

/**
 * rules_check() - check a directory
 * @rules: has @complain; is changed
 * @path: the directory
 *
 * Return: STATUS_OK; STATUS_FAILED, and says why, if it cannot be read.
 */
int rules_check(struct rules *rules, const char *path);

/**
 * rules_free() - forget what was seen
 * @rules: of rules_check()
 */
void rules_free(struct rules *rules);

#endif /* _MARKERS_RULES_H */
