#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers latency: request i takes (i % 100 + 1) microseconds.
#
# usage: selftests/command/latency.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

make_trace good 1000
make_trace lost 1000 lost
make_trace odd 3 odd

# latency OPTION...: of the trace good
latency()
{
	markers latency "$@" good io_begin io_end >text
}

check "all requests" latency --key id --worst 2
check "figures" grep -q '^count 1000   min 1.000 us   p50 50.1.. us   p95 95.2.. us   p99 99.3.. us   max 100.000 us   mean 50.500 us$' text
check "all are pairs" has text "not ended 0, not begun 0, left out for losses 0"
check "powers of two" grep -q '^ *32.768 us to 65.535 us *330 #*$' text
check "each is in one" test "$(awk '/#/ { n += $6 } END { print n }' text)" -eq 1000
check "the longest" has text \
	"  100.000 us  from 1.019800000 [000] to 1.019900000 [001]  key 99  task task 100-100  id=99 bytes=4096"
check "so many of these" test "$(grep -c ' from 1' text)" -eq 2
check "rows" latency --key id --csv
check "a row" has text "1.000200000,1.000202000,2000,1,0,1"
check "of each" test "$(wc -l <text)" -eq 1001
check "another part" latency --key id --where 'id < 10'
check "has fewer" grep -q '^count 10 ' text
check "by a field that only the begin has" latency --key id --where 'bytes == 512'
check "requests of that size" has text "not ended 0, not begun 0, left out for losses 0"
check "all of them" grep -q '^count 125 ' text
check "--event chooses begins" latency --key id -e io_begin
check "with their ends" grep -q '^count 1000 ' text
for words in "!io_begin io_end" "io_begin !io_end"; do
	# shellcheck disable=SC2086 # words
	check "a pattern that leaves out: $words" status 2 markers latency good $words
done
check "--worst is not for rows" status 2 markers latency good io_begin io_end --csv --worst 3
check "without a key: of the thread" latency
check "threads differ" test "$(cat error)" = \
	"markers: no event io_end follows an event io_begin of the same thread; --key FIELD finds pairs by a field"
check "where none has an end" has text "not ended 1000, not begun 1000, left out for losses 0"
check "a key with two names" latency --key id:id
check "is one" grep -q '^count 1000 ' text
markers latency good queue queue >text
check "from one event to the next" grep -q '^count 99   min 2.000 ms   .*   max 2.000 ms ' text
# keys OPTION...: the key of the first pair of the events odd, whose tids differ
keys()
{
	markers latency odd odd odd --worst 1 "$@" >text
	sed -n 's/.*  key \([^ ]*\) .*/\1/p' text
	markers latency odd odd odd --csv "$@" | cut -d, -f4- | sed -n 2p
}
is "$(keys --key pid | tr '\n' ' ')" "-5 -5,0,0 " "a key below 0"
is "$(keys --key time | tr '\n' ' ')" "noon noon,0,0 " "a text"
is "$(keys --key flags | tr '\n' ' ')" "0x0 0x0,0,0 " "in its base"
is "$(keys --key cpu | tr '\n' ' ')" "0 0,0,0 " "the CPU"
is "$(keys | tr '\n' ' ')" "" "the thread, not a field of that name"
make_trace long 2 long
is "$(markers latency long hard hard --key data --csv | tail -n 1 | cut -d, -f4)" "61:62:63" "bytes"
is "$(markers latency long hard hard --key text --csv | tail -n 1 | cut -d, -f4)" "$(printf 'x%.0s' $(seq 1000))" "a long text"
is "$(markers latency long hard hard --csv | tail -n 1 | cut -d, -f4-)" "0,0,0" "the idle task"
markers latency lost io_begin io_end --key id >text
check "none is measured across a loss" has text \
	"not ended 0, not begun 2, left out for losses 2"
check "losses matter" status 3 markers latency --strict lost io_begin io_end
# names LINE WORD...: status 1 and this line on stderr
names()
{
	line=$1
	shift
	status 1 markers latency good "$@" >text 2>warning || return 1
	[ "$(cat warning)" = "markers: $line" ] || { cat warning; return 1; }
}

check "no marker A" names "nosuch: the recording has no such marker; it has io_begin, io_end, queue, slice, sched_switch, hard" nosuch io_end --key id
check "no marker B" names "disk:io_edn: the recording has no such marker; is it disk:io_end?" io_begin disk:io_edn
check "no field of B" names "--key: bytes: io_end has no such field or context; it has id, error, tid, flags, procname" \
	io_begin io_end --key bytes
check "with two names" names "--key: idd: io_begin has no such field or context; is it id?" \
	io_begin io_end --key idd:id
make_trace long 10 long
check "bytes are a key" status 0 markers latency long hard hard --key data
check "of each event" status 0 sh -c 'markers latency long hard hard --key data | grep -q "^count 10 "'
check "a context is a key" status 0 markers latency good io_begin io_end --key procname
check "the CPU is one" status 0 markers latency good io_begin io_end --key cpu
check "no pattern" status 2 markers latency good disk/io_begin io_end
check "one marker is not enough" status 2 markers latency good io_begin
mkdir empty
cp good/metadata empty/
status_is 1 "a recording of nothing" sh -c 'markers latency --csv empty io_begin io_end >text'
is "$(cat text error)" \
	"markers: empty: there is no stream in it: no event was recorded, or the files stream_N are missing" \
	"is no empty table"
cp -r good foreign
sed -i 's/tracer_name = "markers"/tracer_name = "other"/' foreign/metadata
markers latency foreign io_begin io_end >text 2>said
markers latency --csv foreign io_begin io_end >>text 2>>said
check "nothing was read: no count" test ! -s text
check "but why" grep -q '^markers: foreign/metadata: line 46: tracer_name is "other", not "markers"; babeltrace2 reads it$' said

make_trace devices 30 devices
# rq OPTION...: of the requests of two devices that share their tags
rq()
{
	markers latency devices rq_begin rq_end "$@" >text 2>said
}

rq --key tag --worst 1
check "a tag of two devices: most is missing" grep -q '^count 3   min 10.000 us   .*   max 10.000 us ' text
check "which it says" test "$(cat said)" = \
	"markers: 3 begins came again before their end: add a field to --key"
rq --key dev,tag:disk,tag --worst 1
check "two fields tell them apart" grep -q '^count 6   min 10.000 us   .*   max 100.000 us ' text
check "each has an end" has text "not ended 0, not begun 0, left out for losses 0"
check "nothing to say" test ! -s said
check "the key has both" grep -q '^  100.000 us  from .*  key 8,' text
check "the idle task, and the fields of the begin" grep -q '  key 8,0  task <idle>-0  dev=8 tag=0$' text
check "what did not end is told beside rows, too" rq --key tag --csv
is "$(cat said)" "markers: not ended 3, not begun 3, left out for losses 0
markers: 3 begins came again before their end: add a field to --key" "and why"
check "by device" rq --key dev,tag:disk,tag --by dev
is "$(sed -n '/^dev /,/^$/p' text | tr -s ' ')" "dev count min p50 p95 p99 max mean
8 3 100.000 us 100.000 us 100.000 us 100.000 us 100.000 us 100.000 us
9 3 10.000 us 10.000 us 10.000 us 10.000 us 10.000 us 10.000 us" "a line for each, the longest first"
check "by a field that has more values than there are groups" \
	latency --key id --by id
is "$(sed -n '/^id /,/^$/p' text | grep -c us)" 128 "further ones are one group"
is "$(sed -n 's/^others  *\([0-9]*\) .*/\1/p' text)" 873 "of all that is left"
check "by two fields, as rows" rq --key dev,tag:disk,tag --by dev,tag --csv
check "in a column" has text '1.002040000,1.002050000,10000,"9,1",1,1,"9,1"'
check "as rows, by a field of which each has its own value" latency --key id --by id --csv
is "$(awk -F, 'NR > 1 && $4 == $7' text | wc -l)" 1000 "each has that of its begin"
# the first text has all that is hard to print
cat >raw.py <<'END'
import csv, sys
with open('rows', encoding='utf-8', newline='') as file:
    rows = list(csv.DictReader(file))
print(ascii(rows[0][sys.argv[1]]), len(rows))
END
make_trace texts 10 texts
markers latency texts hard hard --csv --by text >rows
is "$(python3 raw.py text)" "'a \"b\"\\n\\\\ \\xe4 \\ufffd,' 10" "texts as they are, but for bytes that are not UTF-8"
cp -r good named
sed -i 's/bytes/ns/g' named/metadata
markers latency named io_begin io_end --key id --csv --by ns >text
is "$(sed -n 1,2p text)" "begin,end,ns,key,begin_cpu,end_cpu,by.ns
1.000000000,1.000001000,1000,0,0,1,512" "the name of another column is not taken twice"
check "events without the field have no value" status 0 sh -c \
	"markers latency good '[iq][ou]*' queue --key cpu --csv --by depth | grep -q ',0,0,-\$'"
check "by a context" latency --key id --by procname --where 'id < 3'
is "$(sed -n 's/^\(task [0-9]*\)  .*/\1/p' text | tr '\n' ',')" "task 102,task 101,task 100," "as text"
check "no such field" names "--by: device: io_begin has no such field or context; it has id, bytes, tid, flags, procname" \
	io_begin io_end --key id --by device
check "it is of A only" status 2 markers latency good io_begin io_end --by id:id
markers latency good '[iq][ou]*' queue --key cpu --by depth >text 2>said
check "events without the field are a group" grep -q '^-  *100  *2.000 us ' text
markers latency good 'io_*' io_end --key bytes:id >text 2>said
check "events without a field of the key are told" grep -qx \
	"markers: 1000 events do not have all fields of --key" said
cp -r good modules
sed -i 's/"disk:queue"/"net:io_begin"/' modules/metadata
check "markers of two modules" status 0 sh -c 'markers latency modules io_begin io_end --key cpu 2>said >text'
check "have one name, which it says" has said \
	"markers: io_begin: disk:io_begin and net:io_begin have that name: add the module"
check "one of them" status 0 sh -c 'markers latency modules disk:io_begin io_end --key cpu 2>said >text'
check "is what was meant" status 1 grep 'that name' said
check "rows" rq --key dev,tag:disk,tag --csv
check "have the key as one text" has text '1.000040000,1.000050000,10000,"9,0",1,1'
check "idle tasks are told apart by default" rq --worst 1
check "all of them" grep -q '^count 6 ' text
check "and by their number" rq --key tid,tag
check "all of them, too" grep -q '^count 6 ' text
check "a field of A is missing" status 2 rq --key ,tag
check "one is missing at the end" status 2 rq --key dev,tag:tag
check "too many" status 2 rq --key tag,dev,tid,cpu,flags
check "no second field of B" names "--key: bytes: io_end has no such field or context; it has id, error, tid, flags, procname" \
	io_begin io_end --key id,bytes
check "without a key, the thread comes again" status 0 sh -c \
	'markers latency good io_begin io_begin --where "tid == 100" 2>said && test ! -s said'
finish
