// SPDX-License-Identifier: GPL-2.0
#include <babeltrace2/babeltrace.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../ctf/packets.h"
#include "../ctf/rules.h"
#include "graph.h"

#define MAX_PLACES	3	/* damaged places that we print */
#define ALL_CPUS	-1

/**
 * struct merger - a muxer with its sink
 * @cpu: the CPU whose streams it merges, or ALL_CPUS
 * @muxer: the muxer
 * @nr_streams: number of these streams
 */
struct merger {
	long cpu;
	const bt_component_filter *muxer;
	uint64_t nr_streams;
};

/* With @by_cpu, the other CPUs are read in spite of an error. Return: whether that is so. */
static bool keep_error(struct graph *graph)
{
	if (!graph->by_cpu)
		return false;
	if (graph->error)
		bt_current_thread_clear_error();
	else
		graph->error = bt_current_thread_take_error();
	graph->failed = true;
	return true;
}

/* Read to the end: another sink would get its turn if we returned earlier. */
static bt_graph_simple_sink_component_consume_func_status
consume(bt_message_iterator *iterator, void *user_data)
{
	struct graph *graph = user_data;
	bt_message_array_const messages;
	bt_message_iterator_next_status status;
	bool more = true;
	uint64_t i, nr;

	while (more) {
		status = bt_message_iterator_next(iterator, &messages, &nr);
		if (status < 0 && keep_error(graph))
			break;
		if (status)
			return (bt_graph_simple_sink_component_consume_func_status)status;
		for (i = 0; i < nr; i++) {
			if (more)
				more = graph->take(graph->ctx, messages[i]);
			bt_message_put_ref(messages[i]);
		}
	}
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
}

static unsigned int places;	/* damaged places so far */
static const struct trace_files *places_of;

static void say_text(const struct trace_files *files, const char *prefix, const char *text)
{
	char *known = trace_files_text(files, text);

	say("%s%.*s", prefix, (int)strcspn(known, "\n"), known);
	free(known);
}

static void say_place(enum rule rule, const char *text)
{
	(void)rule;
	if (places++ < MAX_PLACES)
		say_text(places_of, "", text);
}

/*
 * Print which files are damaged, and where. libbabeltrace2 does not tell. What a substitute
 * leaves out has been said.
 */
static void say_places(const struct trace_files *files)
{
	size_t i;

	places = 0;
	places_of = files;
	for (i = 0; i < files->nr; i++) {
		struct rules rules = { .complain = say_place };

		rules_check(&rules, trace_files_path(files, i));
		rules_free(&rules);
	}
	if (places > MAX_PLACES)
		say("there are %u more places like these", places - MAX_PLACES);
}

/*
 * Print the first causes of an error. Those with addresses are a chain of calls: stop there.
 * Return: how many.
 */
static uint64_t say_error(const struct trace_files *files)
{
	const bt_error *error = bt_current_thread_take_error();
	uint64_t i, nr = error ? bt_error_get_cause_count(error) : 0;
	char *prefix = format_text("%s: ", files->root);

	for (i = 0; i < nr; i++) {
		const char *text = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, i));

		if (strstr(text, "-addr="))
			break;	/* only programmers understand it */
		say_text(files, prefix, text);
	}
	free(prefix);
	if (error)
		bt_error_release(error);
	return i;
}

static const bt_component_class_source *find_source(const bt_plugin **plugin)
{
	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, BT_FALSE, plugin))
		return NULL;
	return bt_plugin_borrow_source_component_class_by_name_const(*plugin, "fs");
}

static const bt_component_class_filter *find_muxer(const bt_plugin **plugin)
{
	if (bt_plugin_find("utils", BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, BT_FALSE, plugin))
		return NULL;
	return bt_plugin_borrow_filter_component_class_by_name_const(*plugin, "muxer");
}

static bool add_merger(struct graph *graph, long cpu)
{
	char *muxer = format_text("muxer %ld", cpu), *sink = format_text("sink %ld", cpu);
	const bt_component_sink *end;
	struct merger *new;
	bool good;

	graph->merger = need_memory(realloc(graph->merger, (graph->nr_mergers + 1) *
					    sizeof(*graph->merger)));
	new = &graph->merger[graph->nr_mergers++];
	*new = (struct merger){ .cpu = cpu };
	good = !bt_graph_add_filter_component(graph->graph, graph->muxer, muxer, NULL,
					      BT_LOGGING_LEVEL_NONE, &new->muxer) &&
	       !bt_graph_add_simple_sink_component(graph->graph, sink, NULL, consume, NULL, graph,
						   &end) &&
	       !bt_graph_connect_ports(graph->graph,
			bt_component_filter_borrow_output_port_by_index_const(new->muxer, 0),
			bt_component_sink_borrow_input_port_by_index_const(end, 0), NULL);
	free(muxer);
	free(sink);
	return good;
}

/* Streams without an id have the path of their file at the end of their port's name. */
static long cpu_of(const bt_port_output *port)
{
	const char *path = bt_port_get_name(bt_port_output_as_port_const(port));
	long cpu = ALL_CPUS;

	/* the path may contain the separator */
	while (cpu == ALL_CPUS && (path = strstr(path, " | /"))) {
		path += 3;
		cpu = packets_cpu(path);
	}
	return cpu;
}

static bool connect_port(struct graph *graph, const bt_port_output *port)
{
	long cpu = graph->by_cpu ? cpu_of(port) : ALL_CPUS;
	struct merger *merger;
	size_t i;

	for (i = 0; i < graph->nr_mergers; i++)
		if (graph->merger[i].cpu == cpu)
			break;
	if (i == graph->nr_mergers && !add_merger(graph, cpu))
		return false;
	merger = &graph->merger[i];
	return !bt_graph_connect_ports(graph->graph, port,
		bt_component_filter_borrow_input_port_by_index_const(merger->muxer,
								     merger->nr_streams++), NULL);
}

/* Add src.ctf.fs for a directory, and connect its ports. */
static bool add_source(struct graph *graph, const char *path)
{
	const bt_component_source *source;
	bt_value *params = bt_value_map_create(), *inputs = NULL;
	char *name = format_text("source %s", path);
	uint64_t i, nr;
	bool good;

	good = params && !bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) &&
	       !bt_value_array_append_string_element(inputs, path) &&
	       !bt_value_map_insert_bool_entry(params, "force-clock-class-origin-unix-epoch",
					       BT_TRUE) &&
	       !bt_graph_add_source_component(graph->graph, graph->source, name, params,
					      BT_LOGGING_LEVEL_NONE, &source);
	nr = good ? bt_component_source_get_output_port_count(source) : 0;
	for (i = 0; good && i < nr; i++)
		good = connect_port(graph,
			bt_component_source_borrow_output_port_by_index_const(source, i));
	bt_value_put_ref(params);
	free(name);
	return good;
}

static bool build(struct graph *graph, const struct trace_files *files)
{
	size_t i;

	graph->source = find_source(&graph->plugin[0]);
	graph->muxer = find_muxer(&graph->plugin[1]);
	if (!graph->source || !graph->muxer) {
		say("libbabeltrace2 has no plugins \"ctf\" and \"utils\"");
		return false;
	}
	for (i = 0; i < files->nr; i++)
		if (!add_source(graph, trace_files_path(files, i)))
			return false;
	/* a trace without streams is read, too */
	return graph->nr_mergers || add_merger(graph, ALL_CPUS);
}

int graph_run(struct graph *graph, const struct trace_files *files)
{
	uint64_t said;

	graph->graph = need_memory(bt_graph_create(0));
	if (build(graph, files) && bt_graph_run(graph->graph) >= 0 && !graph->failed)
		return STATUS_OK;
	if (graph->error)
		bt_current_thread_move_error(graph->error);
	said = say_error(files);
	if (files->quiet)
		return STATUS_FAILED;
	say_places(files);
	if (!said && !places)
		say("%s: libbabeltrace2 cannot read it, and does not say why", files->root);
	return STATUS_FAILED;
}

void graph_free(struct graph *graph)
{
	bt_graph_put_ref(graph->graph);
	free(graph->merger);
	bt_plugin_put_ref(graph->plugin[0]);
	bt_plugin_put_ref(graph->plugin[1]);
}
