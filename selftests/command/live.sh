#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers live and top: how a signal ends them, also while their reader stands still.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
echo m:one >fake/available_markers
mkfifo pipe
exec 8<>pipe
dd if=/dev/zero of=pipe bs=4096 oflag=nonblock 2>/dev/null	# until it is full

# writes_of NUMBER: has the command enabled "m:one" that often?
# shellcheck disable=SC2317,SC2329 # called by wait_for
writes_of()
{
	[ "$(grep -c '^m:one' fake/set_marker)" -ge "$1" ]
}

# stands_still NUMBER COMMAND OPTION...
stands_still()
{
	nr=$1 command=$2
	shift
	: >fake/set_marker
	markers "$@" -e m:one >pipe 2>error &
	# the next thing that it does is to write to the pipe
	wait_for writes_of "$nr"
	kill -TERM $!
	wait_for eval '! kill -0 $! 2>/dev/null' || kill -KILL $!
	wait $!
	is "$? $(cat error)" "1 markers: stdout: its reader stands still: the rest is not shown" \
		"$command ends although its reader stands still"
}

echo "an event" >fake/trace_pipe
stands_still 1 live
# it counts the hits at its begin and at each table
stands_still 3 top -d 0.1

# a reader that goes on gets it all
seq 100000 >fake/trace_pipe
: >fake/set_marker
sh -c 'echo $$ >pid; exec markers live -e m:one' 2>error | { until [ -e go ]; do sleep 0.05; done; cat >lines; } &
wait_for writes_of 1
touch go
wait_for test -s lines
kill -TERM "$(cat pid)"
wait
cmp -s fake/trace_pipe lines
result $? "a reader that goes on gets it all"

# under nohup
rm fake/trace_pipe
mkfifo fake/trace_pipe
exec 9<>fake/trace_pipe
: >fake/set_marker
(trap '' HUP && exec markers live -e m:one >lines 2>error) &
wait_for writes_of 1
kill -HUP $!
for event in one two; do
	echo $event >&9
	wait_for grep -q $event lines
done
result $? "a SIGHUP that was ignored before stays without effect"
kill -TERM $!
wait $!
is $? 0 "status"
finish
