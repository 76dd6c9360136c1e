/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For tests of what writes to error_log.
 */
#ifndef _UNIT_KIT_LOG_H
#define _UNIT_KIT_LOG_H

#include <markers/log.h>

/* The messages of error_log since the last call. */
__attribute__((unused))
static const char *kit_log(void)
{
	static struct seq_file seq;

	seq.len = 0;
	seq.text[0] = '\0';
	marker_log_show(&seq);
	marker_log_clear();
	return seq.text;
}

#endif /* _UNIT_KIT_LOG_H */
