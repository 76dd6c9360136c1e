#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Parts of a recording: what is in each, limits, and what kills at any moment leave.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
pipe=fake/per_cpu/cpu0/trace_pipe_raw
make_trace trace 4000 long
cp trace/metadata fake/ctf/metadata
markers report --cpu 0 trace >whole 2>/dev/null

# says STATUS LINE COMMAND...
says()
{
	wanted=$1 line=$2
	shift 2
	"$@" 2>error
	is "$? $(cat error)" "$wanted markers: $line; try \"markers record --help\"" "$*"
}

says 2 "5x: neither a size as 100M nor a time as 30s, 10min, 1h or 1d" markers record --rotate 5x -o no -- true
says 2 "--limit is less than two parts: --rotate 1048576 is possible, or less" markers record --rotate 2M --limit 2M -o no -- true
says 2 "--limit: 1M is the least" markers record --limit 1000 -o no -- true
says 2 "--rotate 2h: there is another time: leave one out" markers record --rotate 1h --rotate 1M --rotate 2h -o no -- true
says 2 "--rotate 2M: there is another size: leave one out" markers record --rotate 1M --rotate 2M -o no -- true
says 2 "--keep-parts needs --rotate" markers record --keep-parts 3 -o no -- true
[ ! -e no ]
result $? "none of these leaves a directory"

# feed: all packets of CPU 0
feed()
{
	exec "$out/feed" trace/stream_0 $pipe
}

# what each part has
feed &
# shellcheck disable=SC2016 # expanded there
status_is 0 "parts" markers record --rotate 64K --rotate 1h -o parts -e m:one -- \
	sh -c 'until [ -e parts/000005 ]; do sleep 0.05; done; ls parts/000003 parts/000003/info >files'
wait
is "$(paste -sd' ' files | sed 's/  */ /g')" "parts/000003: info metadata stream_0 parts/000003/info: clock settings symbols uname" \
	"a complete part has metadata, clocks, settings, symbols"
[ "$(stat -c %i parts/000003/info/symbols)" = "$(stat -c %i parts/info/symbols)" ]
result $? "the symbols take no room"
grep -q '^end: ' parts/000003/info/clock
result $? "the clocks at its end"
markers report parts >got 2>/dev/null
head -n "$(wc -l <got)" whole | cmp - got && [ -s got ]
result $? "all of them are the recording"
cp -r parts/000003 away
check "one by itself can be read elsewhere" markers report away
check "and is in order" markers check away

# a limit without a size of parts
feed &
status_is 0 "a limit" markers record --limit 1M -o limit -e m:one -- sh -c 'until ls limit | grep -q "^0000[3-9]"; do sleep 0.05; done'
wait
[ "$(du -sb --exclude=info limit | cut -f1)" -le $((1048576 + 65536)) ]
result $? "holds"
grep -q '^markers: a part has 64.0 KiB, a 16th of --limit, or less$' error
result $? "a message says how large the parts are"
grep -qE '^markers: the oldest [0-9]+ parts, with [0-9]+ events, were removed$' error
result $? "and how many are gone"
gone=$(sed -n 's/.* parts, with \([0-9]*\) events, were removed$/\1/p' error)
markers report --format json limit 2>/dev/null >rest
markers report --format json --cpu 0 trace 2>/dev/null | tail -n +$((gone + 1)) | head -n "$(wc -l <rest)" | cmp - rest &&
	[ "$(sed -n 's/^markers: \([0-9]*\) events, .* in limit.*/\1/p' error)" -eq "$(wc -l <rest)" ]
result $? "the newest parts are there"

# killed_after N: both processes are killed when part N has begun
killed_after()
{
	name=$(printf '%06d.open' "$1")
	feed &
	feeder=$!
	setsid markers record --rotate 64K --keep-parts 1000 -o "killed-$1" -e m:one 2>error &
	recorder=$!
	wait_for test -e "killed-$1/$name"
	kill -KILL "$(pgrep -P $recorder)" $recorder $feeder
	wait 2>/dev/null
}

for nr in 1 2 3 5 8 13; do
	killed_after $nr 2>/dev/null
	status=0
	markers report "killed-$nr" >got 2>error || status=$?
	[ $status -le 1 ] && { [ $status -eq 0 ] || grep -q '^markers: killed-' error; }
	result $? "killed in part $nr: it is read, and a message says what is damaged"
	grep -v '^#' got >lines || :
	grep -v '^#' whole | head -n "$(wc -l <lines)" | cmp - lines && { [ "$nr" -eq 1 ] || [ -s lines ]; }
	result $? "part $nr: its events are the first ones"
done
finish
