#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers send and markers join, with lttng-relayd on the loopback: what it wrote is what was
# recorded, byte by byte, whichever side is killed.
#
# usage: selftests/command/send.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"
# shellcheck source=selftests/command/relayd
. "$here/relayd"

make_trace plain 5000
markers report plain >plain.text

# grow FROM TO OPTION...: write it again, packet by packet, in the background
grow()
{
	mkdir -p "$2"
	python3 "$here/grow.py" "$@" &
	grow_pid=$!
	wait_for test -e "$2/info/clock"
}

#
# A finished recording
#
new_relay || { result 1 "lttng-relayd listens"; cat relayd.log; finish; }
for version in 2.8 2.10 2.11 2.13; do
	rm -rf plain/.sent* relay/*
	check "protocol $version" markers send plain --to "$to" --protocol "$version"
	check "what it wrote with $version" same_streams plain relay/testhost/plain-*/markers
done
check "a second time it has all" sh -c "markers send plain --to $to 2>&1 | grep -q 'has all 15 packets already'"
is "$(echo relay/testhost/*)" "$(echo relay/testhost/plain-*)" "and gets nothing"
markers report relay >said
check "report reads what it wrote" cmp plain.text said
rm plain/.sent*
check "a name for the host and the session" markers send plain --to "$to" --host "$(printf '%064d' 7)" --session other
is "$(cd relay && echo 0*/)" "$(printf '%063d' 0)/" "a name of 64 characters is cut"
is "$(find relay/0* -maxdepth 1 -name 'other-*' | wc -l)" 1 "the session has its name"

# its state is beside the file, as what is unpacked goes
rm -rf relay/* plain/.sent*
mkdir packed
markers pack plain -o packed/plain.tar.zst 2>said
check "a packed recording" markers send packed/plain.tar.zst --to "$to"
check "is sent" same_streams plain relay/testhost/plain-*/markers
check "a second time the collector has all of it" sh -c \
	"markers send packed/plain.tar.zst --to $to 2>&1 | grep -q 'has all 15 packets already; remove packed/.plain.tar.zst.sent-to-'"
is "$(find relay/testhost -maxdepth 1 -name 'plain-*' | wc -l)" 1 "and gets nothing of it"

#
# Many at once
#
new_relay
: >error
i=0
pids=
while [ $i -lt 100 ]; do
	markers send plain --to "$to" --session many --state "state.$i" --retry 60 2>>error &
	pids="$pids $!"
	i=$((i + 1))
done
bad=0
for pid in $pids; do
	wait "$pid" || bad=$((bad + 1))
done
is "$bad" 0 "one hundred senders at once"
is "$(find relay -name stream_0 -size "$(wc -c <plain/stream_0)"c | wc -l)" 100 "none truncates another"
markers report relay >said
check "each packet is read once" cmp plain.text said
is "$(markers latency relay io_begin io_end --key id)" "$(markers latency plain io_begin io_end --key id)" \
	"by latency, too"
if command -v markers-query >/dev/null; then
	is "$(markers query -f csv relay 'SELECT count(*), (SELECT count(*) FROM io_end WHERE ts < 1200000000) FROM io_begin')" \
		"$(markers query -f csv plain 'SELECT count(*), (SELECT count(*) FROM io_end WHERE ts < 1200000000) FROM io_begin')" \
		"and by query"
else
	skip "no markers-query" "and by query"
fi
rm state.*

#
# A recording that grows
#
new_relay
grow plain whole --pause 20 --halves
check "a recording that grows" markers send whole --to "$to"
check "what was written" same_streams plain relay/testhost/whole-*/markers
check "its folder info" cmp whole/info/clock relay/testhost/whole-*/markers/info/clock

#
# Many sessions in a second
#
new_relay
python3 "$here/grow.py" plain quick --hold quick.go --pause 1 &
grow_pid=$!
wait_for test -e quick/metadata
for i in 1 2 3 4 5; do
	markers send quick --to "$to" --once 2>said || cat said
done
touch quick.go
wait "$grow_pid"
check "the last of some sessions" markers send quick --to "$to"
rm -rf joined
check "can be joined with those before" markers join relay -o joined
check "and none was truncated" same_streams plain joined
rm -rf relay/* joined
grow plain parts --parts 4 --pause 20 --halves
check "a recording with parts" markers send parts --to "$to"
is "$(find relay/*/*/archives -name metadata | wc -l)" 4 "each part is a chunk, which is complete"
for part in parts/0*; do
	n=$((${n:-0} + 1))
	check "chunk $n is part $n" same_streams "$part" relay/*/*/archives/*-$((n - 1))/markers
done
markers report relay >said
check "report reads all chunks" cmp plain.text said
# as where it was killed while it moved one
session=$(echo relay/testhost/parts-*)
mv "$session"/archives/*-1 "$session/.tmp_old_chunk"
markers report relay >said
check "also one that was not moved to its end" cmp plain.text said
check "join reads it, too" sh -c 'markers join relay -o joined && cmp plain/stream_0 joined/stream_0'
rm -rf joined
# as where it or the sender was killed when it had made the files of the next one, and not written to them
# joins_part PATTERN: is what has no metadata told?
joins_part()
{
	rm -rf joined
	status 1 markers join relay -o joined 2>said
	grep -q "$1" said || { cat said; return 1; }
}
for chunk in .tmp_new_chunk 20261130T000012+0000-4; do
	mkdir -p "$session/$chunk/markers"
	: >"$session/$chunk/markers/metadata"
	: >"$session/$chunk/markers/stream_0"
	rm -rf joined
	check "$chunk: and beside a chunk with nothing in it" sh -c \
		'markers join relay -o joined 2>said && cmp plain/stream_0 joined/stream_0 && ! grep "it is empty" said'
	printf x >"$session/$chunk/markers/stream_0"
	check "$chunk: but it is told if something is in it" joins_part "$chunk/markers/metadata: it is empty"
	rm -r "${session:?}/$chunk"
done
for file in "$session"/archives/*-2/markers/*; do
	[ ! -f "$file" ] || : >"$file"
done
check "or if a chunk that was complete has lost all" joins_part 'archives/.*/markers/metadata: it is empty'
rm -rf joined
rm -rf relay/* parts/.sent*
for part in parts/0*; do
	mkdir "$part/info"
	echo "of ${part#*/}" >"$part/info/clock"
done
check "parts with a folder info" markers send parts --to "$to"
is "$(cat relay/*/*/archives/*/markers/info/clock | tr '\n' ' ')" "of 000001 of 000002 of 000003 of 000004 " \
	"each chunk has its own"
rm -r parts/0*/info
rm -rf relay/* parts/.sent* joined

# halt_sender NAME: the sender of the recording, of four parts, is in one of them and halts; the last
# part is complete then
halt_sender()
{
	grow plain "$1" --parts 4 --pause 20
	: >said
	sender "$1" --to "$to"
	wait_for grep -qs '^packets [1-9]' "$1/.sent-to-$to"
	kill -STOP "$sender_pid"
	wait "$grow_pid"
}

halt_sender removed
# as record --keep-parts does
rm -r removed/000001
kill -CONT "$sender_pid"
wait "$sender_pid"
check "a part that is removed while it is sent" markers join relay/testhost -o joined
check "is sent all the same" same_streams plain joined
rm -rf relay/* joined
halt_sender begun
# as record --below does, of an earlier start
rm -r begun
kill -CONT "$sender_pid"
wait "$sender_pid"
is "$?" 1 "a recording that is removed while it is sent"
check "the message says so" grep -qx "markers: begun: what comes after 00000[1-4] was removed before it was sent: keep more parts" said
is "$(wc -l <said)" 1 "and nothing else is wrong"
rm -rf relay/* joined
halt_sender begun
rm -r begun/00000*
kill -CONT "$sender_pid"
wait "$sender_pid"
is "$?" 1 "parts that are removed while one is sent, and something else is there"
check "the message" grep -q "what comes after 00000[1-4] was removed before it was sent" said
rm -rf relay/* joined begun
check "parts without chunks" markers send parts --to "$to" --protocol 2.10
check "are one trace" same_streams plain relay/testhost/parts-*/markers
rm -rf relay/* parts/.sent*
mv parts/000002 away
check "a part that is gone before it is sent" status 1 markers send parts --to "$to" --once
markers send parts --to "$to" --once --state state 2>said
mkfifo pipe
for file in pipe /dev/full .; do
	status_is 1 "no state: $file" timeout 60 markers send plain --to "$to" --state $file
	is "$(cat error)" "markers: $file: is not a file; --state names one, or a new one" "it says why: $file"
done
check "is told" grep -qx 'markers: parts: 000002 to 000002 were removed before they were sent: keep more parts' said

#
# Other contexts: another trace
#
make_trace other 100
new_trace other 2
mkdir -p both/info
cp -r plain both/000001
cp -r other both/000002
rm -rf both/*/.sent* relay/*
printf 'begin: \nend: \n' >both/info/clock
check "contexts that change" markers send both --to "$to"
is "$(find relay -name 'both-*' | wc -l)" 2 "begin another session"
markers report both >wanted
markers report relay >said
check "both are read" cmp wanted said
check "and joined" markers join relay -o joined
check "the first" same_streams plain joined/000001
check "the second" same_streams other joined/000002

#
# Killed at any moment
#
make_trace long 20000
new_relay
: >said
grow long killed --parts 15 --pause 120 --halves --hold go
sender killed --to "$to"
kills=0
while [ $kills -lt 20 ]; do
	python3 -c 'import random, time; time.sleep(random.uniform(0, 0.2))'
	if [ $((kills % 2)) -eq 0 ]; then
		relayd_kill
		relayd_start
	else
		kill -KILL "$sender_pid"
		wait "$sender_pid" 2>/dev/null
		sender killed --to "$to"
	fi
	kills=$((kills + 1))
done
touch go
wait "$sender_pid"
is "$?" 0 "both sides are killed in turns, and the last sender ends well"
rm -rf joined
markers join relay -o joined 2>error
check "what was written can be joined" test -e joined/metadata
check "byte by byte" same_streams long joined
markers report long >wanted
markers report relay >got 2>error
check "and report reads each packet once" cmp wanted got
finish
