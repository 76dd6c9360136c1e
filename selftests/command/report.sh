#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers report, on traces with known events.
#
# usage: selftests/command/report.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

make_trace plain 100
make_trace lost 1000 lost
make_trace odd 3 odd

# report FILE OPTION...: of the trace plain
report()
{
	file=$1
	shift
	markers report "$@" plain >"$file"
}

check "it reads all" report text
check "each event is a line" status 0 test "$(grep -vc '^#' text)" -eq 241
check "an event" has text \
	'        task 101-101     [000] ....     1.000200000: disk:io_begin: id 1, bytes 1024'
check "an event in a softirq" has text \
	'          task 7-7       [001] ..s1     1.000202000: disk:io_end: id 1, error 0'
check "the idle task, escapes, extremes, bytes" has text \
	"          <idle>-0       [000] ....     1.000007000: disk:hard: {text \"a \"b\"\\n\\\\ $(printf '\303\244') \\xFF,\" at 100%} big=18446744073709551615, small=-9223372036854775808 pointer=0xffff888000000000 mac=02:00:5e:10:00:01 data=61:62:63."
report fields --fields
check "names and values of fields" has fields \
	"          <idle>-0       [000] ....     1.000007000: disk:hard: text=a \"b\"\\n\\\\ $(printf '\303\244') \\xFF, big=18446744073709551615 small=-9223372036854775808 pointer=0xffff888000000000 mac=02:00:5e:10:00:01 data=61:62:63"
make_trace old 100 old
markers report old >text.old
check "an older recording has no words" cmp fields text.old
TZ=UTC report wall --time wall
check "the time of day" has wall \
	'          task 7-7       [001] ..s1 2023-11-14 22:13:21.000202000: disk:io_end: id 1, error 0'
report delta --time delta -e io_end
check "the time since the line before" has delta \
	'          task 7-7       [001] ..s1     0.000201000: disk:io_end: id 1, error 0'
report relative --time relative
check "the time since the first event" has relative \
	'          task 7-7       [001] ..s1     0.000202000: disk:io_end: id 1, error 0'
for words in "--time wall -f json" "--fields -f csv" "-f ftrace --time delta"; do
	# shellcheck disable=SC2086 # words
	check "only for text: $words" status 2 markers report $words plain
done
has error 'markers: --time is for text, not for ftrace: leave one of them out; try "markers report --help"'
result $? "what to leave out"
cp -r plain counter
sed -i 's/^\(.*description = "\)CLOCK_MONOTONIC/\1no time: counts from event to event/' counter/metadata
check "the clock counter has no time of the day" status 1 markers report --time wall counter
has error 'markers: --time wall: the clock of the recording counts events and has no time: "--time relative" counts from the first one'
result $? "the next step"
check "that is possible" markers report --time relative counter
check "a time that is none" status 2 markers report --time other plain

make_trace stack 2 stack
markers report stack >stacks
check "addresses without symbols" has stacks ' => 0xffffffffc0001004'
mkdir -p stack/info
printf 'ffffffffc0001000 t one\t[disk]\nffffffff81000200 T two\nffffffff81000300 T three\n' \
	>stack/info/symbols
markers report stack >stacks
check "symbols" has stacks ' => one+0x4 [disk]'
check "each return address is a line" status 0 test "$(grep '^ => ' stacks | tr '\n' ';')" = \
	' => one+0x4 [disk]; => two+0x50;'
# names LINE...: what is shown of the first return address, 0xffffffffc0001004 at 1.0002 s
names()
{
	printf '%s\n' "$@" >stack/info/symbols
	markers report stack | sed -n 's/^ => //p' | head -n 1
}

tab=$(printf '\t')
is "$(names '0000000000000000 t one' "0000000000000000 t two${tab}[disk]")" 0xffffffffc0001004 \
	"no name where /proc/kallsyms hides addresses"
is "$(names "ffffffffc0000fe0 t one${tab}[disk]")" 0xffffffffc0001004 "nor beyond the module's last page"
is "$(names 'ffffffff81000000 T _text' 'ffffffff81fff000 T _etext')" 0xffffffffc0001004 "or the kernel's"
is "$(names "ffffffffc0001000 t one${tab}[disk]" '# gone 1000100000 disk')" 0xffffffffc0001004 \
	"nor of a module that was gone"
is "$(names "ffffffffc0001000 t one${tab}[disk]" '# gone 1000300000 disk')" 'one+0x4 [disk]' "before, there is one"
is "$(names '# came 1000300000 disk' "ffffffffc0001000 t one${tab}[disk]")" 0xffffffffc0001004 \
	"nor of one that came later"
is "$(names "ffffffffc0001000 t one${tab}[disk]" '# gone 1000100000 disk' '# came 1000100001 net' \
	"ffffffffc0001000 t two${tab}[net]")" 'two+0x4 [net]' "of two modules, that of the time"
is "$(names "ffffffffc0001000 t one${tab}[disk]" '# gone 1000300000 disk' '# came 1000100000 net' \
	"ffffffffc0001000 t two${tab}[net]")" 0xffffffffc0001004 "none where both may have been"
is "$(names "ffffffffc0000000 t bpf_prog_1${tab}[bpf]" "ffffffffc0001000 t one${tab}[disk]" \
	"ffffffffc0002000 t bpf_prog_2${tab}[bpf]" "ffffffffc0000800 t kprobe_insn_page${tab}[__builtin__kprobes]" \
	"ffffffffc0001800 t kprobe_insn_page${tab}[__builtin__kprobes]")" 'one+0x4 [disk]' \
	"BPF programs on both sides of a module do not hide it"
names "ffffffffc0001000 t one${tab}[disk]" 'ffffffff81000200 T two' >/dev/null
mkdir whole
mv stack whole/000001
mv whole/000001/info whole/info
check "a part has the names of the whole" sh -c "markers report whole/000001 | grep -q '^ => one+0x4 \[disk\]'"
mv whole/000001 stack
mv whole/info stack/info
# several recordings of a boot, as record --below and a collector have them
for place in '' /markers; do
	rm -rf several
	mkdir -p several/a$place several/b$place
	cp -r stack/. several/a$place
	cp -r stack/. several/b$place
	check "one recording in two pieces$place" sh -c 'markers report several | grep "^ => one+0x4 \[disk\]$"'
	new_trace several/b$place 1
	is "$(markers report several | grep -c '^ => one+0x4 \[disk\]$')" 2 "two recordings with the same symbols$place"
	printf 'ffffffffc0001000 t other\t[net]\nffffffff81000200 T two\n' >several/b$place/info/symbols
	markers report several >named 2>said
	is "$(grep '^ => ' named | sort -u | paste -sd' ')" " => 0xffffffff81000250  => 0xffffffffc0001004" \
		"with other ones, there are no names$place"
	is "$(cat said)" \
		"markers: several: addresses of functions stay numbers: not all recordings in it have the same info/symbols: give the directory of one" \
		"and a line$place"
	rm several/b$place/info/symbols
	markers report several >named 2>said
	is "$(grep -c '^ => 0x' named) $(wc -l <said)" "4 1" "nor if one has none$place"
done
rm -rf several
mkdir -p several
for piece in a b c; do
	cp -r stack several/$piece
done
new_trace several/c 1
printf '# came 9000000000 late\nffffffffc0009000 t late\t[late]\n' >>several/b/info/symbols
is "$(markers report several | grep -c '^ => one+0x4 \[disk\]$')" 2 "symbols that go on where others end are the same"
cp several/a/info/symbols several/b/info/symbols
rm several/c/info/symbols
markers report several >named 2>said
is "$(grep -c '^ => 0x' named) $(wc -l <said)" "4 1" "two pieces with symbols do not make up for a recording without"
cp -r stack lonely
rm -r lonely/info
mkdir lonely/x
cp -r stack/info lonely/x
markers report lonely >named
is "$(grep -c '^ => 0x' named)" 2 "a trace has nothing from a directory in it"
markers report stack >stacks
printf 'ffff888000000000 t table\t[slab]\n' >>stack/info/symbols
cp -r stack extension
sed -i 's/pointer=0x%llx/pointer=%ps/' extension/metadata
markers report extension >named
check "%ps is a name" grep -q ' pointer=table \[slab\] mac=' named
sed -i 's/pointer=%ps/pointer=%pS/' extension/metadata
markers report extension >named
check "%pS has an offset" grep -q ' pointer=table+0x0 \[slab\] mac=' named
rm extension/info/symbols
markers report extension >named
check "without symbols it is an address" grep -q ' pointer=0xffff888000000000 mac=' named
markers report --fields stack >named
check "a number that is the address of a function" grep -q ' pointer=0xffff888000000000 (table+0x0 \[slab\]) mac=' named
markers report --format json stack >named
check "in json, names beside the numbers" grep -qF \
	'"pointer":"0xffff888000000000","mac":"02:00:5e:10:00:01","data":"61:62:63"},"names":{"pointer":"0xffff888000000000 (table+0x0 [slab])"}}' named
check "and of a stack" grep -qF '"bytes":1024},"names":{"callstack_kernel":"one+0x4 [disk]\ntwo+0x50"}}' named
check "a stack follows its event" status 0 sh -c \
	'grep -B 1 "^ => one" stacks | head -n 1 | grep -q "disk:io_begin: id 1, bytes 1024$"'
check "a stack in json" status 0 sh -c "markers report --format json stack |
	grep -q '\"callstack_kernel\":\"0xffffffffc0001004 0xffffffff81000250\"'"
is "$(markers report --format csv stack | python3 -c '
import csv, sys
print(*(row["callstack_kernel"] for row in csv.DictReader(sys.stdin) if row["callstack_kernel"]), sep=";")')" \
	"one+0x4 [disk] <- two+0x50" "a stack in csv"
is "$(markers report --format csv stack -j 2 | md5sum)" "$(markers report --format csv stack | md5sum)" \
	"and by two threads"
markers report --format ftrace stack >said 2>&1
is "$(grep -e ffffffffc0001004 -e stack said)" "markers: the events have stacks, which ftrace's text leaves out" \
	"ftrace's text has none, and that is told once"
is "$(markers report --format ftrace plain 2>&1 | grep -c stack)" 0 "but not where there are none"

check "json" report json --format json
cat >read_json.py <<'END'
import json
import sys
events = [json.loads(line) for line in open('json', encoding='utf-8')]
assert len(events) == 241
hard = [event for event in events if event['marker'] == 'disk:hard'][0]
assert hard['fields'] == {
    'text': 'a "b"\n\\ \u00e4 \ufffd,', 'big': '18446744073709551615', 'small': -2**63,
    'pointer': '0xffff888000000000', 'mac': '02:00:5e:10:00:01', 'data': '61:62:63'}, hard
assert hard['contexts'] == {'tid': 0, 'flags': '0x0', 'procname': 'task 0'}, hard
END
check "python reads it" python3 read_json.py
check "csv" report csv --format csv --event io_begin --event hard
cat >read_csv.py <<'END'
import csv
rows = list(csv.DictReader(open('csv', encoding='utf-8', newline='')))
assert len(rows) == 101, len(rows)
assert rows[0]['bytes'] == '512' and rows[0]['time'] == '1.000000000' and rows[0]['text'] == ''
assert rows[1]['text'] == 'a "b"\n\\ \xe4 \ufffd,' and rows[1]['tid'] == '0', rows[1]
END
check "python reads it, too" python3 read_csv.py
cp -r plain fresh
sed -i "s/_procname\\b/_fresh/" fresh/metadata
markers report fresh >text.fresh 2>error
is "$? $(cat error)" "1 markers: fresh/metadata: line 93: its headers or contexts are not as this version of markers records them; a newer markers may read it" \
	"a context that is new is refused"
markers report --format csv -e odd odd >odd.csv
cat >read_names.py <<'END'
import csv
row = list(csv.DictReader(open('odd.csv', newline='')))[0]
assert row['tid'] == '1' and row['pid'] == '' and row['time'] == '1.000010000', row
assert row['fields.tid'] == '77' and row['fields.pid'] == '-5' and row['fields.time'] == 'noon', row
END
check "fields with names of other columns" python3 read_names.py
markers report --format ftrace odd >odd.text
check "another module's marker has its own fields" grep -q ': sched_switch: id=5 comm=no task$' odd.text
check "ftrace" report ftrace --format ftrace
check "in the kernel's words" has ftrace \
	'        task 100-100     [000] ....     1.000006: sched_switch: prev_comm=task 100 prev_pid=100 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120'

# count N OPTION...: does that select N events?
count()
{
	wanted=$1
	shift
	got=$(markers report "$@" plain | grep -vc '^#')
	[ "$got" -eq "$wanted" ] || { echo "$got events: $*"; return 1; }
}

check "--begin and --end, which belong to it" count 3 --begin 1.0002 --end 1.0004
check "--cpu" count 100 --cpu 1
check "--cpu with a range" count 241 --cpu 0-1,5
check "--cpu 8192" status 2 markers report --cpu 8192 plain
check "the largest CPU of Linux beside one" count 100 --cpu 1,8191
check "--cpu 8191" status 1 markers report --cpu 8191 plain
has error 'markers: --cpu: the recording has no stream of these CPUs'
result $? "a CPU that it does not have"
for words in "--begin 9 --end 3" "--end 3 --begin 9"; do
	# shellcheck disable=SC2086 # words
	check "$words" status 2 markers report $words plain
done
has error 'markers: --begin is later than --end; try "markers report --help"'
result $? "what is wrong"
check "the same time" count 1 --begin 1.0002 --end 1.0002
check "--event" count 10 --event 'disk:qu*'
check "--event: all but some" count 41 -e '!io_*'
check "--event: the last that matches decides" count 110 -e 'disk:*' -e '!io_*' -e '!disk:slice' -e '!hard' -e io_end
check "--event that is no pattern" status 2 markers report -e a/b plain
# warns STATUS LINE COMMAND...: a status and exactly this line on stderr, with "markers: "
warns()
{
	wanted=$1 line="markers: $2"
	shift 2
	"$@" >printed 2>warning || [ "$?" -eq "$wanted" ] || { echo "status $?"; return 1; }
	[ "$(cat warning)" = "$line" ] || { echo "not \"$line\":"; cat warning; return 1; }
}

others="; it has io_begin, io_end, queue, slice, sched_switch, hard"
check "a marker that it does not have" warns 0 "-e: nosuch: the recording has no such marker$others" \
	markers report -e queue -e nosuch plain
check "the rest is shown" test "$(grep -vc '^#' printed)" -eq 10
check "it has none of them" warns 1 "-e: no*: the recording has no such marker$others" \
	markers report -e 'no*' plain
check "none is left out" warns 0 "-e: !no*: the recording has no such marker$others" \
	markers report -e '!no*' plain
check "all are left out" status 0 markers report -e queue -e '!queue' plain
check "a field that none has" warns 1 \
	"--where: nosuch: the recording has no such field or context; it has id, bytes, error, depth, track_event_type, slice_name, scope_queue, prev_comm, ..." \
	markers report --where 'procname == x || nosuch > 1 || cpu == 3 || nosuch < 0' plain
check "the rest of the expression holds" test "$(grep -vc '^#' printed)" -eq 0
check "a typing error" warns 1 \
	"--where: byets: the recording has no such field or context; is it bytes?" \
	markers report --where 'byets > 1 || cpu == 1' plain
check "what it selects is shown" test "$(grep -vc '^#' printed)" -eq 100
check "a marker in --where" warns 1 "--where: nosuch: the recording has no such marker$others" \
	markers report --where 'marker == nosuch || marker == queue' plain
check "one of a module" warns 1 \
	"--where: disk:io_bgin: the recording has no such marker; is it disk:io_begin?" \
	markers report --where 'marker == disk:io_bgin' plain

check "--where: numbers" count 11 --where 'bytes == 0x200 && id>=8 && id != 8'
check "--where: below 0" count 2 --where 'error < 0'
check "--where: 64 bits" count 1 --where 'big > 18446744073709551614 && small <= -9223372036854775808'
check "--where: the name of an error" count 2 --where 'error == -EIO'
check "--where: of a number without names, too" count 98 --where 'error > -EIO && marker == io_end'
check "--where: bits" count 68 --where 'marker == io_end && id & 0x41'
check "--where: bits beside &&" count 50 --where 'id&1&&marker == io_end'
check "--where: one of no number" status 2 markers report --where 'id & x' plain
# disk:sched_switch has an id of 32 bits
check "--where: a number that only some fields can have" test \
	"$(markers report --where 'id < 4294967296 && id != 4294967296 && !(id == 4294967296)' odd | grep -c 'id')" -eq 7
check "--where: one below the values of others" test "$(markers report --where 'id > -1' odd | grep -c 'id')" -eq 7
check "--where: one that no field can have" warns 2 \
	'--where: "error == 4294967296": column 9: not a value of this field: it is an s32, -2147483648 to 2147483647' \
	markers report --where 'error == 4294967296' plain
check "--where: a context" test "$(markers report --where "\$ctx.tid == 1" odd | grep -c 'disk:odd')" -eq 1
check "not the field of that name" test "$(markers report --where 'tid == 1' odd | grep -c 'disk:odd')" -eq 0
check "--where: globs as in the kernel" count 33 --where 'procname ~ "task 10[^02]"'
check "with !, too" count 33 --where 'procname ~ "task 10[!02]"'
check "and without escapes" count 0 --where 'procname ~ "task 10\\1"'
check "--where: an error that is none" status 2 markers report --where 'error == -EIOX' plain
check "says where and why" warns 2 '--where: "error == -EIOX": column 9: not a number, which this test needs' \
	markers report --where 'error == -EIOX' plain
check "--where: a text that looks like one" status 0 markers report --where 'procname != "-EIOX"' plain
check "--where: columns from 0" sh -c \
	'markers report --where "id ==" plain 2>&1 | grep -qF "\"id ==\": column 5: a number or a string is missing here; try"'
check "--where: text, context, cpu, marker" count 34 \
	--where 'cpu == 0 && procname ~ "task 10?" && tid != 101 && !(tid == 102) && marker == io_begin'
check "--where: bytes" count 1 --where 'mac == "02:00:5e:10:00:01"'
check "--where: other bytes" count 0 --where 'mac == 02:00:5e:10:00:02 || data == 61:62'
check "--where: a glob of bytes" count 1 --where 'mac ~ "02:*" && data ~ "61*" && data != mac'
check "--where: or" count 20 --where 'marker == queue || marker == sched_switch'
check "--where without sense" status 2 markers report --where 'id ==' plain
check "--where that goes on" status 2 markers report --where 'id == 1 )' plain
check "--begin without sense" status 2 markers report --begin 1s plain
check "a format that is none" status 2 markers report --format xml plain

check "a loss is no failure" status 0 markers report lost
check "unless it is to be" status 3 markers report --strict lost
check "in another part" status 0 markers report --strict --end 1.01 lost
# CPU 0 lost 7 between 1.1212 and 1.1998, CPU 1 lost 5 between 1.17588 and 1.176081
check "in a packet that ends behind the part" status 3 markers report --strict --end 1.15 lost
check "of the CPU" status 0 markers report --strict --end 1.15 --cpu 1 lost
check "a loss that begins in the part" status 3 markers report --strict --end 1.1759 --cpu 1 lost
check "or behind it" status 0 markers report --strict --end 1.1758 --cpu 1 lost
is "$(markers report --end 1.15 lost | grep -c ": disk:io_begin: id 75[0-9],")" 1 "no later event is shown"
markers report lost >lines
# shellcheck disable=SC2016 # awk
check "losses are where they were" awk '
	/lost 5 events/	{ good += /^\[001\]/ && before ~ /1.176006000: kernel_events:sched_switch/ }
	/lost 7 events/	{ good += /^\[000\]/ && before ~ /id 999/ }
			{ before = $0 }
	END		{ exit good != 2 }' lines
markers report --format ftrace lost >lines
check "losses for readers of ftrace" has lines 'CPU:1 [LOST 5 EVENTS]'
markers report --format json lost >lines
check "losses in JSON" has lines \
	'{"time":1.176081000,"cpu":1,"lost":5,"overwritten":true}'

# many shares, with losses, and an unknown event in the third packet of both streams
make_trace shares 20000 lost
for cpu in 0 1; do
	size=$(($(od -An -tu8 -j48 -N8 shares/stream_$cpu) / 8))
	printf '\035' | dd of=shares/stream_$cpu bs=1 seek=$((size * 2 + 80)) conv=notrunc status=none
done
# by_threads TRACE OPTION...: is what several threads print, say and return that of one?
by_threads()
{
	markers report "$@" >alone 2>alone.said
	echo $? >>alone.said
	for jobs in 2 3 64; do
		markers report "$@" --jobs "$jobs" >together 2>together.said
		echo $? >>together.said
		cmp alone together && cmp alone.said together.said || return 1
	done
}
for trace in lost shares; do
	for format in text json csv ftrace; do
		check "$trace as $format by several threads" by_threads "$trace" --format $format
	done
	for time in delta relative wall; do
		check "$trace with times \"$time\"" by_threads "$trace" --time $time
		check "and what a filter leaves of it" by_threads "$trace" --time $time --where 'id > 200' --cpu 1
	done
	check "and a part of its time" by_threads "$trace" --begin 1.15 --end 2.17
done
is "$(grep -c 'stream_[01]: packet at byte [0-9]*, event' together.said)" 2 "the damage of both streams is told once"
# without the damage, which has a status of its own
make_trace whole 20000 lost
check "losses have their status by several threads" by_threads whole --strict
is "$(tail -n 1 together.said)" 3 "which is 3"
check "a full disk" status 1 sh -c 'markers report -j 3 whole >/dev/full 2>said'
check "is told" has said 'markers: stdout: No space left on device'
# a disk that cannot read a packet, always or not the first time
at=$(($(od -An -tu8 -j48 -N8 whole/stream_0) * 2 / 8))
fails_at()
{
	FAIL_PREAD=$at LD_PRELOAD="$out/fail_pread.so" markers report "$@" whole
}
fails_at >alone 2>alone.said
for jobs in 2 3; do
	fails_at -j $jobs >together 2>said
	cmp alone together && cmp alone.said said
	result $? "what cannot be read by $jobs threads"
done
check "is told once" test "$(grep -c 'stream_0: at byte [0-9]*: Input/output error' said)" -eq 1
export FAIL_AFTER=1
fails_at -j 2 >together 2>said
is "$?" 1 "threads that cannot read the same fail"
check "and say so" grep -q '^markers: the recording changed while threads read it' said
unset FAIL_AFTER
make_trace huge 3 huge
for jobs in 2 3; do
	check "texts of 400000 bytes by $jobs threads" sh -c \
		"markers report -f json huge >alone && markers report -f json -j $jobs huge | cmp - alone"
done
is "$(grep -o 'x*' alone | wc -L)" 400000 "they are whole"
check "a closed pipe ends it" sh -c 'markers report -j 3 lost | head -n 1 | grep -q host'
check "no threads are too few" status 2 markers report --jobs 0 plain

# complains FILE PATTERN: report of that trace fails, with PATTERN on stderr; FILE.text has its
# output
complains()
{
	status 1 markers report "$1" >"$1.text" 2>"$1.error" || { cat "$1.text"; return 1; }
	grep -q "$2" "$1.error" || { cat "$1.error"; return 1; }
}

cp -r lost cut
truncate -s -1000 cut/stream_1
check "cut off: the file and the offset" complains cut \
	'^markers: cut/stream_1: at byte [0-9]*: a packet is cut off$'
check "what was before" grep -q '\[001\].*io_end: id 879, ' cut.text
check "and the other stream" grep -q '\[000\].*io_begin: id 999, ' cut.text
cp -r plain bad
printf 'xxxx' | dd of=bad/stream_0 conv=notrunc status=none
check "damaged" complains bad 'bad/stream_0: at byte 0: no packet begins here'
cp -r plain inside
printf '\035' | dd of=inside/stream_0 bs=1 seek=80 conv=notrunc status=none
check "damaged inside of a packet" complains inside \
	'^markers: inside/stream_0: packet at byte 0, event at byte 80: the metadata have no event 29; the rest'
cp -r plain empty
: >empty/metadata
check "empty metadata" complains empty '^markers: empty/metadata: it is empty$'
check "the other stream is whole" test "$(grep -c '\[001\]' bad.text)" -eq 100
cp -r plain foreign
sed -i 's/tracer_name = "markers"/tracer_name = "other"/' foreign/metadata
mv foreign/stream_0 foreign/channel0_0
check "of another tracer" complains foreign \
	'^markers: foreign/metadata: line 46: tracer_name is "other", not "markers"; babeltrace2 reads it$'
check "and nothing else" test "$(cat foreign.text foreign.error | wc -l)" -eq 1
cp -r plain unread
sed -i '/name = "disk:io_end"/,$d' unread/metadata
check "metadata that were cut off, and where" complains unread \
	'^markers: unread/stream_1: packet at byte 0, event at byte 80: the metadata have no event 1; the rest of the packet is left out$'
check "the events that they have" grep -q 'io_begin: id 0, ' unread.text
cp -r plain stray
cp text stray/report.txt
printf 'abc' >stray/notes
cp plain/stream_0 stray/stream_0.bak
cp plain/stream_0 stray/old
check "files that are no streams" status 0 sh -c 'exec markers report stray >stray.text 2>stray.error'
check "do not matter" cmp text stray.text
check "they are named" has stray.error \
	'markers: stray/report.txt: is left out: its name is not stream_N (N = 0, 1, 2 ...)'
check "and counted" has stray.error 'markers: stray: 4 such files in all'
rm stray/report.txt stray/notes stray/stream_0.bak stray/old
# far TRACE: move it to a path so long that a link to metadata is possible, but none to stream_10
far()
(
	name=$(printf '%0200d' 0) path=$(pwd -P)
	while [ $((4086 - ${#path})) -gt 202 ]; do
		mkdir "$name" && cd "$name" || exit 99
		path=$path/$name
	done
	name=$(printf "%0$((4085 - ${#path}))d" 0)
	mv "$work/$1" "$name" && markers report "$name"
)
cp -r plain deep
mv deep/stream_1 deep/stream_10
printf '\012' | dd of=deep/stream_10 bs=1 seek=72 conv=notrunc status=none
: >deep/notes
markers report deep >deep.text 2>/dev/null
status 0 far deep >printed 2>warning
is $? 0 "a long path"
check "shows the same" cmp deep.text printed
cp plain/stream_0 stray/stream_2
check "a stream under the name of another CPU" complains stray \
	'^markers: stray/stream_2: its events are of CPU 0, so they are left out$'
check "does not double events" cmp text stray.text
cp -r cut still
sed -i 's/freq = 1000000000/freq = 0/' still/metadata
check "a clock that stands still, and where" complains still \
	'^markers: still/metadata: line 51: there is no clock with a frequency$'
check "no trace" status 1 markers report nosuch

# A head that is not as this version writes it, and its line
while read -r line change; do
	rm -rf head
	cp -r plain head
	sed -i "$change" head/metadata
	check "$change" complains head \
		"^markers: head/metadata: line $line: its headers or contexts are not as .*; a newer markers may read it$"
	check "shows nothing" test ! -s head.text
done <<'END'
59 s/size = 27/size = 28/
32 s/byte_order = le/byte_order = be/
29 s/major = 1/major = 2/
3 s/size = 8; align = 8; signed = true/size = 8; align = 4; signed = true/
68 s/uint64_t packet_size/uint32_t packet_size/
END
for wrong in 'disk:a\\"b' 'disk:a,b' 'disk:a\\033[31mred' 'disk:a b' 'disk:a\\377'; do
	rm -rf named.event
	cp -r plain named.event
	sed -i "s/\"disk:queue\"/\"$wrong\"/" named.event/metadata
	check "a name that no marker has: $wrong" complains named.event \
		'^markers: named.event/metadata: line [0-9]*: an event has a name that no marker can have$'
done
cp -r plain brief
sed -i '/^trace {/,$d' brief/metadata
check "a head that is cut off" complains brief \
	'^markers: brief/metadata: it is cut off at byte [0-9]*, before the name of its tracer$'

# a stream that cannot be opened
cp -r plain link
ln -sf /nonexistent link/stream_1
check "a stream that is a link to nothing" complains link \
	'^markers: link/stream_1: is left out: No such file or directory$'
check "the other stream is read" test "$(grep -c '\[000\]' link.text)" -eq "$(grep -c '\[000\]' text)"
rm link/stream_1
mkdir link/stream_1
check "a directory" complains link '^markers: link/stream_1: is left out: it is a directory$'
check "the other stream, too" test "$(grep -c '\[000\]' link.text)" -eq "$(grep -c '\[000\]' text)"

# CPU 1's stream is cut in its last packet, when there is more text than the pipe takes
make_trace shrinks 5000
cp -r shrinks shrunk
{ markers report shrunk 2>said; echo $? >got; } |
	{ read -r line; truncate -s -100 shrunk/stream_1; cat >text.shrunk; }
is "$(cat got)" 1 "a stream that is cut while it is read"
is "$(grep -c '\[000\]' text.shrunk)" "$(markers report shrinks | grep -c '\[000\]')" \
	"the other stream is read to its end"
check "the packet and its byte are said" \
	grep -qx 'markers: shrunk/stream_1: at byte [0-9]*: it changed while it was read' said

make_trace disorder 1000
size=$(($(od -An -tu8 -j48 -N8 disorder/stream_0) / 8))
{ tail -c +$((size + 1)) disorder/stream_0; head -c $size disorder/stream_0; } >swapped
rest=$(($(wc -c <swapped) - size))
mv swapped disorder/stream_0
status_is 1 "packets in the wrong order" sh -c 'markers report --time delta disorder >disorder.text'
is "$(cat error)" "markers: disorder/stream_0: at byte $rest: the packet begins before the one before it ends, so times are not in order" \
	"it says where, once"
is "$(grep -c ' -0\.[0-9]*: disk:io_begin' disorder.text) $(grep -c ' 18446744[0-9]*\.' disorder.text)" "1 0" \
	"a time goes back, and is no large one"
status_is 1 "the time from a begin to the next" sh -c 'markers latency --csv disorder io_begin io_begin >disorder.csv'
is "$(awk -F, 'NR > 1 && $2 < $1' disorder.csv | wc -l) $(grep -c 18446744 disorder.csv)" "0 0" "is never below zero"
mkdir -p early/info
cp -r plain/. early
echo 'begin: clock=mono before=100000000000 after=100000000000 realtime=20.000000000' >early/info/clock
check "a time before 1970" sh -c \
	'TZ=UTC markers report --time wall early | grep -q " 1969-12-31 23:58:41\.000200000: disk:io_begin: id 1, "'
cp -r plain far
LC_ALL=C sed -i 's/offset_s = 1700000000;/offset_s = 9223372036;/' far/metadata
check "a time after 2262, which does not fit, stops nothing" sh -c \
	'TZ=UTC markers report --time wall far | grep -q " 1677-09-21 .*: disk:io_begin: id 1, "'

# One bad part after the other: the rest is read.
mkdir -p four/info
touch four/info/clock
for part in 1 2 3 4; do
	cp -r plain four/00000$part
	new_trace four/00000$part $part
done
check "four parts" test "$(markers report four | wc -l)" -eq 965
mv four/000004 four/000004.open
: >four/000004.open/metadata
check "an open part with empty metadata" complains four \
	'^markers: four/000004.open: is left out: its file "metadata" is empty$'
check "three parts are read" test "$(wc -l <four.text)" -eq 724
sed -i 's/tracer_name = "markers"/tracer_name = "other"/' four/000002/metadata
check "a foreign part" complains four \
	'^markers: four/000002/metadata: line 46: tracer_name is "other", not "markers"; babeltrace2 reads it$'
check "two parts are read" test "$(wc -l <four.text)" -eq 483
sed -i 's/uint32_t _bytes/int128_t _bytes/' four/000003/metadata
check "a newer part" complains four \
	'^markers: four/000003/metadata: line 97: disk:io_begin: its fields are not as .*; a newer markers may read it$'
check "one part is read" test "$(wc -l <four.text)" -eq 242
ln -sf /nonexistent four/000001/stream_1
check "a stream of a part" complains four \
	'^markers: four/000001/stream_1: is left out: No such file or directory$'
check "the other stream of the part" grep -q '\[000\]' four.text
# a directory with parts, of which some are missing
mkdir -p top/info top/000002 top/000010.open none/info
touch top/info/clock none/info/clock
cp plain/* top/000010.open
check "a part that is open" test "$(markers report top | wc -l)" -eq 242
cp plain/* top/000002
new_trace top/000002 2
check "two parts" test "$(markers report top | wc -l)" -eq 483
cp plain/metadata top
check "metadata without a stream hides no parts" test "$(markers report top | wc -l)" -eq 483
check "for check, too" sh -c 'markers check top | grep -q "482 events"'
rm top/metadata top/000002/metadata
check "a part without metadata is named" complains top \
	'^markers: top/000002: is left out: it has no file "metadata"$'
check "no parts" complains none '^markers: none: no trace is in this recording'
mv top/000002 top/snapshot-1
cp plain/metadata top/snapshot-1
new_trace top/snapshot-1 2
check "snapshots" test "$(markers report top | wc -l)" -eq 483
rm -r top

mkdir parts
check "no recording" complains parts '^markers: parts: not a recording: it has no file "metadata"$'
cp -r plain parts/000001
check "a recording with --rotate" test "$(markers report parts | wc -l)" -eq 242

for part in 2 3 4 5 6 7; do
	cp -r plain parts/00000$part
	new_trace parts/00000$part $part
done
# shellcheck disable=SC3045 # dash has ulimit -S
check "more open files than usual" status 0 sh -c 'ulimit -S -n 20 && markers report parts >many'
check "all parts are read" test "$(wc -l <many)" -eq $((1 + 7 * 241))

# for a user who cannot enter the directory that we are built in
mkdir -m 755 bin
install -m 755 "$(command -v markers)" bin

# other COMMAND...: as a user who does not own the recordings. setpriv itself keeps
# privileges until it executes a program, but those of the shell are gone.
# shellcheck disable=SC2016 # expanded there
other()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups sh -c 'exec "$@"' sh "$@"
}

# refused TRACE PATH [WORD]: a user who may not read PATH of it is told what to do
refused()
{
	got=0 word=${3-\'$1\'}
	other bin/markers report "$1" >refused.text 2>refused.error || got=$?
	[ "$got" -eq 1 ] && has refused.error \
		"markers: $2: Permission denied; if it is a recording, make it yours: sudo chown -R \$USER $word"
}

# told PATH TEXT: such a user is told no more
told()
{
	status 1 other bin/markers report "$1" >refused.text 2>refused.error || return 1
	[ "$(cat refused.error)" = "markers: $1: $2" ] || { cat refused.error; return 1; }
}

chmod 711 .
if other bin/markers report plain >/dev/null 2>&1; then
	cp -r plain roots
	chmod 600 roots/metadata
	check "a file of root's" refused roots roots/metadata
	chmod 700 roots
	check "a recording of root's" refused roots roots
	cp -r roots "it's root's"
	check "whose name the shell would split" refused "it's root's" "it's root's" "'it'\\''s root'\\''s'"
	chmod 700 parts/000001
	check "a part of root's" refused parts parts/000001
	chmod 755 parts/000001
	mkdir -m 700 parts/lost+found
	check "a directory of root's beside the parts" status 0 other bin/markers report parts
	rmdir parts/lost+found
	mkdir -p system/closed
	chmod 700 system/closed
	none='not a recording: it has no file "metadata"'
	is "$(other bin/markers report system 2>&1)" "markers: system/closed: is left out: Permission denied
markers: system: $none" "a directory of root's in another one is left out"
	check "one in the root directory is no part" told / "$none"
	closed=$(find / -maxdepth 1 -type d -perm 700 -user root | head -n 1)
	if [ "$closed" ]; then
		check "the system's are not given away" told "$closed" "Permission denied"
	else
		skip "there is none of mode 700" "the system's are not given away"
	fi
else
	skip "no other user can run it here" "a recording of root's"
fi
chmod 700 .
make_trace parts/000002 2 stack
cat >>parts/000002/metadata <<'END'
event {
	name = "late:one";
	id = 20;
	stream_id = 50463018;
	fields := struct {
		uint32_t _later;
	};
};
END
markers report -e 'late:*' --where 'later == 1 || callstack_kernel == 0' --end 1 parts 2>warning >printed
is "$? $(cat warning)" "0 " "markers and contexts of a later part are known"
markers report -e 'late:*' --format csv parts >printed
is "$(head -n 1 printed | sed 's/.*,//')" later "CSV has columns for the markers of a later part"
# a field that has another size or base is another field
mkdir other
cp -r plain other/000001
cp -r plain other/000002
sed -i 's/uint32_t _bytes/hex32_t _bytes/' other/000002/metadata
markers report -e io_begin other >printed
is "$(grep -c 'bytes=0x' printed) $(grep -c 'bytes [1-9]' printed)" "100 100" \
	"a part with another field of that name"
# no marker has such a name, but metadata may be damaged
cp -r plain title
for size in 1 100000 100000 100000 100000; do
	sed -i "s/disk:io_end/&$(printf "%0${size}d" 0)/" title/metadata
done
for words in "" "--time wall" "--fields"; do
	# shellcheck disable=SC2086 # words
	markers report title $words >printed
	is "$? $(grep -c io_end0 printed)" "0 100" "a title that is longer than a line can be $words"
done
for words in "--help" "report --help" "--man report" "--completion"; do
	# shellcheck disable=SC2086 # words
	markers $words >help
	check "markers $words" grep -q report help
done
finish
