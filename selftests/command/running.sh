#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers send of the parts that a running "markers record --rotate" writes, while lttng-relayd and the
# sender are killed in turns: what is joined is what was recorded.
#
# usage: selftests/command/running.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by the kit

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"
# shellcheck source=selftests/command/relayd
. "$here/relayd"

fake_markers
make_trace trace 6000 long
cp trace/metadata fake/ctf/metadata
new_relay || { result 1 "lttng-relayd listens"; cat relayd.log; finish; }

"$out/feed" trace/stream_0 fake/per_cpu/cpu0/trace_pipe_raw "$work/step" &
markers record --rotate 256K -o parts -e m:one -- sh -c 'until [ -e end ]; do sleep 0.05; done' 2>recorded &
recorder=$!
wait_for test -e parts/000001.open
: >said
sender parts --to "$to"

# sent: the packets that the state file has
sent()
{
	sed -n 's/^packets //p' "parts/.sent-to-$to" 2>/dev/null
}

# soon COMMAND...: wait longer than the kit does
soon()
{
	wait_for "$@" || wait_for "$@" || wait_for "$@" || wait_for "$@"
}

# more_than N: are more packets sent?
more_than()
{
	now=$(sent)
	[ "${now:-0}" -gt "$1" ]
}

kills=0 before=0 stuck=0
while [ $kills -lt 6 ]; do
	touch step.$((kills + 1))
	soon more_than "$before" || stuck=$((stuck + 1))
	before=$(sent)
	if [ $((kills % 2)) -eq 0 ]; then
		relayd_kill
		relayd_start
	else
		kill -KILL "$sender_pid"
		wait "$sender_pid" 2>/dev/null
		sender parts --to "$to"
	fi
	kills=$((kills + 1))
done
is "$stuck" 0 "packets come after each kill"
kill -0 "$recorder"
result $? "all that while it records"
# the rest, the recorder's end, and the sender's, which follows
touch step.all
all_is_read()
{
	[ "$(cat parts/0*/stream_0 2>/dev/null | wc -c)" -eq "$(wc -c <trace/stream_0)" ]
}
soon all_is_read
touch end
wait "$recorder"
is "$?" 0 "the recorder ends well"
wait "$sender_pid"
is "$?" 0 "and so does the sender"
[ "$(echo parts/0* | wc -w)" -gt 3 ]
result $? "there are some parts"
cat parts/0*/stream_0 | cmp - trace/stream_0
result $? "they have what the buffers had"
[ "$(find relay/testhost -maxdepth 1 -name 'parts-*' | wc -l)" -gt 3 ]
result $? "each kill begins another session"
check "the sessions can be joined" markers join relay -o joined
check "to what was recorded" cmp trace/stream_0 joined/stream_0
check "with its metadata" cmp parts/000001/metadata joined/metadata
markers report parts >wanted
markers report relay >got 2>error
check "and report reads each packet once" cmp wanted got

finish
