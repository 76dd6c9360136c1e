/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The graph of libbabeltrace2 that reads a trace: src.ctf.fs for each directory,
 * flt.utils.muxer, and a sink that passes on the messages in the order of time.
 */
#ifndef _MARKERS_GRAPH_H
#define _MARKERS_GRAPH_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "files.h"

/**
 * struct graph - the graph; the caller sets @take and @ctx, and zeroes the rest
 * @take: gets each message; returns false to stop reading
 * @ctx: the first argument of @take
 * @stopped: @take returned false
 * @graph: the graph of libbabeltrace2
 * @plugin: the plugins of its components
 */
struct graph {
	bool (*take)(void *ctx, const bt_message *message);
	void *ctx;
	bool stopped;
	bt_graph *graph;
	const struct bt_plugin *plugin[2];
};

/**
 * graph_run() - read a trace
 * @graph: the graph
 * @files: its directories
 *
 * Return: STATUS_OK; or STATUS_FAILED, with a message.
 */
int graph_run(struct graph *graph, const struct trace_files *files);

/**
 * graph_free() - free the graph, and what its messages refer to
 * @graph: from graph_run()
 */
void graph_free(struct graph *graph);

#endif /* _MARKERS_GRAPH_H */
