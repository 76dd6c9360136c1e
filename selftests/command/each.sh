#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers send --each: all recordings in a directory, and those that come.
#
# usage: selftests/command/each.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by the kit

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"
# shellcheck source=selftests/command/relayd
. "$here/relayd"

# has_session NAME: does the collector have a packet of it?
has_session()
{
	[ -n "$(find relay -path "*/$1-2*/stream_0" -size +0)" ]
}

# soon COMMAND...: wait longer than the kit does
soon()
{
	wait_for "$@" || wait_for "$@" || wait_for "$@" || wait_for "$@"
}

# sent NAME: is all of it sent?
sent()
{
	grep -qsx all "all/$1/.sent-to-$to"
}

new_relay || { result 1 "lttng-relayd listens"; cat relayd.log; finish; }
mkdir all
for nr in 1 2 3 4; do
	make_trace "trace-$nr" 3000
	new_trace "trace-$nr" $nr
done
python3 "$here/grow.py" trace-1 all/run-1
# what is sent of it cannot be noted at first
mkdir "all/run-1/.sent-to-$to.new"
# one whose recorder was killed, and a directory that never became a recording
python3 "$here/grow.py" trace-2 all/run-2 --parts 4
sed -i '/^end:/d' all/run-2/info/clock
mkdir all/run-2-empty
python3 "$here/grow.py" trace-3 all/run-3 --hold go &
grow_pid=$!
wait_for test -e all/run-3
: >said
sender --each all --to "$to"
soon has_session run-3
result $? "the last one is followed"
sessions()
{
	(cd relay/testhost && printf '%s\n' * | sed 's/-20[0-9].*//' | tr '\n' ' ')
}
is "$(sessions)" "run-2 run-3 " "after all others, but the one of which nothing could be noted"
grep -q '^markers: all/run-2-empty: not a recording' said
result $? "a directory without a recording is told"
grep -q 'cannot be noted' said
result $? "what was sent of the first one could not be noted"
rmdir "all/run-1/.sent-to-$to.new"
# a minute at most, and the time to send it
{ soon sent run-1 || soon sent run-1; } && [ "$(tail -n 1 all/run-3/.sent-to-"$to")" != all ]
result $? "it is tried again while the last one is followed"
is "$(grep -c '^markers: all/run-2-empty: ' said)" 1 "but not the directory without a recording"
# its recorder is killed, and the next one begins
kill -KILL "$grow_pid"
wait "$grow_pid" 2>/dev/null
cp -r trace-4 all/run-4
for nr in 1 2 3 4; do
	soon sent run-$nr
	result $? "all of recording $nr is sent"
done
is "$(sessions | tr ' ' '\n' | grep -c run-1)" 1 "the first one was sent once"
kill -TERM "$sender_pid"
wait "$sender_pid"
is $? 0 "it ends by SIGTERM"
check "what came can be joined" markers join relay -o joined
rm -r trace-3
mv all/run-3 trace-3
for nr in 1 2 3 4; do
	check "and is recording $nr" same_streams "trace-$nr" "$(grep -l "$(sed -n 's/.*uuid = //p' "trace-$nr/metadata" | head -n 1)" joined/*/metadata | sed 's,/metadata,,')"
done
check "--each with --once" status 2 markers send --each --once all --to "$to"
check "--each of nothing" status 1 markers send --each nowhere --to "$to"
finish
