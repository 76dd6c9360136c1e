#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers record --snapshot-on: conditions that the kernel watches, what came after, limits.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
make_trace trace 20
mkdir fake/snapshot_ctf
cp trace/metadata trace/stream_0 fake/snapshot_ctf/
fake_instances

# says STATUS LINE COMMAND...
says()
{
	wanted=$1 line=$2
	shift 2
	"$@" 2>error
	is "$? $(cat error)" "$wanted markers: $line; try \"markers record --help\"" "$*"
}

for word in fial marker 'm:one m:two' '!m:one' m:one+stack 'latency x' 'latency x > 5' 'latency > 5ms' kmsg:; do
	says 2 "$word: neither fail nor signal nor kmsg:TEXT nor 'latency NAME > TIME' nor MODULE:MARKER nor 'MARKER if FILTER'" \
		markers record --snapshot-on "$word" -o no -- true
done
says 2 "--after and --snapshots are for --snapshot-on" markers record --after 1s -o no -- true
says 2 "--snapshot-on has nothing to rotate" markers record --snapshot-on m:x --rotate 1h -o no -- true
says 2 "5: not a time as 500ms or 5s" markers record --snapshot-on m:x --after 5 -o no -- true
says 2 '--snapshot-on overwrites what it does not save: "markers check --strict" looks at a snapshot' \
	markers record --snapshot-on m:x --strict -o no -- true
[ ! -e no ]
result $? "none of these leaves a directory"

# kernel_acts HITS DONE FAILED: what follows the line of the trigger
cat >kernel_acts <<'END'
triggers=fake/instances/markers-cmd-$PPID/triggers
cp "$triggers" armed
printf '# markers 1 hits %s left 0 done %s failed %s\n' "$1" "$2" "$3" >>"$triggers"
i=0
until grep -q "$4" error || [ $i -gt 200 ]; do sleep 0.05; i=$((i + 1)); done
END

status_is 4 "a hit" markers record --snapshot-on '*:one if a  > 1' --snapshots 1 -e m:one -o hit -- sh ./kernel_acts 1 1 0 'a snapshot is in'
is "$(cat armed)" '*:one snapshot:1 if a  > 1' "what the kernel is to do"
is "$(head -n 1 hit/snapshot-1/info/fired)" 'condition: *:one if a  > 1' "info says which"
grep -qE '^seen: 20[0-9-]+ [0-9:]+ [+-][0-9]+$' hit/snapshot-1/info/fired
result $? "and when"
cmp hit/snapshot-1/stream_0 trace/stream_0
result $? "the kernel's snapshot is copied"
grep -q '^markers: these are 1 snapshots: no more are taken$' error
result $? "a message says that it is the last one"
status_is 0 "a hit that has no snapshot yet" markers record --snapshot-on 'm:one if a > 1' -e m:one -o early -- sh ./kernel_acts 1 0 0 'instance'
is "$(tail -n 2 error | head -n 1)" "markers: 0 snapshots in early" "is none"
cat >late <<'END'
set -- 1 0 0 instance
. ./kernel_acts
(until grep -q 'command ended' error; do sleep 0.05; done
sed -i 's/done 0/done 1/' "$triggers") >/dev/null &
exit 1
END
status_is 4 "one that comes when the command has ended" markers record --snapshot-on 'm:one if a > 1' --snapshots 1 -e m:one -o late-1 -- sh ./late
cat >at_once <<'END'
printf '# markers 1 hits 1 left 0 done 1 failed 0\n' >>"fake/instances/markers-cmd-$PPID/triggers"
exit 1
END
status_is 4 "one, and the command fails at once" markers record --snapshot-on fail --snapshot-on 'm:one' --snapshots 2 -e m:one -o both -- sh ./at_once
is "$(head -qn 1 both/snapshot-?/info/fired)" "condition: m:one
condition: fail" "the kernel's snapshot is saved before the other one is taken"
status_is 1 "the kernel fails" markers record --snapshot-on 'm:one' --snapshots 1 -e m:one -o failed -- sh ./kernel_acts 1 0 1 'could not'
grep -q '^markers: the kernel could not take a snapshot: m:one; its error_log says why$' error
result $? "a message says so"

# it cannot be saved, again and again
cat >in_vain <<'END'
instance=fake/instances/markers-cmd-$PPID
rm -r "$instance/snapshot_ctf"
printf '# markers 1 hits 1 left 0 done 1 failed 0\n' >>"$instance/triggers"
tries=0
until [ "$(grep -c snapshot_ctf/ error)" -ge 3 ] || [ $((tries += 1)) -gt 1000 ]; do sleep 0.05; done
END
began=$(date +%s)
status_is 1 "no snapshot can be saved" markers record --snapshot-on 'm:one' -e m:one -o vain -- sh ./in_vain
[ $(($(date +%s) - began)) -ge 2 ]
result $? "the third time is three seconds after the first one"
is "$(grep -c 'have to wait a second now' error)" 1 "a message says once that it waits"

# a pair
status_is 1 "a pair that nobody has made" markers record --snapshot-on 'latency io > 5ms' -e m:one -o no -- true
grep -q 'no marker ends a pair io; make it: markers enable -t begin:io A; markers enable -t latency:io B$' error
result $? "the message says how to make it"
[ ! -e no ]
result $? "nothing is left"
cat >fake/triggers <<'END'
m:begin begin:io:keys=tag
# markers 1 hits 7
m:other begin:io2:keys=tag
m:end latency:io:keys=tag if error == 0
n:end latency:io
m:end hist:keys=tag
END
cp fake/triggers before
# shellcheck disable=SC2016 # expanded there
status_is 0 "it is there" markers record --snapshot-on 'latency io > 1.5ms' -e m:one -o pair -- \
	sh -c 'cp fake/instances/markers-cmd-$PPID/triggers armed'
is "$(cat armed)" "m:begin begin:io:keys=tag
m:end latency:io:keys=tag if error == 0
n:end latency:io
m:end snapshot:1 if latency > 1500000
n:end snapshot:1 if latency > 1500000" "what the kernel is to do"
cmp before fake/triggers
result $? "the top is as it was"

# what came after; the command has ended meanwhile
began=$(date +%s)
# shellcheck disable=SC2016 # expanded there
status_is 4 "after" markers record --snapshot-on signal --after 1s --snapshots 5 -e m:one -o after -- \
	sh -c 'kill -USR1 $PPID; until grep -q "a snapshot is in" error; do sleep 0.05; done; kill -USR1 $PPID'
[ $(($(date +%s) - began)) -ge 1 ]
result $? "it waits for the end of the time"
is "$(find after -name 'snapshot-*' | sort | paste -sd' ' -)" "after/snapshot-1 after/snapshot-1-after" \
	"a signal meanwhile is part of it"
is "$(cat fake/instances/*/snapshot 2>/dev/null)" "" "the instance is gone"

# without an instance
status_is 1 "without an instance" markers record --top --snapshot-on m:one -e m:one -o no -- true
grep -q 'needs an instance of its own; fail, signal and kmsg:TEXT work without one$' error
result $? "the message says what works"
cmp before fake/triggers
result $? "the top has no trigger of ours"
status_is 4 "fail works" markers record --top --snapshot-on fail -e m:one -o top -- false
finish
