#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers check accepts a good trace, and reports each broken rule with its place.
#
# usage: selftests/command/check.sh TOOLS OUT
# shellcheck disable=SC2317 # functions are run by "check"

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

make_trace good 1000
make_trace lost 1000 lost

check "a good trace" status 0 markers check good
check "counts" test "$(markers check good)" = "good: 2401 events in 4 packets, lost 0"
check "losses are no fault" status 0 markers check lost
check "unless they are" status 3 markers check --strict lost
markers check --tap lost >tap
check "TAP" test "$(grep -c '^ok [1-7] - lost: ' tap)" -eq 7

# poke NAME AT BYTES [COMMAND...]: a trace with other bytes in stream_0
poke()
{
	rm -rf "$1"
	cp -r good "$1"
	printf "%b" "$3" | dd of="$1/stream_0" bs=1 seek="$2" conv=notrunc status=none
}

# breaks NAME RULE TEXT: does the command report RULE, with these words?
breaks()
{
	status 1 markers check --tap "$1" >tap 2>&1 || { cat tap; return 1; }
	if ! grep -q "^not ok $2 " tap || ! grep -q "^# $1.*$3" tap; then
		cat tap
		return 1
	fi
}

# complains TEXT NAME: is it no recording, with these words?
complains()
{
	status 1 timeout 60 markers check "$2" >said 2>&1 && has said "markers: $1"
}

# packets SIZE: the metadata of the trace good in packets, as CTF allows
cat >packets.py <<'END'
import struct, sys
text, size = open('good/metadata', 'rb').read(), int(sys.argv[1]) - 37
with open('packed/metadata', 'wb') as out:
    for at in range(0, len(text), size):
        part = text[at:at + size]
        out.write(struct.pack('<I16sIII5B', 0x75d11d57, bytes(16), 0, 8 * (37 + len(part)),
                              8 * (37 + size), 0, 0, 0, 1, 8) + part.ljust(size, b'\0'))
END
cp -r good packed
python3 packets.py 1024
check "metadata in packets" status 0 markers check packed
check "are read" test "$(markers check packed)" = "packed: 2401 events in 4 packets, lost 0"
check "by other commands, too" test "$(markers report packed | grep -vc '^#')" -eq 2401
printf 'x' | dd of=packed/metadata bs=1 seek=1024 conv=notrunc status=none
check "a packet of them is damaged" breaks packed 1 "metadata: "

# where the second packet begins
second=$(($(od -An -tu8 -j48 -N8 good/stream_0) / 8))

poke magic $second 'x'
check "no packet" breaks magic 2 "stream_0: packet at byte $second: no packet begins here"
poke first 0 'x'
check "the first one is none" breaks first 2 "stream_0: packet at byte 0: no packet begins here; what follows is left out, up to the packet at byte $second$"
check "the next one is checked" sh -c 'markers check first | grep -q "in 3 packets"'
cp -r good cut
truncate -s -8 cut/stream_0
check "cut off" breaks cut 2 "is cut off"
status 1 markers check cut >text 2>said
check "said once" test ! -s said
check "in a line for the rule" has text 'broken in 1 place: streams are whole packets'
check "and one for the rest" grep -q '^cut: [0-9]* events in 3 packets, lost 0$' text
poke uuid $((second + 8)) 'x'
check "of another trace" breaks uuid 3 "uuid"
poke cpu $((second + 72)) '\001'
check "of another CPU" breaks cpu 3 "is of CPU 1, not 0"
poke seq $((second + 56)) '\000'
check "a packet twice" breaks seq 4 "packet 0 comes after packet 0"
poke discarded 64 '\005'
check "a count that goes back" breaks discarded 4 "its count of lost events is 0, after 5"
poke overlap 35 '\377'
check "packets at the same time" breaks overlap 4 "it begins at"
poke number 76 '\001'
check "events that are not counted" breaks number 5 "the header says"
poke id 80 '\035'
check "an unknown event" breaks id 5 "no event 29"
poke late 25 '\000'
check "it begins before its first event" breaks late 6 "is not that of the packet's begin"
poke early $((second + 32)) "$(od -An -to1 -j$((second + 24)) -N8 good/stream_0 | sed 's/ /\\/g')"
check "it ends before its last event" breaks early 6 "after the packet's end"
cp -r good meta
sed -i 's/uint32_t _bytes/float _bytes/' meta/metadata
check "metadata of others" breaks meta 1 "metadata: line 97: disk:io_begin: its fields are not as this version of markers records them; a newer markers may read it$"
cp -r good twice
sed -i 's/^.*uint32_t _bytes;$/&\n&/' twice/metadata
check "a field that is there twice" breaks twice 1 "metadata: line 97: disk:io_begin: its fields are not as "
check "report refuses it" status 1 sh -c 'markers report twice >/dev/null 2>said'
check "report says it" grep -q 'twice/metadata: line 97: disk:io_begin: its fields are not as ' said
cp -r good foreign
sed -i 's/tracer_name = "markers"/tracer_name = "other"/' foreign/metadata
check "another tracer" breaks foreign 1 'metadata: line 46: tracer_name is "other", not "markers"; babeltrace2 reads it$'
sed -i 's/tracer_name = "other/&\x1b[31m/' foreign/metadata
check "whose name is shown up to what is no text" breaks foreign 1 'metadata: line 46: tracer_name is "other", not "markers"'
cp -r good colour
sed -i 's/testhost/\\033[31mred\\012forged/; s/6.1.0-test/&\\033[2J/; s/CLOCK_MONOTONIC/&\\015/' colour/metadata
is "$(markers report colour | head -n 1)" \
	"# host: \\x1B[31mred\\nforged   kernel: 6.1.0-test\\x1B[2J   clock: CLOCK_MONOTONIC\\r" \
	"words of metadata are escaped"
mkdir colours
cp -r lost colours/one
cp -r colour colours/two
sed -i 's/testhost/\\033[31mred/' colours/one/metadata
new_trace colours/one 1
markers report colours >text
is "$(sed -n 1p text)" "# times since 1970; hosts: \\x1B[31mred \\x1B[31mred\\nforged" "those of several hosts, too"
check "in each line" sh -c "! LC_ALL=C grep -q '[[:cntrl:]]' text && ! grep -qv '^#\|^.x1B\[31mred' text"
cp -r good stray
echo words >stray/report.txt
cp -r good prefix
sed -i '1s/^/\xef\xbb\xbf/' prefix/metadata
check "metadata with bytes in front" breaks prefix 1 'metadata: it does not begin with /[*] CTF 1[.]8 [*]/$'
check "report reads it" status 0 sh -c 'markers report prefix >/dev/null'
check "a file that is no stream" breaks stray 7 "report.txt: is left out: "
check "in the words of report" has tap '# stray/report.txt: is left out: its name is not stream_N (N = 0, 1, 2 ...)'
rm stray/report.txt
mkdir stray/info
echo words >stray/info/report.txt
cp stray/stream_0 stray/.stream_1
check "hidden files and folders are no fault" markers check stray
mkdir stray/stream_7
check "a directory in place of a stream" breaks stray 2 'stream_7: is left out: it is a directory$'
rmdir stray/stream_7
mkfifo stray/stream_8
check "a pipe" breaks stray 2 'stream_8: is left out: it is not a file$'
rm stray/stream_8
ln -s /nonexistent stray/stream_9
check "a link to nothing" breaks stray 2 'stream_9: is left out: No such file or directory$'
rm stray/stream_9
cp -r good folder
rm folder/metadata
mkdir folder/metadata
check "a directory in place of metadata" complains "folder/metadata: it is a directory" folder
rmdir folder/metadata
mkfifo folder/metadata
check "a pipe, for which nobody waits" complains "folder/metadata: it is not a file" folder
cp -r good silent
rm silent/stream_*
check "no stream" complains \
	"silent: there is no stream in it: no event was recorded, or the files stream_N are missing" silent
markers check --tap silent >tap 2>said
check "no rule is kept there" test ! -s tap
cp -r good piped
mkdir piped/info
mkfifo piped/info/clock piped/info/symbols
check "pipes in info" status 0 timeout 60 markers report piped
check "are left out of what is joined" status 0 timeout 60 markers join -o unpiped piped
check "so nothing is there" test "$(ls -A unpiped/info)" = ""
mkdir -p whole/info whole/000002.open
touch whole/info/clock
cp -r good whole/000001
cp good/stream_0 whole/000002.open
: >whole/000002.open/metadata
check "a part without its metadata" status 1 sh -c 'markers check whole >text 2>said'
check "which one" has said 'markers: whole/000002.open: is left out: its file "metadata" is empty'
check "the other one is checked" has text "whole: 2401 events in 4 packets, lost 0"
# pieces of a collector are read where they are: a copy could not be made
TMPDIR=/nonexistent
export TMPDIR
mkdir -p relay/one relay/two
cp -r lost relay/one/markers
cp -r lost relay/two/markers
truncate -s -8 relay/one/markers/stream_0
check "pieces that have the same packets, and one a half" sh -c 'markers check relay >text'
is "$(cat text)" "$(markers check lost | sed 's/^lost/relay/')" "are what they are together"
check "losses matter there, too" status 3 markers check --strict relay
truncate -s -8 relay/two/markers/stream_0
status_is 1 "half a packet that no piece has whole" sh -c 'markers check --tap relay >tap'
is "$(grep -c '^markers: relay/.*/markers/stream_0: at byte [0-9]*: a packet is cut off$' error)" 2 "where"
is "$(grep '^not ok' tap)" "not ok 2 - relay: streams are whole packets" "which rule it breaks"
check "and who has none" has tap "# relay/one/markers/stream_0: is damaged, and no other piece has what is left out"
poke odd 76 '\001'
cp -r odd relay/one/other
mv relay/one/markers relay/one/kept
mv relay/one/other relay/one/markers
rm -r relay/two
mkdir relay/two
cp -r good relay/two/markers
truncate -s "$second" relay/two/markers/stream_0
status_is 1 "an event in a piece" sh -c 'markers check --tap relay >tap'
check "is checked" grep -q '^# relay/one/markers/stream_0: packet at byte 0: [0-9]* events, the header says [0-9]*$' tap
mkdir -p relay/three/markers
echo nothing >relay/three/markers/metadata
cp good/stream_0 relay/three/markers
status_is 1 "a piece of others" sh -c 'markers check relay >text'
grep -q '^markers: relay/three/markers/metadata: ' error
result $? "which one"

# pieces NAME: 5 packets of CPU 0, of $size bytes but for the last one, in each of two pieces
make_trace long 3000
size=$(($(od -An -tu8 -j48 -N8 long/stream_0) / 8))
pieces()
{
	mkdir -p "$1/one" "$1/two"
	cp -r long "$1/one/markers"
	cp -r long "$1/two/markers"
}

# hurt FILE N: no packet N is there
hurt()
{
	printf x | dd of="$1" bs=1 seek=$(($2 * size)) conv=notrunc status=none
}

# begin_at FILE N: leave out the packets before N
begin_at()
{
	tail -c +$(($2 * size + 1)) "$1" >rest
	mv rest "$1"
}

# tells NAME FILE BYTE: is that what no piece has?
tells()
{
	rm -rf "$1.joined"
	status 1 markers check --tap "$1" >tap 2>said && status 1 markers join -o "$1.joined" "$1" 2>joined || return 1
	has tap "# $1/$2: is damaged, and no other piece has what is left out" || return 1
	grep -q "^markers: $1/$2: at byte $3: " said && grep -q "^markers: $1/$2: at byte $3: " joined
}

pieces begin
hurt begin/one/markers/stream_0 0
check "another piece has the damaged begin" status 0 markers check begin
hurt begin/two/markers/stream_0 0
check "no piece has it" tells begin one/markers/stream_0 0
check "which is said of both" tells begin two/markers/stream_0 0
pieces later
hurt later/one/markers/stream_0 0
hurt later/one/markers/stream_0 1
begin_at later/two/markers/stream_0 1
check "another one has some of it" tells later one/markers/stream_0 0
pieces middle
hurt middle/one/markers/stream_0 2
check "another piece has the damaged middle" status 0 markers check middle
pieces end
hurt end/one/markers/stream_0 3
hurt end/one/markers/stream_0 4
truncate -s $((4 * size)) end/two/markers/stream_0
check "another piece has some of the damaged end" tells end one/markers/stream_0 $((3 * size))
cp long/stream_0 end/two/markers/
check "and all of it" status 0 markers check end
pieces thirds
mkdir thirds/three
cp -r long thirds/three/markers
truncate -s $((size + size / 2)) thirds/one/markers/stream_0
begin_at thirds/two/markers/stream_0 1
truncate -s $((3 * size)) thirds/two/markers/stream_0
begin_at thirds/three/markers/stream_0 4
check "a half packet that another piece has, with --end before later ones" status 0 sh -c 'markers report --end 1.15 thirds >text'

unset TMPDIR
cp good/stream_0 stray/stream_2
check "a stream twice" breaks stray 3 "stream_2: packet at byte 0: it is of CPU 0, not 2"
finish
