#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers pack, the readers of what it makes, and several hosts in one time line.
#
# usage: selftests/command/pack.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

TMPDIR=$work/tmp
export TMPDIR
mkdir tmp

make_trace plain 1000 stack
mkdir plain/info
printf 'ffffffffc0001000 t one\t[disk]\n' >plain/info/symbols
: >plain/.hidden
mkdir plain/.000001.gone
touch plain/.000001.gone/stream_0 plain/.reserve plain/.metadata.new plain/info/.clock.new plain/.sent-to-host
markers report plain >wanted
mkdir here
check "it packs" markers pack plain
check "beside the recording" mv plain.tar.zst here
is "$(zstd -dc here/plain.tar.zst | tar -tf - | LC_ALL=C sort | tr '\n' ' ')" \
	"plain/ plain/.hidden plain/info/ plain/info/symbols plain/metadata plain/stream_0 plain/stream_1 " \
	"with tar and zstd, without what is for writers only"
markers report here/plain.tar.zst >got
check "report reads it, with symbols" cmp wanted got
grep -q ' => one+0x4 \[disk\]' got
result $? "names of functions are there"
check "check reads it" markers check here/plain.tar.zst
is "$(markers latency here/plain.tar.zst io_begin io_end --key id)" "$(markers latency plain io_begin io_end --key id)" \
	"latency reads it"
check "export reads it" sh -c "markers export here/plain.tar.zst -o got.perfetto && markers export plain -o wanted.perfetto &&
	cmp got.perfetto wanted.perfetto"
if [ -x "$1/markers-query" ] || command -v markers-query >/dev/null; then
	is "$(markers query -f csv here/plain.tar.zst 'SELECT count(*) FROM io_begin')" "$(printf 'count(*)\n1000')" \
		"query reads it"
else
	skip "built without SQLite" "query reads it"
fi
is_clean()
{
	[ -z "$(ls tmp)" ]
}
# hidden names that readers take: of the recording itself, and of a chunk that a collector was moving
cp -r plain .trace
mkdir -p host/session/.tmp_old_chunk
cp -r plain host/session/.tmp_old_chunk/markers
for trace in .trace host; do
	check "$trace is packed" markers pack $trace
	markers report $trace >all
	markers report $trace.tar.zst >got 2>said
	[ "$(grep -c io_begin got)" -eq 1000 ] && cmp all got
	result $? "with its events"
done
check "nothing is left of what was unpacked" wait_for is_clean
mkdir -p protected/closed/inner
cp -r plain protected/trace
tar -cf protected.tar --mode=a-w protected
tar -rf protected.tar --mode=a-rwx protected/closed
zstd -q protected.tar -o protected.tar.zst
if [ "$(id -u)" -eq 0 ]; then
	as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	chmod 755 .
	chmod 777 tmp
	cp "$(command -v markers)" .
	$as_nobody ./markers --version >/dev/null 2>&1 || as_nobody=""
else
	as_nobody=""
fi
$as_nobody "$(command -v ./markers || command -v markers)" report protected.tar.zst >got 2>said
is "$(grep -c io_begin got)" 1000 "a recording with directories that are read-only"
check "they are removed" wait_for is_clean
mkfifo pipe
markers report here/plain.tar.zst >pipe &
pid=$!
exec 3<pipe
head -c 1 <&3 >first
wait_for ls tmp/* >/dev/null
kill -KILL $pid
wait $pid 2>/dev/null
exec 3<&-
check "even after SIGKILL" wait_for is_clean

markers pack plain -o here/plain.tar.zst 2>said
is $? 0 "-o replaces a file"
: >here/.plain.tar.zst.new
check "also after one that was killed" markers pack plain -o here/plain.tar.zst
is "$(ls -A here)" plain.tar.zst "which is all there is"
cp here/plain.tar.zst wanted.tar.zst
mkdir broken
cat >broken/tar <<'END'
#!/bin/sh
ulimit -n >files
echo begin
kill -TERM $PPID
sleep 1
exit 1
END
chmod +x broken/tar
# shellcheck disable=SC3045 # dash has ulimit -n
(ulimit -Sn 100; PATH=$work/broken:$PATH markers pack plain -o here/plain.tar.zst) 2>said
result $((! $?)) "a signal meanwhile"
is "$(cat files)" 100 "tar may have as many open files as markers"
cmp here/plain.tar.zst wanted.tar.zst && [ "$(ls -A here)" = plain.tar.zst ]
result $? "the file stays as it was"
ln -s other.tar.zst link
check "a link" markers pack plain -o link
[ -L link ] && markers report other.tar.zst >got && cmp got wanted
result $? "stays, and leads to the file"
mkfifo packed
timeout 60 cat packed >piped.tar.zst &
check "a pipe" markers pack plain -o packed
wait $!
[ -p packed ] && markers report piped.tar.zst >got && cmp got wanted
result $? "stays, and has it all"
markers pack plain -o - >piped.tar.zst 2>said
is "$? $(cat said)" "0 " "-o -"
[ ! -e - ] && markers report piped.tar.zst >got && cmp got wanted
result $? "is stdout"
if script -qec true script.log </dev/null >/dev/null 2>&1; then
	script -qec 'markers pack plain -o - 2>said' script.log </dev/null >/dev/null
	check "not a terminal" grep -q 'not for a terminal' said
else
	skip "no script(1)" "not a terminal"
fi
cp here/plain.tar.zst .
(cd plain && markers pack .) 2>said
is $? 1 "without it an existing file stays"
check "a message says so" grep -q 'plain.tar.zst exists: remove it' said
rm plain.tar.zst
check "a recording that is this directory" sh -c 'cd plain && markers pack .'
markers report plain.tar.zst >got 2>said
is "$? $(cat said)" "0 " "is packed beside itself, and reads well"
check "and nothing is added to it" test -z "$(find plain -name '*zst*')"
rm plain.tar.zst
markers pack here/plain.tar.zst -o again.tar.zst 2>said
is "$? $(cat said)" "1 markers: here/plain.tar.zst: it is packed already" "a packed file is not packed again"
check "and there is no such file" test ! -e again.tar.zst
for to in plain/stream_1 plain/new plain/info/new; do
	markers pack plain -o $to 2>said
	is "$? $(cat said)" "1 markers: $to: is in the recording: write it elsewhere with -o" "-o names $to"
done
markers join plain -o plain/new 2>said
is "$? $(cat said)" "1 markers: plain/new: is in the recording: write it elsewhere with -o" "join does not write there, either"
markers report plain >got
check "and it stays" cmp wanted got
check "without new files" test "$(find plain -name '*new' | wc -l)" -eq 2
mkdir empty
markers pack empty 2>said
is $? 1 "a directory that is no recording"
check "is told" grep -q 'empty: not a recording' said
head -c 2000 here/plain.tar.zst >cut.tar.zst
markers report cut.tar.zst >got 2>said
is $? 1 "a file that is cut"
check "is told, too" grep -q 'cut.tar.zst: cannot be unpacked' said
check "and nothing of it is left" wait_for is_clean
mkdir bin
for program in sh ls; do
	ln -s "$(command -v $program)" bin
done
markers=$(command -v markers)
PATH=bin "$markers" pack plain -o no.tar.zst 2>said
is $? 1 "without tar"
check "the packages are named" grep -q 'install the packages tar and zstd' said
check "and there is no file" test ! -e no.tar.zst
markers pack plain -o nowhere/file 2>said
is $? 1 "a directory that is not there"

#
# Several hosts in one time line
#
mkdir fleet
for host in ant bee; do
	make_trace fleet/$host 100
	sed -i "s/testhost/$host/" fleet/$host/metadata
done
# bee's clock is read together with the time of day: 50 us later than its metadata say, and after
# a second its trace clock is 100 us behind
mkdir fleet/bee/info
cat >fleet/bee/info/clock <<'END'
begin: clock=mono before=1000000000 after=1000000000 realtime=1700000001.000050000 monotonic=0.0 boottime=0.0
end: clock=mono before=2000000000 after=2000000000 realtime=1700000002.000150000 monotonic=0.0 boottime=0.0
END
markers report fleet -e io_begin >got 2>said
is $? 0 "two hosts are read together"
sed -n 's/^bee .* 17000000\([0-9.]*\): .* id \([0-9]*\),.*/\1 \2/p' got >wanted
TZ=UTC markers report --time wall -e io_begin fleet/bee |
	sed -n 's/^.* 2023-11-14 22:13:\([0-9.]*\): .* id \([0-9]*\),.*/\1 \2/p' |
	awk '{ printf "%012.9f %s\n", $1 - 20, $2 }' >alone
[ -s wanted ] && diff wanted alone >error
result $? "one of them alone has the same time of the day"
if command -v markers-query >/dev/null; then
	markers query -f csv fleet/bee "SELECT wall % 100000000000, id FROM io_begin" |
		sed -n 's/^\([0-9]*\),\([0-9]*\)$/\1 \2/p' >asked
	awk '{ printf "%.0f %s\n", $1 * 1e9, $2 }' wanted | diff - asked >error
	result $? "and so has query"
else
	skip "no markers-query" "and so has query"
fi
is "$(sed -n 1p got)" "# times since 1970; hosts: ant bee" "the head names them"
is "$(sed -n '2,5s/^\([a-z]*\) .*] .... \([0-9.]*\): .* id \([0-9]*\),.*/\1 \2 \3/p' got | tr '\n' ' ')" \
	"ant 1700000001.000000000 0 bee 1700000001.000050000 0 ant 1700000001.000200000 1 bee 1700000001.000250020 1 " \
	"in the order of the time of day, with the clocks of info"
is "$(TZ=UTC markers report fleet -e io_begin --time wall 2>/dev/null | sed -n '3s/.*2023/2023/p')" \
	"2023-11-14 22:13:21.000050000: disk:io_begin: id 0, bytes 512" "the time of day"
is "$(markers report fleet -e io_begin --time delta 2>/dev/null | sed -n '3s/.*\.\.\.\. *//p')" \
	"0.000050000: disk:io_begin: id 0, bytes 512" "the time since the event before, of another host"
is "$(markers report fleet -f json 2>/dev/null | python3 -c '
import json, sys
print(sorted({json.loads(line)["host"] for line in sys.stdin}))')" "['ant', 'bee']" "json has the host"
is "$(markers report fleet -f csv 2>/dev/null | python3 -c '
import csv, sys
print(sorted({row["host"] for row in csv.DictReader(sys.stdin)}))')" "['ant', 'bee']" "csv has the host"
mkdir taken
for host in ant bee; do
	cp -r fleet/$host taken
	sed -i 's/\b_bytes\b/_host/; s/bytes %u/host %u/' taken/$host/metadata
done
is "$(markers report taken -f csv -e io_begin 2>/dev/null | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(sorted({row["host"] for row in rows}), rows[0].get("fields.host"))')" "['ant', 'bee'] 512" \
	"a field of that name has another one"
if command -v markers-query >/dev/null; then
	# query SQL: of both hosts
	query()
	{
		markers query -f csv fleet "$1" 2>said | tail -n +2
	}
	markers report fleet 2>/dev/null |
		sed -n 's/^\([a-z]*\) .* \[\([0-9]*\)\] .... \([0-9]*\)\.\([0-9]*\): \([a-z_:]*\): .*/\1,\3\4,\5/p' >wanted
	query "SELECT host, ts, marker FROM event" | diff wanted - >error && [ -s wanted ]
	result $? "query has the hosts in one time line, too"
	is "$(query "SELECT host, ts - wall FROM io_begin LIMIT 2" | tr '\n' ' ')" "ant,0 bee,0 " "whose times are since 1970"
	part="BETWEEN 1700000001000050000 AND 1700000001010250520"
	query "SELECT host, ts FROM io_end WHERE +ts $part" >wanted
	query "SELECT host, ts FROM io_end WHERE ts $part" | diff wanted - >error && [ "$(grep -c bee wanted)" -gt 20 ]
	result $? "a part of it"
	is "$(query "SELECT count(*), sum(e.ts - b.ts) FROM io_begin b JOIN io_end e ON e.id = b.id AND e.host = b.host")" \
		"200,$(query "WITH ends AS MATERIALIZED (SELECT host, id, ts FROM io_end) SELECT sum(e.ts - b.ts) FROM io_begin b JOIN ends e ON e.id = b.id AND e.host = b.host")" \
		"joined by the host"
	is "$(query "SELECT host, first, last - first FROM clock" | tr '\n' ' ')" \
		"ant,1700000001000000000,$(query "SELECT max(ts) - min(ts) FROM event") bee,1700000001000000000,$(query "SELECT max(ts) - min(ts) FROM event") " \
		"a clock for each"
	# the trace clock of bee is another one: what is found by a key is still in the order of time
	sed -i 's/=1000000000 after=1000000000/=999000000 after=999000000/' fleet/bee/info/clock
	begins="SELECT tid, ts FROM io_begin" next="SELECT sum(n - ts) FROM (SELECT b.ts,
		(SELECT q.ts FROM q WHERE q.tid = b.tid AND q.ts > b.ts ORDER BY q.ts LIMIT 1) AS n FROM io_begin b)"
	is "$(query "WITH q AS ($begins) $next")" "$(query "WITH q AS MATERIALIZED ($begins) $next")" "by a key, the next one of any host"
	mkdir pair
	make_trace pair/ant 1000 lost
	make_trace pair/bee 300 stack
	sed -i "s/testhost/bee/" pair/bee/metadata
	is "$(markers query -f csv pair "SELECT host, sum(lost) FROM loss" 2>said | tail -n 1)" testhost,12 "losses have the host"
	is "$(markers query -f csv pair "SELECT host, symbol IS NULL, count(*) FROM stack" 2>said | tail -n 1)" bee,1,200 \
		"stacks, too, without names"
	check "which is told" grep -q '^markers: pair: addresses of functions stay numbers' said
	cp -r pair/ant pair/more
	new_trace pair/more 1
	is "$(markers query -f csv pair "SELECT host, sum(lost), count(*) FROM clock GROUP BY host" 2>said | tail -n +2 | tr '\n' ' ')" \
		"bee,0,1 testhost,24,2 " "the table clock, too: a row for each start of a recorder"
else
	skip "no markers-query" "query has the hosts in one time line, too"
fi
markers latency fleet io_begin io_end 2>said
is $? 1 "latency takes one host"
check "and says so" grep -q 'fleet: has recordings of several hosts or boots' said
rm -rf fleet/bee
cp -r fleet/ant fleet/ant-again
markers report fleet/ant >wanted
markers report fleet >got
check "two pieces of one trace are read once" cmp wanted got
finish
