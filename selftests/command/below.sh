#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# record --below: each start is a recording of its own, and the limits are for all of them.
# shellcheck disable=SC2317,SC2329 # functions are run by "check" and wait_for

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

fake_markers
pipe=fake/per_cpu/cpu0/trace_pipe_raw
make_trace trace 4000 long
cp trace/metadata fake/ctf/metadata

# the last start below DIR
last()
{
	find "$1" -mindepth 1 -maxdepth 1 -name 'markers-*' | sort -V | tail -n 1
}

# feed PARTS: so many parts, in the background
feed()
{
	rm -f step.*
	nr=$1
	while [ "$nr" -gt 1 ]; do
		nr=$((nr - 1))
		touch step.$nr
	done
	# three packets fill a part
	"$out/feed" trace/stream_0 $pipe step 3 &
	feeder=$!
}

# has_part DIR PART: the last start has begun it
has_part()
{
	[ -n "$(find "$(last "$1")" -maxdepth 1 -name "$(printf '%06d' "$2")*" 2>/dev/null)" ]
}

# begin DIR PARTS OPTION...: record below DIR in the background, as $recorder, until these are
# complete; with $late events come when it has begun, so that a guard that still reads has none of them
late=
begin()
{
	dir=$1 nr_parts=$2
	shift 2
	[ -n "$late" ] || feed "$nr_parts"
	before=$(last "$dir" 2>/dev/null)
	setsid markers record --below "$dir" --rotate 64K -e m:one "$@" 2>error &
	recorder=$!
	wait_for has_begun || return
	[ -z "$late" ] || feed "$nr_parts"
	wait_for has_part "$dir" $((nr_parts + 1)) && wait_for is_complete "$dir" "$nr_parts"
}

has_begun()
{
	[ "$(last "$dir" 2>/dev/null)" != "$before" ]
}

is_complete()
{
	[ -e "$(last "$1")/$(printf '%06d' "$2")" ]
}

# end: as systemd stops it
end()
{
	kill -TERM "$recorder"
	wait "$recorder"
	status=$?
	kill "$feeder" 2>/dev/null
	wait "$feeder" 2>/dev/null
	# those of this machine take more than all of this
	for symbols in "$dir"/markers-*/info/symbols; do
		: >"$symbols"
	done
	return "$status"
}

# start DIR PARTS OPTION...: these parts, and the one that is open at the end
start()
{
	begin "$@" && end
}

# parts DIR: all parts there, the oldest first; a start comes before the second one of its second, "-2"
parts()
{
	find "$1" -mindepth 2 -maxdepth 2 -name '0*' -printf '%h %f\n' | sort -V -k1,1 -k2,2 | tr ' ' /
}

# those of a start: "1 3 4"
of()
{
	find "$1" -mindepth 1 -maxdepth 1 -name '0*' | sed 's,.*/0*,,' | sort -V | paste -sd' ' -
}

check "a start" start keep 5 --keep-parts 5
first=$(last keep)
is "$(ls keep)" "${first#*/}" "has a directory of its own"
is "$(of "$first")" "2 3 4 5 6" "with so many parts"
check "another start" start keep 2 --keep-parts 5
second=$(last keep)
is "$(of "$first"), $(of "$second")" "5 6, 1 2 3" "removes the oldest parts of the one before"
grep -qx 'markers: 3 parts of earlier starts were removed' error
result $? "and says how many"
markers report keep 2>/dev/null | grep -vc '^#' >all
{ markers report "$first"; markers report "$second"; } 2>/dev/null | grep -vc '^#' >each
cmp all each && [ "$(cat all)" -gt 100 ]
result $? "what is left is read"
touch "$first/.sent-to-here"
check "a third one" start keep 5 --keep-parts 5
[ ! -e "$first" ] && [ ! -e "$second" ]
result $? "those without a part are gone"
is "$(of "$(last keep)")" "2 3 4 5 6" "then its own oldest part goes"
check "without a limit" start keep 1
check "with less than there is" start keep 1 --keep-parts 3
is "$(parts keep | wc -l)" 3 "it removes them when it begins"

# next_part: the events of one more, when somebody has moved parts away; then it ends
next_part()
{
	touch "step.$nr_parts"
	nr_parts=$((nr_parts + 1))
	wait_for has_part "$dir" $((nr_parts + 1)) && end
}

mkdir away
check "a start with few parts" start moved 1 --keep-parts 6
first=$(last moved)
check "another one, within the limit" begin moved 3 --keep-parts 6
mv "$(last moved)"/00000[1-3] away
rm -r away/*
check "whose complete parts are moved away" next_part
is "$(of "$first"), $(of "$(last moved)")" "1 2, 4 5" "keeps those of the first one"
check "a start with five parts" start stale 4 --keep-parts 7
first=$(last stale)
check "another one within the limit" begin stale 1 --keep-parts 7
mv "$first"/00000[12] away/
check "while parts of the first one are moved away" next_part
is "$(of "$first"), $(of "$(last stale)")" "3 4 5, 1 2 3" "keeps the others of it"
check "a start within the limit" begin own 4 --keep-parts 5
rm -r away/*
mv "$(last own)"/00000[1-4] away
check "whose first parts are moved away" next_part
is "$(of "$(last own)")" "5 6" "keeps the others"
check "one with one part more" begin middle 5 --keep-parts 6
mv "$(last middle)"/000003 away/of-middle
check "of which one is moved away" next_part
is "$(of "$(last middle)")" "1 2 4 5 6 7" "keeps those before it"

# in_limit: a Mi and the part that is written
in_limit()
{
	[ "$(parts limit | xargs -I{} find {} -type f ! -name symbols -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }')" -le $((1048576 + 65536)) ]
}

for i in 1 2 3 4; do
	check "start $i with a limit" start limit 8 --limit 1M
	check "start $i keeps it" in_limit
done
[ "$(find limit -mindepth 1 -maxdepth 1 | wc -l)" -ge 2 ]
result $? "more than one is there"
is "$(parts limit | sed 's,.*/0*,,' | tail -n 9 | paste -sd' ' -)" "1 2 3 4 5 6 7 8 9" "all of the last one"
head -c 2000000 /dev/zero >"$(last limit)/info/symbols"
check "symbols count" start limit 1 --limit 1M
is "$(find limit -mindepth 1 -maxdepth 1 | wc -l)" 1 "so an earlier start with large ones goes"

# what is not of a recorder with parts stays
mkdir -p other/markers-20200101-000000/snapshot-1 other/notes/000001 other/markers-20200101-000001/info other/markers-20200101-000002
touch other/markers-20200101-000000/snapshot-1/metadata other/markers-20200101-000002/.reserve
for nr in 1 2 3; do
	mkdir -p other/markers-20991231-235959/00000$nr
	touch other/markers-20991231-235959/00000$nr/metadata
done
touch other/markers-20991231-235959/000001/notes
check "after a change of the clock" start other 1 --keep-parts 100
is "$(cd other && echo *)" "markers-20200101-000000 markers-20991231-235959 markers-20991231-235959-2 notes" \
	"a start comes behind the last one, and those that have nothing are gone"
check "and again" start other 1 --keep-parts 2
[ -e other/markers-20991231-235959-3/000001 ]
result $? "it gets the next number"
[ -e other/markers-20200101-000000/snapshot-1/metadata ] && [ -e other/notes/000001 ]
result $? "snapshots stay, and what has another name"
[ -e other/markers-20991231-235959/000001/notes ]
result $? "a part with a file of somebody stays"
grep -q '^markers: other/markers-20991231-235959/000001 is not removed, so the limits leave it out: Directory not empty$' error
result $? "and that is said"
is "$(of other/markers-20991231-235959) of $(cd other && echo *-235959*)" \
	"1 of markers-20991231-235959 markers-20991231-235959-3" "what comes behind it goes"
check "the next start" start other 1 --keep-parts 2
is "$(parts other | grep -e -235959 | paste -sd' ' -)" \
	"$(echo other/markers-20991231-235959/000001 other/markers-20991231-235959-4/00000[12])" "goes on so"
mkdir -p few/markers-20200101-000000
for nr in 1 2 3; do
	mkdir few/markers-20200101-000000/00000$nr
	touch few/markers-20200101-000000/00000$nr/metadata
done
touch few/markers-20200101-000000/000001/notes few/markers-20200101-000000/000002/notes
check "parts with files of somebody, one too many" start few 1 --keep-parts 4
is "$(find few -name '0*' | wc -l)" 5 "none goes for it"
check "and then two" start few 1 --keep-parts 4
is "$(of few/markers-20200101-000000), $(parts few | wc -l)" "1 2, 6" "the others go as they should"
is "$(grep -c 'is not removed' error)" 1 "a start is told once"

# both processes are killed
begin killed 2 --keep-parts 4
kill -KILL "$(pgrep -P "$recorder")" "$recorder" "$feeder"
kill "$recorder" "$feeder" 2>/dev/null
wait 2>/dev/null
dead=$(last killed)
ls -d "$dead"/*.open >open && [ -e "$dead/.reserve" ]
result $? "a start that was killed with its guard leaves an open part"
# as if it had been removing one
mkdir "$dead/.000009.gone"
touch "$dead/.000009.gone/stream_0"
# and copying what has no links on other file systems
for file in clock settings uname modules symbols; do
	touch "$dead/000001/info/.$file.new"
done
check "the next one" start killed 1 --keep-parts 100
is "$(find "$dead" -name '*.gone' -o -name '.reserve' | wc -l)" 0 "removes what is left of a part"
is "$(find "$dead" -mindepth 1 -maxdepth 1 -name '*.open' | wc -l)" 1 "its open part is there"
status=0
markers report killed >got 2>error || status=$?
[ $status -le 1 ] && [ -s got ]
result $? "and can be read"
check "one with fewer parts" start killed 1 --keep-parts 2
[ ! -e "$dead" ]
result $? "removes the open one, too"

# the guard completes the recording meanwhile
begin again 1 --keep-parts 100
kill -KILL "$recorder" "$feeder"
late=1
check "a start at once after a kill" start again 1 --keep-parts 100
late=
kill "$recorder" "$feeder" 2>/dev/null
wait 2>/dev/null
is "$(find again -name '*.open' | wc -l), $(find again -mindepth 1 -maxdepth 1 | wc -l)" "0, 2" "waits until the last recording is completed"

# beside: as without -o, it makes such a name itself, and does not know of --below
beside()
{
	cp -R fake "fake-$1"
	(
		cd beside || exit
		MARKERS_DIR=$work/fake-$1
		shift
		exec setsid markers record -e m:one "$@" 2>/dev/null
	) &
}

# is_open FILE: in a recording there
is_open()
{
	[ -n "$(find beside -path "beside/markers-*/$1")" ]
}

mkdir beside
beside parts --rotate 64K
with_parts=$!
wait_for is_open 000001.open
first=$(last beside)
# names have the second
is_later()
{
	[ "$(date +markers-%Y%m%d-%H%M%S)" != "${first#*/}" ]
}
wait_for is_later
beside snapshots --snapshot-on signal
with_snapshots=$!
is_other()
{
	[ "$(last beside)" != "$first" ] && [ -s "$(last beside)/info/symbols" ]
}
wait_for is_other
second=$(last beside)
check "a start beside other recorders" start beside 2 --keep-parts 2
is "$(of "$first"), $(of "$(last beside)")" "1.open, 2 3" "neither counts nor removes a part that one is writing"
[ -e "$second/info/settings" ]
result $? "nor the directory of one that has no snapshot yet"
kill -TERM "$with_parts" "$with_snapshots"
wait "$with_parts"
is "$?, $(of "$first"), $(grep -c '^end: ' "$first/info/clock"), $(find "$first" -name .reserve)" \
	"0, 1, 1, " "the one completes its recording"
wait "$with_snapshots"
is "$?, $(grep -c '^end: ' "$second/info/clock")" "0, 1" "and so does the other"
check "a start when these have ended" start beside 1 --keep-parts 2
[ ! -e "$first" ] && [ ! -e "$second" ]
result $? "finds what is too much"
if command -v flock >/dev/null; then
	mkdir beside/markers-20200101-000000
	rm -f held released
	flock beside/markers-20200101-000000/.reserve sh -c ': >held; until [ -e released ]; do sleep 0.1; done' &
	holder=$!
	wait_for test -e held
	check "a start beside one that is about to begin" start beside 1
	[ -e beside/markers-20200101-000000/.reserve ]
	result $? "leaves its directory"
	touch released
	wait "$holder"
	rm held released
fi

# one at a time
if command -v flock >/dev/null; then
	flock again sh -c ': >held; until [ -e released ]; do sleep 0.1; done' &
	wait_for test -e held
	status_is 1 "while another one records there" markers record --below again -e m:one -- true
	touch released
	wait
	is "$(cat error)" 'markers: again: another "markers record --below" is recording there; name another directory' \
		"it refuses"
fi
status_is 2 "with -o" markers record --below again -o other -- true
grep -q '^markers: -o and --below: it is one or the other' error
result $? "says that it is one or the other"
touch file
status_is 1 "a directory that cannot be made" markers record --below file/x -- true
is "$(cat error)" "markers: file/x: Not a directory" "says why"

# old_parts DIR SIZE: a start with three parts
old_parts()
{
	for nr in 1 2 3; do
		mkdir -p "$1/markers-20200101-000000/00000$nr"
		touch "$1/markers-20200101-000000/00000$nr/metadata"
		head -c "$2" /dev/zero >"$1/markers-20200101-000000/00000$nr/stream_0"
	done
}

# only running it tells that it has no interpreter
printf '#!/nowhere\n' >bad
chmod +x bad
old_parts fails 1K
status_is 1 "a start that fails" markers record --below fails --rotate 64K --keep-parts 2 -e m:one -- ./bad
is "$(of fails/markers-20200101-000000)" "1 2 3" "removes nothing"
check "one that begins" markers record --below fails --rotate 64K --keep-parts 2 -e m:one -- true
is "$(of fails/markers-20200101-000000)" "3" "removes what is too much"

# the disk is full of earlier starts
mkdir disk
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=24m none disk 2>/dev/null; then
	old_parts disk/unit 5M
	cat /dev/zero >disk/others 2>error
	status_is 1 "a full disk without a limit" markers record --below disk/unit --rotate 64K -e m:one -- true
	is "$(of disk/unit/markers-20200101-000000)" "1 2 3" "removes nothing"
	truncate -s -4096 disk/others
	check "a full disk, with a limit" markers record --below disk/unit --rotate 64K --limit 1G -e m:one -- true
	[ -e "$(last disk/unit)/000001" ] && [ ! -e disk/unit/markers-20200101-000000/000001 ]
	result $? "the oldest parts make room for the next start"
	rm -r disk/unit
	old_parts disk/unit 5M
	cat /dev/zero >disk/more 2>error
	if command -v flock >/dev/null; then
		rm -f held released
		flock fake sh -c ': >held; until [ -e released ]; do sleep 0.1; done' &
		holder=$!
		wait_for test -e held
		status_is 1 "a full disk, while somebody else records" \
			markers record --below disk/unit --rotate 64K --limit 1G -e m:one -- true
		is "$(of disk/unit/markers-20200101-000000)" "2 3" "one part makes room for its directory"
		grep -qx 'markers: 1 parts of earlier starts were removed' error
		result $? "it says so, though it failed"
		status_is 1 "and again" markers record --below disk/unit --rotate 64K --limit 1G -e m:one -- true
		is "$(of disk/unit/markers-20200101-000000)" "2 3" "no more go"
		touch released
		wait "$holder"
	fi
	status_is 1 "a full disk, and a command that fails" \
		markers record --below disk/unit --rotate 64K --limit 1G -e m:one -- ./bad
	grep -qx 'markers: [23] parts of earlier starts were removed' error
	result $? "says what it removed"
	umount disk
else
	skip "no file system can be mounted" "a full disk without a limit"
fi
finish
