#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# samples/kernel-events.c with each prototype that the tracepoint sched_switch has had:
# compiled with the headers at hand, of which sched.h is changed. Prints TAP.
#
# usage: selftests/host/tracepoints.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
out=$(cd "${1:-$top/build/out/6.1}" 2>/dev/null && pwd)
kernel=$top/build/kernels/$(basename "$out")
command=$out/samples/.kernel-events.o.cmd
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..4
if [ ! -e "$command" ] || [ ! -e "$kernel/headers" ] || [ -e "$kernel/chroot" ]; then
	for n in 1 2 3 4; do
		echo "ok $n - tracepoints # SKIP no build for this kernel on this host in $out"
	done
	exit
fi

line=$(sed -n '1s/^[^=]*:= *//p' "$command" | sed 's/ -Wp,[^ ]*//; s/ -o .*//; s/ -c$//; s/ -c / /')
header=$(sed -n 's,^ *\([^ ]*/include/trace/events/sched.h\).*,\1,p' "$command" | head -n 1)
mkdir -p "$work/trace/events"

# with PROTOTYPE: sched_switch has these arguments
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
		>"$work/log" 2>&1
}

count=0
# result WHAT STATUS
result()
{
	count=$((count + 1))
	if [ "$2" -eq 0 ] && ! grep -q warning "$work/log"; then
		echo "ok $count - tracepoints: $1"
	else
		echo "not ok $count - tracepoints: $1"
		head -n 20 "$work/log" | sed 's/^/# /'
	fi
}

tasks="struct task_struct *prev, struct task_struct *next"
with "bool preempt, $tasks"
result "sched_switch before 5.18, as in 5.15" $?
with "bool preempt, unsigned int prev_state, $tasks"
result "sched_switch of 5.18" $?
with "bool preempt, $tasks, unsigned int prev_state"
result "sched_switch since 5.19" $?
unknown=1
if ! with "$tasks, bool preempt, bool more" && grep -qE 'incompatible.(function.)?pointer' "$work/log"; then
	unknown=0
	: >"$work/log"
fi
result "a sched_switch that nobody knows does not compile" $unknown
