/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The graph of libbabeltrace2 that reads a trace: src.ctf.fs for each directory,
 * flt.utils.muxer, and a sink that passes on the messages in the order of time. There may be a
 * muxer and a sink for each CPU; the sinks read one after the other.
 */
#ifndef _MARKERS_GRAPH_H
#define _MARKERS_GRAPH_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "../ctf/trace_files.h"

struct merger;

/**
 * struct graph - the graph; the caller sets @take, @ctx and @by_cpu, and zeroes the rest
 * @take: gets each message; returns false to stop reading, with @by_cpu only this CPU
 * @ctx: the first argument of @take
 * @by_cpu: read all messages of a CPU before those of the next one
 * @graph: the graph of libbabeltrace2
 * @source: the class src.ctf.fs
 * @muxer: the class flt.utils.muxer
 * @plugin: their plugins
 * @failed: a CPU could not be read to its end
 * @error: why, for the first of them
 * @merger: each muxer with its sink
 * @nr_mergers: number of @merger
 */
struct graph {
	bool (*take)(void *ctx, const bt_message *message);
	void *ctx;
	bool by_cpu;
	bt_graph *graph;
	const bt_component_class_source *source;
	const bt_component_class_filter *muxer;
	const struct bt_plugin *plugin[2];
	bool failed;
	const bt_error *error;
	struct merger *merger;
	size_t nr_mergers;
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
