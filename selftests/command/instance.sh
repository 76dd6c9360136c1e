#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# record, live and top in instances of their own, in those that are there, and at the top.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
printf 'm:one\nm:two\n' >fake/available_markers
fake_instances
mine=$work/fake/instances/mine

# top_files: what nobody may change
top_files()
{
	find fake -type f ! -path '*/instances/*' ! -name error_log | sort | xargs md5sum
}

# instances: those that are there
instances()
{
	find fake/instances -mindepth 1 -maxdepth 1 -type d | sed 's,.*/,,' | sort | paste -sd' ' -
}

echo 'm:old' >fake/set_marker
printf '%s\n' 'written: 12' 'read: 0' 'unread: 9' 'open: 3' 'lost: 0' >fake/per_cpu/cpu0/stats
top_files >before

# an instance, with what was asked for
# shellcheck disable=SC2016 # expanded there
echo 'cd fake/instances/markers-cmd-$PPID && cat set_marker buffer_size_kb overwrite contexts' >look
status_is 0 "events at the top are in nobody's way" markers record -o own -b 2048 --overwrite -e m:one+stack --own -- \
	sh -c '. ./look >got'
sed 's/-[0-9]*$/-N/; /info.modules/d' error >said
is "$(cat said)" "markers: the instance is markers-cmd-N
markers: 0 events, 0 bytes in own; lost 0" "its name is shown"
is "$(cat got)" "m:one+stack
2048
1
tid flags procname callstack_kernel" "patterns, size, contexts with room for a stack"
is "$(instances)" "" "it is gone at the end"
top_files >after
cmp before after
result $? "the top is as it was"
grep -q '^contexts: tid flags procname$' own/info/settings
result $? "info has the contexts"
status_is 0 "contexts" markers record -o contexts --contexts tid,prio -e m:one -- sh -c '. ./look >got'
grep -q '^tid,prio$' got
result $? "are those that were asked for"

# without -e: what is enabled at the top
status_is 0 "without -e" markers record -o all --own -- sh -c '. ./look | head -n 1 >got'
is "$(cat got)" m:old "it enables what is enabled at the top"
: >fake/set_marker
status_is 0 "with nothing there" markers record -o none -- true
grep -q 'no marker is enabled, and none is asked for with -e' error
result $? "a message says so"
echo 'm:old' >fake/set_marker

# several at a time
for i in 1 2; do
	markers record -o "many-$i" -e m:one -- sh -c 'until [ -e go ]; do sleep 0.05; done' 2>"error-$i" &
done
# shellcheck disable=SC2317,SC2329 # called by wait_for
are() { [ "$(instances | wc -w)" = "$1" ]; }
wait_for are 2
result $? "two at a time have two instances"
check "somebody enables a marker at the top meanwhile" markers enable m:two
is "$(grep -c another error)" 0 "which is not theirs"
check "and one of them" markers enable --instance "$(instances | cut -d' ' -f1)" m:two
is "$(grep -c 'another "markers" is recording' error)" 1 "which is, and a message says so"
touch go
wait
is "$(instances)" "" "they are gone"
echo 'm:old' >fake/set_marker

# signals
for signal in INT TERM KILL; do
	setsid markers record -o "$signal" -e m:one 2>error &
	wait_for grep -qs m:one fake/instances/*/set_marker
	kill -$signal "$(sed -n 's/.*markers-cmd-//p' error)"
	wait $!
	wait_for are 0
	result $? "after SIG$signal it is removed"
	[ -s $signal/metadata ] && grep -q '^end: ' $signal/info/clock
	result $? "SIG$signal: the recording is complete"
done

# only the process that removes it is killed
setsid markers record -o alone -e m:one 2>error &
wait_for grep -qs m:one fake/instances/*/set_marker
pid=$(sed -n 's/.*markers-cmd-//p' error)
kill -KILL "$(pgrep -P "$pid")"
kill -INT "$pid"
wait $!
is "$? $(instances)" "0 " "the one that records removes it"
grep -q '^markers: the process that restores the settings was ended by signal 9 (Killed): this one does it$' error
result $? "and says so"
[ ! -e alone/.reserve ] && [ -s alone/metadata ] && grep -q '^end: ' alone/info/clock
result $? "the recording is complete"
cp fake/set_marker set_marker
printf '%s: 0\n' written read unread open lost >fake/per_cpu/cpu0/stats
# shellcheck disable=SC2016 # expanded there
status_is 0 "the same at the top" markers record --top -o alone-2 -e m:one -- sh -c 'kill -KILL $(pgrep -P $PPID | grep -vx $$)'
cmp set_marker fake/set_marker
result $? "the settings are back"
printf '%s\n' 'written: 12' 'read: 0' 'unread: 9' 'open: 3' 'lost: 0' >fake/per_cpu/cpu0/stats
rm -r alone alone-2

# the process that removes it is killed, too
setsid markers record -o dead -e m:one 2>error &
wait_for grep -qs m:one fake/instances/*/set_marker
pid=$(sed -n 's/.*markers-cmd-//p' error)
kill -KILL "$(pgrep -P "$pid")" "$pid"
wait $!
is "$(instances)" "markers-cmd-$pid" "both are killed: it is left"
mkdir fake/instances/markers
status_is 0 "the next one" markers record -o next -e m:one -- true
grep -q "^markers: the instance markers-cmd-$pid of a command that was killed is removed$" error
result $? "removes it, and says so"
is "$(instances)" markers "and leaves that of somebody"
rmdir fake/instances/markers

# top and live have theirs
check "top" markers top -n 1 -d 0.1 -e m:one
is "$(instances)" "" "has one, which is gone"
mkfifo template/trace_pipe
markers live -e m:one >lines 2>error &
wait_for grep -qs m:one fake/instances/*/set_marker
kill -INT $!
wait $!
is "$? $(instances)" "0 " "live, too"

# one that is there
sh -c 'echo mine >fake/instances/make'
status_is 1 "one that is not there" markers status --instance your
is "$(cat error)" 'markers: there is no instance "your"; there are: mine' "the message names those that are"
status_is 1 "a path" markers status --instance ../ctf
check "enable" markers enable --instance mine m:two
is "$(cat fake/set_marker) $(cat fake/instances/mine/set_marker)" "m:old m:two" "enables there"
is "$(markers status --instance mine | sed -n 's/^enabled *//p')" m:two "status shows it"
check "disable" markers disable --instance mine --all
cp "$mine/set_marker" instance-before
status_is 0 "it is recorded" markers record --instance mine -o there -e m:one -- cp "$mine/set_marker" got
sed 's/ if .*//' got | tail -n 1 | grep -qx m:one
result $? "with the patterns"
cmp "$mine/set_marker" instance-before
result $? "it gets its settings back"
is "$(instances)" mine "and stays"
status_is 2 "--top and --instance" markers record --top --instance mine -o nothing -- true

# what a recording has in its buffers
make_trace trace 50
events=$(markers report --cpu 0 --format json trace | wc -l)
rm "$mine/per_cpu/cpu0/trace_pipe_raw"
cp trace/stream_0 "$mine/per_cpu/cpu0/trace_pipe_raw"
cp trace/metadata "$mine/ctf/metadata"
printf '%s\n' "written: $((events + 7))" 'read: 3' "unread: $events" 'open: 0' 'lost: 4' >"$mine/per_cpu/cpu0/stats"
status_is 1 "events in the buffers" markers record --instance mine -o nothing -- true
grep -q -- "there are $events events in the buffers: .*record --keep\" begins with them" error
result $? "the message names --keep"
# the file is read at once; then nothing is left
status_is 0 "they are kept" markers record --instance mine --keep -o kept -- \
	sh -c "until [ -s kept/stream_0 ]; do sleep 0.05; done; printf '%s\n' 'written: $((events + 7))' 'unread: 0' 'open: 0' >$mine/per_cpu/cpu0/stats"
is "$(sed -n 's/^markers: \([0-9]* events\),.* in kept; \(.*\)/\1, \2/p' error)" "$events events, lost 0" \
	"the recording begins with them, and what was lost before is not its loss"
is "$(markers report --cpu 0 kept 2>/dev/null)" "$(markers report --cpu 0 trace 2>/dev/null)" "all of them"
printf '#!/nosuch/interpreter\n' >script
chmod +x script
status_is 1 "the command fails late" markers record --instance mine --keep -o late -- ./script
is "$(grep -v info/modules error | tail -n 1)" "markers: what was in the buffers is in late" "a message says where they are"
is "$(markers report --cpu 0 late 2>/dev/null)" "$(markers report --cpu 0 trace 2>/dev/null)" "they are not lost"
[ ! -e late/.reserve ] && grep -q '^end: ' late/info/clock
result $? "that recording is complete"
for option in "-b 2M" "-C mono" "--contexts tid" --overwrite --discard; do
	# shellcheck disable=SC2086 # words
	status_is 2 "--keep with $option" markers record --keep $option -o nothing -- true
done

# the top
cp fake/set_marker set_marker
printf '%s: 0\n' written read unread open lost >fake/per_cpu/cpu0/stats
status_is 0 "the top" markers record --top -o top -e m:one -- sh -c 'cp fake/set_marker got; ls fake/instances >listed'
grep -q '^m:one' got
result $? "is recorded"
is "$(cat listed)" "make
mine
remove" "without an instance"
cmp set_marker fake/set_marker
result $? "and gets its settings back"

# a snapshot has no instance of its own: it is of what there is
printf '%s\n' 'written: 0' 'read: 0' 'unread: 0' 'open: 0' 'lost: 0' >fake/per_cpu/cpu0/stats
status_is 0 "a snapshot of nothing" markers snapshot
is "$(cat error)" "markers: the recording at the top has no events; --instance is for one of: mine" "names the other recordings"
status_is 0 "a snapshot of an instance" markers snapshot --instance mine
is "$(cat error)" "" "is what was asked for"
: >fake/ctf/stream_0
status_is 0 "a copy of nothing" markers extract -o extracted
is "$(head -n 1 error)" "markers: the recording at the top has no events; --instance is for one of: mine" "names them, too"
printf '%s\n' 'written: 12' 'read: 0' 'unread: 9' 'open: 3' 'lost: 0' >fake/per_cpu/cpu0/stats
status_is 0 "a snapshot of events" markers snapshot
is "$(cat error)" "" "says nothing, either"
status_is 0 "a copy of events" markers extract -o extracted-2
is "$(grep -c instance error)" 0 "nor does that"

# where there can be none
echo 1 >fake/instances/errno
status_is 1 "lockdown for confidentiality" markers record -o locked -e m:one -- true
grep -q 'instances/make: Operation not permitted: "markers doctor" says more' error
result $? "the message names the next step"
[ ! -e locked ]
result $? "nothing is left"
echo 28 >fake/instances/errno
status_is 1 "no more of them" markers record -o refused -e m:one -- true
grep -q 'instances/make: No space left on device' error
result $? "the message"
echo 13 >fake/instances/errno
status_is 1 "no right to make one" markers record -o refused -e m:one -- true
grep -q -- '--top uses the recording at the top, --instance NAME an instance that is there' error
result $? "the message names the next step"
[ ! -e refused ]
result $? "nothing is left"
rm fake/instances/errno

# processes
if [ "$(stat -L -c %i /proc/self/ns/pid)" -eq $((0xeffffffc)) ]; then
	status_is 0 "processes" markers record -o pids --own --pid 7,8 --pid 9 -e 'm:one if a > 1' -e m:two=count -- sh -c '. ./look | head -n 2 >got'
	is "$(cat got)" "m:one if (\$ctx.pid == 7 || \$ctx.pid == 8 || \$ctx.pid == 9) && (a > 1)
m:two=count if (\$ctx.pid == 7 || \$ctx.pid == 8 || \$ctx.pid == 9)" "the filters of each"
	status_is 2 "no number" markers record -o nothing --pid 7,x -e m:one -- true
	status_is 2 "without -e" markers record -o nothing --pid 7 -- true
else
	skip "this is a pid namespace" "processes"
	status_is 2 "processes in a pid namespace" markers record -o nothing --pid 7 -e m:one -- true
fi
finish
