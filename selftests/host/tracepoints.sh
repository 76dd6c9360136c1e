#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# samples/kernel-events.c with each prototype that the tracepoint sched_switch has had:
# compiled with the headers of the build and a changed sched.h. Prints TAP.
#
# usage: selftests/host/tracepoints.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
command=$out/samples/.kernel-events.o.cmd

need_built samples/.kernel-events.o.cmd
need_headers
echo 1..4

line=$(sed -n '1s/^[^=]*:= *//p' "$command" | sed 's/ -Wp,[^ ]*//; s/ -o .*//; s/ -c$//; s/ -c / /')
header=$(sed -n 's,^ *\([^ ]*/include/trace/events/sched.h\).*,\1,p' "$command" | head -n 1)
mkdir -p "$work/trace/events"

# with PROTOTYPE: give sched_switch these arguments
with()
{
	(cd "$kernel/headers" && awk -v want="$1" '
		/^TRACE_EVENT\(sched_switch,/ { on = 1 }
		on && /TP_PROTO\(/ { skip = 1; print "\tTP_PROTO(" want ")," }
		on && /TP_ARGS\(/ {
			gsub(/bool |unsigned int |struct task_struct \*/, "", want)
			print "\tTP_ARGS(" want "),"
			skip = 1
		}
		skip { if (/\),$/) skip = 0; next }
		/TP_STRUCT__entry/ { on = 0 }
		{ print }' "$header") >"$work/trace/events/sched.h"
	(cd "$kernel/headers" && eval "${line%% *} -I$work ${line#* } -c '$out/samples/kernel-events.c' -o '$work/object.o'") \
		>"$log" 2>&1
}

# compiles PROTOTYPE: without a warning
compiles() { with "$1" && ! grep -q warning "$log"; }

# unknown PROTOTYPE: no probe has it
unknown() { ! with "$1" && grep -qE 'incompatible.(function.)?pointer' "$log"; }

tasks="struct task_struct *prev, struct task_struct *next"
result "sched_switch before 5.18, as in 5.15" compiles "bool preempt, $tasks"
result "sched_switch of 5.18" compiles "bool preempt, unsigned int prev_state, $tasks"
result "sched_switch since 5.19" compiles "bool preempt, $tasks, unsigned int prev_state"
result "an unknown sched_switch does not compile" unknown "$tasks, bool preempt, bool more"
