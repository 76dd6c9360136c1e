/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of the module.  When it is loaded they say how to start.  Later they are
 * the settings, like the files in debugfs.
 */
#ifndef _MARKERS_DEBUGFS_PARAMS_H
#define _MARKERS_DEBUGFS_PARAMS_H

#include <linux/types.h>

#include <markers/record/record.h>
#include "file.h"

/**
 * struct marker_params - the values of the parameters when the module was loaded
 * @enable:	patterns; "" for none
 * @publish:	patterns; "" for none
 * @trace_clock: the name of a clock, or ""
 * @contexts:	names
 * @persist:	where to record: see marker_persist_init()
 * @tracing_on:	0: do not record yet
 * @overwrite:	a truth value
 * @buffer_kb:	in the range of the setting, as the next three
 * @subbuf_kb:	the same
 * @percent:	the same
 * @dump_on_oops: the same
 * @kdump:	keep notes for a reader of a memory dump
 * @files:	group and permissions
 */
struct marker_params {
	char *enable;
	char *publish;
	char *trace_clock;
	char *contexts;
	char *persist;
	unsigned int tracing_on;
	unsigned int overwrite;
	unsigned int buffer_kb;
	unsigned int subbuf_kb;
	unsigned int percent;
	unsigned int dump_on_oops;
	bool kdump;
	struct marker_debugfs_config files;
};

extern struct marker_params marker_params;

/**
 * marker_params_connect() - from now on, a parameter is the setting
 *
 * Context: Process context.  The parameters are locked, by kernel_param_lock().
 */
void marker_params_connect(void);

/**
 * marker_params_disconnect() - undo marker_params_connect()
 *
 * The files of the parameters are there until markers_exit() has run.
 *
 * Context: Process context; waits for writers of parameters.
 */
void marker_params_disconnect(void);

#endif /* _MARKERS_DEBUGFS_PARAMS_H */
