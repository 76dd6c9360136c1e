#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers export: the readers of each format find the events in it.
#
# usage: selftests/command/export.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

make_trace trace 1000
make_trace lost 1000 lost
make_trace odd 3 odd

# decode FILE: into the file text
decode()
{
	protoc --decode=Trace -I"$here" perfetto.proto <"$1" >text
}

# Perfetto, in an archive with the kernel's events
check "perfetto" status 0 markers export --pair io_begin:io_end:id --counter disk/queue:depth trace
check "an archive" tar xf trace.tar
check "of two parts" test "$(tar tf trace.tar | tr '\n' ' ')" = "markers.perfetto kernel.ftrace "
check "one is text of ftrace" grep -q '^ *task 100-100  *\[000\] \.\.\.\.  *1\.000006: sched_switch: prev_comm=task 100 .* ==> next_comm=swapper/0 ' kernel.ftrace
if command -v protoc >/dev/null; then
	check "protoc reads the other" decode markers.perfetto
	check "no field is unknown" status 1 grep -E '^ *[0-9]+[ :]' text
	check "slices begin" test "$(grep -c 'name: "io_begin"' text)" -eq 1000
	check "all that begins ends" test "$(grep -c SLICE_BEGIN text)" -eq "$(grep -c SLICE_END text)"
	check "a marker that draws itself" test "$(grep -c 'name: "flush"' text)" -eq 100
	check "its row" grep -q '^ *name: "queue 4"$' text
	check "a counter" grep -q '^ *name: "queue depth"$' text
	check "its values" test "$(grep -c 'counter_value: 9$' text)" -eq 3
	check "extremes" grep -q '^ *uint_value: 18446744073709551615$' text
	check "below 0" grep -q '^ *int_value: -9223372036854775808$' text
	check "pointers" grep -q '^ *pointer_value: 18446612682070032384$' text
	check "text" grep -qF 'string_value: "a \"b\"\n\\ \303\244 ?,"' text
	check "bytes" grep -q 'string_value: "02:00:5e:10:00:01"' text
	check "the time of day" grep -q 'timestamp: 1700000000000000001' text
	mkdir -p timed/info
	cp -r trace/. timed
	echo 'begin: clock=mono before=999999990 after=1000000010 realtime=1700000100.000000000' >timed/info/clock
	check "with clocks that were read together" markers export -o timed.perfetto timed
	decode timed.perfetto
	check "it is that of these" test "$(grep -A 9 clock_snapshot text | grep -o 'timestamp: .*' | tr '\n' ' ')" = \
		'timestamp: 1000000000 timestamp: 1700000100000000000 '
	decode markers.perfetto
	# the second request, by its number: its time, and the fields of its begin and of its end
	check "a slice begins with the fields of its begin" test "$(sed -n '/timestamp: 1000200000$/,/^}/p' text |
		grep -oE 'SLICE_[A-Z]+|name: "(id|bytes|error)"|[a-z]*int_value: .*' | sort -u | tr '\n' ' ')" = \
		'SLICE_BEGIN name: "bytes" name: "id" uint_value: 1 uint_value: 1024 '
	check "and ends with the other ones of its end" test "$(sed -n '/timestamp: 1000202000$/,/^}/p' text |
		grep -oE 'SLICE_[A-Z]+|name: "(id|bytes|error)"|[a-z]*int_value: .*' | sort -u | tr '\n' ' ')" = \
		'SLICE_END int_value: 0 name: "error" '
	make_trace bytes 1 bytes
	# as they are without a format, which knows that there are 64 at most
	sed -i '/\/\* format /d' bytes/metadata
	markers export -e hard -o bytes.perfetto bytes 2>said
	decode bytes.perfetto
	check "many bytes" grep -qE 'string_value: "61:62:63(:00){597}"$' text
	markers export -o lost.perfetto lost 2>/dev/null
	decode lost.perfetto
	check "losses" test "$(grep -cE 'name: "lost (5|7) events"' text)" -eq 2
	markers export -o odd.tar --counter odd:large --counter odd:half odd 2>/dev/null
	tar xf odd.tar
	decode markers.perfetto
	check "a marker with the name of a kernel's event" grep -q 'string_value: "no task"' text
	check "large counters" test "$(grep -c 'double_counter_value: 1.8446744073709552e+19$' text)" -eq 5
	check "those below 0" test "$(grep -c ' counter_value: -1000$' text)" -eq 5
	check "is none of the kernel's" status 1 grep -q -e 'no task' -e '=?' kernel.ftrace
else
	skip "no protobuf-compiler" "protoc reads it"
fi

# Chrome
markers export -f chrome --counter odd:large --counter odd:half -o - odd >odd.json
check "large counters" grep -q '"name":"odd large","args":{"value":18446744073709551615}' odd.json
check "and those below 0" grep -q '"name":"odd half","args":{"value":-1000}' odd.json
check "chrome" status 0 markers export --format chrome --pair io_begin:io_end:id --counter queue:depth lost
cat >chrome.py <<'END'
import json
with open('lost.json', encoding='utf-8') as file:
    events = json.load(file)['traceEvents']
open_slices, slices = {}, []
for event in events:
    if event['ph'] == 'B':
        assert event['tid'] not in open_slices, event
        open_slices[event['tid']] = event
    elif event['ph'] == 'E':
        begin = open_slices.pop(event['tid'])
        # or speedscope does not end it, or complains
        assert event['name'] == begin['name'] and event['args'] == begin['args'], event
        slices.append((begin['name'], event['ts'] - begin['ts'], begin['args']))
    elif event['ph'] == 'X':
        slices.append((event['name'], event['dur'], event['args']))
assert not open_slices
pairs = [(args['id'], round(us)) for name, us, args in slices if name == 'io_begin']
assert len(pairs) == 998, len(pairs)
assert all(us == number % 100 + 1 for number, us in pairs)
assert all(args['bytes'] == 512 << args['id'] % 8 and args['error'] == (0 if args['id'] % 50 else -5)
           for name, _, args in slices if name == 'io_begin')
assert sum(name == 'flush' for name, _, _ in slices) == 100
counts = [event['args']['value'] for event in events if event['ph'] == 'C']
assert counts == [i % 32 for i in range(100)], counts
lost = [event['name'] for event in events if event.get('s') == 'g']
assert lost == ['lost 5 events', 'lost 7 events'], lost
rows = {event['args']['name'] for event in events if event['name'] == 'thread_name'}
assert {'task 100', 'CPU 0', 'queue 4'} <= rows, rows
END
check "python reads it: slices, their lengths, counters, losses" python3 chrome.py
# slices that draw themselves: the end of one was lost
make_trace torn 100 torn
markers export -f chrome -o - torn 2>/dev/null >torn.json
is "$(sed -nE 's/.*"ph":"([BE])",.*"ts":([0-9.]*),.*/\1 \2/p' torn.json | head -n 4 | tr '\n' ' ')" \
	"B 1000003.000 E 1001800.000 B 1002003.000 E 1002005.000 " "a loss ends what is open, and the next one is not in it"
check "each of them ends" test "$(grep -c '"ph":"B"' torn.json) $(grep -c '"ph":"E"' torn.json)" = "10 10"
markers export -f chrome --pair queue:queue -o same.json trace 2>/dev/null
markers export -f chrome --pair queue:sched_switch --pair slice:hard:tid -o - trace >task.json
check "slices of a thread are in its row" test \
	"$(grep '"name":"queue"' task.json | grep -c '"ph":"X","pid":0,"tid":100,')" -eq 100
check "both values of a field that changes" grep -q '"args":{"depth":4,"end.depth":5}}' same.json
markers export --pair sched_switch:queue -o kernel.tar trace 2>/dev/null
check "a pair of the kernel's events is drawn, too" test "$(tar xOf kernel.tar markers.perfetto |
	grep -ac sched_switch)" -ge 1
markers export -f chrome --lanes cpu -o - trace >cpu.json
check "rows by CPU" test "$(grep -c '"thread_name".*CPU' cpu.json)" -eq 2
markers export -f chrome --lanes bytes -o - trace >field.json
check "rows by a field" grep -q '"thread_name".*"bytes 65536"' field.json
check "a part of it" test "$(markers export -f chrome -e io_begin --end 1.0008 -o - trace | grep -c '"ph":"i"')" -eq 5

make_trace devices 30 devices
markers export -f chrome --pair rq_begin:rq_end:tag -o - devices 2>said >/dev/null
is "$(cat said)" "markers: --pair rq_begin:rq_end: not ended 3, not begun 3, left out for losses 0
markers: --pair rq_begin:rq_end: 3 begins came again before their end: add a field to KEY" \
	"a tag of two devices: it says what is missing, and why"
# rq OPTION...: the requests of two devices that share their tags
rq()
{
	markers export -f chrome -e 'rq_*' --pair rq_begin:rq_end:dev,tag:disk,tag -o - "$@" devices \
		>rq.json 2>said || return 1
	[ ! -s said ] || { cat said; return 1; }
}
check "both fields are the key" rq
is "$(grep -c '"dur":100.000,' rq.json) $(grep -c '"dur":10.000,' rq.json)" "3 3" "all are slices"
check "rows of devices" rq --lanes dev
is "$(grep -o '"name":"dev [0-9]"' rq.json | sort | uniq -c | tr -s ' \n' ' ')" \
	' 1 "name":"dev 8" 1 "name":"dev 9" ' "each has one"
is "$(grep -c '"dur"' rq.json)" 6 "with its slices"
check "a counter for each device" rq --counter rq_begin:tag:dev
is "$(grep '"ph":"C"' rq.json | grep -o '"name.*value":[0-9]*' | head -n 3 | tr '\n' ' ')" \
	'"name":"rq_begin tag dev 8","args":{"value":0 "name":"rq_begin tag dev 9","args":{"value":0 "name":"rq_begin tag dev 8","args":{"value":1 ' \
	"by name"

# rows of slices that overlap: the first two of three in a device's lane or below it
make_trace overlap 10 overlap
cat >below.py <<'END'
import json, sys
rows, slices = {}, {}
for event in json.load(sys.stdin)['traceEvents']:
    row = rows.setdefault(event['tid'], {'pid': event['pid']})
    if event['ph'] == 'M':
        row[event['name']] = list(event['args'].values())[0]
    elif event['ph'] == 'X':
        slices.setdefault(event['tid'], []).append('%d.%d' % (event['args']['dev'], event['args']['tag']))
for tid, row in sorted(rows.items(), key=lambda item: item[1]['thread_sort_index']):
    print(row['thread_name'] + ':', *slices[tid])
assert len({row['thread_sort_index'] // 2 for row in rows.values()}) == 2
END
markers export -f chrome -e 'rq_*' --pair rq_begin:rq_end:dev,tag:disk,tag --lanes dev -o - overlap |
	python3 below.py >got
is $? 0 "Chrome's rows of pairs have an order"
cat >wanted <<'END'
dev 8: 8.0
rq_begin to rq_end, dev 8: 8.1
rq_begin to rq_end, dev 8: 8.2
dev 9: 9.0
rq_begin to rq_end, dev 9: 9.1
rq_begin to rq_end, dev 9: 9.2
END
check "they follow their lane" diff wanted got
markers export -f chrome -e 'rq_*' --pair rq_begin:rq_end:dev,tag:disk,tag -o - overlap >rq.json
is "$(grep -c '"name":"rq_begin to rq_end"' rq.json)" 5 "as many as are open at a time, where no lane is theirs"
# rows for all that are open at a time, up to a limit
make_trace late 300 late
markers export -f chrome --pair io_begin:io_end:id -o late.json late 2>said
is "$(grep '"dur"' late.json | grep -o '"tid":[0-9]*' | sort -u | wc -l)" 300 "300 that overlap are in as many rows"
check "nothing to say of them" status 1 grep overlap said
make_trace later 4100 late
markers export -f chrome --pair io_begin:io_end:id -o late.json later 2>said
check "what is in a row with others is told" has said "markers: 4 slices overlap others in the last of 4096 rows"
if command -v protoc >/dev/null; then
	markers export -e 'rq_*' --pair rq_begin:rq_end:dev,tag:disk,tag --lanes dev -o below.perfetto overlap 2>/dev/null
	decode below.perfetto
	is "$(awk '$1 == "track_event" { id = "" }
		$1 == "uuid:" { id = $2 }
		$1 == "name:" && id { $1 = ""; row[id] = $0 }
		$1 == "parent_uuid:" { row[id] = row[$2] " >" row[id] }
		END { for (id in row) print row[id] }' text |
		tr -d '"' | LC_ALL=C sort | uniq -c | tr -s ' \n' ' ')" \
		" 1 dev 8 2 dev 8 > rq_begin to rq_end 1 dev 9 2 dev 9 > rq_begin to rq_end " \
		"Perfetto's rows of pairs are below their lane"
else
	skip "no protobuf-compiler" "Perfetto's rows of pairs are below their lane"
fi
status_is 1 "a counter of texts" markers export -f chrome --counter hard:text -o counter.json trace
is "$(grep -c '^markers: --counter hard:text: text is no number$' error)" 1 "it says what it is not"
status_is 0 "of markers some of which have a number there" \
	markers export -f chrome --counter '*:id' -o counter.json odd
make_trace texts 20 texts
check "a counter for each long text" status 0 \
	markers export -e hard -f chrome --counter hard:big:text -o texts.json texts
is "$(grep -o '"name":"hard big text xxx[^"]*' texts.json | sort -u | wc -l)" 2 \
	"although they differ only in the last character"
check "without an empty field" status 2 markers export --counter rq_begin:tag: devices
check "nor a second list" status 2 markers export --counter rq_begin:tag:dev:dev devices

make_trace stack 2 stack
mkdir stack/info
printf 'ffffffffc0001000 t one\t[disk]\nffffffff81000200 T two\nffff888000000000 t table\t[slab]\n' \
	>stack/info/symbols
markers export -f chrome -o - stack >named.json
is "$(grep -o '"callstack_kernel":"[^"]*"' named.json)" '"callstack_kernel":"one+0x4 [disk]\ntwo+0x50"' \
	"the kernel's stack, with names"
check "a number that is the address of a function" grep -qF '"pointer":"0xffff888000000000 (table+0x0 [slab])"' named.json
markers export -f chrome --pair io_begin:io_end:id -o - stack >named.json
check "the stack of the begin of a slice" grep -qF '"bytes":1024,"callstack_kernel":"one+0x4 [disk]\ntwo+0x50","error":0}' named.json
markers export -o named.perfetto stack 2>said
check "in Perfetto's format, too" grep -qaF 'one+0x4 [disk]' named.perfetto
markers export -f trace.dat -o named.dat stack 2>said
check "trace.dat has numbers for addresses in fields, and a line says so" has said \
	"markers: 1 event has addresses of functions, which are numbers in trace.dat"
if command -v trace-cmd >/dev/null; then
	trace-cmd report -t named.dat >text 2>/dev/null
	is "$(sed -n '/ stack: /,/two/p' text)" \
		"        task 101-101   [000]     1.000200000: stack:                callstack_kernel=
 => one+0x4 [disk]
 => two+0x50" "but the stack is an event behind it"
else
	skip "no trace-cmd" "but the stack is an event behind it"
fi
cp -r stack kernels
sed -i 's/"disk:io_begin"/"kernel_events:sched_waking"/' kernels/metadata
markers export -o kernels.tar kernels 2>said
check "ftrace's text has none, and a line says so" has said \
	"markers: 1 of the kernel's events has a stack, which kernel.ftrace leaves out"
markers export -f lttng -o stack.lttng stack 2>said
check "a copy has no names, and a line says so" has said \
	"markers: the functions of stacks are addresses there, without names"

# events that draw themselves, with all of the fields: each mark with its row
make_trace drawn 20 drawn
cat >wanted <<'END'
CPU 3: I kick, I kick
level queue 0: C 0, C 10
level queue 1: C -1, C -1
phase tid 100: B read, E, B read, E
phase tid 101: B write, E, B write, E
queue 4: B flush, E, B flush, E
requests: C 0, C 1
tgid 50: B job, E, B job, E
END
cat >rows.py <<'END'
import json, sys
rows, names = {}, {}
for event in json.load(sys.stdin)['traceEvents']:
    kind = event['ph'].upper()
    if event['name'] == 'thread_name':
        names[event['tid']] = event['args']['name']
    elif kind == 'M':
        pass
    elif kind == 'C':
        rows.setdefault(event['name'], []).append('C %d' % event['args']['value'])
    else:
        rows.setdefault(names[event['tid']], []).append('E' if kind == 'E' else kind + ' ' + event['name'])
for name, marks in rows.items():
    print(name + ': ' + ', '.join(marks))
END
drawn="-e slice -e step -e on_cpu -e group -e level -e total"
# shellcheck disable=SC2086 # words
markers export -f chrome $drawn -o - drawn | python3 rows.py | LC_ALL=C sort >got
check "Chrome's rows of events that draw themselves" diff wanted got
if command -v protoc >/dev/null; then
	# shellcheck disable=SC2086
	markers export $drawn -o rows.perfetto drawn 2>/dev/null
	decode rows.perfetto
	awk '$1 == "debug_annotations" { skip = 1 }
		$1 == "}" && skip { skip = 0; next }
		skip { next }
		$1 == "track_descriptor" { is_row = 1 }
		$1 == "track_event" { is_row = 0; name = value = "" }
		$1 == "uuid:" { id = $2 }
		$1 == "track_uuid:" { track = $2 }
		$1 == "name:" {
			sub(/^ *name: "/, "")
			sub(/"$/, "")
			if (is_row)
				row[id] = $0
			else
				name = " " $0
		}
		$1 == "counter_value:" { value = " " $2 }
		$1 == "type:" { type = substr($2, $2 ~ /SLICE/ ? 12 : 6, 1) }
		/^}/ && type != "" {
			marks[track] = marks[track] (marks[track] ? ", " : "") type name value
			type = ""
		}
		END { for (id in marks) print row[id] ": " marks[id] }' text | LC_ALL=C sort >got
	check "and Perfetto's" diff wanted got
	is "$(awk '$1 == "type:" { end = $2 ~ /END/ }
		$1 == "name:" { name = $2 }
		$1 == "timestamp:" { name = "" }
		/_value:/ && /^      / { value = $2 }
		$1 == "name:" && $0 ~ /^      / { shown = shown name "=" value " " }
		/^}/ { if (end) print shown; shown = ""; end = 0 }' text | grep . | sort | uniq -c | tr -s ' ')" \
		' 2 "end.done"=1 ' "the end of a slice shows what the begin did not"
else
	skip "no protobuf-compiler" "and Perfetto's"
fi
# flush is from 1.000003 to 1.000005
markers export -f chrome --begin 1.000004 --end 1.0001 -e slice -o - trace >within.json
check "no end of a slice that began before the part" status 1 grep -q '"ph":"E"' within.json
markers export -f chrome --begin 1.000003 --end 1.0001 -e slice -o - trace >within.json
check "both ends of one in it" test "$(grep -c '"ph":"[BE]"' within.json)" -eq 2

# trace.dat
check "trace.dat" status 0 markers export -f trace.dat lost
markers export -f trace.dat trace 2>/dev/null
# lines FILE: CPU, time, name and fields of each event that both programs print alike
lines()
{
	sed -nE 's/^ *(.*-[0-9]+) +(\[[0-9]+\]) +([a-zA-Z.0-9]{4} +)?([0-9]+\.[0-9]{9}): ([a-z_]+:)?(io_begin|io_end|queue|slice): +(.*)$/\1 \2 \4 \6 \7/p' "$1" | sort
}
if command -v trace-cmd >/dev/null; then
	check "trace-cmd reads it" sh -c 'exec trace-cmd report -t lost.dat >cmd.text 2>cmd.error'
	check "and has no complaint" test ! -s cmd.error
	markers report --fields lost >text
	lines text >wanted
	lines cmd.text >got
	check "it has all events" test "$(wc -l <got)" -eq 2300
	check "with the same tasks, CPUs, times and fields" cmp wanted got
	check "a loss where it was" status 0 grep -qxF 'CPU:1 [5 EVENTS DROPPED]' cmd.text
	check "one at the end" grep -q ' lost_at_end: *count=7$' cmd.text
	check "the kernel's switches, as its plugin shows them" grep -q \
		'task 100-100 .*: sched_switch: *task 100:100 \[120\] S ==> swapper/0:0 \[120\]$' cmd.text
	check "extremes and bytes" grep -q \
		' big=18446744073709551615 small=-9223372036854775808 pointer=0xffff888000000000 mac=02 00 5e 10 00 01 data=61 62 63$' cmd.text
	markers export -f trace.dat -e 'disk:*' odd 2>/dev/null
	trace-cmd report -t odd.dat >cmd.text 2>cmd.error
	check "a marker with the name of a kernel's event" grep -q ' sched_switch: *id=5 comm=no task$' cmd.text
	check "and has no complaint" test ! -s cmd.error
	check "short numbers below 0" grep -q ' odd: *byte=-1 half=-1000 large=18446744073709551615 ' cmd.text
	check "tasks with odd names, and those that follow" test "$(sed -nE 's/^ *(.*[^ ]) *-([1-5]|100) .*(odd|sched_switch): .*/\2 \1/p' cmd.text |
		tr '\n' ',')" = "1 <...>,2 two?lines,3 <...>,4 (sd-pam),5 a b,100 task 100,"
else
	skip "no trace-cmd" "trace-cmd reads it"
fi
# "big" lets perf print the same events
if command -v perf >/dev/null; then
	markers report --fields lost >text
	lines text >wanted
	"$out/make_perf" lost.dat lost.perf
	perf script --ns -F comm,tid,cpu,time,event,trace -i lost.perf 2>error |
		sed -nE 's/^ *(.*[^ ]) +([0-9]+) (\[[0-9]+\]) +([0-9]+\.[0-9]{9}): +disk:(io_begin|io_end|queue|slice): +(.*)$/\1-\2 \3 \4 \5 \6/p' |
		sort >got
	check "perf finds the same in the samples made of it" cmp wanted got
else
	skip "no perf" "perf finds the same in the samples made of it"
fi
status_is 0 "a text that is too long for a page" markers export -f trace.dat -o long.dat odd
is "$(head -n 1 error)" "markers: 1 event does not fit in trace.dat's pages of 4 KiB: texts are cut" "it says so"
check "which others do not" status 1 sh -c 'markers export -f trace.dat -o short.dat trace 2>&1 | grep pages'
# the metadata also have the markers that did not occur: more than trace.dat has numbers for
mkdir many
cp trace/stream_* many
awk '/^event/ && !n {
		for (n = 200; n < 65200; n++)
			printf "event {\n\tname = \"m%d:idle\";\n\tid = %d;\n\tstream_id = 50463018;\n\tfields := struct {\n\t\tint32_t _x;\n\t};\n};\n\n", n, n
	}
	{ print }' trace/metadata >many/metadata
check "65000 more markers" status 0 timeout 120 markers export -f trace.dat many
check "make no difference" cmp many.dat trace.dat
check "trace.dat needs a file" status 2 markers export -f trace.dat -o - trace
mkfifo pipe
check "and not a pipe" status 1 timeout 60 markers export -f trace.dat -o pipe trace
check "or a device" status 1 markers export -f trace.dat -o /dev/full trace
# a disk is full when the pages are written, or when the head is inserted
for blocks in 8 $((($(wc -c <lost.dat) - 1) / 512)); do
	# shellcheck disable=SC3045 # dash has ulimit -f
	(trap '' XFSZ && ulimit -f "$blocks" && markers export -f trace.dat -o full.dat lost) 2>said
	is $? 1 "no room for more than $blocks blocks of trace.dat"
	check "it says so" grep -q 'full.dat: File too large' said
	check "and not what it wrote" status 1 grep -q 'events in' said
	check "and leaves nothing" test ! -e full.dat
done
# one CPU after the other is read, but those of several parts are merged
mkdir parts
cp -r trace parts/1
cp -r trace parts/2
check "parts that overlap" status 0 markers export -f trace.dat -o parts.dat parts
make_trace moved 100 moved
check "tasks change their names" status 0 markers export -f trace.dat moved
check "to the last ones" test "$(tr -d '\0' <moved.dat | grep -aoxE '(7|100) [a-z]* [0-9]*' | sort)" = "100 task 100
7 task 7"
# a stream that ends with a damaged event, in the middle of its packet
cp -r trace damaged
printf '\377%.0s' $(seq 64) | dd of=damaged/stream_0 bs=1 seek=1000 conv=notrunc 2>/dev/null
check "a CPU with a damaged event" status 1 markers export -f trace.dat damaged
# fewer files than it needs, to the number that is enough
n=3 status=1
while [ $n -lt 100 ]; do
	# shellcheck disable=SC3045 # dash has ulimit -n
	(ulimit -n $n && markers export -f trace.dat -o few.dat trace) 2>/dev/null
	status=$?
	[ $status -ne 0 ] || break
	n=$((n + 1))
done
is $status 0 "with $n files open"
check "it is complete" cmp few.dat trace.dat
if command -v trace-cmd >/dev/null; then
	trace-cmd report --cpu 1 damaged.dat >cmd.text 2>/dev/null
	check "does not harm another" test "$(grep -c io_end cmd.text)" -eq 1000
	trace-cmd report -t --cpu 1 parts.dat 2>/dev/null | sed -nE 's/.* ([0-9]+\.[0-9]{9}): .*/\1/p' >when
	check "are merged" test "$(wc -l <when)" -eq "$(($(markers report --cpu 1 parts | grep -c '^[^#]')))"
	check "in the order of time" sort -c when
else
	skip "no trace-cmd" "no harm to another CPU, and parts are merged"
fi
# there is room for a bit more than the file, not for temporary files
if unshare -rm true 2>/dev/null; then
	make_trace long 9000 long
	markers export -f trace.dat -o long.dat long 2>/dev/null
	kib=$(($(wc -c <long.dat) / 1024))
	mkdir small
	export kib
	# shellcheck disable=SC2016 # $kib is for that shell
	check "little room for trace.dat" status 0 unshare -rm sh -c '
		mount -t tmpfs -o size=$((kib + 64))k small small &&
		markers export -f trace.dat -o small/dat long && cmp small/dat long.dat'
else
	skip "unshare is not allowed" "little room for trace.dat"
fi

# an archive needs a file for the kernel's events: it is beside the archive, not in /tmp
if unshare -rm true 2>/dev/null; then
	make_trace kernel 20000
	markers export -o kernel.tar kernel 2>/dev/null
	tar xf kernel.tar
	mkdir -p room/small room/bin
	mv kernel room/
	# what is in /tmp is hidden: the recording and the programs are in /mnt
	full="mount --bind '$(dirname "$(command -v markers)")' room/bin && mount --rbind room /mnt &&
		mount -t tmpfs -o size=4k tmpfs /tmp && echo >/tmp/full && cd /mnt || exit 9
		PATH=/mnt/bin:$PATH"
	check "a full /tmp" status 0 unshare -rm sh -c "$full exec markers export -o kernel.tar kernel"
	check "has all of the kernel's events" cmp room/kernel.tar kernel.tar
	# the disk is full while the recording is read, or when the archive is completed
	for half in 1 3; do
		kib=$((($(wc -c <markers.perfetto) + half * $(wc -c <kernel.ftrace) / 2) / 1024))
		unshare -rm sh -c "$full
			mount -t tmpfs -o size=${kib}k tmpfs small || exit 9
			markers export -o small/kernel.tar kernel; status=\$?
			ls small; exit \$status" >left 2>said
		is $? 1 "room for $half halves of the kernel's events"
		check "it says so" test "$(cat said)" = "markers: small/kernel.tar: No space left on device"
		check "and leaves nothing" test ! -s left
	done
else
	skip "unshare is not allowed" "a full /tmp"
fi

# LTTng's names
markers export -f lttng lost 2>views
check "it says what views lack" grep -q \
	'view "Resources": the recording does not have irq_handler_entry irq_handler_exit ' views
check "and not what they have" status 1 grep -q 'CPU Usage' views
check "the copy is whole" status 0 markers check lost.lttng
babeltrace2 lost.lttng >text 2>/dev/null
check "babeltrace2 finds LTTng's names" test "$(grep -c ' sched_switch: .* prev_tid = 100, .* next_tid = 0, ' text)" -eq 100
check "other modules keep theirs" test "$(grep -c ' disk:io_begin: ' text)" -eq 1000
check "losses matter there, too" status 3 markers export -f lttng --strict -o strict.lttng lost
check "if there are some" status 0 markers export -f lttng --strict -o whole.lttng trace
for part in "--begin 1.1" "--end 1.1" "--cpu 0" "-e io_begin" "--where id==1" "-o -"; do
	# shellcheck disable=SC2086 # words
	check "no part of it: $part" status 2 markers export -f lttng $part trace
done
for what in "--pair io_begin:io_end:id" "--counter queue:depth" "--lanes cpu"; do
	# shellcheck disable=SC2086 # words
	check "nothing is drawn there: $what" status 2 markers export -f lttng $what trace
done
status_is 1 "a copy of a damaged event" markers export -f lttng damaged
is "$(grep -c 'event at byte .*; the rest of the packet is left out$' error)" 1 "says once where it is"
check "it has the packet" cmp damaged/stream_0 damaged.lttng/stream_0
cp -r lost cut
truncate -s -8 cut/stream_0
markers export -f lttng cut 2>said
check "what is cut off is said once" test "$(grep -c 'cut off' said)" -eq 1
# pieces of a collector
mkdir -p relay/one relay/two
cp -r lost relay/one/markers
cp -r lost relay/two/markers
truncate -s -8 relay/one/markers/stream_0
check "pieces that have the same packets, and one a half" env TMPDIR=/nonexistent "$(command -v markers)" export -f lttng relay
for file in metadata stream_0 stream_1; do
	check "become one: $file" cmp lost.lttng/$file relay.lttng/$file
done
# parts, the first packet of which is damaged
make_trace rotated 3000
size=$(($(od -An -tu8 -j48 -N8 rotated/stream_0) / 8))
mkdir rotated/info rotated/000001 rotated/000002
touch rotated/info/clock
cp rotated/metadata rotated/000001
mv rotated/metadata rotated/stream_1 rotated/000002
head -c $((3 * size)) rotated/stream_0 >rotated/000001/stream_0
tail -c +$((3 * size + 1)) rotated/stream_0 >rotated/000002/stream_0
rm rotated/stream_0
status_is 0 "parts of one CPU" markers export -f lttng -o sound.lttng rotated
printf x | dd of=rotated/000001/stream_0 bs=1 conv=notrunc status=none
status_is 1 "a damaged begin of the first part" markers export -f lttng rotated
grep -q '^markers: rotated/000001/stream_0: at byte 0: no packet begins here; what follows is left out' error
result $? "is said"
has error "markers: what can be read of it was copied to rotated.lttng"
result $? "and what the copy is"
check "the rest is there" test "$(wc -c <rotated.lttng/stream_0)" -eq "$(($(wc -c <sound.lttng/stream_0) - size))"
# a part that is left out
mkdir -p without/000001 without/000002 without/info
touch without/info/clock
cp lost/metadata lost/stream_* without/000001
cp lost/stream_0 without/000002
for strict in "" --strict; do
	rm -rf without.lttng
	# shellcheck disable=SC2086 # a word, or none
	status_is 1 "a part without its metadata${strict:+, and losses that matter}" markers export -f lttng $strict without
	is "$(grep -c '^markers: without/000002: is left out: it has no file "metadata"$' error)" 1 "is said once"
done
# without room for the second stream, and a recording of two parts
# shellcheck disable=SC3045 # dash has ulimit -f
(trap '' XFSZ && ulimit -f $(($(wc -c <lost/stream_1) / 512 + 1)) && markers export -f lttng -o half lost) 2>said
is $? 1 "no room for a copy"
check "it says so" grep -q 'half/stream_0: File too large' said
check "and leaves nothing" test ! -e half
(trap '' XFSZ && ulimit -f $(($(wc -c <lost/stream_1) / 512 + 1)) && markers export -f lttng -o half parts) 2>said
is $? 1 "no room for a copy of parts"
check "leaves nothing" test ! -e half

# a default name does not replace anything, -o does
mkdir user
for format in perfetto:tar chrome:json trace.dat:dat lttng:lttng; do
	echo mine >"user/lost.${format#*:}"
done
cp -r lost user/lost
for format in perfetto:tar chrome:json trace.dat:dat lttng:lttng; do
	to=user/lost.${format#*:}
	status_is 1 "what is there is not replaced: $to" markers export -f "${format%:*}" user/lost/
	is "$(grep -c "^markers: $to exists: remove it, or say with -o" error)" 1 "what to do"
	check "it stays" test "$(cat "$to")" = mine
	[ "$to" = user/lost.lttng ] || check "-o replaces it" status 0 markers export -f "${format%:*}" -o "$to" user/lost
	[ "$(head -c 4 "$to")" != mine ] || [ "$to" = user/lost.lttng ]
	result $? "by another: $to"
done
rm user/lost.*
for format in perfetto:tar trace.dat:dat; do
	to=user/lost.${format#*:}
	mkdir "$to"
	status_is 1 "nor is a directory: $to" markers export -f "${format%:*}" user/lost
	is "$(cat error)" "markers: $to exists: remove it, or say with -o which file to write" "it says so"
	rmdir "$to"
done
for format in perfetto:tar chrome:json trace.dat:dat lttng:lttng; do
	check "beside the directory itself: ${format%:*}" status 0 env -C user/lost markers export -f "${format%:*}" .
	check "by its name" test -e "user/lost.${format#*:}"
done
check "beside one that ends in .." status 0 markers export -f chrome user/lost/..
check "by that name" test -e user.json
check "nothing is hidden in it" test "$(ls -A user/lost)" = "$(ls -A lost)"
check "it says where a copy is" status 0 env -C user/lost sh -c 'rm -rf ../lost.lttng; markers export -f lttng . 2>../said'
check "in plain words" grep -q "^markers: it was copied to .*/user/lost.lttng$" user/said
# nor does -o replace what is read
cp -r lost self
mkdir self/info
echo mine >self/info/clock
ln -s self/stream_1 link
ln self/stream_1 hard
for words in "chrome self/stream_1" "trace.dat self/metadata" "perfetto link" "chrome hard" "chrome self/info/clock" \
	"perfetto self/new" "lttng self/new" "lttng self/new/"; do
	to=${words#* }
	status_is 1 "a file in the recording: $words" markers export -f "${words% *}" -o "$to" self
	is "$(cat error)" "markers: $to: is in the recording: write it elsewhere with -o" "it says so"
done
check "all stays" sh -c \
	'cmp lost/stream_1 self/stream_1 && cmp lost/metadata self/metadata && grep -q mine self/info/clock'
check "and nothing is new" test ! -e self/new
mkdir self-other
check "a name that only begins like it" markers export -f chrome -o self-other/new self
if command -v zstd >/dev/null; then
	rm -r self
	cp -r lost self
	markers pack self 2>/dev/null
	cp self.tar.zst packed.tar.zst
	status_is 1 "nor a packed one" markers export -f chrome -o packed.tar.zst packed.tar.zst
	check "which stays" cmp self.tar.zst packed.tar.zst
else
	skip "no zstd" "nor a packed one"
fi
# a signal, here that of a file that is too large, leaves nothing: the next export can have the name
cp -r parts again
for format in perfetto:tar chrome:json trace.dat:dat lttng:lttng; do
	to=again.${format#*:}
	# shellcheck disable=SC2016,SC3045 # $1 is of that shell, and dash has these limits
	env --default-signal sh -c 'ulimit -c 0; ulimit -f 16; exec markers export -f "$1" again' \
		sh "${format%:*}" 2>error
	is $? 153 "a signal ends the export to $to"
	check "nothing of it stays" test ! -e "$to"
	check "it can be made again" status 0 markers export -f "${format%:*}" again
	check "and then stays" test -e "$to"
done
# the metadata has events that were not recorded
cp -r lost known
sed -n '/^event {/,/^};/p' lost/metadata | sed -n '/kernel_events:sched_switch/,/^};/p' |
	sed '1s/.*/event {\n\tname = "kernel_syscalls:exit_syscall";/; s/\tid = .*/\tid = 60000;/' >>known/metadata
rm -rf known.lttng
markers export -f lttng known 2>&1 | grep 'view "' >views.known
grep 'view "' views >views.lost
check "an event that was not recorded is none" cmp views.lost views.known

for format in perfetto chrome trace.dat; do
	check "losses matter: $format" status 3 markers export --strict -o x -f $format lost
	check "but not in another part: $format" status 0 \
		markers export --strict --end 1.01 -o x -f $format lost
done
check "a format that is none" status 2 markers export -f xml trace
check "a pair that is none" status 2 markers export --pair io_begin trace
# shellcheck disable=SC2046 # words
status_is 2 "too many pairs" markers export $(printf -- '--pair queue:hard:tid %.0s' $(seq 33)) trace
is "$(grep -c '^markers: up to 32 of --pair and --counter can be given' error)" 1 "it says the limit"
markers export -o names --pair nosuch:io_end:id --pair io_begin:io_end:bogus --counter queue:bytes \
	--lanes row trace 2>missing
is $? 1 "names that the recording does not have: status 1"
check "a line for each" test "$(grep -c 'has no such' missing)" -eq 5
for line in "--pair: nosuch: the recording has no such marker" \
	"--pair: bogus: io_begin has no such field or context" \
	"--pair: bogus: io_end has no such field or context" \
	"--counter: bytes: queue has no such field or context" \
	"--lanes: row: the recording has no such field or context"; do
	check "$line" grep -q "^markers: $line; it has \|^markers: $line; is it " missing
done
check "a marker that it does not have" status 1 markers export -e nosuch -f trace.dat -o names trace
check "a counter that is none" status 2 markers export --counter queue trace
for format in perfetto chrome; do
	status_is 1 "no room for $format" markers export -f $format -o /dev/full trace
	check "it says why" test "$(cat error)" = "markers: /dev/full: No space left on device"
	status_is 1 "no directory for $format" markers export -f $format -o nowhere/x trace
	check "it says which, and no more" test "$(cat error)" = "markers: nowhere/x: No such file or directory"
done
check "which is no file of ours" test -c /dev/full
echo mine >./-
# shellcheck disable=SC2016 # $1 is of that shell
status_is 1 "no room on stdout" sh -c 'exec markers export -f chrome -o - "$1" >/dev/full' sh trace
is "$(cat error)" "markers: stdout: No space left on device" "it says stdout"
check "a file with the name - stays" test "$(cat ./-)" = mine
rm -f ./-
# shellcheck disable=SC2016 # $1 is of that shell
status_is 1 "a closed stdout" sh -c 'exec markers export -f chrome -o - "$1" >&-' sh trace
is "$(cat error)" "markers: stdout: Bad file descriptor" "it says so"
# shellcheck disable=SC2016 # $1 is of that shell
sh -c 'exec markers export -f chrome --counter nosuch:x -o closed.json "$1" <&- >&- 2>&-' sh trace
is $? 1 "no stdin, stdout and stderr"
markers export -f chrome --counter nosuch:x -o open.json trace 2>error
check "gets no message into the output" cmp closed.json open.json
status_is 2 "an empty name" markers export -o '' trace
is "$(grep -c '^markers: -o: the name is empty' error)" 1 "it says whose"
mkfifo pipe.tar
check "an archive cannot be a pipe" status 1 timeout 60 markers export -o pipe.tar trace
if script -qec true script.log </dev/null >/dev/null 2>&1; then
	script -qec 'markers export -o - trace' terminal </dev/null >/dev/null
	check "nothing binary on a terminal" status 1 grep -qa 'io_begin' terminal
	check "it says what to do" grep -q 'write a file with -o FILE' terminal
	script -qec 'markers export -f chrome -o - trace' terminal </dev/null >/dev/null
	check "text is shown" grep -q '"name":"io_begin"' terminal
else
	skip "no script(1)" "nothing binary on a terminal"
fi
finish
