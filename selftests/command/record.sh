#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers record and snapshot: the directory, the command that they run, signals, failures.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
cat fake/set_marker fake/tracing_on fake/overwrite fake/buffer_percent >before

# settings_are_back WHAT
settings_are_back()
{
	cat fake/set_marker fake/tracing_on fake/overwrite fake/buffer_percent >after
	cmp before after
	result $? "$1: the settings are back"
}

status_is 0 "a command is recorded" markers record -o trace -- true
is "$(find trace -perm /077)" '' "only the owner can read the recording"
[ -s trace/metadata ] && [ -s trace/info/symbols ] && [ -s trace/info/settings ]
result $? "it is complete"
status_is 0 "with parts" markers record --rotate 64K -o parts -- true
is "$(find parts -perm /077)" '' "only the owner can read them"
is "$(find parts -name metadata -o -name '0*' | sort | tr '\n' ' ')" "parts/000001 parts/000001/metadata " "only the part has metadata"
# while it runs, and when the parts are gone at the end
# shellcheck disable=SC2016 # expanded there
echo 'find "$1" -name metadata -o -name "0*" | sort >running; rm -r "$1"/000001*' >look
status_is 0 "the parts are moved away" markers record --rotate 64K -o gone -- sh ./look gone
is "$(tr '\n' ' ' <running)" "gone/000001.open gone/000001.open/metadata " "while it runs, only the open part has metadata"
is "$(find gone -name metadata)" '' "without parts, the directory is no empty trace"
# shellcheck disable=SC2016 # expanded there
echo 'find "$1" -name metadata >running' >look
status_is 0 "a flight recorder" markers record --snapshot-on fail -o empty -- sh ./look empty
is "$(cat running)$(find empty -name metadata)" '' "without snapshots, its directory is no empty trace"
settings_are_back "after a command"

# the command runs as it would without us
# except for those of the C library
cat >signals <<'END'
s/^Sig\(Blk\|Ign\):.*\(.......\)$/\1 \2/p
END
sed -nf signals /proc/self/status >wanted
markers record -o signals-1 -- sed -nf signals /proc/self/status >got 2>error
cmp wanted got
result $? "the command's signals are those of markers"
if env --ignore-signal=PIPE --block-signal=USR2 true 2>/dev/null; then
	env --ignore-signal=PIPE --block-signal=USR2 sed -nf signals /proc/self/status >wanted
	env --ignore-signal=PIPE --block-signal=USR2 markers record -o signals-2 -- \
		sed -nf signals /proc/self/status >got 2>error
	cmp wanted got
	result $? "also if they are not the default"
else
	skip "env has no --block-signal" "also if they are not the default"
fi

# shellcheck disable=SC3045 # dash has ulimit -n
(ulimit -Sn 100; markers record -o files -- sh -c 'ulimit -n' >got 2>error)
is "$(cat got)" 100 "the command may have as many open files as markers"

status_is 0 "a command is found without PATH, too" env -u PATH "$(command -v markers)" record -o pathless -- true

# a recording that does not begin leaves the directory as it was
echo events >fake/trace
status_is 1 "a command that does not exist" markers record -o nothing -- nosuchcommand
is "$(cat error)" "markers: nosuchcommand: No such file or directory" "the reason"
status_is 1 "a file that is no program" markers record -o nothing -- ./before
is "$(cat error)" "markers: ./before: Permission denied" "the reason"
is "$(cat fake/trace)" events "the buffers are not emptied for these"
printf '#!/nosuch/interpreter\n' >script
chmod +x script
status_is 1 "a program without its interpreter" markers record -o nothing -- ./script
[ ! -e nothing ]
result $? "leaves no recording"
mkdir mine
status_is 1 "the same, into a directory that is there" markers record --rotate 64K -o mine -- ./script
is "$(ls -A mine 2>&1)" '' "it stays, empty"
rm -r mine
status_is 1 "a file in place of the directory" markers record -o before -- true
is "$(cat error)" "markers: before: Not a directory; -o names another directory" "the name and the next step"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$work"
	cp "$(command -v markers)" program
	cp -r fake open
	chmod -R a+rwX open
	mkdir -m 555 closed
	as_nobody="env MARKERS_DIR=$work/open setpriv --reuid=65534 --regid=65534 --clear-groups ./program"
	# shellcheck disable=SC2086 # words
	status_is 1 "a directory below one without rights" $as_nobody record -o closed/x -- true
	is "$(cat error)" "markers: closed/x: Permission denied; -o names another directory" "one message"
	# shellcheck disable=SC2086 # words
	status_is 1 "a directory without rights" $as_nobody record -o closed -- true
	is "$(cat error)" "markers: closed: Permission denied; -o names another directory" "one, too"
	rm -r open closed program
else
	skip "not root" "a directory without rights"
fi

# two of them, in one place
mkdir shared
: >shared/.reserve
status_is 1 "another recorder writes there" flock shared/.reserve markers record -o shared -- true
is "$(cat error)" "markers: another recorder writes to shared; -o names another directory" "the reason"
is "$(ls -A shared)" .reserve "what it has stays"
mkdir second
(cd second && seq -f '@%.0f' "$(date +%s)" $(($(date +%s) + 600)) | date -f - +markers-%Y%m%d-%H%M%S | xargs mkdir &&
	markers record -- true 2>../error && markers record -- true 2>../error)
is "$?, $(find second -mindepth 2 -name metadata | wc -l)" "0, 2" "the default names of these seconds are taken"
find second -mindepth 2 -name metadata | grep -qvE 'second/markers-[0-9]+-[0-9]+-[0-9]+/metadata'
is $? 1 "so numbers follow"
rm -r second
mkdir disk
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=64k none disk 2>/dev/null; then
	for room in "for some files" "for none"; do
		[ "$room" = "for some files" ] || cat /dev/zero >disk/zero 2>error
		status_is 1 "a disk with room $room" markers record -o disk/x -- true
		is "$(grep -v -e 'no marker is enabled' -e info/modules error)" \
			"markers: disk/x: No space left on device; make room, or -o names another directory" "one message $room"
		test ! -e disk/x
		result $? "leaves nothing $room"
	done
	umount disk
else
	skip "no file system can be mounted" "a full disk"
fi
settings_are_back "after a command that does not exist"

# waits_for_command SIGNAL: the program passes the signal on, and waits for the command's end
cat >patient <<'END'
trap 'echo once >>asked; sleep 0.3; echo done >ended; exit 0' INT TERM
echo >ready
while :; do sleep 0.05; done
END
markers record -o asked-1 -- sh ./patient 2>error &
wait_for test -e ready
kill -TERM $!
wait $!
is "$? $(cat asked) $(cat ended)" "0 once done" "SIGTERM is handed on, and the command's end is waited for"
settings_are_back "after SIGTERM"

# under nohup
rm -f ready asked ended
(trap '' HUP && exec markers record -o hangup -- sh ./patient 2>error) &
wait_for test -e ready
kill -HUP $!
kill -TERM $!
wait $!
is "$? $(cat asked) $(cat ended)" "0 once done" "a SIGHUP that was ignored before stays without effect"

# goes_on COMMAND...: run it; has the recording ended before the command that it records?
# shellcheck disable=SC2317,SC2329 # called by wait_for
goes_on()
{
	"$@" 2>/dev/null
	grep -q "^markers: the command goes on, as process $(cat ready)$" error
}

rm -f ready
echo 'trap "" TERM; echo $$ >ready; exec sleep 100' >stubborn
markers record -o asked-2 -- sh ./stubborn 2>error &
wait_for test -s ready
wait_for goes_on kill -TERM $!
result $? "a second signal ends the recording, and a message says that the command goes on"
wait $!
is $? 0 "status of that"
kill -KILL "$(cat ready)"
settings_are_back "after a second signal"

# a command in a session of its own gets no signal from the terminal
rm -f ready asked
echo 'trap "echo once >>asked" INT; echo $$ >ready; while :; do sleep 0.05; done' >apart
if script -qec true script.log </dev/null >/dev/null 2>&1; then
	{
		wait_for test -s ready
		wait_for goes_on printf '\003'
	} | script -qec 'markers record -o asked-3 -- setsid sh ./apart 2>error' script.log >/dev/null
	[ ! -e asked ]
	result $? "what the terminal sends is not sent again"
	kill -KILL "$(cat ready)"
else
	skip "no script(1)" "what the terminal sends is not sent again"
fi

# on a terminal, a line shows the progress; the last line replaces it
printf '%s\n' 'written: 12' 'read: 0' 'unread: 0' 'open: 0' 'lost: 5' >fake/per_cpu/cpu0/stats
cat >watch <<'END'
i=0
until grep -q '7 events, ' progress.log || [ $i -gt 200 ]; do sleep 0.05; i=$((i + 1)); done
END
if script -qec true script.log </dev/null >/dev/null 2>&1; then
	script -qfec 'markers record -o progress -- sh ./watch' progress.log </dev/null >/dev/null
	tr '\r' '\n' <progress.log | sed 's/\o033\[K//' >lines
	grep -qE '^7 events, 0 bytes saved, 5 lost, [0-9]+ s $' lines
	result $? "a terminal shows the progress"
	tr '\r' '\n' <progress.log | grep -q "^$(printf '\033')\[Kmarkers: .* in progress; lost 12"
	result $? "the last line replaces it"
else
	skip "no script(1)" "a terminal shows the progress"
fi
# shellcheck disable=SC2016 # expanded there
echo 'trap "exit 0" TERM; kill -TERM $PPID; while :; do sleep 0.05; done' >wake
status_is 0 "stderr is a file" markers record -o silent -- sh ./wake
is "$(tr -d -c '\r\033' <error | wc -c)" 0 "a file gets no progress"
printf '%s: 0\n' written read unread open lost >fake/per_cpu/cpu0/stats

# each filter belongs to the pattern before it, and the hits of markers itself are left out
recorded='grep -v "^#" fake/set_marker | sed "s/pid != [0-9]*/pid != N/" >rules'
apart=
if [ "$(stat -L -c %i /proc/self/ns/pid)" -eq $((0xeffffffc)) ]; then
	status_is 0 "filters" markers record -o filters -e m:one -f 'a > 1' -e '!m:x' -e 'm:two if b || c' -e m:n=count \
		-e m:three -- sh -c "$recorded"
	is "$(cat rules)" "m:one if (\$ctx.pid != N || \$ctx.flags & 0x1900) && (a > 1)
!m:x
m:two if (\$ctx.pid != N || \$ctx.flags & 0x1900) && (b || c)
m:n=count
m:three if (\$ctx.pid != N || \$ctx.flags & 0x1900)" "the filters of each"
	# shellcheck disable=SC2016 # expanded there
	status_is 0 "the process" markers record -o process -e m:one -- \
		sh -c 'grep -q "^m:one if (\$ctx.pid != $PPID || " fake/set_marker'
	grep -q 'ended with status' error
	is $? 1 "that is left out is the one that records"
	apart="unshare --pid --fork --mount-proc"
else
	skip "this is a pid namespace" "the filters of each"
fi
# shellcheck disable=SC2086 # words
if $apart true 2>/dev/null; then
	status_is 0 "in a pid namespace" $apart markers record -o inside -e m:one -f 'a > 1' -- sh -c "$recorded"
	is "$(cat rules)" "m:one if a > 1" "nobody is left out: the number there may be that of another process"
else
	skip "no pid namespace can be made" "in a pid namespace"
fi
status_is 0 "its own hits, too" markers record -o own --own -e m:one -f 'a > 1' -e m:two -- sh -c "$recorded"
is "$(cat rules)" "m:one if a > 1
m:two" "is without that filter"
status_is 2 "a filter without a pattern" markers record -f 'a > 1' -e m:one -o nothing -- true
is "$(cat error)" 'markers: -f "a > 1": there is no -e before it; try "markers record --help"' "the reason"
status_is 2 "a second filter" markers record -e m:one -f 'a > 1' -f 'b > 1' -o nothing -- true
is "$(cat error)" 'markers: -f "b > 1": -e "m:one" has a filter: join the two by &&; try "markers record --help"' "the reason"
for own in 'm:one if a > 1' 'm:one,m:two if a > 1'; do
	status_is 2 "one for a pattern that has its own" markers record -e "$own" -f 'b > 1' -o nothing -- true
	is "$(cat error)" "markers: -f \"b > 1\": -e \"$own\" has a filter: join the two by &&; try \"markers record --help\"" "the reason"
done
status_is 0 "a filter behind a pattern that has its own" markers record -o own-filter --own -e 'm:two if b > 1' -e m:one -f 'a > 1' -- sh -c "$recorded"
is "$(cat rules)" "m:two if b > 1
m:one if a > 1" "is for the last one"
for none in '' ' ' '#m:one'; do
	status_is 2 "a pattern that is none" markers record -e m:one -e "$none" -o nothing -- true
	is "$(cat error)" "markers: -e \"$none\": names no marker; try \"markers record --help\"" "the reason"
done
settings_are_back "after filters"

# events that nobody has read
printf '%s\n' 'written: 12' 'read: 0' 'unread: 9' 'open: 3' 'lost: 0' >fake/per_cpu/cpu0/stats
echo 1 >fake/trace
for command in "record -o nothing -- true" live "top -n 1"; do
	# shellcheck disable=SC2086 # words
	status_is 1 "events in the buffers" markers $command
	is "$(cat error)" 'markers: there are 12 events in the buffers: "markers extract" copies them, "markers record --keep" begins with them, --discard drops them' "$command refuses to drop them"
done
is "$(cat fake/trace)" 1 "they stay"
status_is 0 "they are not needed" markers record --discard -o nothing -- sh -c 'cat fake/trace >dropped'
is "$(cat dropped)" 0 "they are dropped"
printf '%s: 0\n' written read unread open lost >fake/per_cpu/cpu0/stats

# somebody, or a trigger, ends the recording
printf '%s\n' 'm:one traceoff:1 if a < 0' '# markers 1 hits 1 left 0' 'm:two traceoff' '# markers 1 hits 0' \
	'm:two hist:keys=a' '# markers 1 hits 7' >fake/triggers
status_is 0 "a trigger" markers record -o stopped -- sh -c 'echo 0 >fake/tracing_on'
is "$(grep -v info/modules error | sed 's/;.*//')" "markers: no marker is enabled, and none is asked for with -e
markers: recording has stopped before its end: a trigger or another program has set tracing_on to 0
markers: the trigger \"m:one traceoff:1 if a < 0\" was hit
markers: 0 events, 0 bytes in stopped" "the message says so, and which"
: >fake/triggers
settings_are_back "after a trigger"

# two of us
status_is 0 "enable and disable meanwhile" markers record -e m:one -o twins -- sh -c 'markers enable m:two; markers disable m:two'
is "$(grep -c 'another "markers" is recording: this changes its recording, and is undone when that ends' error)" 2 "each says what becomes of it"
check "without a recording" markers enable m:two
is "$(grep -c another error)" 0 "none says so"
: >fake/set_marker

# snapshots: copying the first one fails, the second one succeeds
rm -f ready
cat >two <<'END'
kill -USR1 $PPID
i=0
until grep -q -- --keep error || [ $i -gt 100 ]; do sleep 0.05; i=$((i + 1)); done
[ ! -e flight/snapshot-1 ] || echo left >left
mkdir fake/snapshot_ctf
: >fake/snapshot_ctf/stream_0
echo '/* CTF 1.8 */' >fake/snapshot_ctf/metadata
kill -USR1 $PPID
i=0
until grep -q 'a snapshot is in' error || [ $i -gt 100 ]; do sleep 0.05; i=$((i + 1)); done
END
status_is 1 "a snapshot that failed is in the exit status" markers record --snapshot-on signal -o flight -- sh ./two
[ ! -e left ]
result $? "nothing is left of it"
[ -s flight/snapshot-1/metadata ]
result $? "the next one is whole"
grep -q '^markers: 1 snapshot in flight$' error
result $? "one is counted"

# each of them reads the settings, and lets go of them
head -c 4000000 /dev/zero >fake/filters
cat >many <<'END'
for number in 1 2 3 4 5 6 7 8; do
	kill -USR1 $PPID
	i=0
	until grep -q "snapshot-$number:" error || [ $i -gt 200 ]; do sleep 0.05; i=$((i + 1)); done
	sed -n 's/^VmData:[^0-9]*\([0-9]*\).*/\1/p' /proc/$PPID/status >>sizes
done
END
status_is 4 "many snapshots" markers record --snapshot-on signal --snapshots 100 -o many-snapshots -- sh ./many
awk 'NR == 1 { first = $1 } END { print "VmData of", NR, "snapshots:", first, $1; exit !(NR == 8 && $1 - first < 12000) }' sizes >error
result $? "the memory of the program does not grow"
rm fake/filters

# a snapshot replaces the last one, so the program checks the destination first
echo 0 >fake/snapshot
status_is 1 "an empty snapshot in place of one" markers snapshot -o copy
is "$(cat error)" "markers: there are no events, but a snapshot, which an empty one would replace: --keep copies it, --free drops it" "the reason and the next step"
is "$(cat fake/snapshot) $(ls -d copy 2>/dev/null)" "0 " "it stays, and nothing is made"
printf '%s\n' 'written: 12' 'read: 0' 'unread: 9' 'open: 3' 'lost: 0' >fake/per_cpu/cpu0/stats
mkdir full
: >full/file
status_is 1 "a snapshot to a directory with files" markers snapshot -o full
is "$(cat fake/snapshot)" 0 "was not taken"
status_is 0 "a snapshot" markers snapshot -o copy
is "$(cat fake/snapshot) $(cat copy/metadata)" "1 /* CTF 1.8 */" "was taken and copied"
status_is 0 "it is kept" markers snapshot --keep -o copy-3
echo '# no snapshot: write 1 to take one, 0 to free it' >fake/snapshot
status_is 1 "there is none to keep" markers snapshot --keep -o copy-4
is "$(cat error)" "markers: there is no snapshot to copy" "the reason"
[ ! -e copy-4 ]
result $? "nothing is made"

# another trace begins while the streams are copied
make_trace first 20
cp -r first second
new_trace second 1
cp first/metadata fake/snapshot_ctf
rm fake/snapshot_ctf/stream_0
mkfifo fake/snapshot_ctf/stream_0
# shellcheck disable=SC2094 # the next one has its name
{
	cat first/stream_0
	cp second/metadata fake/snapshot_ctf
	rm fake/snapshot_ctf/stream_0
	cp second/stream_0 fake/snapshot_ctf
} >fake/snapshot_ctf/stream_0 &
echo 1 >fake/snapshot
status_is 0 "another trace begins during a copy" markers snapshot --keep -o copy-5
wait
cmp second/metadata copy-5/metadata && cmp second/stream_0 copy-5/stream_0
result $? "the copy is of that, and of nothing else"
rm fake/snapshot_ctf/stream_0
mkfifo fake/snapshot_ctf/stream_0
for number in 1 2 3 4 5; do
	# shellcheck disable=SC2094 # the next one has its name
	{
		sed "s/uuid = \"......../uuid = \"0000000$number/" first/metadata >fake/snapshot_ctf/metadata
		# who reads this one keeps it
		rm fake/snapshot_ctf/stream_0
		mkfifo fake/snapshot_ctf/stream_0
	} >fake/snapshot_ctf/stream_0
done &
status_is 1 "during each copy" markers snapshot --keep -o copy-6
kill $! 2>killed
wait
is "$(cat error)" "markers: $work/fake/snapshot_ctf: another trace began during each of 5 copies: try again when no snapshots are taken, and sizes, the clock and the contexts stay" "the reason and the next step"
[ ! -e copy-6 ]
result $? "nothing is left"
rm -r fake/snapshot_ctf
status_is 1 "a snapshot that cannot be copied" markers snapshot -o copy-2
grep -q -- --keep error
result $? "says how to copy it"
[ ! -e copy-2 ]
result $? "and leaves nothing"
finish
