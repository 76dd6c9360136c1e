#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers-vmcore-to-ctf finds a trace in a memory dump, and says what is wrong with others. (The
# VM tests have a dump of a real kernel: react/last-words-interrupt.tc. What a dead kernel
# leaves in packets and notes is tested in selftests/unit: recover_*.)

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

# dump KIND: make it; the kinds are in selftests/unit/make_dump.c
dump()
{
	rm -rf dump found
	"$out/../unit/make_dump" "$1" dump || exit 1
}

# converts WHAT SAID EVENTS
converts()
{
	markers-vmcore-to-ctf dump found >said
	is "$? $(cat said)" "0 $2" "$1: a trace, and what is said"
	is "$(babeltrace2 found | wc -l)" "$3" "$1: events"
}

# refuses WHY WHAT
refuses()
{
	rm -rf found
	markers-vmcore-to-ctf dump found >said 2>&1 && echo "no error" >>said
	is "$(grep -c "^markers-vmcore-to-ctf: .*$1" said)" 1 "$2"
	is "$(ls found 2>/dev/null)" "" "$2: no trace"
}

dump good
converts "a dump of two pieces" "8 packets of 2 CPUs" 4000
is "$(markers report found | tail -n 1 | grep -o 'm:e: .*')" "m:e: nr 3999" \
	"the text of an event has the words of its format"
is "$(babeltrace2 found | grep -o 'nr = .*' | tr -dc '0-9\n' | sort -n | uniq | wc -l)" 4000 \
	"each event once"
rm -r found
markers-vmcore-to-ctf dump found 2>said >/dev/full
is "$? $(cat said)" "1 markers-vmcore-to-ctf: stdout: No space left on device" "what is said, with a full disk"
is "$(markers-vmcore-to-ctf -h 2>&1 >/dev/full; echo $?)" "markers-vmcore-to-ctf: stdout: No space left on device
1" "the help, with a full disk"
dump hole
converts "a writer in the middle of an event" "8 packets of 2 CPUs" 4000
dump gap
markers-vmcore-to-ctf dump found >said
check "rings that are not in the dump are told" \
	grep -q '^6 packets of 2 CPUs; 2 cannot be read; [0-9]* CPUs without the memory of' said
check "and the trace is a trace" babeltrace2 found
dump header
converts "a dump that ends in the header of a packet" \
	"7 packets of 2 CPUs; 1 cannot be read; the dump is cut off" 3503

dump none
refuses 'kdump=1' "a dump without notes"
dump version
refuses 'another version' "notes of another version"
printf 'KDUMP   ' >dump
refuses 'makedumpfile' "a compressed dump"
: >dump
refuses 'empty' "an empty file"
rm dump
refuses 'dump: No such file or directory$' "a missing file"
mkdir dump
refuses 'dump: Is a directory$' "a directory"
rmdir dump
dump good
cp dump whole
head -c 100 whole >dump
refuses 'dump is cut off' "a dump without its headers"
size=$(stat -c %s whole)
for part in 1 3 5 7 8; do
	rm -rf found
	head -c $((size * part / 8 - 1000)) whole >dump
	markers-vmcore-to-ctf dump found >said 2>&1
	is "$? $(grep -c 'the dump is cut off\|which is cut off' said)" \
		"$([ -d found ] && echo 0 || echo 1) 1" "a dump that is cut off at $part/8"
	[ ! -d found ] || check "and the trace is a trace" babeltrace2 found
done
dump good
mkdir there
markers-vmcore-to-ctf dump there >said 2>&1
is "$? $(cat said)" "1 markers-vmcore-to-ctf: there: File exists" "a directory that is there already"
finish
