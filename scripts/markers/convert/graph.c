// SPDX-License-Identifier: GPL-2.0
#include <babeltrace2/babeltrace.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/message.h"
#include "graph.h"
#include "rules.h"

#define MAX_PLACES	3	/* damaged places that we print */

static bt_graph_simple_sink_component_consume_func_status
consume(bt_message_iterator *iterator, void *user_data)
{
	struct graph *graph = user_data;
	bt_message_array_const messages;
	bt_message_iterator_next_status status;
	uint64_t i, nr;

	status = bt_message_iterator_next(iterator, &messages, &nr);
	if (status)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (i = 0; i < nr; i++) {
		if (!graph->stopped)
			graph->stopped = !graph->take(graph->ctx, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	return graph->stopped ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END :
	       BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
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

/* Add src.ctf.fs for a directory. Connect its ports to inputs of the muxer, from @port on. */
static bool add_source(bt_graph *graph, const bt_component_class_source *class, const char *path,
		       const bt_component_filter *muxer, uint64_t *port)
{
	const bt_component_source *source;
	bt_value *params = bt_value_map_create(), *inputs = NULL;
	char *name = format_text("%s#%llu", path, (unsigned long long)*port);
	uint64_t i, nr;
	bool good;

	good = params && !bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) &&
	       !bt_value_array_append_string_element(inputs, path) &&
	       !bt_value_map_insert_bool_entry(params, "force-clock-class-origin-unix-epoch",
					       BT_TRUE) &&
	       !bt_graph_add_source_component(graph, class, name, params, BT_LOGGING_LEVEL_NONE,
					      &source);
	nr = good ? bt_component_source_get_output_port_count(source) : 0;
	for (i = 0; good && i < nr; i++)
		good = !bt_graph_connect_ports(graph,
			bt_component_source_borrow_output_port_by_index_const(source, i),
			bt_component_filter_borrow_input_port_by_index_const(muxer, (*port)++), NULL);
	bt_value_put_ref(params);
	free(name);
	return good;
}

static bool build(struct graph *graph, const struct trace_files *files)
{
	const bt_component_class_source *source = find_source(&graph->plugin[0]);
	const bt_component_class_filter *class = find_muxer(&graph->plugin[1]);
	const bt_component_filter *muxer;
	const bt_component_sink *sink;
	uint64_t port = 0;
	size_t i;

	if (!source || !class) {
		say("libbabeltrace2 has no plugins \"ctf\" and \"utils\"");
		return false;
	}
	if (bt_graph_add_filter_component(graph->graph, class, "muxer", NULL, BT_LOGGING_LEVEL_NONE,
					  &muxer) ||
	    bt_graph_add_simple_sink_component(graph->graph, "markers", NULL, consume, NULL, graph,
					       &sink))
		return false;
	for (i = 0; i < files->nr; i++)
		if (!add_source(graph->graph, source, trace_files_path(files, i), muxer, &port))
			return false;
	return !bt_graph_connect_ports(graph->graph,
		bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
		bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL);
}

int graph_run(struct graph *graph, const struct trace_files *files)
{
	uint64_t said;

	graph->graph = need_memory(bt_graph_create(0));
	if (build(graph, files) && bt_graph_run(graph->graph) >= 0)
		return STATUS_OK;
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
	bt_plugin_put_ref(graph->plugin[0]);
	bt_plugin_put_ref(graph->plugin[1]);
}
