#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers query: SQL over recordings. questions.sh has the queries of Documentation/query.rst.
#
# usage: selftests/command/query.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

command -v markers-query >/dev/null || { echo "1..0 # SKIP no libsqlite3-dev"; exit 0; }
make_trace good 1000
make_trace odd 3 odd
make_trace lost 3000 lost
make_trace before 300 service
make_trace after 300 slow

# query RECORDING... SQL: its rows as CSV, without the names of the columns
query()
{
	markers query -f csv "$@" | tail -n +2
}

# answers SQL ROW...: of the trace good
answers()
{
	sql=$1
	shift
	query good "$sql" >rows && printf '%s\n' "$@" >wanted && diff wanted rows
}

# refuses STATUS LINE WORD...: this status and line on stderr, and nothing on stdout
refuses()
{
	wanted=$1 line=$2
	shift 2
	status "$wanted" markers query "$@" >text 2>warning && [ ! -s text ] || return 1
	[ "$(cat warning)" = "markers: $line" ] || { cat warning; return 1; }
}

# Values
check "an event" answers "SELECT * FROM io_begin WHERE id = 999" '1199800000,0,100,0x0,task 100,999,65536'
check "its time of the day" answers "SELECT ts, wall FROM io_end WHERE id = 0" 1000001000,1700000001000001000
check "all events" answers "SELECT count(*), sum(bytes) FROM io_begin" 1000,16320000
check "of a marker with its module" answers "SELECT count(*) FROM [disk:io_end] WHERE error < 0" 20
is "$(query good "SELECT count(*) FROM event")" "$(markers report good | grep -vc '^#')" "events of all markers"
markers report -f json good | sed -E 's/.*"time":([0-9]+)\.([0-9]+),"cpu":([0-9]+),"marker":"([^"]*)".*/\1\2,\3,\4/' >wanted
query good "SELECT ts, cpu, marker FROM event" | diff wanted - >error
result $? "in the order of report"
is "$(query odd "SELECT pid, tid, [fields.tid], byte, half, large, time FROM odd LIMIT 1")" \
	"-5,1,77,-1,-1000,18446744073709551615,noon" "fields with the names of contexts, large numbers"
is "$(query odd "SELECT quote(mac), mac, hex(data), small, pointer FROM hard LIMIT 1")" \
	"X'02005E100001',02:00:5e:10:00:01,616263,-9223372036854775808,0xffff888000000000" "bytes and addresses"
is "$(query odd "SELECT count(*) FROM hard WHERE pointer = 0xffff888000000000 AND mac = x'02005e100001'")" 2 "are compared"
markers query -f json odd "SELECT ts, ts, text, pointer, mac, NULL AS n FROM hard WHERE length(text) < 30" >rows
cat >wanted <<-'END'
	{"ts":1000007000,"ts_2":1000007000,"text":"a \"b\"\n\\ ä \ufffd,","pointer":"0xffff888000000000","mac":"02:00:5e:10:00:01","n":null}
END
diff wanted rows >error
result $? "JSON"
markers query odd "SELECT id, bytes, 0.5 AS half, procname FROM io_begin LIMIT 2" >rows
is "$(cat rows)" "$(printf '%s\n' "id  bytes  half  procname" " 0    512   0.5  task 100" " 1   1024   0.5  task 101")" "a table"
is "$(markers query good "SELECT id FROM io_begin WHERE id < 0")" id "no row is an answer"
is "$(markers query good "SELECT 1 AS a; -- no more
SELECT 2 AS b;")" "$(printf 'a\n1\n\nb\n2')" "two queries"
is "$(echo "SELECT count(*) FROM queue" | query good -)" 100 "a query on stdin"
check "the markers" answers "SELECT marker, events FROM marker WHERE module = 'disk' AND events > 100" \
	io_begin,1000 io_end,1000 slice,200
check "the clock" answers "SELECT host, clock, wall_offset, first, last FROM clock" \
	"testhost,CLOCK_MONOTONIC,1700000000000000000,1000000000,1199900000"
markers query --tables good >rows
check "the tables" grep -qE '^io_begin +ts int, cpu int, tid int, flags hex int, procname text, id unsigned int, bytes unsigned int$' rows

# Functions
check "percentiles" answers "SELECT percentile(id, 0), percentile(id, 50), percentile(id, 100), median(bytes) FROM io_begin" \
	0,499.5,999,6144
check "of no row" answers "SELECT percentile(id, 50) IS NULL, median(NULL) IS NULL FROM io_begin WHERE id < 0" 1,1
check "of texts" refuses 1 "the query: percentile(): a value is not a number" good "SELECT median(procname) FROM io_begin"
check "of what" refuses 1 "the query: percentile(X, P): P is a number from 0 to 100" good "SELECT percentile(id, 101) FROM io_begin"
check "names of errors" answers "SELECT DISTINCT errname(error), errname(-error) FROM io_end WHERE error" -EIO,EIO
check "of what has none" answers "SELECT errname(0) IS NULL, errname(-4000) IS NULL, errname('x') IS NULL" 1,1,1

# Joins: what a table looks for itself is what SQLite finds without it
both="SELECT count(*), sum(e.ts - b.ts) FROM io_begin b"
check "by a number" answers "$both JOIN io_end e ON e.id = b.id" 1000,50500000
check "by a text that is a number" answers "$both JOIN io_end e ON e.id = b.id || ''" 1000,50500000
check "by a number that is no integer" answers "$both JOIN io_end e ON e.id = b.id + 0.0" 1000,50500000
check "to no row" answers "SELECT count(*) FROM io_begin b JOIN io_end e ON e.id = b.id + 0.5" 0
check "to NULL" answers "SELECT count(*) FROM io_begin b JOIN io_end e ON e.id = nullif(b.id, b.id)" 0
check "the rows that have no other" answers "SELECT count(*) FROM io_begin b LEFT JOIN io_end e ON e.id = b.id + 990 WHERE e.id IS NULL" 990
join="FROM io_begin b JOIN %s s ON s.procname = b.procname AND s.tid = b.tid AND s.ts < b.ts"
# shellcheck disable=SC2059 # the formats are ours
query good "SELECT count(*), sum(s.ts) $(printf "$join" slice)" >rows
# shellcheck disable=SC2059
query good "WITH all_slices AS MATERIALIZED (SELECT * FROM slice) SELECT count(*), sum(s.ts) $(printf "$join" all_slices)" >wanted
cmp -s rows wanted && [ "$(cut -d, -f1 rows)" -gt 1000 ]
result $? "by texts and numbers"
check "the next one" answers "SELECT count(*), sum(n - ts) FROM (SELECT b.ts, (SELECT q.ts FROM queue q WHERE q.tid = b.tid AND q.ts > b.ts ORDER BY q.ts LIMIT 1) AS n FROM queue b) WHERE n" \
	99,198000000
check "in the order of time" answers "SELECT count(*) FROM (SELECT ts, lag(ts) OVER () AS before FROM (SELECT ts FROM event ORDER BY ts)) WHERE ts < before" 0

# Times and CPUs: packets of others are not read, so that their damage does not show
cp -r lost hurt
last=$(markers query -f csv lost "SELECT max(ts) FROM event WHERE cpu = 1" | tail -n 1)
size=$(stat -c %s hurt/stream_1)
printf '\377\377\377\377' | dd of=hurt/stream_1 bs=1 seek=80 conv=notrunc 2>error
status_is 1 "a damaged event" sh -c 'markers query -f csv hurt "SELECT count(*) FROM io_end" >rows'
is "$(grep -c stream_1 error)" 1 "is told once"
grep -q '^markers: hurt/stream_1: packet at byte 0, event at byte 80: .*; the rest of the packet is left out$' error
result $? "with file, packet and byte"
check "the others are there" test "$(tail -n 1 rows)" -gt 1000
status_is 1 "in a join" sh -c 'markers query hurt "SELECT count(*) FROM io_begin b JOIN io_end e ON e.id = b.id" >rows'
is "$(grep -c stream_1 error)" 1 "it is told once, too"
is "$(query hurt "SELECT count(*) FROM event; SELECT damaged FROM clock" 2>error | tail -n 1)-$(query hurt "SELECT damaged FROM clock")" \
	1-0 "the table clock knows of it, once it was read"
status_is 0 "not for another CPU" sh -c 'markers query hurt "SELECT count(*) FROM event WHERE cpu = 0" >rows'
status_is 0 "nor for another time" sh -c "markers query hurt 'SELECT count(*) FROM io_end WHERE ts >= $last' >rows"
is "$(query lost "SELECT count(*) FROM event WHERE ts BETWEEN 1100000000 AND 1200000000")" \
	"$(query lost "SELECT count(*) FROM event WHERE +ts BETWEEN 1100000000 AND 1200000000")" "a part of the time"
is "$(query lost "SELECT count(*) FROM event WHERE ts > 1100000000.5 AND ts < '1200000000' AND cpu = 1.0")" \
	"$(query lost "SELECT count(*) FROM event WHERE +ts > 1100000000 AND +ts < 1200000000 AND +cpu = 1")" "in other types"
is "$(query lost "SELECT count(*) FROM event WHERE ts < -5")-$(query lost "SELECT count(*) FROM event WHERE ts > -5 AND cpu > -1")" \
	"0-$(query lost "SELECT count(*) FROM event")" "before all of them"
is "$(query lost "SELECT count(*) FROM event WHERE ts = $last")" 1 "at a time"
head -c $((size - 10)) lost/stream_1 >hurt/stream_1
status_is 1 "a packet that is cut off" sh -c 'markers query -f csv hurt "SELECT count(*) FROM io_begin" >rows'
grep -q '^markers: hurt/stream_1: at byte [0-9]*: a packet is cut off$' error
result $? "says where"
is "$(tail -n 1 rows)" 3000 "and what is there is read"

# Losses
markers report -f json lost | sed -nE 's/.*"time":([0-9]+)\.([0-9]+),"cpu":([0-9]+),"lost":([0-9]+),.*/\1\2,\3,\4/p' >wanted
query lost "SELECT ts, cpu, lost FROM loss" >rows
diff wanted rows >error && [ -s wanted ]
result $? "losses are those of report"
is "$(query lost "SELECT sum(lost) FROM loss WHERE ts > 1050000000 AND cpu = 1")" \
	"$(query lost "SELECT sum(lost) FROM loss WHERE +ts > 1050000000 AND +cpu = 1")" "of a time"

check "without --strict they are told, and no fault" status 0 markers query -f csv lost "SELECT count(*) FROM io_end"
has error 'markers: lost: 12 events were lost: the table "loss" says when'
result $? "how many, and where"
check "they matter" status 3 markers query --strict lost "SELECT count(*) FROM io_end"
has error "    3000"
result $? "the query is run"
check "if there are some" status 0 markers query --strict good "SELECT count(*) FROM io_end"
is "$(markers query -f csv lost "SELECT sum(lost) FROM loss" 2>&1)" "$(printf 'sum(lost)\n12')" "who asks for them is not told again"
check "one recording of several" status 3 markers query --strict good lost "SELECT 1"
is "$(query good lost "SELECT recording, lost FROM clock" 2>error | tr '\n' ' ')" "good,0 lost,12 " "the table clock has them"
head -c $((size - 10)) lost/stream_1 >hurt/stream_1
check "damage is worse" status 1 markers query --strict hurt "SELECT count(*) FROM io_end"
has error 'markers: hurt: 12 events were lost: the table "loss" says when'
result $? "and both are told"
# pieces of a collector, with the same packets
mkdir -p pieces/one pieces/two
cp -r lost pieces/one/markers
cp -r lost pieces/two/markers
is "$(query pieces "SELECT lost, (SELECT sum(lost) FROM loss) FROM clock")" 12,12 "a loss that is in two pieces counts once"

# Stacks
make_trace stack 300 stack
is "$(query stack "SELECT DISTINCT callstack_kernel FROM io_begin WHERE tid = 101")" \
	"0xffffffffc0001004 <- 0xffffffff81000250" "addresses without symbols"
mkdir stack/info
printf '%s\n' '# came 0 disk' 'ffffffff81000000 T _text' 'ffffffff81000200 T two' 'ffffffffc0001000 t one	[disk]' >stack/info/symbols
is "$(query stack "SELECT callstack_kernel, count(*) FROM io_begin WHERE callstack_kernel != '' GROUP BY 1")" \
	"one+0x4 [disk] <- two+0x50,100" "symbols"
is "$(query stack "SELECT depth, address, symbol, count(*) FROM stack GROUP BY address ORDER BY 1" | tr '\n' ' ')" \
	"0,0xffffffffc0001004,one+0x4 [disk],100 1,0xffffffff81000250,two+0x50,100 " "a row for each function"
is "$(query stack "SELECT count(*) FROM io_begin b JOIN stack s USING (ts, cpu) WHERE s.symbol LIKE 'one%'")" 100 "of an event"
is "$(query stack "SELECT symbol(0xffffffff81000201, 0), symbol(5, 0) IS NULL")" "two+0x1,1" "the name of a function"
is "$(query stack good "SELECT recording, count(*) FROM stack GROUP BY recording")" stack,200 "of one of two recordings"
mkdir hosts
for host in ant bee; do
	cp -r stack hosts/$host
	sed -i "s/testhost/$host/" hosts/$host/metadata
done
status_is 0 "of several hosts, after another recording" \
	sh -c 'markers query -f csv stack hosts "SELECT recording, host, symbol IS NULL, count(*) FROM stack GROUP BY 1, 2, 3" >rows'
is "$(tail -n +2 rows | tr '\n' ' ')" "hosts,ant,1,200 hosts,bee,1,200 stack,testhost,0,200 " "they have none of its names"
is "$(query stack hosts "SELECT symbol(0xffffffff81000201, 0, 'stack'), symbol(0xffffffff81000201, 0, 'hosts') IS NULL, symbol(0xffffffff81000201, 0, 'stack')" 2>error)" \
	"two+0x1,1,two+0x1" "nor has a function"

# Several recordings
is "$(query before after "SELECT recording, count(*) FROM request GROUP BY 1" | tr '\n' ' ')" "after,300 before,300 " "two recordings"
is "$(query a=before b=./after "SELECT recording, count(*) FROM request WHERE recording = 'b' GROUP BY 1")" b,300 "with names"
is "$(query before after "SELECT count(*) FROM request a JOIN request b USING (recording, ts)")" 600 "are joined"
is "$(query good before "SELECT m.name, count(e.ts) FROM marker m LEFT JOIN event e ON e.marker = m.name AND e.recording = m.recording WHERE m.recording = 'good' AND m.marker = 'request' GROUP BY 1")" "" "each has its own markers"
is "$(query odd before "SELECT recording, host FROM clock" | tr '\n' ' ')" "odd,testhost before,testhost " "clocks"
check "one twice" refuses 1 "./good: another recording has the name good, too: give them names, as NAME=./good" good ./good "SELECT 1"
# parts whose markers have other fields
mkdir parts
make_trace parts/000001 10
make_trace parts/000002 10
sed -i 's/uint32_t _bytes/uint32_t _octets/' parts/000002/metadata
is "$(query parts "SELECT count(bytes), count(octets), count(*) FROM io_begin")" 10,10,20 "parts with other fields"

# Errors
check "no such table" refuses 1 "the query: column 14: no such table: io_bgin; is it io_begin?" good "SELECT * FROM io_bgin"
check "of a module" refuses 1 "the query: column 15: no such table: disk:io_bgin; is it disk:io_begin?" good "SELECT * FROM [disk:io_bgin]"
check "a marker of two modules" refuses 1 \
	"the query: column 14: no such table: sched_switch; say which one: [kernel_events:sched_switch], [disk:sched_switch]" \
	odd "SELECT * FROM sched_switch"
check "no such column" refuses 1 "the query: column 13: no such column: b.byts; is it bytes?" good "SELECT count(b.byts) FROM io_begin b"
check "a misspelled field in quotation marks" status 1 markers query good 'SELECT count(*) FROM io_end WHERE "errno" = 3'
grep -q 'no such column: .*errno' error
result $? "is no text"
check "a value that is missing" refuses 1 \
	"the query: ?, :NAME, @NAME and \$NAME have no value here: write the value in their place" \
	good "SELECT count(*) FROM io_end WHERE error = ?"
check "in the second query" refuses 1 "the query: column 18: no such column: idd; is it id?" \
	-f csv good ";;         SELECT idd FROM io_begin"
check "no SQL" refuses 1 'the query: column 0: near "SELEC": syntax error' good "SELEC 1"
check "tables are read-only" refuses 1 "the query: table io_begin may not be modified" good "DELETE FROM io_begin"
check "no query" refuses 2 'which query? Try "markers query --help"' good
check "two recordings and no query" refuses 2 'which query? Try "markers query --help"' good odd
check "an empty one" refuses 2 'the query is empty; try "markers query --help"' good " ; "
check "a comment" refuses 2 'the query is empty; try "markers query --help"' good "/* SELECT 1 */ ;"
is "$(markers query good "SELECT 1 AS 'a
b'" | head -n 1)" 'a\nb' "the name of a column has no line break in a table"
# new memory is not zero then
MALLOC_PERTURB_=85
export MALLOC_PERTURB_
check "an empty stdin" refuses 2 'the query is empty; try "markers query --help"' good - </dev/null
unset MALLOC_PERTURB_
check "no recording" refuses 2 'which recording? Try "markers query --help"'
check "no format" refuses 2 'unknown format "xml"; try "markers query --help"' -f xml good "SELECT 1"
check "nothing is there" refuses 1 "nowhere: No such file or directory" nowhere "SELECT 1"
mkdir empty
cp good/metadata empty/
check "nothing was recorded" refuses 1 \
	"empty: there is no stream in it: no event was recorded, or the files stream_N are missing" empty "SELECT 1"
cp -r good foreign
sed -i 's/tracer_name = "markers"/tracer_name = "other"/' foreign/metadata
check "another tracer" refuses 1 'foreign/metadata: line 46: tracer_name is "other", not "markers"; babeltrace2 reads it' foreign "SELECT 1"
cp -r good newer
sed -i 's/uint32_t _bytes/int128_t _bytes/' newer/metadata
check "a newer version" refuses 1 \
	"newer/metadata: line 97: disk:io_begin: its fields are not as this version of markers records them; a newer markers may read it" newer "SELECT 1"

# Without the program of the package
mkdir alone
cp "$(command -v markers)" alone/
status_is 1 "without libsqlite3" env PATH=/nonexistent alone/markers query good "SELECT 1"
is "$(cat error)" "markers: query needs the program markers-query: install the package markers-query, or build it with libsqlite3-dev" "what to install"
check "its help is there" status 0 alone/markers query --help

# Clocks that were read together
mkdir good/info
printf '%s\n' 'begin: clock=mono before=999999990 after=1000000010 realtime=1700000100.000000000' \
	'end: clock=mono before=1100000000 after=1100000000 realtime=1700000100.100010000' >good/info/clock
is "$(query good "SELECT wall FROM io_begin WHERE id = 999")" 1700000100199819980 "the time of the day is that of info/clock"
is "$(query good "SELECT first + wall_offset FROM clock")" 1700000100000000000 "in the table clock, too"
TZ=UTC markers report --time wall good | sed -n '2s/.* [[]000[]] .... \([-0-9]* [0-9:.]*\): .*/\1/p' >wanted
is "$(query good "SELECT strftime('%Y-%m-%d %H:%M:%S.', (first + wall_offset) / 1000000000, 'unixepoch') || substr(first + wall_offset, -9) FROM clock")" \
	"$(cat wanted)" "and in report"
rm -r good/info
cp -r good counter
sed -i 's/^\(.*description = "\)CLOCK_MONOTONIC/\1no time: counts from event to event/' counter/metadata
is "$(query counter "SELECT wall_offset IS NULL, (SELECT wall FROM event LIMIT 1) IS NULL FROM clock")" 1,1 "a clock without time has none"

# In the shell of SQLite
module=$(dirname "$(command -v markers)")/mod_markers
printf '%s\n' ".load $module" "SELECT markers_open('a=before', 'b=after');" \
	"SELECT recording, count(*) FROM request GROUP BY 1;" "SELECT errname(-5), median(cpu) FROM done;" >script
is "$(sqlite3 :memory: <script 2>&1 | tr '\n' ' ')" "2 a|300 b|300 -EIO|1.0 " "as an extension"
printf '%s\n' ".load $module" "SELECT markers_open('nowhere');" "SELECT markers_open('good');" "SELECT markers_open('odd');" >script
sqlite3 :memory: <script >rows 2>error
is "$(cat rows)" 1 "a recording that is not there, and one more than once"
printf '%s\n' ".load $module" "SELECT markers_open('lost');" >script
is "$(sqlite3 :memory: <script 2>&1 >rows)" 'markers: lost: 12 events were lost: the table "loss" says when' "lost events are told"
printf '%s\n' ".load $module" "SELECT markers_open('hurt');" "SELECT damaged, lost FROM clock;" >script
is "$(sqlite3 :memory: <script 2>error | tail -n 1)" "1|12" "and damage"
grep -q '^markers: hurt/stream_1: at byte [0-9]*: a packet is cut off$' error
result $? "with file and byte"
printf '%s\n' ".load $module" "SELECT markers_open('nowhere');" "SELECT markers_open('good');" "SELECT markers_open('odd');" >script
sqlite3 :memory: <script >rows 2>error
grep -q 'markers_open(): cannot open them; stderr says why' error
result $? "is refused"
grep -q '^markers: nowhere: No such file or directory$' error
result $? "with the reason"
grep -q 'recordings are open already: open all in one call' error
result $? "once"
markers query good "ATTACH 'saved.db' AS saved; CREATE TABLE saved.io AS SELECT * FROM io_begin WHERE id < 10" >rows
is "$(sqlite3 saved.db "SELECT count(*), sum(id) FROM io")" "10|45" "rows become a file of SQLite"
finish
