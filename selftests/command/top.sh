#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers top reports losses, by marker and by CPU.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers

# put FILE: atomically, from stdin
put()
{
	cat >new
	mv new "fake/$1"
}

# lost NUMBER
lost()
{
	{
		printf '%s: 0\n' written read unread open
		echo "lost: $1"
	} | put per_cpu/cpu0/stats
}

# hits [NUMBER NAME]...
hits()
{
	{
		printf '#hit\trecorded\tfiltered\tlost\tskipped\toff\tmarker\n'
		[ $# -eq 0 ] || printf '90\t80\t1\t%s\t2\t3\t%s\n' "$@"
	} | put hits
}

# says LOST BEFORE
says()
{
	wait_for grep -q "^lost: $1, and $2 before that$" tables
	result $? "$1 lost, and $2 before that"
}

# row LOST NAME
row()
{
	wait_for grep -qE "^ +0\.0 +0 bytes +0 +$1  $2$" tables
	result $? "$2: $1 lost"
}

: >tables
lost 12
hits 7 old:one
echo 'old:one+count
old:stack+stack=16
old:counted=count
old:misfit#filter_refused if nosuch > 3
new:one#pending if size > 3, 4
new:*#pending if size > 3' >fake/set_marker
cp fake/set_marker before
markers top -d 0.1 -e 'some:*' -e '!some:x' >tables 2>error &
says 12 0
# a plain file keeps all that is written: it writes the rest for each table
is "$(head -n 14 fake/set_marker)" "$(cat before)
some:*
!some:x
old:one+count
old:stack+stack=16+count
old:counted=count
old:misfit+count#filter_refused if nosuch > 3
new:one+count#pending if size > 3, 4
!some:x" "what is enabled is counted, and no glob goes before its exceptions"
lost 20
hits 9 old:one 6 some:other
says 8 12
row 2 old:one
row 6 some:other
lost 3
hits 1 old:one 6 some:other
says 3 0	# somebody has emptied the buffers
row 3 old:one	# and reset the counts
kill -TERM $!
wait $!
is $? 0 "status"
is "$(grep -c '7  old:one' tables)" 0 "what was lost before is not shown"

# the reader ends: the settings are restored when the command has ended
cp before fake/set_marker
{ markers top -d 0.1 -e other 2>error; echo $? >ended; } | head -n 1 >first
is "$(cat ended)" 0 "status without a reader"
is "$(cat fake/set_marker)" "$(cat before)" "the settings after it"
markers top -d 0.1 >/dev/full 2>error
is "$? $(cat error)" "1 markers: stdout: No space left on device" "a full disk"

# a file in place of the pipe: more than a read() takes, and packets that its end cuts
"$out/make_trace" trace 240000
rm fake/per_cpu/cpu0/trace_pipe_raw
cp trace/stream_0 fake/per_cpu/cpu0/trace_pipe_raw
cp trace/metadata fake/ctf/metadata
check "so long" test "$(wc -c <trace/stream_0)" -gt $((8 << 20))
is "$(markers top -n 1 -d 0.1 --discard | awk '$NF == "disk:io_begin" { print $(NF - 2) }')" 240000 \
	"all events of packets are counted"
head -c 100 trace/stream_0 >>fake/per_cpu/cpu0/trace_pipe_raw
status_is 1 "half a packet" markers top -n 1 -d 0.1 --discard
grep -q 'half a packet was read$' error
result $? "is told"
finish
