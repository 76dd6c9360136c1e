#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Headers of packets that are damaged, and packets that are not there: what can be read is read, and
# what is missing is told.
#
# usage: selftests/command/missing.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

make_trace whole 200 rounds
markers report whole >wanted

# headers.py FILE split DIR: put each ten packets of a stream in a part of their own
# headers.py FILE flip PACKET BYTE: in copies "all/BIT", flip each bit from this byte of a header on
# headers.py FILE at PACKET: print where it begins
# headers.py FILE cut PACKET: take a packet out
# headers.py FILE empty PACKET: let the content of a packet end behind its header
# headers.py FILE lapped NEXT: end it with a packet without events that tells 5 lost ones, and has
#	the number with which the file NEXT goes on
cat >headers.py <<'END'
import os, shutil, struct, sys
path, what = sys.argv[1:3]
data = open(path, 'rb').read()
packets, at = [], 0
while at < len(data):
    packets.append(at)
    at += struct.unpack_from('<Q', data, at + 48)[0] // 8
packets.append(at)
if what == 'split':
    for part in range(0, len(packets) - 1, 10):
        name = f'{sys.argv[3]}/{part // 10 + 1:06d}'
        os.makedirs(name, exist_ok=True)
        shutil.copy(f'{os.path.dirname(path)}/metadata', name)
        ends = packets[part:part + 11]
        open(f'{name}/{os.path.basename(path)}', 'wb').write(data[ends[0]:ends[-1]])
if what == 'flip':
    shutil.rmtree('all', ignore_errors=True)
    for bit in range(64):
        copy = bytearray(data)
        copy[packets[int(sys.argv[3])] + int(sys.argv[4]) + bit // 8] ^= 1 << bit % 8
        name = f'all/{bit:02d}'
        shutil.copytree(path.split('/')[0], name)
        open(f'{name}/{path.split("/", 1)[1]}', 'wb').write(copy)
if what == 'at':
    print(packets[int(sys.argv[3])])
if what == 'cut':
    packet = int(sys.argv[3])
    open(path, 'wb').write(data[:packets[packet]] + data[packets[packet + 1]:])
if what == 'empty':
    copy = bytearray(data)
    struct.pack_into('<Q', copy, packets[int(sys.argv[3])] + 40, 8 * 80)
    open(path, 'wb').write(copy)
if what == 'lapped':
    last = bytearray(data[packets[-2]:packets[-2] + 80])
    end, seq, lost = (struct.unpack_from('<Q', last, at)[0] for at in (32, 56, 64))
    struct.pack_into('<QQQQQQ', last, 24, end, end, 8 * 80, 8 * 80, seq + 1, lost + 5)
    struct.pack_into('<I', last, 76, 0)
    open(path, 'ab').write(last)
    after, at = bytearray(open(sys.argv[3], 'rb').read()), 0
    while at < len(after):
        struct.pack_into('<Q', after, at + 64, struct.unpack_from('<Q', after, at + 64)[0] + 5)
        at += struct.unpack_from('<Q', after, at + 48)[0] // 8
    open(sys.argv[3], 'wb').write(after)
END
python3 headers.py whole/stream_0 split parts
python3 headers.py whole/stream_1 split parts
markers report parts >got
check "two parts are what they are together" cmp wanted got

# bears WHAT PACKET BYTE FILE: with each bit flipped there, are all events read, or is the status 1?
bears()
{
	python3 headers.py "parts/$4" flip "$2" "$3"
	bad="" told=0
	for flipped in all/*; do
		code=0
		markers report "$flipped" >got 2>said || code=$?
		[ $code -eq 0 ] || told=$((told + 1))
		[ $code -eq 1 ] && [ -s said ] && continue
		[ $code -eq 0 ] && [ "$(wc -l <got)" -eq "$(wc -l <wanted)" ] || bad="$bad ${flipped#all/}"
	done
	is "$bad" "" "$1"
}

bears "the number of the last packet of a part" -2 56 000001/stream_0
is "$told" 64 "each is told"
cp -r all/40 one
status_is 1 "one of them" sh -c 'markers report one >got'
is "$(grep -v "packets are missing" error)" \
	"markers: one/000002/stream_0: at byte 0: the packet comes after one with a later number: a number or a time is damaged" \
	"it says where, once"
check "and all events are read" cmp wanted got
status_is 1 "query reads them" sh -c 'markers query one "SELECT count(*) FROM io_begin" >got'
check "all" grep -q '^ *200 *$' got
bears "the time of the first packet of the next part" 0 24 000002/stream_0
bears "its number" 0 56 000002/stream_0

# a copy that was overtaken, and the next one
cp -r parts lapped
python3 headers.py lapped/000001/stream_0 lapped lapped/000002/stream_0
status_is 0 "a packet without events before the one of its number" sh -c 'markers report lapped >got'
is "$(cat error)" "" "is no disorder"
check "all events are read" sh -c 'grep -v lost got | cmp - wanted'
is "$(grep -c 'lost 5 events' got)" 1 "and its loss"
status_is 0 "check finds it in order" sh -c 'markers check lapped >got'

#
# Packets that are not there
#
# at FILE PACKET: the byte where it begins
at()
{
	python3 headers.py "$1" at "$2"
}

no_count="packets are missing before this one, and its count does not have their events"
cp -r whole gap
python3 headers.py gap/stream_0 cut 7
python3 headers.py gap/stream_0 cut 4
python3 headers.py gap/stream_1 cut 5
status_is 0 "packets that are not in a recording" sh -c 'markers report gap >got'
printf 'markers: gap/stream_%s: at byte %s: %s\n' 0 "$(at whole/stream_0 4)" "$no_count" \
	1 "$(at whole/stream_1 5)" "$no_count" >said
is "$(cat error)" "$(cat said)" "are told once for each stream"
check "the rest is read" test "$(wc -l <got)" -eq "$(($(wc -l <wanted) - 2 * 14 - 10))"
check "no loss has no events" sh -c '! grep -q lost got'
status_is 3 "with --strict" sh -c 'markers report --strict gap >got'
status_is 0 "query" sh -c 'markers query gap "SELECT id FROM io_begin; SELECT * FROM loss; SELECT id FROM io_end" >got'
is "$(cat error)" "$(cat said)" "tells them once, too"
status_is 0 "check" sh -c 'markers check gap >got'
is "$(head -n 1 got)" "packets are missing in 3 places, and the next count does not have their events" "it counts them"
check "TAP, too" sh -c 'markers check --tap gap | grep -q "^# packets are missing in 3 places,"'
status_is 3 "check --strict" sh -c 'markers check --strict gap >got'
is "$(markers latency gap io_begin io_begin 2>/dev/null | grep -o "max .* mean")" \
	"$(markers latency whole io_begin io_begin | grep -o "max .* mean")" "no time is measured across a gap"
mkdir -p pieces/one pieces/two
cp -r gap pieces/one/markers
cp -r whole pieces/two/markers
status_is 0 "what another piece has" sh -c 'markers report pieces >got'
is "$(cat error)" "" "is not missing"
check "as it is read there" cmp wanted got
status_is 0 "nor does check miss it" sh -c 'markers check --strict pieces >got'
make_trace counted 1000 lost
for command in report check; do
	status_is 0 "$command: overwritten packets that are counted" sh -c "markers $command counted >got"
	is "$(cat error) $(grep -c missing got)" " 0" "$command: are a loss"
done

#
# Events that are not there
#
cp -r whole ends
python3 headers.py ends/stream_0 empty 2
lacks="markers: ends/stream_0: at byte $(at ends/stream_0 2): the packet has 0 events, its header says 14"
for command in "report ends" "latency ends io_begin io_end" "query ends \"SELECT count(*) FROM io_begin\"" \
	"export -f chrome -o ends.json ends"; do
	status_is 1 "$command: a packet without its events" sh -c "markers $command >got"
	is "$(grep -cxF "$lacks" error)" 1 "${command%% *}: it says which one"
done
check "the rest of it is read" test "$(markers report ends 2>error | wc -l)" -eq $(($(wc -l <wanted) - 14))
printf '\001' | dd of=ends/stream_1 bs=1 seek=76 conv=notrunc status=none
markers report ends >got 2>said
check "one with more of them" has said \
	"markers: ends/stream_1: at byte 0: the packet has 10 events, its header says 1"

#
# Folders that cannot be searched
#
# leaves_out WHAT FOLDER: does a user who may not search it read the rest of "relay", and say so?
leaves_out()
{
	$as_nobody ./markers report relay >got 2>said
	is $? 1 "$1"
	check "$1: which one" has said "markers: $2: is left out: Permission denied"
	check "$1: the rest is read" cmp wanted got
}

mkdir -p relay/ant/one relay/bee
cp -r whole relay/ant/one/markers
chmod 755 "$work"
cp "$(command -v markers)" .
as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" -eq 0 ] && $as_nobody ./markers --version >/dev/null 2>&1; then
	mkdir -m 700 relay/bee/one relay/lost+found
	leaves_out "a session of another user" relay/bee/one
	rm -r relay/bee/one
	mkdir -m 644 relay/bee/one
	leaves_out "one that can only be listed" relay/bee/one
	rm -r relay/bee/one
	chmod 700 relay/bee
	leaves_out "a host" relay/bee
	chmod 755 relay/bee
	mkdir -p relay/bee/one/archives/chunk
	mkdir -m 700 relay/bee/one/archives/chunk/markers
	leaves_out "a trace in an archive" relay/bee/one/archives/chunk/markers
	rm -r relay/bee/one
	$as_nobody ./markers report relay >got 2>said
	is $? 0 "all else is no fault"
	mkdir -m 700 relay/bee/1 relay/bee/2 relay/bee/3 relay/bee/4
	$as_nobody ./markers report relay 2>said >got
	is "$(grep -c 'relay/bee/.: is left out' said) $(tail -n 1 said)" "3 markers: relay: 4 such folders in all" \
		"of many, three are named"
	rm -r relay/bee/*
	mkdir -p flight/info
	touch flight/info/clock
	cp -r whole flight/snapshot-1
	mkdir -m 700 flight/snapshot-2
	$as_nobody ./markers check flight 2>said >got
	is "$? $(cat said)" "1 markers: flight/snapshot-2: is left out: Permission denied" "a snapshot of another user"
else
	skip "no right to be another user" "folders without rights"
fi
finish
