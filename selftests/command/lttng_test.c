// SPDX-License-Identifier: GPL-2.0
/*
 * The metadata with LTTng's names: the right words change, and no text does harm.
 */
#include <stdlib.h>

#include "lttng.h"
#include "tap.h"

static const char metadata[] =
	"/* CTF 1.8 */\n\n"
	"event {\n\tname = \"kernel_events:sched_switch\";\n\tid = 9;\n\tfields := struct {\n"
	"\t\tstring _prev_comm;\n\t\tint32_t _prev_pid;\n\t};\n};\n\n"
	"event {\n\tname = \"kernel_events:sys_exit\";\n\tfields := struct {\n\t\tint32_t _pid;\n\t};\n};\n\n"
	"event {\n\tname = \"other:sched_switch\";\n\tfields := struct {\n\t\tint32_t _prev_pid;\n\t};\n};\n";

/* With kernel_syscalls, whose sys_exit is the begin of a call. */
static const char calls[] =
	"event {\n\tname = \"kernel_events:sys_exit\";\n};\n"
	"event {\n\tname = \"kernel_events:process_state\";\n};\n"
	"event {\n\tname = \"kernel_syscalls:sys_exit\";\n\tfields := struct {\n"
	"\t\tint32_t _pid;\n\t};\n};\n"
	"event {\n\tname = \"kernel_events:sched_process_fork\";\n\tfields := struct {\n"
	"\t\tint32_t _child_pid;\n\t\tint32_t _child_tgid;\n\t};\n};\n"
	"event {\n\tname = \"kernel_syscalls:exit_syscall\";\n};\n";

static const char wanted_calls[] =
	"event {\n\tname = \"raw_sys_exit\";\n};\n"
	"event {\n\tname = \"lttng_statedump_process_state\";\n};\n"
	"event {\n\tname = \"sys_exit\";\n\tfields := struct {\n\t\tint32_t _pid;\n\t};\n};\n"
	"event {\n\tname = \"sched_process_fork\";\n\tfields := struct {\n"
	"\t\tint32_t _child_tid;\n\t\tint32_t _child_pid;\n\t};\n};\n"
	"event {\n\tname = \"exit_syscall\";\n};\n";

static const char wanted[] =
	"/* CTF 1.8 */\n\n"
	"event {\n\tname = \"sched_switch\";\n\tid = 9;\n\tfields := struct {\n"
	"\t\tstring _prev_comm;\n\t\tint32_t _prev_tid;\n\t};\n};\n\n"
	"event {\n\tname = \"exit_syscall\";\n\tfields := struct {\n\t\tint32_t _pid;\n\t};\n};\n\n"
	"event {\n\tname = \"other:sched_switch\";\n\tfields := struct {\n\t\tint32_t _prev_pid;\n\t};\n};\n";

int main(void)
{
	char bad[sizeof(metadata)], *text = lttng_metadata(metadata, false);
	const char *rounds = getenv("ROUNDS");
	unsigned int i, n, done = 0, nr = rounds ? atoi(rounds) : 20000;

	is_str(text, wanted, "names of the kernel's events, and no others");
	free(text);
	text = lttng_metadata(calls, true);
	is_str(text, wanted_calls, "names of system calls");
	free(text);
	for (i = 0; i < nr; i++) {
		memcpy(bad, metadata, sizeof(bad));
		for (n = 0; n < 1 + i % 20; n++)
			bad[(size_t)rand() % (sizeof(bad) - 1)] = i % 2 ? rand() : "\n\t\"_:{};"[rand() % 8];
		text = lttng_metadata(bad, i & 1);
		done += text != NULL;
		free(text);
	}
	is_int(done, i, "damaged texts");
	return tap_done();
}
